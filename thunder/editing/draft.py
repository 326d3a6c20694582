"""A taxonomy folder as it would be after an edit: texts changed so far, over the files on disk."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from thunder.editing import messages as say
from thunder.settings.journal import Change
from thunder.settings.yamlblocks import (
    Steps,
    Value,
    child,
    item_lines,
    node_at,
    number_replaced,
    with_item,
    without_item,
)
from thunder.settings.yamlfile import decoded, line_of, set_in_text
from thunder.taxonomy import migration_files
from thunder.taxonomy.file import WRITTEN_ORDER, Place, Reading
from thunder.taxonomy.migrations import Migration
from thunder.taxonomy.records import Label, Subcategory, Taxonomy

_COUNTS = re.compile(r"(\d+) labels? in (\d+) granular categor(?:y|ies)")
_ALL_COUNTS = re.compile(r"(\d+) granular categories, (\d+) labels\b")
_MARK = "\ufeff"


class Read(NamedTuple):
    """A taxonomy that was read, and where each of its labels stands."""

    taxonomy: Taxonomy
    places: dict[int, Place]


class Draft:
    """The texts of a *folder* while it is being changed; nothing is written here.

    ``start`` is the taxonomy before. Between two steps of an edit the folder may be wrong, so
    labels are looked up by their ids in the text alone; :meth:`read` reads all of it strictly.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._before: dict[Path, bytes | None] = {}
        self._texts: dict[Path, str] = {}
        self.start = self.read()

    def text(self, path: Path) -> str:
        """Return the text of a file as it is by now, without a byte order mark."""
        if path not in self._texts:
            content = path.read_bytes()
            self._texts[path] = decoded(path, content)
            self._before[path] = content
        return self._texts[path].removeprefix(_MARK)

    def change(self, path: Path, text: str) -> None:
        """Have *text* in a file of the folder."""
        mark = _MARK if self.text(path) != self._texts[path] else ""
        self._texts[path] = mark + text

    def create(self, path: Path, text: str) -> None:
        """Have a new file in the folder."""
        self._before[path] = None
        self._texts[path] = text

    def read(self) -> Read:
        """Return the taxonomy as it is by now; TaxonomyError lists what is wrong with it."""
        texts = {path: text.removeprefix(_MARK) for path, text in self._texts.items()}
        reading = Reading(self.folder, replaced=texts)
        return Read(reading.taxonomy(), reading.places)

    def changes(self) -> list[Change]:
        """Return what every file touched was and becomes."""
        return [
            Change(path, before, self._texts[path].encode())
            for path, before in self._before.items()
        ]

    # --- labels ---------------------------------------------------------------------------------

    def set_key(self, number: int, key: str, value: str | Sequence[str]) -> None:
        """Set a key of the label with this id; an empty value takes it out."""
        path, steps = self._find(number)
        new = value if isinstance(value, str) else list(value)
        try:
            self.change(path, set_in_text(self.text(path), steps, key, new, order=WRITTEN_ORDER))
        except ValueError as error:
            line = line_of(node_at(self.text(path), steps))
            raise ValueError(f"{path}:{line}: {error}") from None

    def take_out(self, number: int) -> list[str]:
        """Take a label out of its file, with its category if that is empty then; return its lines.

        ValueError where its file would be left without a label.
        """
        path, steps = self._find(number)
        text, lines = without_item(self.text(path), steps)
        if not node_at(text, steps[:3]).value:
            text, _ = without_item(self.text(path), steps[:2])
        if not node_at(text, steps[:1]).value:
            raise ValueError(say.FILE_EMPTIED(path=path))
        self.change(path, text)
        return lines

    def put_in(self, code: str, category: str, lines: Sequence[str], *, behind: int = 0) -> None:
        """Put a label's lines into a category, behind the label with the id *behind* (0: last)."""
        path = self.file_of(code)
        steps = self._find(behind)[1] if behind else self._category(path, category)
        self.change(path, with_item(self.text(path), steps, lines))

    def put_category(self, code: str, ko: str, en: str, lines: Sequence[str]) -> None:
        """Put a new category with one label at the end of a subcategory's file."""
        path = self.file_of(code)
        head = item_lines({"ko": ko, "en": en})
        item = [*head, "  labels:", *("    " + line for line in lines)]
        self.change(path, with_item(self.text(path), ("categories",), item))

    def file_of(self, code: str) -> Path:
        """Return the file of the subcategory with this code."""
        taxonomy, places = self.start
        return next(places[label.id].path for label in taxonomy if label.code == code)

    def _find(self, number: int) -> tuple[Path, Steps]:
        """Return the file of a label, and the steps to it: its own file first, then the others."""
        paths = dict.fromkeys(place.path for place in self.start.places.values())
        for path in sorted(paths, key=lambda path: path not in self._texts):
            for steps, ids in _labels(self.text(path)):
                if number in ids:
                    return path, (*steps, ids.index(number))
        raise LookupError(say.NO_ID(number=number))

    def _category(self, path: Path, category: str) -> Steps:
        for steps, _ in _labels(self.text(path)):
            if node_at(self.text(path), (*steps[:2], "ko")).value == category:
                return steps
        raise LookupError(say.NO_CATEGORY_IN(path=path, category=category))

    # --- other files ----------------------------------------------------------------------------

    def retire(self, label: Label, *, reason: str, successor: int, lines: Sequence[str]) -> None:
        """List a label under ``retired:``, with the comments that stood in its *lines*."""
        entry: dict[str, Value] = {"id": label.id, "ko": label.ko, "reason": reason}
        if successor:
            entry["successor"] = successor
        comments = ["  " + line.strip() for line in lines if line.strip().startswith("#")]
        path = self.folder / "retired.yaml"
        item = item_lines(entry)
        self.change(path, with_item(self.text(path), ("retired",), [item[0], *comments, *item[1:]]))

    def add_to(self, name: str, key: str, values: dict[str, Value]) -> None:
        """Add an item to a list of one of the folder's files."""
        path = self.folder / name
        self.change(path, with_item(self.text(path), (key,), item_lines(values)))

    def add_source(self, key: str, text: str) -> None:
        """Add one to the sources in ``taxonomy.yaml``."""
        path = self.folder / "taxonomy.yaml"
        self.change(path, set_in_text(self.text(path), ("sources",), key, text))

    def count_up(self) -> None:
        """Count the version up, and correct the numbers in comments that were right before."""
        path = self.folder / "taxonomy.yaml"
        before, after = self.start.taxonomy, self.read().taxonomy
        text = number_replaced(self.text(path), ("version",), before.version + 1)
        old, new = ((len(one.categories), len(one)) for one in (before, after))
        self.change(path, _recounted(text, _ALL_COUNTS, old, new))
        for was, now in zip(before.subcategories, after.subcategories, strict=True):
            if _sizes(was) != _sizes(now):
                path = self.file_of(now.code)
                text = _recounted(self.text(path), _COUNTS, _sizes(was), _sizes(now))
                self.change(path, text)

    def record(self, migration: Migration) -> None:
        """Add a migration's file."""
        path = self.folder / migration_files.FOLDER / migration.file_name
        self.create(path, migration_files.text_of(migration))


def _labels(text: str) -> Iterator[tuple[Steps, list[int]]]:
    """Yield the steps to every list of labels in a file, and the ids in it."""
    for at, category in enumerate(node_at(text, ("categories",)).value):
        labels = child(category, "labels").value
        yield ("categories", at, "labels"), [int(child(label, "id").value) for label in labels]


def _sizes(sub: Subcategory) -> tuple[int, int]:
    return sum(len(category.labels) for category in sub.categories), len(sub.categories)


def _recounted(
    text: str, pattern: re.Pattern[str], old: tuple[int, int], new: tuple[int, int]
) -> str:
    """Return *text* with the counts in its first comment that says them."""
    found = pattern.search(text)
    if not found or not _in_comment(text, found.start()) or tuple(map(int, found.groups())) != old:
        return text
    said = (
        f"{new[0]} label{'s' * (new[0] != 1)} in {new[1]} granular categor"
        f"{'y' if new[1] == 1 else 'ies'}"
        if pattern is _COUNTS
        else f"{new[0]} granular categories, {new[1]} labels"
    )
    return text[: found.start()] + said + text[found.end() :]


def _in_comment(text: str, at: int) -> bool:
    return text[text.rfind("\n", 0, at) + 1 :].startswith("#")
