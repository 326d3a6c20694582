"""The wish to stop: a signal is noted, the loop sees it after the step, and the state is saved."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

EXIT_AGAIN = 75
"""The exit status of a run that stopped on request: start it again and it goes on (EX_TEMPFAIL)."""


class Wish:
    """Whether this process was asked to stop, and by which signal."""

    def __init__(self) -> None:
        self.name = ""

    def __call__(self) -> bool:
        return bool(self.name)

    def note(self, number: int, _frame: FrameType | None) -> None:
        """Remember the signal; a second Ctrl-C ends the run at once (KeyboardInterrupt)."""
        if number == signal.SIGINT and self.name == signal.SIGINT.name:
            raise KeyboardInterrupt
        self.name = signal.Signals(number).name


@contextmanager
def noted() -> Iterator[Wish]:
    """Note SIGTERM (preemption), SIGUSR1 (Slurm's notice of the time limit) and Ctrl-C inside."""
    wish = Wish()
    numbers = (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT)
    before = {number: signal.signal(number, wish.note) for number in numbers}
    try:
        yield wish
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
