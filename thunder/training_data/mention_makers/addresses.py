"""Invented addresses of every level, drawn from the real divisions and roads of the gazetteer.

The lots, house numbers and units are made up; an address that exists is met by chance only.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from thunder.settings.resources import folder
from thunder.taxonomy import gazetteer

# --- pieces -------------------------------------------------------------------------------------


def lot(rng: Random) -> str:
    """Return a lot: 123-4, seldom 산 12-3 or 123번지."""
    number = str(rng.randint(1, 1500))
    if rng.random() < 0.6:
        number += f"-{rng.randint(1, 60)}"
    draw = rng.random()
    return f"산 {number}" if draw < 0.05 else f"{number}번지" if draw < 0.1 else number


def forest_lot(rng: Random) -> str:
    """Return a lot of forest land: 산 12-3."""
    number = rng.randint(1, 300)
    joint = " " if rng.random() < 0.8 else ""
    return f"산{joint}{number}" + (f"-{rng.randint(1, 40)}" if rng.random() < 0.6 else "")


def road(rng: Random, town: str, *, abroad: float) -> str:
    """Return a road called after *town*, or at the rate *abroad* a real one from anywhere."""
    stem = re.sub(r"[0-9]*[동읍면가리]$", "", town)
    stem = stem if len(stem) > 1 else town  # 남동로, not 남로
    if rng.random() >= abroad:
        wide = "대로" if town.endswith("동") else "로"
        name = stem + rng.choice(("로", "로", "길", wide, f"로{rng.randint(2, 30)}번길"))
        return re.sub("로대?로", "로", name)  # 충장로5가 lies on 충장로
    name = rng.choice(_roads()).replace("#", str(rng.randint(1, 30)))
    if name[-1] == "로" and rng.random() < 0.4:
        name += f"{rng.randint(1, 200)}{rng.choice(('길', '번길'))}"
    return name


def street(rng: Random, town: str, *, abroad: float = 0.6) -> str:
    """Return a road with its house number: 테헤란로12길 34-5."""
    number = str(rng.randint(1, 400)) + (f"-{rng.randint(1, 30)}" if rng.random() < 0.3 else "")
    return f"{road(rng, town, abroad=abroad)} {number}"


def detail(rng: Random, town: str, *, by_road: bool = False) -> str:
    """Return what stands behind a lot or house number, mostly nothing: , 102동 1203호.

    The 동 in brackets stands behind a road alone (개봉로 31(개봉동)): a lot has said it.
    Never a floor: courts leave floors readable (reference section 1.6), so none was ever hidden.
    """
    draw = rng.random()
    if draw < 0.90:
        return ""
    building = rng.choice(buildings())
    low, office = _LOW.search(building) is not None, _OFFICE.search(building) is not None
    urban = town.endswith(("동", "가"))
    highest = 4 if draw >= 0.96 and low else 20
    unit = f"{rng.randint(1, highest)}{rng.randint(1, 12):02d}호"
    numbered = f"{rng.randint(101, 120)}동"
    block = f"{rng.choice('가나다ABC')}동" if low else numbered
    if draw < 0.93:
        return f", {unit}"
    if draw < 0.96:
        return f", {numbered} {unit}"
    if office and not urban:  # no 세원타워 in a village
        return ""
    if draw < 0.98:
        return f" {building} {unit}" if office else f" {building} {block} {unit}"
    if draw < 0.99 or not urban:
        return f" {building}"
    said = rng.choice((f"({town})", f", {unit}({town}, {building})", f" ({town}, {building})"))
    return said if by_road else f", {unit}"


_LOW = re.compile("연립|빌라|주택|맨션|하이츠|빌$")
_OFFICE = re.compile("빌딩|타워|프라자|센터|오피스텔|파크|스퀘어")

# --- by level -----------------------------------------------------------------------------------


def below_district(rng: Random, district: str, *, abroad: float = 0.6) -> str:
    """Return the address that stands after *district*, a full name of ``district_names``.

    *abroad* is the share of roads that need not lie there: the tables know few by district.
    """
    town, villages = rng.choice(_towns(district))
    place = f"{town} {rng.choice(villages)}" if villages else town
    draw = rng.random()
    if draw < 0.45:
        return f"{place} {lot(rng)}{detail(rng, town)}"
    if draw < 0.85:
        return f"{street(rng, town, abroad=abroad)}{detail(rng, town, by_road=True)}"
    return place if draw < 0.95 else f"{street(rng, town, abroad=abroad)}({town})"


def below_gu(rng: Random) -> str:
    """Return the address after a 구 (구아래주소)."""
    return below_district(rng, rng.choice(_ending("구")))


def below_gun(rng: Random) -> str:
    """Return the address after a 군 (군아래주소)."""
    return below_district(rng, rng.choice(_ending("군")))


def below_si(rng: Random) -> str:
    """Return the address after a 시 that has no 구 (시아래주소)."""
    return below_district(rng, rng.choice(_ending("시")))


def below_do(rng: Random) -> str:
    """Return the address after a 도 or a 광역시, its 시·군·구 first (도아래주소)."""
    district = rng.choice(gazetteer.district_names())
    return f"{district.partition(' ')[2]} {below_district(rng, district)}"


def below_eup(rng: Random) -> str:
    """Return the address after a 읍 or 면: a village, mostly with its lot (읍아래주소)."""
    draw = rng.random()
    if draw < 0.3:
        return street(rng, rng.choice(_eups()))
    village = rng.choice(_villages())
    return village if draw < 0.4 else f"{village} {lot(rng)}{detail(rng, village)}"


def below_dong(rng: Random) -> str:
    """Return the address after a 동: a lot, at times with a unit (동아래주소)."""
    return f"{lot(rng)}{detail(rng, '')}" if rng.random() < 0.9 else forest_lot(rng)


def whole_address(rng: Random) -> str:
    """Return an address from the province down: 경기 성남시 분당구 정자동 12-3 (주소)."""
    district = rng.choice(gazetteer.district_names())
    province, _, rest = district.partition(" ")
    rest = "" if rest == province else f"{rest} "  # 세종 stands in the table as its own 시
    draw = rng.random()
    if draw < 0.5:
        province = _SHORT.get(province) or province[:2]
    above = rest if rest and draw > 0.85 else f"{province} {rest}"
    return f"{above}{below_district(rng, district, abroad=0.0)}"


def land(rng: Random) -> str:
    """Return where a piece of land lies, as the courts write it (토지): 문호리 123-4."""
    draw = rng.random()
    if draw < 0.2:
        return lot(rng)
    if draw < 0.6:
        return f"{_place(rng)} {lot(rng)}"
    more = f" 외 {rng.randint(1, 9)}필지" if draw > 0.93 else ""
    return f"{rng.choice(_villages())} {lot(rng)}{more}"


def forest(rng: Random) -> str:
    """Return where a piece of forest land lies (임야): 동면 만천리 산 12-3."""
    draw = rng.random()
    if draw < 0.3:
        return forest_lot(rng)
    place = _place(rng) if draw < 0.65 else rng.choice(_villages())
    return f"{place} {forest_lot(rng) if draw < 0.93 else lot(rng)}"


def parcel(rng: Random) -> str:
    """Return one of several lots in a row (필지): mostly the lot alone."""
    return lot(rng) if rng.random() < 0.7 else f"{rng.choice(_villages())} {lot(rng)}"


def _place(rng: Random) -> str:
    town, villages = rng.choice(_towns(rng.choice(gazetteer.district_names())))
    return f"{town} {rng.choice(villages)}" if villages else town


_SHORT = {
    "충청북도": "충북",
    "충청남도": "충남",
    "전라남도": "전남",
    "경상북도": "경북",
    "경상남도": "경남",
}

# --- behind what a text says --------------------------------------------------------------------

_BEFORE = re.compile(
    r"(?:([가-힣]{2,8}) )?([가-힣○]{1,5}[0-9]{0,2}[시군구읍면동리]|[가-힣]{2,4}[0-9]가)[ \u00a0]?$"
)
_DISTRICT = re.compile(r"(?:([가-힣]{2,8}) )?([가-힣]{1,5}[시군구])(?=[ ,\u00a0])")
_BARE = re.compile(r"(?<![가-힣])([가-힣]{2,8})[ \u00a0]$")
_UNKNOWN = re.compile("[가-힣][시군구][ \u00a0]?$")
_IN_FULL = {
    "충북": "충청북",
    "충남": "충청남",
    "전남": "전라남",
    "전라북도": "전북",
    "경북": "경상북",
    "경남": "경상남",
}


def address_after(rng: Random, before: str) -> str:
    """Return an address that goes on from *before*, what stands readable in front of it."""
    match = _BEFORE.search(before)
    if match and match[2][-1] in "동리가":
        return lot(rng)
    if match and match[2][-1] in "읍면":
        near = _below(before[: match.start(2)], match[2])
        villages = (
            near or _villages_of(match[2]) or _villages()
        )  # a 면 that is no more has some too
        return f"{rng.choice(villages)} {lot(rng)}"
    district, shown = _district(rng, before)
    return f"{shown}{below_district(rng, district, abroad=0.0)}"


def _below(before: str, town: str) -> tuple[str, ...]:
    """Return the 리 of a 읍·면 of the district said right before: there are three 산내면."""
    district = _RIGHT_BEFORE.search(before)
    fulls = gazetteer.districts_by_part().get(of_today(district[1]), ()) if district else ()
    return tuple(village for full in fulls for village in gazetteer.below(full).get(town, ()))


_RIGHT_BEFORE = re.compile(r"([가-힣]{1,5}[시군구])[ \u00a0]$")


def of_today(district: str) -> str:
    """Return the 시 that a 군 has become (안성군), itself for any other."""
    known = gazetteer.districts_by_part()
    city = f"{district[:-1]}시"
    become = district.endswith("군") and district not in known and city in known
    return city if become else district


def _district(rng: Random, before: str) -> tuple[str, str]:
    """Return the 시·군·구 an address lies in, and what of its name is not yet said in *before*."""
    known = gazetteer.districts_by_part()
    said = [found for found in _DISTRICT.finditer(f"{before} ") if of_today(found[2]) in known]
    if said:
        return rng.choice(_of_province(said[-1][1] or "", known[of_today(said[-1][2])])), ""
    above = [found[1] for found in _DISTRICT.finditer(f"{before} ") if found[1] in known]
    if above:  # a 구 that is no more, or not yet, in the table: 부천시 원미구
        return rng.choice(known[above[-1]]), ""
    bare = _BARE.search(before)
    name = bare[1] if bare else ""
    for city in (f"{name}시", f"{name}군"):
        if city in known:
            return rng.choice(known[city]), ""
    everywhere = gazetteer.district_names()
    within = _of_province(name, everywhere)
    district = rng.choice(within)
    province, _, rest = district.partition(" ")
    if within is everywhere:
        rest = "" if _UNKNOWN.search(before) else district  # 연기군 [..] is below it all the same
    return district, "" if rest == province else f"{rest} "


def _of_province(name: str, districts: Sequence[str]) -> Sequence[str]:
    start = _IN_FULL.get(name) or name[:2]
    return [full for full in districts if name and start in full] or districts


# --- tables -------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _ending(level: str) -> tuple[str, ...]:
    return tuple(name for name in gazetteer.district_names() if name.endswith(level))


@lru_cache(maxsize=512)
def _towns(district: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(sorted(gazetteer.below(district).items()))


@lru_cache(maxsize=2048)
def _villages_of(town: str) -> tuple[str, ...]:
    return tuple(sorted(gazetteer.villages(town)))


@lru_cache(maxsize=1)
def _villages() -> tuple[str, ...]:
    """Return every 리, as often as it exists."""
    districts = map(_towns, gazetteer.district_names())
    return tuple(village for towns in districts for _, below in towns for village in below)


@lru_cache(maxsize=1)
def _eups() -> tuple[str, ...]:
    districts = map(_towns, gazetteer.district_names())
    return tuple(town for towns in districts for town, _ in towns if town[-1] in "읍면")


@lru_cache(maxsize=1)
def _roads() -> tuple[str, ...]:
    return tuple(road for road in gazetteer.roads() if "·" not in road)  # 오봉로·철도박물관로


@lru_cache(maxsize=1)
def buildings() -> tuple[str, ...]:
    """Return the names of buildings that addresses go on with, their nouns with them."""
    path = folder("replacement_lists") / "parts" / "building_names.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))
