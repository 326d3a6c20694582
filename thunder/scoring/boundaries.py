"""Span-level scores as nervaluate counts them: strict, exact, partial and by type.

Strict wants boundaries and label, exact the boundaries, type an overlap and the label; partial
gives half a point for an overlap, whatever the label. An overlap is one per cent of the gold
span or more. What a prediction holds of an ignored span is cut off before.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from thunder.scoring.characters import Scored, without_ignored
from thunder.text.spans import IGNORED, Span

SCHEMES = ("strict", "exact", "partial", "type")


class Matches(NamedTuple):
    """How many spans were right, wrong in part, half right, missed and made up."""

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0

    def plus(self, other: "Matches") -> "Matches":
        """Return the sums of both."""
        return Matches(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def points(self) -> float:
        return self.correct + self.partial / 2

    @property
    def precision(self) -> float:
        said = self.correct + self.incorrect + self.partial + self.spurious
        return self.points / said if said else 1.0

    @property
    def recall(self) -> float:
        there = self.correct + self.incorrect + self.partial + self.missed
        return self.points / there if there else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def matches(document: Scored) -> dict[str, Matches]:
    """Return the counts of one document in each of SCHEMES; ImportError names the extra."""
    ignored = [span for span in document.gold if span.label == IGNORED]
    gold = [span for span in document.gold if span.label != IGNORED]
    predicted = list(without_ignored(ignored, document.predicted))
    return {scheme: _counted(scheme, gold, predicted) for scheme in SCHEMES}


def _counted(scheme: str, gold: Sequence[Span], predicted: Sequence[Span]) -> Matches:
    strategies, entity = _library()
    theirs = [entity(span.label, span.start, span.end - 1) for span in gold]  # ends inclusive
    ours = [entity(span.label, span.start, span.end - 1) for span in predicted]
    tags = sorted({span.label for span in (*gold, *predicted)})
    found, _ = strategies[scheme].evaluate(theirs, ours, tags)
    return Matches(*(found.correct, found.incorrect, found.partial, found.missed, found.spurious))


@lru_cache(maxsize=1)
def _library() -> tuple[dict[str, Any], Any]:
    try:
        library: Any = import_module("nervaluate.strategies")
    except ImportError:
        message = "span scores need nervaluate: pip install 'thunder-deid[evaluate]'"
        raise ImportError(message) from None
    made = {
        "strict": library.StrictEvaluation(),
        "exact": library.ExactEvaluation(),
        "partial": library.PartialEvaluation(),
        "type": library.EntityTypeEvaluation(),
    }
    return made, import_module("nervaluate.entities").Entity
