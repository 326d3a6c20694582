"""The commands ``thunder data …``: public data, fetched or given, in this project's formats."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress

from thunder.commands import data_messages as say
from thunder.commands.tables import console, new_table
from thunder.settings import user
from thunder.training_data.released import getting
from thunder.training_data.released.archives import GetError
from thunder.training_data.released.sources import SOURCES
from thunder.training_data.released.sources import source as source_of

app = typer.Typer(
    help="Public data: list it, get it (or convert what you have), with its licence.",
    no_args_is_help=True,
)

_SHOWN = 10  # documents left out
_Root = Annotated[Path, typer.Option("--root", help="The folder that holds a folder a source.")]


@app.command("list")
def list_(*, root: _Root = Path("data")) -> None:
    """Show the sources, their licences, and which of them are in the folder, checked by hash.

    Then where each kind of data lies, by name: thunder.toml, [data], says otherwise.
    """
    table = new_table("source", "what", "licence", "gives", f"in {root}")
    for source in SOURCES:
        table.add_row(
            source.name,
            source.about,
            source.licence,
            "\n".join(source.gives),
            _state(root, source.name),
        )
    console().print(table)
    found = user.read().settings.data
    places = new_table("name", "place", "")
    for name in found.names():
        place = replace(found, root=root).path(name)
        places.add_row(f"data:{name}", str(place), "" if place.exists() else say.NOTHING())
    console().print(places)
    typer.echo(say.HOW_TO_GET())


@app.command()
def path(
    name: Annotated[str, typer.Argument(metavar="NAME", help="See 'thunder data list'.")],
    *,
    files: Annotated[
        bool, typer.Option("--files", help="The files of text in it, one a line.")
    ] = False,
    root: _Root = Path("data"),
) -> None:
    """Print where data of this name lie by the settings, for scripts; nothing there is an error."""
    from thunder.training_data.corpus.reading import files_in

    try:
        place = replace(user.read().settings.data, root=root).found(name)
        found = files_in(place) if files else [place]
        if not found:
            raise ValueError(say.NO_FILES(place=place))
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    for one in found:
        typer.echo(one)


def _state(root: Path, name: str) -> str:
    if not (root / name).exists():
        return "-"
    try:
        bad = getting.damaged(root / name)
    except GetError:
        return "source.json 없음"
    return f"바뀐 파일: {', '.join(bad)}" if bad else "있음"


@app.command()
def get(
    name: Annotated[str, typer.Argument(metavar="SOURCE", help="See 'thunder data list'.")],
    *,
    given: Annotated[
        Path | None,
        typer.Option("--from", help="The release as a folder or archive: no network is used."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="The folder to make [default: ROOT/SOURCE].")
    ] = None,
    root: _Root = Path("data"),
    sha256: Annotated[str, typer.Option(help="The SHA-256 that the release must have.")] = "",
    accept: Annotated[
        bool, typer.Option("--accept-licence", help="You have read the licence and accept it.")
    ] = False,
    taxonomy: Annotated[Path | None, typer.Option(help="A taxonomy folder of your own.")] = None,
) -> None:
    """Fetch a source over HTTPS, or read it from --from, and convert it; say what is left out.

    The licence is shown, and nothing is fetched before --accept-licence accepts it.
    """
    from thunder import taxonomy as taxonomies

    try:
        source = source_of(name)
        typer.echo(f"{source.name}: {source.licence}\n{source.terms}\n{source.licence_url}")
        if not accept:
            typer.echo(
                "이용 조건을 읽고 받아들이면 --accept-licence를 붙여 다시 실행하십시오.", err=True
            )
            raise typer.Exit(1)
        bar = Progress(BarColumn(), DownloadColumn(), console=Console(stderr=True), transient=True)
        with bar:
            task = bar.add_task("", total=None)
            got = getting.get(
                source,
                output or root / source.name,
                taxonomies.load(taxonomy),
                given=given,
                sha256=sha256,
                progress=lambda done, total: bar.update(task, completed=done, total=total or None),
            )
    except (GetError, LookupError, taxonomies.TaxonomyError) as error:
        typer.echo(str(error.args[0] if error.args else error), err=True)
        raise typer.Exit(1) from None
    for file, rows in got.rows.items():
        typer.echo(f"{got.folder / file}: {rows:,}건")
    typer.echo(f"sha256 {got.sha256}")
    if got.left_out:
        typer.echo(f"뺀 것 {len(got.left_out):,}건: {got.folder / 'left-out.tsv'}")
        for what, reason in got.left_out[:_SHOWN]:
            typer.echo(f"  {what}: {reason}")


@app.command()
def convert(
    place: Annotated[Path, typer.Argument(help="A folder, .tar or .zip as AI-Hub gives it.")],
    *,
    text: Annotated[
        str, typer.Option(help="The field of the text (info.text); without it they are listed.")
    ] = "",
    name: Annotated[str, typer.Option("--id", help="The field of the id; else the file.")] = "",
    each: Annotated[
        str, typer.Option(help="The field of a list whose entries are documents each.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The JSONL file to write.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
) -> None:
    """Convert JSON in ZIP files (AI-Hub, 모두의 말뭉치) into JSONL of id and text.

    Nothing is unpacked to the disk; ZIPs cut into .part files are read as one. Without --text the
    fields that hold texts are listed, the longest first.
    """
    from thunder.bulk.outputs import aside
    from thunder.training_data.released import aihub

    try:
        if not text or output is None:
            _list_fields(aihub.fields(place))
            return
        found = empty = 0
        with aside(output, replace=force) as stream:
            for row in aihub.rows(place, text=text, name=name, each=each):
                if row.text:
                    line = json.dumps({"id": row.id, "text": row.text}, ensure_ascii=False)
                    stream.write(f"{line}\n".encode())
                found, empty = found + bool(row.text), empty + (not row.text)
            if not found:
                raise GetError(say.NO_TEXT(place=place, field=text))
    except FileExistsError:
        typer.echo(say.EXISTS(place=output), err=True)
        raise typer.Exit(1) from None
    except GetError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    typer.echo(say.CONVERTED(place=output, number=found))
    if empty:
        typer.echo(say.WITHOUT_TEXT(number=empty, field=text))


def _list_fields(found: list[tuple[str, int, int]]) -> None:
    table = new_table("field", "texts", "characters (mean)")
    for path, number, length in found:
        table.add_row(path, f"{number:,}", f"{length:,}")
    console().print(table)
    typer.echo(say.WHICH_FIELD())
