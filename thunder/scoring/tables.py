"""Tables of figures: what they hold, and how they are written as Markdown and as CSV."""

import csv
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from thunder.scoring.bootstrap import Interval
from thunder.scoring.figures import Spread

Cell = str | int | float | Spread | Interval | None
"""None stands where a figure is not defined, such as the precision of a label never said."""


class Table(NamedTuple):
    """A table to show or to save: *name* for its file, *note* says what the figures mean.

    ``is_long`` tables go to CSV whole, and to Markdown with their first rows.
    """

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_long: bool = False


LONGEST = 60
"""Rows that a long table has in Markdown."""


def shown(cell: Cell) -> str:
    """Return a cell as people read it: four decimals, mean ± deviation, low – high."""
    match cell:
        case None:
            return "–"
        case Spread(mean, None):
            return f"{mean:.4f}"
        case Spread(mean, deviation):
            return f"{mean:.4f} ± {deviation:.4f}"
        case Interval(low, high):
            return f"{low:.4f} … {high:.4f}"
        case float():
            return f"{cell:.4f}"
        case int():
            return f"{cell:,}"
        case _:
            return cell


def markdown(tables: Sequence[Table], *, title: str, pictures: Sequence[str] = ()) -> str:
    """Return a report of *tables*, each with what its figures mean, *pictures* at the end."""
    parts = [f"# {title}", *map(section, tables), *(f"![{name}]({name})" for name in pictures)]
    return "\n\n".join(parts) + "\n"


def section(table: Table) -> str:
    """Return a table as Markdown under its title and its note."""
    rows = table.rows[:LONGEST] if table.is_long else table.rows
    texts = [all(isinstance(row[at], str) for row in rows) for at in range(len(table.columns))]
    lines = [
        _line(table.columns),
        _line(["---" if is_text else "---:" for is_text in texts]),
        *(_line([shown(cell) for cell in row]) for row in rows),
    ]
    more = len(table.rows) - len(rows)
    left = f"\n\n… and {more:,} more rows (--csv has all)" if more else ""
    return f"## {table.title}\n\n{table.note}\n\n" + "\n".join(lines) + left


def _line(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def save_csv(folder: Path, tables: Sequence[Table]) -> list[Path]:
    """Return the files written: one a table, UTF-8 with a mark, as spreadsheets need."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{table.name}.csv" for table in tables]
    for table, path in zip(tables, paths, strict=True):
        path.write_text(csv_of(table), encoding="utf-8-sig", newline="")
    return paths


def csv_of(table: Table) -> str:
    """Return a table as CSV with all digits; a deviation and a bound have columns of their own."""
    columns = [[row[at] for row in table.rows] for at in range(len(table.columns))]
    more = list(map(_more, columns))
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")  # RFC 4180
    writer.writerow(
        [name for pair in zip(table.columns, more, strict=True) for name in _headed(*pair)]
    )
    for row in table.rows:
        pairs = zip(row, more, strict=True)
        writer.writerow([value for cell, names in pairs for value in _values(cell, len(names))])
    return text.getvalue()


def _more(column: Sequence[Cell]) -> tuple[str, ...]:
    """Return what the CSV columns of a column are called beside its name."""
    if any(isinstance(cell, Interval) for cell in column):
        return (" low", " high")
    deviates = any(isinstance(cell, Spread) and cell.deviation is not None for cell in column)
    return ("", " sd") if deviates else ("",)


def _headed(name: str, more: tuple[str, ...]) -> list[str]:
    return [f"{name}{one}" for one in more]


def _values(cell: Cell, number: int) -> list[object]:
    found: list[object] = list(cell) if isinstance(cell, Spread | Interval) else [cell]
    padded = [*found, *[None] * number][:number]
    return ["" if value is None else value for value in padded]
