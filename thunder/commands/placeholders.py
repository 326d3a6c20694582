"""The command ``thunder annotation placeholders``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunder.commands import lists_messages as say
from thunder.settings import resources

if TYPE_CHECKING:
    from thunder.training_data.placeholders.documents import Terms


def placeholders(
    files: Annotated[
        list[Path], typer.Argument(help="Whole judgments, JSONL of id, kind and text; also .xz.")
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="The annotated JSONL to write.")],
    report: Annotated[
        Path | None,
        typer.Option(help="Counts of what was kept, and what was left out and why, as JSON."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes at work.")] = 1,
    least: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How sure every label of a judgment must be.")
    ] = 0.5,
    companies: Annotated[
        bool,
        typer.Option("--companies", help="Mark company names the court left, and keep these."),
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the files if they exist.")
    ] = False,
    taxonomy: Annotated[
        Path | None,
        typer.Option(help="A taxonomy of your own, laid over the shipped one."),
    ] = None,
) -> None:
    """Annotate the placeholders of whole judgments that courts have masked.

    원고 1, 소외 2 주식회사, ○○병원, A, (주소 생략) become <<<label>>>…<<</label>>>. A judgment with
    a person's or company's name left in it, or a label in doubt, is left out and counted.
    """
    from thunder.training_data.placeholders.documents import Terms

    try:
        resources.choose_taxonomy(taxonomy)
    except (OSError, ValueError) as error:
        _refuse(str(error))
    _require_free([output, *([report] if report else [])], files, force=force)
    terms = Terms(least, companies, resources.own_taxonomy())
    try:
        counts = _write(files, output, terms, workers=workers, limit=limit, force=force)
        if report is not None:
            _write_report(report, counts, force=force)
    except ValueError as error:
        _refuse(str(error))
    except OSError as error:
        from thunder.bulk.outputs import why

        _refuse(f"{error.filename or output}: {', '.join(why(error))}")
    _show(counts, output)


def _write(
    files: list[Path], output: Path, terms: "Terms", *, workers: int, limit: int | None, force: bool
) -> dict[str, Any]:
    from itertools import islice

    from thunder.bulk.outputs import aside
    from thunder.training_data.placeholders.documents import read, run
    from thunder.training_data.placeholders.report import Report

    counts = Report()
    with aside(output, replace=force) as stream:
        for outcome in run(islice(read(files), limit), terms, workers=workers):
            counts.add(outcome)
            if outcome.row is not None:
                stream.write(f"{json.dumps(outcome.row, ensure_ascii=False)}\n".encode())
    return counts.as_json()


def _write_report(path: Path, counts: dict[str, Any], *, force: bool) -> None:
    from thunder.bulk.outputs import aside

    with aside(path, replace=force) as stream:
        stream.write(f"{json.dumps(counts, ensure_ascii=False, indent=2)}\n".encode())


def _require_free(targets: list[Path], files: list[Path], *, force: bool) -> None:
    for file in files:
        if not file.is_file():
            _refuse(say.NO_FILE(place=file))
    if len({target.resolve() for target in targets}) < len(targets):
        _refuse(say.SAME_NAMES())
    for target in targets:
        if any(target.exists() and target.samefile(file) for file in files):
            _refuse(say.IS_INPUT(place=target))
        if target.is_dir():
            _refuse(say.IS_FOLDER(place=target))
        if target.exists() and not force:
            _refuse(say.EXISTS(place=target))


def _show(counts: dict[str, Any], output: Path) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Column, Table

    if counts["reasons"]:
        right = [Column(name, justify="right") for name in (say.JUDGMENTS(), say.FOR_THIS_ALONE())]
        table = Table(say.LEFT_OUT_FOR(), *right, box=SIMPLE_HEAD, pad_edge=False)
        for reason, count in counts["reasons"].items():
            said = say.REASONS[reason]() if reason in say.REASONS else reason
            table.add_row(said, f"{count:,}", f"{counts['reasons_alone'].get(reason, 0):,}")
        Console(highlight=False, markup=False).print(table)
    typer.echo(
        say.PLACEHOLDERS(
            place=output, read=counts["read"], kept=counts["kept"], spans=counts["spans"]
        )
    )


def _refuse(message: str) -> None:
    typer.echo(message, err=True)
    typer.echo(say.UNCHANGED(), err=True)
    raise typer.Exit(1)
