"""선박번호와 어선번호: IMO numbers, MMSI, and the registration numbers of Korean vessels.

The seventh digit of an IMO number checks the six before it: evidence, never a veto.
"""

import re
from collections.abc import Iterator

from thunder.identifiers import checks
from thunder.identifiers.cues import JOIN, NAMED, is_near
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "vessel"
SHIP, FISHING = "선박번호", "어선"

_OPEN = r"[ ]{0,2}(?:\r?\n[ ]{0,2})?[:=#]?[ ]?[(\[‘“'\"]{0,2}"
_END = r"(?![0-9*○●]| {0,2}-{1,2} {0,2}[0-9]|[.,][0-9])"
_IMO = lazy.compile(
    r"(?<![A-Za-z])(?:IMO|imo)(?: ?(?:No\.?|NO\.?|Number|번호|넘버|선박번호))?(?:는|은|가|이)?"
    rf"{_OPEN}(?P<number>[0-9]{{7}}){_END}"
)
_MMSI = lazy.compile(
    rf"(?:MMSI|해상이동업무식별(?:번호|부호))(?: ?(?:No\.?|번호))?(?:는|은|가|이)?{_OPEN}"
    rf"(?P<number>[0-9]{{9}}){_END}"
)
# The certificate's own number (7-7), and the shape with the year, office and kind before it.
_FORM = lazy.compile(
    r"(?P<number>[0-9](?<![0-9\-].)"
    rf"(?:[0-9]{{6}}{JOIN}[0-9]{{7}}|[0-9]{{3}}{JOIN}[0-9]{{3}}{JOIN}[0-9]{{7}}{JOIN}[0-9]))"
    rf"(?<!-0000000)(?<!- 0000000){_END}"
)
_NAMED = lazy.compile(
    r"(?P<cue>(?:선박|어선|동력선|수상레저기구|선적)(?: ?등록)? ?번호)(?: ?\([^()\n]{0,10}\))?"
    rf"(?:는|은|가|이|인)?{_OPEN}(?:제 ?)?"
    rf"(?P<number>[A-Z]{{2,4}} ?-? ?[0-9]{{5,7}}|[0-9]{{6,9}}){_END}",
    needs=("번호",),
)
_FISHING = expression("<fishing>")
_SHIP = expression("<ship>|[0-9]톤")
_CALLED = lazy.compile("어선|선박")
_SHIP_NAMED = lazy.compile(r"선박(?: ?등록)? ?번호[^가-힣]{0,6}\Z")


def find(text: str) -> Iterator[Span]:
    """Yield the numbers of ships and of fishing vessels in *text*."""
    if "IMO" in text or "imo" in text:
        for match in _IMO.finditer(text):
            yield _span(match, SHIP, 0.99 if has_check_digit(match["number"]) else 0.85)
    yield from (_span(match, SHIP, NAMED) for match in _MMSI.finditer(text))
    for match in _FORM.finditer(text):
        score = _score_form(text, match)
        if score:
            yield _span(match, _kind(text, match), score)
    for match in _NAMED.finditer(text):
        yield _span(match, FISHING if match["cue"].startswith("어선") else SHIP, NAMED)


def _score_form(text: str, match: re.Match[str]) -> float:
    start, end = match.span("number")
    if is_near(text, start, end, _CALLED, before=30, after=15):
        return NAMED
    if is_near(text, start, end, _FISHING, before=50, after=30):
        return 0.85
    if is_near(text, start, end, _SHIP, before=40, after=20):
        return 0.8
    return 0.7 if match["number"].count("-") == 3 else 0.0


def _kind(text: str, match: re.Match[str]) -> str:
    """Return which label the number bears: 어선 unless it is called a 선박번호 or a ship's."""
    start, end = match.span("number")
    if _SHIP_NAMED.search(text, max(0, start - 20), start):
        return SHIP
    is_fishing = is_near(text, start, end, _FISHING, before=50, after=30)
    is_ship = is_near(text, start, end, _SHIP, before=40, after=20)
    return SHIP if is_ship and not is_fishing else FISHING


def has_check_digit(number: str) -> bool:
    """Return whether the last digit of a seven-digit IMO number is the check of the others."""
    return checks.imo(number[:6]) == number[6]


def _span(match: re.Match[str], label: str, score: float) -> Span:
    return Span(match.start("number"), match.end("number"), label, score)
