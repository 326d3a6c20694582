"""The command ``thunder lists import``: mention lists from elsewhere as lists of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from thunder.settings.yamlfile import YamlFileError
from thunder.training_data import messages as say
from thunder.training_data.lists.importing import import_lists

_SHOWN = 20  # names of no label


def import_(
    file: Annotated[Path, typer.Argument(help="JSONL of 'label' and 'mentions'.")],
    folder: Annotated[Path, typer.Argument(help="The folder of lists to make.")],
    *,
    source: Annotated[str, typer.Option(help="Where the mentions come from, for the headers.")],
    licence: Annotated[str, typer.Option(help="Their licence, for the headers.")],
    base: Annotated[
        Path | None, typer.Option("--folder", help="Lists to start from instead of the shipped.")
    ] = None,
    taxonomy: Annotated[Path | None, typer.Option(help="A taxonomy folder of your own.")] = None,
) -> None:
    """Copy the lists and put FILE's mentions in place of those of its labels.

    FOLDER is then a --lists for 'thunder dataset build'; 'thunder lists check FOLDER' says where
    its lists are short or share mentions.
    """
    try:
        made = import_lists(
            file, folder, source=source, licence=licence, base=base, taxonomy=taxonomy
        )
    except (ValueError, LookupError, OSError, YamlFileError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    total = sum(made.mentions.values())
    typer.echo(say.IMPORTED(folder=folder, labels=len(made.mentions), mentions=total))
    for reason, count in sorted(made.left_out.items()):
        typer.echo(say.MENTIONS_LEFT_OUT(number=count, reason=reason))
    if made.unknown:
        more = len(made.unknown) - _SHOWN
        named = ", ".join(made.unknown[:_SHOWN])
        typer.echo(say.NOT_LABELS(names=named, more=say.AND_MORE(number=more) if more > 0 else ""))
