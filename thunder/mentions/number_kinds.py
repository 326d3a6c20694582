"""What kind of number a tagger saw, told by its digits and the words beside it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from thunder.identifiers.address_parts import is_word
from thunder.names.kinds import is_address, label_of
from thunder.taxonomy.gazetteer import is_division
from thunder.taxonomy.lexicon import expression
from thunder.taxonomy.own import working as load_taxonomy
from thunder.text.spans import Span

_LOT = re.compile(r"[0-9]{1,4}-[0-9]{1,4}")
_PLAIN_LOT = re.compile("[0-9]{2,4}")
_VILLAGE = re.compile(r"(?<![가-힣])([가-힣]{2,5}[동리]) ?\Z")
_REGISTER = re.compile(r"(?<![0-9-])(?:제 ?)?[1-4]0-(?:[0-9]{4}-)?[0-9]{7}(?![0-9-])(?: ?호)?")
_REGISTER_LEAD = expression(r"<property-right>?<registration>? ?(?:제 ?)?")
_REGISTERED = expression(r"<registered-number>[^가-힣\n]*\Z")
_LINE_BEFORE = re.compile(r"(?<![가-힣])([가-힣]{2,5}[동리])(?: ?| ?\n *)\Z")
_LAND = expression(" ?<land-or-its-number>")
_LABELS = {"동": "below-a-dong", "리": "below-a-ri"}
_SIGHT, _LONGEST_VILLAGE = 80, 12


def of_its_shape(text: str, span: Span) -> Span:
    """Return *span* as a lot number if it looks like one: 732-147 is no car's number.

    A number of the patent office's registers is one whatever the tagger called it, with its 제 and
    호: 상표등록 [제40-0123456호], 실용신안등록 제[40-0123456]호.
    """
    if load_taxonomy().label(span.label).treatment != "omission":
        return span
    patent = label_of("patent")
    may_be_one = span.label in (patent, label_of("any-number"))
    register = _register(text, span) if may_be_one else None
    if register and _is_all_of(text, span, register):
        return replace(span, start=register.start(), end=register.end(), label=patent)
    is_lot = _LOT.fullmatch(text, span.start, span.end) is not None or is_below_village(text, span)
    is_registered = _REGISTERED.search(text, max(0, span.start - _SIGHT), span.start) is not None
    return replace(span, label=label_of("lot")) if is_lot and not is_registered else span


def _is_all_of(text: str, span: Span, register: re.Match[str]) -> bool:
    """Return whether *span* holds nothing else: 상표 제40-0123456호, no second number, no name."""
    lead = text[span.start : register.start()] if span.start < register.start() else ""
    return span.end <= register.end() and _REGISTER_LEAD.fullmatch(lead) is not None


def is_below_village(text: str, span: Span) -> bool:
    """Return whether *span* is a number right after the name of a 동 or 리 of the country."""
    village = _VILLAGE.search(text, max(0, span.start - _LONGEST_VILLAGE), span.start)
    is_number = _PLAIN_LOT.fullmatch(text, span.start, span.end) is not None
    return is_number and village is not None and is_division(village[1])


def with_villages(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield lots among disjoint *spans* with the 동 or 리 right before them that stands readable.

    A name that is no division's (a slip of the pen) counts before land only: 위 나람동 12 토지.
    """
    last = 0
    for span in spans:
        village = _LINE_BEFORE.search(text, max(last, span.start - _SIGHT), span.start)
        last = span.end
        if village is None or not _is_lot(text, span) or is_word(village[1]):
            continue
        if is_division(village[1]) or _LAND.match(text, span.end):
            yield replace(span, start=village.start(1), label=label_of(_LABELS[village[1][-1]]))


def _is_lot(text: str, span: Span) -> bool:
    number = _PLAIN_LOT.fullmatch(text, span.start, span.end)
    is_number = number or _LOT.fullmatch(text, span.start, span.end)
    return is_number is not None and is_address(span.label)


def _register(text: str, span: Span) -> re.Match[str] | None:
    """Return the number of a patent or trade mark that *span* lies in or holds, or None."""
    match = _REGISTER.search(text, max(0, span.start - 2), min(len(text), span.end + 2))
    return match if match and span.start < match.end() and match.start() < span.end else None
