"""계좌번호: by the layouts of the banks, or by a cue such as 계좌번호, 은행 or 예금.

No check digit is general; layouts (``taxonomy/cues/account_layouts.tsv``) and cues are all there
is to go by.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

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
from thunder.taxonomy.lexicon import account_layouts, expression, words_of
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "account"
LABEL = "계좌번호"


@lru_cache(maxsize=1)
def _layouts() -> frozenset[tuple[int, ...]]:
    some = (layout for layouts in account_layouts().values() for layout in layouts)
    return frozenset(tuple(map(int, layout.split("-"))) for layout in some)


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

_HOUSE = r"(?<!오일)(?:<banking-house>|증권(?! ?번호))"
_NAMING_ACCOUNT = naming("<account-number>")
_NAMING_HOUSE = naming(rf"{_HOUSE}(?:의|에)? ?<account-sort>? ?(?:계좌|통장)?")
_NAMING_SHORT = naming("<bank>|<bank-in-short>")
_MOVED = expression("<account-of-money>|<money-moved>")
_NEAR = expression(rf"<account-of-money>|<money-moved>|명의|{_HOUSE}")
_AFTER = expression(r"<account-of-money>|으?로 (?:[0-9,만억원 ]{1,14})?(?:을 )?<money-moved>")
_ACCOUNT = expression("계좌|예금주|통장")
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
    size, known = sum(groups), groups in _layouts()
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
    if groups not in _layouts() or sum(groups) < 10:
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
