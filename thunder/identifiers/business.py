"""사업자등록번호: 3-2-5; also the 고유번호 that tax offices give to bodies without business."""

import re
from collections.abc import Iterator
from random import Random

from thunder.identifiers.cues import HIDDEN, JOIN, digits_of, fresh, is_named, is_near, naming
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "business"
LABEL = "사업자등록번호"
_WEIGHTS = (1, 3, 7, 1, 3, 7, 1, 3, 5)

_NUMBER = lazy.compile(
    rf"[0-9][0-9]{{2}}{fresh(3)}(?:(?P<join>{JOIN})"
    rf"[0-9{HIDDEN}]{{2}}{JOIN}[0-9{HIDDEN}]{{5}}|[0-9]{{7}}|[0-9]{{2}}[{HIDDEN}]{{5}})"
    rf"(?![0-9{HIDDEN}A-Za-z]|-[0-9])"
)
_NAMING = naming(r"사업자 ?(?:등록)? ?(?:번호)?|사업자 ?등록증|고유 ?번호")
_NEAR = lazy.compile(r"사업자|고유 ?번호|등록 ?번호|상호|과세")


def find(text: str) -> Iterator[Span]:
    """Yield the business registration numbers of *text*; unhyphenated only with the cue."""
    for match in _NUMBER.finditer(text):
        score = _score(text, match)
        if score:
            yield Span(match.start(), match.end(), LABEL, score)


def _score(text: str, match: re.Match[str]) -> float:
    number = digits_of(match[0])
    if not set(number) - {"0"}:
        return 0.0
    if is_named(text, match.start(), _NAMING):
        return 0.99
    if not match["join"]:
        return 0.0
    near = is_near(text, match.start(), match.end(), _NEAR)
    if len(number) < 10:
        return 0.85 if near and len(number) >= 5 else 0.0
    return 0.94 if near else 0.85 if check_digit(number[:9]) == number[9] else 0.65


def check_digit(nine: str) -> str:
    """Return the check digit of the first nine digits."""
    total = sum(weight * int(digit) for weight, digit in zip(_WEIGHTS, nine, strict=True))
    return str((10 - (total + 5 * int(nine[8]) // 10) % 10) % 10)


def make(rng: Random) -> str:
    """Return an invented number with a valid check digit: individuals' and companies' kinds."""
    kind = rng.choice([kind for kind in range(1, 100) if kind != 80])
    nine = f"{rng.randint(101, 899)}{kind:02d}{rng.randrange(10_000):04d}"
    joint = "-" if rng.random() < 0.95 else " - "
    return joint.join((nine[:3], nine[3:5], nine[5:] + check_digit(nine)))
