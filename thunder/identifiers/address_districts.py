"""Where a readable level of an address ends: 강남구, 성남시 분당구, 양평군, 서울, 같은 구."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from thunder.taxonomy import gazetteer
from thunder.taxonomy.gazetteer import District
from thunder.text import lazy


class Level(NamedTuple):
    """A district named in the text: where its name ends; ``bare`` if without 시·군·구."""

    end: int
    district: District
    bare: bool


_LEVEL = lazy.compile(r"[시군구](?<=[가-힣].)(?=[ \n가-힣0○])")
_SAME = lazy.compile(r"같은 ([시군구])(?= )")
_LONGEST = 9


def levels(text: str) -> Iterator[Level]:
    """Yield every 시·군·구 of *text* below which an address may stand, in no order."""
    tails = _tails()
    for match in _LEVEL.finditer(text):
        end = match.end()
        if text[end - 2 : end] in tails:
            district = _district(text, end)
            if district:
                yield Level(end, district, bare=False)
    for match in _bare_pattern().finditer(text):
        known = gazetteer.bare_district(match[1])
        if known:
            yield Level(match.end(), known, bare=True)
    for match in _SAME.finditer(text):
        yield Level(match.end(), District(match[1], gazetteer.divisions()), bare=False)


def _district(text: str, end: int) -> District | None:
    """Return the district whose name ends at *end*, the longest."""
    for length in range(_LONGEST, 1, -1):
        start = end - length
        found = gazetteer.district(text[start:end]) if start >= 0 else None
        if found:
            return found
    return None


@lru_cache(maxsize=1)
def _tails() -> frozenset[str]:
    """Return the last two syllables of every district: a quick look before the long one."""
    return frozenset(name[-2:] for name in gazetteer.district_keys())


@lru_cache(maxsize=1)
def _bare_pattern() -> re.Pattern[str]:
    """Return a pattern of 서울, 경기, 양평 … before a word that may be a 동, 읍, 면 or 가."""
    names = _alternatives(gazetteer.bare_names())
    return lazy.compile(rf"(?<![가-힣])({names}) {{1,2}}(?=[가-힣]{{1,6}}[0-9 ]{{0,3}}[동읍면가])")


def _alternatives(names: Iterable[str]) -> str:
    """Return an alternation of *names* grouped by first syllable, longest first: fast to fail."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (name[0], -len(name), name)):
        groups.setdefault(name[0], []).append(name[1:])
    return "|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in groups.items())
