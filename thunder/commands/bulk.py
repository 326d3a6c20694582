"""The commands ``thunder bulk plan | run | status | verify | replay``."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.commands import bulk_messages as say
from thunder.tagger.chosen_tagger import DEFAULT

if TYPE_CHECKING:
    from thunder.bulk.ledger.driver import Share
    from thunder.bulk.ledger.plan import Plan
    from thunder.bulk.ledger.state import State

app = typer.Typer(
    help="Millions of judgments, shard by shard, each exactly once.", no_args_is_help=True
)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help=say.FOLDER())]
Workers = Annotated[int, typer.Option(min=1, help=say.WORKERS())]
Metrics = Annotated[Path | None, typer.Option(metavar="FILE", help=say.METRICS())]

_EVERY = 10.0  # seconds between two lines of progress


@app.command()
def plan(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help=say.PATHS(), exists=True, readable=False)
    ],
    *,
    out: Annotated[Path, typer.Option("-o", "--out", help=say.OUT())],
    profile: str = "court",
    model: str = DEFAULT,
    recall: Annotated[float | None, typer.Option(min=0.9, max=0.999)] = None,
    agree_particles: bool = False,
    text_column: str = "text",
    id_column: str = "id",
    ids_by_row: Annotated[bool, typer.Option("--ids-by-row", help=say.IDS_BY_ROW())] = False,
    max_characters: Annotated[int, typer.Option(min=1)] = 20_000_000,
    ocr: bool = False,
    shard_documents: Annotated[int, typer.Option(min=1, help=say.SHARD_DOCUMENTS())] = 1000,
    shard_bytes: Annotated[int, typer.Option(min=1, help=say.SHARD_BYTES())] = 8_000_000,
) -> None:
    """Part the input into shards, and write down all that decides what is written.

    Nothing is masked yet. Everything that can be wrong with the input as a whole is said here: ids
    that are missing or come twice, columns that differ, files that cannot be read to their end.
    """
    with _problems_shown():
        from thunder.bulk.ledger import plan as planning
        from thunder.bulk.ledger.settings import Settings, decides

        settings = Settings(
            *(profile, model, recall, agree_particles, text_column, id_column, ids_by_row),
            *(max_characters, ocr, shard_documents, shard_bytes),
        )
        made = planning.write(paths, out, settings, decides(settings))
    typer.echo(say.PLANNED(rows=made.rows, shards=made.shards, folder=out))


@app.command()
def run(
    folder: Folder,
    *,
    workers: Workers = 1,
    shard: Annotated[str, typer.Option(metavar="N/M", help=say.SHARE())] = "1/1",
    metrics: Metrics = None,
) -> None:
    """Do what is not done yet of a plan; the same command goes on after any end.

    Exit status: 0 all done; 1 all done, some documents among the dead letters; 2 refused or
    stopped (a full disk, an input that changed), with what to do; 130 interrupted.
    """
    share = _share(shard)
    with _problems_shown():
        found = _read(folder)
        _run(found, workers, share, metrics)


@app.command()
def replay(
    folder: Folder,
    *,
    workers: Workers = 1,
    metrics: Metrics = None,
) -> None:
    """Do again the shards that have dead letters, once what was wrong is mended.

    The input has to be as it was planned: what changes is the machine, its memory, its disk.
    """
    with _problems_shown():
        from thunder.bulk.ledger.driver import Share, reopen, require_same

        found = _read(folder)
        require_same(found)
        typer.echo(say.REPLAYED(count=reopen(found)), err=True)
        _run(found, workers, Share(), metrics)


@app.command()
def status(
    folder: Folder,
    *,
    metrics: Metrics = None,
    as_json: Annotated[bool, typer.Option("--json", help=say.JSON())] = False,
) -> None:
    """Say how far a run is: shards, documents, rate, end, core-hours."""
    with _problems_shown():
        from thunder.bulk.ledger.state import state, write_metrics

        found = state(_read(folder))
        if metrics:
            write_metrics(found, metrics)
    typer.echo(json.dumps(asdict(found)) if as_json else _said(found))


@app.command()
def verify(folder: Folder) -> None:
    """Check that what came out is what was planned: every id, none twice, every file as written.

    It reads plan, markers and results by code of its own. Exit status 1 where anything does not
    fit, a line each.
    """
    with _problems_shown():
        from thunder.bulk.ledger.verify import verify as verified

        verdict = verified(folder)
    for line in verdict.said:
        typer.echo(line, err=True)
    if verdict.wrong:
        typer.echo(say.WRONG(wrong=verdict.wrong), err=True)
        raise typer.Exit(1)
    typer.echo(say.VERIFIED(shards=verdict.shards, out=verdict.out, dead=verdict.dead))


def _read(folder: Path) -> "Plan":
    from thunder.bulk.ledger.plan import read

    return read(folder)


def _run(plan: "Plan", workers: int, share: "Share", metrics: Path | None) -> None:
    from thunder.bulk.ledger import driver
    from thunder.bulk.ledger.state import state, write_metrics

    driver.require_same(plan)
    _require_one_of_torch(plan, workers)
    said, poisoned = time.monotonic(), 0
    for progress in driver.run(plan, workers=workers, share=share):
        poisoned = progress.poisoned
        if time.monotonic() - said >= _EVERY:
            said = time.monotonic()
            found = state(plan)
            typer.echo(_said(found), err=True)
            if metrics:
                write_metrics(found, metrics)
    found = state(plan)
    if metrics:
        write_metrics(found, metrics)
    typer.echo(_said(found), err=True)
    if poisoned:
        typer.echo(say.POISONED(count=poisoned), err=True)
    if found.dead:
        typer.echo(say.DEAD(dead=found.dead, folder=plan.folder), err=True)
        raise typer.Exit(1)


def _require_one_of_torch(plan: "Plan", workers: int) -> None:
    from thunder.tagger import chosen_tagger

    chosen = chosen_tagger.choose(plan.settings.model) if workers > 1 else None
    if chosen and any(chosen.place.rglob("*.safetensors")):
        raise typer.BadParameter(say.TORCH())


def _said(found: "State") -> str:
    line = say.SO_FAR(**asdict(found))
    left, all_ = found.seconds_left, found.core_hours_in_all
    if left and all_:
        line += say.RATE(rate=found.rate, left=timedelta(seconds=round(left)), all=all_)
    return line


def _share(given: str) -> "Share":
    from thunder.bulk.ledger.driver import Share

    number, _, of = given.partition("/")
    if number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return Share(int(number), int(of))
    raise typer.BadParameter(say.BAD_SHARE(given=given))


@contextmanager
def _problems_shown() -> Iterator[None]:
    """Say what is refused in a line, and end with 2; with 130 where a person ended it."""
    from thunder.bulk.logs import Unwritable
    from thunder.bulk.outputs import Refused, why

    try:
        yield
    except (Refused, Unwritable, LookupError) as error:
        typer.echo(str(error.args[0] if error.args else error), err=True)
        sys.exit(2)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        typer.echo(place + (" — ".join(why(error)) if error.errno else str(error)), err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo(say.STOPPED(), err=True)
        sys.exit(130)
