"""휴대폰번호 (01x, also as +82-10) and 전화번호: area codes, 070, 050x, 080, 15xx, foreign ones."""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import HIDDEN, digits_of, fresh, is_named, is_near, naming
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "phone"
MOBILE, LAND = "휴대폰번호", "전화번호"
_NATIONAL_NUMBERS = (  # prefixes in use of the nation-wide numbers of eight digits (전국대표번호)
    "1522 1533 1544 1551 1566 1577 1588 1599 1600 1644 1660 1661 1666 1668 1670 1688 1800 1811 "
    "1833 1844 1855 1877 1899"
)
NATIONAL = tuple(_NATIONAL_NUMBERS.split())

_D = f"[0-9{HIDDEN}]"
_SEP = r"(?: {0,2}[-.·/]{1,2} {0,2}|\) {0,2}-? {0,2}| )"  # 02-123, 02.123, 02)123, 02 123
_HYPHEN = r"(?: {0,2}-{1,2} {0,2}|\) {0,2}-? ?)"
_END = rf"(?!{_D}|-{_D}|,[0-9]{{3}}(?![0-9-]))"
_CODE = r"(?:2|3[1-3]|4[1-4]|5[1-5]|6[0-4]|70|80|50[2-8]?|303)"  # of CODES, after the 0

_MOBILE = lazy.compile(
    rf"01[016789]{fresh(3)}(?:{_SEP}{_D}{{3,4}}{_SEP}?{_D}{{4}}|(?P<unbroken>{_D}{{7,8}})"
    rf"|{_D}{{4}}{_SEP}{_D}{{4}}){_END}"
)
_FROM_ABROAD = lazy.compile(
    rf"82{fresh(2)}(?P<sep>{_SEP}?)\(?0?\)?(?P<net>1[016789]|2|[3-6][1-5]|70){_SEP}?"
    rf"{_D}{{3,4}}{_SEP}?{_D}{{4}}{_END}"
)
_LAND = lazy.compile(
    rf"0{fresh(1)}{_CODE}(?:(?P<first>{_SEP})[1-9*]{_D}{{2,3}}(?P<second>{_SEP}){_D}{{4}}"
    rf"|[1-9]{_D}{{6,7}}){_END}"
)
_NATIONAL = lazy.compile(
    rf"1[568][0-9]{{2}}{fresh(4)}(?<!제[0-9]{{4}})(?:(?P<sep>{_HYPHEN})(?P<line>{_D}{{4}})"
    rf"|[0-9]{{4}})(?! ?호){_END}"
)
_LOCAL = lazy.compile(rf"[2-9][0-9]{{2,3}}{fresh(4)}{_HYPHEN}{_D}{{4}}{_END}")
_FOREIGN = lazy.compile(rf"\+ ?[1-9][0-9]{{0,2}}(?:[- .()]{{1,2}}[0-9*]{{2,11}}){{1,5}}{_END}")

_NAMING = naming(r"<telephone-sort>? ?전화(?: ?번호)?|<telephone>(?: ?번호)?|<telephone-sign>")
_NEAR = expression("<phone-word>")


def find(text: str) -> Iterator[Span]:
    """Yield the telephone numbers of *text*: mobile ones as 휴대폰번호, all others as 전화번호."""
    yield from _find_mobile(text)
    yield from _find_from_abroad(text)
    yield from _find_land(text)
    yield from _find_national(text)
    yield from _find_cued(text, _LOCAL, reach=0)
    yield from _find_cued(text, _FOREIGN, reach=25)


def _find_mobile(text: str) -> Iterator[Span]:
    for match in _MOBILE.finditer(text):
        if len(digits_of(match[0])) < 7:
            continue
        near = is_near(text, match.start(), match.end(), _NEAR)
        today = match[0].startswith("010") and len(match[0]) == 11
        if near or today or not match["unbroken"]:
            named = near and is_named(text, match.start(), _NAMING)
            yield _span(text, match, MOBILE, 0.97 if named else 0.93 if near else 0.9)


def _find_from_abroad(text: str) -> Iterator[Span]:
    for match in _FROM_ABROAD.finditer(text):
        plus = text[max(0, match.start() - 1) : match.start()] == "+"
        if plus or (match["sep"].strip() and match["net"] == "10"):
            label = MOBILE if match["net"].startswith("1") else LAND
            yield Span(match.start() - plus, match.end(), label, 0.94)


def _find_land(text: str) -> Iterator[Span]:
    for match in _LAND.finditer(text):
        named = is_named(text, match.start(), _NAMING)
        first, second = match["first"] or "", match["second"] or ""
        hyphenated = ("-" in first or ")" in first) and "-" in second
        if len(digits_of(match[0])) >= 6 and (named or hyphenated):
            yield _span(text, match, LAND, 0.97 if named else 0.9)


def _find_national(text: str) -> Iterator[Span]:
    for match in _NATIONAL.finditer(text):
        near = is_near(text, match.start(), match.end(), _NEAR, before=30)
        named = near and is_named(text, match.start(), _NAMING)
        in_use = match["sep"] and match[0][:4] in NATIONAL
        if named or (in_use and (near or not _is_range(match))):
            yield Span(match.start(), match.end(), LAND, 0.96 if named else 0.8)


def _is_range(match: re.Match[str]) -> bool:
    """Return whether 1588-1599 may be years or pages rather than a telephone number."""
    line = match["line"]
    return not line.isdecimal() or 0 <= int(line) - int(match[0][:4]) <= 300


def _find_cued(text: str, pattern: re.Pattern[str], *, reach: int) -> Iterator[Span]:
    """Yield what is a telephone number only because the word for one stands before it."""
    for match in pattern.finditer(text):
        named = is_named(text, match.start(), _NAMING)
        near = reach > 0 and is_near(text, match.start(), match.end(), _NEAR, before=reach)
        if 7 <= len(digits_of(match[0])) <= 15 and (named or near):
            yield Span(match.start(), match.end(), LAND, 0.97 if named else 0.85)


def _span(text: str, match: re.Match[str], label: str, score: float) -> Span:
    """Return the span of a number, from the bracket that opens before 010) or 02)."""
    start, end = match.span()
    opens = text[max(0, start - 1) : start] == "(" and ")" in match[0]
    return Span(start - opens, end, label, score)
