"""운전면허번호: region 2, year 2, serial 6, check and reissue 2; until 2014 the region's name.

Other licences (의사면허 …) are found by the cue 면허번호 alone.
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import HIDDEN, JOIN, digits_of, fresh, is_named, is_near, naming
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "licence"
LABEL = "면허번호"
REGIONS = {
    "서울": 11, "부산": 12, "경기": 13, "강원": 14, "충북": 15, "충남": 16, "전북": 17, "전남": 18,
    "경북": 19, "경남": 20, "제주": 21, "대구": 22, "인천": 23, "광주": 24, "대전": 25, "울산": 26,
    "경기북부": 28,
}  # fmt: skip

_D = f"[0-9{HIDDEN}]"
_NUMBER = lazy.compile(
    rf"(?P<first>[0-9][0-9]){fresh(2)}(?P<year>{JOIN}[0-9][0-9](?![0-9]))?{JOIN}{_D}{{6}}{JOIN}{_D}{{2}}(?!{_D}|-[0-9])"
)
_NAME_BEFORE = lazy.compile(rf"(?:{'|'.join(REGIONS)}) ?-? ?\Z")
_UNBROKEN = lazy.compile(rf"[0-9](?<![0-9][0-9])[0-9]{{3,11}}(?!{_D}|[-,.][0-9]| ?[년원])")
_NAMING = naming(r"(?<!어업)(?<!어업면허\()면허 ?번호|운전 ?면허증?")
_NEAR = lazy.compile(r"면허")


def find(text: str) -> Iterator[Span]:
    """Yield the licence numbers of *text*; those without hyphens only after 면허번호."""
    for match in _NUMBER.finditer(text):
        start = match.start() if match["year"] else _start_with_name(text, match.start())
        if score := _score(text, match, start):
            yield Span(start, match.end(), LABEL, score)
    if "면허" in text:
        yield from _find_unbroken(text)


def _start_with_name(text: str, start: int) -> int:
    """Return where a number without a region code starts: 서울 82-123456-12."""
    name = _NAME_BEFORE.search(text, max(0, start - 6), start)
    return name.start() if name else start


def _score(text: str, match: re.Match[str], start: int) -> float:
    if len(digits_of(match[0])) < 6:
        return 0.0
    if is_named(text, start, _NAMING):
        return 0.97
    if is_near(text, start, start, _NEAR, before=50):
        return 0.94
    if match["year"] is None:
        return 0.9 if start < match.start() else 0.0
    return 0.9 if int(match["first"]) in REGIONS.values() else 0.0


def _find_unbroken(text: str) -> Iterator[Span]:
    for match in _UNBROKEN.finditer(text):
        year = len(match[0]) == 4 and match[0].startswith(("19", "20"))
        if not year and is_named(text, match.start(), _NAMING):
            yield Span(match.start(), match.end(), LABEL, 0.97)
