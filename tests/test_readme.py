"""The README's commands run, and say what the README says."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"

pytestmark = pytest.mark.skipif(not README.is_file(), reason="needs a checkout with README.md")


def _examples() -> list[tuple[str, str]]:
    """Return (command, output) of every ```console block of the README."""
    blocks = re.findall(r"^```console\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)
    pieces = [piece for block in blocks for piece in re.split(r"^\$ ", block, flags=re.M) if piece]
    return [(command, output) for command, _, output in (p.partition("\n") for p in pieces)]


def test_there_are_examples():
    assert len(_examples()) >= 3


@pytest.mark.parametrize(("command", "output"), _examples())
def test_example_prints_what_the_readme_shows(command, output, monkeypatch):
    """Lines of the output must appear in this order; '...' in the README skips any number."""
    monkeypatch.chdir(ROOT)
    words = shlex.split(command)
    assert words[0] == "thunder"
    done = CliRunner().invoke(app, words[1:])
    assert done.exit_code == 0, done.output
    printed = done.output.splitlines()
    for line in output.splitlines():
        if line.strip() in {"", "..."}:
            continue
        assert line in printed, f"{command!r} did not print {line!r}"
        printed = printed[printed.index(line) + 1 :]


def test_both_commands_are_in_the_readme():
    text = README.read_text("utf-8")
    assert "<!-- try -->" in text
    assert "<!-- test -->" in text
