"""A toy language model, its samples, and a run of it: what the tests of training train."""

import json
import multiprocessing
import os
import signal
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from thunder.training import checkpoints
from thunder.training.batches import ahead, shares
from thunder.training.loop import Micro, Plan, train
from thunder.training.plain import PlainEngine
from thunder.training.processes import Processes, free_port, joined, leave
from thunder.training.schedule import learning_rate
from thunder.training.settings import EngineSettings, Loading, Optimizer, Phase

WORDS, LENGTH = 31, 8


class Spoil(NamedTuple):
    """The samples at which something goes wrong; -1: none."""

    loss_of: int = -1
    gradient_of: int = -1
    shard_of: int = -1
    life_of: int = -1


class Lives(NamedTuple):
    """With which engine the toy is trained, and after which steps it begins anew."""

    kind: str = "plain"
    zero: int = 0
    until: tuple[int, ...] = (10**9,)
    spoil: Spoil = Spoil()


class Place(NamedTuple):
    """How many processes meet, and at which port."""

    processes: int
    port: int


class Out(NamedTuple):
    loss_sum: Tensor
    count: Tensor
    correct: Tensor


class Toy(nn.Module):
    """Says which word follows, from the word itself and its place; with dropout."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(5)
        self.words = nn.Embedding(WORDS, 13)
        self.dropout = nn.Dropout(0.1)
        self.dense = nn.Linear(13, 17)
        self.norm = nn.LayerNorm(17)
        self.out = nn.Linear(17, WORDS)

    def forward(self, input_ids: Tensor, labels: Tensor) -> Out:
        hidden = self.norm(torch.relu(self.dense(self.dropout(self.words(input_ids)))))
        scores = self.out(hidden).flatten(0, 1).float()
        asked = labels.flatten() != -100
        loss = nn.functional.cross_entropy(scores[asked], labels.flatten()[asked], reduction="sum")
        right = (scores.argmax(-1) == labels.flatten()) & asked
        return Out(loss, asked.sum(), right.sum())


def assemble(numbers: range) -> Micro:
    """Return rows that count upwards; the number of labels differs from row to row."""
    rows = []
    for number in numbers:
        chance = torch.Generator().manual_seed(number)
        first = torch.randint(WORDS, (1,), generator=chance)
        rows.append((first + torch.arange(LENGTH + 1) * (1 + number % 2)) % WORDS)
    ids = torch.stack(rows)
    labels = ids[:, 1:].clone()
    for place, number in enumerate(numbers):
        labels[place, : number % 5] = -100
    inputs = {"input_ids": ids[:, :-1], "labels": labels}
    return Micro(tuple(numbers), inputs, ids[:, :-1].numel(), int((labels != -100).sum()))


PHASE = Phase(length=LENGTH, global_batch=8, micro_batch=2, peak=0.02, steps=12)
ALONE = Processes()


def engine(
    processes: Processes = ALONE,
    *,
    kind: str = "plain",
    zero: int = 0,
    precision: str = "fp32",
    kept: Any = None,
) -> Any:
    settings = EngineSettings(kind=kind, zero=zero, precision=precision)
    common = {"optimizer": Optimizer(), "settings": settings, "processes": processes, "kept": kept}
    if kind == "plain":
        return PlainEngine(Toy(), **common)
    from thunder.training.zero import DeepSpeedEngine

    accumulation = PHASE.accumulation(processes.size)
    return DeepSpeedEngine(Toy(), micro_batch=2, accumulation=accumulation, **common)


def steps(
    running: Any,
    *,
    start: int = 0,
    make: Any = assemble,
    asked: Any = lambda: False,
    phase: Phase = PHASE,
) -> Any:
    """Yield the steps of the toy's run with an engine."""
    processes = running.processes
    numbers = shares(phase, rank=processes.rank, processes=processes.size, start=start)
    micros = ahead(make, numbers, loading=Loading(workers=0), pin=False)
    plan = Plan(
        steps=phase.number_of_steps,
        accumulation=phase.accumulation(processes.size),
        rate=lambda step: learning_rate(step, steps=phase.number_of_steps, peak=phase.peak),
        seed=3,
    )
    return train(running, micros, plan=plan, start=start, asked=asked)


def save(running: Any, folder: Path, done: int) -> Path:
    state = {"step": done, "updates": running.updates, "loss_scale": running.loss_scale}
    return checkpoints.save(
        folder, running.tensors(), state, step=done, processes=running.processes
    )


def losses_of(folder: Path) -> dict[int, float]:
    """Return the losses that runs in *folder* wrote; a step made twice must have one loss."""
    losses: dict[int, float] = {}
    for line in (folder / "losses.jsonl").read_text().splitlines():
        record = json.loads(line)
        assert losses.setdefault(record["step"], record["loss"]) == record["loss"], record
    return losses


def live(
    folder: Path,
    *,
    processes: Processes = ALONE,
    make: Any = None,
    until: int = 10**9,
    phase: Phase = PHASE,
    engine_of: Any = engine,
) -> None:
    """Train from the last checkpoint in *folder* on, writing every loss and saving every step."""
    found = checkpoints.latest(folder)
    start = checkpoints.step_of(found.path) if found.path else 0
    running = engine_of(processes, kept=checkpoints.kept(found.path) if found.path else None)
    made = make(running) if make else assemble
    for step in steps(running, start=start, make=made, phase=phase):
        if processes.first:
            record = {"step": step.number, "loss": step.loss}
            with (folder / "losses.jsonl").open("a") as log:
                log.write(json.dumps(record) + "\n")
        save(running, folder, step.number + 1)
        if processes.first:
            checkpoints.prune(folder, done=step.number + 1, keep_last=2, keep_every=0)
        if step.number + 1 >= until:
            break
    running.close()


def _spoilt(running: Any, spoil: Spoil) -> Any:
    """Return what makes samples and, at some of them, trouble."""

    def made(numbers: range) -> Micro:
        if spoil.loss_of in numbers:
            running.model.out.bias.data.fill_(float("nan"))
        if spoil.gradient_of in numbers:
            running.model.norm.weight.register_hook(lambda gradient: gradient * float("inf"))
        if spoil.shard_of in numbers:
            raise ValueError("shard 3 is cut short")
        if spoil.life_of in numbers:
            os.kill(os.getpid(), signal.SIGKILL)
        return assemble(numbers)

    return made


def _member(folder: Path, rank: int, place: Place, lives: Lives) -> None:
    """Be one of several processes, as a launcher would start them; its words go to a file."""
    sys.stdout = sys.stderr = (folder / f"said-{rank}").open("w")
    warnings.simplefilter("ignore")  # pytest makes errors of them, also of a library's own
    os.environ.update(
        RANK=str(rank), WORLD_SIZE=str(place.processes), LOCAL_RANK=str(rank),
        MASTER_ADDR="127.0.0.1", MASTER_PORT=str(place.port),
    )  # fmt: skip
    try:
        with joined(timeout=60, device="cpu") as processes:
            for until in lives.until:  # each with a new engine, from the last checkpoint on
                live(
                    folder,
                    processes=processes,
                    make=partial(_spoilt, spoil=lives.spoil),
                    until=until,
                    engine_of=partial(engine, kind=lives.kind, zero=lives.zero),
                )
    except Exception as error:
        print(f"{type(error).__name__}: {error}", flush=True)
        leave(1)
    leave(0)


def together(folder: Path, lives: Lives, *, processes: int = 2) -> tuple[list[int], str]:
    """Train the toy in several processes; return how each ended, and what all of them said.

    They are forked: a fresh interpreter would load torch, and DeepSpeed, each time.
    """
    place = Place(processes, free_port())
    fork = multiprocessing.get_context("fork")
    members = [
        fork.Process(target=_member, args=(folder, rank, place, lives)) for rank in range(processes)
    ]
    for member in members:
        member.start()
    for member in members:
        member.join(120)
        member.kill()  # one that hangs fails the test by its status
        member.join()
    said = "".join((folder / f"said-{rank}").read_text() for rank in range(processes))
    return [int(member.exitcode or 0) for member in members], said
