"""What a run shows on standard error: progress, a line per failure, and the summary."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from thunder.commands import deid_messages as say
from thunder.settings.licences import is_non_commercial
from thunder.tagger.chosen_tagger import FREE

if TYPE_CHECKING:
    from thunder.bulk.notices import Notice
    from thunder.bulk.publication import Tally
    from thunder.documents.records import Failure
    from thunder.tagger.chosen_tagger import Chosen
    from thunder.tagger.thresholds import Outcome


class Screen:
    """Standard error, as a person reads it. A quiet one shows only what somebody must act on."""

    def __init__(self, *, is_quiet: bool, shows_progress: bool) -> None:
        self._console = Console(stderr=True, markup=False, highlight=False, soft_wrap=True)
        self._is_quiet = is_quiet
        self._shows_progress = shows_progress and not is_quiet and self._console.is_terminal

    def report(self, message: "Failure | Notice") -> None:
        """Show a failure or a notice on a line of its own, whatever its file's name holds."""
        line = "".join(char if char.isprintable() else "?" for char in str(message))
        self._console.print(line)

    def tagger(self, chosen: "Chosen") -> None:
        """Show which tagger is asked, what its thresholds reached, and a licence that binds."""
        if self._is_quiet:
            return
        tagger = chosen.load()
        self._console.print(
            say.MODEL_IS(name=chosen.name, promise=promise(tagger.thresholds.outcome))
        )
        licence = str(tagger.manifest.about.get("licence") or "")
        if is_non_commercial(licence):
            self._console.print(say.NON_COMMERCIAL(licence=licence, free=FREE))
        if names := getattr(tagger, "unlearnt", ()):
            shown = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
            self._console.print(say.UNLEARNT(number=len(names), names=shown))

    def said(self, message: str) -> None:
        """Show how it stands, unless nothing but what must be acted on is asked for."""
        if not self._is_quiet:
            self._console.print(message)

    def error(self, message: str) -> None:
        """Show what ended the run."""
        self._console.print(message)

    @contextmanager
    def progress(self, total: int) -> Iterator[Callable[[int, int], None]]:
        """Yield a function of (bytes read since, documents done); *total* is in bytes."""
        if not self._shows_progress:
            yield lambda size, done: None
            return
        columns = (
            SpinnerColumn(),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[counted]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._console, transient=True) as bar:
            task = bar.add_task("", total=total or None, counted=say.DOCUMENTS_SO_FAR(done=0))
            yield lambda size, done: bar.update(
                task, advance=size, counted=say.DOCUMENTS_SO_FAR(done=done)
            )

    def summary(self, tally: "Tally", *, order: Mapping[str, str]) -> None:
        """Show the totals; masked spans by subcategory, in the taxonomy's *order*.

        It has what each subcategory is called on the screen by its Korean name.
        """
        if self._is_quiet:
            return
        self._console.print(_table(tally, order))
        self._console.print(sentence(tally))


def sentence(tally: "Tally") -> str:
    """Return the outcome in one sentence."""
    said = say.DONE(documents=tally.documents, done=tally.done)
    if tally.failed:
        said += say.FAILED(failed=tally.failed)
    if tally.doubts:
        said += say.DOUBTS(doubts=tally.doubts)
    return said


def promise(outcome: "Outcome | None") -> str:
    """Return what thresholds gave on the development documents they were set on."""
    if outcome is None:
        return say.NO_PROMISE()
    facts = {"recall": outcome.recall, "whole": outcome.whole, "precision": outcome.precision}
    short = say.FALLS_SHORT() if outcome.falls_short else ""
    return f"{say.PROMISE(**facts)}{short}{say.MAY_MISS()}"


def _table(tally: "Tally", order: Mapping[str, str]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    rows = [(say.ROW_DOCUMENTS(), tally.documents), (say.ROW_CHARACTERS(), tally.characters)]
    rows.append((say.ROW_MASKED(), tally.masked.total()))
    rows += [(f"  {shown}", tally.masked[ko]) for ko, shown in order.items() if tally.masked[ko]]
    rows += [
        (say.ROW_KEPT(), tally.kept),
        (say.ROW_DOUBTS(), tally.doubts),
        (say.ROW_FAILED(), tally.failed),
    ]
    for name, number in rows:
        table.add_row(name, f"{number:,}")
    return table
