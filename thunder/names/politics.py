"""Political parties by their names: those of the Republic, old and new, with or without their 당.

Courts letter them (○○당) more often than not since 2012; before, they mostly left them readable.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from thunder.identifiers.cues import is_near
from thunder.names.naming import CERTAIN
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression
from thunder.taxonomy.tables import table
from thunder.text import lazy
from thunder.text.spans import Span

LABEL = "정당"
_NOUN = "당"
_CUED, _POST = "cue", "post"
# No 선거, 후보, 의원, 대통령: clubs elect as well, and a 치과의원 treats teeth.
_CUE = expression("정당(?![한하히화성방])|<party-cue>|(?<![가-힣])(?:총선|대선)")
_SIGHT = 40


class _Parties(NamedTuple):
    pattern: re.Pattern[str]
    cued: frozenset[str]
    posts: frozenset[str]


@lru_cache(maxsize=1)
def _parties() -> _Parties:
    rows = table("gazetteer/political_parties")
    pattern = lazy.compile(lazy.any_of({name for name, _ in rows}))
    cued, posts = (frozenset(name for name, when in rows if when == use) for use in (_CUED, _POST))
    return _Parties(pattern, cued | posts, posts)


def find(text: str) -> Iterator[Span]:
    """Yield the parties' names, their 당 left out: 나래|당.

    A name that is a word besides (평화당, 새로운미래) counts near what parties do only, but then
    in the whole text; 국민의힘 before a post too.
    """
    found = [match for match in _names_in(text) if _may_be_party(text, match)]
    named = {match[0] for match in found if _is_party(text, match)}
    for match in found:
        if match[0] in named:
            yield Span(match.start(), match.end() - match[0].endswith(_NOUN), LABEL, CERTAIN)


def _names_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the parties' names that begin a word."""
    at = 0
    while match := _parties().pattern.search(text, at):
        is_inside = text[match.start() - 1 : match.start()].isalnum()
        at = match.start() + 1 if is_inside else match.end()
        if not is_inside:
            yield match


def _may_be_party(text: str, match: re.Match[str]) -> bool:
    """Return whether a party's name is whole here, and no other state's party is meant."""
    start, end = match.span()
    is_whole = sign("ends-a-party").at(text, end)
    return is_whole and not sign("of-another-state").at(text, start)


def _is_party(text: str, match: re.Match[str]) -> bool:
    """Return whether no word besides is meant: the name is none, or what is near says so."""
    _, cued, posts = _parties()
    start, end = match.span()
    if match[0] not in cued or (match[0] in posts and sign("post-of-a-party").at(text, end)):
        return True
    return is_near(text, start, end, _CUE, before=_SIGHT, after=_SIGHT)
