"""Building and unit numbers: 101동 1203호, 가동 201호, 지하 101호, 302호실.

Only the number is marked; 동, 호 and 호실 stay readable, and so do floors (court rule; the Supreme
Court's notice of 2019-01-14 masks 동 and 호수). What shows one are rows of
``taxonomy/patterns/formats.yaml``; here the lists are read, and what comes again.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from thunder.identifiers import formats
from thunder.identifiers.lookalikes import tariff_headings
from thunder.identifiers.unit_lists import LABEL, neighbours
from thunder.taxonomy.lexicon import expression
from thunder.text.spans import Span, heaviest

NAME = "unit"

UNITS, LISTS, BLOCKS, WRITTEN, AGAIN, CALLED_AGAIN, KNOWN_BLOCKS, VERSIONS, ENACTED = ROWS = tuple(
    map(
        formats.Recogniser,
        (
            "unit",
            "unit_list",
            "block_of_a_unit",
            "unit_or_block",
            "unit_again",
            "unit_called_again",
            "block_known",
            "statute_version",
            "statute_enacted",
        ),
    )
)
"""The rows that are read here; those of statutes' numbers tell what is no unit."""

FLOOR = r"(?:(?:제 ?)?(?:지하 ?|지)?[0-9]{1,2}층|<named-floor>|지하|지층)"
"""A floor as it stands before a unit: 3층, 제3층, 지하 1층."""

_KEPT = expression(
    r"(?<![0-9가-힣])(?P<floor>(?:지하 ?)?[0-9]{1,2}층|<named-floor>)(?![가-힣])"
    r"|(?:(?<![0-9A-Za-z가-힣-])|(?<=[동층제]))"
    r"(?:[A-Z]?-?[0-9]{1,4}(?:-[0-9]{1,2})?|[A-Z]|<block-letter>)"
    r"(?P<unit>호실|[동호])(?![가-힣])"
)
_WITH_PARTICLE = expression("(?<=[0-9])(?:호실?|동) ?<after-unit>")
_LONGEST_UNIT = 10
_BETWEEN = 14  # code points between a block's number and its unit's: 101|동 제12층 제|1203


def readable_parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what stays readable of an address: its floor, and 동 and 호 after their numbers."""
    for match in _KEPT.finditer(text, start, end):
        yield match.span(match.lastgroup or 0)


def is_readable_part(text: str, start: int, end: int) -> bool:
    """Return whether a stretch is such a part, whose number may stand before it: 1209|호.

    A particle may follow it: 1209|호|와.
    """
    is_part = (start, end) in readable_parts(text, max(0, start - _LONGEST_UNIT), end)
    return is_part or _WITH_PARTICLE.fullmatch(text, start, end) is not None


def find(text: str) -> Iterator[Span]:
    """Yield the numbers of buildings (동) and units (호) in folded *text*, disjoint and sorted.

    A unit is known by what stands before it: a building number, a floor, a building, an address,
    another unit, also of its list, or two more in one; or it was named so elsewhere and comes
    again as 위 603호.
    """
    goods, units = tariff_headings(text), _units(text)
    spans = [*units, *(one for one, _ in _blocks_of(text, units)), *WRITTEN.find(text)]
    spans = [span for span in spans if _number(text, span) not in goods]
    spans += neighbours(text, spans)
    if spans:
        numbers, blocks = (
            {_number(text, span) for span in spans if (span.label == LABEL) == is_unit}
            for is_unit in (True, False)
        )
        again = [span for span in AGAIN.find(text) if _number(text, span) in numbers]
        others = _enacted(text).union(goods)
        again += CALLED_AGAIN.find(text)
        spans += [span for span in again if _number(text, span) not in others]
        known = KNOWN_BLOCKS.find(text) if (letters := blocks - {"가"}) else ()
        spans += [one for one in known if _number(text, one) in letters]
    yield from heaviest(spans)


def _units(text: str) -> list[Span]:
    """Return the units that what stands beside them shows; a statute's number behind 동 alone."""
    found, enacted = list(UNITS.find(text)), _enacted(text)
    if any(_number(text, unit) in enacted for unit in found):
        of_blocks = {start for _, start in _blocks_of(text, found)}
        found = [u for u in found if _number(text, u) not in enacted or u.start in of_blocks]
    return [*found, *_listed(text, {unit.start for unit in found})]


def _listed(text: str, alone: set[int]) -> Iterator[Span]:
    """Yield the units of lists of which the last is none *alone*: 한빛빌딩 401, 402, 403호."""
    items: list[Span] = []
    for item in LISTS.find(text):
        items.append(item)
        if text.startswith("호", item.end):
            yield from () if item.start in alone else items
            items = []


def _blocks_of(text: str, units: Iterable[Span]) -> Iterator[tuple[Span, int]]:
    """Yield the numbers of the buildings before *units*, each with where its unit begins."""
    starts = sorted(unit.start for unit in units)
    for block in BLOCKS.find(text) if starts else ():
        at = bisect_right(starts, block.end)
        if at < len(starts) and starts[at] - block.end <= _BETWEEN:
            yield block, starts[at]


def is_of_statute(text: str, start: int, end: int) -> bool:
    """Return whether the number from *start* to *end* tells which version of a statute is meant."""
    ends, numbers = _statutes(text)
    return end in ends or text[start:end] in numbers


@lru_cache(maxsize=1)
def _statutes(text: str) -> tuple[frozenset[int], frozenset[str]]:
    return frozenset(span.end for span in VERSIONS.find(text)), _enacted(text)


@lru_cache(maxsize=1)
def _enacted(text: str) -> frozenset[str]:
    return frozenset(_number(text, span) for span in ENACTED.find(text))


def _number(text: str, span: Span) -> str:
    return text[span.start : span.end]
