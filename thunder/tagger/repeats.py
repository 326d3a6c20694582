"""The same mention masked everywhere in the document, once it is found."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from thunder.names import propagation
from thunder.text.spans import Span, heaviest, sureness

SOURCE = "tagger:repeat"
LEAST_SCORE = 0.5
"""A mention less sure than this is masked where it was found, and not looked for elsewhere."""

_CHAIN = re.compile(r"[0-9A-Za-z]+(?:[-._@][0-9A-Za-z]+)*")
_LEAST_DIGITS = 6  # fewer may stand for anything: a year, an amount, a number of a building
_LOWER = 0.95
_TIMES = 10_000  # so many repeats give way to one that was found


def with_repeats(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return *spans* and what else in *text* mentions the same: sorted and disjoint.

    Names in all the forms that ``thunder.names.propagation`` knows (홍 길 동, 피해자홍길동, cut by
    the end of a line); long numbers and addresses in the very same characters. A doubtful syllable
    of a name that is found again gives way to all of it. Time is linear.
    """
    sure = [span for span in spans if span.score >= LEAST_SCORE]
    again = [replace(one, source=SOURCE) for one in propagation.spread(text, sure)]
    kept = _beside(sorted(again), spans)
    return heaviest([*kept, *again, *_numbers(text, spans)], weight=_weight)


def _beside(again: Sequence[Span], spans: Iterable[Span]) -> Iterator[Span]:
    """Yield *spans* without the doubtful ones that a repeat covers wholly."""
    for span in spans:
        at = bisect_right(again, span.start, key=lambda one: one.start) - 1
        if span.score >= LEAST_SCORE or at < 0 or again[at].end < span.end:
            yield span


def _weight(span: Span) -> float:
    """Return by what one wins: what was found over what repeats it, then the surer."""
    return sureness(span) * (1 if span.source == SOURCE else _TIMES)


def _numbers(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    known: dict[str, Span] = {}
    for span in spans:
        surface = text[span.start : span.end]
        if span.score >= LEAST_SCORE and _is_number(surface):
            known.setdefault(surface, span)
    for match in _CHAIN.finditer(text) if known else ():
        first = known.get(match[0])
        if first is not None:
            score = round(first.score * _LOWER, 4)
            yield Span(match.start(), match.end(), first.label, score, SOURCE)


def _is_number(surface: str) -> bool:
    return "@" in surface or sum(char.isdigit() for char in surface) >= _LEAST_DIGITS
