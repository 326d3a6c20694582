"""Samples to micro-batches, ready before they are asked for; a pure function of their numbers."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from functools import cache, partial
from multiprocessing.synchronize import Event
from multiprocessing.util import Finalize
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset

from thunder.training.loop import Micro
from thunder.training.processes import Processes
from thunder.training.settings import Loading, Phase

NOT_ASKED = -100
"""The label of what no loss is asked of: torch's ``ignore_index``."""

Assemble = Callable[[range], Micro]
"""From samples' numbers to a micro-batch; the same numbers give the same, in any process."""


def shares(phase: Phase, *, rank: int, processes: int, start: int = 0) -> Iterator[range]:
    """Yield the samples of each micro-batch of process *rank*, from step *start* to the end.

    Step s takes samples s*G to (s+1)*G - 1 of a global batch G, whatever the number of
    processes: micro-batch m of a step goes to process m mod *processes*, whole.
    """
    phase.accumulation(processes)  # refuses what cannot be shared evenly
    for step in range(start, phase.number_of_steps):
        first = step * phase.global_batch
        for micro in range(rank, phase.global_batch // phase.micro_batch, processes):
            begin = first + micro * phase.micro_batch
            yield range(begin, begin + phase.micro_batch)


def evaluation(
    assemble: Assemble, *, number: int, micro_batch: int, processes: Processes
) -> Iterator[Micro]:
    """Yield this process's share of the first *number* samples, to measure on.

    All processes are given as many micro-batches, as ZeRO 3 needs; one too many asks nothing.
    """
    firsts = range(0, number, micro_batch)
    for turn in range(0, len(firsts), processes.size):
        place = turn + processes.rank
        first = firsts[min(place, len(firsts) - 1)]
        micro = assemble(range(first, min(first + micro_batch, number)))
        yield micro if place < len(firsts) else _unasked(micro)


def _unasked(micro: Micro) -> Micro:
    labels = torch.full_like(micro.inputs["labels"], NOT_ASKED)
    return Micro(micro.numbers, {**micro.inputs, "labels": labels}, tokens=0, labelled=0)


def ahead(
    assemble: Assemble, numbers: Iterator[range] | list[range], *, loading: Loading, pin: bool
) -> Iterator[Micro]:
    """Yield the micro-batch of each of *numbers*, in order, made by workers ahead of time.

    A worker that dies or gives nothing in time raises RuntimeError here, which names it. *pin*
    keeps them in memory that a GPU reads directly.
    """
    loader: DataLoader[Micro] = DataLoader(
        _Assembled(assemble),
        sampler=_Numbers(numbers),
        batch_size=None,
        collate_fn=_as_it_is,
        num_workers=loading.workers,
        prefetch_factor=loading.ahead if loading.workers else None,
        timeout=loading.timeout if loading.workers else 0,
        pin_memory=pin,
        worker_init_fn=partial(_stay, _ending()) if loading.workers else None,
    )
    yield from loader


class _Assembled(Dataset[Micro]):
    def __init__(self, assemble: Assemble) -> None:
        self._assemble = assemble

    def __getitem__(self, numbers: Any) -> Micro:
        return self._assemble(numbers)


class _Numbers:
    """A sampler over what may be an iterator; it is gone through once."""

    def __init__(self, numbers: Iterator[range] | list[range]) -> None:
        self._numbers = numbers

    def __iter__(self) -> Iterator[range]:
        return iter(self._numbers)


def _as_it_is(micro: Any) -> Any:
    return micro


@cache
def _ending() -> Event:
    """An event of all processes: this one is on its way out, and will wait for its workers."""
    event = multiprocessing.Event()
    Finalize(None, event.set, exitpriority=0)  # before the workers are ended and waited for
    return event


def _stay(ending: Event, _worker: int) -> None:
    """A cluster signals every process of a job; the workers live until the state is saved.

    One that never heard SIGTERM would keep a run that failed from ending: an exiting process
    sends it to its workers and waits for them.
    """
    for number in (signal.SIGUSR1, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0) if ending.is_set() else None)
