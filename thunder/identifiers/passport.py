"""여권번호: M, S, R, G or D and eight digits; since 2021-12 M123A4567; others only with the cue.

The taxonomy has no label for passports: they are 관리번호.
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import HIDDEN, is_named, is_near, naming
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "passport"
LABEL = "관리번호"
KINDS = "MSRGD"  # 복수, 단수, 거주, 관용, 외교관

_NUMBER = lazy.compile(
    rf"[A-Z](?<![0-9A-Za-z][A-Z])(?<![0-9A-Za-z]-[A-Z])"
    rf"(?:[0-9]{{8}}|[0-9]{{3}}[A-Z][0-9]{{4}}|[0-9]{{2,7}}[{HIDDEN}]{{1,6}}"
    rf"|[A-Z]{{0,2}} ?[0-9]{{6,8}})(?![0-9A-Za-z{HIDDEN}]|-[0-9])"
)
_DIGITS = lazy.compile(r"[0-9](?<![0-9][0-9])[0-9]{8}(?![0-9A-Za-z]|[-,.][0-9])")
_NAMING = naming(r"여권(?: ?\([^()]{1,12}\))? ?(?:번호)?|[Pp]assport(?: [Nn]o\.?)?")
_WORDS = ("여권", "Passport", "passport", "PASSPORT")
_NEAR = lazy.compile("|".join(_WORDS))


def find(text: str) -> Iterator[Span]:
    """Yield the passport numbers of *text*; without 여권 nearby only M and eight digits."""
    cued = any(word in text for word in _WORDS)
    for match in _NUMBER.finditer(text):
        if score := _score(text, match, cued=cued):
            yield Span(match.start(), match.end(), LABEL, score)
    if cued:
        for match in _DIGITS.finditer(text):
            if is_named(text, match.start(), _NAMING):
                yield Span(match.start(), match.end(), LABEL, 0.96)


def _score(text: str, match: re.Match[str], *, cued: bool) -> float:
    number = match[0]
    korean = number[0] in KINDS and len(number) == 9 and " " not in number
    if cued and is_named(text, match.start(), _NAMING):
        return 0.99
    if cued and is_near(text, match.start(), match.end(), _NEAR, before=60, after=15):
        return 0.94 if korean else 0.8
    return 0.6 if korean and number[0] == "M" and number[1:].isdecimal() else 0.0
