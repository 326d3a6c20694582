"""Which of the mentions drawn fits its place: a station in its city, a flat on its floor.

A mention is drawn from its list again until it fits what stands around it; where the list has
none that fits, what fits is made, or the last one drawn is taken.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from thunder.taxonomy.lexicon import account_layouts, expression, words_of
from thunder.training_data import mention_makers
from thunder.training_data.filling import facts
from thunder.training_data.filling.sources import DRAWS, Form, Group, Mentions, Site
from thunder.training_data.filling.things import YEAR

Fits = Callable[[str], bool]


def fitting(draw: Callable[[], str], fits: Fits | None) -> str:
    """Return the first mention drawn that fits, the last one where none does."""
    mention = draw()
    if fits is None:
        return mention
    for _ in range(DRAWS):
        if fits(mention):
            return mention
        mention = draw()
    return mention


def fits_place(group: Group, text: str) -> Fits | None:
    """Return the question whether a number fits the first place of *group*; None: any does."""
    make, site = _QUESTIONS.get(group.label), group.sites[0]
    if make is None and site.before.endswith("제") and site.after.startswith("호"):
        return str.isdecimal  # 제2134호 열차
    return make(group, text) if make else None


def number_at(group: Group, rng: Random) -> str:
    """Return a number that the place settles, "" if none: an exit, a line, a flat of a floor.

    The exits are those of the station named, the line is one of it, 3층 has 301 to 312.
    """
    site = group.sites[0]
    decade = _DECADE.fullmatch(site.surface) if group.label == "나이" else None
    if decade:
        return f"{decade[1]}{rng.randrange(10)}"
    if group.label in ("번", "출구번호", "번호") and _EXIT_BEHIND.match(site.after):
        return str(rng.randint(1, _exits(site.before)))
    floor = _FLOOR_BEFORE.search(site.before) if group.label in ("호", "호실") else None
    if floor:
        return f"{'B' if floor[1] else ''}{floor[2]}{rng.randint(1, _MOST_UNITS):02d}"
    if group.label == "호" and (flat := _FLAT_LEFT_OUT.search(site.surface)):
        block = f"{rng.randint(101, 112)}동 " if flat[1] else ""
        unit = "" if site.after.startswith("호") else "호"
        return f"{block}{rng.randint(1, 15)}{rng.randint(1, 6):02d}{unit}"
    if group.label == "군부대" and _UNIT_OF_THE_ARMY.match(site.after):
        return f"{'' if site.before.endswith('제') else '제'}{rng.randint(1, 60)}"
    if group.label == "특허번호" or ("등록번호" in site.surface and group.label == "관리번호"):
        return _registered(group, rng)
    if group.label == "날짜":
        return _date(group, rng)
    if group.label == "생년월일":
        age = _AGE_SAID.search(site.before)
        told = None if age else YEAR.search(site.after)
        wed = int(told[1]) if told else 0  # who does something right behind is grown up by then
        year = wed - rng.randint(18, 35) if wed else _now(group) - rng.randint(28, 65)
        if _CHILD_BEFORE.search(site.before):
            year = max(_now(group), wed) - rng.randint(1, 8)
        born = _now(group) - int(age[1]) if age else year
        return f"{born}. {rng.randint(1, 12)}. {rng.randint(1, 28)}."
    if group.label == "호선":
        lines = _lines_before(site.before)
        return rng.choice(lines) if lines else ""
    return ""


def _now(group: Group) -> int:
    """Return the year in which the text speaks, one of late where it says none or of long ago."""
    return group.since if group.since > _LONG_AGO else _OF_LATE


_CHILD_BEFORE = facts.context("<minor>(?: [가-힣0-9 ]{1,6})?[ (]{0,2}$")
_AGE_SAID = re.compile(r"(?<![0-9])([0-9]{1,2})세[,( ]{0,2}$")
_LONG_AGO, _OF_LATE = 1985, 2018


def _date(group: Group, rng: Random) -> str:
    """Return a day of the year of which the text speaks; "" where it says none, or a stretch.

    Behind a year that is said it goes on with the month.
    """
    site = group.sites[0]
    if not group.since or _STRETCH.search(f"{site.before[-_NEAR:]}|{site.after[:_NEAR]}"):
        return ""
    day = f"{rng.randint(1, 12)}. {rng.randint(1, 28)}."
    return day if _YEAR_BEFORE.search(site.before) else f"{group.since}. {day}"


_STRETCH = re.compile("[0-9]박|여행|동안|일정")
_YEAR_BEFORE = re.compile(r"(?:[0-9]{4}(?:\.|년)|같은 해|동년) ?$")


def _registered(group: Group, rng: Random) -> str:
    """Return a number of the register that the words around speak of, given in its year.

    "" where they speak of none.
    """
    site = group.sites[0]
    words = (site.surface, site.before[-40:], site.after)
    found = (one for said in words for one in facts.registers() if re.search(one.said, said))
    register = next(found, None)
    if register is None:
        return ""
    year = max(group.since, register.reached[0][0] + 1) if group.since else 2010
    filed = "출원" in site.surface or _FILED.match(site.after)
    if filed:
        return f"{register.code}-{year}-{rng.randint(1000, 60000):07d}"
    earlier = next(at for at in reversed(register.reached) if at[0] < year)
    later = next((at for at in register.reached if at[0] >= year), register.reached[-1])
    share = (year - earlier[0] - rng.random()) / max(1, later[0] - earlier[0])
    number = f"{int(earlier[1] + share * (later[1] - earlier[1])):07d}"
    if site.before.endswith("제") and site.after.startswith("호"):
        return number.lstrip("0") if rng.random() < 0.5 else f"{register.code}-{number}"
    return f"{register.code}-{number}"


_FILED = re.compile("[으로는의 호]{0,4}출원")
_UNIT_OF_THE_ARMY = facts.context("<military-unit>")
_FLAT_LEFT_OUT = re.compile("(동[·.,및 ]*)?호수")  # the mark stands for block and flat in full
_DECADE = re.compile("([1-9])[○O]")  # an age of which the first digit was left

# --- stations -------------------------------------------------------------------------------------

_EXIT_BEHIND = re.compile("번? ?출구|번$|번 ?출입구")
_STATION_BEFORE = re.compile(r"([가-힣0-9·]{1,12}?)역?['’”\" ]{0,3}(?:지하철 ?)?(?:[0-9]호?선 ?)?$")
_STATION_BEHIND = re.compile(r"['’]? ?(?:지하철|전철|도시철도|기차)?역")
_LINE_BEFORE = re.compile(r"([0-9])호선[ ,'‘]{0,3}$")
_LINE_BEHIND = re.compile(r"역?[ ,'’]{0,3}([0-9])호선")
_MOST_EXITS_UNKNOWN = 4


def station(group: Group, source: Mentions, rng: Random, taken: set[str]) -> Form | None:
    """Return a station that lies where the text speaks of, on the line it names; None: none does.

    Where nothing is known of the 시·군·구, any of the province does.
    """
    site, here = group.sites[0], group.here
    said = _LINE_BEFORE.search(site.before) or _LINE_BEHIND.match(site.after)
    line = f"{said[1]}호선" if said else ""
    wanted = [
        one
        for province in sorted(here.provinces)
        for one in facts.stations_at(province, here.district, line)
    ]
    for province in sorted(here.provinces):
        if not wanted:
            wanted = [*facts.stations_at(province, "", line)] or [
                *facts.stations_at(province, "", "")
            ]
    if not wanted and not here.provinces:
        wanted = [*facts.stations_at("", "", line)]
    free = [one.name for one in wanted if one.name not in taken and source.may_take(one.name)]
    free = free or [one.name for one in wanted if one.name not in taken]
    if not free:
        return None
    beside = [one for one in free if re.search(rf"(?<![가-힣]){one}(?![시군구])", site.before)]
    name = rng.choice(beside or free)  # 역삼로 12에 있는 [역삼]역
    says_so = any(_STATION_BEHIND.match(one.after) for one in group.sites)
    return Form(name, "" if says_so or name.endswith("역") else "역")


def _exits(before: str) -> int:
    """Return how many exits the station before has at least; those of an unknown one are few."""
    match = _STATION_BEFORE.search(before)
    if match is None:
        return _MOST_EXITS_UNKNOWN
    known = facts.stations_by_name()
    names = (match[1][at:] for at in range(len(match[1])))
    found = next((known[name] for name in names if name in known), ())
    return max((one.exits for one in found), default=_MOST_EXITS_UNKNOWN)


def _lines_before(before: str) -> Sequence[str]:
    """Return the numbers of the lines of the station right before, () where there is none."""
    match = _STATION_BEFORE.search(before)
    known = facts.stations_by_name()
    for one in known.get(match[1], ()) if match else ():
        return sorted(line[0] for line in one.lines if line[0].isdecimal())
    where = facts.where(before, len(before))
    in_city = [one for p in where.provinces for one in facts.stations_at(p, where.district, "")]
    in_city = in_city or [one for p in where.provinces for one in facts.stations_at(p, "", "")]
    return sorted({line[0] for one in in_city for line in one.lines if line[0].isdecimal()})


# --- floors, flats, rooms -------------------------------------------------------------------------

_FLOOR_BEFORE = re.compile(
    r"(지하 ?)?([0-9]{1,2})층[ ,'’]{0,3}(?:(?:점포|상가|매장) ?[가-힣A-Z]?)?$"
)
_HOUSE = re.compile("아파트|오피스텔|주상복합|타워")
_LOW = re.compile("빌라|주택|모텔|여관|펜션|원룸|상가|시장")
_FLOORED = re.compile("아파트|오피스텔|빌라|맨션|연립|주상복합|호텔|모텔|여관|원룸")
_UNIT = re.compile(r"(?:([A-Z가-하])-?)?(B|지하)?([0-9]{1,2})([0-9]{2})(?:-[0-9])?")
_PRISON = re.compile("교도소|구치소|구치지소|지소|소년원|수용")
_MOST_UNITS = 12
_HIGHEST_HOUSE, _HIGHEST, _HIGHEST_LOW = 25, 9, 5
_MOST_ROOMS = 30


def _highest(site: Site) -> int:
    """Return how many floors the house has at most that is named before."""
    before = site.before[-40:]
    house, low = _last(_HOUSE, before), _last(_LOW, before)
    if house > low:
        return _HIGHEST_HOUSE
    return _HIGHEST_LOW if low >= 0 else _HIGHEST


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)


def _unit(group: Group, _: str) -> Fits:
    """Return whether a flat or room is on a floor of its house, as its number says."""
    site = group.sites[0]
    highest = _highest(site)
    bare = _FLOORED.search(site.before[-40:]) is None

    def fits(mention: str) -> bool:
        match = _UNIT.fullmatch(mention)
        if not bare and (match is None or not mention.isdecimal()):
            return False
        if match is None:
            return mention.isdecimal() and int(mention) <= _MOST_ROOMS
        _, below, level, unit = match.groups()
        return 1 <= int(unit) <= _MOST_UNITS and int(level) <= (3 if below else highest)

    return fits


def _floor(group: Group, _: str) -> Fits:
    site = group.sites[0]
    highest = 3 if site.before.endswith(("지하", "지하 ")) else _highest(site)
    return lambda mention: mention.isdecimal() and int(mention) <= highest


_BLOCK = re.compile(r"1[0-3][0-9]|20[1-9]|[1-9]|[가-라]|[A-D]")


def _block(_: Group, __: str) -> Fits | None:
    return lambda mention: _BLOCK.fullmatch(mention) is not None


def _room(group: Group, text: str) -> Fits | None:
    site = group.sites[0]
    around = text[max(0, site.span.start - 120) : site.span.start]
    if _PRISON.search(around):
        return None
    return lambda mention: mention.isdecimal() and int(mention) <= _MOST_ROOMS


def _mail(group: Group, _: str) -> Fits:
    return lambda mention: facts.borne(mention.rpartition("@")[2], group.since)


def _number(_: Group, __: str) -> Fits:
    return lambda mention: mention.isdecimal() and int(mention) <= _MOST_ROOMS


_NEXT_DOOR = {"위": 100, "윗": 100, "아래": -100, "아랫": -100, "옆": 1}
_NEXT = re.compile("(?<![가-힣])(?:바로 )?(위|윗|아래|아랫|옆) ?(?:층|집|호실)")
_FLAT = re.compile("(?:[0-9]{1,4}동 ?)?(?P<flat>[0-9]{3,4})호?")


def next_door(group: Group, before: Sequence[Group], forms: Sequence[Form]) -> Form | None:
    """Return the flat above, below or beside the one named last, where the text says so.

    *forms* are those of the groups *before*; None where nothing is said.
    """
    said = _NEXT.search(group.sites[0].before) if group.label in ("호", "호실") else None
    flats = (form.text for one, form in zip(before, forms, strict=True) if one.label == group.label)
    last = next((m for m in map(_FLAT.fullmatch, reversed([*flats])) if m), None) if said else None
    if said is None or last is None:
        return None
    number = int(last["flat"]) + _NEXT_DOOR[said[1]]
    if number < _GROUND:
        return None
    return Form(f"{last[0][: last.start('flat')]}{number}{last[0][last.end('flat') :]}")


_GROUND = 101

# --- plates ---------------------------------------------------------------------------------------

_CYCLE = re.compile("오토바이|이륜|원동기|스쿠터")
_TAXI = re.compile("택시|버스")
_DELIVERY = re.compile("택배")
_TRUCK = facts.context("<lorry>")
_TRUCKS = frozenset(map(str, range(80, 98)))  # what their plates begin with, of two digits or three
_RENTED = re.compile("렌터카|렌트카|렌트 ?차")
_REGION_BEFORE = expression("(?<![가-힣])<region> ?[(]?$")
_PLATE = expression("(?:(<region>) ?)?([가-힣]*?)([0-9]{0,3}) ?([가-힣]) ?[0-9]{4}")
_THREE_DIGITS_SINCE, _NATIONAL_SINCE, _LOCAL_UNTIL = 2019, 2004, 2012


def plate_for_hire(group: Group) -> Callable[[Random], str] | None:
    """Return what makes the plate of a taxi or bus of the place; None for other vehicles."""
    site = group.sites[0]
    around = site.before[-_NEAR:] + "|" + site.after[:_NEAR]
    if group.label != "차량번호" or not _TAXI.search(around) or _CYCLE.search(around):
        return None
    regions = words_of("region")
    here = sorted(group.here.provinces & set(regions)) or regions
    classes = _BUS_CLASSES if _BUS.search(around) else _TAXI_CLASSES

    def make(rng: Random) -> str:
        gap, region = rng.choice(["", " "]), rng.choice(here)
        syllable = rng.choice(words_of("plate-for-hire"))
        return f"{region}{gap}{rng.randint(*classes)}{syllable}{gap}{rng.randrange(10000):04d}"

    return make


_BUS = re.compile("버스")
_TAXI_CLASSES, _BUS_CLASSES = (30, 39), (70, 79)  # what the plates of each begin with
_NEAR = 14  # characters on either side of a plate in which its vehicle is named


def _plate(group: Group, _: str) -> Fits:
    """Return whether a plate is of the kind of vehicle that is named beside it.

    Motorcycles alone have a district, taxis and buses a province and 바사아자, hired cars 하허호.
    """
    site, here = group.sites[0], group.here.provinces
    around = site.before[-_NEAR:] + "|" + site.after[:_NEAR]
    said, year = bool(_REGION_BEFORE.search(site.before)), group.since
    cycle = bool(_CYCLE.search(around)) and not said
    truck = bool(_TRUCK.search(around)) and not _DELIVERY.search(around)
    syllables = (
        words_of("plate-for-hire")
        if _TAXI.search(around)
        else "배"
        if _DELIVERY.search(around)
        else words_of("rental-plate")
        if _RENTED.search(around)
        else words_of("private-plate")
    )

    def fits(mention: str) -> bool:
        match = _PLATE.fullmatch(mention)
        if match is None:
            return False
        region, district, number, syllable = match.groups()
        if cycle or district:
            return cycle and bool(district) and (not here or region in here)
        hired = syllables in (words_of("plate-for-hire"), "배")
        if region and here and not said and region not in here:
            return False
        if truck and number[:2] not in _TRUCKS:
            return False
        local = said or bool(region)
        if len(number) > _TWO_DIGITS and (local or 0 < year < _THREE_DIGITS_SINCE):
            return False
        if year and not hired and not _LOCAL[local](year):
            return False
        return syllable in syllables and (said or bool(region) or not hired)

    return fits


_TWO_DIGITS = 2
_LOCAL: dict[bool, Callable[[int], bool]] = {
    True: lambda year: year < _LOCAL_UNTIL,
    False: lambda year: year >= _NATIONAL_SINCE,
}
"""Whether private plates with a region, and those without, are seen in a year."""

_MOBILE = re.compile("휴대|핸드폰|문자")
_CODE = re.compile("0(?:2|[3-6][1-5])(?![0-9])")


def asks_for_mobile(group: Group) -> bool:
    """Return whether a telephone number is that of a mobile one, by the words before it."""
    said = _MOBILE.search(group.sites[0].before[-_NEAR:]) is not None
    return group.label == "전화번호" and said


def _telephone(group: Group, _: str) -> Fits | None:
    """Return whether a number is a mobile one where one is spoken of, else of the place here."""
    if asks_for_mobile(group):
        return _mobile(group, "")
    table = facts.rows("area_code_facts.tsv")
    codes = {code for place, code in table if place in group.here.provinces}

    def fits(mention: str) -> bool:
        code = _CODE.match(mention)
        return not codes or (code is not None and code[0] in codes)

    return fits


def _resident(group: Group, _: str) -> Fits:
    """Return whether a resident's number is that of a grown-up Korean in the year of the text."""

    def fits(mention: str) -> bool:
        found = _RESIDENT.match(mention)
        return found is not None and _YOUNGEST <= _now(group) - 1900 - int(found[1]) <= _ELDEST

    return fits


_RESIDENT = re.compile(r"([0-9]{2})[0-9]{4}-?[12]")
_YOUNGEST, _ELDEST = 20, 80


def account_at_bank(group: Group) -> Callable[[Random], str] | None:
    """Return what makes an account's number as the bank named before groups it; None without."""
    if group.label != "계좌번호":
        return None
    before = group.sites[0].before[-_BANK_BEFORE:]
    named = (bank if _SAYS_BANK.search(bank) else f"{bank}은행" for bank in account_layouts())
    at = {before.rfind(name): bank for name, bank in zip(named, account_layouts(), strict=True)}
    if max(at) < 0:
        return None
    return partial(mention_makers.bank_account, layouts=account_layouts()[at[max(at)]])


_BANK_BEFORE = 24
_SAYS_BANK = facts.context("(?:<says-bank>)$")


def _bill(group: Group, _: str) -> Fits:
    """Return whether a bill's number is of its year: electronic ones hold their day in it."""
    year = group.since

    def fits(mention: str) -> bool:
        drawn = _ELECTRONIC.fullmatch(mention)
        return drawn is None or (year >= _ELECTRONIC_SINCE and int(drawn[1]) == year)

    return fits


_ELECTRONIC = re.compile(r"[0-9]{3}(20[0-9]{2})[0-9]{13}")
_ELECTRONIC_SINCE = 2005


def _mobile(group: Group, _: str) -> Fits | None:
    """Return whether a mobile number begins as they did in its year: 010 for all by 2021."""
    year = group.since
    if not year:
        return None
    one_net = year >= _ONE_NET_SINCE
    return lambda mention: (
        (mention.startswith("010") == one_net)
        or (_ONE_NET_SINCE - _WHILE_BOTH <= year < _ONE_NET_SINCE)
    )


_ONE_NET_SINCE, _WHILE_BOTH = 2012, 8  # 010 was given from 2004 on


_QUESTIONS: dict[str, Callable[[Group, str], Fits | None]] = {
    "호": _unit,
    "호실": _unit,
    "층": _floor,
    "동": _block,
    "실": _room,
    "번": _number,
    "차량번호": _plate,
    "이메일주소": _mail,
    "전화번호": _telephone,
    "휴대폰번호": _mobile,
    "주민등록번호": _resident,
    "어음번호": _bill,
}
