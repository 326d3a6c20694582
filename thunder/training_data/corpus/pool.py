"""Worker processes for a corpus: bounded memory, and a death is an error, never a wait."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class WorkerDied(RuntimeError):
    """A worker process ended without an answer, most often killed for memory."""


class _Here(Executor):
    """Work done at once, in this process: what one worker is."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def pool(
    workers: int, begin: Callable[..., None], arguments: tuple[Any, ...]
) -> Iterator[Executor]:
    """Yield what does work in *workers* processes, each begun with ``begin(*arguments)``.

    They end with the block, and with this process, however it ends. WorkerDied where one of them
    is killed. One worker is this process.
    """
    if workers == 1:
        begin(*arguments)
        yield _Here()
        return
    executor = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),  # a fork would copy held locks
        initializer=_begin,
        initargs=(begin, arguments),
    )
    try:
        yield executor
    except BrokenProcessPool:
        raise WorkerDied(
            "a worker process died, probably for want of memory: use fewer workers or a smaller "
            "piece_mb. What was finished stays: the same command goes on"
        ) from None
    finally:
        executor.shutdown(cancel_futures=True)


def _begin(begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def done_as_they_come(
    executor: Executor,
    work: Callable[[Task], Answer],
    tasks: Iterable[Task],
    window: int,
) -> Iterator[Answer]:
    """Yield the answers as they come; so many tasks are taken ahead, no more."""
    remaining = iter(tasks)
    open_: set[Future[Answer]] = set()
    more = True
    while more or open_:
        while more and len(open_) < window:
            try:
                open_.add(executor.submit(work, next(remaining)))
            except StopIteration:
                more = False
        if open_:
            done, open_ = wait(open_, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
