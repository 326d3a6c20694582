"""법인등록번호: registry office 4, kind of body 2, serial 6, check digit 1, written 6-7.

The check digit is a plain weighted sum (법인 및 재외국민의
부동산등기용등록번호 규칙); it raises the score and never vetoes.
"""

import re
from collections.abc import Iterator

from thunder.identifiers import checks
from thunder.identifiers.cues import HIDDEN, JOIN, digits_of, fresh, is_named, is_near, naming
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "corporation"
LABEL = "법인등록번호"
KINDS = (*range(11, 16), 21, 22, *range(31, 54), 71, *range(81, 87))

_NUMBER = lazy.compile(
    rf"[0-9][0-9]{{5}}{fresh(6)}(?:(?P<join>{JOIN}))?"
    rf"(?:[0-9]{{7}}|[0-9]{{0,6}}[{HIDDEN}]{{1,7}})(?![0-9{HIDDEN}A-Za-z]|-[0-9])"
)
_NAMING = naming(r"법인 ?(?:등록)? ?번호|법인 ?등기 ?번호|부동산 ?등기용 ?등록 ?번호")
_LOOSELY = naming(r"(?<!민)(?<!인)(?<!자) ?(?:등록|등기) ?번호")  # of a trade mark, too
_BODY = expression(r"<registered-body>|\(주\)")


def find(text: str) -> Iterator[Span]:
    """Yield the corporate registration numbers of *text*; unhyphenated only with the cue."""
    for match in _NUMBER.finditer(text):
        score = _score(text, match)
        if score:
            yield Span(match.start(), match.end(), LABEL, score)


def _score(text: str, match: re.Match[str]) -> float:
    number, start = digits_of(match[0]), match.start()
    if not set(number) - {"0"}:
        return 0.0
    if is_named(text, start, _NAMING):
        return 0.99
    if not match["join"] or len(number) < 13:
        return 0.0
    checked = checks.corporation(number[:12]) == number[12]
    if is_named(text, start, _LOOSELY):
        return 0.97
    if is_near(text, start, match.end(), _BODY, before=30):
        return 0.95 if checked and int(number[4:6]) in KINDS else 0.8
    return 0.7 if checked or int(number[4:6]) in KINDS else 0.0
