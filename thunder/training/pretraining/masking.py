"""MLM corruption: which tokens a model has to guess, and what it sees in their place.

Paper, section 4.1 and appendix E.2: 15 % of the tokens; of these 80 % become ``[MASK]``, 10 %
another token, 10 % stay (Devlin et al., 2019). Chance is keyed by seed and sample number: the
same on any rank, in any worker, after any restart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thunder.tokenization.vocabulary import FIXED, MASK, SPECIAL

IGNORED = -100  # a label that no loss is asked for
_ALL = 1 << 32  # chances are 32 bits of Philox, whose stream numpy never changes


class Maskable(Protocol):
    """What is needed of a row: ``thunder.training_data.corpus.Row`` has it."""

    @property
    def ids(self) -> NDArray[np.int64]: ...
    @property
    def words(self) -> NDArray[np.bool_]: ...


class Masked(NamedTuple):
    """What the model reads, and what it has to say: -100 where nothing is asked."""

    ids: NDArray[np.int64]
    labels: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Masking:
    """How tokens are masked. Ids below *special* never are; random ones are *first* and above.

    *whole_words* masks all tokens of a morpheme or none; the expected share stays the same.
    """

    vocabulary: int
    share: float = 0.15
    replaced_by_mask: float = 0.8
    replaced_at_random: float = 0.1
    whole_words: bool = False
    mask: int = MASK
    special: int = len(SPECIAL)
    first: int = FIXED

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise ValueError(f"the share of masked tokens is between 0 and 1, not {self.share}")
        if min(self.replaced_by_mask, self.replaced_at_random) < 0 or (
            self.replaced_by_mask + self.replaced_at_random > 1
        ):
            raise ValueError("the shares of [MASK] and of random tokens are 0 to 1 together")
        if not self.special <= self.first < self.vocabulary:
            raise ValueError(f"no ordinary tokens from {self.first} to {self.vocabulary - 1}")


def masked(
    row: Maskable, *, seed: int, number: int, vocabulary: int, whole_words: bool = False
) -> Masked:
    """Return *row*, sample *number*, with 15 % of its tokens hidden, and the labels.

    *vocabulary* counts the tokens without the markers of labels: random ones are drawn from it.
    """
    rule = Masking(vocabulary, whole_words=whole_words)
    found = masked_batch([row], seed=seed, numbers=[number], rule=rule)
    return Masked(found.ids[0], found.labels[0])


def masked_batch(
    rows: Sequence[Maskable], *, seed: int, numbers: Sequence[int], rule: Masking
) -> Masked:
    """Return the rows as two arrays of rows times tokens; row by row what ``masked`` returns."""
    ids = np.stack([row.ids for row in rows])
    words = np.stack([row.words for row in rows]) if rule.whole_words else None
    chances = np.stack([_chances(seed, number, ids.shape[1]) for number in numbers])
    chosen = chances[:, 0] < np.uint32(rule.share * _ALL)
    if words is not None:
        chosen = _of_whole_words(chosen, words)
    chosen &= ids >= rule.special
    return Masked(_hidden(ids, chosen, chances, rule), np.where(chosen, ids, IGNORED))


def _chances(seed: int, number: int, length: int) -> NDArray[np.uint32]:
    """Return three random numbers below 2**32 for each token: whether, how, by what."""
    bits = np.random.Philox(key=np.array([seed, number], dtype=np.uint64))
    raw = bits.random_raw(2 * length).view(np.uint32)
    return raw[: 3 * length].reshape(3, length)


def _of_whole_words(chosen: NDArray[np.bool_], words: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return *chosen* with each token deciding as the first of its word does."""
    first = np.maximum.accumulate(np.where(words, np.arange(words.shape[1]), 0), axis=1)
    return np.take_along_axis(chosen, first, axis=1)


def _hidden(
    ids: NDArray[np.int64],
    chosen: NDArray[np.bool_],
    chances: NDArray[np.uint32],
    rule: Masking,
) -> NDArray[np.int64]:
    how, what = chances[:, 1], chances[:, 2].astype(np.uint64)
    at_random = rule.first + (what * np.uint64(rule.vocabulary - rule.first) >> np.uint64(32))
    by_mask = chosen & (how < rule.replaced_by_mask * _ALL)
    changed = chosen & (how < (rule.replaced_by_mask + rule.replaced_at_random) * _ALL)
    return np.where(by_mask, rule.mask, np.where(changed, at_random.astype(np.int64), ids))
