"""Spans as rows of an array: start, end, and the label by its stable id."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Taxonomy
from thunder.text.spans import IGNORED, Span
from thunder.tokenization.labeling import IGNORE

SPAN = np.dtype([("start", "<i4"), ("end", "<i4"), ("label", "<i2")])


def packed(spans: Iterable[Span], taxonomy: Taxonomy) -> NDArray[Any]:
    """Return *spans* as rows; IGNORE stands for the label IGNORED. LookupError: unknown label."""
    rows = [(span.start, span.end, number_of(span.label, taxonomy)) for span in spans]
    return np.array(rows, dtype=SPAN)


def unpacked(rows: NDArray[Any], taxonomy: Taxonomy) -> tuple[Span, ...]:
    """Return the spans of *rows*."""
    found = rows.tolist()
    return tuple(Span(start, end, label_of(number, taxonomy)) for start, end, number in found)


def number_of(label: str, taxonomy: Taxonomy) -> int:
    """Return the id of a label, IGNORE for IGNORED."""
    return IGNORE if label == IGNORED else taxonomy.label(label).id


def label_of(number: int, taxonomy: Taxonomy) -> str:
    """Return what the label with an id is called by now; IGNORED for IGNORE.

    One that was merged is called as the label that took it over; where it was retired without one,
    what it marks is neither right nor wrong: IGNORED.
    """
    label = None if number == IGNORE else taxonomy.successor(number)
    return label.ko if label else IGNORED
