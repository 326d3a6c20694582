"""Real names that are public knowledge: banks, chains, sites, stations, brands of flats."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from thunder.names.patterns.signs import sign
from thunder.names.runs import Wordings
from thunder.taxonomy.tables import table
from thunder.text import lazy

_NO_NAMES = frozenset({"brand", "bank's"})  # nothing by themselves: 서울, 경기, 평화
_BANKS = frozenset({"account", "bank's"})


class Entry(NamedTuple):
    """A known name: how long it is, its label, and when it counts.

    ``alone`` by itself, ``bank`` where money is spoken of, ``account`` before an account only,
    ``latin`` before a generic noun only (CU 편의점), ``bank's`` before 은행 only, ``brand`` for
    flats.
    """

    length: int
    label: str
    when: str


class _Tables(NamedTuple):
    names: Wordings[Entry]
    brands: re.Pattern[str]
    banks: frozenset[str]
    stations: frozenset[str]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    entries = {
        name: Entry(len(name), label, when) for name, label, when in table("gazetteer/companies")
    }
    names = {name: entry for name, entry in entries.items() if entry.when not in _NO_NAMES}
    brands = [name for name, entry in entries.items() if entry.when == "brand"]
    banks = frozenset(name for name, entry in entries.items() if entry.when in _BANKS)
    return _Tables(
        Wordings(names),
        _any_of(brands),
        banks,
        frozenset(name for (name,) in table("gazetteer/stations")),
    )


def is_station(name: str) -> bool:
    """Return whether *name* + 역 is a Korean railway or subway station."""
    return name in _tables().stations


def is_bank(name: str) -> bool:
    """Return whether *name* + 은행 is a bank of Korea's, or was: 국민, 조흥, 홍콩상하이."""
    return name in _tables().banks


def is_known(name: str) -> bool:
    """Return whether *name* is on the list in any way: 토스 is a name before 카드."""
    return name in _tables().names.known


def known_label(name: str) -> str | None:
    """Return the label of a name that is on the list in any way (GS: 편의점), or None."""
    entry = _tables().names.known.get(name)
    return entry.label if entry else None


def brands() -> re.Pattern[str]:
    """Return a pattern of the brands of flats (래미안, 힐스테이트)."""
    return _tables().brands


@lru_cache(maxsize=1)
def political_parties() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds the names of political parties, and where each counts."""
    when = {name: when for name, when in table("gazetteer/political_parties")}
    return _any_of(when), when


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    return lazy.compile(lazy.any_of(names))


def look_up(word: str) -> Entry | None:
    """Return the longest known name that begins *word*, if a particle or a branch follows it."""
    for name in _tables().names.at(word, 0):
        entry = _tables().names.known[name]
        if entry.when != "latin" and sign("behind-a-known-name").fits(word[entry.length :]):
            return entry
    return None
