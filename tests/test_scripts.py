"""Scripts beside the package: started outside an environment they say so, in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("benchmarks", "finetune", "pretrain", "tokenizer/scripts")
# They load nothing but the standard library before they were asked for something.
NEED_NOTHING = ("guard.py", "install.py", "knowledge.py", "peers.py", "wheels.py")
SCRIPTS = [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).glob("*.py"))
    if "__main__" in path.read_text(encoding="utf-8") and path.name not in NEED_NOTHING
]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_not_installed_is_said_with_the_cure(path):
    bare = [sys.executable, "-S", path]  # without site-packages
    done = subprocess.run(bare, capture_output=True, text=True, env={}, cwd=path.parent)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is not installed for" in done.stderr and "pip install" in done.stderr


def test_the_package_started_outside_an_environment_says_so():
    bare = [sys.executable, "-S", "-m", "thunder", "--help"]
    done = subprocess.run(bare, capture_output=True, text=True, env={}, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is not installed for" in done.stderr


@pytest.mark.parametrize("path", ["finetune/run.sh", "finetune/ship.sh", "pretrain/run.sh"])
def test_an_act_without_a_python_says_how_to_give_one(path, tmp_path):
    environment = {"PATH": os.environ["PATH"], "PYTHON": "no-such-python", "WORK": str(tmp_path)}
    command = ["bash", ROOT / path]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no no-such-python here" in done.stderr and "PYTHON=.venv/bin/python" in done.stderr


def test_ship_goes_on_from_what_ships_and_from_nothing_else():
    environment = {"PATH": os.environ["PATH"], "PYTHON": sys.executable, "FROM": "elsewhere"}
    command = ["bash", ROOT / "finetune/ship.sh"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    wanted = "error: FROM=elsewhere: give FROM=shipped, or leave it out\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", wanted)
