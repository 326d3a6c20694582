"""What one asker may use up: so many requests a minute, bodies so large."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_MOST_KNOWN = 4096


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one document's characters, of a body's bytes and documents, of requests a minute."""

    characters: int = 1_000_000
    body: int = 16 * 2**20
    documents: int = 100
    requests: int = 600


class Rate:
    """Lets everybody ask *most* times a minute, in any rhythm, each by a name."""

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, name: str) -> float:
        """Return 0 and count the request, or after how many seconds *name* may ask again."""
        now = self._clock()
        with self._lock:
            left, before = self._left.pop(name, (float(self._most), now))
            left = min(float(self._most), left + (now - before) * self._most / 60)
            is_over = left < 1
            self._left[name] = (left if is_over else left - 1, now)
            while len(self._left) > _MOST_KNOWN:
                self._left.popitem(last=False)
        return (1 - left) * 60 / self._most if is_over else 0.0
