"""How far a figure would move with other documents: percentile intervals by the bootstrap.

Documents are drawn with replacement, whole, as mentions of one document hang together. Draws are
keyed by the seed and the number of documents alone, and made from raw bits, which no version of
numpy changes: systems scored on the same documents are resampled alike, so that the interval of
their difference is that of the pairs.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Sums = NDArray[np.float64]
"""Sums over documents: one row a draw, one column a count."""

Figure = Callable[[Sums], NDArray[np.float64]]


class Interval(NamedTuple):
    """The bounds between which the middle 95 % of the draws lie."""

    low: float
    high: float


def draws(documents: int, *, number: int, seed: int) -> NDArray[np.int64]:
    """Return how often each document is drawn (columns) in each draw (rows)."""
    counts = np.zeros((number, documents), dtype=np.int64)
    bits = np.random.Philox(key=seed)
    for row in counts:
        raw = bits.random_raw(documents) >> np.uint64(11)
        places = (raw.astype(np.float64) * 2.0**-53 * documents).astype(np.int64)
        row += np.bincount(places, minlength=documents)
    return counts


def sums(counts: NDArray[np.float64], drawn: NDArray[np.int64]) -> Sums:
    """Return the sums of *counts* (a row a document) in each draw."""
    return np.asarray(drawn.astype(np.float64) @ counts, dtype=np.float64)


def intervals(figures: Mapping[str, Figure], drawn: Sums) -> dict[str, Interval]:
    """Return the interval of each figure."""
    return {name: _interval(figure(drawn)) for name, figure in figures.items()}


def differences(figures: Mapping[str, Figure], one: Sums, other: Sums) -> dict[str, Interval]:
    """Return the interval of *one*'s figures less *other*'s, draw by draw."""
    return {name: _interval(figure(one) - figure(other)) for name, figure in figures.items()}


def _interval(values: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(values, (0.025, 0.975))
    return Interval(float(low), float(high))
