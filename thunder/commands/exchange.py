"""The commands ``thunder annotation export``, ``import`` and ``labels``."""

import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from thunder.bulk.outputs import aside, why
from thunder.commands import lists_messages as say
from thunder.taxonomy import Taxonomy, TaxonomyError
from thunder.taxonomy import load as load_taxonomy
from thunder.training_data import annotation, exchange
from thunder.training_data.exchange import Imported, Problem, Tool, Unit

Folder = Annotated[
    Path | None,
    typer.Option(
        "--taxonomy", "--folder", help="A taxonomy folder of your own instead of the shipped one."
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", help="Only this label, by name; give it once for each."),
]
Out = Annotated[Path, typer.Argument(help="A folder that is not there yet, or empty.")]


def export(
    file: Annotated[Path, typer.Argument(help="Annotated documents, JSONL of id and text.")],
    out: Out,
    *,
    to: Annotated[Tool, typer.Option("--to", help="The tool that is to read them.")],
    only: Only = None,
    folder: Folder = None,
) -> None:
    """Write annotated documents, and the label set, as a tool for annotators imports them.

    Label Studio gets the labels as a tree; its own export as CoNLL 2003 leaves a tree's labels
    out: take them back as JSON, or name the labels with --only, which makes buttons of them.
    """
    taxonomy = _taxonomy(folder)
    documents, bad = _annotated(file)
    with _aside_folder(out) as place, _lookups_shown():
        problems = exchange.export(
            documents, place, tool=to, taxonomy=taxonomy, only=tuple(only or ())
        )
    held = len({problem.document for problem in problems}) + len(bad)
    _show([*bad, *map(str, problems)])
    typer.echo(say.EXPORTED(place=out, number=len(documents) + len(bad) - held))
    _end(held, say.NOT_EXPORTED(number=held))


def import_(
    exported: Annotated[Path, typer.Argument(help="What the tool exported: a file or folder.")],
    out: Annotated[Path, typer.Argument(help="The JSONL file to write.")],
    *,
    source: Annotated[Tool, typer.Option("--from", help="The tool that exported it.")],
    unit: Annotated[
        Unit | None,
        typer.Option("--unit", help="What the tool's offsets count, instead of finding it out."),
    ] = None,
    originals: Annotated[
        Path | None,
        typer.Option(
            "--originals",
            help="JSONL that was exported: its text is kept exactly, and its other columns.",
        ),
    ] = None,
    keep_rest: Annotated[
        bool,
        typer.Option("--keep-rest", help="Write a document without its annotations in doubt."),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file if it is there.")
    ] = False,
    folder: Folder = None,
) -> None:
    """Read a tool's annotations back; list what does not fit its text, and exit with 1.

    Offsets are anchored on the surface text, whatever the tool counts. A document with an
    annotation that does not fit, or that overlaps another, is held back.
    """
    taxonomy = _taxonomy(folder)
    if not exported.exists():
        _refuse(say.NO_SUCH(place=exported))
    if out.is_dir() or (out.exists() and out.samefile(exported)):
        _refuse(say.FOLDER_OR_INPUT(place=out))
    if out.exists() and not force:
        _refuse(say.EXISTS(place=out))
    texts = _originals(originals) if originals else None
    try:
        documents = list(
            exchange.read(exported, tool=source, taxonomy=taxonomy, unit=unit, originals=texts)
        )
        written = [one for one in documents if one.annotated and (keep_rest or not one.problems)]
        with aside(out, replace=force) as stream:
            columns = _columns(originals) if originals else {}
            stream.writelines(_row(one, columns.get(one.id, {})) for one in written)
    except OSError as error:
        _refuse(f"{error.filename or out}: {', '.join(why(error))}")
    if source is Tool.CONLL and not any(one.annotated and one.annotated.spans for one in written):
        typer.echo(say.EMPTY_CONLL(), err=True)
    _report(documents, written, out)


def labels(
    out: Out,
    *,
    tool: Annotated[Tool, typer.Option("--for", help="The tool that is to read it.")],
    only: Only = None,
    folder: Folder = None,
) -> None:
    """Write the label set of the taxonomy as a tool for annotators imports it."""
    taxonomy = _taxonomy(folder)
    with _aside_folder(out) as place, _lookups_shown():
        exchange.write_labels(place, tool=tool, taxonomy=taxonomy, only=tuple(only or ()))
    number = len(set(only)) if only else len(taxonomy)
    typer.echo(say.LABELS_WRITTEN(place=out, number=number))


def _annotated(file: Path) -> tuple[list[tuple[str, annotation.Annotated]], list[str]]:
    """Return the documents of *file*, and what is wrong with each that cannot be read."""
    documents: list[tuple[str, annotation.Annotated]] = []
    bad: list[str] = []
    try:
        for name, document in annotation.read_jsonl(file):
            if isinstance(document, annotation.Annotated):
                documents.append((name, document))
            else:
                bad.append("\n".join(f"{name}: {problem}" for problem in document.problems))
    except OSError as error:
        _refuse(say.CANNOT_BE_READ(place=file, why=error.strerror))
    return documents, bad


def _originals(file: Path) -> dict[str, str]:
    documents, _ = _annotated(file)
    return {name: annotated.text for name, annotated in documents}


def _columns(file: Path) -> dict[str, dict[str, object]]:
    """Return every column of the documents of *file*, by their ids; what cannot be read is out."""
    found: dict[str, dict[str, object]] = {}
    for line in file.read_bytes().splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and isinstance(row.get("id"), str):
            found.setdefault(row["id"], row)
    return found


def _row(imported: Imported, columns: dict[str, object]) -> bytes:
    """Return a line of the document: the *columns* of its original, where given, and its marks."""
    marked = annotation.serialise(imported.annotated or "")
    row = json.dumps({**columns, "id": imported.id, "text": marked}, ensure_ascii=False)
    return f"{row}\n".encode()


def _report(documents: Sequence[Imported], written: Sequence[Imported], out: Path) -> None:
    _show(note for one in documents for note in one.notes)
    _show(str(problem) for one in documents for problem in (*one.problems, *one.unknown))
    spans = sum(len(one.annotated.spans) for one in written if one.annotated)
    typer.echo(say.IMPORTED(place=out, documents=len(written), spans=spans))
    bad = sum(bool(one.problems or one.unknown) for one in documents)
    held = len(documents) - len(written)
    _end(bad, say.TO_LOOK_AT(number=bad, held=held))


def _show(lines: Iterable[str] | Iterable[Problem]) -> None:
    for line in lines:
        typer.echo(str(line))


def _end(bad: int, message: str) -> None:
    if bad:
        typer.echo(message)
        raise typer.Exit(1)


def _refuse(message: str) -> None:
    typer.echo(message, err=True)
    typer.echo(say.UNCHANGED(), err=True)
    raise typer.Exit(1)


def _taxonomy(folder: Path | None) -> Taxonomy:
    try:
        return load_taxonomy(folder)
    except TaxonomyError as error:
        typer.echo(str(error))
        raise typer.Exit(1) from None


@contextmanager
def _lookups_shown() -> Iterator[None]:
    try:
        yield
    except LookupError as error:
        typer.echo(str(error.args[0]), err=True)
        raise typer.Exit(1) from None


@contextmanager
def _aside_folder(out: Path) -> Iterator[Path]:
    """Yield a folder that becomes *out* when the block ends well, and vanishes otherwise."""
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        _refuse(say.EXISTS_FOLDER(place=out))
    partial = out.with_name(f".thunder-{os.getpid()}-{secrets.token_hex(4)}.partial")
    try:
        partial.mkdir(parents=True)
        yield partial
        os.replace(partial, out)
    except OSError as error:
        _refuse(f"{out}: {', '.join(why(error))}")
    finally:
        shutil.rmtree(partial, ignore_errors=True)
