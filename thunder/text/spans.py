"""Labelled stretches of text and their algebra."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_SUREST, _LETTER = 0.999, 1e-6

IGNORED = ""
"""The label of a span that is neither a hit nor a miss: what it holds may be masked or not."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """One labelled stretch of text, in code points of the text it was found in.

    ``score`` is how sure the finder is, from 0 to 1; ``source`` says who found it
    (``rule:phone``, ``names:person`` …).
    """

    start: int
    end: int
    label: str
    score: float = 1.0
    source: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span needs 0 <= start < end, got {self.start}:{self.end}")
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"a score lies between 0 and 1, got {self.score}")

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: "Span") -> bool:
        """Return whether the two share a character."""
        return self.start < other.end and other.start < self.end

    def covers(self, other: "Span") -> bool:
        """Return whether every character of *other* lies in this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Change:
    """One replacement: the span in the old text, and where its replacement stands in the new."""

    span: Span
    replacement: str
    new_start: int

    @property
    def new_end(self) -> int:
        return self.new_start + len(self.replacement)


def require_disjoint(spans: Sequence[Span], *, length: int) -> None:
    """Return nothing; raise ValueError unless *spans* are sorted, disjoint and within the text.

    Offsets are named in the error, never the text: an error message is no place for a mention.
    """
    end = 0
    for span in spans:
        if span.start < end:
            raise ValueError(f"spans overlap or are unsorted at {span.start}:{span.end}")
        end = span.end
    if end > length:
        raise ValueError(f"a span ends at {end}, beyond the text's {length} characters")


def replace_spans(
    text: str, spans: Sequence[Span], choose: Callable[[Span], str]
) -> tuple[str, list[Change]]:
    """Return *text* with every span replaced, and where each one went.

    The new text is built from pieces of *text* and what *choose* returns, so nothing outside
    the spans can change. *spans* are sorted and disjoint, else ValueError.
    """
    require_disjoint(spans, length=len(text))
    pieces: list[str] = []
    changes: list[Change] = []
    done = length = 0
    for span in spans:
        kept, replacement = text[done : span.start], choose(span)
        changes.append(Change(span, replacement, length + len(kept)))
        pieces += (kept, replacement)
        length += len(kept) + len(replacement)
        done = span.end
    pieces.append(text[done:])
    return "".join(pieces), changes


def sureness(span: Span) -> float:
    """Return the odds of *span*, and a little for its length: by them the surer of two wins.

    Three in four is three to one: a sure one outweighs a few that are not.
    """
    return span.score / (1 - min(span.score, _SUREST)) + _LETTER * len(span)


def heaviest(spans: Iterable[Span], *, weight: Callable[[Span], float] = sureness) -> list[Span]:
    """Return the disjoint, sorted choice of *spans* whose weights add up to most.

    Weights are above 0: what is not chosen overlaps what is. Of equal choices the one with more
    letters is taken, then the earlier, then the one that was given first. Each group of spans that
    overlap is chosen from by itself, so that nothing far away counts; time is that of sorting.
    (Weighted interval scheduling.)
    """
    chosen: list[Span] = []
    group: list[Span] = []
    end = 0
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if group and span.start >= end:
            chosen += _heaviest_of(group, weight)
            group = []
        group.append(span)
        end = max(end, span.end)
    return chosen + _heaviest_of(group, weight)


def _heaviest_of(group: list[Span], weight: Callable[[Span], float]) -> list[Span]:
    if len(group) < 2:
        return group
    ordered = sorted(group, key=lambda one: one.end)
    ends = [one.end for one in ordered]
    best: list[tuple[float, int, int]] = [(0, 0, 0)]  # of the first so many: weight, letters …
    steps: list[int | None] = []  # how many lie before one that is taken
    for number, span in enumerate(ordered):
        before = bisect_right(ends, span.start, 0, number)
        whole, letters, starts = best[before]
        taken = whole + weight(span), letters + len(span), starts - span.start
        steps.append(before if taken > best[-1] else None)
        best.append(max(taken, best[-1]))
    chosen: list[Span] = []
    at = len(ordered)
    while at:
        step = steps[at - 1]
        if step is not None:
            chosen.append(ordered[at - 1])
        at = at - 1 if step is None else step
    return chosen[::-1]
