"""The commands ``thunder taxonomy …``; those that read stand here."""

from collections import Counter
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.commands import taxonomy_messages as say
from thunder.commands.loading import knowing
from thunder.commands.taxonomy_screen import (
    DryRun,
    Folder,
    find_label,
    named,
    problems_shown,
    taxonomy_of,
)
from thunder.settings import resources
from thunder.taxonomy import (
    EDITABLE,
    TREATMENTS,
    Label,
    Subcategory,
    Taxonomy,
    migration_files,
    value_set,
)
from thunder.taxonomy import write as write_value

if TYPE_CHECKING:
    from rich.tree import Tree

_HOMES = {
    "init": "thunder.commands.taxonomy_edit:init",
    "add": "thunder.commands.taxonomy_edit:add",
    "rename": "thunder.commands.taxonomy_edit:rename",
    "merge": "thunder.commands.taxonomy_edit:merge",
    "split": "thunder.commands.taxonomy_edit:split",
    "move": "thunder.commands.taxonomy_edit:move",
    "retire": "thunder.commands.taxonomy_edit:retire",
    "migrate": "thunder.commands.taxonomy_migrate:migrate_",
    "diff": "thunder.commands.taxonomy_migrate:diff",
}

app = typer.Typer(
    cls=knowing(_HOMES), help="The labels: check, show, count and edit them.", no_args_is_help=True
)


class Language(StrEnum):
    """The language in which names are shown."""

    KO = "ko"
    EN = "en"


@app.command()
def check(
    place: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="The taxonomy to check; without, the shipped."),
    ] = None,
    *,
    folder: Folder = None,
) -> None:
    """Check a taxonomy folder; list everything wrong by file and line, and exit with 1."""
    where = place or folder or resources.taxonomy()
    taxonomy = taxonomy_of(where)
    with problems_shown():
        migrations = migration_files.read(where)
        migration_files.require_fit(where, migrations, taxonomy)
        _require_data_in_order(where)
    typer.echo(
        say.IN_ORDER(
            subcategories=len(taxonomy.subcategories),
            categories=len(taxonomy.categories),
            labels=len(taxonomy),
            version=taxonomy.version,
            digest=taxonomy.digest()[:16],
            migrations=len(migrations),
        )
    )


def _require_data_in_order(where: Path) -> None:
    """Return where profiles, tables and rules of *where* can be used; YamlFileError else.

    This process works with that taxonomy from now on.
    """
    from thunder.mentions import scorecard
    from thunder.mentions.recognising import problems_of_data
    from thunder.settings.yamlfile import YamlFileError
    from thunder.taxonomy import profiles

    resources.choose_taxonomy(where)
    for name in profiles.names():
        profiles.load(name)
    problems = problems_of_data()
    if problems:
        raise YamlFileError(problems)
    scorecard.of_rules()


@app.command()
def tree(
    *,
    depth: Annotated[int, typer.Option(min=1, max=4, help="1 main … 4 labels.")] = 3,
    lang: Annotated[Language, typer.Option(help="Names in Korean or English.")] = Language.KO,
    folder: Folder = None,
) -> None:
    """Show the tiers as a tree, each with its number of labels."""
    from rich.tree import Tree

    from thunder.commands.tables import console

    taxonomy = taxonomy_of(folder)
    root = Tree(_line("taxonomy", len(taxonomy)))
    for main in taxonomy.mains:
        below = [sub for sub in taxonomy.subcategories if sub.main == main.code]
        branch = root.add(_line(getattr(main, lang), sum(map(_count, below))))
        for sub in below if depth > 1 else ():
            _grow(
                branch.add(_line(f"{sub.code} {getattr(sub, lang)}", _count(sub))), sub, depth, lang
            )
    console().print(root)


@app.command()
def show(
    label: Annotated[str, typer.Argument(help="The label's name, alias or id.")],
    *,
    folder: Folder = None,
) -> None:
    """Show everything known of a label, given by its name, an alias or its id."""
    taxonomy = taxonomy_of(folder)
    found = find_label(taxonomy, label)
    for key, value in asdict(found).items():
        shown = ", ".join(value) if isinstance(value, tuple) else str(value)
        if shown:
            typer.echo(f"{key:<12} {shown}")


@app.command()
def stats(*, folder: Folder = None) -> None:
    """Count labels and aliases per tier, treatment and source."""
    from thunder.commands.tables import console, new_table, right

    taxonomy = taxonomy_of(folder)
    tiers = new_table(say.TIER(), *right(say.NUMBER()))
    for name, number in _tier_counts(taxonomy):
        tiers.add_row(name, str(number))
    subs = new_table(
        say.SUBCATEGORY(), *right(say.TIER_3(), say.LABELS(), say.ALIASES(), *TREATMENTS)
    )
    for sub in taxonomy.subcategories:
        labels = [label for category in sub.categories for label in category.labels]
        subs.add_row(f"{sub.code} {sub.ko}", str(len(sub.categories)), *_counts(labels))
    subs.add_section()
    subs.add_row(say.ALL(), str(len(taxonomy.categories)), *_counts(list(taxonomy)))
    sources = new_table(say.SOURCE(), *right(say.LABELS()))
    for source, count in Counter(label.source for label in taxonomy).most_common():
        sources.add_row(source, str(count))
    for table in (tiers, subs, sources):
        console().print(table)


@app.command("set")
def set_(
    label: Annotated[str, typer.Argument(help="The label's name, alias or id.")],
    key: Annotated[str, typer.Argument(help=f"One of {', '.join(EDITABLE)}.")],
    value: Annotated[str, typer.Argument(help='"" takes the key out; aliases between commas.')],
    *,
    folder: Folder = None,
    lists: Annotated[
        Path | None,
        typer.Option(help="With ko: the replacement lists to change along, if not in the folder."),
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Set one value of one label in its file; nothing else in the file changes.

    A new name (ko) is a rename: the old one becomes an alias, and its list is renamed, too.
    Aliases are set as a whole: write those that are to stay, too.
    """
    from thunder.editing.own import require_editable

    with problems_shown(changes=True):
        place = require_editable(folder)
    if key == "ko":
        # A new name has to reach what is annotated with the old one.
        from thunder.commands import taxonomy_edit

        taxonomy_edit.rename(label, value, folder=place, lists=lists, dry_run=dry_run)
        return
    taxonomy = taxonomy_of(place)
    with problems_shown(changes=True):
        found = named(taxonomy, label)
        was = getattr(found, key, None)
        change = value_set(place, found.ko, key, value)
        if dry_run:
            from thunder.editing.migrate.lists import difference

            for line in difference(change):
                typer.echo(line)
        else:
            write_value(change)
    before = ", ".join(was) if isinstance(was, tuple) else str(was or "")
    facts = {"path": change.path, "label": found.ko, "key": key, "was": before, "now": value}
    typer.echo(say.WOULD_SET(**facts) if dry_run else say.SET(**facts))
    names = _names(value) if key == "aliases" else []
    if lost := [name for name in found.aliases if key == "aliases" and name not in names]:
        every = ", ".join((*found.aliases, *names))
        typer.echo(say.ALIASES_LOST(names=", ".join(lost), all=every))


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


def _line(name: str, count: int) -> str:
    return f"{name} ({count})"


def _count(sub: Subcategory) -> int:
    return sum(len(category.labels) for category in sub.categories)


def _grow(branch: "Tree", sub: Subcategory, depth: int, lang: Language) -> None:
    for category in sub.categories if depth > 2 else ():
        twig = branch.add(_line(getattr(category, lang), len(category.labels)))
        for label in category.labels if depth > 3 else ():
            twig.add(f"{label.id} {getattr(label, lang)} [{label.treatment}]")


def _tier_counts(taxonomy: Taxonomy) -> list[tuple[str, int]]:
    counts = (
        *(len(taxonomy.mains), len(taxonomy.subcategories), len(taxonomy.categories)),
        *(len(taxonomy), sum(len(label.aliases) for label in taxonomy)),
        *(len(taxonomy.unmapped), len(taxonomy.homonyms), len(taxonomy.retired)),
    )
    return [(name(), count) for name, count in zip(say.TIER_COUNTS, counts, strict=True)]


def _counts(labels: list[Label]) -> list[str]:
    treatments = Counter(label.treatment for label in labels)
    aliases = sum(len(label.aliases) for label in labels)
    return [str(n) for n in (len(labels), aliases, *(treatments[t] for t in TREATMENTS))]
