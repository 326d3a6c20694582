"""What stands around a placeholder and what it says, as data: ``taxonomy/cues/placeholder_*.yaml``.

A row has a label, words in the language of ``taxonomy/patterns``, and an example. The files are

- ``placeholder_contexts``: what stands before or behind a placeholder, and how much that says. 8
  leaves no doubt (a man's age in brackets), 4 is what only a name of that kind has, 1 leans;
- ``placeholder_scenes``: what is said to be done at a shop or firm whose kind nothing else says;
- ``placeholder_omissions``: what a court says it has left out, and what stands before that; the
  first row that fits.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.nodes import Node

from thunder.settings.resources import in_taxonomy
from thunder.settings.yamlfile import Problem, Reader, YamlFileError, line_of
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.grammar import Classes, PatternError, parsed, phrase, regex_of
from thunder.taxonomy.lexicon import classes_of
from thunder.taxonomy.tables import label_called, meant
from thunder.text import lazy
from thunder.training_data.placeholders.record import Vote

CONTEXTS, SCENES, OMISSIONS = (f"placeholder_{one}" for one in ("contexts", "scenes", "omissions"))
_NEEDED = {
    CONTEXTS: ("label", "weight", "example"),
    SCENES: ("label", "example"),
    OMISSIONS: ("example",),  # without a label: nothing that can be filled
}
_SIDES = ("before", "unless", "behind", "near", "said")
_ENDS = {"before": r"\n?\Z", "unless": r"\n?\Z"}
_MARKED = re.compile(r"\[([^\[\]]+)\]")


class Context(NamedTuple):
    """A row: the vote, and what stands on each side (``near``: on either), or is ``said``; and
    what must not stand before."""

    vote: Vote
    sides: Mapping[str, re.Pattern[str]]
    example: str
    path: Path
    line: int

    def speaks(self, left: str, right: str) -> bool:
        """Return whether it stands around a placeholder between *left* and *right*."""
        sides = self.sides
        if (behind := sides.get("behind")) and not behind.match(right):
            return False
        if (before := sides.get("before")) and not before.search(left):
            return False
        if (unless := sides.get("unless")) and unless.search(left):
            return False
        near = sides.get("near")
        return not near or near.search(left + right) is not None

    def says(self, text: str, left: str) -> bool:
        """Return whether what is said to be left out, or done, behind *left* is this."""
        before = self.sides.get("before")
        return bool(self.sides["said"].search(text) and (before is None or before.search(left)))


def said(name: str, text: str, left: str = "") -> Iterator[str]:
    """Yield the labels of the rows of *name* whose words *text* holds behind *left*, in order."""
    return (row.vote.label for row in contexts(name) if row.says(text, left))


def before(left: str) -> Iterator[Vote]:
    """Yield what the text to the *left* of a placeholder speaks for by itself."""
    return (row.vote for row in _by_sides()["before"] if row.speaks(left, ""))


@lru_cache(maxsize=1 << 10)
def behind(right: str) -> tuple[Vote, ...]:
    """Return what the text to the *right* of a placeholder speaks for by itself."""
    return tuple(row.vote for row in _by_sides()["behind"] if row.sides["behind"].match(right))


def around(left: str, right: str) -> Iterator[Vote]:
    """Yield what both sides of a placeholder speak for together."""
    return (row.vote for row in _by_sides()["around"] if row.speaks(left, right))


@lru_cache(maxsize=1)
def _by_sides() -> Mapping[str, Sequence[Context]]:
    found: dict[str, list[Context]] = {"before": [], "behind": [], "around": []}
    for row in contexts(CONTEXTS):
        sides = row.sides.keys() - {"unless"}
        found["around" if len(sides) > 1 else min(sides)].append(row)
    return found


@lru_cache(maxsize=4)
def contexts(name: str) -> tuple[Context, ...]:
    """Return the rows of ``taxonomy/cues/NAME.yaml``.

    YamlFileError names every fault with file, line and cure.
    """
    reader = Reader(in_taxonomy("cues", f"{name}.yaml"))
    top = reader.mapping(reader.root, required=("rows",), known=("phrases",))
    known: dict[str, tuple[str, ...]] = dict(classes_of(None))
    shared: Classes = dict(known)
    for given, node in reader.mapping(top.get("phrases")).items():
        if given in shared:
            reader.refuse(node, say.CLASS_ALREADY(name=given))
        try:
            shared = {**shared, given: phrase(reader.text(node), shared)}
        except PatternError as error:
            reader.refuse(node, str(error))
    rows = [_row(reader, node, shared, _NEEDED[name]) for node in reader.sequence(top.get("rows"))]
    if reader.problems:
        raise YamlFileError(reader.problems)
    return tuple(row for row in rows if row)


def _row(reader: Reader, node: Node, known: Classes, needed: tuple[str, ...]) -> Context | None:
    weighed = "weight" in needed
    sides = _SIDES[:4] if weighed else ("said", "before")
    values = reader.mapping(node, required=needed, known=("label", *sides))
    if not ({"before", "behind"} if weighed else {"said"}) & values.keys():
        reader.refuse(node, say.NEEDS_SIDE(sides=", ".join(sides)))
    label = reader.text(values.get("label"))
    name = label_called(label)
    if label and not name:
        reader.refuse(values["label"], say.NO_LABEL(written=label, meant=meant(label)))
    weight = _weight(reader, values.get("weight"))
    read: dict[str, re.Pattern[str]] = {}
    for side in sides:
        if side in values:
            try:
                regex = regex_of(parsed(f"({reader.text(values[side])})", known))
                read[side] = lazy.compile(regex + _ENDS.get(side, ""))
            except PatternError as error:
                reader.refuse(values[side], str(error))
    example = reader.text(values.get("example"))
    if weighed and example and len(_MARKED.findall(example)) != 1:
        reader.refuse(values["example"], say.MARK_PLACEHOLDER())
    return Context(Vote(name, weight), read, example, reader.path, line_of(node))


def _weight(reader: Reader, node: Node | None) -> float:
    if node is None:
        return 0.0
    value = str(node.value)
    if not re.fullmatch(r"[0-9]{1,2}(?:\.[0-9])?", value):
        reader.refuse(node, say.BAD_WEIGHT(value=value))
        return 0.0
    return float(value)


def failing() -> Iterator[Problem]:
    """Yield the rows whose example they do not fit: file, line, and what to do."""
    for name in (CONTEXTS, SCENES, OMISSIONS):
        for row in contexts(name):
            left, _, rest = row.example.partition("[")
            inside, _, right = rest.partition("]")
            if "said" in row.sides:
                holds = row.says(inside or left, left)
            else:
                holds = row.speaks(left, right)
            if not holds:
                said = say.ROW_UNLIKE_EXAMPLE(label=row.vote.label)
                yield Problem(row.path, row.line, said)
