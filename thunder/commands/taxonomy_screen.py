"""What the commands on taxonomies share: the folder option, and problems shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from thunder.commands import taxonomy_messages as say
from thunder.settings import journal, resources
from thunder.settings.messages import Message
from thunder.settings.yamlfile import YamlFileError
from thunder.taxonomy import Label, Taxonomy, TaxonomyError, forget_shipped
from thunder.taxonomy import load as load_taxonomy
from thunder.taxonomy.migration_files import MigrationError

Folder = Annotated[
    Path | None,
    typer.Option(
        "--taxonomy", "--folder", help="A taxonomy folder of your own instead of the shipped one."
    ),
]


DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the changes, make none.")]
_SUBJECT: dict[type[ValueError], Message] = {
    TaxonomyError: say.IN_TAXONOMY,
    MigrationError: say.IN_MIGRATIONS,
}


@contextmanager
def problems_shown(*, changes: bool = False) -> Iterator[None]:
    """Show what is wrong with a folder or a value as it is, and end with status 1.

    Nothing was changed then, and where something could have been (*changes*), that is said.
    """
    try:
        yield
    except YamlFileError as error:
        typer.echo(str(error))
        subject = _SUBJECT.get(type(error), say.IN_FILES)
        typer.echo(say.TO_MEND(where=subject(), number=len(error.problems)))
        _say_unchanged(changes)
        raise typer.Exit(1) from None
    except (ValueError, LookupError, OSError) as error:
        if isinstance(error, KeyError | IndexError):
            raise  # a mistake of ours: what people get wrong is a plain LookupError
        message = str(error)
        if isinstance(error, OSError) and error.filename:
            message = f"{error.filename}: {error.strerror}"
        typer.echo(message, err=True)
        _say_unchanged(changes)
        raise typer.Exit(1) from None


def _say_unchanged(changes: bool) -> None:
    if changes:
        typer.echo(say.UNCHANGED(), err=True)


def taxonomy_of(folder: Path | None) -> Taxonomy:
    """Return the taxonomy of a folder, the shipped one without; one that is wrong ends it."""
    with problems_shown():
        finish_interrupted(folder or resources.taxonomy())
        resources.require_taxonomy(folder or resources.taxonomy())
        return load_taxonomy(folder)


def finish_interrupted(folder: Path) -> None:
    """Finish or drop an edit that was interrupted in *folder*, and say so."""
    outcome = journal.finish(folder)
    if outcome is None:
        return
    forget_shipped()
    if outcome.finished:
        typer.echo(say.FINISHED(folder=folder, title=outcome.title), err=True)
    else:
        typer.echo(say.DROPPED(folder=folder), err=True)


def find_label(taxonomy: Taxonomy, name: str) -> Label:
    """Return the label with a name, an alias or an id; an unknown one ends the command."""
    with problems_shown():
        return named(taxonomy, name)


def named(taxonomy: Taxonomy, name: str) -> Label:
    """Return the label with a name, an alias or an id; LookupError for an unknown one."""
    is_id = name.isascii() and name.isdecimal()
    return taxonomy.by_id(int(name)) if is_id else taxonomy.label(name)
