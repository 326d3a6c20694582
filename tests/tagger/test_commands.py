"""The commands of ``thunder tagger``: what is missing is said, not shown as a stack."""

import pytest
from typer.testing import CliRunner

from thunder.commands.tagger import app


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
