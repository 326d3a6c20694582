"""What a run shows on standard error: progress, a line per failure, and the summary."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

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
        """Show which tagger is asked, and what its thresholds reached on development documents."""
        if not self._is_quiet:
            outcome = chosen.load().thresholds.outcome
            self._console.print(f"모델 {chosen.name}: {promise(outcome)}")

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
            TextColumn("문서 {task.fields[done]:,}건"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._console, transient=True) as bar:
            task = bar.add_task("", total=total or None, done=0)
            yield lambda size, done: bar.update(task, advance=size, done=done)

    def summary(self, tally: "Tally", *, order: list[str]) -> None:
        """Show the totals; masked spans by subcategory, in the taxonomy's *order*."""
        if self._is_quiet:
            return
        self._console.print(_table(tally, order))
        self._console.print(sentence(tally))


def sentence(tally: "Tally") -> str:
    """Return the outcome in one sentence."""
    said = f"판결서 {tally.documents:,}건 중 {tally.done:,}건을 비실명 처리했습니다."
    if tally.failed:
        said += f" {tally.failed:,}건은 처리하지 못해 결과에 넣지 않았습니다."
    if tally.doubts:
        said += f" 살펴볼 곳이 {tally.doubts:,}곳 있습니다."
    return said


def promise(outcome: "Outcome | None") -> str:
    """Return in Korean what thresholds gave on the development documents they were set on."""
    if outcome is None:
        return "기준값을 무엇에 맞추었는지 적혀 있지 않습니다."
    said = (
        f"재현율 {outcome.recall:g}에 맞춘 기준값입니다. 개발용 문서에서 가릴 곳의 "
        f"{outcome.whole:.1%}를 온전히 가렸고, "
        f"가린 글자의 {outcome.precision:.1%}가 가릴 글자였습니다."
    )
    if outcome.falls_short:
        said += " 이 모델로는 맞춘 재현율에 못 미칩니다."
    return f"{said} 못 찾은 곳이 남을 수 있습니다."


def _table(tally: "Tally", order: list[str]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    rows = [("문서", tally.documents), ("읽은 글자", tally.characters)]
    rows.append(("가린 곳", tally.masked.total()))
    rows += [(f"  {name}", tally.masked[name]) for name in order if tally.masked[name]]
    rows += [("남긴 곳", tally.kept), ("살펴볼 곳", tally.doubts), ("실패한 문서", tally.failed)]
    for name, number in rows:
        table.add_row(name, f"{number:,}")
    return table
