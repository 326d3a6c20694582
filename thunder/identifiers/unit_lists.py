"""Lists of units: what stands beside a unit in one is a unit too: B101~B106호, 114호 및 301호."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from thunder.identifiers.lookalikes import tariff_headings
from thunder.taxonomy.lexicon import expression
from thunder.text.spans import Span

LABEL = "호"
NUMBER = r"(?:(?:[A-Z]-?|비)[0-9]{1,4}|[0-9]{3,4})(?:-[0-9]{1,2})?"
"""A unit's number that is no item's: of three digits or more, or after a letter."""

# What a 호 is not: a line, an exhibit, a form, a vehicle, a court room.
HOUSE = "호(?!<no-unit>|기(?!재)| ?<numbered-so>)"
"""The 호 after a unit's number."""

_OPENING, _CLOSING = "['‘\"“「]?", "['’\"”」]?"
_JOIN = (
    rf"{_CLOSING}(?: ?(?:,|·|ㆍ|~|<and>|또는|부터)(?: ?(?:및|또는))? ?)"
    r"(?:(?:제 ?)?(?:지하 ?|지)?[0-9]{1,2}층,? ?)?"
    rf"{_OPENING}(?:제 ?)?"
)
_NEXT = expression(
    rf"(?:{HOUSE}실?)?{_JOIN}(?P<number>{NUMBER})"
    rf"(?:(?={HOUSE})|(?=[)~·]|,(?! ?[0-9]{{3}}[^0-9 ])| ?(?:및|내지|또는)"
    r"| (?:중|각|등)(?![가-힣])))"
)
_PREVIOUS = expression(
    rf"(?<![0-9A-Za-z,.-])(?<![가-힣][동리가로길읍면])(?<![가-힣][동리가로길읍면] )"
    rf"(?P<number>{NUMBER})(?:{HOUSE}실?)?{_JOIN}\Z"
)
_LONGEST_STEP = 40


def neighbours(text: str, units: Iterable[Span]) -> Iterator[Span]:
    """Yield further units in the lists of folded *text* in which one of *units* stands.

    A number without 호 (101, 102호) is one where the list goes on, or closes, after it.
    """
    known = sorted(span for span in units if span.label == LABEL)
    starts, goods = {span.start for span in known}, tariff_headings(text)
    for unit in known:
        for step in (_before, _after):
            one = unit
            while (at := step(text, one)) and at[0] not in starts and text[slice(*at)] not in goods:
                starts.add(at[0])
                one = replace(unit, start=at[0], end=at[1])
                yield one


def _after(text: str, unit: Span) -> tuple[int, int] | None:
    match = _NEXT.match(text, unit.end)
    return match.span("number") if match else None


def _before(text: str, unit: Span) -> tuple[int, int] | None:
    start = unit.start + (text[unit.start] == "제")
    match = _PREVIOUS.search(text, max(0, start - _LONGEST_STEP), start)
    return match.span("number") if match else None
