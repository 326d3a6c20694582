"""Worker processes for a corpus: bounded memory, and a death is an error, never a wait."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

_AGAIN = 3  # times a task is given out again whose process or node was lost

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


@contextmanager
def ray_pool(
    address: str, begin: Callable[..., None], arguments: tuple[Any, ...]
) -> Iterator[Executor]:
    """Yield what does work on the Ray cluster at *address*; a process begins once.

    A task whose node or process is lost is given out again, thrice; then WorkerDied. All nodes have
    this package and see the same paths. Nothing is told to Ray's makers. ModuleNotFoundError
    without the extra ``ray``; ValueError where there is no cluster.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ValueError(
            f"{address}: no Ray cluster answers ({type(error).__name__}): start one by "
            "ray start --head --disable-usage-stats"
        ) from None
    try:
        yield _OnRay(ray, begin, arguments)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        raise cause if isinstance(cause, OSError | ValueError | LookupError) else error from None
    except ray.exceptions.RayError as error:
        raise WorkerDied(
            f"a task was lost on Ray ({type(error).__name__}). What was finished stays: the same "
            "command goes on"
        ) from None
    finally:
        ray.shutdown()


class _OnRay(Executor):
    """Work done by a Ray cluster, a task each."""

    def __init__(self, ray: Any, begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self._remote = ray.remote(num_cpus=1, max_retries=_AGAIN)(_begun_and_done)
        self._begin, self._arguments = begin, ray.put(arguments)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        reference = self._remote.remote(self._begin, self._arguments, fn, args, kwargs)
        future: Future[Any] = reference.future()
        return future


_begun_with: list[tuple[Any, ...]] = []  # of this process of Ray's: what it began with


def _begun_and_done(
    begin: Callable[..., None],
    arguments: tuple[Any, ...],
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Return what *fn* says, in a process of Ray's that began for it."""
    if _begun_with != [arguments]:
        os.environ["OMP_NUM_THREADS"] = "1"
        begin(*arguments)
        _begun_with[:] = [arguments]
    return fn(*args, **kwargs)


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
