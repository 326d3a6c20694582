"""Spellings that hide a name or a number, and names that are words: what still slips through."""

import json
import runpy
from pathlib import Path

import pytest

from thunder import Deidentifier
from thunder.masking.doubts import Doubt

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


def test_what_of_a_text_of_another_domain_is_masked_whole(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    tool = runpy.run_path(str(BENCHMARKS / "evasions.py"))
    name = "<<<내국인이름>>>한여울<<</내국인이름>>>"
    family = "<<<내국인이름>>>한<<</내국인이름>>>"
    shop = "<<<빵집>>>밀방앗간<<</빵집>>>"
    text = f"{name} 기자는 {family} 과장과 {shop}에 갔다. 판사 김한은 춘천에 있다."
    row = {"id": "1", "domain": "news", "text": text, "keep": ["김한", "춘천"]}
    (tmp_path / "news.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (one,) = tool["writings"](tmp_path)
    assert list(tool["masked_whole"](one, [(0, 2), (8, 9), (27, 28)])) == [
        ("person", "한여울", "울"),
        ("surname alone", "한", ""),
        ("other", "밀방앗간", "밀방앗간"),
        ("kept", "김한", "김"),
        ("kept", "춘천", ""),
    ]
    row["text"] = text.replace("<<</빵집>>>", "")
    (tmp_path / "news.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(ValueError, match=r"news.jsonl:1: no text of another domain"):
        tool["writings"](tmp_path)


def test_a_leak_is_doubted_where_rows_touch_each_stretch_of_it(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    tool = runpy.run_path(str(BENCHMARKS / "evasions.py"))
    case = tool["Case"]("x", "가람과 나래와 다온이 만났다.", ((0, 2), (4, 6), (8, 10)))
    masked = [(0, 2)]
    assert tool["left"](case, masked) == "나래다온"
    one = Doubt(4, 6, "near", "?", 0.1)
    assert not tool["is_doubted"](case, masked, [one])
    assert tool["is_doubted"](case, masked, [one, Doubt(20, 21, "open", "?", 0.1, ((9, 10),))])


@pytest.mark.parametrize(("name", "most"), [("words", 0.4), ("variations", 0.2), ("spared", 0.0)])
def test_by_the_rules_alone_no_more_slips_through_than_did(leaks, name, most):
    wrong, number = leaks(name)
    assert wrong <= most * number
