"""Groups of near-duplicates among the prepared judgments, in memory that does not grow with texts.

``thunder.near_duplicates.groups`` keeps four bytes for every character; here a text is read again
from its shard when it has to be compared, which few have.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from thunder.datasets.judgments import Judgments
from thunder.datasets.shards import chunks
from thunder.near_duplicates import (
    Bands,
    Hashes,
    band_keys,
    bands_for,
    first_of_group,
    jaccard,
    shingles,
)

_ROWS, _CHARACTERS = 500, 1_000_000  # hashed at once: 8 MB for a million characters
_COMPARED = 128  # texts whose shingles are remembered
_SPACE = re.compile(r"\s+")


def groups(judgments: Judgments, *, threshold: float = 0.8) -> dict[str, str]:
    """Return the id of each judgment's group: the smallest id among its near-duplicates.

    The same as ``thunder.near_duplicates.groups`` on their texts with the placeholders in place.
    A threshold of 0 puts every judgment into a group of its own.
    """
    heads = list(judgments.heads())
    if not heads or not threshold:
        return {head.id: head.id for head in heads}
    by_id = sorted(range(len(heads)), key=lambda row: heads[row].id)
    bands = bands_for(threshold)
    sizes = [heads[row].characters for row in range(len(heads))]
    keys = np.concatenate(list(_keys(judgments, sizes, bands)))[by_id]

    @lru_cache(maxsize=_COMPARED)
    def distinct(at: int) -> Hashes:
        return np.unique(_shingles(judgments[by_id[at]].text))

    def similar(one: int, other: int) -> bool:
        return jaccard(distinct(one), distinct(other)) >= threshold

    firsts = first_of_group(keys.T, similar, rows=len(by_id))
    ids = [heads[row].id for row in by_id]
    return {own: ids[first] for own, first in zip(ids, firsts, strict=True)}


def _keys(judgments: Judgments, sizes: Sequence[int], bands: Bands) -> Iterator[NDArray[np.uint64]]:
    for run in chunks(sizes, rows=_ROWS, size=_CHARACTERS):
        yield band_keys([_shingles(judgments[row].text) for row in run], bands)


def _shingles(text: str) -> Hashes:
    plain = _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()
    return shingles(np.frombuffer(plain.encode("utf-32-le"), dtype=np.uint32))
