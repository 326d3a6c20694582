"""Reads one address below a readable level, and the further ones of a list."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from thunder.identifiers import address_parts as parts
from thunder.identifiers.address_numbers import BUILDING_NUMBER, LISTED_LOT, LOT, NEXT, STRICT_LOT
from thunder.identifiers.address_parts import Part
from thunder.taxonomy import gazetteer
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy

Known = Callable[[str], bool]


class Address(NamedTuple):
    """An address below one level: where it stands, the names in it, and how sure it is."""

    start: int
    end: int
    names: tuple[str, ...]
    score: float


class Place(NamedTuple):
    """A division or road with what it lies in: 서종면 문호리, 테헤란로12길."""

    end: int
    names: tuple[str, ...]
    sure: bool
    is_road: bool


_SUPPORT = expression(
    r"(?P<firm>에 ?(?:있|위치|소재)|\s{0,40}(?:<at-place>|이하|[(○]))"
    r"|에(?:서|는)?(?![가-힣])|\s{0,40}(?:<near-place>|,)"
)
_REFERENCE = lazy.compile(r" ?\( ?([^()\n]{2,16}?) ?\)")
# Between a building number and the bracket stand only a floor, a unit or a building's name.
_LATER_REFERENCE = lazy.compile(r"(?:(?!에 |에서|[은는을를이가의] )[^()\n.]){0,40}\( ?")
_JOINED = lazy.compile(  # 가람동123, 00읍0리000, right behind a 시·군·구
    r"(?:(?:[가-힣]{1,4}|0{1,3}|○{1,3})[읍면])?((?:[가-힣]{2,4}?|0{1,3}|○{1,3})[동리])(?=[0-9])"
)


def read(text: str, at: int, *, known: Known, by_form: bool) -> Address | None:
    """Return the address that begins at *at*, or None.

    A name *known* below the level stands by itself; any other Korean division or road, and with
    *by_form* what is only shaped like one, needs a number or a word such as 소재 after it.
    """
    place = place_at(text, at, known=known, by_form=by_form)
    if place is None or parts.is_office(text, place.end):
        return None
    end = number_end(text, place)
    numbered = end > place.end
    if not numbered and not _stands_alone(text, place, known):
        return None
    end = reference_end(text, end) if numbered else end
    names = place.names if numbered or not place.is_road else ()  # 종로 alone is told again freely
    return Address(at, end, names, 0.99 if place.sure else 0.9 if numbered else 0.8)


def place_at(text: str, at: int, *, known: Known, by_form: bool) -> Place | None:
    """Return the division or road at *at*; of both, the longer (이동로 12 is no 이동)."""
    part = parts.division(text, at, known) or parts.division(text, at, gazetteer.is_division)
    road = _road(text, at, known_only=not by_form)
    if road and (part is None or road.end > part.end):
        return Place(road.end, (road.name,), road.sure, is_road=True)
    if part is None and by_form:
        part = parts.division_by_form(text, at)
    if part is None:
        return None
    return _below_town(text, part) or Place(part.end, (part.name,), part.sure, is_road=False)


def joined(text: str, at: int) -> Address | None:
    """Return the 동 or 리 of whatever name that begins at *at* with a lot right behind, or None."""
    place = _JOINED.match(text, at)
    lot = LOT.match(text, place.end()) if place and not parts.is_word(place[1]) else None
    if place is None or lot is None:
        return None
    return Address(at, lot.end(), (place[1],) if "가" <= place[1][0] <= "힣" else (), 0.85)


def _road(text: str, at: int, *, known_only: bool) -> Part | None:
    part = parts.road(text, at)
    if part is None or part.sure:
        return part
    if known_only:
        return None
    numbered = BUILDING_NUMBER.match(text, part.end)
    return part if numbered or _is_supported(text, part.end, firmly=True) else None


def _below_town(text: str, town: Part) -> Place | None:
    """Return the 리 or road that follows a 읍 or 면, or None."""
    if town.name[-1] not in "읍면":
        return None
    at = parts.skip_space(text, town.end)
    villages = gazetteer.villages(town.name)
    village = parts.division(text, at, villages.__contains__) or parts.division_by_form(text, at)
    village = village if village and village.name[-1] == "리" else None
    road = _road(text, at, known_only=False)
    longer = road is not None and (village is None or road.end > village.end)
    if road and longer and (parts.is_branched(road.name) or BUILDING_NUMBER.match(text, road.end)):
        return Place(road.end, (town.name, road.name), town.sure, is_road=True)
    if village:
        return Place(village.end, (town.name, village.name), town.sure, is_road=False)
    return None


def number_end(text: str, place: Place) -> int:
    number = (BUILDING_NUMBER if place.is_road else LOT).match(text, place.end)
    return number.end() if number else place.end


def _stands_alone(text: str, place: Place, known: Known) -> bool:
    """Return whether a place with no number is one: by its name, or by what follows it."""
    name = place.names[0]
    if len(place.names) > 1 or name.endswith("읍"):
        return True
    weak = parts.is_common(name) or not place.sure
    if not weak and (known(name) or (len(name) > 2 and name[-1] != "리")):
        return True
    return _is_supported(text, place.end, firmly=name[-1] in "면로길")


def _is_supported(text: str, end: int, *, firmly: bool) -> bool:
    """Return whether a word for a place stands at *end*: 소재, 에 있는; or, not *firmly*, 에서."""
    support = _SUPPORT.match(text, end)
    return support is not None and (not firmly or support["firm"] is not None)


def reference_end(text: str, end: int) -> int:
    """Return where a bracket that only repeats the place ends: 세종대로 1 (태평로1가)."""
    inside = _REFERENCE.match(text, end)
    if not inside:
        return end
    at = inside.start(1)
    part = parts.division(text, at, gazetteer.is_division) or parts.division_by_form(text, at)
    return inside.end() if part and part.end == inside.end(1) else end


def rest(text: str, address: Address, *, known: Known) -> Iterator[Address]:
    """Yield the further addresses of a list that begins with *address*, and a later bracket.

    역삼동 123-4, [123-5] 및 [논현동 12]; 테헤란로 12, 5층 ([역삼동], …).
    """
    end = address.end
    while True:
        item = _next_item(text, end, known)
        if item is None:
            break
        yield item
        end = item.end
    later = _later_reference(text, end, known)
    if later:
        yield later


def _next_item(text: str, end: int, known: Known) -> Address | None:
    gap = NEXT.match(text, end)
    if not gap:
        return None
    at = gap.end()
    lot = STRICT_LOT.match(text, at) or LISTED_LOT.match(text, at)
    if lot:
        return Address(at, lot.end(), (), 0.9)
    part = parts.division(text, at, known) or parts.division(text, at, gazetteer.is_division)
    road = parts.road(text, at)
    if not (road and road.sure and BUILDING_NUMBER.match(text, road.end)) and (
        part is None or parts.is_common(part.name) or (len(part.name) < 3 and not known(part.name))
    ):
        return None
    return read(text, at, known=known, by_form=False)


def _later_reference(text: str, end: int, known: Known) -> Address | None:
    opening = _LATER_REFERENCE.match(text, end)
    if not opening:
        return None
    at = opening.end()
    part = parts.division(text, at, known)
    if part is None or text[part.end : part.end + 1] not in (",", ")"):
        return None
    return Address(at, part.end, (part.name,), 0.95)
