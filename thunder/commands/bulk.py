"""The commands ``thunder bulk plan | run | status | verify`` and what goes with them."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunder.commands import bulk_messages as say
from thunder.commands import deid_messages as deid
from thunder.commands import letters_messages as letters_say
from thunder.tagger.chosen_tagger import DEFAULT

if TYPE_CHECKING:
    from thunder.bulk.ledger.driver import Runner, Share
    from thunder.bulk.ledger.plan import Plan
    from thunder.bulk.ledger.settings import Settings
    from thunder.bulk.ledger.state import State

app = typer.Typer(
    help="Millions of judgments, shard by shard, each exactly once.", no_args_is_help=True
)


def _place(given: str) -> Path:
    """Return the path, or the place on object storage, that is *given*."""
    from thunder.documents import places

    try:
        return places.place(given)
    except places.BadAddress as error:
        raise typer.BadParameter(str(error)) from None  # without the address, which has secrets


def _places(given: list[Path]) -> list[Path]:
    """Return *given*; typer.BadParameter where one of a disk is not there."""
    from thunder.documents.places import is_remote

    for path in given:
        if not is_remote(path) and not os.path.lexists(path):
            raise typer.BadParameter(say.NOT_THERE(path=path))
    return given


Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help=say.FOLDER(), parser=_place)]
Workers = Annotated[int, typer.Option(min=1, help=say.WORKERS())]
Metrics = Annotated[Path | None, typer.Option(metavar="FILE", help=say.METRICS())]

_EVERY = 10.0  # seconds between two lines of progress
_SPARE = 100  # to look at all markers takes a hundredth of the time at most


@app.command()
def plan(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH…", help=say.PATHS(), parser=_place, callback=_places),
    ],
    *,
    out: Annotated[
        Path,
        typer.Option("-o", "--out", metavar="FOLDER", help=say.OUT(), parser=_place),
    ],
    profile: Annotated[str, typer.Option(help=deid.PROFILE())] = "court",
    model: Annotated[str, typer.Option(metavar="NAME|FOLDER|none", help=deid.MODEL())] = DEFAULT,
    recall: Annotated[
        float | None,
        typer.Option(min=0.9, max=0.999, help=deid.RECALL(), show_default=deid.RECALL_DEFAULT()),
    ] = None,
    agree_particles: Annotated[
        bool, typer.Option("--agree-particles/--keep-particles", help=deid.PARTICLES())
    ] = False,
    text_column: Annotated[str, typer.Option(help=deid.TEXT_COLUMN())] = "text",
    id_column: Annotated[str, typer.Option(help=deid.ID_COLUMN())] = "id",
    ids_by_row: Annotated[bool, typer.Option("--ids-by-row", help=say.IDS_BY_ROW())] = False,
    max_characters: Annotated[int, typer.Option(min=1, help=deid.MAX_CHARACTERS())] = 20_000_000,
    ocr: Annotated[bool, typer.Option("--ocr", help=deid.OCR())] = False,
    taxonomy: Annotated[Path | None, typer.Option(metavar="FOLDER", help=deid.TAXONOMY())] = None,
    names: Annotated[Path | None, typer.Option(help=deid.NAMES())] = None,
    keep: Annotated[Path | None, typer.Option(help=deid.KEEP())] = None,
    case: Annotated[bool, typer.Option("--case", help=say.CASE())] = False,
    checks: Annotated[bool, typer.Option("--checks", help=deid.CHECKS())] = False,
    audit: Annotated[bool, typer.Option("--audit", help=say.AUDIT())] = False,
    mapping: Annotated[bool, typer.Option("--mapping", help=say.MAPPING())] = False,
    report: Annotated[bool, typer.Option("--report", help=say.REPORT())] = False,
    letters: Annotated[
        Path | None, typer.Option(metavar="LEDGER", help=letters_say.LETTERS())
    ] = None,
    letter_keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=letters_say.KEYS(), envvar="THUNDER_LETTERS_KEYS"),
    ] = None,
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
            taxonomy=str(taxonomy.resolve()) if taxonomy else "",
            names=str(names.resolve()) if names else "",
            keep=str(keep.resolve()) if keep else "",
            case=case,
            checks=checks,
            audit=audit,
            mapping=mapping,
            report=report,
            letters=str(letters.resolve()) if letters else "",
            letter_keys=str(_with_letters(letters, letter_keys, case=case)),
        )
        decided = decides(settings)
        _show_tagger(settings)
        made = planning.write(paths, out, settings, decided, advance=_advancing())
    if made.skipped:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in made.skipped.items())
        typer.echo(say.SKIPPED(kinds=kinds), err=True)
    typer.echo(say.PLANNED(rows=made.rows, shards=made.shards, folder=out))


@app.command()
def run(
    folder: Folder,
    *,
    workers: Workers = 1,
    shard: Annotated[str, typer.Option(metavar="N/M", help=say.SHARE())] = "1/1",
    ray: Annotated[str, typer.Option(metavar="ADDRESS", help=say.RAY())] = "",
    gpus: Annotated[float, typer.Option(min=0, help=say.GPUS())] = 0.0,
    metrics: Metrics = None,
) -> None:
    """Do what is not done yet of a plan; the same command goes on after any end.

    Exit status: 0 all done; 1 all done, some documents among the dead letters; 2 refused or
    stopped (a full disk, an input that changed), with what to do; 130 interrupted.
    """
    share = _share(shard)
    with _problems_shown():
        found = _read(folder)
        if ray:
            from thunder.bulk.ledger.on_ray import by_ray

            runner = by_ray(ray, gpus=gpus)
        else:
            runner = _by_processes(found, workers)
        _run(found, runner, share, metrics)


class System(StrEnum):
    """What starts the tasks of a run on many machines."""

    SLURM = "slurm"
    KUBERNETES = "kubernetes"


@app.command()
def script(
    system: Annotated[System, typer.Argument(help=say.SYSTEM())],
    folder: Folder,
    *,
    tasks: Annotated[int, typer.Option(min=1, max=100_000, help=say.TASKS())],
    workers: Workers = 1,
    image: Annotated[str, typer.Option(help=say.IMAGE())] = "",
    claim: Annotated[str, typer.Option(help=say.CLAIM())] = "",
    mount: Annotated[Path | None, typer.Option(help=say.MOUNT())] = None,
) -> None:
    """Print the Slurm script, or the Kubernetes manifest, that does a run on many machines."""
    from thunder.bulk.ledger import scripts

    with _problems_shown():
        place = _read(folder).folder.resolve()
    if system is System.SLURM:
        text = scripts.slurm(place, tasks=tasks, processes=workers)
    elif not image or not claim or not mount:
        raise typer.BadParameter(say.POD())
    else:
        text = scripts.kubernetes(
            place, tasks=tasks, processes=workers, image=image, claim=claim, mount=mount
        )
    typer.echo(text, nl=False)


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
        from thunder.bulk.ledger.driver import ALL, reopen, require_same

        found = _read(folder)
        require_same(found)
        typer.echo(say.REPLAYED(count=reopen(found)), err=True)
        _run(found, _by_processes(found, workers), ALL, metrics)


@app.command()
def update(folder: Folder) -> None:
    """Plan again over the same input: what was added or changed is to be done, nothing else.

    Results of documents that were withdrawn are taken away. Of a table, parts are done again from
    the first row that changed. Then thunder bulk run.
    """
    with _problems_shown():
        from thunder.bulk.ledger import update as updating
        from thunder.bulk.ledger.driver import alone, require_same

        found = _read(folder)
        require_same(found)
        with alone(found):
            changes = updating.update(found, advance=_advancing())
    if not changes:
        typer.echo(say.NO_CHANGES())
        return
    typer.echo(say.CHANGES(**asdict(changes), folder=folder))


@app.command()
def compare(
    folder: Folder,
    *,
    profile: Annotated[str, typer.Option(help=deid.PROFILE())] = "",
    model: Annotated[str, typer.Option(metavar="NAME|FOLDER|none", help=deid.MODEL())] = "",
    recall: Annotated[float | None, typer.Option(min=0.9, max=0.999, help=deid.RECALL())] = None,
    taxonomy: Annotated[Path | None, typer.Option(metavar="FOLDER", help=deid.TAXONOMY())] = None,
    names: Annotated[Path | None, typer.Option(help=deid.NAMES())] = None,
    keep: Annotated[Path | None, typer.Option(help=deid.KEEP())] = None,
    shards: Annotated[int | None, typer.Option(min=1, help=say.SAMPLE())] = None,
    workers: Workers = 1,
) -> None:
    """Count the results that would be other with another model, profile, taxonomy, lists, version.

    What is not given is as it was planned. Nothing that was done changes.
    """
    with _problems_shown():
        from thunder.bulk.ledger import compare as comparing
        from thunder.bulk.ledger.settings import decides

        found = _read(folder)
        places = {"taxonomy": taxonomy, "names": names, "keep": keep}
        given: dict[str, Any] = {name: str(one.resolve()) for name, one in places.items() if one}
        chosen = {"profile": profile, "model": model, "recall": recall}
        given |= {name: value for name, value in chosen.items() if value}
        settings = replace(found.settings, **given)
        decides(settings)  # what is wrong with them is said before anything is done
        for so_far in comparing.compare(found, settings, most=shards, workers=workers):
            typer.echo(say.COMPARED(**asdict(so_far)), err=True)
    typer.echo(say.COMPARED(**asdict(so_far)))


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


def _with_letters(letters: Path | None, keys: Path | None, *, case: bool) -> Path | str:
    """Return the keys of *letters*, "" without any; typer.BadParameter where they are missing."""
    if letters and not keys:
        raise typer.BadParameter(letters_say.NEEDS_KEYS())
    if letters and case:
        raise typer.BadParameter(letters_say.NOT_WITH_CASE())
    return keys.resolve() if letters and keys else ""


def _show_tagger(settings: "Settings") -> None:
    from thunder.commands.screen import Screen
    from thunder.tagger import chosen_tagger

    if chosen := chosen_tagger.choose(settings.model, recall=settings.recall, threads=1):
        Screen(is_quiet=False, shows_progress=False).tagger(chosen)


def _advancing() -> Callable[[int], None]:
    """Return what is told how many bytes of the input were read, and says so now and then."""
    read, said = 0, time.monotonic()

    def advance(size: int) -> None:
        nonlocal read, said
        read += size
        if time.monotonic() - said >= _EVERY:
            said = time.monotonic()
            typer.echo(say.PLANNING(size=read / 1e9), err=True)

    return advance


def _read(folder: Path) -> "Plan":
    from thunder.bulk.ledger.plan import read

    return read(folder)


def _run(plan: "Plan", runner: "Runner", share: "Share", metrics: Path | None) -> None:
    from thunder.bulk.ledger import driver
    from thunder.bulk.ledger.state import state, write_metrics

    driver.require_same(plan)
    next_word, poisoned = time.monotonic() + _EVERY, 0
    for progress in driver.run(plan, runner, share=share):
        poisoned = progress.poisoned
        if (began := time.monotonic()) >= next_word:
            found = state(plan)
            typer.echo(_said(found), err=True)
            if metrics:
                write_metrics(found, metrics)
            now = time.monotonic()
            next_word = now + max(_EVERY, _SPARE * (now - began))
    found = state(plan)
    if metrics:
        write_metrics(found, metrics)
    typer.echo(_said(found), err=True)
    if poisoned:
        typer.echo(say.POISONED(count=poisoned), err=True)
    if found.notices:
        typer.echo(say.NOTICED(count=found.notices, folder=plan.folder), err=True)
    if found.dead:
        typer.echo(say.DEAD(dead=found.dead, folder=plan.folder), err=True)
        raise typer.Exit(1)


def _by_processes(plan: "Plan", workers: int) -> "Runner":
    """Return the runner on this machine; a model of torch takes one process."""
    from thunder.bulk.ledger.driver import by_processes
    from thunder.tagger import chosen_tagger

    chosen = chosen_tagger.choose(plan.settings.model) if workers > 1 else None
    if chosen and chosen.needs_torch:
        raise typer.BadParameter(say.TORCH())
    return by_processes(workers)


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
    from thunder.documents.places import reaching
    from thunder.masking.case_ledger import LedgerError

    try:
        with reaching():
            yield
    except (Refused, Unwritable, LookupError, LedgerError) as error:
        typer.echo(str(error.args[0] if error.args else error), err=True)
        sys.exit(2)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        typer.echo(place + (" — ".join(why(error)) if error.errno else str(error)), err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo(say.STOPPED(), err=True)
        sys.exit(130)
