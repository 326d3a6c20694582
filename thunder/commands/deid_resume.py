"""``thunder deid FOLDER -o FOLDER --resume``: the same results, by the ledger of bulk runs."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from thunder.commands import bulk_messages as bulk
from thunder.commands import deid_messages as say
from thunder.commands import letters_messages as letters_say
from thunder.documents.sources import STDIN

if TYPE_CHECKING:
    from thunder.bulk.ledger.plan import Plan
    from thunder.bulk.ledger.settings import Settings
    from thunder.commands.deid_plan import Options
    from thunder.commands.screen import Screen

_DOCUMENTS = 16  # of a shard: what a kill costs at most


def resume(options: "Options", screen: "Screen") -> int:
    """Return how many documents were held back, and how many things found that are not allowed.

    All other documents are in the folder for the results.

    What an earlier run did there stays, unless its input has changed; what was withdrawn goes.
    typer.BadParameter for what it does not go with, and Refused as bulk runs are.
    """
    from thunder.bulk.ledger import driver, update
    from thunder.bulk.ledger.plan import HIDDEN, NAME, read, write
    from thunder.bulk.ledger.settings import decides
    from thunder.bulk.ledger.state import state

    out = _folder(options)
    settings, inputs = _settings(options), list(options.paths)
    folder = out / HIDDEN
    if not (folder / NAME).exists():
        plan = write(inputs, folder, settings, decides(settings))
    else:
        plan = read(folder)
        _require_same(plan, settings, inputs)
        with driver.alone(plan):
            changes = update.update(plan)
        if changes:
            screen.error(bulk.CHANGED(**asdict(changes)))
        plan = read(folder)
    with screen.progress(plan.rows) as advance:
        before = 0
        for progress in driver.run(plan, driver.by_processes(options.workers)):
            advance(progress.rows - before, progress.rows)
            before = progress.rows
    found = state(plan)
    screen.said(bulk.SO_FAR(**asdict(found)))
    return found.dead + _told(plan, options, screen)


def _folder(options: "Options") -> Path:
    """Return where the results go; typer.BadParameter for options that do not go with it."""
    others = {
        "--audit": options.audit,
        "--mapping": options.mapping,
        "--report": options.report,
        "--html": options.html,
        "--file-column": options.file_column,
        "--format": options.format,
        "--force": options.force,
    }
    if given := [name for name, value in others.items() if value]:
        raise typer.BadParameter(say.RESUME_ALONE(names=", ".join(given)))
    if options.letters and not options.letter_keys:
        raise typer.BadParameter(letters_say.NEEDS_KEYS())
    if options.out is None or Path(STDIN) in options.paths:
        raise typer.BadParameter(say.RESUME_FOLDER())
    return options.out


def _settings(options: "Options") -> "Settings":
    from thunder.bulk.ledger.settings import Settings

    places = (options.taxonomy, options.names, options.keep)
    taxonomy, names, keep = (str(place.resolve()) if place else "" for place in places)
    return Settings(
        profile=options.profile,
        model=options.model,
        recall=options.recall,
        agree_particles=options.agree_particles,
        text_column=options.text_column,
        id_column=options.id_column,
        ids_by_row=True,
        max_characters=options.max_characters,
        ocr=options.ocr,
        shard_documents=_DOCUMENTS,
        taxonomy=taxonomy,
        names=names,
        keep=keep,
        whole=True,
        letters=str(options.letters.resolve()) if options.letters else "",
        letter_keys=str(options.letter_keys.resolve()) if options.letter_keys else "",
        checks=options.checks,
        case=options.case,
    )


def _require_same(plan: "Plan", settings: "Settings", inputs: list[Path]) -> None:
    """Return nothing; Refused where what is asked, or decides, is not what it was."""
    from thunder.bulk.ledger import driver
    from thunder.bulk.ledger.settings import differences
    from thunder.bulk.outputs import Refused

    asked = {"settings": asdict(settings), "inputs": [str(path.resolve()) for path in inputs]}
    before = {"settings": asdict(plan.settings), "inputs": list(map(str, plan.inputs))}
    if found := differences(before, asked):
        raise Refused(say.RESUME_OTHER(folder=plan.results, what=", ".join(found)))
    driver.require_same(plan)


def _told(plan: "Plan", options: "Options", screen: "Screen") -> int:
    """Show what a run without a ledger shows of documents; return how much is not allowed."""
    from thunder.bulk.ledger.shard import DEAD, NOTICES
    from thunder.documents.records import Failure

    for one in _lines(plan.folder / DEAD):
        screen.report(Failure(one["file"], one["row"], one["reason"], one["cure"], one["id"]))
    count = 0
    for one in _lines(plan.folder / NOTICES):
        screen.error(one["said"])
        count += bool(one["concern"]) and one["concern"] not in options.allow
    return count


def _lines(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.rglob("*.jsonl")):
        yield from map(json.loads, path.read_bytes().splitlines())
