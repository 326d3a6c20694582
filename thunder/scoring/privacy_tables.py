"""What leaks, what is masked too much, and how sure of it a system is."""

from collections import Counter
from collections.abc import Iterable, Sequence

from thunder.scoring import boundaries, calibration
from thunder.scoring.boundaries import Matches
from thunder.scoring.evaluation import Evaluation, Run
from thunder.scoring.figures import FIGURES, Resampled, headline, spread
from thunder.scoring.mentions import Mention, entity_recall, letters
from thunder.scoring.tables import Cell, Table


def privacy(evaluation: Evaluation) -> Table:
    """Return leaks by entities, mentions, documents and characters."""
    rows: list[tuple[Cell, ...]] = []
    for system, runs in evaluation.systems.items():
        figures = [headline(run, evaluation.taxonomy) for run in runs]
        leaked = [sum(one.leaked for one in run.mentions) for run in runs]
        shares = (spread(one[name] for one in figures) for name in _PRIVACY)
        rows.append((system, *shares, round(sum(leaked) / len(leaked))))
    columns = ("system", "direct", "quasi", "mentions", "clean", "leaked", "characters")
    note = (
        "Direct, quasi: share of entities of which every mention is masked whole, under whatever "
        "label (Text Anonymization Benchmark); one with a direct mention is direct. Mentions: "
        "masked whole. Clean: documents that leak nothing. Leaked: share of the letters and digits "
        "of mentions that stay readable, and their number; spaces and marks leak nothing."
    )
    return Table("privacy", "What leaks", note, columns, tuple(rows))


_PRIVACY = (
    "direct entities masked everywhere",
    "quasi entities masked everywhere",
    "mentions masked whole",
    "documents without a leak",
    "characters leaked",
)


def sizes(evaluation: Evaluation) -> Table:
    """Return how much there is to mask."""
    mentions = next(iter(evaluation.systems.values()))[0].mentions
    found = entity_recall(mentions, evaluation.taxonomy)
    characters = sum(letters(one.surface) for one in mentions)
    numbers = (found["direct"].number, found["quasi"].number, len(mentions), characters)
    columns = ("documents", "direct entities", "quasi entities", "mentions", "characters")
    note = (
        "Mentions of one entity share a key, or else label and wording in a document; characters "
        "are letters and digits."
    )
    row = (len(evaluation.golds), *numbers)
    return Table("sizes", "What there is to mask", note, columns, (row,))


def over_masking(evaluation: Evaluation) -> Table:
    """Return what was masked that should have stayed readable."""
    rows: list[tuple[Cell, ...]] = []
    for system, runs in evaluation.systems.items():
        shares = [headline(run, evaluation.taxonomy)["characters over-masked"] for run in runs]
        masked = [sum(one.excess.masked for one in run.documents) for run in runs]
        beside = [sum(len(one.excess.beside) for one in run.documents) for run in runs]
        touched = [sum(one.excess.masked > 0 for one in run.documents) for run in runs]
        numbers = (round(sum(one) / len(one)) for one in (masked, beside, touched))
        rows.append((system, spread(shares), *numbers))
    columns = ("system", "share", "characters", "spans beside", "documents")
    note = (
        "Characters (white space left out) masked that belong to no mention, and their share of "
        "all that should stay; spans that touch no mention; documents where it happens."
    )
    return Table("over-masking", "What is masked too much", note, columns, tuple(rows))


def spans(evaluation: Evaluation) -> Table:
    """Return precision, recall and F1 of spans in each of nervaluate's schemes."""
    rows: list[tuple[Cell, ...]] = []
    for scheme in boundaries.SCHEMES:
        for system, runs in evaluation.systems.items():
            found = [_matches(run, scheme) for run in runs]
            scores = (
                spread(one.precision for one in found),
                spread(one.recall for one in found),
                spread(one.f1 for one in found),
            )
            rows.append((scheme, system, *scores))
    note = (
        "Strict: boundaries and label; exact: boundaries; partial: half a point for an overlap, "
        "whatever the label; type: an overlap with the label (nervaluate)."
    )
    columns = ("scheme", "system", "P", "R", "F1")
    return Table("spans", "Span-level scores", note, columns, tuple(rows))


def span_counts(evaluation: Evaluation) -> Table:
    """Return the counts that span-level scores are made of."""
    rows: list[tuple[Cell, ...]] = []
    for scheme in boundaries.SCHEMES:
        for system, runs in evaluation.systems.items():
            for run in runs:
                rows.append((scheme, system, run.source, *_matches(run, scheme)))
    columns = ("scheme", "system", "run", *Matches._fields)
    note = "What precision and recall of spans are made of, by run."
    return Table("span-counts", "Spans counted", note, columns, tuple(rows))


def _matches(run: Run, scheme: str) -> Matches:
    total = Matches()
    for document in run.documents:
        total = total.plus(document.matches[scheme])
    return total


def seen(evaluation: Evaluation) -> Table:
    """Return what became of mentions worded as in the training data, and of new ones."""
    known = evaluation.seen or frozenset()
    rows: list[tuple[Cell, ...]] = []
    for name, is_seen in (("seen", True), ("unseen", False)):
        for system, runs in evaluation.systems.items():
            chosen = [
                [one for one in run.mentions if (one.surface in known) == is_seen] for run in runs
            ]
            rows.append((name, system, *_recalls(chosen, evaluation), len(chosen[0])))
    columns = ("mentions", "system", "masked whole", "with its label", "direct", "quasi", "number")
    note = (
        "Seen: a mention of the very wording is in the training data. Direct and quasi: entities "
        "masked everywhere, of those mentions."
    )
    return Table("seen", "Mentions seen in training and unseen ones", note, columns, tuple(rows))


def _recalls(runs: Sequence[Sequence[Mention]], evaluation: Evaluation) -> tuple[Cell, ...]:
    if not runs[0]:
        return (None, None, None, None)
    entities = [entity_recall(run, evaluation.taxonomy) for run in runs]
    return (
        spread(_share(one.whole for one in run) for run in runs),
        spread(_share(one.labelled for one in run) for run in runs),
        spread(one["direct"].recall for one in entities) if entities[0]["direct"].number else None,
        spread(one["quasi"].recall for one in entities) if entities[0]["quasi"].number else None,
    )


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found)


def reliability(evaluation: Evaluation) -> Table:
    """Return how right spans of each score are, and each system's expected calibration error."""
    rows: list[tuple[Cell, ...]] = []
    for system, runs in evaluation.systems.items():
        found = [one.points for run in runs for one in run.documents]
        if any(points is None for points in found):
            continue
        bins = calibration.reliability(point for points in found for point in points or ())
        total = sum(one.number for one in bins)
        rows += [
            (
                system,
                f"{one.low:.1f}–{one.high:.1f}",
                one.number,
                one.score,
                one.touches,
                one.strict,
            )
            for one in bins
        ]
        errors = (calibration.expected_error(bins, strict=strict) for strict in (False, True))
        rows.append((system, "ECE", total, None, *errors))
    columns = ("system", "score", "spans", "mean score", "touches gold", "strictly right")
    note = (
        "Of the spans of each score, the share that touches a mention, and that is one with its "
        "label; ECE: the mean gap to the score. Systems that give no scores are left out."
    )
    return Table("calibration", "Calibration", note, columns, tuple(rows))


def intervals(evaluation: Evaluation, resampled: Resampled) -> Table:
    """Return each headline figure with its bootstrap interval."""
    rows: list[tuple[Cell, ...]] = []
    for system, runs in evaluation.systems.items():
        values = [headline(run, evaluation.taxonomy) for run in runs]
        for name in FIGURES:
            figure = spread(one[name] for one in values)
            rows.append((name, system, figure, resampled.intervals[system][name]))
    rows.sort(key=lambda row: list(FIGURES).index(str(row[0])))
    note = "95 % bootstrap intervals, documents resampled whole; runs are pooled."
    columns = ("figure", "system", "value", "interval")
    return Table("intervals", "Bootstrap intervals", note, columns, tuple(rows))


def differences(evaluation: Evaluation, resampled: Resampled) -> Table:
    """Return the interval of each system's difference to the first, on the same draws."""
    first = next(iter(evaluation.systems))
    rows = tuple(
        (name, system, found[name], "" if found[name].low <= 0 <= found[name].high else "*")
        for name in FIGURES
        for system, found in resampled.differences.items()
    )
    note = f"Each system's figure less that of '{first}'; * where 0 lies outside the interval."
    columns = ("figure", "system", "interval", "")
    return Table("differences", f"Differences to {first}", note, columns, rows)


def round_trip(evaluation: Evaluation) -> Table:
    """Return how many documents come back as the court wrote them, up to the choice of letters."""
    rows: list[tuple[Cell, ...]] = []
    for system, runs in evaluation.systems.items():
        asked = [one for run in runs for one in run.documents if any(one.gold.written)]
        found = [one.trip for one in asked if one.trip is not None]
        if found and len(found) == len(asked):
            kinds = [{difference.kind for difference in trip} for trip in found]
            equal = sum(not one for one in kinds) / len(kinds)
            counts = Counter(kind for one in kinds for kind in one)
            rows.append((system, equal, *(counts[kind] for kind in _KINDS), len(kinds)))
    columns = ("system", "equal", *_KINDS, "documents")
    note = (
        "The court's text, filled, and masked again: the same stretches masked, the same entities "
        "under one letter. Columns count the documents with a difference of the kind. Systems that "
        "do not say what they wrote are left out."
    )
    return Table("round-trip", "Round trip", note, columns, tuple(rows))


_KINDS = ("missed", "extra", "boundary", "split", "merged", "form", "spelling")
