"""One pass over a text for every word that holds a generic noun or a known name."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from thunder.names.chunks import WORD, Chunk
from thunder.names.descriptors import Reading, read
from thunder.names.well_known import Entry, look_up


class Hit(NamedTuple):
    """A word of the text, the descriptor read in it, and the known name that begins it."""

    word: Chunk
    reading: Reading | None
    entry: Entry | None


@lru_cache(maxsize=1)
def survey(text: str) -> tuple[Hit, ...]:
    """Return the words of *text* that may hold a name, in order.

    The last text is remembered: the finders of organisations and of places read the same
    judgment one after the other.
    """
    return tuple(_hits(text))


def _hits(text: str) -> Iterator[Hit]:
    for match in WORD.finditer(text):
        word = match[0]
        found = _read(word)
        if found:
            yield Hit(Chunk(match.start(), match.end(), word), *found)


@lru_cache(maxsize=1 << 17)
def _read(word: str) -> tuple[Reading | None, Entry | None] | None:
    reading, entry = read(word), look_up(word)
    return (reading, entry) if reading or entry else None
