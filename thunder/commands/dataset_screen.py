"""What ``thunder dataset`` shows: a progress bar, tables, documents left out."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Column

from thunder.commands import dataset_messages as say
from thunder.commands.tables import console, new_table
from thunder.settings.messages import language

if TYPE_CHECKING:
    from thunder.training_data.datasets.building import Built
    from thunder.training_data.datasets.tables import Table

_SHOWN = 20  # documents left out


class Progressing:
    """A progress bar on standard error, for people only."""

    def __init__(self) -> None:
        self._bar = Progress(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> "Progressing":
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def notice(self, stage: str, done: int, total: int) -> None:
        """Show what a build is at."""
        said = say.STAGES[stage]() if stage in say.STAGES else stage
        self._bar.update(self._task, description=said, completed=done, total=total or None)


def show_built(folder: Path, built: "Built") -> None:
    """Show what a build made, and to standard error what it left out."""
    from thunder.training_data.datasets import figures, tables
    from thunder.training_data.datasets.messages import reason

    found = figures.of_counts(built.manifest.counts, [], built.manifest.reasons())
    for make in (tables.case_types, tables.split_shares, tables.parts, tables.left_out):
        table = make(found)
        if table.rows:
            show(table)
    _show_left_out(
        [str(one._replace(reason=reason(one.reason))) for one in built.manifest.left_out]
    )
    typer.echo(f"{folder}: {say.STATES[built.state]()}")


def _show_left_out(lines: list[str]) -> None:
    for line in lines[:_SHOWN]:
        typer.echo(line, err=True)
    if len(lines) > _SHOWN:
        more = len(lines) - _SHOWN
        typer.echo(say.MORE_LEFT_OUT(more=more), err=True)


def show(table: "Table") -> None:
    """Show a table with its title."""
    from thunder.training_data.datasets.messages import reason
    from thunder.training_data.datasets.reports import shown

    first, *others = map(_said, table.columns)
    numbers = [not isinstance(value, str) for value in table.rows[0][1:]]
    made = new_table(first, *map(_column, others, numbers))
    made.title, made.title_justify = _said(table.title), "left"
    for row in table.rows:
        made.add_row(reason(_said(shown(row[0]))), *map(shown, row[1:]))
    console().print(made)


def _said(text: str) -> str:
    return say.TABLES.get(text, text) if language() == "ko" else text


def _column(name: str, is_number: bool) -> Column:
    """Return a column; a number is never cut, its heading is folded."""
    justify: Literal["left", "right"] = "right" if is_number else "left"
    return Column(name, justify=justify, overflow="fold")
