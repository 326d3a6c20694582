"""Addresses that fit their place: below what stands before them, above what stands behind.

What the text states around a placeholder decides how deep an address goes (서울 강남구 [역삼동 12],
강남구 [역삼]동, 역삼동 [12-3]번지) and what it names: land has a lot and no house or flat. Where
the text states nothing, the label decides (구아래주소).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from random import Random

from thunder.names.patterns.signs import sign
from thunder.taxonomy import gazetteer
from thunder.training_data import mention_makers
from thunder.training_data.filling import facts
from thunder.training_data.filling.facts import Where, short
from thunder.training_data.filling.sources import Form, Group, Land, Site, numbers_of, with_marks
from thunder.training_data.mention_makers.addresses import address_after, buildings, lot

_DRAWS = 60  # of an address, until it has the piece that is asked for

# --- what stands behind -------------------------------------------------------------------------

_END = r"(?=에|의|[ ,.)\n]|$)"
_UNIT_BEHIND = re.compile(
    rf"(?:(?P<division>[동읍면리]){_END}|(?P<lot>번지)|(?P<branch>-[0-9])|"
    r"(?P<road>대로|번길|로|길)(?= ?[0-9])|"
    r"(?P<office> ?(?:주민센터|행정복지센터|사무소|파출소|지구대|일대))|"
    r"(?P<said> (?:산 ?)?[0-9]{1,4}(?:-[0-9]{1,4})?"
    r"(?:번지|(?=[,(]| (?:토지|외|지상|및|소재|임야|전|답|대)(?:[ ,의에를은와]|$)))"
    r"(?![0-9, ]{0,20}호)))"
)
_LAND_BEHIND = re.compile(
    r"(?: ?(?:내지|및|와|과|,|·) ?(?:[가-힣0-9]+ ){0,3}\([^()]{0,20}생략\)){0,3}"
    r" ?(?:(?:임야|과수원|목장용지|잡종지|대지|토지|공장용지|창고용지)"
    r"(?![가-힣])|(?:대지|토지|임야)(?=[의에를은는이가와과로도])|(?:위 |그 )?지상[ 에의]|"
    r"으?로 (?:각 )?(?:분할|합병|환지)|"
    r"(?:도로|구거|유지|묘지|하천|제방|[전답과목임광염대장학차주창도철제천구유양수공체원종사묘잡])?"
    r" ?[0-9][0-9,.]*(?:㎡|평|m)|외 ?[0-9]+ ?필지)"
)
_NO_LAND = re.compile(r"(?:로|길) [0-9]|[,(]|[가-힣]$|[0-9](?: [가-힣]|호)")
_LOT = re.compile(r"(?:.* )?(?:산 ?)?[0-9]+(?:-[0-9]+)?(?=번지|[ ,(]|$)")
_MAIN_LOT = re.compile(r"(?:.*[동읍면리가] )?(?:산 ?)?[0-9]+(?=-[0-9]|번지|[ ,(]|$)")
_DIVISION = re.compile(r"(?:[가-힣0-9]+ )?[가-힣]+[0-9]*[동읍면](?= |$)")
_PLACE = re.compile(r"(?:[가-힣0-9]+ )*[가-힣]+[0-9]*[동읍면리가](?= (?:산 ?)?[0-9]|$)")
_ROAD = re.compile(r"[가-힣0-9]+(?:로|길)(?= [0-9])")

# --- what stands before -------------------------------------------------------------------------

_ROAD_BEFORE = re.compile(r"[시군구읍면] [가-힣0-9]{1,12}(?:로|길) ?$")
_LOWER_BEFORE = re.compile(
    r"(?:[가-힣0-9]{1,5}[읍면동리]|[△○□◇]+[동리]|[가-힣]{2,4}[0-9]가)[ \u00a0]?$"
)
_DISTRICT = re.compile(r"(?:([가-힣]{2,8}) )?([가-힣]{1,5}[시군구])(?=[ ,\u00a0]|에[ 서]|의 )")
_BARE = re.compile(r"(?<![가-힣])([가-힣]{2,8})[ \u00a0]$")
_WITHIN = re.compile(
    r"(?<![가-힣])([가-힣]{2,4}?)[시군구도]?(?: 소재|(?:에|에서|의)(?: (?:있는|위치한|소재한))?) $"
)
_PARENT = re.compile(r"(?:([가-힣]{2,8}) )?([가-힣]{1,5}[시군구읍면])[ \u00a0]?$")
_CITY = re.compile(r"(?<![가-힣])([가-힣]{1,5}시)[ \u00a0]?$")
_SAME = re.compile(r"(?<![가-힣])(같은|위)[ \u00a0]([동읍면리])[ \u00a0]?$")

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


def address_at(
    rng: Random,
    sites: Sequence[Site],
    place: str,
    *,
    level: str = "",
    since: int = 0,
    here: Where = facts.NOWHERE,
) -> str:
    """Return an address for the *sites* of a placeholder that lies in *place*.

    What stands around it is not said again; the site that says most decides how deep it goes.
    With a *level* it lies in a division of that level (리), and says so. *since* is the year in
    which the text speaks of it: roads were no addresses before that of their act. *here* is where
    it is by then: not all provinces call side roads 번길, and what a station stands at is near one.
    """
    draw = partial(_address_at, rng, sites, place, level=level)
    unfit = _unfit(sites, place, since)
    if here.provinces & facts.words("province-without-lanes"):
        unfit.append(_LANE)
    draws = (draw() for _ in range(_DRAWS))
    fitting = (one for one in draws if not any(no.search(one) for no in unfit))
    found = next(fitting, "")
    if stations := _stations_behind(sites, here):
        found = next((one for one in chain((found,), fitting) if one.startswith(stations)), found)
    named = next(filter(None, (_HOUSE_NOUN.match(one.after) for one in sites)), None)
    return _with_house(rng, found or lot(rng), named[0]) if named else found or lot(rng)


def _stations_behind(sites: Sequence[Site], here: Where) -> tuple[str, ...]:
    """Return the stations of the district *here* where one stands behind: [..]에 있는 [..]역."""
    said = next(filter(None, (_AT_A_STATION.match(one.after) for one in sites)), None)
    if said is None or not here.district:
        return ()
    line = f"{said[1]}호선" if said[1] else ""
    found = (facts.stations_at(one, here.district, line) for one in sorted(here.provinces))
    return tuple(one.name for some in found for one in some if len(one.name) > 1)


_AT_A_STATION = re.compile(
    r"(?:에 ?있는|에 위치한|에 소재한| 소재)?,? ?(?:지하철|전철)? ?(?:([0-9])호선 ?)?"
    r"[^가-힣 \n]{1,6}역"
)


def _unfit(sites: Sequence[Site], place: str, since: int) -> list[re.Pattern[str]]:
    """Return what an address at *sites* does not hold: a road in 1998, a 산 under a building."""
    unfit = []
    field = any(_FIELD_BEHIND.match(one.after) for one in sites)
    if 0 < since < _ROADS_SINCE or field:
        unfit.append(_NO_FIELD if field else _BY_ROAD)
    if any(_BUILT_ON.match(one.after) for one in sites):
        unfit.append(_HILL)
    if _COUNTY.search(place) or _COUNTY.search(narrowest(sites).before):
        unfit.append(_DONG)
    if 0 < since < _FEW_CITIES_UNTIL:
        unfit.append(_OF_A_CITY)
    if any(_HOUSE_NOUN.match(one.after) for one in sites):
        unfit.append(_NO_NUMBER)
    return unfit


def _with_house(rng: Random, address: str, noun: str) -> str:
    """Return a lot with the name of the house that *noun* behind it asks for: 12-3 한결|아파트."""
    lot_only = _NUMBERED_LOT.match(address)
    named = [one.removesuffix(noun) for one in buildings() if one.endswith(noun)]
    names = [one for one in named if len(one) > 1]
    return f"{lot_only[0]} {rng.choice(names)}" if lot_only and names else address


_HOUSE_NOUN = facts.context("<house>")
_NUMBERED_LOT = re.compile(r".*?[0-9]+(?:-[0-9]+)?(?![0-9로길번])")
_LANE = re.compile("[0-9]번길")
_BUILT_ON = facts.context(
    r"[^.\n]{0,24}(?:지상|위)(?: |의 )[^.\n]{0,12}(?:층|건물|주택)|"
    r"(?:에 ?있는|에 위치한| 소재|,)[^.\n]{0,16}<premises>"
)
_NO_NUMBER = re.compile("^[^0-9]*$|[동읍면리가]$")
_HILL = re.compile("산 ?[0-9]")
_COUNTY = re.compile(r"[가-힣]{2,3}군[ \u00a0]$")
_DONG = re.compile("^[가-힣]+[0-9]*동(?= |$)")
_FEW_CITIES_UNTIL = 1955
_OF_A_CITY = re.compile("[시구동] ")
_ROADS_SINCE = 2011
_BY_ROAD = re.compile(r"(?:로|길) ?[0-9]")
_NO_FIELD = re.compile(r"(?:로|길) ?[0-9]|산 ?[0-9]")
_FIELD_BEHIND = re.compile(
    r" ?(?:(?:전|답|대|과수원) ?[0-9][0-9,.]*(?:㎡|평|필지)|(?:대지|과수원)(?=[에의를와 ,])|"
    r"토\.?건|[0-9]{3,4}호|지상)"
)


def _address_at(rng: Random, sites: Sequence[Site], place: str, *, level: str) -> str:
    site = narrowest(sites)
    if level:
        lot_in = re.compile(rf"[가-힣]+[0-9]*{level} (?:산 ?)?[0-9]+(?:-[0-9]+)?(?:번지)?")
        draws = (_address(rng, site, place, land=True) for _ in range(_DRAWS))
        if found := next((one for one in draws if lot_in.search(one + " ")), ""):
            return found
    if _ROAD_BEFORE.search(site.before[-24:]):
        number = str(rng.randint(1, 400))
        return number if rng.random() < 0.7 else f"{number}-{rng.randint(1, 30)}"
    behind = next(filter(None, (_UNIT_BEHIND.match(one.after) for one in sites)), None)
    land = any(map(_is_land, sites)) or bool(behind and behind["branch"])
    if behind is None:
        return _address(rng, site, place, land=land)
    for _ in range(_DRAWS):
        piece = _piece(_address(rng, site, place, land=land), behind)
        if piece:
            return piece
    return _address(rng, site, place, land=land)


def narrowest(sites: Sequence[Site]) -> Site:
    """Return the first of *sites* before which the smallest division stands."""
    return max(sites, key=_depth)


def _depth(site: Site) -> int:
    before = site.before[-24:]
    said = (_LOWER_BEFORE, _ROAD_BEFORE, _SAME)
    return 2 if any(pattern.search(before) for pattern in said) else 0


def _is_land(site: Site) -> bool:
    return site.span.label in _LAND or bool(_LAND_BEHIND.match(site.after))


def place_of(site: Site, text: str) -> str:
    """Return the place that *text* states before an address, as it goes on; "" without.

    It stands right before, or was said last: 강남구, 언양읍, 경기.
    """
    if _UNNAMED.search(site.before):
        return "○동 "  # a lot goes on, whatever it is called
    stated = _stated(site.before)
    anew = site.span.label in ("주소", *_LAND) and not site.before.endswith(_DITTO)
    if stated or anew:
        return stated
    earlier = _last_district(text, site.span.start)
    return f"{earlier} " if earlier else ""


_DITTO = ("〃 ", "〃")
_STANDING = re.compile("(?<=[가-힣0-9][동리가])(?:에 있는|에 위치한| 소재) $")
_UNNAMED = re.compile("[△○□◇][동리] $")
_PROVINCE = re.compile(
    "(?<![가-힣])((?:경기|강원|충청[남북]|전라[남북]|경상[남북]|제주)(?:특별자치)?도)[ \u00a0]$"
)


def _piece(address: str, behind: re.Match[str]) -> str:
    """Return the beginning of *address* up to the word that stands behind, "" if it has none."""
    if behind["lot"] or behind["branch"]:
        match = (_LOT if behind["lot"] else _MAIN_LOT).match(address)
        return match[0] if match else ""
    if behind["office"] or behind["said"]:
        match = (_DIVISION if behind["office"] else _PLACE).match(address)
        return match[0] if match else ""
    unit = behind["division"] or behind["road"]
    pattern = _ROAD if behind["road"] else re.compile(rf"(?:[가-힣0-9]+ )?[가-힣]+{unit}(?= |$)")
    match = pattern.match(address)
    whole = match[0] if match else ""
    return whole.removesuffix(unit) if whole.endswith(unit) and len(whole) > len(unit) + 1 else ""


_HOUSE_BEHIND = re.compile(
    r"(?!(?:에|에서)? ?(?:있는|위치한|소재|운영))|"
    r"[^.\n]{0,24}(?:집|주거|주택|빌라|아파트|오피스텔|원룸)"
)
_FLOOR_BEHIND = re.compile(r"[,  ]{0,2}(?:지하 ?)?[0-9]{1,2}층")
_OUTDOORS = facts.context(r"[^.\n]{0,6}(?:앞|옆|뒤|인근|부근)(?:의|에 있는)? ?<street>")
_FLAT = re.compile(r"[0-9]호")
_NEVER, _ANY = re.compile(r"(?!)"), re.compile("")


_HOUSED = re.compile(
    r"[,( ]{0,2}\((?:건물|아파트|빌라|빌딩|오피스텔|상가|호수)[^()\n]{0,8}생략\)|"
    r"[,( ]{0,2}(?:에 ?)?(?:소재|있는|위치한)? ?(?:위 )?\(?[○△▽□◇◎☆●A-Z][^.\n가-힣]{0,12}\)? ?"
    r"(?:[가-힣]{0,4}아파트|오피스텔|빌라|빌딩|맨션|타워|상가|모텔|호텔|건물|연립)"
)
_NUMBERED = re.compile(r"[0-9](?:번지)?$")
_AT_THE_PLACE = re.compile(r" ?(?:앞|옆|뒤|맞은편)(?=[에 ])|(?: 소재|에 ?있는|에 ?위치)|[을를] ")
_WITH_A_NUMBER = re.compile(r"[0-9]")


def _address(rng: Random, site: Site, place: str, *, land: bool) -> str:
    """Return an address below *place*, or where there is none, as the label says.

    Before the name of a house it ends in its number; what stands at a place has one at all.
    """
    label = site.span.label
    make = mention_makers.maker(_BY_LABEL.get(label, "address"))
    if not place and label in _LAND:
        return make(rng)
    draw = partial(address_after, rng, place) if place else partial(make, rng)
    if not land:
        draws = (draw() for _ in range(_DRAWS))
        is_house = _HOUSE_BEHIND.match(site.after) and not _FLOOR_BEHIND.match(site.after)
        is_flat = _NEVER if is_house and not _OUTDOORS.match(site.after) else _FLAT
        if _HOUSED.match(site.after):
            return next((found for found in draws if _NUMBERED.search(found)), draw())
        wanted = _WITH_A_NUMBER if _AT_THE_PLACE.match(site.after) else _ANY
        fitting = (one for one in draws if not is_flat.search(one) and wanted.search(one))
        return next(fitting, draw())
    draws = (draw() for _ in range(_DRAWS))
    return next((found for found in draws if not _NO_LAND.search(found)), draw())


def _stated(before: str) -> str:
    """Return what an address goes on from, of what stands *before* it; "" if that is no place."""
    before = f"{before.rstrip('([ ')} " if before.endswith(("(", "[")) else before
    before = _STANDING.sub(" ", before)
    if _LOWER_BEFORE.search(before):
        return before
    province = _PROVINCE.search(before)
    if province:
        return f"{province[1]} "
    same = _SAME.search(before)
    if same:
        return f"{same[1]}{same[2]} "  # a division without a name, below which a lot stands
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
    known = next((name for name in names if name in gazetteer.districts_by_part()), "")
    return f"{known or within[1]} " if known or gazetteer.bare_district(within[1]) else ""


def _last_district(text: str, end: int) -> str:
    """Return the 시·군·구 said last in *text* before *end*, with the province if that is said."""
    found, city = "", None
    for match in _DISTRICT.finditer(text, max(0, end - _FAR), end):
        in_city = city is not None and not match[1] and match.start() - city.end() <= 1
        above = city[2] if city is not None and in_city else match[1] or ""  # 경북 [포항시 북구]
        found = _known(above, match[2]) or found
        city = match
    return found


def _known(province: str, name: str) -> str:
    """Return a district as today's tables have it (부산 진구 is 부산진구), "" if they do not."""
    if len(name) > 4 and name[2:] in gazetteer.districts_by_part():
        province, name = name[:2], name[2:]  # 서울영등포구
    fulls = gazetteer.districts_by_part().get(name, ())
    lies = any(short(province) == short(full.split()[0]) or province in full for full in fulls)
    above = f"{province} " if province and lies else ""
    if name in gazetteer.districts_by_part():
        return f"{above}{name}"
    joined = f"{province[:2]}{name}"
    return f"{above}{joined}" if joined in gazetteer.districts_by_part() else ""


_FAR = 1500  # characters within which a text goes on speaking of one district


# --- land of one judgment -----------------------------------------------------------------------


def land_of(sites: Sequence[Site], place: str, address: str) -> Land | None:
    """Return where the land at *sites* lies that got *address*; None for what is no land."""
    if not any(_is_land(site) or _AROUND.match(site.after) for site in sites):
        return None
    stated = _last_district(f"{place}{address} ", len(place) + len(address) + 1)
    division = _VILLAGE.match(address)
    return Land(stated.rpartition(" ")[2], division[1] or "" if division else "")


def among(sites: Sequence[Site], lands: Sequence[Land]) -> Land | None:
    """Return which of the *lands* named before the one at *sites* lies beside; None for none.

    Lots of one judgment lie together, unless its words put this one in another 시·군·구, or say
    how deep its address goes.
    """
    site = narrowest(sites)
    around = any(_AROUND.match(one.after) for one in sites) and _AMONG.search(site.before)
    if not around:
        if not any(map(_is_land, sites)) or any(_UNIT_BEHIND.match(one.after) for one in sites):
            return None
        if _depth(site):
            return None
    before = site.before
    own = _last_district(f"{before} ", len(before) + 1).rpartition(" ")[2]
    right_before = _PARENT.search(before) is not None  # no 양평군 [48]: a village must come first
    beside = (
        one
        for one in reversed(lands)
        if (not own or one.district in ("", own))
        and (one.division or not right_before)
        and _lies_in(one.division, _PARENT.search(before))
    )
    found = next(beside, None)
    return found._replace(whole=True) if around and found and found.division else found


def _lies_in(division: str, parent: re.Match[str] | None) -> bool:
    """Return whether a 동·리 may lie in the *parent* said right before: none of 구리시 is a 리."""
    if parent is None or not division:
        return True
    if parent[2][-1] == "군" and division.split()[0].endswith("동"):
        return False
    fulls = gazetteer.districts_by_part().get(parent[2], ())
    towns = {town for full in fulls for town in gazetteer.below(full)}
    if fulls:
        return division.split()[0] in towns
    return parent[2][-1] not in "읍면" or division in gazetteer.villages(parent[2])


def lot_among(rng: Random, land: Land) -> str:
    """Return a lot of the same 동·리 as *land*, of any 리 where no more than its 읍·면 is said."""
    return (
        f"{land.division} {address_after(rng, f'{land.division} ')}" if land.division else lot(rng)
    )


def with_parted_lots(groups: Sequence[Group], text: str) -> list[Group]:
    """Return *groups*, each lot that was divided from another tied to it: 12에서 분할된 12-3."""
    found = list(groups)
    if not any(group.kind == "address" for group in groups):
        return found
    marked = _ASIDE.sub("", with_marks(groups, text, "address"))
    for told in _DIVIDED:
        for match in sign(told).all(marked):
            (whole,) = numbers_of(match["A"])
            for part in numbers_of(match["B"]):
                first, later = sorted((whole, part))  # the one that is filled later takes after it
                if first != later and found[later].parent < 0:
                    found[later] = replace(found[later], parted_from=groups[first].at[0])
    return found


_ASIDE = re.compile(r" ?\((?:[^()⟪⟫]|\([^()⟪⟫]*\))*\)")
_DIVIDED = ("lots-divided", "lot-divided-off", "lot-that-was-divided", "divided-off-lot")


def parted(group: Group, whole: str, taken: set[str], rng: Random) -> Form | None:
    """Return a lot that was divided from *whole*, 12-3 of 12; None where that is none."""
    main = _MAIN_LOT.match(whole)
    if main is None or not _LOT_ENDS.fullmatch(whole, main.end()):
        return None
    lot = main[0].rpartition(" ")[2] if _depth(group.sites[0]) else main[0]
    branch = next((n for n in range(rng.randint(1, 3), 90) if f"{lot}-{n}" not in taken), 0)
    return Form(f"{lot}-{branch}") if branch and f"{lot}-{branch}" != whole else None


_LOT_ENDS = re.compile("(?:-[0-9]+)?(?:번지)?")
_AROUND = re.compile(r" ?(?:일대|일원)")
_AMONG = facts.context("<together>[^.\n]{0,24}$")
_VILLAGE = re.compile(
    r"(?:(?:[가-힣0-9]+ )*?((?:[가-힣0-9]+[읍면] )?[가-힣]+[0-9]*(?:[동읍면리]|[0-9]가)))?"
    r"(?:(?:^| )(?:산 ?)?[0-9]+(?:-[0-9]+)?(?:번지)?)?$"
)


# --- divisions by themselves --------------------------------------------------------------------


def divisions_at(group: Group, label: str) -> Sequence[str]:
    """Return the divisions that may be named: those of its level below what stands before it.

    Where nothing does, they are those of the place that the judgment speaks of. *label* says the
    level; it is not the group's where a body is called after a division.
    """
    site = group.sites[0]
    if not label.startswith("행정") or label[-1] not in "시군구동읍면리":
        return ()
    return _divisions_before(site, label) or _divisions_near(group.here, label[-1])


def _divisions_before(site: Site, label: str) -> Sequence[str]:
    if label[-1] in "시군구":
        level = _METROPOLIS.match(site.after) if label[-1] == "시" else None
        if level:  # [부산]광역시
            return _metropoles(level[0])
        city = _CITY.search(site.before[-24:]) if label[-1] == "구" else None
        boroughs = _below_city(city[1]) if city else ()
        if boroughs:
            return boroughs
        province = _BARE.search(f"{site.before[-24:].rstrip()} ")
        return _districts_of(province[1], label[-1]) if province else ()
    parent = _PARENT.search(site.before[-24:])
    if parent is None:
        return ()
    name = _known(parent[1] or "", parent[2]).rpartition(" ")[2] or parent[2]
    if street := _STREET_BEHIND.match(site.after):  # [장충]동1가
        said = _below(parent[1] or "", name, "가")
        return tuple(one.removesuffix(street[0]) for one in said if one.endswith(street[0]))
    return _below(parent[1] or "", name, label[-1])


_STREET_BEHIND = re.compile("동?[0-9]가")
_METROPOLIS = re.compile("(?:광역|특별|특별자치|직할)시")


@lru_cache(maxsize=1024)
def _divisions_near(here: Where, level: str) -> Sequence[str]:
    """Return the divisions of a level of the place *here*, of its province where it has none."""
    fulls = _within(here.provinces)
    if level in "시군" and not any(one.split()[1][-1] == level for one in fulls):
        fulls = _within(frozenset(facts.around(one) for one in here.provinces))
    near = [full for full in fulls if here.district in full.split()] if here.district else []
    if level in "시군구":
        names = {name for full in fulls for name in full.split()[1:] if name[-1] == level}
        within = {name for full in near for name in full.split()[1:] if name[-1] == "구"}
        return tuple(sorted((level == "구" and within) or names & here.judged or names))
    towns = [town for full in near or fulls for town in gazetteer.below(full).items()]
    if level == "리":
        return tuple(sorted({village for _, villages in towns for village in villages}))
    return tuple(sorted({town for town, _ in towns if town[-1] == level}))


def _within(provinces: facts.Places) -> list[str]:
    return [one for one in gazetteer.district_names() if short(one.split()[0]) in provinces]


@lru_cache(maxsize=8)
def _metropoles(level: str) -> tuple[str, ...]:
    """Return the provinces that are cities of a level (부산, 대구 … for 광역시), without it."""
    level = level.replace("직할시", "광역시")
    provinces = {full.split()[0] for full in gazetteer.district_names()}
    return tuple(sorted(one.removesuffix(level) for one in provinces if one.endswith(level)))


@lru_cache(maxsize=64)
def _below_city(city: str) -> tuple[str, ...]:
    """Return the 구 of a city: 덕양구, 일산동구 and 일산서구 of 고양시."""
    fulls = gazetteer.districts_by_part().get(city, ())
    return tuple(sorted(full.split()[-1] for full in fulls if full.endswith("구")))


@lru_cache(maxsize=256)
def _districts_of(province: str, level: str) -> tuple[str, ...]:
    """Return the 시, 군 or 구 of a province, of which short names are said too (경북, 대구)."""
    parts = (full.split() for full in gazetteer.district_names())
    begin = province[: 3 if province[:2] in ("충청", "전라", "경상") else 2]
    within = {
        name
        for above, *names in parts
        for name in names[:1]
        if above.startswith(begin) or f"{above[0]}{above[2:3]}" == province
    }
    return tuple(sorted(name for name in within if name[-1] == level))


@lru_cache(maxsize=1024)
def _below(province: str, name: str, level: str) -> tuple[str, ...]:
    if name[-1] in "읍면":
        return tuple(sorted(gazetteer.villages(name))) if level == "리" else ()
    fulls = gazetteer.districts_by_part().get(name, ())
    within = [full for full in fulls if province[:2] in full] or fulls
    towns = {town for full in within for town in gazetteer.below(full)}
    return tuple(sorted(town for town in towns if town[-1] == level))


def division_of(group: Group, address: str) -> Form | None:
    """Return the division by which the land at *address* is called; None where it names none."""
    level = group.label[-1]
    said = re.findall(rf"([가-힣]+[0-9]*){level}(?= |$)", address)
    if not said:
        return None
    return Form(said[-1] if group.sites[0].after.startswith(level) else f"{said[-1]}{level}")
