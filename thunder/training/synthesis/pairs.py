"""Minimal pairs: two short texts with one name, which stays readable in the one alone.

What tells them apart is what somebody does in the case: a judge and a victim of one name, a
police station that investigates and one where the victim works. The pairs stand in ``pairs.tsv``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from thunder.taxonomy import Taxonomy
from thunder.text.particles import agree
from thunder.text.spans import Span
from thunder.training.synthesis import tables
from thunder.training.synthesis.kept import Readable
from thunder.training_data.annotation import Annotated
from thunder.training_data.invented_judgments.grammar import PieceError, alternative
from thunder.training_data.invented_judgments.layout import Entity
from thunder.training_data.invented_judgments.writing import Writer

DOMAIN = "최소대립쌍"
_TABLE = Path(__file__).resolve().parent / "pairs.tsv"


@dataclass(frozen=True, slots=True)
class Pair:
    """A name's two texts: ``kept`` where it stays readable, ``hidden`` where its span is masked."""

    kept: str
    readable: tuple[Readable, ...]
    hidden: Annotated


@dataclass(frozen=True, slots=True)
class _Row:
    kind: tables.Kept
    label: str
    kept: str
    hidden: str


def pairs(number: int, *, seed: int, taxonomy: Taxonomy) -> Iterator[Pair]:
    """Yield *number* pairs, the rows of the table in turn, the same for a *seed* everywhere.

    ValueError names the line of the table that has an unknown kind or label, or no {x}.
    """
    rows = _rows(taxonomy)
    for at in range(number):
        row = rows[at % len(rows)]
        rng = Random(f"pair {seed} {at}")
        name = row.kind.drawn(rng)
        kept, readable = _written(row.kept, name, rng)
        hidden, marked = _written(row.hidden, name, rng)
        yield Pair(
            kept,
            tuple(Readable(*place, row.kind.name, row.kind.reason) for place in readable),
            Annotated(hidden, tuple(_core(place, row) for place in marked)),
        )


def _core(place: tuple[int, int], row: _Row) -> Span:
    """Return what is hidden of a name: the generic noun at its end stays readable."""
    start, end = place
    return Span(start, end - len(row.kind.noun), row.label)


def _written(line: str, name: str, rng: Random) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of *line* with *name*, and where it stands; particles agree."""
    writer = Writer({}, {"line": line, "x": Entity("x")}, rng)
    text, spans = writer.write("line")
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    done = at = 0
    for span in spans:
        between = text[done : span.start] if not done else agree(name, text[done : span.start])
        pieces += (between, name)
        at += len(between)
        places.append((at, at + len(name)))
        at += len(name)
        done = span.end
    pieces.append(agree(name, text[done:]))
    return "".join(pieces), places


def _rows(taxonomy: Taxonomy) -> tuple[_Row, ...]:
    found = []
    for number, line in enumerate(_TABLE.read_text("utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        place = f"{_TABLE.name}:{number}"
        cells = line.split("\t")
        if len(cells) != 4 or not all("{x}" in text for text in cells[2:]):
            raise ValueError(f"{place}: kind, label and two texts with {{x}} are wanted")
        kind, label, kept, hidden = cells
        if kind not in tables.kept() or not taxonomy.knows(label):
            raise ValueError(f"{place}: '{kind}' is in no row of kept.tsv, or '{label}' no label")
        try:
            for text in (kept, hidden):
                alternative(text, place=place)
        except PieceError as error:
            raise ValueError(str(error)) from None
        found.append(_Row(tables.kept()[kind], taxonomy.label(label).ko, kept, hidden))
    return tuple(found)
