"""From which probability on a token is masked: by nodes of the taxonomy, inherited downwards.

Nodes are named by their path (``direct``, ``direct/D.1.1``, ``direct/D.1.1/내국인이름``, and once
more with the label's name); "" stands for everything. The longest path that fits a label counts.
They are set for a recall on development data; ``thunder.tagger.dial`` keeps them for several.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Label, Taxonomy

USUAL = 0.5
FLOOR, CEILING = 0.05, 0.5


class Evidence(NamedTuple):
    """A mention of development data: its weakest token's mass, and the label read there."""

    label: int
    mass: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What thresholds that were set for *recall* gave on development documents: shares of 1.

    *reached* of the mentions had every token found, *whole* were masked from end to end (a space
    between two parts counts) once mentions were made whole and looked for everywhere; *precision*
    and *characters* (recall) count characters. *floored* are the nodes whose
    threshold would lie below FLOOR.
    """

    recall: float
    reached: float
    whole: float
    precision: float
    characters: float
    floored: tuple[str, ...] = ()

    @property
    def falls_short(self) -> bool:
        """Whether the floor stands in the way of the recall asked for."""
        return bool(self.floored) and self.reached < self.recall


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds by node, and what they gave where they were set, if that is known."""

    nodes: Mapping[str, float] = field(default_factory=lambda: {"": USUAL})
    outcome: Outcome | None = None

    @property
    def about(self) -> Mapping[str, Any]:
        """What they were set for and what they gave, for records."""
        return asdict(self.outcome) if self.outcome else {}

    def __post_init__(self) -> None:
        if "" not in self.nodes:
            raise ValueError("thresholds need one for everything, under the name ''")
        for node, value in self.nodes.items():
            if not 0 < value <= 1:
                raise ValueError(f"the threshold of '{node}' lies in 0 < x <= 1, not {value}")

    def of(self, label: Label) -> float:
        """Return the threshold of a label: its own, or that of the nearest node above it."""
        return next(self.nodes[node] for node in _nodes(label) if node in self.nodes)

    def by_id(self, taxonomy: Taxonomy) -> NDArray[np.float32]:
        """Return the threshold of every id; what is no label's can never be reached."""
        found = np.full(taxonomy.classes, 2, np.float32)
        for label in taxonomy:
            found[label.id] = self.of(label)
        return found

    def require_known(self, taxonomy: Taxonomy) -> None:
        """Raise LookupError where a node is none of the taxonomy's."""
        known = {node for label in taxonomy for node in _nodes(label)}
        unknown = sorted(set(self.nodes) - known)
        if unknown:
            shown = ", ".join(map(repr, unknown[:5]))
            raise LookupError(
                f"thresholds for {shown}, which the taxonomy does not have; a node is written "
                "main/code/category/label, as in 'direct/D.1.1/내국인이름'"
            )


class Fitted(NamedTuple):
    """Thresholds by node, and the nodes whose own would lie below FLOOR."""

    nodes: dict[str, float]
    floored: tuple[str, ...]


def fitted(
    evidence: Iterable[Evidence], *, taxonomy: Taxonomy, recall: float, least: int = 50
) -> Fitted:
    """Return thresholds under which a share *recall* of the mentions is masked whole.

    A node gets its own with *least* mentions or more that no node below it has taken; the rest
    go up to its parent. So the recall is reached on these mentions in every node, unless FLOOR
    stands in the way. None is above CEILING: other documents are harder than these.
    ValueError without a mention, or for a recall outside 0 … 1.
    """
    if not 0 < recall <= 1:
        raise ValueError(f"a recall lies in 0 < x <= 1, not {recall}")
    below: dict[str, list[float]] = defaultdict(list)
    every: list[float] = []
    for one in evidence:
        below[_nodes(taxonomy.by_id(one.label))[0]].append(one.mass)
        every.append(one.mass)
    if not every:
        raise ValueError("no mention to set thresholds on: the development part has none")
    nodes: dict[str, float] = {}
    for depth in (4, 3, 2, 1):
        for node in [node for node in below if _depth(node) == depth]:
            masses = below.pop(node)
            if len(masses) >= least:
                nodes[node] = _quantile(masses, recall)
            else:
                below[node.rpartition("/")[0]].extend(masses)
    rest = below[""]
    nodes[""] = _quantile(rest if len(rest) >= least else every, recall)
    floored = tuple(sorted(node for node, value in nodes.items() if value < FLOOR))
    kept = {node: min(max(value, FLOOR), CEILING) for node, value in nodes.items()}
    return Fitted(dict(sorted(kept.items())), floored)


def _quantile(masses: list[float], recall: float) -> float:
    """Return the highest threshold that finds this share."""
    allowed = int((1 - recall) * len(masses) + 1e-9)
    return float(np.float32(sorted(masses)[allowed]))


def _nodes(label: Label) -> list[str]:
    """Return the nodes of a label, the nearest first."""
    parts = (label.main, label.code, label.category, label.ko)
    return ["/".join(parts[:depth]) for depth in (4, 3, 2, 1)] + [""]


def _depth(node: str) -> int:
    return node.count("/") + 1 if node else 0
