"""외국인등록번호 and 국내거소신고번호: as a resident's, with 5 to 8 after the date of birth.

The check digit's formula is unpublished: date and first digit are all there is to test. The
taxonomy has no label of its own for it; it falls under 주민등록번호.
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import is_named, is_near, naming
from thunder.identifiers.resident import (
    SIX_SEVEN,
    is_bracketed,
    is_date,
    is_glued,
)
from thunder.taxonomy.lexicon import expression
from thunder.text.spans import Span

NAME = "foreigner"
PIERCES_SHIELDS = True
LABEL = "주민등록번호"
CENTURIES = {"5": 19, "6": 19, "7": 20, "8": 20}
_NAMING = naming("<foreigner-number>|<resident-number>|<foreigner-paper>")
_ELSE = naming("<other-number>")
_NEAR = expression("<near-foreigner-number>")


def find(text: str) -> Iterator[Span]:
    """Yield the foreigner registration numbers of *text*, whole or half hidden."""
    for match in SIX_SEVEN.finditer(text):
        rear = match["rear"]
        if rear and rear[0] in CENTURIES and (score := _score(text, match)):
            yield Span(match.start(), match.end(), LABEL, score)


def _score(text: str, match: re.Match[str]) -> float:
    start, join, rear = match.start(), match["join"], match["rear"]
    if is_named(text, start, _NAMING) and not is_named(text, start, _ELSE):
        return 0.99
    if not is_date(match["front"]):
        return 0.0
    near = is_near(text, start, match.end(), _NEAR)
    if len(rear) == 1:
        return 0.8 if "-" in join and (near or is_bracketed(text, match)) else 0.0
    if "-" in join:
        return 0.94 if near else 0.9
    if len(rear) != 7 or not rear.isdecimal() or (join and not near) or is_glued(text, match):
        return 0.0
    return 0.9 if near else 0.65
