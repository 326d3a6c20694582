"""A column of judgments de-identified, cell by cell or case by case: what tables have in common."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from thunder.masking.deidentifier import Deidentifier
from thunder.masking.records import Deidentified, Document
from thunder.masking.residue import Sought, sought


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell before and after; ``entities`` and ``doubts`` are in code points of the old text.

    - ``text``: the new text.
    - ``entities``: what was masked, as ``Deidentified.entities`` has it.
    - ``doubts``: how many places a person should look at.

    Its ``repr`` shows no word of the judgment.
    """

    text: str = field(repr=False)
    entities: tuple[dict[str, Any], ...] = field(repr=False)
    doubts: int


def deidentify(
    texts: Iterable[object],
    *,
    deidentifier: Deidentifier,
    cases: Iterable[Hashable] | None = None,
    beside: Mapping[str, Sequence[object]] | None = None,
) -> list[Cell | None]:
    """Return each of *texts* de-identified, in their order; None where a cell has no text.

    *cases* names for each text the case it belongs to: the texts of one case are read together,
    and one person has one letter in all of them. Without it every text is a judgment by itself.
    *beside* are the other columns, in which nothing may stand that was masked in the same row.

    TypeError for a cell that is neither text nor missing, ValueError where *cases* are not as
    many as texts, and where something that was masked stands in a column beside: they name the
    row, counted from 0, and quote nothing.
    """
    cells = [_text(text, row) for row, text in enumerate(texts)]
    rows = [row for row, text in enumerate(cells) if text is not None]
    groups = [[row] for row in rows] if cases is None else _groups(list(cases), rows, len(cells))
    done: list[Cell | None] = [None] * len(cells)
    documents = (_document([cells[row] or "" for row in group]) for group in groups)
    for group, result in zip(groups, deidentifier.deidentify_many(documents), strict=True):
        if beside:
            _require_none_left(sought(result), group, beside)
        for row, cell in zip(group, cells_of(result), strict=True):
            done[row] = cell
    return done


def cells_of(result: Deidentified) -> Iterator[Cell]:
    """Yield the segments of *result*, each by itself."""
    changes = result.changes_of_segments()
    for number, text in enumerate(result.texts_of_segments()):
        start, end = result.segments[number]
        entities = tuple(
            {
                "start": change.span.start,
                "end": change.span.end,
                "label": change.span.label,
                "replacement": change.replacement,
                "score": round(change.span.score, 4),
                "source": change.span.source,
            }
            for change in changes[number]
        )
        doubts = sum(start <= doubt.start < end for doubt in result.doubts)
        yield Cell(text, entities, doubts)


def _document(texts: Sequence[str]) -> Document:
    if len(texts) == 1:  # as if the text had come by itself
        return Document(texts[0], segments=((0, len(texts[0])),))
    return Document.of_segments(texts)


def _text(cell: object, row: int) -> str | None:
    """Return the text of a cell, None for a missing one (None, NaN, pandas' NA and NaT)."""
    if isinstance(cell, str):
        return cell
    if cell is None or type(cell).__name__ in {"NAType", "NaTType"} or cell != cell:
        return None
    raise TypeError(f"row {row}: the cell is no text but {type(cell).__name__}")


def _groups(cases: list[Hashable], rows: Sequence[int], number: int) -> list[list[int]]:
    """Return the rows of each case, in the order in which the cases begin."""
    if len(cases) != number:
        raise ValueError(f"there are {len(cases)} names of cases for {number} texts")
    groups: dict[Hashable, list[int]] = {}
    for row in rows:
        case = cases[row]
        if case is None or case != case:
            raise ValueError(f"row {row}: the case it belongs to is missing")
        groups.setdefault(case, []).append(row)
    return list(groups.values())


def _require_none_left(
    masked: Sought, group: Iterable[int], beside: Mapping[str, Sequence[object]]
) -> None:
    for row in group if masked else ():
        texts = {name: str(cells[row]) for name, cells in beside.items() if cells[row] is not None}
        if left := masked.places(texts):
            raise ValueError(
                f"row {row}: what was masked stands in the column {', '.join(map(repr, left))} "
                "as well: take the column out, or say that it may stay (residue='stays')"
            )
