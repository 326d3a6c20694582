"""Names that the words around them show: X의 대표이사, 에 있는 X에서, X 사이트에 접속, 강남점.

What those words are stands in ``taxonomy/patterns``; ``thunder.names.patterns`` finds it.
"""

from collections.abc import Iterator
from functools import lru_cache

from thunder.names.kinds import is_person
from thunder.names.patterns.matching import Matcher
from thunder.names.patterns.rules import load
from thunder.text.spans import Span

_PERSON = "names:person"


def find(text: str) -> Iterator[Span]:
    """Yield what the shipped rules mark in folded *text*; several rules may mark the same."""
    for match in matcher().find(text):
        source = _PERSON if is_person(match.label) else ""
        yield Span(match.mention.start, match.mention.end, match.label, match.rule.score, source)


@lru_cache(maxsize=1)
def matcher() -> Matcher:
    """Return the shipped rules, ready to be looked for."""
    return Matcher(load().rules)
