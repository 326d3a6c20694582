"""The commands ``thunder annotation …``; ``check`` stands here."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from thunder.commands import lists_messages as say
from thunder.commands.loading import knowing
from thunder.commands.tables import console, new_table, right
from thunder.commands.taxonomy_screen import Folder, taxonomy_of
from thunder.taxonomy import Taxonomy
from thunder.training_data import annotation
from thunder.training_data.messages import CANNOT_BE_READ

_HOMES = {
    "agree": "thunder.commands.agreement:agree",
    "adjudicate": "thunder.commands.agreement:adjudicate",
    "guideline": "thunder.commands.agreement:guideline",
    "export": "thunder.commands.exchange:export",
    "import": "thunder.commands.exchange:import_",
    "labels": "thunder.commands.exchange:labels",
    "placeholders": "thunder.commands.placeholders:placeholders",
}

app = typer.Typer(cls=knowing(_HOMES), help="Annotated judgments.", no_args_is_help=True)


@app.callback()
def _annotation() -> None:
    """Annotated judgments."""


@dataclass
class _Checked:
    """What one file of annotated documents holds."""

    documents: int = 0
    spans: int = 0
    unmapped: int = 0
    labels: set[str] = field(default_factory=set)
    bad: list[tuple[str, annotation.AnnotationError]] = field(default_factory=list)
    unread: str = ""

    def lines(self) -> Iterator[str]:
        """Yield what is wrong, a line each, by document."""
        if self.unread:
            yield self.unread
        for name, error in self.bad:
            yield from (f"{name}: {problem}" for problem in error.problems)


@app.command("check")
def check_annotation(
    paths: Annotated[list[Path], typer.Argument(help=".jsonl or .txt files, or their folders.")],
    *,
    folder: Folder = None,
) -> None:
    """Check annotated documents; list the bad ones with the reasons, and exit with 1."""
    taxonomy = taxonomy_of(folder)
    files = list(_files(paths))
    checked = {path: _checked(path, taxonomy) for path in files}
    console().print(_report(checked))
    for path, result in checked.items():
        for line in result.lines():
            typer.echo(f"{path}: {line}")
    bad = sum(len(result.bad) + bool(result.unread) for result in checked.values())
    if bad:
        typer.echo(say.BAD_DOCUMENTS(number=bad))
        raise typer.Exit(1)


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        inside = sorted(p for p in path.rglob("*") if p.suffix in (".jsonl", ".txt"))
        if not (path.is_file() or inside):
            typer.echo(say.NO_ANNOTATED(place=path), err=True)
            raise typer.Exit(1)
        yield from inside or [path]


def _checked(path: Path, taxonomy: Taxonomy) -> _Checked:
    result = _Checked()
    read = annotation.read_text if path.suffix == ".txt" else annotation.read_jsonl
    try:
        for name, document in read(path, taxonomy=taxonomy):
            _note(result, name, document, taxonomy)
    except OSError as error:
        result.unread = CANNOT_BE_READ(why=error.strerror)
    return result


def _note(
    result: _Checked,
    name: str,
    document: annotation.Annotated | annotation.AnnotationError,
    taxonomy: Taxonomy,
) -> None:
    result.documents += 1
    if isinstance(document, annotation.AnnotationError):
        result.bad.append((name, document))
        return
    result.spans += len(document.spans)
    for span in document.spans:
        label = taxonomy.resolve(span.label)
        if label is None:
            result.unmapped += 1
        else:
            result.labels.add(label.ko)


def _report(checked: dict[Path, _Checked]) -> Table:
    table = new_table(say.FILE(), *right(*(name() for name in say.CHECKED)))
    for path, one in checked.items():
        counts = (one.documents, one.spans, one.unmapped, len(one.labels), len(one.bad))
        table.add_row(path.name, *map(str, counts))
    return table
