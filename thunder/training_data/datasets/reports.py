"""Tables as files to keep: one Markdown report, and a CSV file for each table."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from thunder.training_data.datasets.shards import replace_synced
from thunder.training_data.datasets.tables import Table


def markdown(tables: Iterable[Table], *, title: str, pictures: Sequence[str] = ()) -> str:
    """Return a report of *tables*, numbers to the right, with *pictures* (file names) below."""
    parts = [f"# {title}", *map(_markdown, tables), *(f"![{name}]({name})" for name in pictures)]
    return "\n\n".join(parts) + "\n"


def save(folder: Path, tables: Sequence[Table], *, title: str, pictures: Sequence[str]) -> None:
    """Return once ``report.md`` and one CSV file a table stand in *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = [table for table in tables if table.name != "labels"]  # some 400 rows: CSV only
    text = markdown(shown, title=title, pictures=pictures)
    replace_synced(folder / "report.md", text.encode())
    for table in tables:
        replace_synced(folder / f"{table.name}.csv", _csv(table).encode("utf-8-sig"))


def shown(value: str | int | float) -> str:
    """Return a value as people read it: thousands apart, two decimals."""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def _markdown(table: Table) -> str:
    numbers = [not isinstance(value, str) for value in table.rows[0]]
    lines = [
        _line(table.columns),
        _line(["---:" if number else "---" for number in numbers]),
        *(_line([shown(value).replace("|", "\\|") for value in row]) for row in table.rows),
    ]
    return "\n".join([f"## {table.title}", "", *lines])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _csv(table: Table) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")  # RFC 4180, as spreadsheets expect it
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return text.getvalue()
