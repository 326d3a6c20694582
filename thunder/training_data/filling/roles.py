"""The sex of the parties of a judgment by what their parts say: 원고의 남편, 원고와 피고의 혼인."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from thunder.training_data.filling.persons import PARTNER, SPOUSES, kin_behind, parents_of, related
from thunder.training_data.filling.sources import Group, Site

_ROLES = ("원고", "피고인", "피고", "청구인", "상대방", "피신청인", "신청인")
_ROLE = "|".join(_ROLES)
_HEADING = re.compile(r"【([^】\n]{1,30})】 ?$")
_NAMED = re.compile(rf"(?<![가-힣])({_ROLE}) ?$")
_SEVERAL = re.compile(rf"(?<![가-힣])({_ROLE})들")
_BRACKET = r"(?:\([^()\n]{0,40}\))?"

_WEDDING = "(?:혼인|결혼|재혼|이혼|부부)"
_BOTH = re.compile(
    rf"(?<![가-힣])(원고|청구인|신청인){_BRACKET}(?:와|과) (피고|상대방|피신청인){_BRACKET}[은는]"
    rf"[^.\n]{{0,12}}(?:[0-9]{{4}}\. ?[0-9]{{1,2}}\. ?[0-9]{{1,2}}\.)?[^.\n]{{0,24}}{_WEDDING}"
)
_WED = re.compile(
    rf"{_BRACKET}(?:와|과)(?: 사이에)? ?[0-9. 년월일경에]{{0,24}}"
    r"(?:혼인|결혼|재혼)(?:신고|하|식|한|생활)"
)
_SUBJECT = re.compile(rf"(?<![가-힣])({_ROLE}){_BRACKET}[은는]")
_SUBJECT_BEFORE = re.compile(
    rf"(?<![가-힣])({_ROLE}){_BRACKET}[은는] (?:(?:망|위|소외|공소외|{_ROLE}) ){{0,3}}$"
)
_OPPOSITE = {"남": "여", "여": "남"}


def with_sexes(groups: Sequence[Group], every: Sequence[Site], text: str) -> list[Group]:
    """Return *groups* with the sex of parties who are alone in their part, where *text* says it.

    A couple is a man and a woman; where nothing says who is which, the hash of the text does.
    """
    known = {number: group.gender for number, group in enumerate(groups)}
    alone = _alone(groups, text)
    for role, number in alone.items():
        known[number] = known[number] or _by_spouse(role, text)
    for one, other in (*_couples(groups, alone, text), *_spouses(groups, every)):
        drawn = "남여"[crc32(text.encode()) % 2]
        known[one] = known[one] or _OPPOSITE.get(known[other], drawn)
        known[other] = known[other] or _OPPOSITE[known[one]]
    return [replace(group, gender=known[number]) for number, group in enumerate(groups)]


def _spouses(groups: Sequence[Group], every: Sequence[Site]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of persons of whom the text says that one is the other's spouse."""
    of_site = {site: number for number, group in enumerate(groups) for site in group.at}
    for number, group in enumerate(groups):
        for one in related(every, group.at) if group.kind == "person" else ():
            if one.word in SPOUSES and of_site[one.other] != number:
                yield of_site[one.other], number
        for mother, father in parents_of(every, group.at) if group.kind == "person" else ():
            if of_site[mother] != of_site[father]:
                yield of_site[mother], of_site[father]


def with_families(groups: Sequence[Group], text: str) -> Iterator[Group]:
    """Yield *groups*, each with a site before whose person has the same surname, if one has it.

    A man's children bear his surname, brothers and sisters share theirs.
    """
    gender = {site: group.gender for group in groups for site in group.at}
    first = {site: group.at[0] for group in groups for site in group.at}
    wanted: dict[int, int] = {}
    alone = _alone(groups, text)
    for group in groups:
        for site in group.sites if group.kind == "person" else ():
            role = _SUBJECT_BEFORE.search(site.before)
            party = groups[alone[role[1]]] if role and role[1] in alone else group
            if party is not group and kin_behind(site):
                earlier, later = sorted((party.at[0], group.at[0]))
                wanted.setdefault(later, earlier)
    for group in groups:
        child = next((one for one in group.parents if gender[one] == "남"), -1)
        kin = group.kin if group.kin >= 0 else child
        if kin >= 0 and first[kin] != group.at[0]:
            earlier, later = sorted((first[kin], group.at[0]))
            wanted.setdefault(later, earlier)
    for group in groups:
        yield replace(group, kin=wanted.get(group.at[0], -1))


def _alone(groups: Sequence[Group], text: str) -> dict[str, int]:
    """Return the number of the only person of each role, of those in the plural none."""
    found: dict[str, set[int]] = defaultdict(set)
    for number, group in enumerate(groups):
        for role in map(_role, group.sites):
            if role:
                found[role].add(number)
    several = {match[1] for match in _SEVERAL.finditer(text)}
    return {
        role: numbers.pop()
        for role, numbers in found.items()
        if len(numbers) == 1 and role not in several
    }


def _role(site: Site) -> str:
    """Return the role that stands before a person, in a heading or in the text; "" without."""
    heading = _HEADING.search(site.before[-40:])
    if heading is None:
        named = _NAMED.search(site.before[-12:])
        return named[1] if named and site.span.label == "내국인이름" else ""
    first = re.split(r"[,(]|겸", heading[1].replace(" ", ""))[0]
    return first if first in _ROLES and site.span.label == "내국인이름" else ""


def _by_spouse(role: str, text: str) -> str:
    own = r"[은는이가][^.\n]{0,60}?(?<![가-힣])(?:자신|본인)의"
    match = re.search(rf"(?<![가-힣]){role}(?:의|{own}) {PARTNER}", text)
    return "" if match is None else "여" if match[1] else "남"


def _couples(
    groups: Sequence[Group], alone: Mapping[str, int], text: str
) -> Iterator[tuple[int, int]]:
    """Yield the numbers of persons who are, or were, married to each other."""
    both = _BOTH.search(text)
    if both and both[1] in alone and both[2] in alone:
        yield alone[both[1]], alone[both[2]]
    for number, group in enumerate(groups):
        for site in group.sites if group.kind == "person" else ():
            said = _SUBJECT.findall(site.before) if _WED.match(site.after) else []
            if said and alone.get(said[-1], number) != number:
                yield alone[said[-1]], number
