"""Quotations, and what reads as a name in one: few words, no sentence, its noun left out."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from thunder.names.chunks import Chunk, is_inflected, is_placeholder
from thunder.names.descriptors import lexicon, read
from thunder.names.naming import is_proper
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import words_of
from thunder.text import lazy

# Databases break lines and pad before a name. A straight mark there may as well be a closing one.
PADDING = r"(?:(?<=[‘“「『〈])(?: {0,8}\n)? {0,16})?"
_QUOTATION = lazy.compile(
    rf"['‘\"“`「『<〈]{PADDING}([^'’\"”`」』>〉'‘\"“\n]{{2,24}})['’\"”`」』>〉]"
)
_NO_NAME = ("names-a-file", "word-of-a-statute")
_MOST_WORDS = 4


class Quotation(NamedTuple):
    """Where a quotation stands, its marks with it, and its words without padding."""

    start: int
    end: int
    phrase: Chunk


class Quotations(NamedTuple):
    """The quotations of a text, by where they begin and end."""

    by_start: Mapping[int, Quotation]
    by_end: Mapping[int, Quotation]


class Noun(NamedTuple):
    """The generic noun that a quoted name ends with: its label, and the name's length before it."""

    label: str
    name_end: int


@lru_cache(maxsize=1)
def quotations(text: str) -> Quotations:
    """Return the short quotations of *text*, read from its beginning; the last is remembered."""
    found = []
    for match in _QUOTATION.finditer(text):
        phrase = match[1].strip()
        start = match.start(1) + match[1].index(phrase)
        chunk = Chunk(start, start + len(phrase), phrase)
        found.append(Quotation(match.start(), match.end(), chunk))
    return Quotations({one.start: one for one in found}, {one.end: one for one in found})


def noun_of(phrase: str) -> Noun | None:
    """Return the noun that *phrase* ends with and that is no part of its name: '나리| 식당'."""
    last = phrase.rsplit(maxsplit=1)[-1]
    reading = read(last)
    if reading is None or reading.descriptor.inside:
        return None
    name = phrase[: len(phrase) - len(last) + reading.noun_start].rstrip()
    return Noun(reading.descriptor.label, len(name)) if name else None


def is_title(phrase: str) -> bool:
    """Return whether a quotation is a name: few words, not inflected, no defined term."""
    parts = phrase.split()
    if not parts or len(parts) > _MOST_WORDS or not phrase[0].isalnum():
        return False
    if parts[0] in lexicon().never or not sign("writes-a-name").fits(phrase):
        return False
    if any(sign(one).fits(phrase) for one in _NO_NAME):
        return False
    if len(parts) == 1:
        reading = read(phrase)
        return reading.name_end > 0 if reading else is_proper(phrase)
    if parts[-1].endswith(words_of("title-in-quotes")):
        return False  # '김한솔 부장': a person
    return not is_inflected(parts[-1]) and not is_placeholder(phrase)
