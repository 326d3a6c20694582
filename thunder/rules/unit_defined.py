"""Units that a judgment defines by their number: 건물(이하 ‘101호’라 한다)."""

import re
from collections.abc import Iterator

from thunder.rules.unit_lists import LABEL, NUMBER
from thunder.spans import Span

_DEFINED = re.compile(
    r"(?:이하|다음부터)(?:에서)?(?: ?각)?,? ?['‘\"“]?(?:제 ?)?"
    rf"({NUMBER})호(?:실)?['’\"”]? ?(?:이?라|로만|로 )"
)
_PAPER = re.compile(
    "고시(?![원텔])|공고|결의|의안|증서|특허|명령|규칙|훈령|예규|법률|조례|부령|관보|문서|공문"
)
# What else is counted so: 접수 제101호, 제2항 제101호, 을 제101호, 선거사건 제101호.
_COUNTED = re.compile(
    r"(?:[조항년증]|접수|등기|번호|사건|허가|면허|등록|보험|조합|차량|열차|[갑을병정]) ?제 ?\Z"
)
_SIGHT, _IN_SIGHT, _BESIDE = 30, 18, 8


def defined(text: str) -> Iterator[Span]:
    """Yield the units that *text* defines; not where a paper of that number stands before it."""
    for unit in _DEFINED.finditer(text):
        if not _PAPER.search(text, max(0, unit.start() - _SIGHT), unit.start()):
            yield Span(*unit.span(1), LABEL, 0.85)


def is_of_paper(text: str, start: int) -> bool:
    """Return whether 제 and the number at *start* count papers or items: 고시 제101호."""
    is_paper = _PAPER.search(text, max(0, start - _IN_SIGHT), start) is not None
    return is_paper or _COUNTED.search(text, max(0, start - _BESIDE), start) is not None
