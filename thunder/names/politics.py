"""Political parties by their names: those of the Republic, old and new, with or without their 당.

Courts letter them (○○당) more often than not since 2012; before, they mostly left them readable.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from thunder.identifiers.cues import is_near
from thunder.names.naming import CERTAIN
from thunder.names.patterns.signs import sign
from thunder.taxonomy.tables import table
from thunder.text import lazy
from thunder.text.spans import Span

LABEL, _NOUN = "정당", "당"
_SIGHT = 40


@lru_cache(maxsize=1)
def _parties() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds the parties' names, and where each counts."""
    when = {name: when for name, when in table("gazetteer/political_parties")}
    return lazy.compile(lazy.any_of(when)), when


def find(text: str) -> Iterator[Span]:
    """Yield the parties' names, their 당 left out: 나래|당.

    A name that is a word besides (평화당, 새로운미래) counts near what parties do only, but then
    in the whole text; 국민의힘 before a post too.
    """
    found = list(_names_in(text))
    named = {match[0] for match in found if _is_party(text, match)}
    for match in found:
        if match[0] in named:
            yield Span(match.start(), match.end() - match[0].endswith(_NOUN), LABEL, CERTAIN)


def _names_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the parties' names that are whole words, where no other state's party is meant."""
    pattern, _ = _parties()
    at = 0
    while match := pattern.search(text, at):
        is_inside = text[match.start() - 1 : match.start()].isalnum()
        at = match.start() + 1 if is_inside else match.end()
        is_whole = not is_inside and sign("ends-a-party").at(text, match.end())
        if is_whole and not sign("of-another-state").at(text, match.start()):
            yield match


def _is_party(text: str, match: re.Match[str]) -> bool:
    """Return whether no word besides is meant: the name is none, or what is near says so."""
    when = _parties()[1][match[0]]
    if when not in ("cue", "post") or (
        when == "post" and sign("post-of-a-party").at(text, match.end())
    ):
        return True
    return is_near(
        text, *match.span(), sign("spoken-of-parties").pattern, before=_SIGHT, after=_SIGHT
    )
