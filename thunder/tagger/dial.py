"""A tagger's dial: thresholds for several recalls, each with what it gave on development documents.

``thresholds.json`` beside a model holds them. Asked for a recall between two that were set, the
dial takes the stricter one, whose outcome was measured; nothing is interpolated, and a recall
beyond the strictest is refused.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from thunder.tagger import messages as say
from thunder.tagger.thresholds import Outcome, Thresholds, at_present
from thunder.taxonomy import Taxonomy
from thunder.taxonomy.migrations import Migration

NAME = "thresholds.json"
RECALLS = (0.95, 0.97, 0.98, 0.99, 0.995, 0.999)
DEFAULT = 0.99
_FORMAT = 3


@dataclass(frozen=True, slots=True)
class Dial:
    """Thresholds by recall, the laxest first; *about* says on what they were set.

    Without any set (no file), there are the usual thresholds, and no recall can be asked for.
    """

    sets: tuple[Thresholds, ...] = ()
    default: float | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        recalls = self.recalls
        if list(recalls) != sorted(set(recalls)):
            raise ValueError(f"its sets are not in the order of their recalls: {recalls}")
        if recalls and self.default not in recalls:
            raise ValueError(f"its default {self.default} is none of {_shown(recalls)}")

    @property
    def recalls(self) -> tuple[float, ...]:
        """The recalls that thresholds were set for."""
        return tuple(one.recall for one in self.consequences())

    def consequences(self) -> list[Outcome]:
        """Return what each position gave on development documents: what a dial costs and gains."""
        found = [one.outcome for one in self.sets]
        if None in found:
            raise ValueError("a set of thresholds does not say what it was set for")
        return [one for one in found if one is not None]

    def at(self, recall: float | None = None) -> Thresholds:
        """Return the thresholds for *recall*, the default ones without.

        ValueError for a recall that nothing was set for: beyond the dial, or without any set.
        """
        if not self.sets:
            if recall is None:
                return Thresholds()
            raise ValueError(say.NOTHING_SET(recall=recall))
        wanted = self.default if recall is None else recall
        assert wanted is not None
        if not self.recalls[0] <= wanted <= self.recalls[-1]:
            raise ValueError(say.BEYOND(recall=wanted, known=_shown(self.recalls)))
        return next(
            one for one, set_for in zip(self.sets, self.recalls, strict=True) if set_for >= wanted
        )


def read(folder: Path, taxonomy: Taxonomy, *, earlier: Sequence[Migration] = ()) -> Dial:
    """Return the dial in *folder*, one without sets where there is no such file.

    Thresholds of labels that were renamed, moved or merged since are found by the names they had;
    *earlier* are the migrations that say which categories there were.

    ValueError or LookupError name the file and what is wrong with it.
    """
    path = folder / NAME
    if not path.is_file():
        return Dial()
    try:
        found = json.loads(path.read_text("utf-8"))
        if found["format"] != _FORMAT:
            raise ValueError(say.OTHER_THRESHOLDS(format=_FORMAT))
        sets = tuple(_set(one, taxonomy, earlier) for one in found["sets"])
        if not sets:
            raise ValueError(say.NO_SET())
        return Dial(sets, found["default"], found.get("about", {}))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
    except LookupError as error:
        raise LookupError(f"{path}: {error}") from None


def _set(found: Mapping[str, Any], taxonomy: Taxonomy, earlier: Sequence[Migration]) -> Thresholds:
    values = dict(found)
    nodes = {str(node): float(value) for node, value in values.pop("nodes").items()}
    outcome = Outcome(**values)
    made = Thresholds(at_present(nodes, taxonomy, earlier), outcome)
    made.require_known(taxonomy)
    return made


def write(folder: Path, dial: Dial) -> Path:
    """Return the file into which *dial* was written, whole or not at all."""
    path = folder / NAME
    sets = [
        {**asdict(outcome), "nodes": dict(one.nodes)}
        for one, outcome in zip(dial.sets, dial.consequences(), strict=True)
    ]
    table = {"format": _FORMAT, "default": dial.default, "about": dict(dial.about), "sets": sets}
    aside = path.with_name(f".{NAME}.new")
    aside.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    aside.replace(path)
    return path


def _shown(recalls: tuple[float, ...]) -> str:
    return ", ".join(f"{recall:g}" for recall in recalls)
