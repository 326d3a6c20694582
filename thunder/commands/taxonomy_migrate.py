"""The commands ``thunder taxonomy migrate`` and ``diff``."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from thunder.commands import taxonomy_messages as say
from thunder.commands.tables import console, new_table, right
from thunder.commands.taxonomy_screen import (
    DryRun,
    Folder,
    finish_interrupted,
    problems_shown,
    taxonomy_of,
)
from thunder.editing import migrate
from thunder.editing.diff import differences
from thunder.editing.migrate import Done, Plan
from thunder.editing.own import laid_over
from thunder.settings import journal, resources
from thunder.settings.yamlfile import YamlFileError
from thunder.taxonomy import load as load_taxonomy
from thunder.taxonomy import migration_files
from thunder.taxonomy.file import Reading, list_places
from thunder.taxonomy.migrations import Migration

_SHOWN, _WIDE = 12, 160  # lines of a file of one's own, and signs of a line


def migrate_(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Annotated .jsonl/.txt, .json/.csv, folders of them or of lists."),
    ],
    *,
    to: Annotated[int | None, typer.Option(min=1, help="Only up to this migration.")] = None,
    folder: Folder = None,
    dry_run: DryRun = False,
) -> None:
    """Bring label names in files up to date; say label by label what was done.

    Done again, it changes nothing. A file that is wrong stops all of it before anything changes.
    """
    where = folder or resources.taxonomy()
    taxonomy_of(where)
    with problems_shown(changes=True):
        migrations, places = _migrations(where, to)
        for path in paths:
            finish_interrupted(_root(path))
        plans = {path: migrate.plan(path, migrations, places=places) for path in paths}
        require_sound(plans.values())
        if not dry_run:
            for path, plan in plans.items():
                journal.commit(_root(path), plan.changes, title=f"migrate {path}")
    _report(list(plans.values()), migrations, dry_run)


def diff(
    old: Annotated[Path | None, typer.Argument(help="A taxonomy folder.")] = None,
    new: Annotated[Path | None, typer.Argument(help="Another, usually newer.")] = None,
    *,
    folder: Folder = None,
) -> None:
    """Show what differs between two taxonomy folders, label by label.

    Without two: between the shipped one and your own, with the files that lie over the shipped
    and their lines: + yours, - the shipped.
    """
    with problems_shown():
        if old is None or new is None:
            own = old or folder or resources.taxonomy()
            old, new = resources.folder(resources.TAXONOMY), own
            for laid in laid_over(new) if not resources.is_shipped(new) else ():
                typer.echo(f"{laid.name}: {say.LAID[laid.how]()}")
                for line in laid.lines[:_SHOWN]:
                    typer.echo(f"  {textwrap.shorten(line, _WIDE, placeholder=' …')}")
                if laid.lines[_SHOWN:]:
                    typer.echo(f"  {say.MORE_LINES(number=len(laid.lines) - _SHOWN)}")
        found = differences(load_taxonomy(old), load_taxonomy(new))
    table = new_table(*(column() for column in say.DIFF_COLUMNS))
    for one in found:
        table.add_row(say.KINDS[one.kind](), *one[1:])
    if found:
        console().print(table)
    kinds = Counter(one.kind for one in found)
    counted = [f"{say.KINDS[kind]()} {count}" for kind, count in kinds.items()]
    typer.echo(", ".join(counted) or say.SAME())
    typer.echo(say.DIFFERENCES(number=len(found)))


def _migrations(folder: Path, to: int | None) -> tuple[tuple[Migration, ...], dict[int, str]]:
    """Return the migrations up to number *to*, and where lists stand if these are all."""
    reading = Reading(folder)
    taxonomy = reading.taxonomy()
    migrations = migration_files.read(folder)
    migration_files.require_fit(folder, migrations, taxonomy)
    if to is None or to == len(migrations):
        return migrations, list_places(taxonomy, reading.places)
    if to > len(migrations):
        raise ValueError(say.NO_MIGRATION(to=to, last=len(migrations)))
    return migrations[:to], {}


def _root(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def require_sound(plans: Iterable[Plan]) -> None:
    """Raise YamlFileError with everything that is wrong with the files of *plans*."""
    problems = [problem for plan in plans for problem in plan.problems]
    if problems:
        raise YamlFileError(problems)


def _report(plans: Sequence[Plan], migrations: Sequence[Migration], dry_run: bool) -> None:
    plan = migrate.together(plans)
    for line in plan.shown if dry_run else ():
        typer.echo(line)
    if plan.done:
        console().print(done_table(plan.done))
    for place, what in plan.left:
        typer.echo(say.LEFT[what](place=place))
    files = sum(change.before != change.after for change in plan.changes)
    last = f"{len(migrations):04}"
    said = (say.WOULD_MIGRATE if dry_run else say.MIGRATED) if files else say.NOTHING_TO_MIGRATE
    typer.echo(said(files=files, last=last))


def done_table(done: Iterable[Done]) -> Table:
    """Return a table of what was done, label by label over all files."""
    times: Counter[tuple[str, str, str, int]] = Counter()
    files: dict[tuple[str, str, str, int], set[Path]] = {}
    for one in done:
        key = (one.was, one.now, one.what, one.number)
        times[key] += one.times
        files.setdefault(key, set()).add(one.path)
    first, *columns = (column() for column in say.DONE_COLUMNS)
    table = new_table(first, *columns[:2], *right(*columns[2:]))
    for key in sorted(times, key=lambda key: (key[3], key)):
        was, now, what, number = key
        numbers = (times[key], len(files[key]))
        table.add_row(was, now or say.STAYS(), what, *map(str, numbers), f"{number:04}")
    return table
