"""The smoke configuration for real: two processes, both phases, a signal, resume, export. Slow."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thunder.config import load
from thunder.pretraining import Pretraining, export
from thunder.training import checkpoints, journal
from thunder.training.processes import free_port
from thunder.training.signals import EXIT_AGAIN

from .invented import corpus

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "pretrain" / "configs" / "smoke.toml"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CONFIG.is_file(), reason="needs a checkout"),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    return corpus(tmp_path_factory.mktemp("corpus"))


def _started(prepared: Path, run: Path, *changes: str, processes: int) -> "subprocess.Popen[str]":
    command = [sys.executable]
    if processes > 1:
        ways = ["--nproc_per_node", str(processes), "--master_port", str(free_port())]
        command += ["-m", "torch.distributed.run", *ways]
    command += [str(ROOT / "pretrain" / "train.py"), str(CONFIG)]
    for change in (f"corpus.folder={prepared}", f"checkpoints.folder={run}", *changes):
        command += ["--set", change]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def _ran(prepared: Path, run: Path, *changes: str, processes: int) -> str:
    running = _started(prepared, run, *changes, processes=processes)
    said, _ = running.communicate(timeout=120)
    assert running.returncode == 0, said
    return said


def _losses(run: Path) -> list[float]:
    records = journal.read(run / "log.jsonl")
    return [record["loss"] for record in records if record["kind"] == "train"]


def test_the_smoke_run_stops_on_a_signal_and_goes_on_as_if_it_had_not(prepared, tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    said = _ran(prepared, whole, processes=2)
    losses = _losses(whole)
    assert len(losses) == load(CONFIG, Pretraining).steps
    assert sum(losses[-3:]) < 0.7 * sum(losses[:3]), said
    measured = {record["kind"] for record in journal.read(whole / "log.jsonl")}
    assert measured == {"train", "held-out/ko-cases", "held-out/en-cases"}

    running = _started(prepared, broken, processes=1)
    while len(_losses(broken)) < 13 and running.poll() is None:
        time.sleep(0.05)
    running.send_signal(signal.SIGUSR1)
    said, _ = running.communicate(timeout=60)
    assert running.returncode == EXIT_AGAIN, said
    assert "stopped on SIGUSR1 after step" in said
    stopped = checkpoints.latest(broken).path
    assert stopped is not None and 13 <= checkpoints.step_of(stopped) < 30
    said = _ran(prepared, broken, processes=2)
    assert f"going on from {stopped}" in said
    # One process and then two, against two: sums are rounded in another order, in bf16.
    assert _losses(broken) == pytest.approx(losses, rel=0.01)

    made = export(whole, tmp_path / "exported")
    assert made.step == 36 and made.difference == 0
