"""The commands that write invented judgments and measure corpora."""

import json

import pytest
import typer
from typer.testing import CliRunner

from thunder.commands import invented as command
from thunder.training_data.annotation import Annotated, read_jsonl
from thunder.training_data.invented_judgments import KINDS, judgment

app = typer.Typer()
app.command("invent")(command.invent)
app.command("diversity")(command.diversity)


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_invent_writes_judgments_that_are_read_again(tmp_path):
    path = tmp_path / "invented.jsonl"
    done = run("invent", path, "-n", 6, "--kinds", "deposit,criminal", "--seed", 4)
    assert done.exit_code == 0, done.output
    documents = dict(read_jsonl(path))
    assert list(documents)[:2] == ["invented-deposit-4-000000", "invented-injury-4-000001"]
    expected = judgment("deposit", seed=4, number=0)
    found = documents["invented-deposit-4-000000"]
    assert isinstance(found, Annotated)
    assert (found.text, found.spans) == (expected.text, expected.spans)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {row["case_type"] for row in rows} <= set(KINDS)


def test_a_later_part_goes_on_where_the_first_ended(tmp_path):
    whole, first, second = (tmp_path / name for name in ("whole", "first", "second"))
    run("invent", whole, "-n", 6, "--kinds", "fraud")
    run("invent", first, "-n", 4, "--kinds", "fraud")
    run("invent", second, "-n", 2, "--kinds", "fraud", "--first", 4)
    assert whole.read_bytes() == first.read_bytes() + second.read_bytes()


@pytest.mark.parametrize("kinds", ["murder", "civil,divorce", " , "])
def test_an_unknown_kind_is_refused_with_the_known_ones(tmp_path, kinds):
    done = run("invent", tmp_path / "out.jsonl", "--kinds", kinds)
    assert done.exit_code == 1
    assert not list(tmp_path.iterdir())


def test_a_file_is_written_over_only_when_asked(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("kept", encoding="utf-8")
    done = run("invent", path, "-n", 1)
    assert done.exit_code == 1
    assert "--force" in done.output
    assert path.read_text(encoding="utf-8") == "kept"
    assert run("invent", path, "-n", 1, "--force").exit_code == 0
    assert len(list(read_jsonl(path))) == 1


def test_diversity_measures_corpora_of_one_size(tmp_path):
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    run("invent", one, "-n", 8, "--kinds", "theft")
    run("invent", other, "-n", 5, "--kinds", "deposit")
    done = run("diversity", one, other, "--reference", other)
    assert done.exit_code == 0, done.output
    lines = [line.strip() for line in done.output.splitlines()]
    rows = {line.split("  ")[0]: line.split() for line in lines}
    assert rows["documents"][1:] == ["5", "5"]
    assert rows["JS divergence (bits)"][-1] == "0.000"
    assert 0 < float(rows["Self-BLEU"][-1]) < 1


def test_a_folder_of_texts_is_a_corpus_and_an_unreadable_document_is_counted(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"원고 {number}의 청구를 기각한다.", encoding="utf-8")
    (folder / "broken.txt").write_bytes(b"\xff\xfe")
    done = run("diversity", folder)
    assert done.exit_code == 0, done.output
    assert "1건" in done.output


@pytest.mark.parametrize("content", ["", '{"id": "a", "text": "하나뿐"}\n'])
def test_a_corpus_of_less_than_two_documents_is_refused(tmp_path, content):
    path = tmp_path / "small.jsonl"
    path.write_text(content, encoding="utf-8")
    done = run("diversity", path)
    assert done.exit_code == 1
    assert "두 건 이상" in done.output


def test_a_missing_corpus_is_named(tmp_path):
    done = run("diversity", tmp_path / "none.jsonl")
    assert done.exit_code == 1
    assert "none.jsonl" in done.output


def test_a_report_stands_beside_real_text_and_needs_enough_of_it(tmp_path):
    made, real = tmp_path / "made.jsonl", tmp_path / "real.jsonl"
    run("invent", made, "-n", 12, "--kinds", "news")
    run("invent", real, "-n", 24, "--kinds", "theft")
    done = run("diversity", made, "--reference", real, "--report", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "AUC of real against this" in done.output
    assert {"measures.md", "measures.csv"} <= {one.name for one in (tmp_path / "out").iterdir()}
    assert run("diversity", made, "--report", tmp_path / "none").exit_code == 1
    few = run("diversity", made, "--reference", made, "--report", tmp_path / "none")
    assert few.exit_code == 1 and "needs 10 texts" in few.output
    assert not (tmp_path / "none").exists()
