"""Near duplicates: texts whose shingles are the same but for a few, found by MinHash.

A text is the set of its runs of five characters (white space made one space, NFC). Candidates
share a band of their MinHash (the library rensa); each pair is then compared by the true Jaccard
index of the two sets, so no chance collision joins two texts. Memory: 170 MB per million texts
for the bands.
"""

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.training_data import messages as say

Hashes = NDArray[np.uint64]
SHINGLE = 5  # characters (or tokens): as in RefinedWeb, FineWeb and datatrove
_NUMBERS = 128  # of a MinHash; rensa is fastest at powers of two
_SEED = 2025  # of the MinHash: another one finds other borderline pairs
_RECALL = 0.995  # of pairs just at the threshold; closer ones are found more surely
_MEETINGS = 200  # a text meets so many others in a band: bounds the time on look-alikes
_BATCH = 1 << 22  # shingles hashed at once: 32 MB
_HELD, _ROWS = 1_000_000, 500  # shingles and texts hashed at once: 8 MB
_COMPARED = 128  # texts whose shingles are remembered while pairs are compared
_SPACE = re.compile(r"\s+")
_FACTORS = np.random.Philox(key=_SEED).random_raw(16) | np.uint64(1)  # numpy keeps this stream


class Bands(NamedTuple):
    """How a MinHash of 128 numbers is cut: two texts are candidates where one band is equal."""

    bands: int
    rows: int

    def recall(self, similarity: float) -> float:
        """Return the chance that two texts of this Jaccard index become candidates."""
        return float(1 - (1 - similarity**self.rows) ** self.bands)


def bands_for(threshold: float) -> Bands:
    """Return the fewest candidates that still find 99.5 % of the pairs at *threshold*.

    ValueError unless 0.3 <= threshold <= 1: below, nearly all pairs would be candidates.
    """
    if not 0.3 <= threshold <= 1:
        raise ValueError(say.THRESHOLD(threshold=threshold))
    choices = (Bands(_NUMBERS // rows, rows) for rows in range(16, 0, -1))
    return next(bands for bands in choices if bands.recall(threshold) >= _RECALL)


def shingles(numbers: NDArray[np.unsignedinteger], *, size: int = SHINGLE) -> Hashes:
    """Return the hash of each run of *size* numbers (code points or token ids), in order.

    A shorter sequence is one shingle, an empty one none. Collisions are as rare as 64 bits make.
    """
    wide = numbers.astype(np.uint64)
    size = min(size, len(wide))
    if not size:
        return wide
    places = len(wide) - size + 1
    found = np.full(places, size, dtype=np.uint64)
    for at in range(size):
        found += wide[at : at + places] * _FACTORS[at]
    return _mixed(found)


def _mixed(numbers: Hashes) -> Hashes:
    """Return *numbers* with every bit made to depend on all others (the end of splitmix64)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(31))


def band_keys(sets: Sequence[Hashes], bands: Bands) -> NDArray[np.uint64]:
    """Return one row for each set of shingles, one key for each band: equal keys are candidates."""
    import rensa

    found = [np.zeros((0, _NUMBERS), dtype=np.uint64)]
    for batch in _batches(sets):
        edges = np.cumsum([0, *map(len, batch)], dtype=np.int64)
        matrix = rensa.RMinHash.digest_matrix_from_flat_token_hashes(
            np.concatenate(batch), edges, _NUMBERS, _SEED
        )
        found.append(np.array(matrix.to_rows(), dtype=np.uint64))
    used = np.concatenate(found)[:, : bands.bands * bands.rows]
    cut = used.reshape(-1, bands.bands, bands.rows)
    return _mixed((cut * _FACTORS[: bands.rows]).sum(axis=2, dtype=np.uint64))


def _batches(sets: Sequence[Hashes]) -> Iterator[Sequence[Hashes]]:
    first = room = 0
    for at, one in enumerate(sets):
        if room + len(one) > _BATCH and at > first:
            yield sets[first:at]
            first, room = at, 0
        room += len(one)
    if first < len(sets):
        yield sets[first:]


def jaccard(one: NDArray[np.unsignedinteger], other: NDArray[np.unsignedinteger]) -> float:
    """Return the Jaccard index of two sorted arrays without repetitions; 1 for two empty ones."""
    small, large = sorted((one, other), key=len)
    if not len(large):
        return 1.0
    at = np.searchsorted(large, small)
    common = int((large[np.minimum(at, len(large) - 1)] == small).sum())
    return common / (len(small) + len(large) - common)


def first_of_group(
    bands: Iterable[NDArray[np.uint64]], similar: Callable[[int, int], bool], *, rows: int
) -> NDArray[np.int64]:
    """Return for each of *rows* texts the smallest row of its group.

    Each of *bands* holds one key for every row: equal keys are candidates, joined where
    ``similar(earlier, later)``. Groups are what is joined by way of others, too.
    """
    groups = _Groups(rows)
    for keys in bands:
        for bucket in _buckets(keys):
            if len(set(map(groups.first, bucket))) > 1:
                _join(bucket, groups, similar)
    return np.array([groups.first(row) for row in range(rows)], dtype=np.int64)


def _buckets(keys: NDArray[np.uint64]) -> Iterator[list[int]]:
    """Yield the rows, ascending, of each key that stands in more than one."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    edges = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    starts, ends = np.r_[0, edges], np.r_[edges, len(keys)]
    for at in np.flatnonzero(ends - starts > 1):
        yield order[starts[at] : ends[at]].tolist()


def _join(bucket: Sequence[int], groups: "_Groups", similar: Callable[[int, int], bool]) -> None:
    for at, later in enumerate(bucket):
        for earlier in bucket[max(0, at - _MEETINGS) : at]:
            if groups.first(earlier) != groups.first(later) and similar(earlier, later):
                groups.join(earlier, later)


class _Groups:
    """Disjoint sets of rows, each named by its smallest."""

    def __init__(self, rows: int) -> None:
        self._above = array("q", range(rows))

    def first(self, row: int) -> int:
        above = self._above
        while above[row] != row:
            above[row] = row = above[above[row]]
        return row

    def join(self, one: int, other: int) -> None:
        small, large = sorted((self.first(one), self.first(other)))
        self._above[large] = small


def groups(
    ids: Sequence[str], text_of: Callable[[int], str], *, threshold: float = 0.8
) -> dict[str, str]:
    """Return the id of each document's group: the smallest id among its near duplicates.

    ``text_of(row)`` gives the text of the document ``ids[row]``, in whatever order; the result
    does not depend on it. Two documents of a Jaccard index at or above *threshold* are joined,
    and what is joined by way of others is one group. Texts are read once to be hashed, and those
    that have to be compared, which are few, again: memory does not grow with them. ValueError
    where an id comes twice.
    """
    bands = bands_for(threshold)
    by_id = sorted(range(len(ids)), key=lambda row: ids[row])
    for one, other in pairwise(by_id):
        if ids[one] == ids[other]:
            raise ValueError(f"the document id {ids[one]!r} comes twice")

    @lru_cache(maxsize=_COMPARED)
    def distinct(at: int) -> Hashes:
        return np.unique(_shingles_of(text_of(by_id[at])))

    def similar(one: int, other: int) -> bool:
        return jaccard(distinct(one), distinct(other)) >= threshold

    keys = np.concatenate([*_keys(ids, text_of, bands), np.zeros((0, bands.bands), np.uint64)])
    firsts = first_of_group(keys[by_id].T, similar, rows=len(ids))
    return {ids[row]: ids[by_id[first]] for row, first in zip(by_id, firsts, strict=True)}


def _keys(
    ids: Sequence[str], text_of: Callable[[int], str], bands: Bands
) -> Iterator[NDArray[np.uint64]]:
    held: list[Hashes] = []
    for row in range(len(ids)):
        held.append(_shingles_of(text_of(row)))
        if sum(map(len, held)) >= _HELD or len(held) == _ROWS:
            yield band_keys(held, bands)
            held = []
    yield band_keys(held, bands)


def _shingles_of(text: str) -> Hashes:
    plain = _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()
    return shingles(np.frombuffer(plain.encode("utf-32-le", "surrogatepass"), dtype=np.uint32))
