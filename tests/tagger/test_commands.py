"""The commands of ``thunder tagger``: what is missing is said, not shown as a stack."""

import shutil

import pytest
from typer.testing import CliRunner

from thunder.commands.tagger import app
from thunder.mentions.scorecard import NAME
from thunder.settings.resources import folder
from thunder.tagger.chosen_tagger import DEFAULT
from thunder.tagger.tagger import Tagger


@pytest.mark.parametrize(
    "command",
    [
        ["predict", "{folder}", "{folder}/out.jsonl", "--dataset", "{folder}"],
        ["thresholds", "{folder}", "--dataset", "{folder}"],
        ["scorecard", "{folder}", "--dataset", "{folder}"],
    ],
)
def test_a_folder_that_is_no_tagger_is_named(tmp_path, command):
    done = CliRunner().invoke(app, [part.format(folder=tmp_path) for part in command])
    assert done.exit_code == 1
    assert "태거의 폴더가 아닙니다" in done.output and not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["thresholds", "{folder}", "--dataset", "{folder}", "--keep", "--alone"], "--alone"),
        (["scorecard", "{folder}", "--dataset", "{folder}", "--read", "{folder}/x"], "--partial"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path, command, said):
    done = CliRunner().invoke(app, [part.format(folder=tmp_path) for part in command])
    assert done.exit_code == 1
    assert said in done.output


def test_a_tagger_with_an_old_scorecard_can_be_given_a_new_one(tmp_path):
    """What reads the old one says so; what fits a new one does not ask it."""
    place = tmp_path / "tagger"
    shutil.copytree(folder("finetune") / "taggers" / DEFAULT, place)
    (place / NAME).write_text('{"format": 1}', encoding="utf-8")
    with pytest.raises(ValueError, match=f"thunder tagger scorecard {place} --dataset"):
        Tagger.load(place)
    assert Tagger.load(place, weighed=False).scorecard is None
