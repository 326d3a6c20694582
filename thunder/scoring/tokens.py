"""Token-level scores as the paper defines them (Thunder-DeID, Appendix F).

A token that shares a character with a span has its label (``thunder.tokenization.labeling``), any
other is outside. Binary: the positive class is any label. Micro: over the labels, outside left out;
a token of one label that is given another is a miss of the one and a false alarm of the other.
Tokens whose gold is IGNORE count nowhere.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import NamedTuple, TypeVar

import numpy as np

from thunder.scoring.characters import Counts
from thunder.scoring.documents import Gold
from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.tokenization import HybridTokenizer
from thunder.tokenization.labeling import IGNORE, OUTSIDE, Labels, labels_from_spans
from thunder.tokenization.pieces import Integers

Confusion = Counter[tuple[int, int]]
"""How many tokens there are of each gold and predicted class, not both outside."""

Group = TypeVar("Group", bound=Hashable)

THOUSAND = 1000


class Tokenised(NamedTuple):
    """The tokens of a document: their places in its text, and their gold classes."""

    starts: Integers
    ends: Integers
    labels: Labels


def tokenised(gold: Gold, tokenizer: HybridTokenizer, taxonomy: Taxonomy) -> Tokenised:
    """Return the tokens of a document with their classes; all of them, however many."""
    _, starts, ends = tokenizer.encode(gold.text)
    return Tokenised(starts, ends, labels_from_spans(starts, ends, gold.spans, taxonomy=taxonomy))


def predicted_labels(tokens: Tokenised, spans: tuple[Span, ...], taxonomy: Taxonomy) -> Labels:
    """Return the class that *spans* give each token."""
    return labels_from_spans(tokens.starts, tokens.ends, spans, taxonomy=taxonomy)


def confusion(gold: Labels, predicted: Labels) -> Confusion:
    """Return the counts of two rows of classes of the same tokens; ValueError if not as many."""
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold tokens, {len(predicted)} predicted ones")
    asked = (gold != IGNORE) & ((gold != OUTSIDE) | (predicted > OUTSIDE))
    # What is never a class (a token of no character) is no prediction.
    pairs = np.stack([gold[asked], np.maximum(predicted[asked], OUTSIDE)], axis=1)
    rows, counts = np.unique(pairs, axis=0, return_counts=True)
    found = zip(rows.tolist(), counts.tolist(), strict=True)
    return Counter({(one, other): count for (one, other), count in found})


def by_thousand(gold: Labels, predicted: Labels) -> dict[int, Confusion]:
    """Return the counts of each thousand tokens of a document, numbered from 0."""
    parts = range(0, max(len(gold), 1), THOUSAND)
    return {
        at // THOUSAND: confusion(gold[at : at + THOUSAND], predicted[at : at + THOUSAND])
        for at in parts
    }


def binary(found: Mapping[tuple[int, int], int]) -> Counts:
    """Return how many tokens were rightly, wrongly and not said to be of any label."""
    hits = sum(n for (gold, said), n in found.items() if gold != OUTSIDE and said != OUTSIDE)
    extra = sum(n for (gold, said), n in found.items() if gold == OUTSIDE)
    missed = sum(n for (gold, said), n in found.items() if said == OUTSIDE)
    return Counts(hits, extra, missed)


def by_group(
    found: Mapping[tuple[int, int], int], group: Callable[[int], Group]
) -> dict[Group, Counts]:
    """Return true positives, false positives and false negatives of each group of labels."""
    totals: dict[Group, Counts] = {}

    def add(name: Group, counts: Counts) -> None:
        totals[name] = totals.get(name, Counts()) + counts

    for (gold, said), count in found.items():
        one = None if gold == OUTSIDE else group(gold)
        other = None if said == OUTSIDE else group(said)
        if one is not None and one == other:
            add(one, Counts(hits=count))
            continue
        if one is not None:
            add(one, Counts(missed=count))
        if other is not None:
            add(other, Counts(extra=count))
    return totals


def micro(found: Mapping[tuple[int, int], int], group: Callable[[int], Group]) -> Counts:
    """Return the sums over the groups: what the micro-averaged scores are made of."""
    return sum(by_group(found, group).values(), Counts())


def same(label: int) -> int:
    """Return *label*: the group of a label that stands for itself."""
    return label


def added(parts: Iterable[Mapping[tuple[int, int], int]]) -> Confusion:
    """Return the sums of some counts."""
    total: Confusion = Counter()
    for part in parts:
        total.update(part)
    return total
