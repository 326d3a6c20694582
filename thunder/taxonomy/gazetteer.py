"""Korean divisions and roads: what lies below a 시·군·구, from the shipped government tables."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from thunder.taxonomy.tables import table
from thunder.text import lazy

_EXTENSION = lazy.compile(
    r"(?<=[로길]) ?[0-9]{1,4}번?[가-힣]?길$"
)  # 테헤란로|12길, 경수대로|508번길
_NUMBER = lazy.compile(r"(?<=[가-힣])[0-9]+번?(?=[가-힣]?[로길]$)")  # 문수|7|길, 센텀|2|로
_SHORT = {
    "충청북도": ("충북",),
    "충청남도": ("충남",),
    "전북특별자치도": ("전라북도", "전북"),
    "전라남도": ("전남",),
    "경상북도": ("경북",),
    "경상남도": ("경남",),
    "강원특별자치도": ("강원도", "강원"),
    "제주특별자치도": ("제주도", "제주"),
    "경기도": ("경기",),
}
_WORD = lazy.compile(r"\S+")
_EDGES = " \t\r\n\f\v.,;:·/()[]{}<>'\"‘’“”「」『』"
_JOINED = lazy.compile(r"[가-힣]{2,4}?[시군구](?=[가-힣0])")
_DIVISION = lazy.compile(
    r"[가-힣]{1,4}[시군구](?=[가-힣])|[가-힣0○]{1,5}?(?:[읍면동리가](?![시군구])|[로길](?=[0-9]))"
)
_STARRED = lazy.compile(r"(?<=[*○□△0])[시군구](?= )")
_METROPOLIS = lazy.compile(r"(..)(?:특별시|광역시|특별자치시)")


class District(NamedTuple):
    """A place whose name stays readable: its level (도, 시, 군 or 구) and every name below it."""

    level: str
    names: frozenset[str]


def trunk(name: str) -> str:
    """Return the road from which *name* branches, 테헤란로12길 → 테헤란로; itself if from none."""
    return _EXTENSION.sub("", name)


def road_shape(name: str) -> str:
    """Return *name* without the number of a branch: 테헤란로12길 → 테헤란로, 문수7길 → 문수#길."""
    return _NUMBER.sub("#", trunk(name))


def is_division(name: str) -> bool:
    """Return whether a 읍, 면, 동, 가 or 리 of that name exists anywhere in the country."""
    return name in divisions()


def is_road(name: str) -> bool:
    """Return whether a road of that name, or the road it branches from, is in the table.

    The table is full for the south and thin for 서울 and 경기: a no is weak evidence there.
    """
    return road_shape(name) in _roads()


def district(name: str) -> District | None:
    """Return the 시·군·구 written *name* (강남구, 성남시, 마산시), or None.

    Of several with one name (중구, 고성군) all lower names are joined. Former and coming districts
    count; 서울특별시 and 서울시 count as 시.
    """
    return _tables().districts.get(name)


def bare_district(name: str) -> District | None:
    """Return the 시·도·군·구 written without its last syllable (양평, 서울, 경기), or None."""
    return _tables().bare.get(name)


def below_districts(text: str, start: int, end: int) -> int:
    """Return where the address from *start* to *end* goes on below its 시·도 and 시·군·구.

    Also in text without spaces, 강남구|역삼동 12, and below one that a court masked, **구 |역삼동.
    *end* where it does not.
    """
    starred = _STARRED.match(text, start, end)
    start = starred.end() if starred else start
    for place in _WORD.finditer(text, start, end):
        if district(place[0]) is None and bare_district(place[0]) is None:
            start = below_joined(text, *place.span())
            break
        start = place.end()
    return end - len(text[start:end].lstrip(_EDGES))


def below_joined(text: str, start: int, end: int) -> int:
    """Return where a word goes on below the districts it begins with: 성남시분당구|야탑동123."""
    at = start
    while level := _JOINED.match(text, at, end):
        if district(level[0]) is None or not _DIVISION.match(text, level.end(), end):
            break
        at = level.end()
    return at


def district_keys() -> frozenset[str]:
    """Return every name that ``district`` knows."""
    return frozenset(_tables().districts)


def bare_names() -> frozenset[str]:
    """Return every name that ``bare_district`` knows."""
    return frozenset(_tables().bare)


def villages(town: str) -> frozenset[str]:
    """Return the 리 of every 읍 or 면 called *town*."""
    return _tables().villages.get(town, frozenset())


def divisions() -> frozenset[str]:
    """Return the names of all 읍, 면, 동, 가 and 리."""
    return _tables().names


def below(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the 읍면동 of the 시·군·구 *name*, each with its 리 (none for a 동)."""
    return _tables().tree.get(name, {})


def district_names() -> tuple[str, ...]:
    """Return the full names of today's 시·군·구, "경기도 성남시 분당구", in the table's order."""
    return tuple(_tables().tree)


@lru_cache(maxsize=1)
def district_stems() -> tuple[str, ...]:
    """Return today's 시·군·구 as plates wrote them, without that syllable but for 중구, 남구."""
    names = {name for full in district_names() for name in full.split()[1:]}
    return tuple(sorted(name[:-1] if len(name) > 2 else name for name in names))


@lru_cache(maxsize=1)
def districts_by_part() -> Mapping[str, tuple[str, ...]]:
    """Return the full names of the 시·군·구 by each of their parts (분당구, 성남시)."""
    found: dict[str, list[str]] = defaultdict(list)
    for full in district_names():
        for name in full.split()[1:]:
            found[name].append(full)
    return {name: tuple(fulls) for name, fulls in found.items()}


class _Tables(NamedTuple):
    districts: dict[str, District]
    bare: dict[str, District]
    villages: dict[str, frozenset[str]]
    names: frozenset[str]
    tree: dict[str, dict[str, tuple[str, ...]]]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    tree = _tree()
    districts: dict[str, set[str]] = defaultdict(set)
    villages_of: dict[str, set[str]] = defaultdict(set)
    for full, towns in tree.items():
        province, *levels = full.split()
        promoted = {f"{town[:-1]}면" for town in towns if town[-1] == "읍"}  # 배방읍 was 배방면
        names = promoted.union(towns, *towns.values())
        for written in (*levels, *_province_names(province)):
            districts[written] |= names
        for town, below_town in towns.items():
            villages_of[town].update(below_town)
            if town[-1] == "읍":
                villages_of[f"{town[:-1]}면"].update(below_town)
    for name, successors in _changes():
        districts[name] |= set().union(*(districts[successor] for successor in successors))
    written_full, bare = _by_form(districts)
    all_names = frozenset().union(*districts.values())
    frozen = {town: frozenset(names) for town, names in villages_of.items()}
    return _Tables(written_full, bare, frozen, all_names, tree)


def _by_form(districts: Mapping[str, set[str]]) -> tuple[dict[str, District], dict[str, District]]:
    """Return the names that end in their level, and the bare ones (양평 for 양평군)."""
    full: dict[str, District] = {}
    bare: dict[str, District] = {}
    for name, names in districts.items():
        short = name[:-1] if name[-1] in "시군구" and 3 <= len(name) <= 5 else ""
        if name[-1] in "시군구":
            full[name] = District(name[-1], frozenset(names))
        else:
            short = name
        if short:
            level = name[-1] if name[-1] in "시군구" else "시" if name in _CITIES else "도"
            known = bare.get(short)
            joined = names | known.names if known else names
            bare[short] = District(known.level if known else level, frozenset(joined))
    return full, bare


_CITIES = frozenset(("서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종"))


def _province_names(province: str) -> tuple[str, ...]:
    """Return every way *province* is written: 서울특별시, 서울시, 서울; 경상남도, 경남."""
    metropolis = _METROPOLIS.fullmatch(province)
    if metropolis:
        stem = metropolis[1]
        return (province, f"{stem}시", f"{stem}직할시", stem)
    return (province, *_SHORT[province])


def _tree() -> dict[str, dict[str, tuple[str, ...]]]:
    tree: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for province, district, town, names in table("gazetteer/divisions"):
        towns = tree[f"{province} {district}"]
        if town:
            towns[town] = tuple(names.split())
        else:
            towns.update(dict.fromkeys(names.split(), ()))
    return dict(tree)


def _changes() -> Iterator[tuple[str, list[str]]]:
    for name, successors in table("gazetteer/changes"):
        yield name, successors.split(",")


@lru_cache(maxsize=1)
def _roads() -> frozenset[str]:
    return frozenset(road for (road,) in table("gazetteer/roads"))


def roads() -> tuple[str, ...]:
    """Return the roads of the table, sorted; # stands where a branch has its number (문수#길)."""
    return tuple(sorted(_roads()))
