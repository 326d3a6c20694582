"""Prepare a corpus: folders of text, JSONL or Parquet to tokenised shards with a manifest.

    python pretrain/prepare_corpus.py pretrain/corpora/public.toml --out /data/corpus32k

Killed, the same command goes on. All the work is in ``thunder.training_data.corpus``.
"""

import os
from pathlib import Path
from typing import Annotated

import _environment  # noqa: F401
import typer

from thunder.commands.corpus import print_manifest
from thunder.settings import config
from thunder.settings.resources import folder
from thunder.training_data.corpus import CorpusSettings, prepare
from thunder.training_data.corpus.pool import WorkerDied
from thunder.training_data.corpus.preparing import Progress

app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)  # they would show texts


@app.command()
def main(
    settings: Annotated[Path, typer.Argument(help="A TOML file that declares the sources.")],
    *,
    out: Annotated[Path, typer.Option(help="The folder of the corpus.")],
    tokenizer: Annotated[Path | None, typer.Option(help="A tokenizer's folder [32k].")] = None,
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="A setting over the file's: key=value.")
    ] = None,
) -> None:
    """Make, or finish, the corpus in --out, and show what is in it."""
    try:
        wanted = config.load(settings, CorpusSettings, changes=change or [])
        chosen = tokenizer or folder("tokenizer") / "32k"
        made = prepare(wanted, tokenizer=chosen, out=out, workers=workers, report=_show)
    except (OSError, ValueError, LookupError, WorkerDied) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    print_manifest(made)


def _show(progress: Progress) -> None:
    tokens = f", {progress.tokens / 1e6:,.1f} M tokens" if progress.tokens else ""
    typer.echo(f"{progress.stage}: {progress.done:,}{tokens}", err=True)


if __name__ == "__main__":
    app()
