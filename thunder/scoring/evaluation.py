"""A system's predictions measured against gold documents, document by document."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from thunder.scoring import boundaries, calibration, tokens
from thunder.scoring.boundaries import Matches
from thunder.scoring.calibration import Point
from thunder.scoring.characters import Scored
from thunder.scoring.documents import Gold, Prediction
from thunder.scoring.masking import Excess, excess
from thunder.scoring.mentions import Mention, mentions
from thunder.scoring.round_trip import Difference, Masking, same_up_to_letters
from thunder.scoring.tokens import Confusion, Tokenised
from thunder.taxonomy import Taxonomy
from thunder.text.spans import IGNORED, Span
from thunder.tokenization import HybridTokenizer
from thunder.training_data.filling.sites import kind_of


class Measured(NamedTuple):
    """What became of one document.

    ``points`` are None where the system gave no scores, ``trip`` where it did not say what it
    wrote, or the court's placeholders are not known.
    """

    gold: Gold
    scored: Scored
    confusion: Confusion
    thousands: Mapping[int, Confusion]
    mentions: tuple[Mention, ...]
    excess: Excess
    matches: Mapping[str, Matches]
    points: tuple[Point, ...] | None
    trip: tuple[Difference, ...] | None


class Run(NamedTuple):
    """One set of predictions of a system: one file, one seed."""

    source: str
    documents: Sequence[Measured]

    @property
    def confusion(self) -> Confusion:
        return tokens.added(document.confusion for document in self.documents)

    @property
    def mentions(self) -> list[Mention]:
        return [mention for document in self.documents for mention in document.mentions]

    def of(self, wanted: Callable[[Gold], bool]) -> "Run":
        """Return the run on the documents that are *wanted*."""
        return Run(self.source, [one for one in self.documents if wanted(one.gold)])


class Evaluation(NamedTuple):
    """All systems, a run a seed, on the same gold documents.

    ``seen`` are the mentions of the training data, where they were given; ``left_out`` counts
    gold documents that not every run has predicted, which only happens when that was asked for.
    ``decided`` says by which rule each system masks, ``replacement`` how its training documents
    were filled (single or per-epoch), "" where neither is known.
    """

    golds: Sequence[Gold]
    tokens: Mapping[str, Tokenised]
    systems: Mapping[str, Sequence[Run]]
    taxonomy: Taxonomy
    seen: frozenset[str] | None
    left_out: int
    decided: Mapping[str, str] = MappingProxyType({})
    replacement: str = ""


def evaluate(
    golds: Iterable[Gold],
    predictions: Mapping[str, Mapping[str, Mapping[str, Prediction]]],
    *,
    tokenizer: HybridTokenizer,
    taxonomy: Taxonomy,
    seen: frozenset[str] | None = None,
) -> Evaluation:
    """Return everything measured: *predictions* by system, run and document.

    Gold documents that a run lacks are left out of all of them, and counted; readers of files
    have refused that before, unless it was asked for. Documents go by their ids.
    """
    everything = sorted(golds, key=lambda gold: gold.id)
    runs = [run for system in predictions.values() for run in system.values()]
    chosen = [gold for gold in everything if all(gold.id in run for run in runs)]
    cut = {gold.id: tokens.tokenised(gold, tokenizer, taxonomy) for gold in chosen}
    systems = {
        system: [
            Run(
                source,
                [measured(gold, cut[gold.id], run[gold.id], taxonomy) for gold in chosen],
            )
            for source, run in of_system.items()
        ]
        for system, of_system in predictions.items()
    }
    return Evaluation(chosen, cut, systems, taxonomy, seen, len(everything) - len(chosen))


def pooled(evaluations: Sequence[Evaluation]) -> Evaluation:
    """Return several fillings of the same documents as one evaluation, a run each.

    Sizes (documents, tokens, mentions) are those of the first filling. ValueError where the
    documents or systems differ.
    """
    first, *others = evaluations
    ids = [gold.id for gold in first.golds]
    for other in others:
        if [gold.id for gold in other.golds] != ids or set(other.systems) != set(first.systems):
            raise ValueError("fillings of other documents, or measured with other systems")
    systems = {
        name: [
            Run(f"{run.source}, filling {number}", run.documents)
            for number, one in enumerate(evaluations, 1)
            for run in one.systems[name]
        ]
        for name in first.systems
    }
    return first._replace(systems=systems)


def measured(gold: Gold, cut: Tokenised, prediction: Prediction, taxonomy: Taxonomy) -> Measured:
    """Return what became of one document."""
    scored = Scored(len(gold.text), gold.spans, prediction.spans)
    said = tokens.predicted_labels(cut, prediction.spans, taxonomy)
    return Measured(
        gold=gold,
        scored=scored,
        confusion=tokens.confusion(cut.labels, said),
        thousands=tokens.by_thousand(cut.labels, said),
        mentions=tuple(mentions(gold, scored, cut.starts)),
        excess=excess(gold, scored),
        matches=boundaries.matches(scored),
        points=tuple(calibration.points(scored)) if prediction.has_scores else None,
        trip=_round_trip(gold, prediction, taxonomy),
    )


def _round_trip(
    gold: Gold, prediction: Prediction, taxonomy: Taxonomy
) -> tuple[Difference, ...] | None:
    """Return how our masking of the filled text differs from the court's own.

    Free, either way: mentions of which the court's form is not known, and kept labels.
    """
    if not any(gold.written) or len(prediction.replacements) < len(prediction.spans):
        return None
    asked = gold.with_kept_ignored(taxonomy)
    court = [
        Masking(span, written, "" if span.label == IGNORED else kind_of(span.label))
        if written
        else Masking(Span(span.start, span.end, IGNORED), "")
        for span, written in zip(asked.spans, asked.written, strict=True)
    ]
    pairs = zip(prediction.spans, prediction.replacements, strict=True)
    return same_up_to_letters(court, [Masking(span, written) for span, written in pairs])
