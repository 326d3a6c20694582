"""From which probability on a token is masked: by nodes of the taxonomy, inherited downwards.

``thresholds.json`` beside a model names nodes by their path (``direct``, ``direct/D.1.1``,
``direct/D.1.1/내국인이름``, and once more with the label's name); "" stands for everything. The
longest path that fits a label counts. They are set for a recall on development data.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Label, Taxonomy

NAME = "thresholds.json"
USUAL = 0.5
FLOOR, CEILING = 0.01, 0.5
_FORMAT = 1


class Evidence(NamedTuple):
    """A mention of development data: its weakest token's mass, and the label read there."""

    label: int
    mass: float


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds by node; *about* says what they were set for and on what."""

    nodes: Mapping[str, float] = field(default_factory=lambda: {"": USUAL})
    about: Mapping[str, Any] = field(default_factory=dict)

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


def read(folder: Path, taxonomy: Taxonomy) -> Thresholds:
    """Return the thresholds in *folder*, the usual ones where there is no such file.

    ValueError or LookupError name the file and what is wrong with it.
    """
    path = folder / NAME
    if not path.is_file():
        return Thresholds()
    try:
        found = json.loads(path.read_text("utf-8"))
        if found["format"] != _FORMAT:
            raise ValueError(f"its format is not {_FORMAT}")
        nodes = {str(node): float(value) for node, value in found["nodes"].items()}
        made = Thresholds(nodes, found.get("about", {}))
        made.require_known(taxonomy)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
    except LookupError as error:
        raise LookupError(f"{path}: {error}") from None
    return made


def write(folder: Path, thresholds: Thresholds) -> Path:
    """Return the file into which *thresholds* were written, whole or not at all."""
    path = folder / NAME
    nodes = dict(sorted(thresholds.nodes.items()))
    table = {"format": _FORMAT, "about": dict(thresholds.about), "nodes": nodes}
    aside = path.with_name(f".{NAME}.new")
    aside.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    aside.replace(path)
    return path


def fitted(
    evidence: Iterable[Evidence], *, taxonomy: Taxonomy, recall: float, least: int = 50
) -> dict[str, float]:
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
    return nodes


def _quantile(masses: list[float], recall: float) -> float:
    """Return the highest threshold, between FLOOR and CEILING, that finds this share."""
    allowed = int((1 - recall) * len(masses) + 1e-9)
    found = float(np.float32(sorted(masses)[allowed]))
    return min(max(found, FLOOR), CEILING)


def _nodes(label: Label) -> list[str]:
    """Return the nodes of a label, the nearest first."""
    parts = (label.main, label.code, label.category, label.ko)
    return ["/".join(parts[:depth]) for depth in (4, 3, 2, 1)] + [""]


def _depth(node: str) -> int:
    return node.count("/") + 1 if node else 0
