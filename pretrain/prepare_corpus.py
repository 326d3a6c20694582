"""Prepare a corpus: folders of text, JSONL or Parquet to tokenised shards with a manifest.

    python pretrain/prepare_corpus.py pretrain/corpora/public.toml --out /data/corpus32k

Killed, the same command goes on. On many machines with one disk each makes a share of the shards
(``--shard 3/20``, of a Slurm array, say), then the command without a share ends it on one of them;
or a Ray cluster makes them (``--ray ADDRESS``). The bytes are the same.
All the work is in ``thunder.training_data.corpus``.
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
from thunder.training_data.corpus.preparing import Progress, Share, prepare_share

app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)  # they would show texts


@app.command()
def main(
    settings: Annotated[Path, typer.Argument(help="A TOML file that declares the sources.")],
    *,
    out: Annotated[Path, typer.Option(help="The folder of the corpus.")],
    tokenizer: Annotated[Path | None, typer.Option(help="A tokenizer's folder [32k].")] = None,
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
    shard: Annotated[
        str, typer.Option(metavar="N/M", help="Make the shards of this share, and no more.")
    ] = "",
    ray: Annotated[
        str, typer.Option(metavar="ADDRESS", help="On this Ray cluster (auto: this machine's).")
    ] = "",
    change: Annotated[
        list[str] | None, typer.Option("--set", help="A setting over the file's: key=value.")
    ] = None,
) -> None:
    """Make, or finish, the corpus in --out, and show what is in it."""
    try:
        wanted = config.load(settings, CorpusSettings, changes=change or [])
        chosen = tokenizer or folder("tokenizer") / "32k"
        if shard:
            count = prepare_share(
                wanted,
                tokenizer=chosen,
                out=out,
                share=_share(shard),
                workers=workers,
                report=_show,
            )
            typer.echo(f"{count:,} shards of share {shard} are there", err=True)
            return
        made = prepare(wanted, tokenizer=chosen, out=out, workers=workers, ray=ray, report=_show)
    except (OSError, ValueError, LookupError, WorkerDied) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    print_manifest(made)


def _share(given: str) -> Share:
    number, _, of = given.partition("/")
    if not (number.isdecimal() and of.isdecimal()):
        raise ValueError(f"--shard {given}: give it as 3/20")
    return Share(int(number), int(of))


def _show(progress: Progress) -> None:
    tokens = f", {progress.tokens / 1e6:,.1f} M tokens" if progress.tokens else ""
    typer.echo(f"{progress.stage}: {progress.done:,}{tokens}", err=True)


if __name__ == "__main__":
    app()
