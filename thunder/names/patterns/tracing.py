"""What rows did to what was found: which look-alike dropped it, which edge cut it.

Nobody is told unless somebody watches, as ``thunder patterns explain`` does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from thunder.names.patterns.edges import Edge
    from thunder.names.patterns.lookalikes import Lookalike


class Acted(NamedTuple):
    """A row that acted on what was found from start to end of a folded text, and what it left.

    Of what a look-alike dropped nothing is left: it starts and ends at the same place.
    """

    row: "Edge | Lookalike"
    start: int
    end: int
    left_start: int
    left_end: int


_watched: ContextVar[list[Acted] | None] = ContextVar("watched", default=None)


@contextmanager
def watched() -> Iterator[list[Acted]]:
    """Give a list to which is added what the rows do until the block ends."""
    acted: list[Acted] = []
    token = _watched.set(acted)
    try:
        yield acted
    finally:
        _watched.reset(token)


def watcher() -> list[Acted] | None:
    """Return the list of who watches, None where nobody does."""
    return _watched.get()
