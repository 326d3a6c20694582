"""생년월일과 출생연도: dates that 생, 출생, 태어나다 or 생년월일 make somebody's birth."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from thunder.identifiers import formats
from thunder.taxonomy.lexicon import words_of
from thunder.text import lazy, tables
from thunder.text.spans import Span

NAME = "birth_date"
DATE = "생년월일"
_IN_COLUMN = 0.95

WRITTEN, IN_BRACKETS = formats.Recogniser(NAME), formats.Recogniser("date_in_brackets")
"""The rows that tell a birth, and those of what is one behind a person's name alone."""

_AND = lazy.compile("[,·ㆍ/]|및")
_DATE = lazy.compile(
    r"(?<![0-9])(?:19|20)?[0-9]{2}(?:[-./] ?[0-9]{1,2}[-./] ?[0-9]{1,2}\.?"
    r"|년 ?[0-9]{1,2}월 ?[0-9]{1,2}일|(?:0[1-9]|1[0-2])[0-3][0-9])(?![0-9-])"
)


def find(text: str) -> Iterator[Span]:
    """Yield dates of birth: what their words tell, and those below or behind such a head."""
    yield from WRITTEN.find(text)
    if not any(word in text for word in _births()):
        return
    for cell in chain(tables.below(text, _is_head), tables.behind(text, _is_head)):
        for date in _DATE.finditer(text, cell.start, cell.end):
            yield Span(*date.span(), DATE, _IN_COLUMN, f"rule:{NAME}")


@lru_cache(maxsize=1)
def _births() -> frozenset[str]:
    return frozenset(words_of("column-of-births"))


def _is_head(head: str) -> bool:
    """Return whether a column or cell is headed by births: 성별, 생년월일; not 발생일."""
    return not _births().isdisjoint(_AND.split(head))


def after_names(text: str, ends: Iterable[int]) -> Iterator[Span]:
    """Yield dates alone in brackets right after a person whose name ends at one of *ends*.

    홍길동(1967. 2. 10.): no word says what it is.
    """
    known = frozenset(ends)
    for span in IN_BRACKETS.find(text) if known else ():
        opening = span.start - (2 if text[span.start - 1] == " " else 1)
        if opening in known or (text[opening - 1] == " " and opening - 1 in known):
            yield replace(span, source=f"rule:{NAME}")
