"""Several processes as one: the same losses, one answer to trouble, nothing that hangs. Slow."""

import time

import pytest

from thunder.training import checkpoints

from .toy import Lives, Spoil, live, losses_of, together

pytestmark = pytest.mark.slow

ENGINES = ["plain", "deepspeed 0", "deepspeed 1", "deepspeed 2", "deepspeed 3"]


def _lives(engine: str, **how) -> Lives:
    kind, _, zero = engine.partition(" ")
    if kind == "deepspeed":
        pytest.importorskip("deepspeed")  # here, so that the forked processes have it loaded
    return Lives(kind, int(zero or 0), **how)


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[int, float]:
    """The losses of one process."""
    folder = tmp_path_factory.mktemp("alone")
    live(folder)
    return losses_of(folder)


@pytest.mark.parametrize("engine", ENGINES)
def test_two_processes_have_the_losses_of_one_resume_and_hand_over_to_one(tmp_path, alone, engine):
    status, said = together(tmp_path, _lives(engine, until=(4, 9)))
    assert status == [0, 0], said
    live(tmp_path)  # one process, plain PyTorch
    assert losses_of(tmp_path) == pytest.approx(alone, abs=1e-5)
    assert len(alone) == 12


def _last_step(folder) -> int:
    last = checkpoints.latest(folder).path
    assert last is not None
    assert all(weight.isfinite().all() for _, weight in checkpoints.weights(last))
    return checkpoints.step_of(last)


@pytest.mark.parametrize("engine", ["plain", "deepspeed 1"])
def test_a_loss_that_is_no_number_in_one_process_stops_both(tmp_path, engine):
    status, said = together(tmp_path, _lives(engine, spoil=Spoil(loss_of=18)))
    assert status == [1, 1]
    assert "step 2: the loss is not finite in samples 18-19, 22-23 (process 1 of 2)" in said
    assert _last_step(tmp_path) == 2


@pytest.mark.parametrize("engine", ["plain", "deepspeed 1", "deepspeed 3"])
def test_a_gradient_that_is_no_number_in_one_process_stops_both(tmp_path, engine):
    status, said = together(tmp_path, _lives(engine, spoil=Spoil(gradient_of=18)))
    assert status == [1, 1], said
    assert "step 2: the gradient is not finite" in said
    assert _last_step(tmp_path) == 2


def test_samples_that_cannot_be_made_in_one_process_stop_both(tmp_path):
    status, said = together(tmp_path, _lives("plain", spoil=Spoil(shard_of=26)))
    assert status == [1, 1]
    assert said.count("NoSamples: step 3: no samples: shard 3 is cut short") == 2
    assert _last_step(tmp_path) == 3


def test_a_process_that_vanishes_ends_the_others_in_seconds(tmp_path):
    began = time.monotonic()
    status, said = together(tmp_path, _lives("plain", spoil=Spoil(life_of=26)))
    assert status == [1, -9] and time.monotonic() - began < 50
    assert "Connection closed by peer" in said or "Connection reset" in said
    assert _last_step(tmp_path) == 3
