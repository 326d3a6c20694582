import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.annotation import app
from thunder.training_data.exchange import Tool

FILES = {"doccano": "documents.jsonl", "label-studio": "tasks.json", "conll": "documents.conll"}
ROWS = [
    {"id": "1/가", "text": "😀 피고인 <<<내국인이름>>>가나다<<</내국인이름>>>는\r\n갔다."},
    {"id": "2", "text": "아무도 없다."},
]


def run(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture
def judgments(tmp_path) -> Path:
    path = tmp_path / "judgments.jsonl"
    path.write_text(lines(ROWS), encoding="utf-8")
    return path


@pytest.mark.parametrize("tool", Tool)
def test_out_and_in_again(tool, judgments, tmp_path):
    code, said = run("export", "--to", tool, judgments, tmp_path / "out")
    assert (code, "2 documents exported" in said) == (0, True)
    source = tmp_path / "out" / FILES.get(tool, "")
    code, said = run("import", "--from", tool, source, tmp_path / "back.jsonl")
    assert (code, "2 documents with 1 spans" in said) == (0, True), said
    back = [json.loads(line) for line in (tmp_path / "back.jsonl").read_bytes().splitlines()]
    assert sorted(back, key=lambda row: row["id"]) == ROWS


def test_a_document_in_doubt_is_held_back_unless_its_rest_is_wanted(tmp_path):
    exported, out = tmp_path / "all.jsonl", tmp_path / "out.jsonl"
    label = [[2, 5, "내국인이름"], [7, 19, "내국인이름"]]
    good = {"id": 2, "text": "라마", "label": []}
    exported.write_text(lines([{"id": 1, "text": "피고 가나다라마바", "label": label}, good]))
    code, said = run("import", "--from", "doccano", exported, out)
    assert code == 1
    assert "1: 7:19 내국인이름 the offsets do not fit" in said and "가나다" not in said
    assert "1 documents are to be looked at, 1 of them were not written" in said
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["2"]
    code, said = run("import", "--from", "doccano", exported, out, "--keep-rest", "--force")
    assert (code, "0 of them were not written" in said) == (1, True)
    first = json.loads(out.read_text().splitlines()[0])
    assert first["text"] == "피고<<<내국인이름>>> 가나<<</내국인이름>>>다라마바"


def test_unknown_labels_are_told_and_kept(tmp_path):
    exported, out = tmp_path / "all.jsonl", tmp_path / "out.jsonl"
    exported.write_text(lines([{"id": 1, "text": "가나다", "label": [[0, 1, "모르는 것"]]}]))
    code, said = run("import", "--from", "doccano", exported, out)
    assert (code, "1: 0:1 모르는 것 is not a label" in said) == (1, True)
    assert "<<<모르는 것>>>" in out.read_text()


def test_line_breaks_that_the_tool_changed_come_from_the_originals(judgments, tmp_path):
    run("export", "--to", "doccano", judgments, tmp_path / "out")
    exported, out = tmp_path / "all.jsonl", tmp_path / "back.jsonl"
    content = (tmp_path / "out/documents.jsonl").read_text(encoding="utf-8")
    exported.write_text(content.replace("\\r\\n", "\\n"), encoding="utf-8")
    code, _ = run("import", "--from", "doccano", exported, out, "--originals", judgments)
    assert (code, out.read_text(encoding="utf-8")) == (0, lines(ROWS))
    exported.write_text(content.replace("갔다", "왔다"), encoding="utf-8")
    code, said = run(
        "import", "--from", "doccano", exported, out, "--originals", judgments, "--force"
    )
    assert (code, "1/가: the tool's text is not the original's" in said) == (1, True)


def test_all_columns_of_the_original_come_back(tmp_path):
    rows = [{"id": "1", "case_type": "fraud", "text": "피고 가나", "names": "taxonomy"}]
    (tmp_path / "a.jsonl").write_text(lines(rows), encoding="utf-8")
    run("export", "--to", "brat", tmp_path / "a.jsonl", tmp_path / "out")
    out, given = tmp_path / "back.jsonl", ("--originals", tmp_path / "a.jsonl")
    code, said = run("import", "--from", "brat", tmp_path / "out", out, *given)
    assert code == 0, said
    assert [json.loads(line) for line in out.read_text("utf-8").splitlines()] == rows


def test_an_empty_conll_says_how_label_studio_gives_its_labels(tmp_path):
    (tmp_path / "a.conll").write_text("-DOCSTART- -X- O O\n\n피고 -X- _ O\n", encoding="utf-8")
    said = run("import", "--from", "conll", tmp_path / "a.conll", tmp_path / "o.jsonl")[1]
    assert "--from label-studio" in said


def test_nothing_that_is_there_is_overwritten(judgments, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine").write_text("내 것")
    code, said = run("export", "--to", "brat", judgments, out)
    assert (code, "exists already" in said) == (1, True)
    assert [path.name for path in out.iterdir()] == ["mine"]
    exported = tmp_path / "all.jsonl"
    exported.write_text(lines([{"id": 1, "text": "가", "label": []}]))
    code, _ = run("import", "--from", "doccano", exported, judgments)
    assert (code, judgments.read_text(encoding="utf-8")) == (1, lines(ROWS))
    for never in (exported, out):
        code, said = run("import", "--from", "doccano", exported, never, "--force")
        assert code == 1
        assert "--force" not in said


def test_documents_that_cannot_be_read_are_told(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text(lines([{"id": "1", "text": "<<<내국인이름>>>가나"}, ROWS[1]]))
    code, said = run("export", "--to", "conll", path, tmp_path / "out")
    assert (code, "1: 1:1: <<<내국인이름>>> is never closed" in said) == (1, True)
    assert "1 documents exported" in said and "1 documents could not be exported" in said


def test_missing_files_and_labels_are_told_and_leave_nothing(judgments, tmp_path):
    code, said = run("import", "--from", "brat", tmp_path / "none", tmp_path / "x")
    assert (code, "no such file" in said) == (1, True)
    code, said = run("export", "--to", "brat", tmp_path / "none", tmp_path / "x")
    assert (code, "cannot be read" in said) == (1, True)
    code, said = run("labels", "--for", "doccano", tmp_path / "x", "--only", "내국인이르")
    assert (code, "unknown label" in said) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == [judgments.name]


@pytest.mark.parametrize("tool", Tool)
def test_the_label_set_alone(tool, tmp_path):
    code, said = run("labels", "--for", tool, tmp_path / "out")
    assert (code, "729" in said) == (0, True)
    assert any((tmp_path / "out").iterdir())
