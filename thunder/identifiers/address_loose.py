"""Addresses with no 시·군·구 before them: 같은 동 123-5, 문호리 산 12, a 동 named once more."""

import re
from collections.abc import Iterable, Iterator

from thunder.identifiers import address_parts as parts
from thunder.identifiers import address_reading as reading
from thunder.identifiers import formats
from thunder.identifiers.address_numbers import LOT, STRICT_LOT
from thunder.identifiers.address_reading import Address, Place
from thunder.taxonomy import gazetteer
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

ON_LAND = formats.Recogniser("lot_of_land")
"""Lots before a word for land, which are known again by what an address has named."""

# Where the name of a division or road may end, by what follows: a lot, a number, a 리, 소재.
_NAME_ENDS = expression(
    r"(?P<same>같은 [동리가읍면곳]|동소) {1,2}"
    r"|[동리가읍면로길](?=(?P<number> ?(?:산 ?|지하 ?)?[0-9]))"
    r"|[읍면](?= (?P<village>[가-힣]{1,4}리)(?![가-힣]{2}))"
    r"|[동읍면리](?= ?(?:<at-place>|에 (?:있는|위치|소재)))"
)
_PLACE_WORD = expression(r"\Z| ?(?:<at-house>|[,()])")
_WORD_BEFORE = lazy.compile(r"[가-힣A-Z0-9·]+$")
_HYPHENED = lazy.compile(r"[0-9]{1,4}-[0-9]{1,4}")
_AGAIN = {
    "동": "행정동",
    "가": "행정동",
    "리": "행정리",
    "면": "행정면",
    "읍": "행정읍",
    "길": "길",
}


def find(text: str, *, names: Iterable[str], addresses: Iterable[str]) -> Iterator[Span]:
    """Yield the addresses of *text* that no 시·군·구 introduces, in no order; some may overlap.

    *names* are the 동, 리, 면 and roads that addresses in the same text have named, *addresses*
    those addresses: their names and lots are found again wherever they stand.
    """
    known = frozenset(names)
    yield from _named(text, known)
    yield from _names_again(text, known)
    lots = {lot for address in addresses for lot in _HYPHENED.findall(address)}
    for span in ON_LAND.find(text) if lots else ():
        if text[span.start : span.end].removeprefix("산").lstrip() in lots:
            yield span


def _named(text: str, known: frozenset[str]) -> Iterator[Span]:
    """Yield what the names of divisions and roads begin, read at each place where one may end."""
    done = 0  # the end of the last list: what lies in it is not read again
    for hit in _NAME_ENDS.finditer(text):
        if hit["same"]:
            yield from _below_the_same(text, hit)
        elif hit["village"]:
            yield from _village(text, hit)
        elif not hit["number"]:
            yield from _placed(text, hit.end())
        elif hit.start() >= done:
            for span in _numbered(text, hit.end(), known):
                yield span
                done = max(done, span.end)


def _below_the_same(text: str, same: re.Match[str]) -> Iterator[Span]:
    lot = LOT.match(text, same.end())
    if lot:
        label = "동아래주소" if same["same"].split()[-1][0] in "동가" else "읍아래주소"
        yield from _with_list(text, Address(same.end(), lot.end(), (), 0.9), label)


def _numbered(text: str, name_end: int, named: frozenset[str]) -> Iterator[Span]:
    start = _word_start(text, name_end)
    start = _town_start(text, start)
    place = reading.place_at(text, start, known=named.__contains__, by_form=False)
    if not (place and place.sure):
        return
    end = reading.number_end(text, place)
    if end > place.end and _is_firm(text, place, end, named):
        end = reading.reference_end(text, end)
        yield from _with_list(text, Address(start, end, place.names, 0.85), _label(place))
    elif (
        place.is_road and gazetteer.trunk(place.names[-1]) != place.names[-1]
    ):  # 번영로 12길을 따라
        yield Span(start, place.end, _label(place), 0.75)


def _word_start(text: str, end: int) -> int:
    word = _WORD_BEFORE.search(text, max(0, end - 12), end)
    return word.start() if word else end


def _town_start(text: str, start: int) -> int:
    """Return where the 읍 or 면 before the word at *start* begins, else *start*."""
    before = _word_start(text, start - 1) if start > 2 and text[start - 1] == " " else start
    town = text[before : start - 1] if before < start else ""
    return before if town and town[-1] in "읍면" and gazetteer.is_division(town) else start


def _is_firm(text: str, place: Place, end: int, named: frozenset[str]) -> bool:
    """Return whether the number that ends at *end* can only be the lot or building number."""
    name, number = place.names[-1], text[place.end : end].strip()
    strict = STRICT_LOT.match(text, parts.skip_space(text, place.end)) is not None
    if place.is_road:
        firm = name[-1] == "길" or _PLACE_WORD.match(text, end) is not None
        return parts.is_branched(name) or (firm and len(name) > 2 and len(number) > 1)
    if name in named or len(place.names) > 1:
        return True
    if parts.is_common(name):
        return strict and "번지" in number
    return strict or (len(name) > 2 and len(number) > 1 and name[-1] not in "읍면")


def _label(place: Place) -> str:
    if place.is_road and len(place.names) == 1:
        return "주소"
    return "동아래주소" if place.names[0][-1] in "동가로" else "읍아래주소"


def _with_list(text: str, address: Address, label: str) -> Iterator[Span]:
    yield Span(address.start, address.end, label, address.score)
    for item in reading.rest(text, address, known=gazetteer.is_division):
        yield Span(item.start, item.end, label, 0.8)


def _village(text: str, hit: re.Match[str]) -> Iterator[Span]:
    """Yield 서종면 문호리 without a number: a 리 that lies in the 면 before it."""
    start = _word_start(text, hit.end())
    if hit["village"] in gazetteer.villages(text[start : hit.end()]):
        yield Span(start, hit.end("village"), "읍아래주소", 0.8)


def _placed(text: str, end: int) -> Iterator[Span]:
    """Yield a division that the text calls a place: 역삼동 소재, 문호리에 있는."""
    start = _word_start(text, end)
    part = parts.division(text, start, gazetteer.is_division)
    if part and part.end == end and len(part.name) > 2 and not parts.is_common(part.name):
        yield Span(start, end, _AGAIN[part.name[-1]], 0.65)


def _names_again(text: str, named: frozenset[str]) -> Iterator[Span]:
    plain = [name for name in named if not parts.is_common(name)]
    if not plain:
        return
    names = "|".join(map(re.escape, sorted(plain, key=len, reverse=True)))
    for hit in re.finditer(rf"(?<![가-힣0-9])(?:{names})", text):
        if parts.ends_name(text, hit.end()) and not parts.is_office(text, hit.end()):
            yield Span(hit.start(), hit.end(), _AGAIN.get(hit[0][-1], "도로"), 0.6)
