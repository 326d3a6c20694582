"""생년월일과 출생연도: dates that 생, 출생, 태어나다 or 생년월일 make somebody's birth."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from thunder.identifiers import formats
from thunder.text.spans import Span

NAME = "birth_date"
DATE = "생년월일"

WRITTEN, IN_BRACKETS = formats.Recogniser(NAME), formats.Recogniser("date_in_brackets")
"""The rows that tell a birth, and those of what is one behind a person's name alone."""

find = WRITTEN.find


def after_names(text: str, ends: Iterable[int]) -> Iterator[Span]:
    """Yield dates alone in brackets right after a person whose name ends at one of *ends*.

    홍길동(1967. 2. 10.): no word says what it is.
    """
    known = frozenset(ends)
    for span in IN_BRACKETS.find(text) if known else ():
        opening = span.start - (2 if text[span.start - 1] == " " else 1)
        if opening in known or (text[opening - 1] == " " and opening - 1 in known):
            yield replace(span, source=f"rule:{NAME}")
