"""The pieces that invented judgments are put together from, read from plain text files.

A file of pieces is written by lawyers, a piece a heading and its alternatives a line each::

    # a remark
    @blow                       drawn anew at each use; no alternative twice before all came
    @shop!                      drawn once, then the same in the whole document
    @victim_named>              the first line at the first use, the next at the next, the last on
    주먹으로 {victim}의 <뺨을|얼굴을> 때렸다.
    ?drunk: 술에 취하여 말을 걸었다.      only where the case has the fact `drunk` (?!drunk: not)

Within a line ``{name}`` is a fact of the case or another piece, ``{2-9}`` a number, ``{10-90/5}``
one in steps of 5, ``<a|b>`` one of several, ``<?drunk:a|b>`` a where the fact holds, else b
(nothing without one), ``\\n`` a new line, and ``§1 ``, ``§2 ``, ``§3 `` the next number of a
heading of that level (1., 가., 1) or as the document's style has it).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

ANEW, ONCE, IN_ORDER = "", "!", ">"


class PieceError(ValueError):
    """Something wrong in a file of pieces: the file, the line and what."""


class Slot(NamedTuple):
    """A place for a fact or another piece."""

    name: str


class Number(NamedTuple):
    """A place for a number, both ends included."""

    least: int
    most: int
    step: int


class Choice(NamedTuple):
    """Several ways to say it."""

    options: tuple["Sequenced", ...]


class Test(NamedTuple):
    """Two ways to say it, by a fact of the case."""

    flag: str
    wanted: bool
    yes: "Sequenced"
    no: "Sequenced"


Node = str | Slot | Number | Choice | Test
Sequenced = tuple[Node, ...]


class Alternative(NamedTuple):
    """One line of a piece; ``conditions`` are facts and whether they must hold."""

    nodes: Sequenced
    conditions: tuple[tuple[str, bool], ...]
    place: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A named piece: how it is drawn, and its alternatives."""

    name: str
    order: str
    alternatives: tuple[Alternative, ...]


_HEADING = re.compile(r"@([a-z][a-z0-9_]*)([!>]?)")
_CONDITION = re.compile(r"\?((?:!?[a-z][a-z0-9_]*&?)+): ?")
_TEST = re.compile(r"\?(!?)([a-z][a-z0-9_]*):")
_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_NUMBER = re.compile(r"\{([0-9]+)-([0-9]+)(?:/([0-9]+))?\}")
_PLAIN = re.compile(r"[^<>{}|]+")


@lru_cache(maxsize=4)
def read(folder: Path) -> Mapping[str, Piece]:
    """Return the pieces of every ``.txt`` file in *folder* by name.

    PieceError names file and line of a piece that is named twice, empty, or cannot be read.
    """
    pieces: dict[str, Piece] = {}
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        raise PieceError(f"{folder}: no file of pieces (*.txt) is here")
    for path in paths:
        for piece in _pieces(path):
            if piece.name in pieces:
                raise PieceError(f"{path.name}: the piece '{piece.name}' is there twice")
            pieces[piece.name] = piece
    return pieces


def _pieces(path: Path) -> Iterator[Piece]:
    heading: re.Match[str] | None = None
    lines: list[Alternative] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path.name}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("@"):
            yield from _piece(heading, lines, path.name)
            heading, lines = _HEADING.fullmatch(line.strip()), []
            if heading is None:
                raise PieceError(f"{place}: '{line.strip()}' is no heading such as @name or @name!")
        else:
            lines.append(alternative(line, place=place))
    yield from _piece(heading, lines, path.name)


def _piece(
    heading: re.Match[str] | None, lines: Sequence[Alternative], file: str
) -> Iterator[Piece]:
    if heading is None:
        if lines:
            raise PieceError(f"{lines[0].place}: a line before the first heading")
        return
    if not lines:
        raise PieceError(f"{file}: the piece '{heading[1]}' has no alternative")
    yield Piece(heading[1], heading[2], tuple(lines))


def alternative(line: str, *, place: str) -> Alternative:
    """Return one line of a piece, read; PieceError has the place where it cannot be."""
    guard = _CONDITION.match(line)
    conditions = guard[1].split("&") if guard else []
    text = (line[guard.end() :] if guard else line).replace("\\n", "\n")
    nodes, end = _sequence(text, 0, place, inside=False)
    if end < len(text):
        raise PieceError(f"{place}: a '{text[end]}' with no '<' before it")
    pairs = tuple((name.lstrip("!"), not name.startswith("!")) for name in conditions)
    return Alternative(nodes, pairs, place)


def _sequence(text: str, at: int, place: str, *, inside: bool) -> tuple[Sequenced, int]:
    """Return the nodes from *at* to the end or to the bracket or bar that ends them."""
    nodes: list[Node] = []
    while at < len(text) and text[at] not in ">|":
        if text[at] == "<":
            node, at = _bracket(text, at + 1, place)
            nodes.append(node)
            continue
        node, at = _leaf(text, at, place)
        nodes.append(node)
    if inside and at == len(text):
        raise PieceError(f"{place}: a '<' is never closed")
    return tuple(nodes), at


def _leaf(text: str, at: int, place: str) -> tuple[Node, int]:
    number = _NUMBER.match(text, at)
    if number:
        return Number(int(number[1]), int(number[2]), int(number[3] or 1)), number.end()
    found = _SLOT.match(text, at) or _PLAIN.match(text, at)
    if found is None:
        raise PieceError(f"{place}: no slot such as {{name}} or {{2-9}} at character {at + 1}")
    return Slot(found[1]) if text[at] == "{" else found[0], found.end()


def _bracket(text: str, at: int, place: str) -> tuple[Node, int]:
    test = _TEST.match(text, at)
    options: list[Sequenced] = []
    at = test.end() if test else at
    while True:
        nodes, at = _sequence(text, at, place, inside=True)
        options.append(nodes)
        at += 1
        if text[at - 1] == ">":
            break
    if test is None:
        return Choice(tuple(options)), at
    if len(options) > 2:
        raise PieceError(f"{place}: a '<?{test[2]}:' has more than two ways")
    return Test(test[2], not test[1], options[0], options[1] if options[1:] else ()), at
