"""How the time of an act grows with its size, measured so that a busy machine does not fail it."""

import time
from collections.abc import Callable

TURNS = 6


def grows_evenly(
    act: Callable[[int], object], few: int, many: int, *, slack: float = 2.0, least: float = 0.01
) -> bool:
    """Return whether `act(many)` takes at most `slack` times its share of the time of `act(few)`.

    The sizes are taken in turns and the least time of each counts: another process makes a run
    longer, never shorter. It ends with the first turn that is within bounds. `least` is what
    `few` counts at least, in seconds, as a clock reads nothing below.
    """
    act(min(few, 10))
    shortest = {few: float("inf"), many: float("inf")}
    for _ in range(TURNS):
        for size in shortest:
            start = time.process_time()
            act(size)
            shortest[size] = min(shortest[size], time.process_time() - start)
        if shortest[many] < slack * many / few * max(shortest[few], least):
            return True
    return False
