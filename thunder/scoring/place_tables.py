"""Scores by the place of tokens and mentions in the document."""

from thunder.scoring import tokens
from thunder.scoring.evaluation import Evaluation, Run
from thunder.scoring.figures import spread
from thunder.scoring.paper_tables import SCORES, scores_of
from thunder.scoring.tables import Cell, Table


def positions(evaluation: Evaluation) -> Table:
    """Return the scores by place in the document: each thousand tokens, and around 2,048."""
    rows: list[tuple[Cell, ...]] = []
    last = max((max(one.thousands) for one in _first(evaluation).documents), default=0)
    for thousand in range(last + 1):
        low = thousand * tokens.THOUSAND
        number = sum(_inside(len(cut.starts), low) for cut in evaluation.tokens.values())
        for system, runs in evaluation.systems.items():
            parts = [
                tokens.added(one.thousands.get(thousand, {}) for one in run.documents)
                for run in runs
            ]
            scores = scores_of(tokens.binary(part) for part in parts)
            micro = spread(tokens.micro(part, tokens.same).f1 for part in parts)
            name = f"{low:,}–{low + tokens.THOUSAND - 1:,}"
            rows.append((name, system, *scores, micro if any(parts) else None, number))
    columns = ("tokens", "system", *SCORES, "micro F1", "tokens there")
    note = "Binary scores of the tokens of each thousand, counted from a document's beginning."
    return Table("positions", "By place in the document", note, columns, tuple(rows))


def _inside(length: int, low: int) -> int:
    return max(0, min(length - low, tokens.THOUSAND))


def _first(evaluation: Evaluation) -> Run:
    return next(iter(evaluation.systems.values()))[0]


WINDOW = 2048
"""Where the paper's models stop reading."""


def beyond_window(evaluation: Evaluation) -> Table:
    """Return how many mentions are masked whole before and after the paper's 2,048 tokens."""
    rows: list[tuple[Cell, ...]] = []
    for name, is_late in ((f"first {WINDOW:,}", False), ("after that", True)):
        for system, runs in evaluation.systems.items():
            chosen = [
                [one for one in run.mentions if (one.token >= WINDOW) == is_late] for run in runs
            ]
            number = len(chosen[0])
            shares = [sum(one.whole for one in run) / max(number, 1) for run in chosen]
            rows.append((name, system, spread(shares) if number else None, number))
    columns = ("tokens", "system", "mentions masked whole", "mentions")
    note = "Nothing falls off: mentions after the place where the paper's input was cut count too."
    return Table("window", "Before and after 2,048 tokens", note, columns, tuple(rows))
