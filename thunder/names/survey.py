"""One pass over a text for words that hold a generic noun, a known name or a brand of flats."""

from functools import lru_cache
from typing import NamedTuple

from thunder.names.chunks import Chunk
from thunder.names.descriptors import Reading, read
from thunder.names.runs import question
from thunder.names.well_known import Entry, brands, look_up


class Hit(NamedTuple):
    """A word of the text, the descriptor read in it, and the known name that begins it.

    ``brands`` are the code points in the word at which a brand of flats starts and ends.
    """

    word: Chunk
    reading: Reading | None
    entry: Entry | None
    brands: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1)
def survey(text: str) -> tuple[Hit, ...]:
    """Return the words of *text* that may hold a name, in order.

    The last text is remembered: the finders of organisations and of places read the same
    judgment one after the other.
    """
    words = ((Chunk(start, start + len(word), word), found) for start, word, found in _READ(text))
    return tuple(Hit(word, *found) for word, found in words)


def _read(
    word: str,
) -> tuple[Reading | None, Entry | None, tuple[tuple[int, int], ...]] | None:
    reading, entry = read(word), look_up(word)
    of_flats = tuple(match.span() for match in brands().finditer(word))
    return (reading, entry, of_flats) if reading or entry or of_flats else None


_READ = question(_read, of_words=True)
