"""``thunder text``: what documents say, on standard output or in files."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app

PAGE = "<p>판결<table><tr><td>성명<td>강도윤</table><p>끝"


def run(*words: object, stdin: bytes | None = None):
    return CliRunner().invoke(app, ["text", *map(str, words)], input=stdin)


@pytest.fixture
def inside(tmp_path) -> Path:
    inside = tmp_path / "in"
    (inside / "b").mkdir(parents=True)
    (inside / "a.html").write_text(PAGE)
    (inside / "b" / "a.txt").write_bytes("글\r\n".encode("cp949"))
    (inside / "c.jsonl").write_text('{"id": 7, "text": "하나"}\n{"text": ""}\n{"text": "둘"}\n')
    (inside / "d.docx").write_bytes(b"\xd0\xcf\x11\xe0")
    return inside


def test_one_document_to_standard_output(inside):
    done = run(inside / "a.html")
    assert (done.exit_code, done.stdout) == (0, "판결\n성명\t강도윤\n끝\n")


def test_segments_are_json_lines(inside):
    done = run(inside / "a.html", "--segments")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["segment"], one["kind"], one["text"], one["after"]) for one in lines] == [
        (0, "body", "판결", "\n"),
        (1, "cell", "성명", "\t"),
        (2, "cell", "강도윤", "\n"),
        (3, "body", "끝", "\n"),
    ]


def test_a_folder_to_files_and_what_fails_is_said(inside, tmp_path):
    out = tmp_path / "out"
    done = run(inside, "-o", out)
    assert done.exit_code == 1
    assert "c.jsonl:2: 본문이 비어 있습니다" in done.stderr
    found = {str(one.relative_to(out)): one.read_text() for one in out.rglob("*.txt")}
    assert found == {
        "a.html.txt": "판결\n성명\t강도윤\n끝\n",
        "b/a.txt.txt": "글\n",
        "c.jsonl.txt": "하나\n둘\n",
    }
    assert run(inside, "-o", out).exit_code == 2
    assert run(inside, "-o", out, "--force").exit_code == 1


def test_a_pipe(inside):
    assert run("--format", "html", stdin=PAGE.encode()).stdout == "판결\n성명\t강도윤\n끝\n"


@pytest.mark.parametrize(
    "words",
    [["없음"], ["-", "{in}"], ["{in}/a.html", "--format", "x"], ["{in}", "-o", "{in}/a.html"]],
)
def test_wrong_usage(inside, words):
    assert run(*[word.replace("{in}", str(inside)) for word in words]).exit_code == 2
