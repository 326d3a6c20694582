"""Spellings that hide a name or a number, and names that are words: what still slips through."""

import runpy
from pathlib import Path

import pytest

from thunder import Deidentifier
from thunder.masking.deidentify import masked_spans

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def leaks(monkeypatch_module):
    monkeypatch_module.syspath_prepend(str(BENCHMARKS))
    tool = runpy.run_path(str(BENCHMARKS / "evasions.py"))
    deidentifier = Deidentifier(model="none")

    def count(name: str) -> tuple[int, int]:
        cases = list(tool["cases"](BENCHMARKS / "evasions" / f"{name}.txt"))
        results = deidentifier.deidentify_many([case.text for case in cases])
        wrong = 0
        for case, result in zip(cases, results, strict=True):
            masked = [(one.span.start, one.span.end) for one in result.changes]
            wrong += bool(tool["left"](case, masked) if case.wanted else masked)
        return wrong, len(cases)

    return count


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.mark.parametrize(("name", "most"), [("words", 0.4), ("variations", 0.2), ("spared", 0.0)])
def test_by_the_rules_alone_no_more_slips_through_than_did(leaks, name, most):
    wrong, number = leaks(name)
    assert wrong <= most * number


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (
            "피고인\n  배우자 (820101-1234567), 회사원\n피고인 배우자는 피고인의 배우자를 때렸다.",
            ["배우자", "배우자"],
        ),
        ("피해자 사실(여, 34세)을 보았다. 사실은 피해자 사실이 다쳤다.", ["사실", "사실"]),
        ("피고인 전기는 전기를 훔쳤다. 증인 이상의 진술. 이상과 같다.", ["전기", "이상"]),
    ],
)
def test_a_word_that_is_a_partys_name_is_one_behind_its_role_and_a_word_elsewhere(text, masked):
    assert [text[s.start : s.end] for s in masked_spans(text) if s.label == "내국인이름"] == masked
