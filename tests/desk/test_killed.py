"""Server and workers killed at random moments: no decision is lost, none doubled, all is whole."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "killed_desk.py"


def killed(*words):
    """Return what the benchmark says of five kills; it ends with 1 where anything is not whole."""
    command = [sys.executable, SCRIPT, "--kills", "5", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_killed_desk_loses_no_decision_and_doubles_none():
    assert "lost: 0, doubled: 0, files and audit whole" in killed()
