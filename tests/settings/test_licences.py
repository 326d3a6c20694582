"""Licences are read from the files that ship, and a binding one is said."""

import json

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.settings import licences
from thunder.settings.licences import is_non_commercial, licence_of, needed, shipped

JUDGMENT = "피고인 김도윤은 자백하였다.\n"


@pytest.mark.parametrize(
    ("licence", "binds"),
    [
        ("cc-by-nc-sa-4.0", True),
        ("CC-BY-NC-4.0", True),
        ("apache-2.0", False),
        ("cc-by-sa-4.0", False),
        ("ncsa", False),  # the University of Illinois' own, which is free
        ("", False),
    ],
)
def test_what_forbids_commercial_use(licence, binds):
    assert is_non_commercial(licence) == binds


def test_every_part_has_a_licence_of_its_own():
    found = {one.part.partition(" (")[0]: one for one in shipped() if one.licence != "?"}
    assert found["thunder"].licence == "Apache-2.0"
    assert found["finetune/taggers/mini-cc-by-nc-sa-4.0"].licence == "cc-by-nc-sa-4.0"
    assert found["finetune/taggers/mini-free"].licence == "apache-2.0"
    assert found["taxonomy/cues/cc-by-nc-sa-4.0"].licence == "cc-by-nc-sa-4.0"
    assert found["taxonomy"].licence == "Apache-2.0"
    assert found["thunder/documents/pdf/letters"].licence == "OFL-1.1"
    assert all(one.texts for name, one in found.items() if "taggers" in name or "pdf" in name)


def test_licences_are_read_from_the_files(tmp_path, monkeypatch):
    for name in (
        "finetune/taggers/own",
        "taxonomy/cues/cc-by-nc-4.0",
        "replacement_lists",
        "tokenizer",
    ):
        (tmp_path / name).mkdir(parents=True)
    manifest = {"about": {"licence": "cc-by-4.0"}}
    (tmp_path / "finetune/taggers/own/tagger.json").write_text(json.dumps(manifest))
    (tmp_path / "taxonomy/cues/cc-by-nc-4.0/weights.tsv").write_text("a\t1\n")
    (tmp_path / "replacement_lists/places.txt").write_text("# source: x\n# licence: CC BY 4.0\n")
    (tmp_path / "replacement_lists/names.yaml").write_text("label: 이름\n")
    monkeypatch.setattr(licences.resources, "folder", lambda name: tmp_path / name)
    said = {(one.part, one.licence) for one in shipped()}
    assert {
        ("finetune/taggers/own", "cc-by-4.0"),
        ("taxonomy/cues/cc-by-nc-4.0 (1 files)", "cc-by-nc-4.0"),
        ("replacement_lists (1 files)", "CC BY 4.0"),
        ("replacement_lists (1 files)", "Apache-2.0"),
    } <= said


class _Metadata(dict):
    def get_all(self, name, default):
        found = self.get(name, default)
        return [found] if isinstance(found, str) else found


@pytest.mark.parametrize(
    ("metadata", "text", "said"),
    [
        ({"License-Expression": "MIT", "License": "old"}, "", "MIT"),
        ({"Classifier": ["License :: OSI Approved :: BSD License"]}, "", "BSD License"),
        ({"License": "Apache-2.0"}, "", "Apache-2.0"),
        ({"License": "The whole text\n" * 9}, "\n  BSD 3-Clause\n\nOwned\n", "BSD 3-Clause, Owned"),
        ({}, "Apache License\nVersion 2.0\n", "Apache License, Version 2.0"),
        ({}, "", "?"),
    ],
)
def test_what_a_package_says_of_its_licence(metadata, text, said, tmp_path):
    (tmp_path / "COPYING").write_text(text)
    assert licence_of(_Metadata(metadata), [tmp_path / "COPYING"] if text else []) == said


def test_the_dictionary_is_among_what_is_needed():
    found = {one.part.split()[0]: one for one in needed()}
    assert found["mecab-ko-dic"].licence.startswith("Apache License")
    assert found["mecab-ko-dic"].texts
    assert "onnxruntime" in found


def test_the_command_prints_all_with_texts():
    done = CliRunner().invoke(app, ["licences", "--texts"], env={"THUNDER_LANGUAGE": "en"})
    assert done.exit_code == 0
    assert "cc-by-nc-sa-4.0  <- no commercial use" in done.stdout
    assert "mecab-ko-dic" in done.stdout
    assert "SIL OPEN FONT LICENSE" in done.stdout
    assert "TERMS AND CONDITIONS FOR USE" in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [([], True), (["-q"], False), (["--model", "mini-free"], False), (["--model", "none"], False)],
)
def test_a_run_says_that_its_tagger_is_not_for_commerce(options, said, tmp_path):
    (tmp_path / "a.txt").write_text(JUDGMENT)
    words = ["deid", str(tmp_path / "a.txt"), "--no-progress", *options]
    done = CliRunner().invoke(app, words, env={"THUNDER_LANGUAGE": "en"})
    assert done.exit_code == 0
    assert ("forbids commercial use; --model mini-free" in done.stderr) == said
