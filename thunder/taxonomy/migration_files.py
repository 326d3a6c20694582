"""Migrations on disk: ``taxonomy/migrations/NNNN-….yaml`` read strictly, and written."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.nodes import Node

from thunder.settings.yamlblocks import dumped
from thunder.settings.yamlfile import Problem, Reader, YamlFileError, line_of
from thunder.taxonomy import messages as say
from thunder.taxonomy.file import Reading
from thunder.taxonomy.migrations import (
    Migration,
    Part,
    Placed,
    misfits,
    names_after,
    names_digest,
)
from thunder.taxonomy.own import shipped
from thunder.taxonomy.records import Taxonomy

FOLDER = "migrations"
START = "start.sha256"
"""The ``names_digest`` with which a taxonomy of one's own began: nobody renames by hand unseen."""

COMMON = ("number", "date", "operation", "label", "version", "before", "after")
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "add": (),
    "rename": ("to",),
    "merge": ("into",),
    "split": ("to", "new"),
    "move": ("to",),
    "retire": ("reason",),
}
OPTIONAL: Mapping[str, tuple[str, ...]] = {"split": ("aliases",), "retire": ("aliases",)}
PLACED = ("id", "ko", "at")
_FILE_NAME = re.compile(r"(\d{4,})-[^/]+\.yaml")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class MigrationError(YamlFileError):
    """Everything wrong with a folder of migrations, a line each: ``file:line: what``."""


def read(folder: Path) -> tuple[Migration, ...]:
    """Return the migrations of a taxonomy *folder* in order, none where there is no such folder.

    MigrationError lists what is wrong by file and line: unknown keys, gaps in the numbers, one
    that does not follow the one before it.
    """
    files, problems = _files(folder / FOLDER)
    found = []
    for path in files:
        reader = _MigrationReader(path)
        found.append(reader.migration())
        problems += reader.problems
    if not problems:
        problems = [
            Problem(files[place], _line_of_key(files[place], key), message)
            for place, key, message in misfits(found)
        ]
    if problems:
        raise MigrationError(problems)
    return tuple(found)


def require_fit(folder: Path, migrations: Sequence[Migration], taxonomy: Taxonomy) -> None:
    """Raise MigrationError where the labels are not those that the last migration left."""
    if not migrations:
        _require_start(folder, taxonomy)
        return
    if migrations[-1].after == names_digest(taxonomy):
        return
    if migrations[0].before == names_digest(shipped()):
        before = names_after(migrations, {one.id: one.ko for one in shipped()})
        if problems := _by_hand(folder, before, taxonomy):
            raise MigrationError(problems)
    path = _files(folder / FOLDER)[0][-1]
    message = say.CHANGED_SINCE(folder=folder)
    raise MigrationError([Problem(path, _line_of_key(path, "after"), message)])


def _require_start(folder: Path, taxonomy: Taxonomy) -> None:
    """Raise MigrationError where labels that no command has edited yet are not as they began."""
    path = folder / FOLDER / START
    if not path.is_file() or path.read_text("utf-8").strip() == names_digest(taxonomy):
        return
    if path.read_text("utf-8").strip() != names_digest(shipped()):
        raise MigrationError([Problem(path, 1, say.CHANGED_BY_HAND())])
    before = {one.id: one.ko for one in shipped()}
    problems = _by_hand(folder, before, taxonomy)
    raise MigrationError(problems or [Problem(path, 1, say.CHANGED_BY_HAND())])


def _by_hand(folder: Path, before: Mapping[int, str], taxonomy: Taxonomy) -> list[Problem]:
    """Return the labels that are not called as *before*, each where it stands."""
    now = {one.id: one.ko for one in taxonomy}
    return [
        Problem(
            *_place(folder, number),
            say.NAMED_BY_HAND(
                was=before.get(number) or say.NOBODY(), now=now.get(number) or say.NOBODY()
            ),
        )
        for number in sorted(before.keys() | now.keys())
        if before.get(number) != now.get(number)
    ]


def _place(folder: Path, number: int) -> tuple[Path, int]:
    """Return the file and line of a label, those of the retired where it is none."""
    reading = Reading(folder)
    reading.taxonomy()
    place = reading.places.get(number)
    return (place.path, place.line) if place else (folder / "retired.yaml", 1)


def text_of(migration: Migration) -> str:
    """Return the content of a migration's file."""
    data = CommentedMap()
    for key, value in _values(migration).items():
        data[key] = value
    return f"# {migration.title}. Written by thunder taxonomy: not to be edited.\n{dumped(data)}"


# --- reading ------------------------------------------------------------------------------------


class _MigrationReader(Reader):
    """One migration's file."""

    def migration(self) -> Migration:
        operation = self.operation()
        found = self.mapping(
            self.root,
            required=(*COMMON, *ARGUMENTS.get(operation, ())),
            known=OPTIONAL.get(operation, ()),
        )
        number = self.integer(found.get("number"))
        self.check_number(found.get("number"), number)
        return Migration(
            number=number,
            date=self.matching(found.get("date"), _DATE, say.A_DATE()),
            operation=operation,
            label=self.placed(found.get("label")),
            version=self.integer(found.get("version")),
            before=self.matching(found.get("before"), _DIGEST, say.A_DIGEST()),
            after=self.matching(found.get("after"), _DIGEST, say.A_DIGEST()),
            to=self.text(found.get("to")),
            into=self.placed(found["into"]) if "into" in found else None,
            parts=tuple(self.part(node) for node in self.sequence(found.get("new"))),
            aliases=tuple(self.texts(found.get("aliases"))),
            reason=self.text(found.get("reason")),
        )

    def operation(self) -> str:
        """Return which of ARGUMENTS this is, "" where that cannot be told."""
        silent = Reader(self.path)
        node = silent.mapping(silent.root).get("operation")
        operation = self.text(node, choices=ARGUMENTS)
        return operation if operation in ARGUMENTS else ""

    def check_number(self, node: Node | None, number: int) -> None:
        if node is not None and f"{number:04}" != self.path.name.partition("-")[0]:
            self.refuse(node, say.OTHER_NUMBER(number=number, name=self.path.name))

    def matching(self, node: Node | None, pattern: re.Pattern[str], what: str) -> str:
        value = self.text(node)
        if node is not None and value and not pattern.fullmatch(value):
            self.refuse(node, say.IS_NOT(value=value[:40], what=what))
        return value

    def placed(self, node: Node | None) -> Placed:
        found = self.mapping(node, required=PLACED)
        values = (found.get(key) for key in ("ko", "at"))
        return Placed(self.integer(found.get("id")), *map(self.text, values))

    def part(self, node: Node) -> Part:
        found = self.mapping(node, required=PLACED, known=("mentions",))
        values = (self.text(found.get(key)) for key in ("ko", "at"))
        label = Placed(self.integer(found.get("id")), *values)
        return Part(label, tuple(self.texts(found.get("mentions"))))


def _files(folder: Path) -> tuple[list[Path], list[Problem]]:
    """Return the files in order of their numbers, and what is wrong with their names."""
    problems, found = [], []
    for path in sorted(folder.glob("*.yaml")):
        name = _FILE_NAME.fullmatch(path.name)
        if name:
            found.append((int(name[1]), path))
        else:
            problems.append(Problem(path, 1, say.MIGRATION_NAME()))
    for expected, (number, path) in enumerate(sorted(found), 1):
        if number != expected:
            message = say.OUT_OF_ORDER(number=number, expected=expected)
            problems.append(Problem(path, 1, message))
            break
    return [path for _, path in sorted(found)], problems


def _line_of_key(path: Path, key: str) -> int:
    reader = Reader(path)
    node = reader.mapping(reader.root).get(key)
    return line_of(node) if node is not None else 1


# --- writing ------------------------------------------------------------------------------------


def _values(migration: Migration) -> dict[str, object]:
    values: dict[str, object] = {
        "number": migration.number,
        "date": migration.date,
        "operation": migration.operation,
        "label": _placed(migration.label),
    }
    if migration.to:
        values["to"] = migration.to
    if migration.into:
        values["into"] = _placed(migration.into)
    if migration.parts:
        values["new"] = [_part(part) for part in migration.parts]
    values |= {key: getattr(migration, key) for key in ("aliases", "reason")}
    values["aliases"] = list(migration.aliases)
    values |= {key: getattr(migration, key) for key in ("version", "before", "after")}
    return {key: value for key, value in values.items() if value not in ("", [])}


def _placed(label: Placed) -> CommentedMap:
    data = CommentedMap(id=label.id, ko=label.ko, at=label.at)
    data.fa.set_flow_style()
    return data


def _part(part: Part) -> dict[str, object]:
    data: dict[str, object] = {"id": part.label.id, "ko": part.label.ko, "at": part.label.at}
    return data | ({"mentions": list(part.mentions)} if part.mentions else {})
