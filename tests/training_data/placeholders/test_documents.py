"""Whole judgments in files: read, annotated, kept or left out and counted."""

import inspect
import json
import lzma
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from thunder.commands.annotation import app
from thunder.commands.placeholders import placeholders
from thunder.taxonomy import load as load_taxonomy
from thunder.training_data.annotation import parse
from thunder.training_data.placeholders.documents import (
    EMPTY,
    LEAST,
    MARKED,
    NOTHING,
    REPEATED,
    UNSURE,
    Document,
    Terms,
    outcome,
    read,
    run,
)
from thunder.training_data.placeholders.report import Report, band
from thunder.training_data.placeholders.unmasked import COMPANY_LEFT, PERSON_LEFT

JUDGMENT = "【원고】 원고 1\n원고 1은 소외 2 주식회사의 직원으로 ○○병원에 입원하였다.\n판사 홍새벽"


def rows(*texts: str) -> list[Document]:
    return [Document(f"2020가단{number}", "민사", text) for number, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" \n", EMPTY),
        ("<<<내국인이름>>>A<<</내국인이름>>>", MARKED),
        ("상고를 기각한다.", NOTHING),
        ("원고 1과 피해자 홍길동(남, 40세)은", PERSON_LEFT),
        ("원고 1과 주식회사 나리테크는", COMPANY_LEFT),
        ("원고 1은 ◇◇◇ 그리고", UNSURE),
    ],
)
def test_a_judgment_is_left_out_with_its_reason(text: str, reason: str) -> None:
    found = outcome(Document("1", "민사", text), terms=Terms())
    assert (found.row, found.reasons) == (None, (reason,))


def test_a_kept_row_is_checked_mark_up_of_the_same_text_outside_the_marks() -> None:
    row = outcome(Document("1", "민사", JUDGMENT), terms=Terms()).row
    assert row is not None
    annotated = parse(row["text"], taxonomy=load_taxonomy())
    assert [span.label for span in annotated.spans] == [
        "내국인이름",
        "내국인이름",
        "주식회사",
        "병원",
    ]
    assert (row["case_type"], row["names"]) == ("민사", "taxonomy")
    assert row["entities"][0] == row["entities"][1] == "원고 1"


def test_the_command_leaves_out_what_the_library_does() -> None:
    assert inspect.signature(placeholders).parameters["least"].default == LEAST == Terms().least


def test_two_processes_give_what_one_gives() -> None:
    documents = rows(JUDGMENT, "상고를 기각한다.", JUDGMENT + " 끝")
    assert list(run(documents, Terms(), workers=2)) == list(run(documents, Terms()))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "no JSON at column"),
        ("[]", "no JSON object"),
        ('{"id": "1"}', "no JSON object"),
        ('{"id": "1", "text": "\\ud800"}', "surrogate"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "judgments.jsonl"
    file.write_text(f'{{"id": "0", "text": "가"}}\n\n{line}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=rf"judgments\.jsonl:3: .*{message}"):
        list(read([file]))


def test_a_judgment_whose_id_was_read_before_is_left_out(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl.xz"
    row = '{"id": "2020가단1", "kind": "민사", "text": "가"}\n'
    first.write_text(row, encoding="utf-8")
    second.write_bytes(lzma.compress(row.encode()))
    documents = list(read([first, second]))
    assert documents == [Document("2020가단1", "민사", "가", again) for again in (False, True)]
    assert outcome(documents[1], terms=Terms()).reasons == (REPEATED,)


def test_a_cut_xz_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cut.jsonl.xz"
    file.write_bytes(lzma.compress(b'{"id": "1", "text": "a"}' + b"\n" * 99)[:-20])
    with pytest.raises(ValueError, match=r"cut\.jsonl\.xz: no whole xz file"):
        list(read([file]))


def test_the_report_counts_every_reason_and_the_kept_spans() -> None:
    report = Report()
    for one in run(rows(JUDGMENT, "상고를 기각한다.", "주식회사 나리테크와 홍길동 씨"), Terms()):
        report.add(one)
    counts = report.as_json()
    assert (counts["read"], counts["kept"], counts["left_out"]) == (3, 1, 2)
    assert counts["reasons"][NOTHING] == 2
    assert counts["labels"] == {"내국인이름": 2, "병원": 1, "주식회사": 1}
    assert counts["kinds"] == {"민사": {"read": 3, "kept": 1}}
    assert sum(counts["scores"].values()) == counts["spans"] == 4
    left = [(one["id"], NOTHING in one["reasons"]) for one in counts["left_out_judgments"]]
    assert left == [("2020가단2", True), ("2020가단3", True)]


def test_a_judgment_left_out_for_a_label_names_the_label() -> None:
    report = Report()
    for one in run(rows(JUDGMENT), Terms(least=1.0)):
        report.add(one)
    (left,) = report.as_json()["left_out_judgments"]
    assert left["reasons"] == [UNSURE]
    assert left["unsure_labels"] == ["병원", "주식회사"]


@pytest.mark.parametrize(("score", "name"), [(0.0, "0.0-0.2"), (0.85, "0.8-0.9"), (1.0, "0.9-1.0")])
def test_scores_are_counted_in_bands(score: float, name: str) -> None:
    assert band(score) == name


@pytest.fixture
def command() -> typer.Typer:
    return app


def test_the_command_writes_rows_and_a_report(tmp_path: Path, command: typer.Typer) -> None:
    source, out, report = (tmp_path / name for name in ("in.jsonl", "out.jsonl", "report.json"))
    lines = [json.dumps(one._asdict(), ensure_ascii=False) for one in rows(JUDGMENT, "기각한다.")]
    source.write_text("\n".join(lines), encoding="utf-8")
    arguments = ["placeholders", str(source), "--output", str(out), "--report", str(report)]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    assert "1 of 2 judgments" in result.output
    assert [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()] == ["2020가단1"]
    assert json.loads(report.read_text("utf-8"))["reasons"] == {NOTHING: 1}
    again = CliRunner().invoke(command, arguments)
    assert again.exit_code == 1
    assert "--force" in again.output
    into_folder = ["placeholders", str(source), "--output", str(tmp_path), "--force"]
    refused = CliRunner().invoke(command, [*into_folder, "--report", str(report)])
    assert refused.exit_code == 1
    assert "--force" not in refused.output


def test_a_bad_file_leaves_no_half_written_output(tmp_path: Path, command: typer.Typer) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": "1", "text": "원고 1은"}\n{\n', encoding="utf-8")
    result = CliRunner().invoke(command, ["placeholders", str(source), "-o", str(out)])
    assert result.exit_code == 1
    assert "in.jsonl:2" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]
