"""Server and workers killed at random moments: no decision is lost, none doubled, all is whole."""

import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest

from thunder.desk.crew import Failed
from thunder.desk.intake import Intake
from thunder.desk.states import State

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "killed_desk.py"


def killed(*words):
    """Return what the benchmark says of five kills; it ends with 1 where anything is not whole."""
    command = [sys.executable, SCRIPT, "--kills", "5", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_given_up_when_the_desk_ends_waits_for_the_next_start(store):
    """Stopped, not killed: what was at work is no failure."""
    answer = Future()

    class Crew:
        def submit(self, document, *, profile):
            return answer

    id = store.add("1", "피고인 강도윤은 갔다.", profile="court", risk=None, actor="x")
    intake = Intake(store, Crew())
    intake._begin()
    intake.close()
    answer.set_result(Failed("CancelledError"))
    assert store.state(id) is State.WAITING


@pytest.mark.slow
def test_a_killed_desk_loses_no_decision_and_doubles_none():
    assert "lost: 0, doubled: 0, files and audit whole" in killed()
