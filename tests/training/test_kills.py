"""Fifty kills at random moments, many of them in the middle of a save, lose nothing."""

import multiprocessing
import random
import time
from pathlib import Path

import pytest

from thunder.training import checkpoints
from thunder.training.settings import Phase

from .toy import LENGTH, engine, live, losses_of, steps

PHASE = Phase(length=LENGTH, global_batch=4, micro_batch=2, peak=0.01, steps=150)
_FORK = multiprocessing.get_context("fork")  # a fresh interpreter would load torch each time


def _started(folder: Path) -> "multiprocessing.process.BaseProcess":
    process = _FORK.Process(target=live, args=(folder,), kwargs={"phase": PHASE})
    process.start()
    return process


@pytest.mark.slow
def test_fifty_kills_lose_nothing(tmp_path):
    next(steps(engine()))  # loads what torch loads late, so that no child does it again
    whole = tmp_path / "whole"
    whole.mkdir()
    began = time.monotonic()
    _started(whole).join()
    life = (time.monotonic() - began) / 25  # so that a life makes a few steps
    run = tmp_path / "killed-0"
    run.mkdir()
    chance, last, moved, in_a_save = random.Random(7), 0, 0, 0
    for kill in range(50):
        if last == PHASE.steps:  # at its end before fifty kills: another run takes the rest
            assert losses_of(run) == losses_of(whole)
            run, last = tmp_path / f"killed-{kill}", 0
            run.mkdir()
        process = _started(run)
        process.join(timeout=chance.uniform(0, 2 * life))
        process.kill()
        process.join()
        process.close()
        in_a_save += bool(list(run.glob(".partial-*")))
        found = checkpoints.latest(run)
        step = checkpoints.step_of(found.path) if found.path else 0
        assert step >= last and not found.passed_over
        moved += step > last
        life *= 1.2 if step == last else 0.9  # other work may make lives shorter
        last = step
    process = _started(run)
    process.join()
    assert process.exitcode == 0
    assert losses_of(run) == losses_of(whole)
    assert len(losses_of(whole)) == PHASE.steps
    assert in_a_save >= 3 and moved >= 20, (in_a_save, moved, last, life)
