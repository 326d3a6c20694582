"""Figures without names, reckoned from the audit: time, over-masked and missed, steps."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

_BEGINS, _ENDS = ("claim",), ("finish", "release", "send back", "hold")


@dataclass
class Figures:
    """What was counted.

    ``missed``: places and wordings that people masked, by label; ``opened``: those they opened;
    ``minutes``: the median time of a review and of a confirmation, by what it ended in.
    """

    steps: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    opened: int = 0
    minutes: dict[str, float] = field(default_factory=dict)


def counted(lines: Iterable[Mapping[str, Any]]) -> Figures:
    """Return the figures of the audit's *lines*; decisions that were undone count, too."""
    found = Figures()
    begun: dict[str, float] = {}
    took: dict[str, list[float]] = {}
    for line in lines:
        action, document, facts = line["action"], line["document"], line["facts"]
        if action == "decide":
            kind = facts["kind"]
            if kind.startswith("mask"):
                found.missed[facts["label"]] += 1
            elif kind.startswith("open"):
                found.opened += 1
        elif document:
            found.steps[action] += 1
        if action in _BEGINS:
            begun[document] = line["time"]
        elif action in _ENDS and document in begun:
            took.setdefault(action, []).append((line["time"] - begun.pop(document)) / 60)
    found.minutes = {action: round(median(times), 1) for action, times in took.items()}
    return found
