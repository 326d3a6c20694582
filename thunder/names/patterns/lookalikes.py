"""What is taken for a mention and leads to nobody: a count, an exhibit's number, a row of figures.

``taxonomy/patterns/lookalikes.yaml`` holds them, in the language of the rules and with examples;
``thunder patterns check`` runs these. What one of them covers stays readable, however sure a tagger
is: so each is narrow. They are vetoes, and weigh nothing.
"""

import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.nodes import Node

from thunder.names import kinds
from thunder.names.patterns.tracing import Acted, watcher
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.pattern_file import PatternFile, Row, rows_of
from thunder.taxonomy.tables import meant
from thunder.text import lazy
from thunder.text.spans import Span

LOOKALIKES = "lookalikes.yaml"

_ITSELF, _WITHIN = "itself", "within"
_BEFORE = ("before", "not_before")
SIDES = {"before": True, "not_before": False, "behind": True, "not_behind": False}
"""What stands beside it, and whether it has to or must not."""
_LOOKS = (_ITSELF, _WITHIN, *SIDES)
_REACH, _REACH_WITHIN = 80, 40
_SCORE = re.compile(r"0\.[0-9]{1,3}")

_KINDS: Mapping[str, Callable[[str], bool]] = {
    "anything": lambda label: True,
    "person": kinds.is_person,
    "thing": kinds.is_thing,
    "name": kinds.is_name,
    "address": kinds.is_address,
    "number": kinds.is_number,
}
"""What a look-alike may be ``of``, beside labels by id and name."""


class Whose(NamedTuple):
    """Of which labels a row is: kinds of labels, and labels by their names."""

    kinds: tuple[str, ...]
    labels: frozenset[str]

    def has(self, label: str) -> bool:
        """Return whether *label* is one of them."""
        return label in self.labels or any(_KINDS[kind](label) for kind in self.kinds)

    def __str__(self) -> str:
        return ", ".join((*self.kinds, *sorted(self.labels)))


@dataclass(frozen=True, slots=True, eq=False)
class Beside(Row):
    """A row that says what a mention is by itself and by what stands beside it, of which labels.

    *whoever*: whoever found it, else for what a tagger found alone.
    """

    whose: Whose
    whoever: bool
    looks: Mapping[str, re.Pattern[str]]


@dataclass(frozen=True, slots=True, eq=False)
class Lookalike(Beside):
    """One row, and below which score, and whether of recognisers' finds too, it is one."""

    below: float
    rules: bool

    def covers(self, text: str, start: int, end: int) -> bool:
        """Return whether what stands from *start* to *end* of folded *text* is one."""
        itself = self.looks.get(_ITSELF)
        if itself and not itself.fullmatch(text, start, end):
            return False
        return any(
            stand_beside(self.looks, text, *one) for one in self._stretches(text, start, end)
        )

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where it stands in folded *text*, whatever was found there."""
        looked_for = self.looks.get(_WITHIN) or self.looks.get(_ITSELF)
        for match in looked_for.finditer(text) if looked_for else ():
            if match[0] and stand_beside(self.looks, text, *match.span()):
                yield match.span()

    def _stretches(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the stretches that stand for the mention: itself, or those that it lies in."""
        within = self.looks.get(_WITHIN)
        if within is None:
            yield start, end
            return
        for match in within.finditer(text, max(0, start - _REACH_WITHIN), end + _REACH_WITHIN):
            if match.start() <= start and end <= match.end():
                yield match.span()


def stand_beside(
    looks: Mapping[str, re.Pattern[str]],
    text: str,
    start: int,
    end: int,
    *,
    first: int = 0,
    last: int = sys.maxsize,
) -> bool:
    """Return whether what *looks* says of both sides stands beside the stretch of folded *text*.

    Nothing before *first* or behind *last* is looked at.
    """
    for side, wanted in SIDES.items():
        look = looks.get(side)
        if look is None:
            continue
        if side in _BEFORE:
            found = look.search(text, max(first, start - _REACH), start)
        else:
            found = look.match(text, end, last)
        if (found is not None) is not wanted:
            return False
    return True


def lookalike(text: str, span: Span, *, whoever: bool = False) -> Lookalike | None:
    """Return the look-alike that *span* of folded *text* is, None where it is none.

    Of those that count for what a tagger found, or of those for whoever found it: the recognisers
    of numbers and addresses only where a row says ``rules``.
    """
    by_rule = whoever and span.source.startswith("rule:")
    for one in _of(span.label, whoever):
        if by_rule and not one.rules:
            continue
        if span.score < one.below and one.covers(text, span.start, span.end):
            if (watching := watcher()) is not None:
                watching.append(Acted(one, span.start, span.end, span.start, span.start))
            return one
    return None


@lru_cache(maxsize=8192)
def _of(label: str, whoever: bool) -> tuple[Lookalike, ...]:
    return tuple(one for one in lookalikes(None) if one.whoever == whoever and one.whose.has(label))


@lru_cache(maxsize=4)
def lookalikes(place: Path | None) -> tuple[Lookalike, ...]:
    """Return the look-alikes of the folder *place* (or in use), none where it has no such file.

    YamlFileError names every fault with file, line and cure.
    """
    known = (*_LOOKS, "below", "whoever", "rules")
    return rows_of(PatternFile, place, LOOKALIKES, _read, required=("of",), known=known)


def _read(file: PatternFile, node: Node, values: Mapping[str, Node]) -> Lookalike:
    reader = file.reader
    if not values.keys() & set(_LOOKS) - {"not_before", "not_behind"}:
        reader.refuse(node, say.COVERS_EVERYTHING())
    below = _score(file, values["below"]) if "below" in values else math.inf
    looks = looks_of(file, values, _LOOKS)
    whoever, rules = (reader.boolean(values.get(key)) for key in ("whoever", "rules"))
    told = file.told(node, values, *_LOOKS)
    return Lookalike(*told, whose(file, values["of"]), whoever, looks, below, rules)


def _score(file: PatternFile, node: Node) -> float:
    written = str(node.value)
    if not _SCORE.fullmatch(written):
        file.reader.refuse(node, say.BAD_SCORE(value=written))
        return 0.0
    return float(written)


def whose(file: PatternFile, node: Node) -> Whose:
    """Return of which labels a row is: what it is ``of``."""
    kinds_, labels = [], []
    for item in file.reader.sequence(node):
        written = file.reader.text(item)
        if written in _KINDS:
            kinds_.append(written)
        elif written[:1].isdigit():
            labels.append(file.label(item).ko)
        else:
            said = say.NO_KIND(written=written, meant=meant(written), kinds=", ".join(_KINDS))
            file.reader.refuse(item, said)
    return Whose(tuple(kinds_), frozenset(labels))


def looks_of(
    file: PatternFile,
    values: Mapping[str, Node],
    keys: Sequence[str],
    *,
    at_end: Sequence[str] = (),
) -> Mapping[str, re.Pattern[str]]:
    """Return the expressions that a row gives for *keys*; those *at_end* end what they stand in."""
    found: dict[str, re.Pattern[str]] = {}
    for key in (*keys, *at_end):
        regex = file.some(values[key]) if key in values else ""
        if regex:
            ends = key in _BEFORE or key in at_end
            found[key] = lazy.compile(rf"(?:{regex})\Z" if ends else regex)
    return found
