"""The benchmark of taggers: each with the rules beside, whole judgments by kind."""

import importlib.util
import sys
from pathlib import Path

import pytest

from thunder.scoring.documents import gold_of
from thunder.settings import resources
from thunder.text.spans import IGNORED, Span
from thunder.training_data.annotation import serialise
from thunder.training_data.datasets import building
from thunder.training_data.datasets.preparing import Options
from thunder.training_data.datasets.recipe import Recipe
from thunder.training_data.invented_judgments import judgments

SAID = ("name", "nothing")
PATH = Path(__file__).parents[2] / "benchmarks" / "taggers.py"


@pytest.fixture(scope="module")
def taggers():
    spec = importlib.util.spec_from_file_location("taggers", PATH)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:  # a script finds those beside it
        patch.syspath_prepend(str(PATH.parent))
        spec.loader.exec_module(module)
    return module


def test_what_a_reader_calls_a_name_counts_neither_way(taggers, tmp_path, monkeypatch):
    readings = taggers.readings
    gold = gold_of("j1", "민사", "한빛 나루 마루", [Span(0, 2, "주식회사")])
    masked = [Span(0, 5, "주식회사"), Span(6, 8, "주식회사")]
    parts = list(readings.parts_beside(gold, masked))
    assert [(one.start, one.end) for one in parts] == [(3, 5), (6, 8)]
    monkeypatch.setattr(readings, "FILE", tmp_path / "readings.tsv")
    assert readings.corrected(gold, [masked]) == gold
    listed = tmp_path / "read.tsv"
    rows = [("verdict", "judgment", "wording")]
    rows += [
        (said, "j1", readings.hash_of(gold, one)) for said, one in zip(SAID, parts, strict=True)
    ]
    listed.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    readings._take(listed)
    assert "나루" not in (tmp_path / "readings.tsv").read_text("utf-8")
    free = [one for one in readings.corrected(gold, [masked]).spans if one.label == IGNORED]
    assert [(one.start, one.end) for one in free] == [(3, 5)]


def test_each_tagger_is_scored_alone_and_with_the_rules(taggers, tmp_path):
    given = {"mini": ["runs/1", "runs/2"], "deid": ["deid"]}
    for name in given["mini"]:
        (tmp_path / name).mkdir(parents=True)
    given["mini"] = [str(tmp_path / name) for name in given["mini"]]
    assert taggers._with_rules(given) == {
        "mini": given["mini"],
        "mini + rules": [f"deid:{one}" for one in given["mini"]],
        "deid": ["deid"],
        "rules": ["rules"],
    }


@pytest.mark.parametrize(
    ("case_type", "kind"),
    [
        ("민사", "민사"),
        ("일반행정", "일반행정"),
        ("eviction", "invented civil"),
        ("other", "other"),
    ],
)
def test_kinds_of_cases(taggers, case_type, kind):
    assert taggers._kind(case_type) == kind


def test_everything_is_printed(taggers, tmp_path, write, monkeypatch, capsys):
    rows = [
        {"id": one.id, "case_type": one.case_type, "text": serialise(one.text, one.spans)}
        for one in judgments(12, kinds=("injury", "eviction"), seed=3)
    ]
    folder = tmp_path / "set"
    recipe = Recipe(resources.folder("tokenizer") / "32k")
    building.build([write("invented.jsonl", rows)], folder, recipe, Options(near_duplicates=0))
    given = [folder, "rules", "--whole", folder, "--part", "dev", "--fillings", "2"]
    monkeypatch.setattr(sys, "argv", ["taggers.py", *map(str, given)])
    taggers.main()
    printed = capsys.readouterr().out
    for title in ("In short, as found", "by the rule", "Mentions seen", "by kind of case"):
        assert title in printed
    assert "| rules | " in printed and "invented criminal" in printed and "± " in printed
