"""Figures without names, reckoned from the audit: time, over-masked and missed, steps."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

_BEGINS, _ENDS = (
    ("claim",),
    ("finish", "to be read again", "differ", "release", "send back", "hold"),
)


@dataclass
class Figures:
    """What was counted.

    ``missed``: places and wordings that people masked, by label; ``opened``: those they opened;
    ``minutes``: the median time of a review and of a confirmation, by what it ended in;
    ``agreement``: of blind second readings, the pairwise F1 of spans by label ("" for all of them);
    ``kappa``: Cohen's, of masked or open, over recognised places (None: nothing was read twice).
    """

    steps: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)
    minutes: dict[str, float] = field(default_factory=dict)
    agreement: dict[str, float] = field(default_factory=dict)
    kappa: float | None = None


def counted(lines: Iterable[Mapping[str, Any]]) -> Figures:
    """Return the figures of the audit's *lines*; decisions that were undone count, too."""
    found = Figures()
    pairs: dict[str, list[int]] = {}
    begun: dict[str, float] = {}
    took: dict[str, list[float]] = {}
    for line in lines:
        action, document, facts = line["action"], line["document"], line["facts"]
        if action == "decide":
            kind = facts["kind"]
            if facts.get("planted"):
                pass  # nobody had missed it
            elif kind.startswith("mask"):
                found.missed[facts["label"]] += 1
            elif kind.startswith("open"):
                found.opened.update(facts.get("labels") or [""])
        elif document:
            found.steps[action] += 1
        for label, counts in facts.get("agreement", {}).items():
            sums = pairs.setdefault(label, [0, 0, 0])
            pairs[label] = [one + other for one, other in zip(sums, counts, strict=True)]
        if action in _BEGINS:
            begun[document] = line["time"]
        elif action in _ENDS and document in begun:
            took.setdefault(action, []).append((line["time"] - begun.pop(document)) / 60)
    found.minutes = {action: round(median(times), 1) for action, times in took.items()}
    if pairs:
        open_by_both, *_ = pairs.pop("", [0, 0, 0])
        sums = [sum(counts) for counts in zip(*pairs.values(), strict=True)] or [0, 0, 0]
        found.agreement = {label: _f1(*counts) for label, counts in ({"": sums} | pairs).items()}
        both, first, second = sums
        found.kappa = _kappa(both, first, second, open_by_both)
    return found


def _f1(both: int, first: int, second: int) -> float:
    """Return the F1 of two readers' spans; 1 where neither has any."""
    return 2 * both / (2 * both + first + second) if both + first + second else 1.0


def _kappa(both: int, first: int, second: int, neither: int) -> float | None:
    """Return Cohen's kappa of two readers who mask or leave open; None where it has no meaning."""
    all = both + first + second + neither
    if not all:
        return None
    agreed = (both + neither) / all
    ours, theirs = (both + first) / all, (both + second) / all
    chance = ours * theirs + (1 - ours) * (1 - theirs)
    return (agreed - chance) / (1 - chance) if chance < 1 else None
