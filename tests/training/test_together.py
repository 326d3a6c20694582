"""Several processes as one: the same losses, one answer to trouble, nothing that hangs. Slow."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thunder.training import checkpoints
from thunder.training.processes import free_port

from .toy import live, losses_of

ROOT = Path(__file__).resolve().parents[2]
TOY = Path(__file__).with_name("toy.py")

pytestmark = pytest.mark.slow


def started(folder: Path, *options: str, processes: int = 2) -> subprocess.Popen[str]:
    """Start the toy in *processes*; the launcher, or the toy itself where there is one."""
    command = [sys.executable, str(TOY), str(folder), *options]
    if processes > 1:
        launcher = [sys.executable, "-m", "torch.distributed.run"]
        ways = ["--nproc_per_node", str(processes), "--master_port", str(free_port())]
        command = [*launcher, *ways, *command[1:]]
    folder.mkdir(exist_ok=True)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def ran(folder: Path, *options: str, processes: int = 2) -> tuple[int, str]:
    """Run the toy to its end; return the exit status and what it said."""
    running = started(folder, *options, processes=processes)
    try:
        said, _ = running.communicate(timeout=60)
    finally:
        running.kill()
    return running.returncode, said


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[int, float]:
    """The losses of one process."""
    folder = tmp_path_factory.mktemp("alone")
    live(folder)
    return losses_of(folder)


@pytest.mark.parametrize("engine", ["plain", *(f"deepspeed {zero}" for zero in range(4))])
def test_two_processes_have_the_losses_of_one_resume_and_hand_over_to_one(tmp_path, alone, engine):
    kind, _, zero = engine.partition(" ")
    pytest.importorskip("deepspeed" if zero else "torch")
    status, said = ran(tmp_path, "--kind", kind, "--zero", zero or "0", "--until", "4", "9")
    assert status == 0, said
    live(tmp_path)  # one process, plain PyTorch
    assert losses_of(tmp_path) == pytest.approx(alone, abs=1e-5)
    assert len(alone) == 12


@pytest.mark.parametrize("options", [(), ("--kind", "deepspeed", "--zero", "1")])
def test_a_loss_that_is_no_number_in_one_process_stops_both(tmp_path, options):
    if options:
        pytest.importorskip("deepspeed")
    status, said = ran(tmp_path, *options, "--nan-in", "18")
    assert status != 0
    assert "step 2: the loss is not finite in samples 18-19, 22-23 (process 1 of 2)" in said
    last = checkpoints.latest(tmp_path).path
    assert last is not None and checkpoints.step_of(last) == 2
    weights = dict(checkpoints.weights(last))
    assert all(weight.isfinite().all() for weight in weights.values())


def test_a_process_that_vanishes_ends_the_others_in_seconds(tmp_path):
    began = time.monotonic()
    status, said = ran(tmp_path, "--die-in", "26")
    assert status != 0 and time.monotonic() - began < 50
    assert "SIGKILL" in said or "Connection closed by peer" in said
    last = checkpoints.latest(tmp_path).path
    assert last is not None and checkpoints.step_of(last) == 3
