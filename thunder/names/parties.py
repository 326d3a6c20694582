"""Parties in a judgment's heading that are no persons: 【원    고】 한빛연구원, 나래노동조합."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from thunder.names import clans
from thunder.names.chunks import is_placeholder
from thunder.names.descriptors import read
from thunder.names.legal_forms import FORM
from thunder.names.naming import CERTAIN, is_place_name
from thunder.names.person_context import role_group
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

# What bodies that are parties are called by; state bodies and institutes of towns are not here.
_NOUNS = {
    "연구소": "연구원|연구소",
    "노동조합": "노동조합|노조",
    "종중": clans.NOUNS,
    "재단법인": "(?:장학|의료|복지)?(?<!보증)재단|장학회",
    "교회": "교회|성당|수도원|기도원",
    "단체명": "동문회|동창회|향우회|청년회|부녀회|친목계|친목회|번영회|상인회|관리단",
    "재개발정비조합": (
        "(?:(?:아파트)?(?:주택|도시환경) ?)?(?:재개발|재건축)?(?:정비)?사업 ?조합"
        "(?: ?설립 ?추진위원회)?|"
        "(?:토지구획정리|도시개발)(?:사업)?조합|(?:주택|지역)?(?:재개발|재건축|주택) ?조합"
    ),
    "투자회사": "펀드",
    "국외기업": "가부시키가이샤|언리미티드 컴퍼니|컴퍼니|캄파니|리미티드|아게|에이/에스|엘엘씨",
    "주식회사": "(?:주식|유한|합자|합명)회사",
    "영농조합법인": "(?:영농조합|영어조합|농업회사|어업회사)법인",
}
_NOUN = "|".join(rf"(?P<n{at}>{nouns})" for at, nouns in enumerate(_NOUNS.values()))
_LABELS = tuple(_NOUNS)
_HEADING = lazy.compile(
    r"^[ \t]{0,60}(?:【(?P<roles>[^】\n]{2,40})】|(?P<bare>[원피][ \t]{1,8}고)[ \t])[ \t]{0,60}"
    r"(?P<party>[^\n【】(){},]{3,60})",
    re.MULTILINE,
)
_PARTY_ROLE = lazy.compile(
    r"원고|피고(?!인)|(?:신청|청구|참가|항고|항소|상고)인|채권자|채무자|이해관계인"
)
_MORE = lazy.compile(r" ?외 ?[0-9]{1,5} ?(?:인|명|개?사)?\s*\Z")
_BODY = lazy.compile(
    r"(?P<name>[가-힣A-Za-z0-9](?:[가-힣A-Za-z0-9Ⅰ-Ⅹ·.&/-]| (?! )){0,38}?) ?"
    rf"(?:{_NOUN})(?:[Ⅰ-Ⅹ0-9]{{1,2}}| ?[가-힣0-9]{{2,12}}(?:지부|지회|분회))?"
)
_STATE = lazy.compile(
    r"(?:한국|국립|국가|대한|전국|농업|수산업|산업|중소기업)[가-힣]*\Z|[가-힣]{2,7}(?:특별시|광역시|특별자치[시도]|도)\Z"
)
_OPEN_TO_TOWNS = "연구소"  # 나래연구원 of the province of that name is one of its offices
_BY_FORM = "주식회사"
_MOST = 40  # parties: each is looked for in all of the text


class Party(NamedTuple):
    """A party that is a body: its distinctive part, what follows it, and its label."""

    name: str
    rest: str
    label: str


def find(text: str) -> Iterator[Span]:
    """Yield the distinctive part of each party that is no person and no state body, everywhere.

    The role in the heading's brackets shows that the line names a party; its noun (한빛|연구원) or
    legal form stays readable and shows what it is. The whole is then found wherever it stands.
    """
    named = (party for match in _HEADING.finditer(text) if (party := _party(match)))
    for party in islice(dict.fromkeys(named), _MOST):
        for match in _everywhere(party).finditer(text):
            yield Span(*match.span(1), party.label, CERTAIN)


def _party(heading: re.Match[str]) -> Party | None:
    roles = "".join((heading["roles"] or heading["bare"]).split())
    body = _BODY.fullmatch(_MORE.sub("", heading["party"]).rstrip())
    if body is None or not _PARTY_ROLE.search(roles):
        return None
    label = _LABELS[int((body.lastgroup or "n0")[1:])]
    name = body["name"].rstrip()
    name = _without_noun(name) if label == _BY_FORM else name
    if _is_readable(name, label):
        return None
    return Party(_without_lead(name, label), body[0][len(name) :], label)


def _without_noun(name: str) -> str:
    """Return *name* without what else it says of itself: 한빛|손해보험 주식회사."""
    last = name.rpartition(" ")[2]
    reading = read(last)
    if reading is None or reading.descriptor.inside or reading.noun_end < len(last):
        return name
    return name[: len(name) - len(last) + reading.noun_start] if reading.noun_start > 1 else name


def _without_lead(name: str, label: str) -> str:
    """Return *name* without the town or the denomination before it: 대한예수교장로회 |한빛."""
    first, _, rest = name.partition(" ")
    is_lead = is_place_name(first) or (label == "교회" and first[-1] in "회단")
    return rest if is_lead and len(rest) > 1 else name


def _is_readable(name: str, label: str) -> bool:
    """Return whether *name* is a state body's or nobody's: 원고, 학교법인 ○○, 한국…."""
    words = name.split()
    if (
        len(name) < 2
        or expression(FORM).match(name)
        or any(is_placeholder(word) or role_group(word) for word in words)
    ):
        return True
    if label == _OPEN_TO_TOWNS and (_STATE.match(name) or is_place_name(name)):
        return True
    reading = read(words[-1])
    return len(words) == 1 and reading is not None and reading.noun_start == 0


def _everywhere(party: Party) -> re.Pattern[str]:
    name, rest = (
        r"\s{0,2}".join(map(re.escape, part.split())) for part in (party.name, party.rest)
    )
    return lazy.compile(rf"(?<![가-힣A-Za-z0-9])({name}) ?{rest}")
