"""What came in is de-identified in the background, by the crew; what was not done is done again."""

import logging
import threading
from concurrent.futures import Future
from functools import partial
from typing import Any

from thunder.desk.crew import Answer, Busy, Crew, Failed
from thunder.desk.readings import plant_of
from thunder.desk.review import reviewed
from thunder.desk.store import Conflict, Store
from thunder.masking.records import Document
from thunder.text.safe_errors import place_of

log = logging.getLogger("thunder.desk")

_PAUSE = 1.0
_MOST = 8


class Intake:
    """Hands documents that wait to the crew, and notes what came of each.

    Nothing of it is lost when it ends: what waits still waits at the next start.
    """

    def __init__(self, store: Store, crew: Crew) -> None:
        self._store, self._crew = store, crew
        self._at_work: set[str] = set()
        self._wake, self._ends = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="intake", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Look at once: something came in."""
        self._wake.set()

    def close(self) -> None:
        """End; what is at work is noted by nobody and done again."""
        self._ends.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._ends.is_set():
            self._wake.clear()
            try:
                begun = self._begin()
            except Exception as error:  # the next round tries again
                log.error("intake: %s", place_of(error))
                begun = 0
            if not begun:
                self._wake.wait(_PAUSE)

    def _begin(self) -> int:
        begun = 0
        room = _MOST - len(self._at_work)
        found = self._store.waiting(room, but=tuple(self._at_work)) if room > 0 else []
        for one in found:
            document = Document(one.text, "", one.segments)
            try:
                answer = self._crew.submit(document, profile=one.profile)
            except Busy:
                break
            self._at_work.add(one.id)
            answer.add_done_callback(partial(self._note, one.id))
            begun += 1
        return begun

    def _note(self, id: str, answer: "Future[Answer]") -> None:
        try:
            result: Any = answer.result()
            if isinstance(result, Failed) and self._ends.is_set():
                return  # it was given up with the crew: the next start does it again
            if isinstance(result, Failed):
                self._store.failed(id, result.reason)
            else:
                risk = len(reviewed(result).open_questions)
                self._store.ready(id, risk=risk, plant=plant_of(result))
        except Conflict:
            pass  # another process was quicker
        except BaseException as error:
            log.error("intake: %s", type(error).__name__)
        finally:
            self._at_work.discard(id)
            self._wake.set()
