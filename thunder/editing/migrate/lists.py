"""Replacement lists: files named after labels are renamed, moved and merged as the labels were."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from thunder.editing import messages as say
from thunder.editing.migrate.history import History
from thunder.editing.migrate.record import Done, Plan
from thunder.editing.migrate.rules import merged_rule, with_label
from thunder.settings.journal import Change
from thunder.settings.yamlfile import Problem, YamlFileError, decoded

PARTS = "parts"
_SUFFIXES = (".txt", ".yaml")
_HEADERS = ("# source:", "# licence:")


class _File(NamedTuple):
    """One list or rule file of a label that migrations have touched, and where it belongs."""

    path: Path
    name: str
    number: int
    target: Path
    is_own: bool  # not of a label that went into this one

    @property
    def stem(self) -> Path:
        return self.path.with_suffix("")

    @property
    def is_list(self) -> bool:
        return self.path.suffix == ".txt"


def is_lists_folder(folder: Path) -> bool:
    """Return whether *folder* holds replacement lists: label files in folders of folders."""
    return any(len(path.relative_to(folder).parts) == 3 for path in _label_files(folder))


def plan(root: Path, history: History, places: Mapping[int, str]) -> Plan:
    """Return what is to be done in the folder of lists *root*.

    *places* says where the lists of a label stand by now (``D.2.7-businesses/외식업``), by id; for
    ids that are not in it, the last migration does. What a label that went away was filled with,
    by a list or a rule, its successor is filled with too.
    """
    work = _Work(root, history, places)
    try:
        work.run()
    except YamlFileError as error:
        work.problems += error.problems
    if work.problems:
        return Plan(problems=tuple(work.problems))
    changes = [
        Change(path, work.before.get(path), None if text is None else text.encode())
        for path, text in work.after.items()
    ]
    shown = [line for change in changes for line in difference(change)]
    return Plan(tuple(changes), tuple(work.done), tuple(shown))


def difference(change: Change) -> Iterator[str]:
    """Yield a change of a text file as lines of a unified diff."""
    old, new = ((text or b"").decode().splitlines() for text in (change.before, change.after))
    was = "(no file)" if change.before is None else str(change.path)
    now = "(no file)" if change.after is None else str(change.path)
    yield from unified_diff(old, new, was, now, n=1, lineterm="")


def _label_files(root: Path) -> list[Path]:
    return [
        path
        for suffix in _SUFFIXES
        for path in sorted(root.glob(f"*/*/*{suffix}"))
        if path.relative_to(root).parts[0] != PARTS
    ]


@dataclass
class _Work:
    """The files of one folder while it is worked out what becomes of them."""

    root: Path
    history: History
    places: Mapping[int, str]
    before: dict[Path, bytes] = field(default_factory=dict)
    after: dict[Path, str | None] = field(default_factory=dict)
    done: list[Done] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def run(self) -> None:
        files = [file for path in _label_files(self.root) for file in self.touched(path)]
        for target in dict.fromkeys(file.target for file in files):
            self.bring(target, [file for file in files if file.target == target])
        for file in files:
            if file.is_list:
                self.hand_on(file)

    def touched(self, path: Path) -> Iterator[_File]:
        """Yield the file if migrations have touched its label."""
        name = unicodedata.normalize("NFC", path.stem)
        owner = self.history.owner(name)
        if owner is None or self.history.is_alias(name):
            return
        number = self.history.settled(owner)
        if self.history.is_retired(number):
            self.remove(path, name, number)
            return
        place = self.place(number) or str(path.parent.relative_to(self.root))
        target = self.root / place / self.history.names[number]
        yield _File(path, name, number, target, owner == number)

    def place(self, number: int) -> str:
        return self.places.get(number) or self.history.places.get(number, "")

    def remove(self, path: Path, name: str, number: int) -> None:
        lines = len(self.text(path).splitlines())
        self.after[path] = None
        self.note(path, name, "", say.LINES_AWAY(), lines, number)

    def bring(self, target: Path, files: Sequence[_File]) -> None:
        """Have one file at *target* (without its suffix) of all that belong there."""
        files = sorted(files, key=lambda file: (file.stem != target, not file.is_own))
        suffix = ".txt" if all(file.is_list for file in files) else ".yaml"
        goal = target.with_name(target.name + suffix)
        if [file.path for file in files] == [goal] and not self.is_misnamed(goal):
            return
        text = self.merged(files, target.name)
        for file in files:
            self.after[file.path] = None
            if file.path != goal:
                what, times = self.said(file)
                self.note(file.path, file.name, target.name, what, times, file.number)
        self.after[goal] = text

    def merged(self, files: Sequence[_File], label: str) -> str:
        """Return what all *files* hold as one list or, if one is a rule, as a rule."""
        path, text = files[0].path, self.text(files[0].path)
        if path.suffix == ".yaml":
            text = with_label(path, text, label)
        for file in files[1:]:
            more = self.text(file.path)
            if path.suffix == ".txt" and file.is_list:
                text = merged_list(text, more)
            else:
                text = merged_rule((path, text), (file.path, more), label)
                path = path.with_suffix(".yaml")
        return text

    def is_misnamed(self, path: Path) -> bool:
        """Return whether a rule file gives another label's name than its own."""
        if path.suffix != ".yaml":
            return False
        text = self.text(path)
        return with_label(path, text, unicodedata.normalize("NFC", path.stem)) != text

    def said(self, file: _File) -> tuple[str, int]:
        if file.is_list:
            return say.MENTIONS(), len(_mentions(self.text(file.path)))
        return say.RULE_FILE(), 1

    def hand_on(self, file: _File) -> None:
        """Give the mentions that a split gave to another label to that label's list."""
        path = file.target.with_name(f"{file.target.name}.txt")
        text = self.after.get(path) or (self.text(path) if path.exists() else "")
        given: dict[int, list[str]] = {}
        for mention in _mentions(text):
            part = self.history.part_of(file.number, mention)
            if part is not None and not self.history.is_retired(part):
                given.setdefault(part, []).append(mention)
        for part, mentions in given.items():
            if self.give(part, mentions, like=text):
                text = _without(text, mentions)
                name = self.history.names[part]
                self.note(path, file.target.name, name, say.MENTIONS(), len(mentions), part)
        if given:
            self.after[path] = text

    def give(self, part: int, mentions: Sequence[str], *, like: str) -> bool:
        """Add mentions to the list of a label, made *like* another; False where it has a rule."""
        path = self.root / self.place(part) / f"{self.history.names[part]}.txt"
        if path.with_suffix(".yaml").exists():
            self.note(path, path.stem, "", say.NOT_HANDED_ON(), 1, part)
            return False
        known = self.after.get(path) or (self.text(path) if path.exists() else "")
        text = known or "".join(f"{line}\n" for line in _header(like) if "# world" not in line)
        self.after[path] = merged_list(text, "".join(f"{mention}\n" for mention in mentions))
        return True

    def note(self, path: Path, was: str, now: str, what: str, times: int, number: int) -> None:
        self.done.append(Done(path, was, now, what, times, self.history.last(number)))

    def text(self, path: Path) -> str:
        if path not in self.before:
            self.before[path] = path.read_bytes()
        return decoded(path, self.before[path])


def merged_list(first: str, second: str) -> str:
    """Return a list with the mentions of two, each once, and the sources and licences of both."""
    header, mentions = _header(first), _mentions(first)
    more = [line for line in _header(second) if line.startswith(_HEADERS) and line not in header]
    every = dict.fromkeys([*mentions, *_mentions(second)])
    return "".join(f"{line}\n" for line in (*header, *more, *every))


def _header(text: str) -> list[str]:
    return [line for line in _lines(text) if line.startswith("#")]


def _mentions(text: str) -> list[str]:
    return [line for line in _lines(text) if line and not line.startswith("#")]


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def _without(text: str, mentions: Iterable[str]) -> str:
    gone = set(mentions)
    kept = (line for line in text.splitlines(keepends=True) if line.rstrip("\r\n") not in gone)
    return "".join(kept)
