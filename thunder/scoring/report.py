"""All tables of an evaluation, in the order they are read."""

from thunder.scoring import (
    paper_figures,
    paper_tables,
    place_tables,
    privacy_tables,
    readable,
    worst,
)
from thunder.scoring.evaluation import Evaluation
from thunder.scoring.figures import resampled
from thunder.scoring.tables import Table


def tables(
    evaluation: Evaluation, *, draws: int, seed: int, top: int, paper: bool = False
) -> list[Table]:
    """Return every table that has a row; *draws* of the bootstrap (0: none), *top* worst labels.

    *paper*: with the figures that the paper gives.
    """
    made = [
        *(paper_tables.overall(evaluation, kind, beside=paper) for kind in paper_tables.KINDS),
        privacy_tables.sizes(evaluation),
        privacy_tables.privacy(evaluation),
        privacy_tables.over_masking(evaluation),
        readable.table(evaluation),
        privacy_tables.spans(evaluation),
        *_uncertain(evaluation, draws, seed),
        *(paper_tables.case_types(evaluation, kind, beside=paper) for kind in paper_tables.KINDS),
        paper_tables.tiers(evaluation),
        *(paper_tables.groups(evaluation, tier) for tier in paper_tables.TIERS),
        *([privacy_tables.seen(evaluation)] if evaluation.seen is not None else []),
        place_tables.positions(evaluation),
        place_tables.beyond_window(evaluation),
        privacy_tables.reliability(evaluation),
        privacy_tables.round_trip(evaluation),
        worst.labels(evaluation, top=top),
        paper_tables.confusions(evaluation),
        privacy_tables.span_counts(evaluation),
        *(paper_figures.tables() if paper else []),
    ]
    return [table for table in made if table.rows]


def _uncertain(evaluation: Evaluation, draws: int, seed: int) -> list[Table]:
    if not draws:
        return []
    found = resampled(evaluation, number=draws, seed=seed)
    return [
        privacy_tables.intervals(evaluation, found),
        privacy_tables.differences(evaluation, found),
    ]


HEADLINES = (
    *("tokens-binary", "tokens-micro", "sizes", "privacy", "over-masking", "readable", "spans"),
    *("case-types-binary", "case-types-micro", "tiers", "seen", "window", "round-trip", "worst"),
    "curve",
)
"""The tables that go to the screen; files hold all."""
