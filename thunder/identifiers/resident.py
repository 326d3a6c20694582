"""주민등록번호: YYMMDD-SXXXXXX, whole, half hidden, or its front part alone.

The check digit may raise the score and never vetoes: numbers issued or changed since
2020-10-05 have none (주민등록법 시행규칙 제2조).
"""

import re
from collections.abc import Iterator

from thunder.identifiers import checks
from thunder.identifiers.cues import HIDDEN, JOIN, NAMED, fresh, is_named, is_near, naming
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "resident"
PIERCES_SHIELDS = True
LABEL = "주민등록번호"
CENTURIES = {"9": 18, "0": 18, "1": 19, "2": 19, "3": 20, "4": 20}
_LAST_YEAR = {18: range(60, 100), 19: range(100), 20: range(36)}  # years anyone alive can bear
DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

# A front part and what follows it; each recogniser of 6-7 numbers asks for its own first digit.
SIX_SEVEN = lazy.compile(
    rf"(?P<front>[0-9][0-9]{{5}}){fresh(6)}"
    rf"(?:(?P<join>{JOIN}| ?[/·_~] ?| ?)"
    rf"(?P<rear>[0-9]{{7}}|[0-9]{{1,6}}[{HIDDEN}]{{1,6}}|[{HIDDEN}]{{7}}|[0-9]))?"
    rf"(?![0-9{HIDDEN}]|-[0-9])"
)
_NAMING = naming(
    r"(?:<resident-number>|<real-name-number>)(?: ?앞 ?(?:[6여]섯? ?)?<part-of-number>)?"
    r"|<resident-paper>"
)
_GLUE_BEFORE = lazy.compile(r"(?:[A-Za-z]|[0-9]\.)\Z")
_GLUE_AFTER = lazy.compile(r"[A-Za-z{%]")
_NEAR = expression("<near-resident-number>")
_ELSE = naming("<other-number>|<foreigner-number>")


def find(text: str) -> Iterator[Span]:
    """Yield the resident registration numbers of *text*; a front part alone only with its cue."""
    for match in SIX_SEVEN.finditer(text):
        score = _score(text, match)
        if score:
            yield Span(match.start(), match.end(), LABEL, score)


def _score(text: str, match: re.Match[str]) -> float:
    front, join, rear = match["front"], match["join"], match["rear"]
    if not set(front) - {"0"} or (rear and not is_citizen(rear)):
        return 0.0
    named = is_named(text, match.start(), _NAMING) and not is_named(text, match.start(), _ELSE)
    near = named or is_near(text, match.start(), match.end(), _NEAR)
    if not is_date(front):
        return NAMED if named and rear else 0.0
    if named or rear is None:
        return 0.99 if named else 0.0
    if "-" not in join:
        if is_glued(text, match):
            return 0.0
        return _score_unjoined(front, join, rear, near=near)
    if len(rear) == 1:
        return 0.8 if near or is_bracketed(text, match) else 0.0
    if len(rear) == 7 and rear.isdecimal():
        return _score_whole(front, rear, near=near)
    return 0.9


def _score_unjoined(front: str, join: str, rear: str, *, near: bool) -> float:
    if near and len(rear) == 7:
        return 0.94
    if len(rear) != 7 or not rear.isdecimal() or not is_plausible(front, rear[0]):
        return 0.0
    checked = has_check_digit(front + rear)
    if join and not checked:
        return 0.0  # two numbers side by side in a table
    return 0.85 if checked else 0.7


def _score_whole(front: str, rear: str, *, near: bool) -> float:
    if not is_plausible(front, rear[0]):
        return 0.6
    return 0.94 if near else 0.93 if has_check_digit(front + rear) else 0.9


def is_citizen(rear: str) -> bool:
    """Return whether the rear part begins as a citizen's does, or hides how it begins."""
    return rear[0] in CENTURIES or rear[0] in HIDDEN


def is_bracketed(text: str, match: re.Match[str]) -> bool:
    """Return whether a number stands alone in brackets or before a comma: 홍길동(561231-1)."""
    start, end = match.span()
    return text[max(0, start - 1) : start] == "(" and text[end : end + 1] in ("", ")", ",")


def is_glued(text: str, match: re.Match[str]) -> bool:
    """Return whether a letter or a decimal point touches the number: a table lost its borders."""
    start, end = match.span()
    return bool(_GLUE_BEFORE.search(text, max(0, start - 2), start) or _GLUE_AFTER.match(text, end))


def is_date(front: str) -> bool:
    """Return whether six digits are a year, a month and a day; 29 February passes in any year."""
    month, day = int(front[2:4]), int(front[4:6])
    return 1 <= month <= 12 and 1 <= day <= DAYS[month - 1]


def is_plausible(front: str, first_of_rear: str) -> bool:
    """Return whether somebody can have been born in the year that front and century digit give."""
    return int(front[:2]) in _LAST_YEAR[CENTURIES[first_of_rear]]


def has_check_digit(number: str) -> bool:
    """Return whether the thirteenth digit is the check digit of the first twelve."""
    return checks.resident(number[:12]) == number[12]
