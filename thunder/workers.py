"""Work shared out to processes: answers in the order of the tasks, and a death costs one task."""

import gc
import os
import select
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what reads pipes needs no processes
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

Work = Callable[[Sequence[Any]], Iterable[Any]]
"""Yields an answer for each of some tasks, in their order."""

_BATCH_TASKS = 16
_BATCH_COST = 50_000  # tasks are sent a few at a time, big ones alone
_ENDS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_AHEAD = 64  # tasks per process that may wait for an earlier one's answer
_AHEAD_COST = 20 * _BATCH_COST  # and what they may cost together


@dataclass(frozen=True, slots=True)
class Waiting:
    """Stands among tasks where the next has not come in yet: what came before is done first.

    *descriptor* can be read when more has come.
    """

    descriptor: int

    def end(self) -> None:
        """Return when more has come."""
        has_come(self.descriptor)


def has_come(descriptor: int, *, within: float | None = None) -> bool:
    """Return whether *descriptor* can be read, at the latest after *within* seconds (None: ever).

    The end of what comes can be read, too. Where nobody can say (Windows), it is waited for.
    """
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if within is None else within * 1000))


class Died(Exception):
    """The process that worked on a task ended without an answer; the text says how."""


@dataclass
class Slot:
    """A task, what of it is sent to be done (None: nothing), its cost, its answer when done."""

    task: Any
    sent: Any
    done: bool
    cost: int = 0
    answer: Any = None


@dataclass
class _Worker:
    """A process, the pipe to it, and the slots it has not answered yet, in order."""

    process: "SpawnProcess"
    pipe: "Connection"
    open: deque[Slot] = field(default_factory=deque)


def in_order(
    tasks: Iterable[Any],
    work: Work,
    *,
    workers: int,
    sent: Callable[[Any], Any],
    cost: Callable[[Any], int],
) -> Iterator[tuple[Any, Any]]:
    """Yield each task with its answer, what *work* says of ``sent(task)``, in the tasks' order.

    A task of which nothing is sent (None) passes with the answer None. *work* runs in *workers*
    processes: it is importable by name and does not raise. What a process that dies had still to
    do goes to others, a task at a time; one that a process died of alone has a Died for an
    answer. Tasks are taken as they are needed, so memory is bounded; *cost* is what one weighs.
    A Waiting among them is no reason to hold answers back. The processes end with the generator.
    """
    pool = _Pool(work, workers)
    try:
        yield from pool.run(batches(tasks, sent=sent, cost=cost))
    finally:
        pool.close()


def batches(
    tasks: Iterable[Any],
    *,
    sent: Callable[[Any], Any],
    cost: Callable[[Any], int],
    most: int = _BATCH_TASKS,
    budget: int = _BATCH_COST,
) -> Iterator[list[Slot]]:
    """Yield *tasks* some at a time: *most* of them, or fewer that together cost *budget*.

    A Waiting ends those before it, and is the last of them.
    """
    batch: list[Slot] = []
    total = 0
    for task in tasks:
        payload, its = sent(task), cost(task)
        batch.append(Slot(task, payload, payload is None, its))
        total += its
        if len(batch) == most or total >= budget or isinstance(task, Waiting):
            yield batch
            batch, total = [], 0
    yield batch


def waiting_at_end(batch: Sequence[Slot]) -> Waiting | None:
    """Return the Waiting that *batch* ends with, if it does."""
    last = batch[-1].task if batch else None
    return last if isinstance(last, Waiting) else None


class _Pool:
    def __init__(self, work: Work, most: int) -> None:
        import multiprocessing

        self._work, self._most = work, most
        self._context = multiprocessing.get_context("spawn")  # a fork would copy held locks
        self._workers: list[_Worker] = []
        self._again: deque[Slot] = deque()
        self._awaited: Waiting | None = None
        self._ahead = 0  # what the tasks cost that were taken and not given back

    def run(self, batches: Iterator[list[Slot]]) -> Iterator[tuple[Any, Any]]:
        waiting: deque[Slot] = deque()
        more = True
        while more or waiting:
            more = self._hand_out(batches, waiting) and more
            while waiting and waiting[0].done:
                slot = waiting.popleft()
                self._ahead -= slot.cost
                yield slot.task, slot.answer
            if waiting or self._awaited:
                self._take_in()

    def _hand_out(self, batches: Iterator[list[Slot]], waiting: deque[Slot]) -> bool:
        """Give every idle process something to do; return whether there may be more tasks."""
        while len(busy := [w for w in self._workers if w.open]) < self._most:
            if self._again:
                todo = [self._again.popleft()]
            elif self._awaited or self._is_far_ahead(len(waiting)):
                return True
            else:
                batch = next(batches, None)
                if batch is None:
                    return False
                waiting.extend(batch)
                self._ahead += sum(slot.cost for slot in batch)
                self._awaited = waiting_at_end(batch)
                todo = [slot for slot in batch if not slot.done]
            if todo:
                self._send(self._idle(len(busy)), todo)
        return True

    def _is_far_ahead(self, waiting: int) -> bool:
        return waiting >= self._most * _AHEAD or self._ahead >= self._most * _AHEAD_COST

    def _idle(self, busy: int) -> _Worker:
        if len(self._workers) == busy:
            ours, theirs = self._context.Pipe()
            given = (theirs, self._work, gc.get_threshold())
            process = self._context.Process(target=_serve, args=given, daemon=True)
            with _interrupts_held():
                process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))
        return next(worker for worker in self._workers if not worker.open)

    def _send(self, worker: _Worker, todo: list[Slot]) -> None:
        worker.open.extend(todo)
        try:
            worker.pipe.send([slot.sent for slot in todo])
        except OSError:
            self._bury(worker)

    def _take_in(self) -> None:
        """Wait for a process to answer or to end, and note what it says; or for more tasks."""
        from multiprocessing.connection import wait

        by_pipe = {worker.pipe: worker for worker in self._workers if worker.open}
        more = [self._awaited.descriptor] if self._awaited else []
        for ready in wait([*by_pipe, *more]):
            if ready in more:
                self._awaited = None
                continue
            worker = by_pipe[ready]  # type: ignore[index]
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            slot = worker.open.popleft()
            slot.answer, slot.done = answer, True

    def _bury(self, worker: _Worker) -> None:
        """Send what *worker* left undone to others; what it died of alone has that for an answer.

        Of several, worked on together, nobody knows which was too much.
        """
        self._workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        if len(worker.open) == 1:
            slot = worker.open.popleft()
            slot.answer, slot.done = Died(_end_of(worker.process)), True
        self._again.extend(worker.open)

    def close(self) -> None:
        for worker in self._workers:
            worker.pipe.close()
            if worker.open:
                worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.process.close()


def _serve(pipe: "Connection", work: Work, garbage: tuple[int, int, int]) -> None:
    """Answer tasks until the pipe is closed at the other end; *garbage* is looked for as there."""
    gc.set_threshold(*garbage)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    with suppress(EOFError, OSError):
        while True:
            for answer in work(pipe.recv()):
                pipe.send(answer)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start processes inside: each is started whole, and never sees Ctrl-C.

    The interruption of a half-started one would show as its traceback. What comes meanwhile is
    handled afterwards; other threads may take a signal that this one blocks, so that the handlers
    wait, too. The tracker of multiprocessing unblocks Ctrl-C as it starts: it is started before.
    """
    if os.name == "posix":  # others have no such tracker
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()
    came: list[int] = []
    with _handlers(lambda number, frame: came.append(number)), _blocked(signal.SIGINT):
        yield
    for number in came[:1]:
        signal.raise_signal(number)


@contextmanager
def _blocked(number: signal.Signals) -> Iterator[None]:
    """Let a signal wait while the block lasts, where signals can (not on Windows)."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


@contextmanager
def _handlers(handle: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let *handle* take the signals to end that have a handler, while the block lasts."""
    before = {}
    if threading.current_thread() is threading.main_thread():  # no other may set handlers
        before = {number: signal.getsignal(number) for number in _ENDS}
        before = {number: handler for number, handler in before.items() if callable(handler)}
    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_of(process: "SpawnProcess") -> str:
    code = process.exitcode or 0
    return signal.Signals(-code).name if code < 0 else f"exit {code}"
