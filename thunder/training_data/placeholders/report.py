"""What was kept and left out of a run over whole judgments, counted."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from thunder.training_data.placeholders.documents import Outcome

BANDS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)


@dataclass
class Report:
    """Counts over outcomes, which are added one by one; a judgment may have several reasons.

    ``left`` names each judgment that is left out, with its reasons and the labels in doubt.
    """

    read: int = 0
    kept: int = 0
    characters: int = 0
    characters_kept: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    only: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    kinds_kept: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    styles: Counter[str] = field(default_factory=Counter)
    scores: Counter[str] = field(default_factory=Counter)
    unsure: Counter[str] = field(default_factory=Counter)
    left: list[dict[str, Any]] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one outcome; spans are counted of the judgments that are kept."""
        self.read += 1
        self.characters += outcome.characters
        self.kinds[outcome.kind] += 1
        self.reasons.update(outcome.reasons)
        if len(outcome.reasons) == 1:
            self.only.update(outcome.reasons)
        if outcome.row is None:
            self.unsure.update(outcome.unsure)
            named = {"id": outcome.id, "reasons": list(outcome.reasons)}
            labels = {"unsure_labels": list(outcome.unsure)} if outcome.unsure else {}
            self.left.append({**named, **labels})
            return
        self.kept += 1
        self.characters_kept += outcome.characters
        self.kinds_kept[outcome.kind] += 1
        for label, style, score in outcome.spans:
            self.labels[label] += 1
            self.styles[style] += 1
            self.scores[band(score)] += 1

    def as_json(self) -> dict[str, Any]:
        """Return the counts by name, the most frequent first, ties in the order of names."""
        return {
            "read": self.read,
            "kept": self.kept,
            "left_out": self.read - self.kept,
            "characters": self.characters,
            "characters_kept": self.characters_kept,
            "reasons": _ranked(self.reasons),
            "reasons_alone": _ranked(self.only),
            "unsure_labels": _ranked(self.unsure),
            "kinds": {
                kind: {"read": count, "kept": self.kinds_kept[kind]}
                for kind, count in _ranked(self.kinds).items()
            },
            "spans": sum(self.labels.values()),
            "styles": _ranked(self.styles),
            "scores": dict(sorted(self.scores.items())),
            "labels": _ranked(self.labels),
            "left_out_judgments": self.left,
        }


def band(score: float) -> str:
    """Return the band of scores that *score* falls into: "0.8-0.9"."""
    low = max(one for one in BANDS[:-1] if one <= score)
    return f"{low:.1f}-{BANDS[BANDS.index(low) + 1]:.1f}"


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return dict(_in_order(counts.items()))


def _in_order(items: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(items, key=lambda item: (-item[1], item[0]))
