"""What is so in the world, for mentions to agree with: where stations lie, when banks existed.

The facts are data, tables ``parts/*_facts.tsv`` of the replacement lists, each with its source.
What they do not know is taken as fitting.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from thunder.settings import resources
from thunder.taxonomy import gazetteer
from thunder.training_data.lists.lines import read_lines

Places = frozenset[str]
"""Provinces in short (서울, 경기), of which a place may be in any."""


class Station(NamedTuple):
    """A station, its province and 시·군·구, its lines, and the exits that it has at least."""

    name: str
    province: str
    district: str
    lines: frozenset[str]
    exits: int


class Years(NamedTuple):
    """From when to when a firm bore a name, and whether people (not firms alone) are served."""

    first: int
    last: int
    people: bool


def short(province: str) -> str:
    """Return the two syllables by which a province is called: 충청북도 and 충북 are 충북."""
    name = _OLD.get(province, province)
    return f"{name[0]}{name[2]}" if name[:2] in ("충청", "전라", "경상") else name[:2]


_OLD = {"전북특별자치도": "전북", "강원특별자치도": "강원", "제주특별자치도": "제주"}


@lru_cache(maxsize=1)
def stations() -> Sequence[Station]:
    """Return all stations of the table."""
    return tuple(
        Station(name, province, district, frozenset(lines.split()), int(exits))
        for name, province, district, lines, exits in rows("station_facts.tsv")
    )


@lru_cache(maxsize=256)
def stations_at(province: str, district: str, line: str) -> Sequence[Station]:
    """Return the stations of a district and line, "" for any; those of a body (시청) left out."""
    return tuple(
        one
        for one in stations()
        if (not province or one.province == province)
        and (not district or one.district == district)
        and (not line or line in one.lines)
        and not one.name.endswith("청")
    )


@lru_cache(maxsize=1)
def stations_by_name() -> Mapping[str, Sequence[Station]]:
    """Return the stations by their names."""
    found: dict[str, list[Station]] = defaultdict(list)
    for one in stations():
        found[one.name].append(one)
    return found


@lru_cache(maxsize=1)
def years() -> Mapping[str, Years]:
    """Return the years of the names of banks and insurers."""
    return {
        name: Years(int(first), 9999 if last == "-" else int(last), people == "yes")
        for name, first, last, people in rows("bank_facts.tsv")
    }


def existed(name: str, year: int) -> bool:
    """Return whether a bank or insurer may be named so in *year* and have people's accounts.

    *year* is 0 where the text says none.
    """
    known = years().get(_BRANCH.sub("", name))
    if known is None:
        return True
    return known.people and (not year or known.first <= year <= known.last)


_BRANCH = re.compile(r"(?:은행)?(?: .*)?$")


def ended(name: str) -> bool:
    """Return whether a bank or insurer bears *name* no more, as one that went bankrupt does."""
    known = years().get(_BRANCH.sub("", name))
    return known is None or known.last < _STILL


_STILL = 9999


def sold(product: str, year: int) -> bool:
    """Return whether an insurance product may be sold in *year*, which a tariff's month says.

    (무)하이라이프어린이보험(2202) is of February 2022, and a contract of that year or the next;
    before the tariffs bore months no name has one.
    """
    tariff = _TARIFF.search(product)
    if not year or tariff is None:
        return True
    return year - 1 <= 2000 + int(tariff[1]) <= year


_TARIFF = re.compile(r"\(([0-9]{2})(?:0[1-9]|1[0-2])\)")


# --- names and trades -----------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _names() -> Mapping[str, tuple[int, int]]:
    """Return from when to when firms and brands are called so, by the beginning of their names.

    A manner of names (English words, spelled letters) has a first year, too.
    """
    manners = {
        name: (int(first), 9999)
        for path, first in rows("manner_facts.tsv")
        for name in lines(path)
        if len(name) > 1
    }
    return manners | {
        name: (int(first), 9999 if last == "-" else int(last))
        for name, first, last in rows("name_facts.tsv")
    }


def borne(name: str, year: int) -> bool:
    """Return whether a firm, a brand or a mail service may be called *name* in *year* (0: unsaid).

    The longest beginning that the table knows says so.
    """
    known = _names()
    start = next((name[:n] for n in range(len(name), 1, -1) if name[:n] in known), "")
    first, last = known.get(start, (0, 9999))
    return not year or first <= year <= last


class Trade(NamedTuple):
    """Since when names of firms hold a word, and what a judgment must say for it to fit."""

    first: int
    said: str


@lru_cache(maxsize=1)
def _trades() -> tuple[re.Pattern[str], Mapping[str, Trade]]:
    table = rows("trade_facts.tsv")
    table.sort(key=lambda row: -len(row[0]))
    words = (
        f"{re.escape(word[1:])}$"
        if word[0] == "-"
        else f"^{re.escape(word[:-1])}"
        if word[-1] == "-"
        else re.escape(word)
        for word, *_ in table
    )
    known = {word.strip("-"): Trade(int(first), said) for word, first, said in table}
    return re.compile("|".join(words)), known


@lru_cache(maxsize=1)
def trade_words() -> frozenset[str]:
    """Return the words for a trade in which names of firms end: 종합건설 is said behind a name."""
    return frozenset(word for word in _trades()[1] if len(word) > 1)


def fits_trade(name: str, text: str, kind: str, year: int, *, near: str = "") -> bool:
    """Return whether the firm *name* may stand in *text*, which must speak of the trade it names.

    What is said of it elsewhere (its *kind*) counts too; where a trade is said *near* the firm,
    it must be this one. *year* is the first in which the text speaks of it, 0 where it says none.
    """
    text = near if near and _any_trade().search(near) else text
    words, known = _trades()
    for found in words.finditer(name):
        trade = known[found[0]]
        if year and year < trade.first:
            return False
        if trade.said != "-" and not _speaks_of(trade.said, text, kind):
            return False
    return True


@lru_cache(maxsize=1)
def _any_trade() -> re.Pattern[str]:
    """Return an expression for any word that speaks of a trade."""
    said = {trade.said for trade in _trades()[1].values() if trade.said != "-"}
    return re.compile("|".join(sorted({word for one in said for word in one.split("|")})))


@lru_cache(maxsize=1)
def _listed() -> Mapping[str, str]:
    """Return the firms of the stock exchange, and what a judgment says of one with its trade."""
    return {name: said for path, said in rows("listed_facts.tsv") for name in lines(path)}


def fits_listed(name: str, near: str, year: int) -> bool:
    """Return whether *name* is no firm of the stock exchange, or may be the one spoken of *near*.

    Everybody can look up what it makes, and that few were called so a generation ago.
    """
    said = _listed().get(name)
    if said is None:
        return True
    if (year and year < _LISTED_SINCE) or said == "-":
        return False
    return re.search(said, near) is not None


_LISTED_SINCE = 1995


@lru_cache(maxsize=1)
def goods() -> Sequence[str]:
    """Return what products are, the longest first; a judgment speaks of what one of them is."""
    return sorted(lines("parts/product_goods.txt"), key=len, reverse=True)


@lru_cache(maxsize=2048)
def _speaks_of(said: str, text: str, kind: str) -> bool:
    return re.search(said, kind) is not None or re.search(said, text) is not None


class Register(NamedTuple):
    """A register of industrial property: its code, what speaks of it, numbers by the year."""

    code: str
    said: str
    reached: Sequence[tuple[int, int]]


@lru_cache(maxsize=1)
def registers() -> Sequence[Register]:
    """Return the registers of patents, utility models, designs and trade marks."""
    return tuple(
        Register(code, said, tuple((int(at[:4]), int(at[5:])) for at in reached.split()))
        for code, said, reached in rows("register_facts.tsv")
    )


# --- which list -----------------------------------------------------------------------------------


class Drawn(NamedTuple):
    """A noun before, behind or inside a mark, and the label whose mentions fit it then."""

    where: str
    noun: str
    label: str
    ending: str


@lru_cache(maxsize=1)
def drawn() -> Sequence[Drawn]:
    """Return the nouns that say of what kind the name of a body is, the longest first."""
    found = (
        Drawn(where, noun, label, "" if ending == "-" else ending)
        for where, noun, label, ending in rows("drawn_facts.tsv")
    )
    order = ("inside", "before", "behind")
    return sorted(found, key=lambda one: (order.index(one.where), -len(one.noun)))


@lru_cache(maxsize=1)
def _divisions() -> Mapping[str, tuple[int, int]]:
    """Return from when to when divisions were called so."""
    return {
        name: (int(first), 9999 if last == "-" else int(last))
        for name, first, last in rows("division_facts.tsv")
    }


def stood(division: str, year: int) -> bool:
    """Return whether a division (당진시, 기흥구) was one of that level in *year*, 0 for unsaid."""
    first, last = _divisions().get(division, (0, 9999))
    return not year or first <= year <= last


@lru_cache(maxsize=16)
def lines(path: str) -> Sequence[str]:
    """Return the first column of a table of the replacement lists: parts/body_region.txt."""
    return tuple(row[0] for row in rows(path.removeprefix("parts/")))


# --- words of the context -------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _context() -> Mapping[str, str]:
    """Return the words of each class of the context, the longest first, as alternatives."""
    return {
        name: "|".join(sorted(map(re.escape, words.split("|")), key=len, reverse=True))
        for name, words in rows("context_facts.tsv")
    }


def words(name: str) -> frozenset[str]:
    """Return the words of a class of the context."""
    return frozenset(dict(rows("context_facts.tsv"))[name].split("|"))


def context(pattern: str) -> re.Pattern[str]:
    """Return *pattern* compiled, a class of the context in place of each name in < >."""
    return re.compile(_CLASS.sub(lambda match: f"(?:{_context()[match[1]]})", pattern))


_CLASS = re.compile(r"(?<!\?P)<([a-z][a-z-]*)>")


# --- where ----------------------------------------------------------------------------------------

_SAID = re.compile(r"(?<![가-힣])(?:([가-힣]{2,7}) )?([가-힣]{1,5}[시군구])(?=[ ,\u00a0가-힣]|$)")
_CITY = re.compile(
    r"(?<![가-힣])(서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주)"
    r"(?=[ 시도특광에])"
)
_FAR = 1500  # characters in which a text goes on speaking of one place


class Where(NamedTuple):
    """What a text said last of a place: its provinces, and the 시·군·구, "" where unsaid.

    Where only its court says so, *judged* are the 시·군·구 that have their cases there.
    """

    provinces: Places
    district: str
    judged: Places = frozenset()


NOWHERE = Where(frozenset(), "")
Filled = Sequence[tuple[int, str]]
"""What was filled in at which character of a text: addresses that say where it goes on."""


def where(text: str, end: int, filled: Filled = ()) -> Where:
    """Return the place that *text* speaks of before *end*, soon behind it where none is before.

    What was *filled* in before *end* says so, too; NOWHERE where nothing does.
    """
    office = _BY_OFFICE.search(text, max(0, end - _OFFICE), end)
    full = district_of(office[1]) if office else ""
    if full:
        return Where(frozenset({short(full.split()[0])}), full.split()[1])
    said, at = _said_last(text, max(0, end - _FAR), end)
    for start, address in reversed(filled):
        if at < start < end and (place := _said_last(f"{address} ", 0, len(address) + 1)[0]):
            return place
    ahead = text[end : end + _AHEAD].partition("\n")[0]
    near = said or _said_first(ahead) or _said_last(ahead, 0, len(ahead))[0]
    return near or _only_one(text) or _court_at(text)


@lru_cache(maxsize=64)
def _only_one(text: str) -> Where | None:
    """Return the 시·군·구 that is the only one said in *text*, wherever: 서대문구고시 제12호."""
    said = {place for place in map(_district_said, _SAID.finditer(text)) if place}
    return said.pop() if len(said) == 1 else None


_BY_OFFICE = re.compile(r"(?<![가-힣])([가-힣]{2,4})(?:경찰서|소방서)\s?$")
_OFFICE = 12  # characters right before a station of a police: 괴산경찰서 [..]지구대
_COURT = re.compile(
    r"([가-힣]{2})(?:고등법원|고법)|([가-힣]{2,3}?)(?:중앙|[동서남북]부)?"
    r"(?:지방법원|지법|가정법원|행정법원)(?: ([가-힣]{2,3})지원)?"
)


def _court_at(text: str) -> Where:
    """Return where the first court lies that *text* names: one of 춘천 has cases of 강원."""
    found = _COURT.search(text)
    if found is None:
        return NOWHERE
    if found[1]:
        provinces = _high_courts().get(found[0], frozenset())
    else:
        place = found[3] if found[3] in _districts() else found[2]
        provinces = _districts().get(place, frozenset())
        judged = _judged().get(found[3] or "") or _judged().get(found[2], frozenset())
        return Where(provinces, "", judged) if provinces else NOWHERE
    return Where(provinces, "") if provinces else NOWHERE


@lru_cache(maxsize=1)
def _judged() -> Mapping[str, Places]:
    """Return the 시·군·구 in the district of each court and branch, by its place (안양, 부천)."""
    return {name: frozenset(places.split()) for name, places in rows("court_districts_facts.tsv")}


@lru_cache(maxsize=1)
def _high_courts() -> Mapping[str, Places]:
    return {name: frozenset(places.split()) for name, places in rows("court_facts.tsv")}


@lru_cache(maxsize=1)
def _around() -> Mapping[str, str]:
    return {city: province for city, province in rows("around_facts.tsv")}


def around(province: str) -> str:
    """Return the province that lies around a city of that level, itself for any other."""
    return _around().get(province, province)


def district_of(stem: str) -> str:
    """Return the full name of the only 시·군·구 that is called *stem* without its level, or "".

    An office is called so: 괴산경찰서, 서울강남경찰서.
    """
    stem = stem if len(stem) < _WITH_CITY else stem[2:]
    fulls = {
        full
        for level in "시군구"
        for full in gazetteer.districts_by_part().get(f"{stem}{level}", ())
        if level != "시" or len(full.split()) == _UNDIVIDED
    }
    return fulls.pop() if len(fulls) == 1 else ""


_WITH_CITY, _UNDIVIDED = 4, 2  # 서울강남; 경기도 안성시 has no 구 of its own
_AHEAD = 120  # characters behind a place in which its sentence may say where it is


def _said_last(text: str, start: int, end: int) -> tuple[Where | None, int]:
    """Return the last place said in a stretch of *text*, and where it is said; None, -1 without."""
    every = [*_SAID.finditer(text, start, end)]
    for at in range(len(every) - 1, -1, -1):
        said, before = every[at], every[at - 1] if at else None
        in_city = before is not None and not said[1] and said.start() - before.end() <= 1
        place = _district_said(said, before[2] if before is not None and in_city else "")
        if place:
            return place, said.start()
    city = next(reversed([*_CITY.finditer(text, start, end)]), None)
    return (Where(frozenset({city[1]}), ""), city.start()) if city else (None, -1)


def _said_first(text: str) -> Where | None:
    places = (_district_said(said) for said in _SAID.finditer(text))
    return next(filter(None, places), None)


def _district_said(said: re.Match[str], city: str = "") -> Where | None:
    known = gazetteer.districts_by_part()
    longer = (said[2][:size] for size in range(len(said[2]), 2, -1))  # 서대문구고시
    name = next((one for one in longer if one in known), said[2])
    fulls, above = known.get(name, ()), said[1] or city
    within = [full for full in fulls if above and short(full.split()[0]) == short(above)]
    within = within or [full for full in fulls if above and above in full.split()]
    if not fulls:
        return None
    parts = {full.split()[1] for full in within or fulls}
    district = parts.pop() if len(parts) == 1 else name
    return Where(frozenset(short(full.split()[0]) for full in within or fulls), district)


def says_elsewhere(mention: str, here: Places, *, villages: bool = False) -> bool:
    """Return whether a word of *mention* begins with the name of a place that lies not *here*.

    With *villages* it may be that of a 리, too: 함덕 in 강원. 김천근린 in 인천; a name that many
    places share (중앙) says so only if all lie elsewhere.
    """
    if not here:
        return False
    for word in mention.split():
        city = next((word[:n] for n in (4, 3, 2) if word[:n] in _districts()), "")
        if city and not _districts()[city] & here and not _is_here(word, here):
            return True
        stem = next((word[:n] for n in (5, 4, 3, 2) if word[:n] in _places()), "")
        if stem and len(_places()[stem]) <= _FEW and not _places()[stem] & here:
            return True
        if villages and word in _villages() and not _villages()[word] & here:
            return True
        end = next((word[-n:] for n in (4, 3, 2) if word[-n:] in _districts()), "")
        if end and end != word and not _districts()[end] & here:
            return True
    return False


def _is_here(word: str, here: Places) -> bool:
    """Return whether *word* begins with a name longer than a city's that lies *here*."""
    longer = (word[:n] for n in (5, 4, 3) if n <= len(word))
    return any(_places()[name] & here for name in longer if name in _places())


def names_at(place: Where) -> Sequence[str]:
    """Return the stems by which an office of *place* may be called: its district, its 동·읍·면.

    Where the district is unsaid, an office is called after one of the province.
    """
    return _names_at(place) if place.district else _names_of(place.provinces)


@lru_cache(maxsize=64)
def _names_of(provinces: Places) -> Sequence[str]:
    stems = {
        name.removesuffix(name[-1])
        for full in gazetteer.district_names()
        if short(full.split()[0]) in provinces
        for name in full.split()[1:]
    }
    return tuple(sorted(stem for stem in stems if len(stem) > 1))


@lru_cache(maxsize=512)
def _names_at(place: Where) -> Sequence[str]:
    fulls = gazetteer.districts_by_part().get(place.district, ())
    within = [full for full in fulls if short(full.split()[0]) in place.provinces]
    towns = {_LEVEL.sub("", town) for full in within for town in gazetteer.below(full)}
    stems = {place.district[:-1], *towns}
    return tuple(sorted(stem for stem in stems if len(stem) > 1))


_FEW = 2  # provinces that a name says by itself: a 중앙동 is everywhere


@lru_cache(maxsize=1)
def _districts() -> Mapping[str, Places]:
    """Return the provinces of each 시·군·구 and each province, written without its level."""
    found: dict[str, set[str]] = defaultdict(set)
    for full in gazetteer.district_names():
        province, *names = full.split()
        found[short(province)].add(short(province))
        for name in names:
            if len(name) > 2:
                found[name[:-1]].add(short(province))
    return {name: frozenset(provinces) for name, provinces in found.items()}


@lru_cache(maxsize=1)
def _places() -> Mapping[str, Places]:
    """Return the provinces of every place that names of shops and houses begin with."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, provinces in _districts().items():
        found[name] |= provinces
    for full in gazetteer.district_names():
        province = short(full.split()[0])
        for town in gazetteer.below(full):
            stem = _LEVEL.sub("", town)
            if len(stem) > 1:
                found[stem].add(province)
    for one in stations():
        if len(one.name) > 1:
            found[one.name].add(one.province)
    return {name: frozenset(provinces) for name, provinces in found.items()}


def says_another_district(mention: str, here: Where) -> bool:
    """Return whether *mention* begins with the name of a 동·읍·면 of the province, but not *here*.

    망원메디컬 in 서울 강동구; a name that two districts have says nothing.
    """
    if not here.district:
        return False
    for word in mention.split():
        stem = next((word[:n] for n in (4, 3, 2) if word[:n] in _towns_at()), "")
        near = {place for place in _towns_at().get(stem, ()) if place[0] in here.provinces}
        if len(near) == 1 and not any(district == here.district for _, district in near):
            return True
    return False


@lru_cache(maxsize=1)
def _towns_at() -> Mapping[str, frozenset[tuple[str, str]]]:
    """Return province and district of every 시·군·구 and 동·읍·면, written without its level."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for full in gazetteer.district_names():
        province, district, *_ = (*full.split(), "")
        for town in gazetteer.below(full):
            found[_LEVEL.sub("", town)].add((short(province), district))
        for name in full.split()[1:]:
            if len(name) > 2:
                found[name[:-1]].add((short(province), district))
    return {name: frozenset(places) for name, places in found.items() if len(name) > 1}


@lru_cache(maxsize=1)
def _villages() -> Mapping[str, Places]:
    """Return the provinces of every 리, written without its level."""
    found: dict[str, set[str]] = defaultdict(set)
    for full in gazetteer.district_names():
        for below in gazetteer.below(full).values():
            for village in below:
                found[_NUMBERED.sub("", village)].add(short(full.split()[0]))
    return {name: frozenset(provinces) for name, provinces in found.items() if len(name) > 1}


_NUMBERED = re.compile(r"[0-9]*리$")
_LEVEL = re.compile(r"(?:제?[0-9]+)?[가동읍면]$|[0-9]+가$")


def rows(name: str) -> list[list[str]]:
    """Return the lines of a table of facts, each in its columns."""
    lines, problems = read_lines(resources.folder("replacement_lists") / "parts" / name)
    if problems:
        raise ValueError("\n".join(map(str, problems)))
    return [line.text.split("\t") for line in lines if not line.is_comment]
