"""카드번호: 4-4-4-4, 4-6-5, 4-6-4 or unbroken; the last digit is Luhn's check digit."""

import re
from collections.abc import Iterator

from thunder.identifiers import checks
from thunder.identifiers.cues import HIDDEN, JOIN, digits_of, fresh, is_named, is_near, naming
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "card"
LABEL = "카드번호"
PREFIXES = ("35", "36", "37", "4", "51", "52", "53", "54", "55", "62", "65", "94", "95")

_D = f"[0-9{HIDDEN}]"
_NUMBER = lazy.compile(
    rf"[0-9]{fresh(1)}{_D}{{3}}(?:(?P<join>{JOIN}| )"
    rf"(?:{_D}{{4}}(?P=join){_D}{{4}}(?P=join){_D}{{4}}|{_D}{{6}}(?P=join){_D}{{4,5}})"
    rf"|{_D}{{9,12}})(?!{_D}|-[0-9]|[A-Za-z])"
)
_NAMING = naming(r"카드 ?(?:번호)?|[Cc]ard(?: [Nn]o\.?)?|CARD")
_CELL_BEFORE, _CELL_AFTER = lazy.compile(r"[0-9] (?=[0-9])"), lazy.compile(r" [0-9]")
_NEAR = lazy.compile(r"카드|[Cc]ard|CARD|결제|비자|마스터")


def find(text: str) -> Iterator[Span]:
    """Yield the payment card numbers of *text*, half hidden ones too."""
    for match in _NUMBER.finditer(text):
        if score := _score(text, match):
            yield Span(match.start(), match.end(), LABEL, score)


def _score(text: str, match: re.Match[str]) -> float:
    digits, join = digits_of(match[0]), match["join"]
    if len(digits) < 4 or not set(digits) - {"0"}:
        return 0.0
    hidden = any(char in HIDDEN for char in match[0])
    checked = not hidden and is_luhn(digits)
    if is_named(text, match.start(), _NAMING):
        return 0.99 if join or checked or hidden else 0.96
    near = is_near(text, match.start(), match.end(), _NEAR, before=60, after=20)
    if join and "-" in join:
        return _score_joined(digits, near=near, checked=checked, hidden=hidden)
    if join:
        known = checked and digits.startswith(PREFIXES) and not _in_row(text, match)
        return 0.9 if near or known else 0.0
    return 0.9 if near and checked and digits.startswith(PREFIXES) else 0.0


def _in_row(text: str, match: re.Match[str]) -> bool:
    """Return whether another number stands beside this one, as in the rows of a table."""
    start, end = match.span()
    return bool(_CELL_BEFORE.match(text, max(0, start - 2)) or _CELL_AFTER.match(text, end))


def _score_joined(digits: str, *, near: bool, checked: bool, hidden: bool) -> float:
    if near:
        return 0.94 if checked else 0.9
    if hidden:
        return 0.75
    return 0.9 if checked else 0.7


def is_luhn(number: str) -> bool:
    """Return whether the last digit is the check digit of the others (ISO/IEC 7812)."""
    return checks.luhn(number[:-1]) == number[-1]
