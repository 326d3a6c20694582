"""The commands ``thunder corpus …``."""

import shutil

from typer.testing import CliRunner

from thunder.commands.corpus import app

run = CliRunner().invoke


def test_show_counts_by_source_and_language(corpus, manifest):
    done = run(app, ["show", str(corpus)])
    assert done.exit_code == 0
    assert "judgments" in done.output
    assert "left out of judgments: exact duplicate 1, too short 1" in done.output
    assert f"tokens in en: train {manifest.languages['en']['train']['tokens']:,}" in done.output
    assert manifest.digest in done.output


def test_verify_says_what_is_wrong_and_fails(corpus, tmp_path):
    assert run(app, ["verify", str(corpus)]).exit_code == 0
    shutil.copytree(corpus, tmp_path / "copy")
    (tmp_path / "copy" / "parts.npy").write_bytes(b"")
    done = run(app, ["verify", str(tmp_path / "copy")])
    assert done.exit_code == 1
    assert "parts.npy is not as it was written" in done.output


def test_rows_are_shown_as_text(corpus):
    done = run(app, ["rows", str(corpus), "--length", "64", "--number", "2"])
    assert done.exit_code == 0
    assert done.output.count("--- ") == 2
    assert "[CLS]" in done.output


def test_a_folder_without_a_corpus_is_named(tmp_path):
    for command in ("show", "verify", "rows"):
        done = run(app, [command, str(tmp_path)])
        assert done.exit_code == 1
        assert "manifest.json is missing" in done.output
