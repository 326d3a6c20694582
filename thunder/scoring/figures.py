"""The headline figures of a system, their spread over runs, and their bootstrap intervals."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.scoring import bootstrap, tokens
from thunder.scoring.bootstrap import Figure, Interval, Sums
from thunder.scoring.evaluation import Evaluation, Measured, Run
from thunder.scoring.mentions import entity_recall, letters
from thunder.taxonomy import Taxonomy

Values = NDArray[np.float64]


class Spread(NamedTuple):
    """A mean over runs and its standard deviation (n - 1), None where there is one run."""

    mean: float
    deviation: float | None = None


def spread(values: Iterable[float]) -> Spread:
    """Return mean and deviation of some runs' values."""
    found = list(values)
    return Spread(fmean(found), stdev(found) if len(found) > 1 else None)


COUNTS = (
    *("binary hits", "binary extra", "binary missed"),
    *("typed hits", "typed extra", "typed missed"),
    *("direct", "direct masked", "quasi", "quasi masked"),
    *("mentions", "mentions whole", "characters", "leaked", "stay", "over-masked"),
    *("documents", "clean"),
)
_AT = {name: at for at, name in enumerate(COUNTS)}


def counts(document: Measured, taxonomy: Taxonomy) -> list[float]:
    """Return COUNTS of one document."""
    binary = tokens.binary(document.confusion)
    typed = tokens.micro(document.confusion, tokens.same)
    entities = entity_recall(document.mentions, taxonomy)
    leaked = sum(mention.leaked for mention in document.mentions)
    held = sum(letters(mention.surface) for mention in document.mentions)
    return [
        *(binary.hits, binary.extra, binary.missed, typed.hits, typed.extra, typed.missed),
        *(entities["direct"].number, entities["direct"].masked),
        *(entities["quasi"].number, entities["quasi"].masked),
        *(len(document.mentions), sum(mention.whole for mention in document.mentions)),
        *(held, leaked, document.excess.stay, document.excess.masked),
        *(1, leaked == 0),
    ]


def _column(sums: Sums, *names: str) -> Values:
    return np.asarray(sums[:, [_AT[name] for name in names]].sum(axis=1), dtype=np.float64)


def _ratio(part: str, *whole: str, empty: float = 1.0) -> Figure:
    return partial(_divided, part, whole, empty)


def _divided(part: str, whole: tuple[str, ...], empty: float, sums: Sums) -> Values:
    below = _column(sums, *whole)
    return np.where(below > 0, _column(sums, part) / np.where(below > 0, below, 1.0), empty)


def _f1(kind: str) -> Figure:
    return partial(_f1_of, kind)


def _f1_of(kind: str, sums: Sums) -> Values:
    hits, wrong = _column(sums, f"{kind} hits"), _column(sums, f"{kind} extra", f"{kind} missed")
    below = 2 * hits + wrong
    return np.where(below > 0, 2 * hits / np.where(below > 0, below, 1.0), 1.0)


FIGURES: Mapping[str, Figure] = {
    "binary token precision": _ratio("binary hits", "binary hits", "binary extra"),
    "binary token recall": _ratio("binary hits", "binary hits", "binary missed"),
    "binary token F1": _f1("binary"),
    "token micro precision": _ratio("typed hits", "typed hits", "typed extra"),
    "token micro recall": _ratio("typed hits", "typed hits", "typed missed"),
    "token micro F1": _f1("typed"),
    "direct entities masked everywhere": _ratio("direct masked", "direct"),
    "quasi entities masked everywhere": _ratio("quasi masked", "quasi"),
    "mentions masked whole": _ratio("mentions whole", "mentions"),
    "characters leaked": _ratio("leaked", "characters", empty=0.0),
    "characters over-masked": _ratio("over-masked", "stay", empty=0.0),
    "documents without a leak": _ratio("clean", "documents"),
}
"""Each a function of sums of COUNTS; a share of nothing is 1, of harm 0."""


def headline(run: Run, taxonomy: Taxonomy) -> dict[str, float]:
    """Return FIGURES of one run."""
    rows = [counts(document, taxonomy) for document in run.documents]
    total = np.asarray(rows, dtype=np.float64).reshape(-1, len(COUNTS)).sum(axis=0, keepdims=True)
    return {name: float(figure(total)[0]) for name, figure in FIGURES.items()}


class Resampled(NamedTuple):
    """The intervals of each system's figures, and of their differences to the first system's."""

    intervals: Mapping[str, Mapping[str, Interval]]
    differences: Mapping[str, Mapping[str, Interval]]


def resampled(evaluation: Evaluation, *, number: int, seed: int) -> Resampled:
    """Return bootstrap intervals; the runs of a system are pooled, document by document."""
    drawn = bootstrap.draws(len(evaluation.golds), number=number, seed=seed)
    sums = {
        system: bootstrap.sums(_pooled(runs, evaluation.taxonomy), drawn)
        for system, runs in evaluation.systems.items()
    }
    first, *others = sums
    return Resampled(
        {system: bootstrap.intervals(FIGURES, found) for system, found in sums.items()},
        {one: bootstrap.differences(FIGURES, sums[one], sums[first]) for one in others},
    )


def _pooled(runs: Sequence[Run], taxonomy: Taxonomy) -> Values:
    """Return COUNTS a document, summed over runs: shares of sums are those of all runs."""
    rows = [[counts(document, taxonomy) for document in run.documents] for run in runs]
    stacked: Values = np.asarray(rows, dtype=np.float64)
    total: Values = np.add.reduce(stacked, axis=0)
    return total
