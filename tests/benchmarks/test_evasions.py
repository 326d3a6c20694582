"""Spellings that hide a name or a number, and names that are words: what still slips through."""

import runpy
from pathlib import Path

import pytest

from thunder import Deidentifier

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
