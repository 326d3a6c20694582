"""What was masked that should have stayed readable: it makes a judgment hard to read."""

from typing import NamedTuple

import numpy as np

from thunder.scoring.characters import Scored, beside
from thunder.scoring.documents import Gold
from thunder.text.spans import Span


class Excess(NamedTuple):
    """Characters (white space left out) that should stay, those masked; spans beside all gold."""

    stay: int
    masked: int
    beside: tuple[Span, ...]

    @property
    def share(self) -> float:
        return self.masked / self.stay if self.stay else 0.0


def excess(gold: Gold, scored: Scored) -> Excess:
    """Return what was masked beside the gold spans; what is ignored need not stay."""
    stays = np.array([not character.isspace() for character in gold.text], dtype=bool)
    for span in scored.gold:
        stays[span.start : span.end] = False
    masked = np.zeros(len(gold.text), dtype=bool)
    for span in scored.predicted:
        masked[span.start : span.end] = True
    return Excess(int(stays.sum()), int((stays & masked).sum()), tuple(beside(scored)))
