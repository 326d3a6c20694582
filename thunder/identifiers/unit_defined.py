"""Units that a judgment defines by their number: 건물(이하 ‘101호’라 한다); and papers' numbers."""

from collections.abc import Iterator
from functools import lru_cache

from thunder.identifiers.unit_lists import LABEL, NUMBER
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

_DEFINED = lazy.compile(
    r"(?:이하|다음부터)(?:에서)?(?: ?각)?,? ?['‘\"“]?(?:제 ?)?"
    rf"({NUMBER})호(?:실)?['’\"”]? ?(?:이?라|로만|로 )",
    needs=("이하", "다음부터"),
)
_PAPER = expression("고시(?![원텔])|<paper>")
# What else is counted so: 접수 제101호, 제2항 제101호, 을 제101호, 선거사건 제101호.
_COUNTED = expression(r"(?:[조항년증]|<numbered>|[갑을병정]) ?제 ?\Z")
# 6637호 전기사업법, 302호 부칙; not 302호 불법 점유, 302호 건축법 위반.
_STATUTE_AFTER = expression(
    "호 ?(?:구 ?)?(?![가-힣]{0,18}<no-statute><after-statute>?(?![가-힣]))"
    "(?:부칙|[가-힣]{1,20}<statute>)<after-statute>?(?![가-힣])(?! ?위반)"
)
_ENACTED = expression("<enacted> ?제 ?([0-9]{4,5})호")  # units have three, too
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


def is_of_statute(text: str, start: int, end: int) -> bool:
    """Return whether the number from *start* to *end* tells which version of a statute is meant."""
    return _STATUTE_AFTER.match(text, end) is not None or text[start:end] in _enacted(text)


@lru_cache(maxsize=1)
def _enacted(text: str) -> frozenset[str]:
    return frozenset(found[1] for found in _ENACTED.finditer(text))
