"""How Korean names are built: surnames, given-name syllables, and how like a name a word is."""

import math
from functools import lru_cache
from typing import NamedTuple

from thunder.taxonomy.lexicon import table

_WHOLE = range(3, 5)  # syllables of a name with its surname
_SURNAME_FLOOR = 1e-7
_SYLLABLE_FLOOR = 3e-6
# How many people have a given name of one, two and three syllables.
_UNLIKELY, _UNLIKELY_GIVEN = -7.5, -7.0  # log10 of how many are called so
_LENGTHS = {1: 0.03, 2: 0.96, 3: 0.01}


class _Tables(NamedTuple):
    surnames: dict[str, float]
    first: dict[str, float]
    second: dict[str, float]
    alone: dict[str, float]


@lru_cache(maxsize=1)
def surnames() -> frozenset[str]:
    """Return every surname known, of one and of two syllables."""
    return frozenset(_tables().surnames)


def share(surname: str) -> float:
    """Return how many of 10,000 people bear *surname*, 0 for no surname."""
    return _tables().surnames.get(surname, 0.0) * 10_000


def surname_of(name: str) -> str:
    """Return the surname *name* begins with, the two-syllable one where it fits, or ""."""
    known = _tables().surnames
    if len(name) > 2 and name[:2] in known:
        return name[:2]
    return name[:1] if name[:1] in known else ""


def parts_of(name: str) -> tuple[str, str] | None:
    """Return the surname and the given name that *name* of three or four syllables is, or None."""
    surname = surname_of(name)
    if not surname or len(name) not in _WHOLE or not all("가" <= char <= "힣" for char in name):
        return None
    return surname, name[len(surname) :]


@lru_cache(maxsize=1 << 15)
def likeness(name: str) -> float:
    """Return the log10 probability that a Korean picked by chance is called *name*.

    About -3 for the commonest names, -6 to -8 for ordinary ones, below -11 for what no parent
    would choose. Surname shares follow the census, syllables Mecab's dictionary.
    """
    best = -99.0
    for cut in (1, 2):
        surname, given = name[:cut], name[cut:]
        if surname in _tables().surnames and given and len(given) in _LENGTHS:
            best = max(best, _surname(surname) + _given(given))
    return best


def is_unlikely(word: str) -> bool:
    """Return whether hardly anybody is called *word*, with a surname or without: 분사무소."""
    return given_likeness(word) < _UNLIKELY_GIVEN and likeness(word) < _UNLIKELY


@lru_cache(maxsize=1 << 14)
def given_likeness(given: str) -> float:
    """Return the log10 probability of *given* as a given name of one to three syllables."""
    return _given(given) if len(given) in _LENGTHS else -99.0


def _surname(surname: str) -> float:
    return math.log10(max(_tables().surnames[surname], _SURNAME_FLOOR))


def _given(given: str) -> float:
    tables = _tables()
    if len(given) == 1:
        chances = [tables.alone.get(given, _SYLLABLE_FLOOR)]
    else:
        chances = [tables.first.get(given[0], _SYLLABLE_FLOOR)]
        chances += [tables.second.get(syllable, _SYLLABLE_FLOOR) for syllable in given[1:]]
    return math.log10(_LENGTHS[len(given)]) + sum(map(math.log10, chances))


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    surnames = {row[0]: float(row[1]) / 10_000 for row in table("surnames")}
    places: tuple[dict[str, float], ...] = ({}, {}, {})
    for syllable, *counts in table("given_syllables"):
        for place, count in zip(places, counts, strict=True):
            if float(count):
                place[syllable] = float(count) / 100_000
    return _Tables(surnames, *places)
