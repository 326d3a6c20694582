"""The commands: what a person sees, and the exit code a script sees."""

import pytest
from typer.testing import CliRunner

from thunder.commands.dataset import app

from .conftest import judgment, write_jsonl


def run(*arguments):
    return CliRunner().invoke(app, [str(one) for one in arguments], env={"COLUMNS": "120"})


def build(annotated, recipe, folder, *more):
    return run("build", annotated, "--tokenizer", recipe.tokenizer, "--output", folder, *more)


def test_build_shows_counts_and_what_was_left_out(recipe, tmp_path):
    torn = {"id": "torn", "text": "<<<은행>>>새봄은행"}
    path = write_jsonl(tmp_path / "a.jsonl", [*(judgment(n) for n in range(12)), torn])
    done = build(path, recipe, tmp_path / "d", "--way", "token-splice", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "built." in done.output
    assert "unbalanced or broken marks" in done.stdout
    assert "a.jsonl:13: torn: unbalanced or broken marks (at line 1 column 1)" in done.stderr
    assert "새봄" not in done.output
    again = build(path, recipe, tmp_path / "d", "--way", "token-splice")
    assert again.exit_code == 0
    assert "complete already." in again.output


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--seed", "2"), "different: options seed"),
        (("--way", "text-last"), "unknown way 'text-last'; known are text-first, token-splice"),
        (("--scheme", "iob"), "unknown scheme 'iob'; known are classes, bio"),
        (("--replacement", "never"), "unknown replacement 'never'; known are single, per-epoch"),
        (("--names", "mine"), "names are 'release' or 'taxonomy', not 'mine'"),
        (("--near-duplicates", "0.1"), "threshold"),
        (("--splits", "nowhere.tsv"), "nowhere.tsv"),
        (("--longest", "9000000"), "500,000"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(options, said, annotated, recipe, built):
    folder = built if "--seed" in options else built.parent / "new"
    done = build(annotated, recipe, folder, "--epochs", "2", *options)
    assert done.exit_code == 1
    assert said in done.stderr
    assert "Traceback" not in done.output


def test_a_file_or_a_tokenizer_that_is_not_there_is_named(annotated, recipe, tmp_path):
    gone = build(tmp_path / "gone.jsonl", recipe, tmp_path / "d")
    assert (gone.exit_code, "gone.jsonl" in gone.stderr) == (1, True)
    no = run("build", annotated, "--tokenizer", tmp_path, "--output", tmp_path / "d")
    assert (no.exit_code, "no folder of a hybrid tokenizer" in no.stderr) == (1, True)


def test_verify_finds_a_changed_file(built, tmp_path):
    assert "shards are as the manifest says." in run("verify", built).stdout
    missing = run("verify", tmp_path)
    assert missing.exit_code == 1
    assert "make one with 'thunder dataset build'" in missing.stderr


def test_stats_of_a_dataset_and_of_files(built, annotated, tmp_path):
    of_dataset = run("stats", built, "--output", tmp_path / "out", "--no-plots")
    assert of_dataset.exit_code == 0, of_dataset.output
    for name in ("case-types.csv", "labels.csv", "lengths.csv", "splits.csv", "report.md"):
        assert (tmp_path / "out" / name).is_file()
    assert "The paper's Table 1, ours beside it" in of_dataset.stdout
    of_files = run("stats", annotated)
    assert "Length of a document in characters" in of_files.stdout
    both = run("stats", built, annotated)
    assert (both.exit_code, "give one dataset's folder" in both.stderr) == (1, True)


@pytest.mark.parametrize("rows", ["mentions", "tokens"])
def test_frame_writes_a_table(rows, built, tmp_path):
    path = tmp_path / f"{rows}.csv"
    done = run("frame", built, "--rows", rows, "--output", path, "-n", 2)
    assert done.exit_code == 0, done.output
    assert path.read_text(encoding="utf-8-sig").startswith("id,epoch,replica,")


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--rows", "lines"), "known are mentions, tokens"), (("--part", "x"), "unknown part 'x'")],
)
def test_frame_says_what_it_knows(options, said, built, tmp_path):
    done = run("frame", built, "--output", tmp_path / "a.csv", *options)
    assert (done.exit_code, said in done.stderr) == (1, True)
    other = run("frame", built, "--output", tmp_path / "a.xls")
    assert (other.exit_code, "ends in .csv or .parquet" in other.stderr) == (1, True)
