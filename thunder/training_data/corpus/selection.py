"""Which documents are trained on, held out, or left out as duplicates.

Of exact and near duplicates the first stays, in the order of sources, files and places. What is
held out depends on a document's own hash, so it is the same with other sources beside it.
Memory: some 100 bytes a document; time: mostly the comparison of candidates, from the shards.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thunder.training_data.corpus.settings import Duplicates, HeldOut
from thunder.training_data.corpus.shards import DOCUMENT, Shard, opened
from thunder.training_data.near_duplicates import first_of_group, jaccard, shingles

TRAIN, HELD_OUT, EXACT, NEAR = range(4)
PARTS = {"train": TRAIN, "held-out": HELD_OUT}
_REMEMBERED = 512  # sets of shingles: candidates often come again


class Documents:
    """The documents of all shards, one after the other, numbered from 0."""

    def __init__(self, folder: Path, shards: Sequence[Shard]) -> None:
        self._folder, self.shards = folder, list(shards)
        tables = [opened(folder, shard, "documents.npy") for shard in shards]
        self.table = np.concatenate([np.zeros(0, DOCUMENT), *tables])
        self.edges = np.cumsum([0, *map(len, tables)])
        self.shard = np.repeat(np.arange(len(tables)), np.diff(self.edges))

    def __len__(self) -> int:
        return len(self.table)

    def first_tokens(self) -> NDArray[np.int64]:
        """Return where each document's tokens begin in its shard."""
        ends = self.table["end"]
        starts = np.r_[np.int64(0), ends[:-1]]
        nonempty = self.edges[:-1][np.diff(self.edges) > 0]
        starts[nonempty] = 0
        found: NDArray[np.int64] = starts[: len(ends)]
        return found

    def bands(self) -> Iterator[NDArray[np.uint64]]:
        """Yield, for each band, the key of every document."""
        arrays = [opened(self._folder, shard, "bands.npy") for shard in self.shards]
        for band in range(len(arrays[0]) if arrays else 0):
            yield np.concatenate([array[band] for array in arrays])

    def tokens(self, document: int) -> NDArray[np.unsignedinteger]:
        """Return the tokens of a document, from the disk."""
        shard = int(self.shard[document])
        local = document - int(self.edges[shard])
        start = int(self.table["end"][document - 1]) if local else 0
        found = opened(self._folder, self.shards[shard], "tokens.npy")
        tokens: NDArray[np.unsignedinteger] = found[start : int(self.table["end"][document])]
        return tokens


def select(
    documents: Documents,
    *,
    sources: Sequence[str],
    duplicates: Duplicates,
    held_out: HeldOut,
) -> NDArray[np.uint8]:
    """Return what becomes of each document: TRAIN, HELD_OUT, EXACT or NEAR."""
    part = np.full(len(documents), TRAIN, dtype=np.uint8)
    part[_exact(documents.table["hash"])] = EXACT
    part[_near(documents, part, duplicates.threshold)] = NEAR
    of_shard = np.array([sources.index(shard.source) for shard in documents.shards], dtype=np.int64)
    source = of_shard[documents.shard] if len(documents) else documents.shard
    for number in range(len(sources)):
        mine = np.flatnonzero((source == number) & (part == TRAIN))
        part[mine[_kept_apart(documents.table["hash"][mine, 0], held_out)]] = HELD_OUT
    return part


def _exact(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the documents whose hash came before."""
    order = np.lexsort((hashes[:, 1], hashes[:, 0]))  # stable: equal hashes in their order
    ordered = hashes[order]
    again = np.r_[False, (ordered[1:] == ordered[:-1]).all(axis=1)]
    found: NDArray[np.int64] = order[again[: len(order)]]
    return found


def _near(documents: Documents, part: NDArray[np.uint8], threshold: float) -> NDArray[np.int64]:
    """Return the documents that are nearly one before, of those that are still in."""
    if threshold == 1:
        return np.zeros(0, dtype=np.int64)
    rows = np.flatnonzero(part == TRAIN)
    distinct = lru_cache(_REMEMBERED)(lambda row: _distinct(documents.tokens(int(rows[row]))))
    firsts = first_of_group(
        (keys[rows] for keys in documents.bands()),
        lambda one, other: jaccard(distinct(one), distinct(other)) >= threshold,
        rows=len(rows),
    )
    found: NDArray[np.int64] = rows[firsts != np.arange(len(rows))]
    return found


def _distinct(tokens: NDArray[np.unsignedinteger]) -> NDArray[np.uint64]:
    return np.unique(shingles(tokens))


def _kept_apart(hashes: NDArray[np.uint64], rule: HeldOut) -> NDArray[np.int64]:
    """Return which of a source's documents are held out: those of the smallest hashes."""
    chosen = np.flatnonzero(hashes < np.uint64(int(rule.share * (1 << 64) * (1 - 2**-53))))
    return chosen[np.argsort(hashes[chosen], kind="stable")][: rule.most]
