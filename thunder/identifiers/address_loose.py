"""Addresses with no 시·군·구 before them: 같은 동 123-5, 문호리 산 12, a 동 named once more."""

import re
from collections.abc import Iterable, Iterator

from thunder.identifiers import address_parts as parts
from thunder.identifiers import address_reading as reading
from thunder.identifiers.address_numbers import LOT, STRICT_LOT
from thunder.identifiers.address_reading import Address, Place
from thunder.identifiers.cues import JOIN
from thunder.taxonomy import gazetteer
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

_SAME = lazy.compile(r"(?:같은 (동|리|가|읍|면|곳)|동소) {1,2}", needs=("같은", "동소"))
_NUMBER_AFTER_NAME = lazy.compile(r"[동리가읍면로길] ?(?:산 ?|지하 ?)?[0-9]")
_TOWN_AND_VILLAGE = lazy.compile(r"[읍면] [가-힣]{1,4}리(?![가-힣]{2})")
_PLACE_WORD = expression(r"\Z| ?(?:<at-house>|[,()])")
_PLACED = expression(r"[동읍면리](?= ?(?:<at-place>|에 (?:있는|위치|소재)))")
_LOT_WORD = lazy.compile("번지")
_LOT_BEFORE = lazy.compile(
    rf"(?<![0-9-])(?:산 ?[0-9]{{1,4}}(?:(?:{JOIN}| ?의 ?)[0-9]{{1,4}})?"
    rf"|[0-9]{{1,4}}(?:{JOIN}| ?의 ?)[0-9]{{1,4}}|[0-9]{{2,4}})(?= ?번지)"
)
_HILL_LOT = lazy.compile(r"산(?<![가-힣0-9]산) ?[0-9]{1,4}(?:-[0-9]{1,4})?(?= (?:임야|토지))")
_HYPHENED_LOT = r"(?<![0-9-])[1-9][0-9]{0,3}-[0-9]{1,4}(?![0-9-])"
_SURE_LOTS = (
    lazy.compile(
        rf"(?:(?<=(?<![0-9])00[동리] )|(?<=[○*][동리] )){_HYPHENED_LOT}(?!라인)",
        needs=("00동 ", "00리 ", "○동 ", "○리 ", "*동 ", "*리 "),
    ),
    lazy.compile(rf"{_HYPHENED_LOT}(?= ?외 ?[0-9]{{1,3}} ?필지)", needs=("필지",)),
    expression(
        rf"{_HYPHENED_LOT}(?= <land-use> [0-9][0-9,.]{{0,10}} ?㎡)",
        needs=("㎡",),
    ),
)
_BRANCHED = lazy.compile(r"(?<![가-힣])([가-힣]{1,7}로) ?[0-9]{1,4}[번가-힣]?길", needs=("길",))
_LAND = expression(" ?(?:<land>|<on-land>|<land-sort> ?[0-9])")
_DIGITS_ONLY = lazy.compile(r"제?(?!00)[0-9]{1,2}[동가리] ?[0-9]")
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
    yield from _after_same(text)
    yield from _numbered(text, known)
    yield from _villages(text)
    yield from _placed(text)
    yield from _lots_by_word(text)
    yield from _lots_by_form(text)
    yield from _branched_roads(text)
    yield from _names_again(text, known)
    yield from _lots_again(text, addresses)


def _after_same(text: str) -> Iterator[Span]:
    for same in _SAME.finditer(text):
        lot = LOT.match(text, same.end())
        if lot:
            label = "동아래주소" if same[1] in ("동", "가", None) else "읍아래주소"
            yield from _with_list(text, Address(same.end(), lot.end(), (), 0.9), label)


def _numbered(text: str, named: frozenset[str]) -> Iterator[Span]:
    done = 0  # the end of the last list: what lies in it is not read again
    for hit in _NUMBER_AFTER_NAME.finditer(text):
        if hit.start() < done:
            continue
        start = _word_start(text, hit.start() + 1)
        if _DIGITS_ONLY.match(text, start) and start > 1:  # 답십리 5동 48, 을지로 3가 12
            start = _word_start(text, start - 1)
        start = _town_start(text, start)
        place = reading.place_at(text, start, known=named.__contains__, by_form=False)
        end = reading.number_end(text, place) if place and place.sure else start
        if place and end > place.end and _is_firm(text, place, end, named):
            end = reading.reference_end(text, end)
            address = Address(start, end, place.names, 0.85)
            for span in _with_list(text, address, _label(place)):
                yield span
                done = max(done, span.end)


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


def _villages(text: str) -> Iterator[Span]:
    """Yield 서종면 문호리 without a number: a 리 that lies in the 면 before it."""
    for hit in _TOWN_AND_VILLAGE.finditer(text):
        start, end = _word_start(text, hit.start() + 1), hit.end()
        villages = gazetteer.villages(text[start : hit.start() + 1])
        if text[hit.start() + 2 : end] in villages:
            yield Span(start, end, "읍아래주소", 0.8)


def _placed(text: str) -> Iterator[Span]:
    """Yield a division that the text calls a place: 역삼동 소재, 문호리에 있는."""
    for hit in _PLACED.finditer(text):
        start = _word_start(text, hit.start() + 1)
        part = parts.division(text, start, gazetteer.is_division)
        if part is None or part.end != hit.start() + 1:
            continue
        if len(part.name) > 2 and not parts.is_common(part.name):
            yield Span(start, part.end, _AGAIN[part.name[-1]], 0.65)


def _lots_by_word(text: str) -> Iterator[Span]:
    for word in _LOT_WORD.finditer(text):
        lot = _LOT_BEFORE.search(text, max(0, word.start() - 12), word.end())
        if lot:
            yield Span(lot.start(), lot.end(), "번지", 0.75)
    for lot in _HILL_LOT.finditer(text):
        yield Span(lot.start(), lot.end(), "번지", 0.75)


def _lots_by_form(text: str) -> Iterator[Span]:
    """Yield lots below what a court masked (00동 12-3), with 외 3필지, with a use and an area."""
    for pattern in _SURE_LOTS:
        for lot in pattern.finditer(text):
            yield Span(lot.start(), lot.end(), "번지", 0.75)


def _branched_roads(text: str) -> Iterator[Span]:
    """Yield roads that branch from one of the table wherever they stand: 번영로 12길을 따라."""
    for road in _BRANCHED.finditer(text):
        if gazetteer.is_road(road[1]) and parts.ends_name(text, road.end()):
            yield Span(road.start(), road.end(), "주소", 0.75)


def _names_again(text: str, named: frozenset[str]) -> Iterator[Span]:
    plain = [name for name in named if not parts.is_common(name)]
    if not plain:
        return
    names = "|".join(map(re.escape, sorted(plain, key=len, reverse=True)))
    for hit in re.finditer(rf"(?<![가-힣0-9])(?:{names})", text):
        if parts.ends_name(text, hit.end()) and not parts.is_office(text, hit.end()):
            label = _AGAIN.get(hit[0][-1], "도로")
            yield Span(hit.start(), hit.end(), label, 0.6)


def _lots_again(text: str, addresses: Iterable[str]) -> Iterator[Span]:
    lots = {lot[0] for address in addresses for lot in _HYPHENED.finditer(address)}
    if not lots:
        return
    longest_first = "|".join(sorted(lots, key=len, reverse=True))
    for hit in re.finditer(rf"(?<![0-9-])(?:산 ?)?(?:{longest_first})(?![0-9-])", text):
        if _LAND.match(text, hit.end()):
            yield Span(hit.start(), hit.end(), "번지", 0.7)
