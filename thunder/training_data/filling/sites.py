"""A judgment made ready to be filled again and again: what its text says, read once."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from thunder.text import particles
from thunder.text.particles import Particle
from thunder.text.spans import Span, require_disjoint
from thunder.training_data.filling.addresses import narrowest, place_of, with_parted_lots
from thunder.training_data.filling.families import with_families
from thunder.training_data.filling.persons import born_in, gender_of
from thunder.training_data.filling.sources import MAKERS, Group, Site
from thunder.training_data.filling.unnumbered import Unnumbered
from thunder.training_data.mention_makers.numbers import PATTERNS

QUOTES = "'\"‘’“”`´ \u00a0"

_ADDRESSES = ("주소", "임야", "토지", "필지")
_WORD_BEHIND = re.compile(r"['’\"”`´ ]{0,2}([가-힣A-Za-z]{1,9})")


class Agreeing(NamedTuple):
    """A particle of the text, and the number of the site whose mention it agrees with."""

    particle: Particle
    site: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """A judgment with its places to fill.

    ``order`` are these places as they stand in the text, a site by its number, a particle by the
    complement of its own; ``kept`` is the text before, between and behind them.
    """

    text: str
    spans: tuple[Span, ...]
    sites: tuple[Site, ...]
    groups: tuple[Group, ...]
    particles: tuple[Agreeing, ...]
    order: tuple[int, ...]
    kept: tuple[str, ...]


def kind_of(label: str) -> str:
    """Return the kind of mention *label* asks for: one placeholder of one kind is one entity."""
    if label == "내국인이름":
        return "person"
    if label.endswith("아래주소") or label in _ADDRESSES:
        return "address"
    if label in _CALLED:
        return "called"
    return label if label in PATTERNS or label in MAKERS else "name"


_CALLED = ("닉네임", "대화명", "별명")
"""What people call themselves: the C of 일명 'C' is not the bank of C은행."""


def prepare(text: str, spans: Sequence[Span]) -> Prepared:
    """Return *text* made ready for any number of fillings.

    ValueError unless *spans* are sorted, disjoint and within it.
    """
    require_disjoint(spans, length=len(text))
    sites = tuple(_site(text, span) for span in spans)
    agreeing = _agreeing(text, sites)
    places = [(site.span.start, site.span.end, at) for at, site in enumerate(sites)]
    places += [(found.start, found.end, ~at) for at, (found, _) in enumerate(agreeing)]
    places.sort()
    ends = [0, *(end for _, end, _ in places)]
    starts = [*(start for start, _, _ in places), len(text)]
    kept = tuple(text[end:start] for end, start in zip(ends, starts, strict=True))
    order = tuple(at for _, _, at in places)
    return Prepared(text, tuple(spans), sites, _groups(text, sites), agreeing, order, kept)


def _site(text: str, span: Span) -> Site:
    marked = text[span.start : span.end]
    surface = marked.strip(QUOTES) or marked
    if _BRACKETED.fullmatch(surface) and _IN_BRACKETS.search(span.label):
        attached = text[: span.start][-1:].isalnum()  # 원고(생년월일 생략): the brackets stay
        surface = surface[1:-1] if attached else surface
    start = span.start + marked.index(surface)
    end = start + len(surface)
    inner = Span(start, end, span.label)
    before = _SPACE.sub(" ", text[max(0, start - 2 * _BEFORE) : start])[-_BEFORE:]
    return Site(inner, surface, before, text[end : end + 60])


_BEFORE = 80  # characters; courts' files break lines and indent before a placeholder
_SPACE = re.compile(r"\s+")
_BRACKETED = re.compile(r"\([^()]+\)")
_IN_BRACKETS = re.compile(r"(?:번호|생년월일|아이디|이메일주소|URL)$")


def _agreeing(text: str, sites: Sequence[Site]) -> tuple[Agreeing, ...]:
    """Return the particle behind each placeholder; one of two placeholders' is the first's."""
    starts = [site.span.start for site in sites]
    found: dict[int, Agreeing] = {}
    for number, site in enumerate(sites):
        particle = particles.find(text, site.span.end)
        if particle is None or particle.start in found:
            continue
        next_one = bisect_right(starts, particle.start)
        before = sites[next_one - 1].span if next_one else site.span
        apart = before.end <= particle.start
        if apart and (next_one == len(starts) or particle.end <= starts[next_one]):
            found[particle.start] = Agreeing(particle, number)
    return tuple(found.values())


def _groups(text: str, sites: Sequence[Site]) -> tuple[Group, ...]:
    numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
    entities = zip(sites, _entities(text, sites), strict=True)
    named = [(kind_of(site.span.label), one) for site, one in entities]
    other = _other_names(named, text, sites)
    for number, name in enumerate(named):
        numbers[other.get(name, name)].append(number)
    groups = [_group(*name, tuple(at), text, sites) for name, at in numbers.items()]
    years = [(found.start(), int(found[1])) for found in _YEAR.finditer(text)]
    groups = [_dated(group, years) for group in groups]
    groups = with_parted_lots(_called_by_division(groups, sites), text)
    return tuple(with_families(groups, text))


def _group(kind: str, surface: str, at: tuple[int, ...], text: str, every: Sequence[Site]) -> Group:
    sites = tuple(every[number] for number in at)
    if kind == "person":
        return Group(kind, surface, sites, at, gender_of(sites, text), born_in(sites))
    parent = _parent(every, at[0])
    if kind == "address":
        place = place_of(narrowest(sites), text)
        return Group(kind, surface, sites, at, place=place, parent=parent)
    behind = (_WORD_BEHIND.match(site.after) for site in sites)
    words = tuple(match[1] for match in behind if match)
    return Group(kind, surface, sites, at, words=words, parent=parent)


_YEAR = re.compile(
    r"(?<![0-9])((?:19|20)[0-9]{2})(?=[.년])(?!\. ?[0-9]{1,2}\. ?[0-9]{1,2}\.? ?생|년생)"
    r"(?!\. ?[0-9]{1,2}\. ?[0-9]{1,2}\. ?(?:자 ?)?(?:법률|대통령령|[가-힣]{2,8}령|선고|판결))"
)


def _dated(group: Group, years: Sequence[tuple[int, int]]) -> Group:
    """Return *group* with the first and the last of the *years* said right before its sites.

    Without any both are the year said last before it, for a thing else the first behind; 0 for
    none. Years of statutes, of births and of other judgments are none.
    """
    near = (_YEAR.findall(site.before) for site in group.sites)
    found = [int(one[-1]) for one in near if one] or [_year_by(group, years)]
    return replace(group, since=min(found), until=max(found))


def _year_by(group: Group, years: Sequence[tuple[int, int]]) -> int:
    """Return the year of which the text goes on speaking where *group* stands, 0 for none."""
    if not years:
        return 0
    start = group.sites[0].span.start
    at = bisect_right(years, (start, 0))
    if group.kind != "person":
        return years[max(0, at - 1)][1]
    return years[at - 1][1] if at and start - years[at - 1][0] <= _SAME_STORY else 0


_SAME_STORY = 500  # characters in which a text goes on telling of one year


# --- who is who ---------------------------------------------------------------------------------

_ROLE_WORDS = (
    "공동피고인|보조참가인|독립당사자참가인|참가인|선정자|선정당사자|피고인|원고|피고|공소외|소외|"
    "피신청인|신청인|피청구인|청구인|채권자|채무자|피해자|항고인|상대방|재항고인|망인|증인|사건본인"
)
_ROLE = re.compile(
    rf"({_ROLE_WORDS})"
    r"(?:\([^()\n]{1,24}\))?[인 ]? ?$"
)
_ENUMERATION = re.compile(r"[ ,·및와과]{1,4}")
_NUMBER = re.compile(r"[0-9]{1,3}")
_NUMBER_BEHIND = re.compile(r"\((?:반소|본소|선정)[가-힣]+\) ([0-9]{1,3})(?![0-9])")


def _entities(text: str, sites: Sequence[Site]) -> Iterator[str]:
    """Yield for each site what it has in common with the others of its entity.

    That is its placeholder; a number's role goes with it (원고 1 is not 소외 1, 원고 1, 2 are
    both 원고), and what has no number is told apart by the words around it.
    """
    role, unnumbered = "", Unnumbered(text, sites, kind_of)
    left_out = _LEFT_OUT.search(text) is not None
    for number, site in enumerate(sites):
        between = text[sites[number - 1].span.end : site.span.start] if number else ""
        said = _ROLE.search(site.before[-36:])
        role = said[1] if said else role if _ENUMERATION.fullmatch(between) else ""
        named = site.surface.strip("()")
        if left_out:
            named = named.removeprefix("공동")
        behind = _NUMBER_BEHIND.match(site.after)
        if behind and _ROLE.fullmatch(named):
            yield f"{named} {behind[1]}"
        elif role and _NUMBER.fullmatch(named):
            yield f"{role}\0{named}"
        else:
            yield unnumbered.entity(number, named)


def _other_names(
    named: Sequence[tuple[str, str]], text: str, sites: Sequence[Site]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Return what stands for an entity again, by the placeholder in brackets behind the first.

    A(대법원판결의 소외인) and A(이하 ‘피고 1 회사’라고 한다) are one entity of two placeholders.
    """
    found: dict[tuple[str, str], tuple[str, str]] = dict(_called_in_brackets(named, text, sites))
    for number in range(1, len(sites)):
        first, again = named[number - 1], named[number]
        between = text[sites[number - 1].span.end : sites[number].span.start]
        if first != again and first[0] == again[0] and _AGAIN.fullmatch(between):
            found.setdefault(again, found.get(first, first))
    return {**dict(_parties_again(named, sites)), **found}


def _called_in_brackets(
    named: Sequence[tuple[str, str]], text: str, sites: Sequence[Site]
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield what something is called later, at the end of a bracket that says more of it.

    A 주식회사(변경 전 상호: B 주식회사, 이하 ‘소외 3 회사’라 한다).
    """
    ends = [site.span.end for site in sites]
    for number, again in enumerate(named):
        start = sites[number].span.start
        opened = text.rfind("(", max(0, start - _BRACKET), start)
        if opened < 0 or not _CALLED_SO.match(text[opened + 1 : start]):
            continue
        at = bisect_right(ends, opened) - 1
        first = named[at] if 0 <= at < number - 1 else again
        if first[0] == again[0] and _LEGAL_FORM.fullmatch(text[ends[at] : opened]):
            yield again, first


_BRACKET = 160  # characters that a bracket behind a name may hold
_CALLED_SO = re.compile(rf"[^()]*이하,? ?['‘\"“]?(?:(?:{_ROLE_WORDS}) ?)?$")
_LEGAL_FORM = re.compile(r"['’\"”]?(?: ?(?:주식회사|유한회사))? ?")


def _parties_again(
    named: Sequence[tuple[str, str]], sites: Sequence[Site]
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield what the first party of a heading is called later: 【피고】 ○○○, 피고 1 회사.

    Only where nobody of the heading is called so.
    """
    heads = {
        match[1]: (number, name)
        for number, name in reversed([*enumerate(named)])
        if (match := _FIRST_PARTY.search(sites[number].before)) and name[0] == "name"
    }
    for role, (at, head) in heads.items():
        again = [("name", surface) for surface in (role, f"{role} 1")]
        yield from ((one, head) for one in again if one in named[at:] and head not in again)


_FIRST_PARTY = re.compile(
    r"【 ?(원고|피고|신청인|채권자|채무자)(?:[,(][^】]*)?】 ?(?:(?:주식|유한)회사 )?['‘]?$"
)
_LEFT_OUT = re.compile("‘공동’ ?(?:표시)?(?:를|을)? ?(?:표시를 )?생략")


_AGAIN = re.compile(
    r"[가-힣]{0,8}(?: ?(?:주식회사|유한회사))?"
    r"\((?:(?:이 사건 )?(?:대법원|상고심|환송|원심|항소심|제1심) ?판결의|이하)"
    rf" ?['‘\"“]?(?:(?:{_ROLE_WORDS}) ?)?"
)

# --- groups -------------------------------------------------------------------------------------


_CALLED_LATER = re.compile(
    r"\((?:이하,? ?)?(?:위 (?:토지|부동산|건물)[을를] )?['‘\"“]?(?:[가-힣]{1,8}의 )?$"
)


def _called_by_division(groups: Sequence[Group], sites: Sequence[Site]) -> list[Group]:
    """Return *groups*, addresses and the divisions that they are called by tied together."""
    of_site = {site: number for number, group in enumerate(groups) for site in group.at}
    found = list(groups)
    for number, group in enumerate(groups):
        before = group.at[0] - 1
        if not (group.label in _DIVISIONS and _CALLED_LATER.search(group.sites[0].before)):
            continue
        near = before >= 0 and group.sites[0].span.start - sites[before].span.end <= _SAME_PLACE
        if near and kind_of(sites[before].span.label) == "address":
            found[number] = replace(group, within=before)
            address = of_site[before]
            found[address] = replace(found[address], level=group.label[-1])
    return found


_DIVISIONS = ("행정동", "행정리", "행정면", "행정읍")
_SAME_PLACE = 60  # characters between an address and what its land is called


def _parent(sites: Sequence[Site], at: int) -> int:
    """Return the number of the site just before, if what it holds is a division, else -1."""
    label = sites[at].span.label
    if at == 0 or not (label.startswith("행정") or kind_of(label) == "address"):
        return -1
    before = sites[at - 1].span
    near = sites[at].span.start - before.end <= _NEAR
    return at - 1 if near and before.label.startswith("행정") else -1


_NEAR = 3  # characters: "Y시 B"
