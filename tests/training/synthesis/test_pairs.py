"""Minimal pairs: one name in two texts, readable in the one and hidden in the other."""

import json

import pytest

from thunder.settings.config import ConfigError, parse
from thunder.taxonomy import load
from thunder.training.synthesis import pairs, running
from thunder.training.synthesis.settings import Run


def test_a_name_stands_in_both_texts_and_is_hidden_in_one():
    for one in pairs.pairs(60, seed=1, taxonomy=load()):
        [kept] = one.readable
        [hidden] = one.hidden.spans
        name, core = one.kept[kept.start : kept.end], one.hidden.text[hidden.start : hidden.end]
        assert name.startswith(core) and name.removeprefix(core) in {"", "경찰서", "병원"}
        assert kept.reason and hidden.label
        assert "{" not in one.kept + one.hidden.text and "<" not in one.kept + one.hidden.text


@pytest.mark.parametrize(
    ("kind", "readable", "hidden"),
    [
        ("판사", "판사", "내국인이름"),
        ("검사", "검사", "내국인이름"),
        ("변호인", "변호인", "내국인이름"),
        ("수사기관", "수사기관", "경찰서"),
        ("감정기관", "감정기관", "병원"),
    ],
)
def test_every_kind_has_its_pair(kind, readable, hidden):
    found = [(one.readable[0].kind, one.hidden.spans[0].label)
             for one in pairs.pairs(20, seed=3, taxonomy=load())]  # fmt: skip
    assert (readable, hidden) in found


def test_a_run_of_pairs_alone_asks_no_model(tmp_path):
    run = parse(f'output = "{tmp_path}"\npairs = 12\n', Run, origin="run.toml")
    report = running.run(run)
    assert report.texts == {pairs.DOMAIN: 24} and report.requests == 0
    rows = [json.loads(line) for line in (tmp_path / "filled.jsonl").read_text().splitlines()]
    assert [bool(row["entities"]) for row in rows] == [False, True] * 12
    assert [bool(row["kept"]) for row in rows] == [True, False] * 12
    again = (tmp_path / "texts.jsonl").read_bytes()
    running.run(run)
    assert (tmp_path / "texts.jsonl").read_bytes() == again


def test_a_run_of_nothing_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="or a number of pairs"):
        parse(f'output = "{tmp_path}"\n', Run, origin="run.toml")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("판사\t내국인이름\t{x} 판사", "pairs.tsv:1: kind, label and two texts"),
        ("판사\t내국인이름\t{x} 판사\t피해자", "two texts with {x}"),
        ("주지\t내국인이름\t{x}\t{x}", "'주지' is in no row of kept.tsv"),
        ("판사\t없는라벨\t{x}\t{x}", "'없는라벨' no label"),
        ("판사\t내국인이름\t<가|{x}\t{x}", "pairs.tsv:1: a '<' is never closed"),
    ],
)
def test_a_table_that_is_wrong_is_named_with_its_line(tmp_path, monkeypatch, line, said):
    (tmp_path / "pairs.tsv").write_text(line + "\n")
    monkeypatch.setattr(pairs, "_TABLE", tmp_path / "pairs.tsv")
    with pytest.raises(ValueError) as caught:
        next(pairs.pairs(1, seed=1, taxonomy=load()))
    assert said in str(caught.value)
