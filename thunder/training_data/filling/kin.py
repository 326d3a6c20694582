"""What a judgment says of whose kin somebody is: X의 동생인 Y, 배우자 Y, 자녀 Z, X와 Y는 부부이다.

The words for kin are data, ``parts/kin_facts.tsv`` of the replacement lists, with what each says
of the sex and the age of both. The text is read with a mark for each person (⟪3⟫), so that the
patterns below hold the grammar only.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from thunder.names.patterns.signs import sign
from thunder.training_data.filling.facts import context, rows
from thunder.training_data.filling.sources import Group, Site, numbers_of, with_marks
from thunder.training_data.mention_makers import names


class Kin(NamedTuple):
    """What a word for kin says of who is called so, and of the other ("" for nothing)."""

    tie: str
    sex: str
    other: str
    older: int
    alone: bool
    partner: str = ""  # tie of who is called so to the partner of the other: 장인 is her parent


class Tie(NamedTuple):
    """That the person of one number is called by a word by that of another."""

    called: int
    other: int
    kin: Kin


SPOUSE = Kin("spouse", "", "", 0, True)
LOVER = Kin("lover", "", "", 0, True)
MEMBER = Kin("agnate", "", "남", 0, True)
SAME_NAME = Kin("renamed", "", "", 0, True)
HEIR = Kin("child", "", "", -29, True)
CO_HEIR = Kin("sibling", "", "", -2, True)


@lru_cache(maxsize=1)
def words() -> Mapping[str, Kin]:
    """Return the words for kin."""
    return {
        word: Kin(tie, _said(sex), _said(other), int(older), alone == "yes", _said(partner))
        for word, tie, sex, other, older, alone, partner in rows("kin_facts.tsv")
    }


def of_sex(sex: str) -> str:
    """Return the alternatives of the words by which only kin of one *sex* (남, 여) are called."""
    said = (word for word, kin in words().items() if kin.alone and kin.tie != "pair")
    return "|".join(word for word in said if words()[word].sex == sex)


def _said(sex: str) -> str:
    return "" if sex == "-" else sex


# --- the text with a mark for each person ---------------------------------------------------------

_ROLES = (
    "원고",
    "피고인",
    "피고",
    "청구인",
    "상대방",
    "피신청인",
    "신청인",
    "피해자",
    "망인",
    "선정자",
    "사건본인",
)
_ROLE = "|".join(_ROLES)
_HEADING = re.compile(r"【([^】\n]{1,30})】 ?$")
_NAMED = re.compile(rf"(?<![가-힣])({_ROLE}) ?$")
_SEVERAL = re.compile(rf"(?<![가-힣])({_ROLE})들")

_PREFIX = re.compile(
    r"(?:(?:위|망|소외|공소외|신청외|청구외|증인|참고인|고소인|"
    rf"(?:원심 ?)?공동(?:피고인?|원고)|{_ROLE})"
    r"(?:\([^()⟪⟫]{0,24}\))? ?)+(?=⟪)"
)
_CALLED = re.compile(
    r"⟪([0-9]+)⟫ ?\([^()]{0,160}이하 ?(?:[^()⟪⟫]{0,16} )?['‘\"“]?(망인|피상속인)['’\"”]"
)
_PARTY = re.compile(
    rf"(?<![가-힣])(?P<role>{_ROLE})(?:\([^()⟪⟫]{{0,24}}\))? ?"
    rf"(?:(?:공소외|소외|망) )?⟪(?P<named>[0-9]+)⟫|"
    r"(?<![가-힣])망 (?:공소외 |소외 )?⟪(?P<dead>[0-9]+)⟫|"
    rf"(?<![가-힣])(?P<alone>{_ROLE}|피상속인)"
    r"(?=(?:[은는이가의와과을를도]|에게|,)(?:[ ,.]|$)|\(| 사이| 및 (?:소외 |공소외 )?⟪|"
    r" 등[ 은는이가]|"
    r"(?: 또는| 및|와|과|나) 그 )"
)
_BRACKETS = re.compile(r"(?<=⟫) ?\((?:[^()⟪⟫]|\([^()⟪⟫]{0,30}\)){0,60}\)")
_BIRTH = re.compile(r"⟪([0-9]+)⟫ ?\(([^()⟪⟫]{0,30}생[^()⟪⟫]{0,20})\)")


class Read(NamedTuple):
    """The ties of a text, the sexes that it says by them, and how many people there are.

    Numbers of *ties* from that of the groups on are parties without a name (원고의 아버지).
    """

    ties: Sequence[Tie]
    sexes: Mapping[int, str]


def read(groups: Sequence[Group], text: str) -> Read:
    """Return what *text* says of whose kin the persons among its *groups* are."""
    marked, parties = with_marks(groups, text, "person"), _parties(groups, text)
    own = [(parties.get(match[1], -1), match[2]) for match in _OWN_PARTNER.finditer(marked)]
    marked = _HANJA.sub("", marked)  # 처(妻)인
    marked = _the_rest(marked, groups)
    marked = _PREFIX.sub("", _with_parties(marked, parties, len(groups)))
    marked = _and_others(marked)
    marked = _patterns()["bracketed"].sub(r"\1 \2", marked)
    ties = list(_in_brackets(marked))
    ties += _couples_of_a_part(text, groups)
    sexes = {one: "남" for one in _unmarked_sons(marked)}
    plain = _BRACKETS.sub("", marked)
    for found in (_said_before, _said_behind, _children_had, _couples, _pairs, _renamed):
        ties += found(plain if found is not _renamed else marked)
    for less in (_bare, _heirs):  # what is said in full goes before
        said = {(who, tie.kin.tie) for tie in ties for who in (tie.called, tie.other)}
        tied = {frozenset((tie.called, tie.other)) for tie in ties}
        ties += [
            one
            for one in less(plain)
            if (one.called, one.kin.tie) not in said
            and frozenset((one.called, one.other)) not in tied
        ]
    for told, sex in _TOLD_OF_ONE.items():
        for match in sign(told).all(plain):
            sexes.setdefault(numbers_of(match["A"])[0], sex)
    for match in _patterns()["before"].finditer(plain):  # 딸인 X, whosever she is
        if match[3] and (sex := words()[match[2]].sex):
            sexes.update({one: sex for one in numbers_of(match[4]) if one not in sexes})
    ties += _together(plain)
    ties += _of_a_case(groups)
    ties += _of_an_ancestor(plain)
    ties += [*_of_partners(ties)]
    own += [(int(match[1]), match[2]) for match in _PARTNER.finditer(plain)]
    for number, word in own:
        sexes.setdefault(number, words()[word].other)
    return Read([one for one in ties if one.called != one.other], sexes)


_TOLD_OF_ONE = {
    "told-of-a-woman": "여",
    "told-of-a-man": "남",
    "told-with-a-husband": "여",
    "told-with-a-wife": "남",
}


def _with_parties(marked: str, parties: Mapping[str, int], free: int) -> str:
    """Return *marked* with the marks of parties that are called by their part alone (원고의).

    Of several in one part it is the one named last with it.
    """
    called: dict[str, set[int]] = defaultdict(set)
    for match in _CALLED.finditer(marked):
        called[match[2]].add(int(match[1]))
    for role, one in parties.items():
        called[role].add(one)
    numbers: dict[str, int] = {}
    last: dict[str, int] = {}

    def mark(match: re.Match[str]) -> str:
        if match["named"]:
            last[match["role"]] = int(match["named"])
            return match[0]
        if match["dead"]:
            last["망인"] = int(match["dead"])
            return match[0]
        role = match["alone"]
        known = called.get(role) or ({last[role]} if role in last else None)
        if known is None:
            number = numbers.setdefault(role, free + len(numbers))
        else:
            number = next(iter(known)) if len(known) == 1 else -1
            number = last.get(role, -1) if number < 0 else number
        return f"⟪{number}⟫" if number >= 0 else role

    return _PARTY.sub(mark, marked)


def _the_rest(marked: str, groups: Sequence[Group]) -> str:
    """Return *marked* with the marks of who is spoken of as the rest: 나머지 원고들은 X의 자녀."""
    members = _members(groups)

    def mark(match: re.Match[str]) -> str:
        named = set(numbers_of(marked[max(0, match.start() - 60) : match.start()].split(". ")[-1]))
        rest = sorted(members[match[1]] - named)
        return ", ".join(f"⟪{one}⟫" for one in rest) if rest and named else match[0]

    def mark_all(match: re.Match[str]) -> str:
        return ", ".join(f"⟪{one}⟫" for one in sorted(members[match[1]])) or match[0]

    def mark_heirs(match: re.Match[str]) -> str:
        elected = members["선정자"] if match[3] == " 등" else set()
        heirs = sorted(members[match[2]] | elected)
        return match[1] + ", ".join(f"⟪{one}⟫" for one in heirs) if heirs else match[0]

    marked = _patterns()["of all"].sub(mark_all, _ALL.sub(mark_all, _REST.sub(mark, marked)))
    return _HEIRS_OF_A_PART.sub(mark_heirs, marked)


def _and_others(marked: str) -> str:
    """Return *marked* with the marks of those whom 등 stands for: all of the longest list that
    the one before it begins elsewhere (피고 2, 3, 4 …, then 피고 2 등)."""
    longest: dict[str, str] = {}
    for match in _LISTED.finditer(marked):
        first = _P_FIRST.match(match[0])
        if first and len(match[0]) > len(longest.get(first[0], "")):
            longest[first[0]] = match[0]
    return _ET_AL.sub(lambda match: longest.get(match[1], match[0]), marked)


_REST = re.compile(rf"나머지 ({_ROLE})들(?=[은는이가을를])")
_ALL = re.compile(
    rf"(?<![가-힣])({_ROLE})들"
    r"(?=[은는이가] (?:망 )?(?:소외 )?⟪[0-9]+⟫의 (?:부모|자녀|상속인|재산)|, (?:원고|피고|소외|⟪))"
)
_HEIRS_OF_A_PART = re.compile(rf"((?:상속인|소송수계인)(?:들)?인 )({_ROLE})(들| 등)")
_HANJA = re.compile("\\([一-龥]{1,4}\\)")


def _members(groups: Sequence[Group]) -> Mapping[str, set[int]]:
    """Return the numbers of the persons of each part."""
    found: dict[str, set[int]] = defaultdict(set)
    for number, group in enumerate(groups):
        if group.kind == "person":
            roles = {_role(site) for site in group.sites}
            if called := _PLACEHOLDER.match(group.surface):
                roles.add(called[1])
            for role in roles - {""}:
                found[role].add(number)
    return found


_PLACEHOLDER = re.compile(rf"({_ROLE})[ \0]?[0-9]")


def _parties(groups: Sequence[Group], text: str) -> Mapping[str, int]:
    """Return the number of the only person of each part, -1 for a part of several."""
    found = _members(groups)
    several = {match[1] for match in _SEVERAL.finditer(text)}
    several -= {group.surface for group in groups}  # 원고 without a number is the only one
    alone = {
        role: next(iter(numbers)) if len(numbers) == 1 and role not in several else -1
        for role, numbers in found.items()
    }
    return {**dict.fromkeys(several, -1), **alone}


def _role(site: Site) -> str:
    """Return the role that stands before a person, in a heading or in the text; "" without."""
    heading = _HEADING.search(site.before[-40:])
    if heading is None:
        named = _NAMED.search(site.before[-12:])
        return named[1] if named else ""
    first = re.split(r"[,(]|겸", heading[1].replace(" ", ""))[0]
    return first if first in _ROLES else ""


def _unmarked_sons(marked: str) -> Iterator[int]:
    """Yield who is a man because only women are marked: A(여, 1973. 4. 14.생), B(1978. 5. 1.생)."""
    found = [(int(match[1]), match[2]) for match in _BIRTH.finditer(marked)]
    women = any(re.match("여[,자성 ]", said) for _, said in found)
    if women and not any(re.match("남[,자성 ]", said) for _, said in found):
        yield from (one for one, said in found if not said.startswith("여"))


# --- the grammar ----------------------------------------------------------------------------------

_P = "⟪[0-9]+⟫"
_LIST = rf"{_P}(?:(?:, (?:및 )?| 및 |와 |과 |·){_P})*"
_P_FIRST = re.compile(_P)
_LISTED = re.compile(rf"{_P}(?:(?:, (?:및 )?| 및 |와 |과 |·){_P}){{2,}}")
_ET_AL = re.compile(rf"({_P}) 등(?=[은는이가을를의과])")
_SUBJECT = re.compile(rf"({_P})(?:은|는|이|가)[ ,]")
_OF = re.compile(
    rf"({_LIST})(?:의|(?:와|과)? ?사이(?:의|에서?(?: ?(?:태어난|출생한|둔))?)) ?"
    r"(?:친|[가-힣]{2} )?$"
)
_HEADER = re.compile(
    rf"({_P})의 ?(?:[가-힣]{{1,6}} ){{0,2}}(?:가족|유족|상속인|공동상속인|재산상속인|친족)"
    r"[^⟪⟫]{0,24}$"
)
_DIED = re.compile(rf"({_P})(?:은|는|이|가|의)[^⟪⟫]{{0,60}}사망[^⟪⟫]{{0,40}}$")
_THEIRS = re.compile(r"(?<![가-힣])(?:그|그의|그들의|자신의|본인의|위) $")
_SUBJECT_BEFORE = re.compile(
    rf"({_LIST})(?:은|는|이|가) [^⟪⟫]{{0,80}}(?:{_P}(?:와|과|,| 및) ?[^⟪⟫]{{0,12}})?$"
)
_EITHER = re.compile(rf"({_P})(?:,|[와과]|(?: 또는| 및|와|과|나) (?:그|그의)) $")
_GOES_ON = re.compile(r",? ?(?:및|와|과|그리고)? ?(그의? )?")
_WED = "(?:혼인|결혼|재혼|이혼|부부|사실혼)"


@lru_cache(maxsize=1)
def _kin() -> str:
    """Return the alternatives of the words for one person's kin, the longest first."""
    one = (word for word, kin in words().items() if kin.tie != "pair")
    return "|".join(sorted(one, key=len, reverse=True))


@lru_cache(maxsize=1)
def _patterns() -> Mapping[str, re.Pattern[str]]:
    pairs = "|".join(word for word, kin in words().items() if kin.tie == "pair")
    return {
        "before": re.compile(
            rf"(?<![가-힣])(친)?({_kin()})(?:들)?(?: 중 (?:한 사람|한 명|1인|하나))?"
            rf"(인|이자(?! ?{_LIST}의 )|이던|이었던|였던)?(?:(?:로는|은|는),?)? ?"
            rf"({_LIST})"
        ),
        "behind": re.compile(
            rf"({_LIST})(?:은|는|이|가|도),? ?(?:각각 |각 |모두 )?({_LIST})"
            rf"(?:의| ?사이(?:의|에서?)(?: ?(?:태어난|출생한))?) ?(?:친|[가-힣]{{2}} )?"
            rf"({_kin()})들?"
            r"(?=이[고며다자었던지므]|다[., ]|으?로|였|인 (?!⟪)|,|\.|$| 관계)"
        ),
        "far": re.compile(
            rf"({_LIST})(?:은|는|이|가),? (?:(?!다\. )[^⟪⟫]){{0,60}}?({_LIST})의 ?"
            rf"(?:친|[가-힣]{{2}} )?({_kin()})들?(?=이[고며다자]|으?로서)"
        ),
        "on": re.compile(
            rf"(?:이[고며자]|으?로서),? ?(?:(?!다\. )[^⟪⟫]){{0,40}}?({_LIST})의 ?"
            rf"(?:친|[가-힣]{{2}} )?({_kin()})들?(?=이[고며다자]|으?로서)"
        ),
        "of another": re.compile(
            rf"({_P})(?:은|는|이|가) ({_P})의 ?({_kin()})인 ({_P})의 ?({_kin()})(?=이[고며다자])"
        ),
        "of all": re.compile(rf"(?<![가-힣])({_ROLE})들(?=의 ?(?:{_kin()})(?:인 |이[고며다]))"),
        "as": re.compile(
            rf"({_P})의 ?({_kin()})(?:(?:으로|로)서|이자|이고|이며),? "
            rf"(?:({_P})의 ?({_kin()}))?[^⟪⟫.]{{2,80}}[한은던된진] ({_P})"
        ),
        "brackets": re.compile(rf"({_P}) ?\([^()⟪⟫]{{0,16}}({_P})의 ?친?({_kin()})(?=[,) 이로])"),
        "also": re.compile(
            rf"(?:이자|이고|이며|인|겸)?,? ?(?:및 |또한 )?({_P})의 ?친?({_kin()})(?=[,) 이로])"
        ),
        "called": re.compile(rf"({_P}) ?\(({_kin()})(?=[,)])"),
        "bracketed": re.compile(rf"(?<=의 )({_kin()}) ?\(({_P})\)"),
        "theirs": re.compile(
            rf"({_LIST})(?:은|는|이|가) (?:[^⟪⟫]{{0,12}} )?(?:이들|그들|두 사람|위 부부)(?: 부부)?"
            rf"(?:의| 사이의) ?({_kin()})들?(?=이[고며다자었]|으?로|였|인 )"
        ),
        "pairs": re.compile(
            rf"({_P})(?:와|과|,| 및) ({_P})(?:은|는|이|가)? ?(?:서로 )?(?:친)?({pairs})"
            r"(?= ?(?:사이|지간|관계|이[고며다]|인 |로|으로))"
        ),
    }


_PARTNERS = "남편|시아버지|시어머니|시누이|장모|처남|처제|아내|처|오빠|언니|누나"
_PARTNER_WORDS = rf"({_PARTNERS})(?=[은는이가을를의과와도에인, .]|$)"
_PARTNER = re.compile(rf"⟪([0-9]+)⟫의 {_PARTNER_WORDS}")
_OWN_PARTNER = re.compile(
    rf"(?<![가-힣])({_ROLE})[은는이가][^.⟪⟫]{{0,60}}?(?<![가-힣])(?:자신|본인)의 {_PARTNER_WORDS}"
)


def _tied_by(word: str, called: Sequence[int], others: Sequence[int]) -> Iterator[Tie]:
    kin = words()[word]
    yield from (Tie(one, other, kin) for one, other in product(called, others) if one != other)


def _said_before(text: str) -> Iterator[Tie]:
    """Yield the ties of names behind a word for kin: X의 동생인 Y, X의 처 Y, 아들 Z."""
    end, anchor, called = -1, list[int](), list[int]()
    theirs: object = None  # X와 그 아버지인 A, 그 어머니인 B: both are of X
    for match in _patterns()["before"].finditer(text):
        whose = _OF.search(text[max(0, match.start() - 120) : match.start()])
        goes_on = end >= 0 and _GOES_ON.fullmatch(text, end, match.start())
        if whose:
            anchor = numbers_of(whose[1])
        elif not goes_on:
            anchor = _whose(text, match.start(), match)
        elif goes_on[1] and not theirs:  # 자녀인 X와 그 배우자인 Y
            anchor = called[-1:]
        theirs = bool(goes_on[1]) if goes_on else _THEIRS.search(text[: match.start()][-6:])
        end, called = match.end(), numbers_of(match[4])
        yield from _tied_by(match[2], called, anchor)


def _whose(text: str, start: int, match: re.Match[str]) -> list[int]:
    """Return whose kin a word speaks of that stands without a name before it, if that is plain."""
    before = text[max(0, start - 160) : start]
    header = _HEADER.search(before) or _DIED.search(before)
    if header and not re.search(r"다\. .*다\. ", header[0]):
        return numbers_of(header[1])
    if either := _EITHER.search(before):
        return numbers_of(either[1])
    if _THEIRS.search(before):
        subject = [*_SUBJECT.finditer(before)]
        return numbers_of(subject[-1][1]) if subject else []
    return []


def _bare(text: str) -> Iterator[Tie]:
    """Yield the ties to the subject of the sentence: 원고는 동생 Y에게."""
    for match in _patterns()["before"].finditer(text):
        before = text[max(0, match.start() - 120) : match.start()].rpartition("다. ")[2]
        subject = _SUBJECT_BEFORE.search(before)
        known = words()[match[2]].alone or match[3]
        if subject and known and not _OF.search(before):
            yield from _tied_by(match[2], numbers_of(match[4]), numbers_of(subject[1]))


def _together(text: str) -> Iterator[Tie]:
    """Yield the ties among those whom one word names together: 손자인 X, Y are of one surname."""
    for match in _patterns()["before"].finditer(text):
        kin = words()[match[2]]
        first, *others = numbers_of(match[4])
        if kin.tie in ("child", "sibling", "agnate") and (kin.alone or match[3]):
            yield from (Tie(one, first, CO_HEIR) for one in others)


def _of_a_case(groups: Sequence[Group]) -> Iterator[Tie]:
    """Yield the ties among the children whom a case of their parents' is about: 사건본인 1, 2."""
    first, *others = sorted(_members(groups)[_CHILD_OF_A_CASE]) or [-1]
    yield from (Tie(one, first, CO_HEIR) for one in others)


def _of_an_ancestor(text: str) -> Iterator[Tie]:
    """Yield the ties of the members of a clan to its ancestor, if the text names him."""
    for match in sign("ancestor-of-a-clan").all(text):
        (ancestor,) = numbers_of(match["A"])
        for member in _MEMBER.finditer(text):
            yield from (Tie(one, ancestor, MEMBER) for one in numbers_of(member[1]))


_CHILD_OF_A_CASE = "사건본인"


def _of_partners(ties: Sequence[Tie]) -> Iterator[Tie]:
    """Yield the ties of kin by marriage to the partner whose kin they are: 장인 to the wife."""
    partners = {
        one: two
        for tie in ties
        if tie.kin.tie == "spouse"
        for one, two in ((tie.called, tie.other), (tie.other, tie.called))
    }
    for tie in ties:
        if tie.kin.partner and tie.other in partners:
            yield Tie(
                tie.called, partners[tie.other], tie.kin._replace(tie=tie.kin.partner, other="")
            )


def _said_behind(text: str) -> Iterator[Tie]:
    """Yield the ties of subjects: Y는 X의 동생이다, X의 장남으로서 이를 상속한 Y."""
    for match in _patterns()["as"].finditer(text):
        yield from _tied_by(match[2], numbers_of(match[5]), numbers_of(match[1]))
        if match[4]:
            yield from _tied_by(match[4], numbers_of(match[5]), numbers_of(match[3]))
    for match in _patterns()["theirs"].finditer(text):
        couple = [*re.finditer(_LIST, text[max(0, match.start() - 60) : match.start()])]
        parents = numbers_of(couple[-1][0]) if couple else []
        if len(parents) == 2:
            yield from _tied_by(match[2], numbers_of(match[1]), parents)
    for match in _patterns()["behind"].finditer(text):
        yield from _tied_by(match[3], numbers_of(match[1]), numbers_of(match[2]))
    for match in _patterns()["of another"].finditer(text):
        yield from _tied_by(match[3], numbers_of(match[4]), numbers_of(match[2]))
        yield from _tied_by(match[5], numbers_of(match[1]), numbers_of(match[4]))
    for match in _patterns()["far"].finditer(text):
        yield from _going_on(text, match)


def _going_on(text: str, first: re.Match[str]) -> Iterator[Tie]:
    """Yield what is said of one subject: X는 … Y의 손자이자, … Z의 아들로서."""
    subject = numbers_of(first[1])
    yield from _tied_by(first[3], subject, numbers_of(first[2]))
    also = _patterns()["on"].match(text, first.end())
    while also:
        yield from _tied_by(also[2], subject, numbers_of(also[1]))
        also = _patterns()["on"].match(text, also.end())


def _in_brackets(text: str) -> Iterator[Tie]:
    """Yield the ties that stand in brackets: Y(X의 모친), 망 X의 상속인 Y(처), Z(자)."""
    for match in _patterns()["brackets"].finditer(text):
        one = numbers_of(match[1])
        yield from _tied_by(match[3], one, numbers_of(match[2]))
        also = _patterns()["also"].match(text, match.end())
        while also:  # Y(X의 배우자이자, Z의 누나)
            yield from _tied_by(also[2], one, numbers_of(also[1]))
            also = _patterns()["also"].match(text, also.end())
    for match in _HEIRS_IN_BRACKETS.finditer(text):
        dead = numbers_of(match[2])[0]
        yield from (Tie(one, dead, HEIR) for one in numbers_of(match[1]) if one != dead)
    end, anchor = -1, list[int]()
    for match in _patterns()["called"].finditer(text):
        if end < 0 or match.start() - end > 40:
            header = _HEADER.search(text[max(0, match.start() - 120) : match.start()])
            anchor = numbers_of(header[1]) if header else []
        end = match.end()
        yield from _tied_by(match[2], numbers_of(match[1]), anchor)


_HAD = re.compile(
    rf"({_P})(?:은|는|이|가) (?:({_P})(?:와|과)[^⟪⟫]{{0,40}}?)?[^⟪⟫]{{0,24}}?"
    rf"(?:자녀|슬하|사이에|아들|딸)[^⟪⟫]{{0,10}}?({_LIST})(?:을|를)[^⟪⟫]{{0,12}}(?:두|낳|출산)"
)
_MINORS = re.compile(
    rf"({_LIST})(?:은|는|이|가) 미성년자[^⟪⟫]{{0,30}}친권자 ?부 ?({_P})"
    rf"(?:,? ?(?:친권자 ?)?모 ?({_P}))?"
)
_COUPLE_HAD = re.compile(
    rf"({_P})(?:와|과) ({_P})(?:은|는|이|가) [^⟪⟫]{{0,80}}(?:자녀|슬하|사이에|아들|딸)"
    rf"[^⟪⟫]{{0,10}}?({_LIST})(?:을|를)[^⟪⟫]{{0,12}}(?:두|낳|출산)"
)
_HEIRS = re.compile(
    rf"({_P})의 ?(?:(?:공동|재산)?상속인|소송수계인)(?:들)?(?: 중 (?:한 사람|한 명|1인|하나))?"
    rf"(?:인|으로서|으로는|으로)? ({_LIST})"
)
_HEIRS_IN_BRACKETS = re.compile(rf"({_LIST}) ?\( ?({_P})의 ?(?:공동|재산)?상속인들?(?=[,) 이])")
_AFTER_A_DEATH = re.compile(
    rf"({_LIST})(?:은|는|이|가) ({_P})의 사망 ?(?:이후|후|뒤)[^⟪⟫.]{{0,60}}(?:상속|유산)"
)
_INHERITING = re.compile(
    rf"({_LIST})(?:은|는|이|가) [^⟪⟫.]{{0,30}}({_P})(?:의 사망|[이가] 사망)[^⟪⟫.]{{0,40}}상속[한하]"
)
_LEFT_THEM = re.compile(rf"({_LIST})의 ?피상속인(?:인)? ({_P})")
_INHERITED_FROM = re.compile(
    rf"({_P})(?:은|는|이|가) (?:[^⟪⟫]{{0,160}}{_P})?[^⟪⟫]{{0,160}}사망하[였여]"
    rf"[^⟪⟫]{{0,24}}({_P})(?:은|는|이|가) "
    r"(?:그|그의|단독으로|위)? ?(?:재산|호주|단독|공동)?상속"
)
_EQUAL_SHARES = re.compile(
    rf"({_LIST})에게 ?각 ?(?:[0-9,.]+ ?/ ?[0-9,.]+|[0-9]+ ?분의 ?[0-9]+) ?(?:지분|씩|의 비율)"
)
_INHERITED = re.compile("상속")
_LEFT_BY = re.compile("피상속인인 ⟪([0-9]+)⟫")
_SHARED = re.compile(rf"({_P})(?:와|과) ({_P})(?:은|는)? ?사이의?에? ?[^⟪⟫.]{{0,20}}상속재산")


def _children_had(text: str) -> Iterator[Tie]:
    """Yield the ties of parents who had children: X는 Y와 사이에 자녀 Z를 두었다."""
    for match in _HAD.finditer(text):
        parents = [*numbers_of(match[1]), *numbers_of(match[2] or "")]
        yield from _tied_by("자녀", numbers_of(match[3]), parents)
    for match in _MINORS.finditer(text):
        first, second = numbers_of(match[2])[0], numbers_of(match[3] or "")
        for child in numbers_of(match[1]):
            yield Tie(first, child, words()["아버지"])
            yield from (Tie(one, child, words()["어머니"]) for one in second)
    for match in _COUPLE_HAD.finditer(text):
        yield from _tied_by(
            "자녀", numbers_of(match[3]), [*numbers_of(match[1]), *numbers_of(match[2])]
        )


def _heirs(text: str) -> Iterator[Tie]:
    """Yield the ties of heirs of whom nothing else is said: to a child most is left.

    Who inherits equal shares together is brother and sister.
    """
    for match in _EQUAL_SHARES.finditer(text):
        first, *others = numbers_of(match[1])
        if others and _INHERITED.search(text, max(0, match.start() - 300), match.end() + 60):
            yield from (Tie(one, first, CO_HEIR) for one in others)
    for match in _HEIRS.finditer(text):
        yield from (Tie(one, int(match[1][1:-1]), HEIR) for one in numbers_of(match[2]))
    for match in _LEFT_THEM.finditer(text):
        dead = numbers_of(match[2])[0]
        yield from (Tie(one, dead, HEIR) for one in numbers_of(match[1]) if one != dead)
    for match in _INHERITED_FROM.finditer(text):
        yield Tie(numbers_of(match[2])[0], numbers_of(match[1])[0], HEIR)
    said = (*_INHERITING.finditer(text), *_AFTER_A_DEATH.finditer(text))
    for match in (*said, *sign("told-of-heirs").all(text)):
        dead = numbers_of(match[2])[0]
        yield from (Tie(one, dead, HEIR) for one in numbers_of(match[1]) if one != dead)
    left = _LEFT_BY.search(text)
    for match in _SHARED.finditer(text) if left else ():
        heirs = (*numbers_of(match[1]), *numbers_of(match[2]))
        yield from (Tie(one, int(left[1]), HEIR) for one in heirs) if left else ()


_COUPLES = (
    re.compile(
        rf"({_P})(?:와|과) ({_P})(?:은|는|이|가|의)?(?! ?사이의? ?소송)[^⟪⟫.]{{0,24}}"
        rf"(?:[0-9]{{4}}\. ?[0-9]{{1,2}}\. ?[0-9]{{1,2}}\.)?[^⟪⟫.]{{0,16}}{_WED}"
    ),
    re.compile(
        rf"({_P})(?:은|는|이|가) (?:[^⟪⟫]{{0,40}} )?({_P})(?:와|과)(?: 사이에)? ?"
        r"[0-9. 년월일경에]{0,24}(?:혼인|결혼|재혼)(?:신고|하|식|한|생활)"
    ),
)


_A_COUPLE_WHO = re.compile(
    rf"({_P})(?:와|과|,| 및) ({_P})(?:은|는) [^⟪⟫.]{{0,8}}[0-9. 년월일경에]{{0,24}}"
    rf"(?:혼인한 |법률상 )?부부(?:이고|로서|로|인데),? ?({_LIST})의 ?친?부모"
)


def _couples_of_a_part(text: str, groups: Sequence[Group]) -> Iterator[Tie]:
    """Yield the tie of the two parties of one part who are a couple: 부부인 피고인들."""
    members = _members(groups)
    for match in (*sign("the-couple-of").all(text), *sign("both-are-a-couple").all(text)):
        if len(both := sorted(members.get(match["R"], ()))) == 2:
            yield Tie(both[1], both[0], SPOUSE)


def _couples(text: str) -> Iterator[Tie]:
    for match in _A_COUPLE_WHO.finditer(text):
        both = [int(match[1][1:-1]), int(match[2][1:-1])]
        yield Tie(both[1], both[0], SPOUSE)
        yield from _tied_by("부모", both, numbers_of(match[3]))
    for pattern in _COUPLES:
        for match in pattern.finditer(text):
            yield Tie(int(match[2][1:-1]), int(match[1][1:-1]), SPOUSE)
    for match in sign("married-to-whom").all(text):
        yield Tie(numbers_of(match["B"])[0], numbers_of(match["A"])[0], SPOUSE)
    for match in (*sign("told-of-lovers").all(text), *sign("told-of-a-lover").all(text)):
        yield Tie(numbers_of(match["B"])[0], numbers_of(match["A"])[0], LOVER)


def _pairs(text: str) -> Iterator[Tie]:
    """Yield the ties that one word says of two: X와 Y는 남매이다."""
    for match in _patterns()["pairs"].finditer(text):
        kin = words()[match[3]]
        one, other = int(match[1][1:-1]), int(match[2][1:-1])
        tie = "spouse" if match[3] == "부부" else "sibling" if kin.older < 9 else "parent"
        yield Tie(one, other, kin._replace(tie=tie))


_RENAMED = re.compile(rf"({_P}) ?\((?:일명|개명 ?(?:전|후))(?: ?이름| ?성명)?:? ?['‘\"“]?({_P})")


def _renamed(text: str) -> Iterator[Tie]:
    for match in _RENAMED.finditer(text):
        yield Tie(int(match[2][1:-1]), int(match[1][1:-1]), SAME_NAME)


# --- surnames that are said -----------------------------------------------------------------------


class Surname(NamedTuple):
    """The surname that a text says of somebody, or the site of the clan that they are of."""

    said: str = ""
    clan: int = -1


UNSAID = Surname()
_SHOWN = re.compile(r"([가-힣]{1,2})[ ]?[○OＯ〇ㅇ△□◇◎●*]{1,3}")
_CLAN = re.compile(
    r"(?<![가-힣])(?:[가-힣]{2} ?)?([가-힣])씨 ?[^\s.,()]{0,10}?(?:문중|종중|종회|종친회|화수회)"
)
_CLANS = "종중"
_MEMBER = context(rf"(?<![가-힣])<clan-member>(?:인|이던|이자)? ({_LIST})")


def surnames(groups: Sequence[Group], text: str) -> Mapping[int, Surname]:
    """Return the surnames that *text* says: what a mark shows (정○○), and those of a clan.

    Its members bear its surname, whether the clan itself is named or marked.
    """
    known = names.surnames()
    shown = (
        (number, _SHOWN.fullmatch(group.sites[0].surface))
        for number, group in enumerate(groups)
        if group.kind == "person"
    )
    found = {n: Surname(match[1]) for n, match in shown if match and match[1] in known}
    clan = _clan(groups, text)
    members = (
        _MEMBER.finditer(_PREFIX.sub("", with_marks(groups, text, "person")))
        if clan != UNSAID
        else ()
    )
    for match in members:
        for one in numbers_of(match[1]):
            found.setdefault(one, clan)
    return found


def _clan(groups: Sequence[Group], text: str) -> Surname:
    """Return the surname of the only clan that a text speaks of; UNSAID where it is not one."""
    said = {match[1] for match in _CLAN.finditer(text)} & names.surnames()
    marked = [group.at[0] for group in groups if group.label == _CLANS]
    if len(said) == 1 and not marked:
        return Surname(said.pop())
    return Surname(clan=marked[0]) if len(marked) == 1 and not said else UNSAID


def clan_surname(clan: str) -> str:
    """Return the surname in the name of a clan: 김 of 경주김 and 경주김씨; "" without one."""
    return clan[2:3] if clan[2:3] in names.surnames() else ""
