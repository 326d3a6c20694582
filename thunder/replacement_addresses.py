"""Addresses that fit their place: below what stands before them, above what stands behind.

What the text states around a placeholder decides how deep an address goes (서울 강남구 [역삼동 12],
강남구 [역삼]동, 역삼동 [12-3]번지); where it states nothing, the label does (구아래주소).
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from thunder import gazetteer, inventions
from thunder.inventions_addresses import address_after
from thunder.replacement_sources import Site

_DRAWS = 60  # of an address, until it has the piece that is asked for

# --- what stands behind -------------------------------------------------------------------------

_END = r"(?=에|의|[ ,.)\n]|$)"
_UNIT_BEHIND = re.compile(
    rf"(?:(?P<division>[동읍면리]){_END}|(?P<lot>번지)|(?P<road>대로|번길|로|길)(?= ?[0-9])|"
    r"(?P<office> ?(?:주민센터|행정복지센터|사무소|파출소|지구대|일대)))"
)
_LOT = re.compile(r"(?:.* )?(?:산 ?)?[0-9]+(?:-[0-9]+)?(?=번지|[ ,(]|$)")
_DIVISION = re.compile(r"(?:[가-힣0-9]+ )?[가-힣]+[0-9]*[동읍면](?= |$)")
_ROAD = re.compile(r"[가-힣0-9]+(?:로|길)(?= [0-9])")

# --- what stands before -------------------------------------------------------------------------

_ROAD_BEFORE = re.compile(r"[시군구읍면] [가-힣0-9]{1,12}(?:로|길) ?$")
_LOWER_BEFORE = re.compile(r"[가-힣0-9]{1,5}[읍면동리][ \u00a0]?$")
_DISTRICT = re.compile(r"(?:([가-힣]{2,8}) )?([가-힣]{1,5}[시군구])(?=[ ,\u00a0]|에[ 서]|의 )")
_BARE = re.compile(r"(?<![가-힣])([가-힣]{2,8})[ \u00a0]$")
_WITHIN = re.compile(
    r"(?<![가-힣])([가-힣]{2,4}?)[시군구도]?(?: 소재|(?:에|에서|의)(?: (?:있는|위치한|소재한))?) $"
)
_PARENT = re.compile(r"(?:([가-힣]{2,8}) )?([가-힣]{1,5}[시군구읍면])[ \u00a0]$")

_BY_LABEL = {
    "구아래주소": "below-gu",
    "군아래주소": "below-gun",
    "시아래주소": "below-si",
    "도아래주소": "below-do",
    "읍아래주소": "below-eup",
    "동아래주소": "below-dong",
    "임야": "forest",
    "토지": "land",
    "필지": "parcel",
}
_LAND = ("임야", "토지", "필지")


def address_at(rng: Random, site: Site, place: str) -> str:
    """Return an address for a placeholder in *place*: what stands around it is not said again."""
    if _ROAD_BEFORE.search(site.before[-24:]):
        number = str(rng.randint(1, 400))
        return number if rng.random() < 0.7 else f"{number}-{rng.randint(1, 30)}"
    behind = _UNIT_BEHIND.match(site.after)
    if behind is None:
        return _address(rng, site, place)
    for _ in range(_DRAWS):
        piece = _piece(_address(rng, site, place), behind)
        if piece:
            return piece
    return _address(rng, site, place)


def place_of(site: Site, text: str) -> str:
    """Return the place that *text* states before an address, as it goes on; "" without.

    It stands right before, or was said last: 강남구, 언양읍, 경기.
    """
    stated = _stated(site.before)
    if stated or site.span.label in ("주소", *_LAND):
        return stated
    earlier = _last_district(text, site.span.start)
    return f"{earlier} " if earlier else ""


def _piece(address: str, behind: re.Match[str]) -> str:
    """Return the beginning of *address* up to the word that stands behind, "" if it has none."""
    if behind["lot"]:
        match = _LOT.match(address)
        return match[0] if match else ""
    if behind["office"]:
        match = _DIVISION.match(address)
        return match[0] if match else ""
    unit = behind["division"] or behind["road"]
    pattern = _ROAD if behind["road"] else re.compile(rf"(?:[가-힣0-9]+ )?[가-힣]+{unit}(?= |$)")
    match = pattern.match(address)
    whole = match[0] if match else ""
    return whole.removesuffix(unit) if whole.endswith(unit) and len(whole) > len(unit) + 1 else ""


def _address(rng: Random, site: Site, place: str) -> str:
    """Return an address below *place*, or where there is none, as the label says."""
    label = site.span.label
    if not place:
        return inventions.maker(_BY_LABEL.get(label, "address"))(rng)
    if label not in _LAND:
        return address_after(rng, place)
    draws = (address_after(rng, place) for _ in range(_DRAWS))
    return next((found for found in draws if not _ROAD.search(found)), address_after(rng, place))


def _stated(before: str) -> str:
    """Return what an address goes on from, of what stands *before* it; "" if that is no place."""
    if _LOWER_BEFORE.search(before):
        return before
    district = _last_district(f"{before} ", len(before) + 1)
    if district:
        return f"{district} "
    bare = _BARE.search(before)
    if bare and any(gazetteer.bare_district(bare[1][:size]) for size in (len(bare[1]), 2)):
        return before
    within = _WITHIN.search(before)
    if within is None:
        return ""
    names = (f"{within[1]}{level}" for level in "시군구")
    known = next((name for name in names if name in _by_name()), "")
    return f"{known or within[1]} " if known or gazetteer.bare_district(within[1]) else ""


def _last_district(text: str, end: int) -> str:
    """Return the 시·군·구 said last in *text* before *end*, with the province if that is said."""
    start = max(0, end - _FAR)
    said = (_known(m[1] or "", m[2]) for m in _DISTRICT.finditer(text, start, end))
    return next(reversed([name for name in said if name]), "")


def _known(province: str, name: str) -> str:
    """Return a district as today's tables have it (부산 진구 is 부산진구), "" if they do not."""
    above = f"{province} " if province else ""
    if name in _by_name():
        return f"{above}{name}"
    joined = f"{province[:2]}{name}"
    return f"{above}{joined}" if joined in _by_name() else ""


_FAR = 1500  # characters within which a text goes on speaking of one district


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, tuple[str, ...]]:
    """Return the full names of the 시·군·구 by each of their parts (분당구, 성남시)."""
    found: dict[str, list[str]] = defaultdict(list)
    for full in gazetteer.district_names():
        for name in full.split()[1:]:
            found[name].append(full)
    return {name: tuple(fulls) for name, fulls in found.items()}


# --- divisions by themselves --------------------------------------------------------------------


def divisions_at(site: Site) -> Sequence[str]:
    """Return the 동, 읍, 면 or 리 that lie below what stands before a site, () if it is unsaid."""
    label = site.span.label
    if not label.startswith("행정") or label[-1] not in "동읍면리":
        return ()
    parent = _PARENT.search(site.before[-24:])
    if parent is None:
        return ()
    name = _known(parent[1] or "", parent[2]).rpartition(" ")[2] or parent[2]
    return _below(parent[1] or "", name, label[-1])


@lru_cache(maxsize=1024)
def _below(province: str, name: str, level: str) -> tuple[str, ...]:
    if name[-1] in "읍면":
        return tuple(sorted(gazetteer.villages(name))) if level == "리" else ()
    fulls = _by_name().get(name, ())
    within = [full for full in fulls if province[:2] in full] or fulls
    towns = {town for full in within for town in gazetteer.below(full)}
    return tuple(sorted(town for town in towns if town[-1] == level))
