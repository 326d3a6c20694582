"""Building and unit numbers: 101동 1203호, 가동 201호, 지하 101호, 302호실.

Only the number is marked; 동, 호 and 호실 stay readable, and so do floors (court rule; the Supreme
Court's notice of 2019-01-14 masks 동 and 호수).
"""

import re
from collections.abc import Iterator
from itertools import chain

from thunder.identifiers.lookalikes import tariff_headings
from thunder.identifiers.unit_defined import defined, is_of_paper, is_of_statute
from thunder.identifiers.unit_lists import HOUSE, LABEL, listed, neighbours
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span, heaviest

NAME = "unit"
PIERCES_SHIELDS = True  # 제1203호 looks like a section's item; beside 제101동 it is none

_KEPT = expression(
    r"(?<![0-9가-힣])(?P<floor>(?:지하 ?)?[0-9]{1,2}층|<named-floor>)(?![가-힣])"
    r"|(?:(?<![0-9A-Za-z가-힣-])|(?<=[동층제]))"
    r"(?:[A-Z]?-?[0-9]{1,4}(?:-[0-9]{1,2})?|[A-Z]|<block-letter>)"
    r"(?P<unit>호실|[동호])(?![가-힣])"
)
_WITH_PARTICLE = expression("(?<=[0-9])(?:호실?|동) ?<after-unit>")
_LONGEST_UNIT = 10

_BUILDING = "<building>|[가-힣A-Z]<ends-building>|호텔 ?['‘]?[가-힣A-Za-z]{1,8}"
_QUOTE = "['\"’”》」)]?"
FLOOR = r"(?:(?:제 ?)?(?:지하 ?|지)?[0-9]{1,2}층|<named-floor>|지하|지층)"
"""A floor as it stands before a unit: 3층, 제3층, 지하 1층."""

_LETTER = "[A-Z]|<block-letter>|<letter-of-house>"

_HOUSE = expression(rf"[0-9]{HOUSE}")
_NUMBER = lazy.compile(r"(?<![0-9A-Za-z.])(?:[A-Z]-?|비)?[0-9]{1,4}(?:-[0-9]{1,2})?$")
_LISTED = lazy.compile(
    r"(?<![0-9A-Z-])[A-Z]?[0-9]{3,4}(?:-[0-9]{1,2})?"
    r"(?=(?:,|·|~| 및| 내지|,? ?및)? ?(?:제 ?)?(?:[0-9]|$))"
)
_LIST = lazy.compile(
    r"(?<![0-9A-Z,.-])(?:[A-Z]?[0-9]{3,4}(?:-[0-9]{1,2})?(?:, ?|·|~|,? ?및 | 내지 )){1,20}$"
)
_DONG_BEFORE = expression(
    rf"(?<![0-9A-Za-z가-힣])(?:제 ?)?([0-9]{{1,4}}|{_LETTER})동 ?,? ?(?:{FLOOR} ?,? ?)?(?:제 ?)?$"
)
_NAMED_DONG = expression(rf"<dwelling>([0-9]{{1,4}}|[A-Z])동 ?,? ?(?:{FLOOR} ?,? ?)?(?:제 ?)?$")
_FLOOR_BEFORE = expression(rf"(?<![가-힣]){FLOOR}(?: ?,)? ?(?:제 ?)?$")
_BUILDING_BEFORE = expression(
    rf"(?:{_BUILDING}){_QUOTE}(?:의| 내| 중|,| ?\+)? ?(?:{FLOOR}(?: ?,)? ?)?(?:제 ?)?$"
)
_SMALL_BEFORE = expression(rf"<small-house>{_QUOTE} ?$")
_ADDRESS_BEFORE = expression(  # or points of a drawing that enclose the room
    r"연결한 선내 ?$"
    r"|(?:(?<=[가-힣0-9])[동리가로길읍면] ?(?:산 ?)?|번지 ?)[0-9]{0,4}(?:-[0-9]{1,4})?(?:번지)?"
    rf"(?: ?\([가-힣0-9, ]{{2,20}}\))?(?:[, ] ?| 내 | 소재 )(?:{FLOOR} ?,? ?)?$"
)
_HOUSE_BEFORE = expression(r"호(?:실)?(?:에서|부터|[,와과·]| <and>)?,? ?(?:및 )?(?:제 ?)?$")
_CALLED_BEFORE = expression("<before-unit> ?$")
_ITEM_BEFORE = lazy.compile(r"제 ?$")
_PUBLIC = expression("고시(?![원텔])|<state-house>|<wing> ")
_DWELLS = expression(
    r"호(?:실)?(?:에서|에|의|를)? ?<of-a-unit>|호(?:실)?에 <goes-to-unit>"
    r"|호(?:실)?(?: 앞| 안| 내)에서"
)
_WORD_START = lazy.compile(r"(?<![가-힣0-9-])")

_BLOCK = expression(
    r"(?<![0-9A-Za-z가-힣,.])(?:제 ?)?([1-9][0-9]{2,3})동"
    r"(?=[^가-힣]|<after-block>(?![가-힣]))(?! ?<planned>)",
    needs=("동",),
)
_PLACE = "<at-block>|[0-9]{1,2}층|[0-9]{1,2}(?:[-~,] ?[0-9]{1,2})? ?라인|[0-9]호기"
_FEW_BLOCKS = expression(
    rf"(?:(?:<dwelling>|<lodging>){_QUOTE}(?:의| 내| 중|,)? ?|건물{_QUOTE},? ?)"
    rf"(?:제 ?)?([0-9]{{1,4}}|{_LETTER})동(?=,? ?(?:{_PLACE})|에서|에 <lives-in-block>)",
    needs=("동",),
)
_COUNTED = expression("<in-all> ?$")
_PAIR = expression(
    rf"<dwelling>{_QUOTE},? ?([0-9]{{1,4}}-[0-9]{{3,4}})(?![0-9-]|번지| ?㎡| 대)",
    needs=("<dwelling>",),
)
# 아파트 222에 관한 전세계약, its 호 left out.
_FLAT = expression(rf"<dwelling>{_QUOTE} ?([0-9]{{3,4}})(?=에 관[한하]|의 <tenure>)")
_WINDOW = 60


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
    spans = [*_houses(text), *_blocks(text), *defined(text), *listed(text)]
    spans += neighbours(text, spans)
    if spans:
        spans += _units_again(text, {text[s.start : s.end] for s in spans if s.label == LABEL})
        spans += _blocks_again(text, {text[s.start : s.end] for s in spans if s.label == "동"})
    yield from heaviest(spans)


def _houses(text: str) -> Iterator[Span]:
    last, goods = -1, tariff_headings(text)
    for hit in _HOUSE.finditer(text):
        end = hit.start() + 1
        number = _NUMBER.search(text, max(0, end - 9), end)
        if not number or number[0] in goods:
            continue
        start = _unit_start(text, number.start(), end, last)
        if start is not None:
            yield from _block_before(text, start)
            for item in _LISTED.finditer(text, start, number.start()):
                yield Span(item.start(), item.end(), LABEL, 0.9)
            yield Span(number.start(), end, LABEL, 0.95)
            last = end


def _unit_start(text: str, start: int, end: int, last: int) -> int | None:
    """Return where the unit or the list 401, 402, 403호 of units that ends at *end* begins.

    None if what ends there is no unit; *last* is the end of the unit before, -1 if there is none.
    """
    numbers = _LIST.search(text, max(0, start - _WINDOW), start)
    for first in (start, numbers.start()) if numbers else (start,):
        if (last >= 0 and _follows(text, last, first)) or _is_unit(text, first, end):
            return first
    return None


def _follows(text: str, last: int, start: int) -> bool:
    """Return whether only 호 and a comma or 와 stand between a unit and the number at *start*."""
    between = _HOUSE_BEFORE.match(text, last, start)
    return between is not None and between.end() == start


def _is_unit(text: str, start: int, end: int) -> bool:
    low = max(0, start - _WINDOW)
    if _PUBLIC.search(text, max(0, start - 18), start):
        return False
    if _DONG_BEFORE.search(text, low, start) or _NAMED_DONG.search(text, low, start):
        return True
    if is_of_statute(text, start, end):
        return False
    long = sum(char.isdigit() for char in text[start:end].partition("-")[0]) >= 3
    if _FLOOR_BEFORE.search(text, low, start):
        return long or not text.startswith("실", end + 1)
    if long and _BUILDING_BEFORE.search(text, low, start):
        return True
    if _ITEM_BEFORE.search(text, low, start):
        return False
    if long:
        lived_in = _WORD_START.match(text, start) and _DWELLS.match(text, end)
        return bool(lived_in or _ADDRESS_BEFORE.search(text, low, start))
    return _SMALL_BEFORE.search(text, low, start) is not None


def _block_before(text: str, start: int) -> Iterator[Span]:
    low = max(0, start - _WINDOW)
    block = _DONG_BEFORE.search(text, low, start) or _NAMED_DONG.search(text, low, start)
    if block:
        yield Span(block.start(1), block.end(1), "동", 0.95)


def _blocks(text: str) -> Iterator[Span]:
    """Yield the numbers of buildings that stand without a unit: 113동 엘리베이터."""
    for block in _BLOCK.finditer(text):
        if not _COUNTED.search(text, max(0, block.start() - 6), block.start()):
            yield Span(block.start(1), block.end(1), "동", 0.85)
    for block in _FEW_BLOCKS.finditer(text):
        yield Span(block.start(1), block.end(1), "동", 0.85)
    for pair in chain(_PAIR.finditer(text), _FLAT.finditer(text)):
        yield Span(pair.start(1), pair.end(1), LABEL, 0.8)


def _units_again(text: str, numbers: set[str]) -> Iterator[Span]:
    """Yield 603 in 위 603호, and any unit by a *number* that the text has shown to be one."""
    for hit in _HOUSE.finditer(text):
        end = hit.start() + 1
        number = _NUMBER.search(text, max(0, end - 9), end)
        if not number or end - number.start() < 3 or number[0] in tariff_headings(text):
            continue
        start, low = number.start(), max(0, number.start() - 8)
        is_known, is_item = number[0] in numbers, _ITEM_BEFORE.search(text, low, start)
        if is_item:
            called = is_known and not is_of_paper(text, start)
        else:
            called = is_known or _CALLED_BEFORE.search(text, low, start) is not None
        if called and not is_of_statute(text, start, end):
            yield Span(start, end, LABEL, 0.7)


def _blocks_again(text: str, names: set[str]) -> Iterator[Span]:
    """Yield A in 위 A동 once the text has shown A동 to be a building; never 가동, operation."""
    letters = sorted(name for name in names if not name.isdigit() and name != "가")
    if letters:
        after = "(?=[^가-힣]|(?:에서|에|의)(?![가-힣]))"
        pattern = rf"(?<![0-9A-Za-z가-힣])({'|'.join(letters)})동{after}"
        for block in re.finditer(pattern, text):
            yield Span(block.start(1), block.end(1), "동", 0.7)
