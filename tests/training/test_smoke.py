"""The smoke configuration for real: two processes, both phases, a signal, resume, export. Slow."""

import multiprocessing
import os
import runpy
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from thunder.settings.config import load
from thunder.training import checkpoints, journal
from thunder.training.pretraining import Pretraining, export
from thunder.training.processes import free_port
from thunder.training.signals import EXIT_AGAIN

from .invented import corpus

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "pretrain" / "configs" / "smoke.toml"
TRAIN = ROOT / "pretrain" / "train.py"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CONFIG.is_file(), reason="needs a checkout"),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    return corpus(tmp_path_factory.mktemp("corpus"))


def _arguments(prepared: Path, run: Path) -> list[str]:
    places = (f"corpus.folder={prepared}", f"checkpoints.folder={run}")
    return [str(TRAIN), str(CONFIG), *(part for one in places for part in ("--set", one))]


def _by_torchrun(prepared: Path, run: Path) -> str:
    """Train in two processes of torch's launcher; return what was said."""
    ways = ["--nproc_per_node", "2", "--master_port", str(free_port())]
    command = [sys.executable, "-m", "torch.distributed.run", *ways, *_arguments(prepared, run)]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=env, text=True, capture_output=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _task(rank: int, port: int, arguments: list[str], said: Path) -> None:
    """Be ``pretrain/train.py`` as srun starts it: nothing but Slurm's variables says who it is."""
    sys.stdout = sys.stderr = said.open("w")
    warnings.simplefilter("default")
    os.environ.update(SLURM_PROCID=str(rank), SLURM_NTASKS="2", SLURM_LOCALID=str(rank))
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    sys.argv = arguments
    runpy.run_path(arguments[0], run_name="__main__")


def _as_by_srun(prepared: Path, run: Path, said: Path) -> list["multiprocessing.Process"]:
    """Start two tasks, forked: two fresh interpreters would spend ten seconds on imports."""
    port, fork = free_port(), multiprocessing.get_context("fork")
    said.mkdir()
    tasks = [
        fork.Process(target=_task, args=(rank, port, _arguments(prepared, run), said / str(rank)))
        for rank in range(2)
    ]
    for task in tasks:
        task.start()
    return tasks


def _ended(tasks: list["multiprocessing.Process"]) -> list[int | None]:
    for task in tasks:
        task.join(240)
        task.kill()  # one that hangs fails the test by its status
        task.join()
    return [task.exitcode for task in tasks]


def _losses(run: Path) -> list[float]:
    records = journal.read(run / "log.jsonl")
    return [record["loss"] for record in records if record["kind"] == "train"]


def test_the_smoke_run_stops_on_a_signal_and_goes_on_as_if_it_had_not(prepared, tmp_path):
    broken, unbroken = tmp_path / "broken", tmp_path / "unbroken"
    tasks = _as_by_srun(prepared, broken, tmp_path / "first")
    while len(_losses(broken)) < 13 and all(task.is_alive() for task in tasks):
        time.sleep(0.05)
    for task in tasks:
        os.kill(task.pid, signal.SIGUSR1)
    said = "".join(part.read_text() for part in sorted((tmp_path / "first").iterdir()))
    assert _ended(tasks) == [EXIT_AGAIN, EXIT_AGAIN], said
    stopped = checkpoints.latest(broken).path
    assert stopped is not None and 13 <= checkpoints.step_of(stopped) < 30

    shutil.copytree(broken, unbroken)  # as it stood three steps before the signal or more
    shutil.rmtree(unbroken / stopped.name)
    before = checkpoints.latest(unbroken).path
    assert before is not None and checkpoints.step_of(before) == 10

    assert f"going on from {stopped}" in _by_torchrun(prepared, broken)
    assert _ended(_as_by_srun(prepared, unbroken, tmp_path / "second")) == [0, 0]
    losses = _losses(broken)
    assert losses == _losses(unbroken)  # bit for bit
    assert len(losses) == load(CONFIG, Pretraining).steps
    assert sum(losses[-3:]) < 0.7 * sum(losses[:3])
    measured = {record["kind"] for record in journal.read(broken / "log.jsonl")}
    assert measured == {"train", "held-out/ko-cases", "held-out/en-cases"}

    made = export(broken, tmp_path / "exported")
    assert made.step == 36 and made.difference == 0
