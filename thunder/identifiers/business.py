"""사업자등록번호: 3-2-5; also the 고유번호 that tax offices give to bodies without business."""

import re
from collections.abc import Iterator

from thunder.identifiers import checks
from thunder.identifiers.cues import HIDDEN, JOIN, digits_of, fresh, is_named, is_near, naming
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "business"
LABEL = "사업자등록번호"

_NUMBER = lazy.compile(
    rf"[0-9][0-9]{{2}}{fresh(3)}(?:(?P<join>{JOIN})"
    rf"[0-9{HIDDEN}]{{2}}{JOIN}[0-9{HIDDEN}]{{5}}|[0-9]{{7}}|[0-9]{{2}}[{HIDDEN}]{{5}})"
    rf"(?![0-9{HIDDEN}A-Za-z]|-[0-9])"
)
_NAMING = naming(r"사업자 ?(?:등록)? ?(?:번호)?|사업자 ?등록증|고유 ?번호")
_NEAR = lazy.compile(r"사업자|고유 ?번호|등록 ?번호|상호|과세")


def find(text: str) -> Iterator[Span]:
    """Yield the business registration numbers of *text*; unhyphenated only with the cue."""
    for match in _NUMBER.finditer(text):
        score = _score(text, match)
        if score:
            yield Span(match.start(), match.end(), LABEL, score)


def _score(text: str, match: re.Match[str]) -> float:
    number = digits_of(match[0])
    if not set(number) - {"0"}:
        return 0.0
    if is_named(text, match.start(), _NAMING):
        return 0.99
    if not match["join"]:
        return 0.0
    near = is_near(text, match.start(), match.end(), _NEAR)
    if len(number) < 10:
        return 0.85 if near and len(number) >= 5 else 0.0
    return 0.94 if near else 0.85 if checks.business(number[:9]) == number[9] else 0.65
