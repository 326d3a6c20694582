"""What the desk does by the clock, in the background of its process."""

import logging
import threading
import time
from collections.abc import Callable

from thunder.desk.desk import Desk
from thunder.desk.watching import Watch
from thunder.text.safe_errors import place_of

log = logging.getLogger("thunder.desk")

_PAUSE, _HOUR = 5.0, 3600.0


class Keeper:
    """Keeps the table of results in step, and deletes originals: at the start and each hour.

    *retain*: for how many days an original is kept after the last step, 0 for ever; files that
    *watch* has taken go with them.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        retain: int = 0,
        watch: Watch | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._desk, self._retain, self._watch, self._clock = desk, retain, watch, clock
        self._last: float | None = None
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                self.look()
            except Exception as error:  # the next look tries again
                log.error("keeper: %s", place_of(error))
            self._ends.wait(_PAUSE)

    def look(self) -> None:
        """Do what is due."""
        now = self._clock()
        is_due = self._last is None or now - self._last >= _HOUR
        if is_due and self._retain:
            erased = self._desk.erase(self._retain, now=now)
            files = self._watch.erase(self._retain, now=now) if self._watch else 0
            if erased or files:
                log.warning("%d originals, %d files deleted", len(erased), files)
        if is_due or self._desk.is_table_behind:
            self._desk.bring_table()
        if is_due:
            self._last = now
