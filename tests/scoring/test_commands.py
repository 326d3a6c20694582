"""The command ``thunder evaluate`` from files to tables."""

import csv
import json

import pytest
import typer
from typer.testing import CliRunner

from thunder.commands.evaluate import evaluate
from thunder.masking.deidentify import deidentify
from thunder.tagger.chosen_tagger import RULES_ALONE

app = typer.Typer()
app.command()(evaluate)


def entities(gold):
    rows = zip(gold.spans, gold.entities, strict=True)
    return [{"start": s.start, "end": s.end, "label": s.label, "entity": e} for s, e in rows]


@pytest.fixture
def files(gold, write):
    row = {"id": gold.id, "case_type": gold.case_type}
    marked = {**row, "text": gold.text, "entities": entities(gold)}
    done = deidentify(gold.text, id=gold.id, tagger=RULES_ALONE)
    changes = [
        {
            "start": change.span.start,
            "end": change.span.end,
            "label": change.span.label,
            "score": change.span.score,
            "replacement": change.replacement,
        }
        for change in done.changes
    ]
    write("gold.jsonl", [marked])
    write("rules.jsonl", [{**row, "text": done.text, "entities": changes}])
    write("none.jsonl", [{"id": gold.id, "entities": []}])
    return write("perfect.jsonl", [{"id": gold.id, "entities": entities(gold)}]).parent


def run(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


def rows(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_tables_of_several_systems(files):
    out = files / "out"
    done = run(
        *(files / "gold.jsonl", files / "perfect.jsonl", files / "rules.jsonl"),
        *(f"none={files / 'none.jsonl'}", "--csv", out, "--markdown", files / "report.md"),
        *("--bootstrap", 50, "--training", files / "gold.jsonl"),
    )
    assert done.exit_code == 0, done.output
    report = (files / "report.md").read_text(encoding="utf-8")
    for title in ("Table 2", "H.1, H.2", "H.3, H.4", "What leaks", "Span-level", "Bootstrap"):
        assert title in report
    assert "홍길동" not in done.output + report
    binary = {row["system"]: row for row in rows(out / "tokens-binary.csv")}
    assert float(binary["perfect"]["F1"]) == 1.0
    assert float(binary["none"]["R"]) == 0.0
    assert binary["none"]["P"] == ""
    leaks = {row["system"]: row for row in rows(out / "privacy.csv")}
    assert (leaks["none"]["direct"], leaks["perfect"]["direct"]) == ("0.0", "1.0")
    seen = {(row["mentions"], row["system"]): row["number"] for row in rows(out / "seen.csv")}
    assert seen["seen", "rules"] == "4" and seen["unseen", "rules"] == "0"
    assert "calibration.csv" in {path.name for path in out.iterdir()}


def test_runs_of_one_name_are_one_system(files):
    runs = [f"ours={files / name}.jsonl" for name in ("perfect", "none")]
    done = run(files / "gold.jsonl", *runs, "--bootstrap", 0, "--csv", files / "out")
    assert done.exit_code == 0, done.output
    (row,) = rows(files / "out" / "tokens-binary.csv")
    assert (row["system"], row["runs"], row["R"]) == ("ours", "2", "0.5")
    assert float(row["R sd"]) == pytest.approx(2**-0.5)


def test_words_are_shown_only_if_asked_for(files):
    given = (files / "gold.jsonl", files / "none.jsonl", "--bootstrap", 0)
    assert "홍길동" not in run(*given).output
    shown = run(*given, "--show-contexts").output
    assert "[홍길동]" in shown and "사건 1" in shown


@pytest.mark.usefixtures("english")
def test_bad_input_ends_with_a_message(files, write):
    write("other.jsonl", [{"id": "사건 9", "entities": []}])
    done = run(files / "gold.jsonl", files / "other.jsonl")
    assert done.exit_code == 1
    assert "document '사건 9': not among the documents" in done.output
    assert run(files / "gold.jsonl", files / "missing.jsonl").exit_code == 1
    assert "neither a tagger" in run(files / "gold.jsonl", files).output
    twice = run(files / "gold.jsonl", files / "none.jsonl", files / "none.jsonl")
    assert "given twice" in twice.output


def test_kept_labels_are_neither_right_nor_wrong_by_the_rule(files, write):
    text = "그는 3층에 갔다."
    floor = {"start": 3, "end": 4, "label": "층"}
    gold = write("floor.jsonl", [{"id": "1", "text": text, "entities": [floor]}])
    empty = write("nothing.jsonl", [{"id": "1", "entities": []}])
    plain = run(gold, empty, "--bootstrap", 0, "--csv", files / "all")
    ruled = run(gold, empty, "--bootstrap", 0, "--csv", files / "ruled", "--by-rule")
    assert (plain.exit_code, ruled.exit_code) == (0, 0), plain.output + ruled.output
    whole = [rows(files / name / "privacy.csv")[0]["mentions"] for name in ("all", "ruled")]
    assert whole == ["0.0", "1.0"]


def test_the_round_trip_is_scored_where_the_courts_letters_are_known(files, gold, write):
    letters = {"홍길동": "A", "한빛": "B", "김갑순": "C"}
    marked = [
        {**one, "written": letters[gold.text[one["start"] : one["end"]]]} for one in entities(gold)
    ]
    document = {"id": gold.id, "case_type": "fraud", "text": gold.text, "entities": marked}
    path = write("court.jsonl", [document])
    ours = [
        {**{key: one[key] for key in ("start", "end", "label")}, "replacement": written}
        for one, written in zip(marked, "XYZX", strict=True)
    ]
    same = write("same.jsonl", [{"id": gold.id, "entities": ours}])
    ours[-1] = {**ours[-1], "replacement": "W"}  # one person under two letters
    split = write("split.jsonl", [{"id": gold.id, "entities": ours}])
    done = run(path, same, split, files / "none.jsonl", "--bootstrap", 0, "--csv", files / "out")
    assert done.exit_code == 0, done.output
    found = {row["system"]: row for row in rows(files / "out" / "round-trip.csv")}
    assert (found["same"]["equal"], found["split"]["equal"]) == ("1.0", "0.0")
    assert found["split"]["split"] == "1"


def test_pictures(files):
    pytest.importorskip("matplotlib")
    given = (files / "gold.jsonl", files / "perfect.jsonl", files / "rules.jsonl")
    done = run(*given, "--bootstrap", 0, "--plots", files / "plots")
    assert done.exit_code == 0, done.output
    names = {path.name for path in (files / "plots").iterdir()}
    assert {"figures.png", "subcategories.png", "positions.png", "calibration.png"} <= names


def test_predictions_are_json_lines_as_they_are_documented(files):
    line = (files / "perfect.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert set(json.loads(line)) == {"id", "entities"}


def test_the_rules_are_asked_and_the_papers_figures_stand_beside(files):
    given = (files / "gold.jsonl", "rules", f"none={files / 'none.jsonl'}", "--bootstrap", 0)
    done = run(*given, "--paper", "--csv", files / "out", "--limit", 1)
    assert done.exit_code == 0, done.output
    assert "rules: 문서 1건" in done.output
    (row, _) = rows(files / "out" / "case-types-binary.csv")
    assert (row["case type"], row["370M*"]) == ("Property theft & deception (fraud)", "0.9753")
    assert len(rows(files / "out" / "paper-H.4.csv")) == 50


def test_a_curve_needs_a_tagger(files):
    done = run(files / "gold.jsonl", "rules", "--bootstrap", 0, "--curve", files / "curve.png")
    assert done.exit_code == 1 and "a curve needs a tagger" in done.output


def test_a_name_that_stands_for_no_label_is_not_scored(write):
    names = [
        {"start": 0, "end": 3, "label": "내국인이름"},
        {"start": 5, "end": 8, "label": "앞 노상"},
    ]
    gold = write("gold.jsonl", [{"id": "1", "text": "김도윤은 편의점 앞", "entities": names}])
    done = run(gold, "rules", "--bootstrap", 0)
    assert done.exit_code == 0, done.output
    assert "정답 2곳 가운데 라벨이 없는 1곳은 채점하지 않습니다." in done.output
