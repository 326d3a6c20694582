"""Tables on the screen. Loading rich takes longer than most commands: imported where it is used."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table


def console() -> Console:
    """Return a console that shows names as they are."""
    return Console(highlight=False, markup=False)


def new_table(first: str, *others: str | Column) -> Table:
    """Return an empty table with these columns."""
    # Folded, not cut short: rich cuts Hangul where a line is full.
    columns = [Column(name, overflow="fold") if isinstance(name, str) else name for name in others]
    lead = Column(first, overflow="fold")
    return Table(lead, *columns, box=SIMPLE_HEAD, pad_edge=False)


def right(*names: str) -> list[Column]:
    """Return columns for numbers."""
    return [Column(name, justify="right") for name in names]
