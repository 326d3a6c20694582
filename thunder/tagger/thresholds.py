"""From which probability on a token is masked: by nodes of the taxonomy, inherited downwards.

Nodes are named by their path (``direct``, ``direct/D.1.1``, ``direct/D.1.1/내국인이름``, and once
more with the label's name); "" stands for everything. The longest path that fits a label counts.
They are set for a recall on development data, where it costs the fewest needless tokens;
``thunder.tagger.dial`` keeps them for several recalls.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Label, Taxonomy
from thunder.taxonomy.migrations import Migration

USUAL = 0.5
FLOOR, CEILING = 0.05, 0.5
_COSTS = (*np.geomspace(100, 0.001, 120).tolist(), 0.0)  # of a needless token, in mentions


DIRECT = 5.0
"""How many other mentions one of a direct identifier counts as: a missed name harms a person."""


class Evidence(NamedTuple):
    """A mention of development data: its weakest token's mass, and the label read there.

    Or a token that is part of none.
    """

    label: int
    mass: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What thresholds that were set for *recall* gave on development documents: shares of 1.

    *reached* of the mentions had every token found, *whole* were masked from end to end (a space
    between two parts counts) once mentions were made whole, looked for everywhere and, with a
    scorecard, weighed; *precision* and *characters* (recall) count characters.
    """

    recall: float
    reached: float
    whole: float
    precision: float
    characters: float

    @property
    def falls_short(self) -> bool:
        """Whether fewer mentions were reached than the recall asked for."""
        return self.reached < self.recall


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
        return next(self.nodes[node] for node in label.nodes if node in self.nodes)

    def by_id(self, taxonomy: Taxonomy) -> NDArray[np.float32]:
        """Return the threshold of every id; what is no label's can never be reached."""
        found = np.full(taxonomy.classes, 2, np.float32)
        for node in sorted(self.nodes, key=_depth):
            found[list(taxonomy.below(node))] = self.nodes[node]
        return found

    def require_known(self, taxonomy: Taxonomy) -> None:
        """Raise LookupError where a node is none of the taxonomy's."""
        unknown = sorted(node for node in self.nodes if not taxonomy.below(node))
        if unknown:
            shown = ", ".join(map(repr, unknown[:5]))
            raise LookupError(
                f"thresholds for {shown}, which the taxonomy does not have; a node is written "
                "main/code/category/label, as in 'direct/D.1.1/내국인이름'"
            )


def fitted(
    mentions: Iterable[Evidence],
    needless: Iterable[Evidence] = (),
    *,
    taxonomy: Taxonomy,
    recall: float,
    least: int = 50,
) -> dict[str, float]:
    """Return thresholds that mask a share *recall* of *mentions* whole, and the least *needless*.

    In every node the last mention won costs as many needless tokens as in any other (one of a
    direct identifier DIRECT times as many): so a kind that the tagger knows gets more of its
    mentions masked, one that it guesses at fewer. A node gets a threshold of its own with *least*
    mentions or more that no node below it has taken; the rest go up to its parent. None is below
    FLOOR, which may stand in the way of the recall, nor above CEILING: other documents are harder
    than these. ValueError without a mention, or for a recall outside 0 … 1.
    """
    if not 0 < recall <= 1:
        raise ValueError(f"a recall lies in 0 < x <= 1, not {recall}")
    given = list(mentions)
    if not given:
        raise ValueError("no mention to set thresholds on: the development part has none")
    own = _by_node(given, taxonomy, least=least)
    beside: dict[str, list[float]] = {node: [] for node in own}
    for one in needless:
        path = taxonomy.by_id(one.label).nodes
        beside[next(node for node in path if node in own)].append(one.mass)
    rest = own[""]
    if len(rest) < least:  # too few to learn from: everything speaks for the threshold of the rest
        own[""] = [one.mass for one in given]
        beside[""] = [mass for masses in beside.values() for mass in masses]
    tables = {node: _Table(node, own[node], beside[node]) for node in sorted(own)}
    counted = {**own, "": rest}
    levels: dict[str, float] = {}
    for cost in _COSTS:
        levels = {node: table.level(cost) for node, table in tables.items()}
        hits = sum(mass >= levels[node] for node in counted for mass in counted[node])
        if hits >= recall * len(given):
            break
    return levels


def _by_node(
    mentions: Sequence[Evidence], taxonomy: Taxonomy, *, least: int
) -> dict[str, list[float]]:
    """Return the masses of the mentions of each node that gets a threshold of its own, "" too."""
    below: dict[str, list[float]] = defaultdict(list)
    for one in mentions:
        below[taxonomy.by_id(one.label).nodes[0]].append(float(np.float32(one.mass)))
    own: dict[str, list[float]] = {}
    for depth in (4, 3, 2, 1):
        for node in [node for node in below if _depth(node) == depth]:
            masses = below.pop(node)
            if len(masses) >= least:
                own[node] = masses
            else:
                below[node.rpartition("/")[0]].extend(masses)
    return {**own, "": below[""]}


class _Table:
    """What each threshold of a node would give: mentions masked whole, and needless tokens."""

    def __init__(self, node: str, mentions: Sequence[float], needless: Sequence[float]) -> None:
        masked = np.sort(np.asarray(mentions, np.float32))
        within = masked[(masked > FLOOR) & (masked < CEILING)]
        self._levels = np.unique(np.concatenate([within, np.array([FLOOR, CEILING], np.float32)]))
        spoilt = np.sort(np.asarray(needless, np.float32))
        self._won = self._above(masked) * (DIRECT if node.startswith("direct") else 1.0)
        self._spoilt = self._above(spoilt).astype(np.float64)

    def _above(self, masses: NDArray[np.float32]) -> NDArray[np.int64]:
        return len(masses) - np.searchsorted(masses, self._levels)

    def level(self, cost: float) -> float:
        """Return the best threshold where a needless token costs *cost* mentions; of equals, the
        highest."""
        worth = self._won - cost * self._spoilt
        return float(self._levels[len(worth) - 1 - int(worth[::-1].argmax())])


def at_present(
    nodes: Mapping[str, float], taxonomy: Taxonomy, earlier: Sequence[Migration]
) -> dict[str, float]:
    """Return *nodes* as the taxonomy names them by now; *earlier* are its migrations.

    A label's own threshold goes with it where it was renamed or moved; of two labels merged, the
    lower one holds: nothing is missed that was found. That of a label that was retired, or of a
    category that is empty by now, goes. An unknown node stays, and is refused.
    """
    found = {node: value for node, value in nodes.items() if taxonomy.below(node)}
    gone = {name for one in earlier if one.operation == "retire" for name in _names(one)}
    emptied = {tuple(_place(place.at)) for one in earlier for place in (one.label,)}
    for node, value in nodes.items():
        if node in found:
            continue
        parts = node.split("/")
        if len(parts) == 4 and parts[3] not in gone:
            try:
                now = taxonomy.label(parts[3]).nodes[0]
            except LookupError:
                found[node] = value
            else:
                found[now] = min(value, found.get(now, value))
        elif len(parts) != 4 and tuple(parts[1:3]) not in emptied:
            found[node] = value
    return found


def _names(one: Migration) -> tuple[str, ...]:
    return (one.label.ko, *one.aliases)


def _place(at: str) -> list[str]:
    """Return the code and the category of D.2.7-businesses/외식업."""
    stem, _, category = at.partition("/")
    return [stem.partition("-")[0], category]


def _depth(node: str) -> int:
    return node.count("/") + 1 if node else 0
