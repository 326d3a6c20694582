"""What a mark without a number stands for: one thing each time, or another at another place.

(주소 생략), (계좌번호 생략), 정○○: the same letters stand for many things in one judgment. Which
of them are one is told by the words around: place, holder, vehicle, the list they stand in.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from thunder.taxonomy.lexicon import expression
from thunder.training_data.filling import facts
from thunder.training_data.filling.addresses import place_of
from thunder.training_data.filling.sources import MAKERS, Site

_NAMELESS = re.compile(r"[^A-Za-z0-9]*(?:생략|[○□△◇◎●ㅇ])[^A-Za-z0-9]*")
_SHOWN = re.compile("([가-힣]{1,2})([○OＯ〇◯ㅇ]{1,3})")
_LISTED = re.compile(r"[ ,·및와과]{1,4}(?:망 )?")
_SPACE = re.compile(r"\s+")


class _Holder(NamedTuple):
    """Whose number or plate a mark stands for, and what of theirs; "" for what is not said."""

    whose: str
    what: str


class Unnumbered:
    """Tells which of the marks of a judgment without a number are one, asked in their order."""

    def __init__(self, text: str, sites: Sequence[Site], kind_of: Callable[[str], str]) -> None:
        self._text, self._sites, self._kind_of = text, sites, kind_of
        self._starts = [site.span.start for site in sites]
        self._last: dict[str, str] = {}
        self._listed: dict[str, int] = {}
        self._holders: dict[str, list[_Holder]] = defaultdict(list)

    def entity(self, number: int, named: str) -> str:
        """Return what the mark *named* at the site *number* has in common with its entity."""
        site = self._sites[number]
        kind = self._kind_of(site.span.label)
        between = self._text[self._sites[number - 1].span.end : site.span.start] if number else ""
        if not (number and _LISTED.fullmatch(between)):
            self._listed = {}
        if kind == "person" and (shown := _SHOWN.fullmatch(named)):
            return self._in_list(f"{shown[1]}{'○' * len(shown[2])}", site)
        if not _NAMELESS.fullmatch(named):
            return named
        if kind == "address" and "생략" not in named:
            return named  # △△△-◇ is told from △△△-□ by its own letters
        if kind == "address":
            found = self._above(named, site) or self._in_list(self._place(number, named), site)
        elif kind in MAKERS:
            found = self._above(named, site) or self._held(number, named, kind)
        else:
            return named
        self._last[named] = found
        return found

    def _in_list(self, key: str, site: Site) -> str:
        """Return *key*, told apart from those of one list: 정○○, 정○○ and 망 정○○ are three."""
        key = f"{key}\0망" if site.before.endswith("망 ") else key
        self._listed[key] = self._listed.get(key, 0) + 1
        return key if self._listed[key] == 1 else f"{key}\0{self._listed[key]}"

    def _above(self, named: str, site: Site) -> str:
        """Return the entity last called so, where the words say that it is meant; "" else.

        위 김제시 [..] 토지 is the one named before, and (이하 ‘[..] 부동산’) the one called so now.
        """
        before = site.before
        return self._last.get(named, "") if _ABOVE.search(before) or _NOW.search(before) else ""

    def _place(self, number: int, named: str) -> str:
        """Return what tells an address apart: its place, and what stands there.

        서울 [(주소 생략)]에 있는 ○○아파트 is one address each time.
        """
        site = self._sites[number]
        place = place_of(site, "")
        division = _DIVISIONS_SAID.search(place)
        said = division[0] if division else place
        last = self._sites[number - 1] if number else None
        between = self._text[last.span.end : site.span.start] if last else ""
        if last and last.span.label.startswith("행정") and _WITHIN.fullmatch(between):
            return f"{last.surface}{between[0]}\0{named}"
        following = self._sites[number + 1] if number + 1 < len(self._sites) else None
        if following is not None and following.surface != site.surface:
            between = _SPACE.sub(" ", self._text[site.span.end : following.span.start])
            there = _STANDS_THERE if between.strip() else _HOUSE
            stands_there = there.fullmatch(between if between.strip() else following.span.label)
            if self._kind_of(following.span.label) == "name" and stands_there:
                last_one = division[0].split()[-1] if division else ""
                return f"{last_one}\0{following.surface}\0{named}"
        stands = _STANDS.match(site.after) or _NAMED_BEFORE.search(site.before)
        if stands:  # …에 있는 피해자의 집 is not …에 있는 은행
            return f"{said}\0{stands[1]}\0{named}"
        thing = _THING_BEHIND.match(site.after)
        return f"{said}\0{thing[1]}\0{named}" if division and thing else f"{said}\0{named}"

    def _held(self, number: int, named: str, kind: str) -> str:
        """Return what tells an account, a plate, a telephone apart: whose it is, and of what."""
        holder = self._vehicle(number) if kind == "차량번호" else self._holder(number)
        known = self._holders[named]
        same = (at for at in range(len(known) - 1, -1, -1) if _agree(known[at], holder))
        at = next(same, len(known))
        if at == len(known):
            known.append(holder)
        else:  # 서울 [..] 마티즈, then the plate of 서울
            known[at] = _Holder(*(old or new for old, new in zip(known[at], holder, strict=True)))
        return f"{at}\0{named}" if at else named

    def _holder(self, number: int) -> _Holder:
        site = self._sites[number]
        start = max(0, site.span.start - _NEAR)
        before = self._text[start : site.span.start]
        sentence = before.rfind("다. ") + 1
        whose, said_at = "", -1
        for role in _ROLE_OF.finditer(before, sentence):
            whose, said_at = role[1], role.start()
        what = [*_BANK.finditer(before, sentence)]
        bank, bank_at = (what[-1][0], what[-1].start()) if what else ("", -1)
        for other in self._sites[bisect_left(self._starts, start + sentence) : number]:
            at = other.span.start - start
            if other.span.label.endswith(_BANKS) and at > bank_at:
                bank, bank_at = other.surface, at
            elif at > said_at and _OF.match(self._text, other.span.end, site.span.start):
                whose, said_at = other.surface, at
        return _Holder(whose, bank)

    def _vehicle(self, number: int) -> _Holder:
        site = self._sites[number]
        region, vehicle = _REGION.search(site.before), _VEHICLE.match(site.after)
        return _Holder(region[1] if region else "", vehicle[1] if vehicle else "")


def _agree(known: _Holder, said: _Holder) -> bool:
    """Return whether two may be one: nothing that both say differs; nothing said goes on."""
    return all(old == new or not old or not new for old, new in zip(known, said, strict=True))


_NEAR = 60  # characters before a number in which its holder is named
_BANKS = ("은행", "금융기관", "증권사", "카드회사", "조합", "금고")
_BANK = facts.context("[가-힣]{0,8}<bank>")
_ROLE_OF = re.compile("(피고인|원고|피고|피해자|고소인|증인|망인)(?:의| 명의의|\\(명의자\\)) ")
_OF = re.compile(" ?(?:회사|조합|법인|은행)?(?: ?명의)?의 |,? ?\\($| ?\\(?(?=$)")
_REGION = expression("(?<![가-힣])(<region>) ?[(]?$")
_VEHICLE = facts.context(r"\)? ?(?:호 ?)?([가-힣A-Za-z0-9 ]{0,14}?<vehicle>)")
_ABOVE = re.compile("(?<![가-힣])(?:위|같은) (?:[가-힣0-9]{1,8}[시도군구읍면동리가] ?){0,3}$")
_NOW = re.compile(r"\((?:이하|다음부터),? ?['‘“\" ]{0,3}$")
_NAMED_BEFORE = re.compile(r"([가-힣]{2,8}) ?\( ?$")  # 자택(상세주소생략)
_STANDS = re.compile(r" ?(?:에 )?(?:소재한?|있는|위치한) ([가-힣]{2,6})")
_STANDS_THERE = re.compile(
    r"(?:에(?:서)? ?| ?(?=소재|있는|위치))(?:소재한?|있는|위치한)? ?"
    r"(?:(?:피고인|피고|피해자|원고|자신|본인)[이가의] )?(?:(?:운영|경영|근무)하[는던] )?['‘“]? ?"
)
_WITHIN = re.compile(r"[동읍면리가](?:[’'”]?(?:이?라고?|으로) ?(?:한다|함|표시한다)\))? ?")
_HOUSE = facts.context("<house>")
_DIVISIONS_SAID = re.compile("(?:[가-힣0-9]{1,8}[시도군구읍면동리가] ?){1,4}$")
_THING_BEHIND = facts.context(
    r"(?:에(?:서)? ?)?(?:소재|있는|위치한|소재한)? ?['‘]?((?:[○◇◎△▽□☆◉A-Z]{1,6}['’]? ?"
    r"(?:<house>|<place-of-work>))|<land> ?[0-9][0-9,.]*(?:㎡|평))"
)
