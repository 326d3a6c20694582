"""What a mention took in at one of its edges, and is no part of it: a role, a sum's end, 의.

``taxonomy/patterns/edges.yaml`` holds it, in the language of the rules and with examples, in which
``|`` stands where the mention is cut; ``thunder patterns check`` runs these.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ruamel.yaml.nodes import Node

from thunder.names.patterns.lookalikes import SIDES, Beside, looks_of, stand_beside, whose
from thunder.names.patterns.tracing import Acted, watcher
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.pattern_file import PatternFile, rows_of
from thunder.text.spans import Span

EDGES, CUT = "edges.yaml", "|"

_BEGINS, _ENDS = "begins", "ends"
_LONGEST = 80


@dataclass(frozen=True, slots=True, eq=False)
class Edge(Beside):
    """One row: what goes from the beginning or the end, and what stands beside it then."""

    @property
    def at_beginning(self) -> bool:
        """Whether it goes from the beginning."""
        return _BEGINS in self.looks

    def cut(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Return where what stands from *start* to *end* of folded *text* starts and ends then."""
        if begins := self.looks.get(_BEGINS):
            match = begins.match(text, start, end)
            goes = match is not None and stand_beside(self.looks, text, *match.span(), last=end)
            return (match.end() if match and goes else start), end
        match = self.looks[_ENDS].search(text, max(start, end - _LONGEST), end)
        goes = match is not None and match.start() > start
        if match and goes and stand_beside(self.looks, text, *match.span(), first=start):
            return start, match.start()
        return start, end


def trimmed(text: str, span: Span, *, whoever: bool = False) -> Span | None:
    """Return *span* of folded *text* without what the rows say is no part of it.

    None where nothing is left.
    *whoever*: by those rows alone that count whoever found it.
    """
    rows = _of(span.label, whoever)
    before = -1, -1
    at = span.start, span.end
    while at != before and at[0] < at[1]:
        before = at
        for row in rows:
            left = row.cut(text, *at) if at[0] < at[1] else at
            if left != at and (watching := watcher()) is not None:
                watching.append(Acted(row, *at, *left))
            at = left
    if at == (span.start, span.end):
        return span
    return replace(span, start=at[0], end=at[1]) if at[0] < at[1] else None


@lru_cache(maxsize=8192)
def _of(label: str, whoever: bool) -> tuple[Edge, ...]:
    every = (one for one in edges(None) if one.whoever or not whoever)
    return tuple(one for one in every if one.whose.has(label))


@lru_cache(maxsize=4)
def edges(place: Path | None) -> tuple[Edge, ...]:
    """Return the rows of the folder *place* (or in use), none where it has no such file.

    YamlFileError names every fault with file, line and cure.
    """
    known = (_BEGINS, _ENDS, *SIDES, "whoever")
    return rows_of(PatternFile, place, EDGES, _read, required=("of",), known=known)


def _read(file: PatternFile, node: Node, values: Mapping[str, Node]) -> Edge:
    if (_BEGINS in values) == (_ENDS in values):
        file.reader.refuse(node, say.ONE_EDGE())
    looks = looks_of(file, values, (_BEGINS, *SIDES), at_end=(_ENDS,))
    whoever = file.reader.boolean(values.get("whoever"))
    told = file.told(node, values, _BEGINS, _ENDS, *SIDES)
    return Edge(*told, whose(file, values["of"]), whoever, looks)
