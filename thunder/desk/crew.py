"""Worker processes that de-identify: so many at once, and no more waiting than the crew can bear.

A document that fails fails alone, also where it kills its process; what is said of a failure holds
none of its words.
"""

import signal
import threading
from collections.abc import Mapping
from concurrent.futures import (
    Executor,
    Future,
    InvalidStateError,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import get_context

from thunder.masking.checks import is_hard
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.records import Deidentified, Document
from thunder.tagger.chosen_tagger import DEFAULT
from thunder.text.safe_errors import describe

MOST_WAITING = 4_000_000
"""Characters that may wait or be at work at once."""


class Busy(Exception):
    """More is waiting than the crew can bear: come again later."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a document was not de-identified, without its words."""

    reason: str


@dataclass(frozen=True, slots=True)
class Task:
    """A document and how it is to be de-identified."""

    document: Document = field(repr=False)
    profile: str
    model: str


Answer = Deidentified | Failed


class Crew:
    """Worker processes, started when they are needed; *workers* 0 works in a thread of this one.

    ``close`` ends them.
    """

    def __init__(
        self, workers: int = 1, *, model: str = DEFAULT, most_waiting: int = MOST_WAITING
    ) -> None:
        self._workers, self._model, self._most = workers, model, most_waiting
        self._lock = threading.Lock()
        self._alone = threading.Lock()
        self._waiting = 0
        self._executor: Executor | None = None
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """Characters that wait or are at work."""
        return self._waiting

    @property
    def can_take_more(self) -> bool:
        """Whether a document of common length would be taken."""
        return self._waiting < self._most

    def submit(self, document: Document, *, profile: str = "court") -> "Future[Answer]":
        """Return the future result of *document*; Busy where too much waits already.

        What is longer than the crew can bear is taken when nothing else waits.
        """
        length = len(document.text)
        with self._lock:
            if self._is_closed:
                raise Busy
            if self._waiting and self._waiting + length > self._most:
                raise Busy
            self._waiting += length
        answer: Future[Answer] = Future()
        self._begin(Task(document, profile, self._model), answer)
        return answer

    def _settle(self, task: Task, answer: "Future[Answer]", result: Answer) -> None:
        with self._lock:
            self._waiting -= len(task.document.text)
        with suppress(InvalidStateError):  # who asked has gone
            answer.set_result(result)

    def _begin(self, task: Task, answer: "Future[Answer]") -> None:
        def end(done: "Future[Answer]") -> None:
            try:
                self._settle(task, answer, done.result())
            except BrokenProcessPool:
                self._replace(executor)
                threading.Thread(target=self._again, args=(task, answer), daemon=True).start()
            except BaseException as error:
                self._settle(task, answer, Failed(describe_any(error, task.document.text)))

        executor = self._running()
        try:
            executor.submit(work, task).add_done_callback(end)
        except BrokenProcessPool:
            self._replace(executor)
            self._running().submit(work, task).add_done_callback(end)

    def _running(self) -> Executor:
        with self._lock:
            if self._executor is None:
                self._executor = _executor(self._workers)
            return self._executor

    def _replace(self, broken: Executor) -> None:
        with self._lock:
            if self._executor is broken:
                self._executor = None
        broken.shutdown(wait=False)

    def _again(self, task: Task, answer: "Future[Answer]") -> None:
        """Try alone what was at work when a process died: nobody knows what it died of."""
        result: Answer
        with self._alone, _executor(1) as executor:
            try:
                result = executor.submit(work, task).result()
            except BrokenProcessPool:
                result = Failed("the process that worked on it died")
            except BaseException as error:
                result = Failed(describe_any(error, task.document.text))
        self._settle(task, answer, result)

    def close(self) -> None:
        """End the processes; what still waits fails."""
        with self._lock:
            self._is_closed = True
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True, cancel_futures=True)


def describe_any(error: BaseException, text: str) -> str:
    """Return what may be said of *error*, met while *text* was at work."""
    if isinstance(error, Exception):
        return describe(error, text=text)
    return type(error).__name__


def work(task: Task) -> Answer:
    """Return *task* done, or why it failed."""
    try:
        return deidentifier(task.profile, task.model).deidentify(task.document)
    except Exception as error:
        return Failed(describe(error, text=task.document.text))


@lru_cache
def deidentifier(profile: str, model: str) -> Deidentifier:
    """Return the de-identifier of this process, with the hard checks."""
    return Deidentifier(profile=profile, model=model, checks=True, threads=1)


def _executor(workers: int) -> Executor:
    if not workers:
        return ThreadPoolExecutor(1, thread_name_prefix="deidentify")
    context = get_context("spawn")  # a fork would copy held locks
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_ignore_interrupts)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle


def entry(id: str, answer: Answer) -> Mapping[str, object]:
    """Return *answer* as an API says it: no word of the original."""
    if isinstance(answer, Failed):
        return {"id": id, "error": answer.reason}
    return {
        "id": id,
        "text": answer.text,
        "entities": answer.entities,
        "doubts": [
            {
                "start": one.start,
                "end": one.end,
                "kind": one.kind,
                "message": one.message,
                "score": one.score,
                "blocks_release": is_hard(one),
            }
            for one in answer.doubts
        ],
    }
