"""Token labels read back as spans: what labelling must not lose."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.tokenization.labeling import OUTSIDE, Labels, Offsets, Scheme


def spans_from_labels(
    labels: Labels,
    starts: Offsets,
    ends: Offsets,
    *,
    taxonomy: Taxonomy,
    scheme: Scheme = "classes",
) -> list[Span]:
    """Return the mentions that the classes of tokens say, sorted and disjoint.

    A mention runs from its first token's start to its last one's end. With ``classes``,
    neighbouring tokens of one label are one mention; with ``bio``, one begins at each B, and at
    an I that goes on from nothing. IGNORE counts as outside; tokens that stand for no character
    are passed over. LookupError for a class that is no label's.
    """
    kept = np.flatnonzero(starts < ends)
    inside = np.maximum(labels[kept], OUTSIDE).astype(np.int64)
    numbers = inside if scheme == "classes" else (inside + 1) // 2
    goes_on = np.zeros(len(kept), dtype=bool)
    goes_on[1:] = (numbers[1:] == numbers[:-1]) & (numbers[1:] != OUTSIDE)
    if scheme == "bio":
        goes_on &= inside % 2 == 0
    # The bytes of one character share a place, whatever their classes say.
    shared = starts[kept][1:] < ends[kept][:-1]
    goes_on[1:] |= shared & (numbers[1:] != OUTSIDE) & (numbers[:-1] != OUTSIDE)
    return list(_runs(numbers, goes_on, starts[kept], ends[kept], taxonomy))


def _runs(
    numbers: NDArray[np.int64],
    goes_on: NDArray[np.bool_],
    starts: Offsets,
    ends: Offsets,
    taxonomy: Taxonomy,
) -> Iterator[Span]:
    heads = np.flatnonzero(~goes_on)
    if not len(heads):
        return
    reach = np.maximum.reduceat(ends, heads)
    done = 0
    for head, end in zip(heads.tolist(), reach.tolist(), strict=True):
        start = max(done, int(starts[head]))
        if numbers[head] != OUTSIDE and start < end:
            yield Span(start, end, taxonomy.by_id(int(numbers[head])).ko)
            done = end
