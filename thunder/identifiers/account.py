"""계좌번호: by the layouts of the banks, or by a cue such as 계좌번호, 은행 or 예금.

Layouts: 금융결제원, 참가기관별 CMS 계좌번호체계 (2026-05), as groups of digits the way people
write them. No check digit is general; layouts and cues are all there is to go by.
"""

import re
from collections.abc import Callable, Iterator

from thunder.identifiers.cues import (
    HIDDEN,
    JOIN,
    digits_of,
    fresh,
    groups_of,
    is_named,
    is_near,
    naming,
)
from thunder.taxonomy.lexicon import words_of
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "account"
LABEL = "계좌번호"
BANKS = {
    "국민": "3-2-6 3-2-4-3 3-2-4-2-1 6-2-6 4-2-7-1 4-2-8 3-3-4 3-4-4",
    "신한": "3-3-6 3-2-6 3-8-1 3-3-7-1 3-3-8 3-2-5-1",
    "우리": "4-3-6 4-2-6 3-6-2-3 3-6-2-2-1 3-2-6 3-5-2-2-1 3-2-6-1",
    "하나": "3-6-5 3-6-2 3-2-6 3-2-5-1 3-8-2 3-6-3-2",
    "외환": "3-2-6 3-3-6 3-2-5-1 3-6-3",
    "기업": "3-6-2-3 3-6-2-2-1 3-2-6-1 3-2-7 8-2 3-8 3-6-3-2",
    "농협": "3-4-4-2 3-2-6 4-2-6 6-2-6 3-2-5-1 4-2-5-1 6-2-5-1 3-4-4-1 3-4-4-2-1",
    "수협": "3-2-6 3-2-7 3-9 4-4-4 3-11 3-2-5-1",
    "산업": "3-2-6 3-8-3 3-7-1-3 3-2-5-1 3-4-4-3",
    "제일": "3-2-6 3-2-5 3-2-8",
    "씨티": "3-6-3 3-5-2-1-2 1-6-1-2-2 3-5-3 1-6-2-1 2-2-5-1 3-2-6 3-5-2-1",
    "대구": "3-2-6-1 3-2-6-3 2-11 3-2-7 3-10-1",
    "부산": "3-2-6-1 3-4-4-1 3-4-4-2 3-2-7",
    "광주": "3-3-6 3-3-5-1 1-3-8-1 4-3-6",
    "전북": "3-2-7 1-3-2-6 1-3-2-7 3-2-6 4-2-7",
    "경남": "3-2-7 3-9-1 3-2-6 3-4-4-2",
    "제주": "2-2-6 3-9 3-3-6 2-2-5",
    "우체국": "6-2-6 3-8-1 6-2-5-1 6-6-1 6-6 3-4-4-1",
    "새마을금고": "4-2-6-1 4-4-4-1 4-2-7 3-9-1 4-8-1 4-3-6 3-8-1-1 2-4-6-1",
    "신협": "3-3-6 5-2-6 5-2-5-1 5-2-6-1 3-3-5-1 3-4-4 4-2-6",
    "저축은행": "3-2-2-6-1 3-2-2-7 3-4-4-3",
    "산림조합": "3-2-6-1 5-2-6 3-2-7",
    "카카오뱅크": "4-2-7",
    "케이뱅크": "3-3-6 2-3-4-4 3-4-3-4",
    "토스뱅크": "4-4-4 3-8-1",
    "증권": "3-2-6 8-2 3-6-2 4-4-2 3-3-2-2 3-2-6-3 4-4-3 8-4 8-3",
}
LAYOUTS = frozenset(
    tuple(map(int, layout.split("-"))) for line in BANKS.values() for layout in line.split()
)

_D = f"[0-9{HIDDEN}]"
_GROUPED = lazy.compile(
    rf"[0-9*](?<![0-9*]{{2}})(?<![0-9*]-[0-9*]){_D}{{0,10}}(?:{JOIN}{_D}{{1,11}}){{1,4}}"
    rf"(?!{_D}|-[0-9*]|,[0-9]{{3}}(?![0-9-])|[A-Za-z])"
)
_SPACED = lazy.compile(
    rf"[0-9](?<![0-9.][0-9])(?<![0-9][- ][0-9]){_D}{{1,7}}(?:[ .]{_D}{{2,8}}){{1,4}}"
    rf"(?!{_D}|[-.][0-9*]|[A-Za-z])"
)
_UNBROKEN = lazy.compile(
    rf"[0-9][0-9]{{2}}{fresh(3)}{_D}{{5,13}}(?!{_D}|-[0-9]|[.,][0-9]{{1,3}}(?![0-9-])|[A-Za-z])"
)

_HOUSE = r"(?<!오일)(?:은행|뱅크|농협|[축수신]협|금고|우체국|산림조합|증권(?! ?번호)|금융투자|CMS)"
_SHORT = "|".join(BANKS) + "|SC|KB|NH|IBK|KEB|KDB|BNK|iM|MG|DGB|한미|조흥|상업|주택"
_NAMING_ACCOUNT = naming(r"계좌(?: ?번호)?|통장(?: ?번호)?|예금 ?번호|계번")
_NAMING_HOUSE = naming(rf"(?:{_HOUSE})(?:의|에)? ?(?:예금|보통예금|입출금)? ?(?:계좌|통장)?")
_NAMING_SHORT = naming(_SHORT)
_MOVED = lazy.compile("계좌|예금|통장|입금|송금|이체")
_NEAR = lazy.compile(rf"{_MOVED.pattern}|명의|{_HOUSE}")
_AFTER = lazy.compile(r"계좌|통장|예금|으?로 (?:[0-9,만억원 ]{1,14})?(?:을 )?(?:송금|입금|이체)")
_ACCOUNT = lazy.compile(r"계좌|예금주|통장")
# 2002-313353 is an application or a warrant; ...2015-12-09 a date that touches a table's cell;
# ***-****-****991 what another program left of any number
_NO_ACCOUNT = lazy.compile(
    r"(?:19|20)[0-9]{2}-[0-9]+\Z|.*(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]\Z|\*+-\*+-"
)
_DAY = lazy.compile(r"(?:19|20)[0-9]{2}[01][0-9][0-3][0-9]")


def find(text: str) -> Iterator[Span]:
    """Yield the account numbers of *text*, half hidden ones too where a cue is near."""
    yield from _find_with(text, _GROUPED, _score_grouped)
    if any(cue in text for cue in words_of("account-word")):
        yield from _find_with(text, _SPACED, _score_spaced)
        yield from _find_with(text, _UNBROKEN, _score_unbroken)


def _find_with(
    text: str, pattern: re.Pattern[str], score_of: Callable[[str, re.Match[str]], float]
) -> Iterator[Span]:
    for match in pattern.finditer(text):
        digits = digits_of(match[0])
        if (
            len(digits) >= 3
            and digits.count("0") < len(digits) - 1
            and (score := score_of(text, match))
        ):
            yield Span(match.start(), match.end(), LABEL, score)


def _score_grouped(text: str, match: re.Match[str]) -> float:
    start, groups = match.start(), groups_of(match[0])
    size, known = sum(groups), groups in LAYOUTS
    hidden = len(digits_of(match[0])) < size
    if size >= 7 and is_named(text, start, _NAMING_ACCOUNT):
        return 0.99 if known else 0.97
    if not (8 if hidden else 10) <= size <= 16 or _NO_ACCOUNT.match(match[0]):
        return 0.0
    if is_named(text, start, _NAMING_HOUSE):
        return 0.97 if known else 0.9
    cue = _NEAR if known else _MOVED
    if is_near(text, start, start, cue, before=45) or _leads_on(text, match.end()):
        return 0.9 if known else 0.8
    if hidden or not known:
        return 0.0
    if is_named(text, start, _NAMING_SHORT):
        return 0.9
    return 0.6 if len(groups) >= 3 and size >= 11 else 0.0


def _leads_on(text: str, end: int) -> bool:
    """Return whether what follows makes the number an account: 계좌로, 로 3,000만 원을 송금."""
    return _AFTER.search(text, end, end + 25) is not None


def _score_spaced(text: str, match: re.Match[str]) -> float:
    groups = tuple(map(len, re.split("[ .]", match[0])))
    if groups not in LAYOUTS or sum(groups) < 10:
        return 0.0
    if is_named(text, match.start(), _NAMING_ACCOUNT):
        return 0.98
    return 0.9 if is_named(text, match.start(), _NAMING_HOUSE) else 0.0


def _score_unbroken(text: str, match: re.Match[str]) -> float:
    start, number = match.start(), match[0]
    if is_named(text, start, _NAMING_ACCOUNT):
        return 0.0 if _DAY.fullmatch(number) else 0.97
    if len(number) < 10:
        return 0.0
    if is_named(text, start, _NAMING_HOUSE):
        return 0.96
    return 0.7 if is_near(text, start, match.end(), _ACCOUNT, before=30, after=8) else 0.0
