"""Migrations: the numbered record of how the labels changed, and what it means for rows of a head.

They are written by the commands of ``thunder.editing.edit`` and read by ``migration_files``;
``thunder.editing.migrate.history`` says what became of a name.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thunder.taxonomy import messages as say
from thunder.taxonomy.records import Taxonomy


@dataclass(frozen=True, slots=True)
class Placed:
    """A label as it was at a migration: its id, name, and place (``D.2.7-businesses/외식업``)."""

    id: int
    ko: str
    at: str


@dataclass(frozen=True, slots=True)
class Part:
    """A label that came out of a split, and the mentions that are known to be its."""

    label: Placed
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of the labels.

    ``label`` is the one it is about, as it was before (after, for an added one). ``to`` is its
    name after a rename or split, its place after a move; ``into`` the label it was merged into;
    ``parts`` the labels split off; ``aliases`` the other names it had. ``before`` and ``after``
    are :func:`names_digest`, ``version`` the taxonomy's afterwards.
    """

    number: int
    date: str
    operation: str
    label: Placed
    version: int
    before: str
    after: str
    to: str = ""
    into: Placed | None = None
    parts: tuple[Part, ...] = ()
    aliases: tuple[str, ...] = ()
    reason: str = ""

    @property
    def file_name(self) -> str:
        """The name of its file: number, operation and ids, which never change."""
        ids = f"{self.label.id}-into-{self.into.id}" if self.into else f"{self.label.id}"
        return f"{self.number:04}-{self.operation}-{ids}.yaml"

    @property
    def title(self) -> str:
        """What it does, in a few words."""
        return f"{self.number:04} {self.operation} {self.subject}"

    @property
    def subject(self) -> str:
        """The label, and what became of it: 병원 → 의료원이름."""
        goals = [self.into.ko if self.into else self.to, *(part.label.ko for part in self.parts)]
        more = f" → {', '.join(goals)}" if goals[0] else ""
        return f"{self.label.ko}{more}"


def names_digest(taxonomy: Taxonomy) -> str:
    """Return the SHA-256 (hex) of the ids, the names they have and where retired ones went.

    Translations, treatments, aliases and places do not count: no stored label depends on them.
    """
    content = {
        "labels": {label.id: label.ko for label in taxonomy},
        "retired": {
            number: [name, taxonomy.successors.get(number)]
            for number, name in sorted(taxonomy.retired.items())
        },
    }
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


def since(migrations: Sequence[Migration], digest: str) -> tuple[Migration, ...]:
    """Return the migrations behind the state with this :func:`names_digest`.

    LookupError where no migration begins or ends there.
    """
    for reached in range(len(migrations), 0, -1):
        if migrations[reached - 1].after == digest:
            return tuple(migrations[reached:])
    if migrations and migrations[0].before == digest:
        return tuple(migrations)
    raise LookupError(f"no migration begins or ends at the labels {digest[:16]}")


def new_rows(migrations: Sequence[Migration]) -> dict[int, int | None]:
    """Return the ids that *migrations* gave out, each with the one it was split off, or None."""
    rows: dict[int, int | None] = {}
    for migration in migrations:
        if migration.operation == "add":
            rows[migration.label.id] = None
        rows |= {part.label.id: migration.label.id for part in migration.parts}
    return rows


class Misfit(NamedTuple):
    """What does not fit in a chain of migrations: which one (from 0), its key, and why."""

    place: int
    key: str
    message: str


def misfits(migrations: Sequence[Migration]) -> list[Misfit]:
    """Return where a migration does not follow from those before it."""
    found = []
    state = _State()
    after = migrations[0].before if migrations else ""
    for index, migration in enumerate(migrations):
        if migration.before != after:
            message = say.DOES_NOT_FOLLOW(number=migration.number - 1)
            found.append(Misfit(index, "before", message))
        found += [Misfit(index, "label", message) for message in state.refusals(migration)]
        state.take(migration)
        after = migration.after
    return found


def names_after(migrations: Sequence[Migration], before: Mapping[int, str]) -> dict[int, str]:
    """Return what the labels are called by their ids, which were called *before* all migrations."""
    state = _State()
    for migration in migrations:
        state.take(migration)
    return {id_: ko for id_, ko in ({**before, **state.names}).items() if id_ not in state.gone}


class _State:
    """The labels that the migrations so far have named: what they are called, and who had a name.

    Only what migrations say is known here; a label that none has touched is not.
    """

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.owners: dict[str, int] = {}
        self.gone: dict[int, int] = {}

    def refusals(self, migration: Migration) -> list[str]:
        """Return what cannot be: a label that is gone or called otherwise, a name of another."""
        found = []
        fresh = [part.label for part in migration.parts]
        known = [migration.label, *([migration.into] if migration.into else [])]
        if migration.operation == "add":
            fresh, known = [migration.label], []
        for label in known:
            found += self._known(label)
        for label in fresh:
            if label.id in self.names:
                found.append(say.ID_GIVEN(number=label.id))
        names = [(label.ko, label.id) for label in (*known, *fresh)]
        if migration.operation in ("rename", "split"):
            names.append((migration.to, migration.label.id))
        return found + [
            say.NAME_WAS(name=name, owner=self.owners[name], number=number)
            for name, number in names
            if self.owners.get(name, number) != number
        ]

    def _known(self, label: Placed) -> list[str]:
        if label.id in self.gone:
            return [say.WENT_AWAY(number=label.id, migration=self.gone[label.id])]
        name = self.names.get(label.id, label.ko)
        return (
            [] if name == label.ko else [say.NOW_CALLED(number=label.id, name=name, was=label.ko)]
        )

    def take(self, migration: Migration) -> None:
        """Note what is so after *migration*."""
        labels = [migration.label, *(part.label for part in migration.parts)]
        for label in (*labels, *([migration.into] if migration.into else [])):
            self.names[label.id] = label.ko
            self.owners.setdefault(label.ko, label.id)
        if migration.operation in ("rename", "split"):
            self.names[migration.label.id] = migration.to
            self.owners.setdefault(migration.to, migration.label.id)
        if migration.operation in ("merge", "retire"):
            self.gone[migration.label.id] = migration.number
