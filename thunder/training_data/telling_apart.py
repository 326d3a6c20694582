"""Whether two corpora can be told apart by their letters: a classifier, endings, shared passages.

The classifier is a logistic regression over runs of two to four characters, held to texts that it
did not learn from: an AUC of .5 says that made texts read like real ones, 1 that every one of them
is given away. Digits are one, white space is one, and lengths are taken out.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.training_data.diversity import PASSAGE, divergence, passage_shares

FOLDS = 5
_GRAMS = (2, 3, 4)
_FEATURES = 4000
_LEAST = 0.05  # a run that gives texts away stands in so many of one corpus
_SHOWN = 10
_STEPS, _DECAY = 300, 1e-3
_ENDING = re.compile(r"[가-힣]{2}(?=[.?!])")
_PARTICLES = frozenset("은는이가을를에의로와과도만")

Matrix = NDArray[np.float32]


class ToldApart(NamedTuple):
    """How well texts of two corpora are told apart.

    ``auc``: mean over the folds, .5 to 1 where there is anything to tell them by. ``first`` and
    ``second``: the runs of characters that speak most for either corpus.
    """

    auc: float
    first: tuple[str, ...]
    second: tuple[str, ...]


def told_apart(first: Sequence[str], second: Sequence[str]) -> ToldApart:
    """Return how well a classifier tells texts of *first* from those of *second*.

    ValueError for a corpus of fewer texts than there are folds.
    """
    if min(len(first), len(second)) < FOLDS:
        raise ValueError(f"a classifier needs {FOLDS} texts of either corpus or more")
    counts = [_grams(text) for text in (*first, *second)]
    names = _features(counts)
    rows = _matrix(counts, names)
    alike = rows @ rows.T
    is_second = np.array([0] * len(first) + [1] * len(second), dtype=np.float32)
    fold = np.array([at % FOLDS for size in (len(first), len(second)) for at in range(size)])
    areas = []
    for one in range(FOLDS):
        learnt, held = np.flatnonzero(fold != one), np.flatnonzero(fold == one)
        shares = _fitted(alike[np.ix_(learnt, learnt)], is_second[learnt])
        scores = alike[np.ix_(held, learnt)] @ shares
        areas.append(area(scores.astype(np.float32), is_second[held]))
    weights = (rows.T @ _fitted(alike, is_second))[:-1]
    grams, ranked = list(names), np.argsort(weights)
    speak_first = _common([grams[at] for at in ranked], counts[: len(first)])
    speak_second = _common([grams[at] for at in ranked[::-1]], counts[len(first) :])
    return ToldApart(float(np.mean(areas)), speak_first, speak_second)


def area(scores: NDArray[np.float32], positive: NDArray[np.float32]) -> float:
    """Return the area under the curve of *scores*: how often a positive one is above another."""
    high, low = scores[positive > 0.5], np.sort(scores[positive < 0.5])
    below = np.searchsorted(low, high, side="left")
    level = np.searchsorted(low, high, side="right") - below
    return float((below + level / 2).mean() / len(low))


def longest_shared(
    texts: Sequence[str], others: Iterable[str], *, formulas: Iterable[str] = ()
) -> list[int]:
    """Return for each of *texts* the words of the longest passage that it shares with *others*.

    Formulas of law count for none, as in ``passage_shares``; 0 where nothing is shared.
    """
    others, formulas = list(others), tuple(formulas)
    longest = [0] * len(texts)
    left = [at for at, text in enumerate(texts) if text.split()]
    length = 1
    while left:  # a passage that is shared holds one shared passage of each lesser length
        known = passage_shares(others, formulas=formulas, length=length).keys() if others else set()
        left = [
            at
            for at in left
            if not known.isdisjoint(passage_shares([texts[at]], formulas=formulas, length=length))
        ]
        for at in left:
            longest[at] = length
        length += 1
    return longest


def copied(longest: Sequence[int]) -> float:
    """Return the share of texts with a shared passage of ``PASSAGE`` words or more."""
    return sum(words >= PASSAGE for words in longest) / len(longest)


def endings_divergence(first: Iterable[str], second: Iterable[str]) -> float | None:
    """Return the Jensen-Shannon divergence (bits) of how sentences end: their last two syllables.

    None where either corpus has no sentence that ends in Hangul.
    """
    return _divergence(*([_ENDING.findall(text) for text in one] for one in (first, second)))


def particles_divergence(first: Iterable[str], second: Iterable[str]) -> float | None:
    """Return the Jensen-Shannon divergence (bits) of the particles that words end in."""

    def particles(text: str) -> list[str]:
        return [word[-1] for word in text.split() if word[-1] in _PARTICLES and len(word) > 1]

    return _divergence(*([particles(text) for text in one] for one in (first, second)))


def _divergence(first: list[list[str]], second: list[list[str]]) -> float | None:
    return divergence(first, second) if any(first) and any(second) else None


def _grams(text: str) -> Counter[str]:
    plain = re.sub(r"\d", "0", " ".join(text.split()))
    return Counter(plain[at : at + n] for n in _GRAMS for at in range(len(plain) - n + 1))


def _features(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the runs that most texts have, each with its column."""
    texts = Counter(gram for one in counts for gram in one)
    chosen = sorted(texts.items(), key=lambda row: (-row[1], row[0]))[:_FEATURES]
    return {gram: at for at, (gram, _) in enumerate(chosen)}


def _matrix(counts: Sequence[Mapping[str, int]], names: Mapping[str, int]) -> Matrix:
    """Return a row a text, of length 1: log(1 + count) of each run, and 1 for the intercept."""
    found = np.zeros((len(counts), len(names) + 1), dtype=np.float32)
    for row, one in enumerate(counts):
        for gram, count in one.items():
            if (at := names.get(gram)) is not None:
                found[row, at] = np.log1p(count)
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    found[:, -1] = 1.0
    return found


def _fitted(alike: Matrix, is_second: NDArray[np.float32]) -> Matrix:
    """Return how much each text counts in a ridge logistic regression, rows being *alike* so much.

    Its weights are the rows' sum by these (Nesterov's accelerated gradient).
    """
    counts = before = np.zeros(len(alike), dtype=np.float32)
    rate = 1 / (0.5 + _DECAY)  # rows have length sqrt(2): a quarter of its square bounds the curve
    for step in range(_STEPS):
        ahead = counts + step / (step + 3) * (counts - before)
        told = 1 / (1 + np.exp(-(alike @ ahead)))
        slope = (told - is_second) / len(alike) + _DECAY * ahead
        before, counts = counts, (ahead - rate * slope).astype(np.float32)
    return counts


def _common(grams: Iterable[str], counts: Sequence[Mapping[str, int]]) -> tuple[str, ...]:
    """Return the first of *grams* that many texts have; those within another are left out."""
    found: list[str] = []
    for gram in grams:
        if sum(gram in one for one in counts) < _LEAST * len(counts):
            continue
        if not any(gram in other or other in gram for other in found):
            found.append(gram)
        if len(found) == _SHOWN:
            break
    return tuple(found)
