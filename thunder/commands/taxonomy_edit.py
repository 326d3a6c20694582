"""The commands that change the labels: ``thunder taxonomy add``, ``rename``, ``merge`` …"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from thunder.commands import taxonomy_messages as say
from thunder.commands.tables import console
from thunder.commands.taxonomy_migrate import done_table, require_sound
from thunder.commands.taxonomy_screen import DryRun, Folder, finish_interrupted, problems_shown
from thunder.editing import edit as edits
from thunder.editing import migrate
from thunder.editing.edit import OWN_SOURCE, Edit, NewLabel, Spot
from thunder.editing.migrate import Plan
from thunder.editing.migrate.lists import difference
from thunder.editing.migrate.lists import plan as plan_lists
from thunder.editing.own import init as init_own
from thunder.editing.own import require_editable
from thunder.settings import resources
from thunder.settings.journal import Change
from thunder.settings.messages import language
from thunder.settings.yamlfile import decoded
from thunder.taxonomy import TREATMENTS
from thunder.taxonomy.migrations import Migration, Placed

LISTS = "replacement_lists"

LabelName = Annotated[str, typer.Argument(help="The label's name, an alias or its id.")]
Lists = Annotated[
    Path | None,
    typer.Option(
        "--lists",
        help="The replacement lists to change along; without, those in the taxonomy's folder.",
    ),
]
Category = Annotated[str, typer.Option("--category", help="Granular category, in Korean.")]
Code = Annotated[
    str, typer.Option("--code", help="Subcategory, where two have such a category: D.2.7.")
]
CategoryEn = Annotated[
    str, typer.Option("--category-en", help="The category is new: its name in English.")
]
English = Annotated[str, typer.Option("--en", help="The name in English.")]


def init(
    place: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that is not there.")],
    *,
    take: Annotated[
        list[str] | None,
        typer.Option(
            help="Also a file or folder of policy, cues, patterns or gazetteer, to change it: "
            "policy/court.yaml. What is not taken stays the shipped. May be repeated."
        ),
    ] = None,
) -> None:
    """Make a taxonomy of your own, to edit: the shipped labels, over which nothing is laid yet."""
    with problems_shown(changes=True):
        init_own(place, take=tuple(take or ()))
    typer.echo(say.MADE(place=place))


def add(
    name: Annotated[str, typer.Argument(help="The new label's name, in Korean.")],
    *,
    en: English,
    category: Category,
    code: Code = "",
    category_en: CategoryEn = "",
    treatment: Annotated[
        str, typer.Option(help=f"What is done with it: {', '.join(TREATMENTS)}.")
    ] = "letter",
    omission: Annotated[str, typer.Option(help="The name in (… 1 생략).")] = "",
    reason: Annotated[str, typer.Option(help="With keep: why it stays readable, in Korean.")] = "",
    alias: Annotated[list[str] | None, typer.Option(help="Another name; may be repeated.")] = None,
    source: Annotated[str, typer.Option(help="One of the taxonomy's sources.")] = OWN_SOURCE,
    behind: Annotated[str, typer.Option(help="The label behind which it is to stand.")] = "",
    folder: Folder = None,
    lists: Lists = None,
    dry_run: DryRun = False,
) -> None:
    """Add a label, with the next free id."""
    new = NewLabel(
        *(name, en, treatment, source),
        omission=omission,
        reason=reason,
        aliases=tuple(alias or ()),
    )
    spot = Spot(category, code, category_en)
    _edit(edits.add, new, spot, folder, lists, dry_run, behind=behind)


def rename(
    label: LabelName,
    new: Annotated[str, typer.Argument(help="The new name, in Korean.")],
    *,
    en: English = "",
    folder: Folder = None,
    lists: Lists = None,
    dry_run: DryRun = False,
) -> None:
    """Give a label another name; the id stays, the old name becomes an alias."""
    _edit(edits.rename, label, new, folder, lists, dry_run, en=en)


def merge(
    label: LabelName,
    into: Annotated[str, typer.Argument(help="The label that takes it over.")],
    *,
    reason: Annotated[str, typer.Option(help="Why, for retired.yaml.")] = "",
    folder: Folder = None,
    lists: Lists = None,
    dry_run: DryRun = False,
) -> None:
    """Merge a label into another, which gets its names as aliases and its list."""
    _edit(edits.merge, label, into, folder, lists, dry_run, reason=reason)


def split(
    label: LabelName,
    first: Annotated[str, typer.Argument(help="Who keeps the id: NAME or NAME=ENGLISH.")],
    others: Annotated[list[str], typer.Argument(help="The new labels: NAME=ENGLISH each.")],
    *,
    mentions: Annotated[
        list[str] | None,
        typer.Option(help="NAME=FILE: a list of mentions, one a line, that are a new label's."),
    ] = None,
    folder: Folder = None,
    lists: Lists = None,
    dry_run: DryRun = False,
) -> None:
    """Split a label. Annotations stay with the first; a list of mentions can say otherwise."""
    with problems_shown(changes=True):
        new = [NewLabel(*_pair(other, "NAME=ENGLISH")) for other in others]
        files = [_pair(given, "NAME=FILE") for given in mentions or ()]
        rules = {name: _mentions(Path(path)) for name, path in files}
        ko, _, en = first.partition("=")
    _edit(
        *(edits.split, label, ko, folder, lists, dry_run),
        others=new,
        en=en,
        mentions=rules,
    )


def move(
    label: LabelName,
    *,
    category: Category,
    code: Code = "",
    category_en: CategoryEn = "",
    folder: Folder = None,
    lists: Lists = None,
    dry_run: DryRun = False,
) -> None:
    """Move a label to another category; id and name stay."""
    spot = Spot(category, code, category_en)
    _edit(edits.move, label, spot, folder, lists, dry_run)


def retire(
    label: LabelName,
    *,
    reason: Annotated[str, typer.Option(help="Why, for retired.yaml.")],
    folder: Folder = None,
    lists: Lists = None,
    dry_run: DryRun = False,
) -> None:
    """Take a label out without a successor; its id is never used again."""
    _edit(edits.retire, label, None, folder, lists, dry_run, reason=reason)


# --- one edit -----------------------------------------------------------------------------------


def _edit(
    plan: Callable[..., Edit],
    subject: object,
    target: object,
    folder: Path | None,
    lists: Path | None,
    dry_run: bool,
    **more: Any,
) -> None:
    """Plan an edit with the lists that go with it, show it, and make it unless it is a dry run."""
    with problems_shown(changes=True):
        where = require_editable(folder)
        finish_interrupted(where)
        arguments = [subject] if target is None else [subject, target]
        edit = plan(where, *arguments, **more)
        listed = _list_changes(edit, lists or _shipped_lists(where))
        if dry_run:
            _show(edit, listed)
        else:
            edits.write(edit, listed.changes)
    _tell(edit, listed, dry_run)


def _shipped_lists(folder: Path) -> Path | None:
    """Return the lists that follow a taxonomy: those in its folder, the shipped of the shipped."""
    if (folder / LISTS).is_dir():
        return folder / LISTS
    shipped = resources.folder("taxonomy")
    beside = shipped.parent / LISTS
    return beside if folder.resolve() == shipped.resolve() and beside.is_dir() else None


def _list_changes(edit: Edit, lists: Path | None) -> Plan:
    if lists is None:
        return Plan()
    if not lists.is_dir():
        raise ValueError(say.NO_LISTS(place=lists))
    history = migrate.History([*edit.history, edit.migration])
    plan = plan_lists(lists, history, edit.places)
    require_sound([plan])
    return plan


def _changes(edit: Edit, listed: Plan) -> list[Change]:
    return [one for one in (*edit.changes, *listed.changes) if one.before != one.after]


def _show(edit: Edit, listed: Plan) -> None:
    for change in _changes(edit, listed):
        for line in difference(change):
            typer.echo(line)


def _tell(edit: Edit, listed: Plan, dry_run: bool) -> None:
    migration, changed = edit.migration, _changes(edit, listed)
    if not dry_run:
        for change in changed:
            how = say.REMOVED if change.after is None else say.WRITTEN
            typer.echo(how(path=change.path))
    for note in edit.notes:
        typer.echo(say.NOTE(text=note))
    if listed.done:
        console().print(done_table(listed.done))
    ids = ", ".join(str(label.id) for label in _labels(migration))
    facts = {"what": say.OPERATIONS[migration.operation](), "number": migration.number}
    what = migration.subject if language() == "ko" else migration.title
    typer.echo(say.WHAT(what=what, ids=ids, version=migration.version))
    typer.echo(say.WOULD_EDIT(**facts) if dry_run else say.EDITED(**facts, files=len(changed)))


def _labels(migration: Migration) -> list[Placed]:
    others = [migration.into] if migration.into else []
    return [migration.label, *others, *(part.label for part in migration.parts)]


def _pair(given: str, form: str) -> tuple[str, str]:
    name, sign, value = given.partition("=")
    if not (name and sign and value):
        raise ValueError(say.NOT_OF_FORM(given=given, form=form))
    return name, value


def _mentions(path: Path) -> list[str]:
    lines = decoded(path, path.read_bytes()).removeprefix("\ufeff").splitlines()
    mentions = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not mentions:
        raise ValueError(say.NO_MENTION(path=path))
    return list(dict.fromkeys(mentions))
