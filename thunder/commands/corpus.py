"""The commands ``thunder corpus …``: what a corpus holds, whether it is whole, its rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table

if TYPE_CHECKING:
    from thunder.training_data.corpus import Manifest

app = typer.Typer(help="Corpora prepared for pre-training.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The folder of a prepared corpus.")]


@app.command()
def show(folder: Folder) -> None:
    """Show what a corpus holds by source and language, and what was left out, and why."""
    from thunder.training_data.corpus import manifest

    with _problems_shown():
        found = manifest.read(folder)
    print_manifest(found)


def print_manifest(found: "Manifest") -> None:
    """Print what a corpus holds by source and language, and what was left out, and why."""
    Console().print(_sources(found))
    for name, counts in found.sources.items():
        if counts.dropped:
            reasons = (f"{reason} {number:,}" for reason, number in counts.dropped.items())
            typer.echo(f"left out of {name}: {', '.join(reasons)}")
    for language, parts in found.languages.items():
        tokens = (f"{part} {counts['tokens']:,}" for part, counts in parts.items())
        typer.echo(f"tokens in {language}: {', '.join(tokens)}")
    typer.echo(f"digest: {found.digest}")


def _sources(found: "Manifest") -> Table:
    numbers = ("documents", "MB", "M tokens", "held out")
    table = Table("source", "language", *(Column(name, justify="right") for name in numbers))
    table.box = SIMPLE_HEAD
    for name, counts in found.sources.items():
        train, held_out = counts.parts["train"], counts.parts["held-out"]
        table.add_row(
            name,
            counts.language,
            f"{train['documents']:,}",
            f"{train['bytes'] / 1e6:,.1f}",
            f"{train['tokens'] / 1e6:,.1f}",
            f"{held_out['documents']:,}",
        )
    return table


@app.command()
def verify(folder: Folder) -> None:
    """Read every file of a corpus; name what is not as it was written, and exit with 1."""
    from thunder.training_data.corpus import verify as verified

    with _problems_shown():
        found = verified(folder)
    typer.echo(f"{folder}: {len(found.shards):,} shards are as they were written")


@app.command()
def rows(
    folder: Folder,
    *,
    length: Annotated[int, typer.Option(help="Tokens of a row.")] = 512,
    first: Annotated[int, typer.Option(help="The number of the first sample.")] = 0,
    number: Annotated[int, typer.Option(help="How many samples.")] = 3,
    part: Annotated[str, typer.Option(help="train or held-out.")] = "train",
    seed: Annotated[int, typer.Option(help="Of the order of samples.")] = 1,
    tokenizer: Annotated[Path | None, typer.Option(help="The tokenizer's folder [32k].")] = None,
) -> None:
    """Show samples as text, to be read before days of training: white space is not exact."""
    from thunder import tokenization
    from thunder.settings import resources
    from thunder.training_data.corpus import PackedRows

    with _problems_shown():
        found = PackedRows.open(folder, length=length, seed=seed, part=part)
        place = tokenizer or resources.folder("tokenizer") / "32k"
        found.require_tokenizer(place)
        reader = tokenization.load(place)
    typer.echo(f"{len(found):,} rows of {length}, {found.padding:.2%} padding")
    for sample in range(first, first + number):
        row = found[sample]
        typer.echo(f"\n--- {sample}: {row.source}, {int(row.documents.max())} documents")
        typer.echo(reader.decode(row.ids[row.documents > 0]))


@contextmanager
def _problems_shown() -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, LookupError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
