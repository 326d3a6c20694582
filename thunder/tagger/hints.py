"""Hints: what the recognisers found, told to the network with each token.

A small network has met few surnames and districts; the recognisers know them all, but read no
sentence. So the network is told what they would answer, and learns where they are right. A hint
is a number: 0 where they found nothing, else the label's id and how sure they were, one of
``GRADES``. Labels keep their ids for good, so the numbers do, too. N tokens.

What is told is either the recognisers' finds as they come, which may overlap ("raw": of rivals the
surest is told, then the longest), or what the choice among them leaves, with repeats ("settled",
as the first taggers learnt it). A tagger's folder says which, and it is told the same in use.
"""

from bisect import bisect
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thunder.mentions.recognising import settled
from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.tokenization.labeling import Offsets, labels_from_spans

GRADES = (0.0, 0.75, 0.97)
"""From which score on a recogniser is doubtful, likely right, and all but certain."""

Of = Literal["settled", "raw"]
"""Of what a network is told."""

Hints = NDArray[np.int64]


def told(plain: str, finds: Sequence[Span], of: Of) -> Sequence[Span]:
    """Return what of the recognisers' *finds* in folded text is told to a network."""
    return settled(plain, finds) if of == "settled" else finds


def number(taxonomy: Taxonomy) -> int:
    """Return how many different hints there are: 0, and every grade of every label."""
    return 1 + len(GRADES) * (taxonomy.classes - 1)


def hints(
    starts: Offsets, ends: Offsets, spans: Sequence[Span], *, taxonomy: Taxonomy, most: int = 0
) -> Hints:
    """Return the hint of each token (N), of which *starts* and *ends* are the places.

    *spans* may overlap: where they do, a token is told the surest grade, and of one grade the
    longest span. One whose label the taxonomy does not know is no hint, nor is one of a label added
    since the network was trained: it knows *most* hints (0: all). A label is known by its aliases,
    too.
    """
    told_N = np.zeros(len(starts), np.int64)
    learnt = (most - 1) // len(GRADES) if most else taxonomy.classes - 1
    known = [span for span in spans if 0 < _id(span.label, taxonomy) <= learnt]
    for grade in range(len(GRADES)):
        chosen = _apart(span for span in known if _grade(span) == grade)
        if chosen:
            labels_N = labels_from_spans(starts, ends, chosen, taxonomy=taxonomy).astype(np.int64)
            seen_N = labels_N > 0
            told_N[seen_N] = 1 + len(GRADES) * (labels_N[seen_N] - 1) + grade
    return told_N


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Return the longest of *spans* that overlap, sorted; those alike in the order of labels."""
    free: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start - one.end, one.start, one.label)):
        at = bisect(free, span.start, key=lambda one: one.start)
        before, after = free[max(0, at - 1) : at], free[at : at + 1]
        if all(one.end <= span.start for one in before) and all(
            span.end <= one.start for one in after
        ):
            free.insert(at, span)
    return free


def _id(label: str, taxonomy: Taxonomy) -> int:
    try:
        return taxonomy.label(label).id
    except LookupError:
        return 0


def _grade(span: Span) -> int:
    return sum(span.score >= least for least in GRADES) - 1
