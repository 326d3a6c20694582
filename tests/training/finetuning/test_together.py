"""Several processes fine-tune as one, sharded by ZeRO too, stop on a signal and go on. Slow."""

import multiprocessing
import os
import signal
import sys
import warnings
from pathlib import Path

import pytest

from thunder.training import checkpoints, journal
from thunder.training.finetuning import run
from thunder.training.finetuning.settings import Finetuning
from thunder.training.processes import free_port, leave
from thunder.training.signals import EXIT_AGAIN

from .conftest import smoke

pytestmark = pytest.mark.slow

# The head begins at chance, so that the first figures are far from 0, and then it learns.
_CHANGES = (
    "schedule.epochs=2",
    "schedule.batch=4",
    "schedule.micro_batch=2",
    "schedule.peak=2e-3",
    "checkpoints.every=4",
    "log_every=1",
)


def _member(settings: Finetuning, rank: int, port: int, said: Path, stop_at: int) -> None:
    """Be one of two processes, as torchrun starts them; the first is asked to stop at a step."""
    sys.stdout = sys.stderr = (said / f"said-{rank}").open("w")
    warnings.simplefilter("ignore")  # pytest makes errors of them, also of a library's own
    os.environ.update(
        RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK=str(rank),
        MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port),
    )  # fmt: skip

    def say(line: str) -> None:
        print(line, flush=True)
        if line.startswith(f"step {stop_at}/"):
            os.kill(os.getpid(), signal.SIGTERM)

    try:
        leave(EXIT_AGAIN if run(settings, say=say, device="cpu").asked else 0)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", flush=True)
        leave(1)


def _together(settings: Finetuning, said: Path, *, stop_at: int = -1) -> list[int | None]:
    """Fine-tune in two processes; they are forked, as fresh ones would load torch each time."""
    port, fork = free_port(), multiprocessing.get_context("fork")
    members = [
        fork.Process(target=_member, args=(settings, rank, port, said, stop_at))
        for rank in range(2)
    ]
    for member in members:
        member.start()
    for member in members:
        member.join(120)
        member.kill()  # one that hangs fails the test by its status
        member.join()
    return [member.exitcode for member in members]


def _records(folder: Path, kind: str) -> list[dict[str, float]]:
    keys = ("step", "loss", "f1", "precision", "recall", "label_f1")
    found = [one for one in journal.read(folder / "log.jsonl") if one["kind"] == kind]
    return [{key: one[key] for key in keys if key in one} for one in found]


@pytest.mark.parametrize("engine", ["plain", "deepspeed 0", "deepspeed 3"])
def test_two_processes_have_the_figures_of_one_and_go_on_after_a_signal(engine, alone, tmp_path):
    kind, _, zero = engine.partition(" ")
    if kind == "deepspeed":
        pytest.importorskip("deepspeed")  # here, so that the forked processes have it loaded
    own = (*_CHANGES, f"engine.kind={kind}", f"engine.zero={zero or 0}")
    settings = smoke(alone.dataset, tmp_path / "run", *own)
    status = _together(settings, tmp_path, stop_at=7)
    said = "".join((tmp_path / f"said-{rank}").read_text() for rank in range(2))
    assert status == [EXIT_AGAIN, EXIT_AGAIN], said
    assert _together(settings, tmp_path) == [0, 0]
    for name in ("train", "development"):
        for one, other in zip(_records(tmp_path / "run", name), alone.records[name], strict=True):
            assert one == pytest.approx(other, abs=1e-4)
    best = checkpoints.latest(tmp_path / "run" / "best").path
    assert best is not None and best.name == alone.best.name
    sums = dict(checkpoints.weights(alone.best))
    for name, weight in checkpoints.weights(best):
        assert weight.numpy() == pytest.approx(sums[name].numpy(), abs=1e-4)


class Alone:
    """What one plain process makes of the same run, unbroken."""

    def __init__(self, dataset: Path, folder: Path) -> None:
        self.dataset = dataset
        result = run(smoke(dataset, folder, *_CHANGES), say=lambda line: None, device="cpu")
        assert result.best is not None
        self.best = result.best
        self.records = {name: _records(folder, name) for name in ("train", "development")}
        assert self.records["development"][0]["f1"] > 0.05
        assert len(self.records["train"]) == 10


@pytest.fixture(scope="module")
def alone(dataset, tmp_path_factory) -> Alone:
    return Alone(dataset, tmp_path_factory.mktemp("alone"))
