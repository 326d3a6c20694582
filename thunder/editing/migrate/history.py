"""What became of a label's name: from the migrations, for everything that stores names.

A name stays that of one id for good (``migrations.misfits`` sees to it), so following a name to
its id and the id to its present name gives the same again when done twice.
"""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from thunder.taxonomy.migrations import Migration


class Fate(NamedTuple):
    """What a name has become.

    ``name`` is what to write now ("" where the label went away and nothing took over), ``id`` the
    label's, ``number`` the last migration that had a say. ``undecided`` names the labels it may
    also be since a split, where nothing but a person can tell.
    """

    name: str
    id: int
    number: int
    undecided: tuple[str, ...] = ()


class _Step(NamedTuple):
    """One merge or split, as it moves an id."""

    number: int
    into: int
    rules: dict[str, int]
    parts: tuple[int, ...]

    def taken(self, number: int, mention: str | None) -> int:
        if number != self.number:
            return number
        return self.into if mention is None else self.rules.get(mention, self.into)


class History:
    """What became of every label that *migrations*, from the first on, have touched."""

    def __init__(self, migrations: Sequence[Migration]) -> None:
        self.migrations = tuple(migrations)
        self.names: dict[int, str] = {}
        self.places: dict[int, str] = {}
        self._owners: dict[str, int] = {}
        self._aliases: set[str] = set()
        self._retired: set[int] = set()
        self._steps: list[_Step] = []
        for migration in self.migrations:
            self._take(migration)

    def owner(self, name: str) -> int | None:
        """Return the id whose name this is or was, None where no migration has touched it."""
        return self._owners.get(name)

    def is_alias(self, name: str) -> bool:
        """Return whether *name* was but another name of its label."""
        return name in self._aliases

    def is_retired(self, number: int) -> bool:
        """Return whether the label went away and nothing took over."""
        return number in self._retired

    def fate(self, name: str, *, mention: str | None = None) -> Fate | None:
        """Return what a stored *name* is to become, None where it stays and needs no word.

        *mention* is what it marks, where that is known: a split may have given it to a new label.
        """
        owner = self._owners.get(name)
        if owner is None:
            return None
        number = self.settled(owner, mention=mention)
        if number in self._retired:
            return Fate("", number, self.last(owner, number))
        undecided = self._undecided(owner, mention)
        if name in self._aliases and number == self.settled(owner):
            # Another name of the label, which still is one: it says the same as ever.
            return Fate(name, number, self.last(owner, number), undecided) if undecided else None
        if name == self.names[number] and not undecided:
            return None
        return Fate(self.names[number], number, self.last(owner, number), undecided)

    def settled(self, number: int, *, mention: str | None = None) -> int:
        """Return the id that *number* has become, the same again for that id.

        A split may hand a mention on to a label that was merged away: followed until it stays.
        """
        known = None if mention is None else _plain(mention)
        seen: list[int] = []
        while number not in seen:
            seen.append(number)
            for step in self._steps:
                number = step.taken(number, known)
        return number

    def part_of(self, number: int, mention: str) -> int | None:
        """Return the id to which a split gave *mention* of label *number*, None for the label."""
        settled = self.settled(number, mention=mention)
        return None if settled == self.settled(number) else settled

    def _take(self, migration: Migration) -> None:
        label = migration.label
        for one in (label, migration.into, *(part.label for part in migration.parts)):
            if one is not None:
                self.names[one.id], self.places[one.id] = one.ko, one.at
                self._name(one.ko, one.id)
        for alias in migration.aliases:
            if alias not in self._owners:
                self._owners[alias] = label.id
                self._aliases.add(alias)
        if migration.operation in ("rename", "split"):
            self.names[label.id] = migration.to
            self._name(migration.to, label.id)
        elif migration.operation == "move":
            self.places[label.id] = migration.to
        elif migration.operation == "retire":
            self._retired.add(label.id)
        if migration.operation in ("merge", "split"):
            self._steps.append(_step(migration))

    def _name(self, name: str, number: int) -> None:
        """Note a label's name: it is that for good, whosever alias it was before."""
        if name in self._aliases or name not in self._owners:
            self._owners[name] = number
            self._aliases.discard(name)

    def _undecided(self, number: int, mention: str | None) -> tuple[str, ...]:
        """Return the labels that a split took off *number*, unless it gave *mention* to one."""
        known = None if mention is None else _plain(mention)
        parts: dict[int, None] = {}
        for step in self._steps:
            if number == step.number and number == step.taken(number, known):
                parts |= dict.fromkeys(map(self.settled, step.parts))
            number = step.taken(number, known)
        return tuple(self.names[part] for part in parts if part not in self._retired | {number})

    def last(self, *numbers: int) -> int:
        """Return the number of the last migration that touched one of these labels."""
        return max(
            migration.number
            for migration in self.migrations
            for one in (migration.label, migration.into, *(part.label for part in migration.parts))
            if one is not None and one.id in numbers
        )


def _step(migration: Migration) -> _Step:
    number, parts = migration.label.id, migration.parts
    rules = {_plain(mention): part.label.id for part in parts for mention in part.mentions}
    into = migration.into.id if migration.into else number
    return _Step(number, into, rules, tuple(part.label.id for part in parts))


def _plain(mention: str) -> str:
    return unicodedata.normalize("NFC", mention).strip()
