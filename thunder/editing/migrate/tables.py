"""Label maps and saved figures: JSON and CSV that name labels, brought up to date.

A JSON file whose values are all texts is a label map (raw name → label): its values are names of
labels. In any other JSON file the keys are, and the values under ``label``. In a CSV file they
stand in the column ``label``, or in the first.

Where two labels have become one, counts are added up; any other figure cannot be worked out from
the two and becomes empty: it is to be measured again.
"""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

from thunder.editing import messages as say
from thunder.editing.migrate.history import History
from thunder.editing.migrate.json_layout import String, loaded, rewritten
from thunder.editing.migrate.lists import difference
from thunder.editing.migrate.record import Done, Plan
from thunder.settings.journal import Change
from thunder.settings.yamlfile import Problem, YamlFileError, decoded

COUNTS = frozenset(
    [
        *("hits", "extra", "missed", "number", "whole", "exact", "tp", "fp", "fn"),
        *("count", "counts", "support", "documents", "spans", "mentions", "tokens", "characters"),
    ]
)


def plan(path: Path, history: History) -> Plan:
    """Return what is to be done in a ``.json`` or ``.csv`` file; a broken one is a problem."""
    content = path.read_bytes()
    names = _Names(path, history)
    try:
        text = decoded(path, content)
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        work = _json if path.suffix == ".json" else _csv
        new = mark + work(text.removeprefix(mark), names)
    except YamlFileError as error:
        return Plan(problems=error.problems)
    except json.JSONDecodeError as error:
        return Plan(problems=(Problem(path, error.lineno, say.NOT_JSON(why=error.msg)),))
    except ValueError as error:
        return Plan(problems=(Problem(path, 1, say.UNREADABLE(why=error)),))
    change = Change(path, content, new.encode())
    shown = tuple(difference(change)) if new != text else ()
    return Plan((change,), names.done(), shown)


@dataclass
class _Names:
    """The names met in one file, and what is said of them."""

    path: Path
    history: History
    met: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def now(self, name: str, what: str) -> str:
        """Return what to write for *name*, which is counted as *what*."""
        fate = self.history.fate(name)
        if fate is None:
            return name
        if not fate.name:
            self.met[name, "", say.LEFT_GONE(what=what)] += 1
        elif fate.undecided:
            others = ", ".join(fate.undecided)
            self.met[name, fate.name, say.BEFORE_SPLIT(what=what, others=others)] += 1
        else:
            self.met[name, fate.name, what] += 1
        return fate.name or name

    def name(self, name: str) -> str:
        """Return what to write for *name*, which is not counted."""
        fate = self.history.fate(name)
        return fate.name or name if fate else name

    def note(self, name: str, what: str) -> None:
        """Count something that was done with the values of a label."""
        self.met[name, "", what] += 1

    def done(self) -> tuple[Done, ...]:
        found = []
        for (was, now, what), times in self.met.items():
            owner = self.history.owner(was)
            number = self.history.last(owner, self.history.settled(owner)) if owner else 0
            found.append(Done(self.path, was, now if now != was else "", what, times, number))
        return tuple(found)


# --- JSON ---------------------------------------------------------------------------------------


def _json(text: str, names: _Names) -> str:
    data = loaded(text)
    is_map = (
        isinstance(data, dict) and data and all(isinstance(value, str) for value in data.values())
    )
    if is_map:
        new: Any = {key: names.now(value, "values") for key, value in data.items()}
    else:
        new = _renamed(data, names)

    def now(string: String) -> str:
        concerned = not string.is_key if is_map else string.is_key or string.key == "label"
        return names.name(string.value) if concerned else string.value

    return rewritten(text, new, now)


def _renamed(data: Any, names: _Names, *, key: str = "") -> Any:
    if isinstance(data, list):
        return [_renamed(value, names, key=key) for value in data]
    if isinstance(data, str):
        return names.now(data, "values") if key == "label" else data
    if not isinstance(data, dict):
        return data
    new: dict[str, Any] = {}
    for old, value in data.items():
        name = names.now(old, "keys")
        below = _renamed(value, names, key=old)
        new[name] = _both(name, new[name], below, names) if name in new else below
    return new


def _both(name: str, one: Any, other: Any, names: _Names, *, key: str = "") -> Any:
    """Return the figures of two labels that are one by now."""
    if isinstance(one, dict) and isinstance(other, dict):
        every = dict.fromkeys([*one, *other])
        return {k: _both(name, one.get(k), other.get(k), names, key=k) for k in every}
    if one == other and isinstance(one, str):
        return one
    if key in COUNTS and isinstance(one, int) and isinstance(other, int):
        names.note(name, say.ADDED_UP())
        return one + other
    names.note(name, say.MEASURE_AGAIN())
    return None


# --- CSV ----------------------------------------------------------------------------------------


def _csv(text: str, names: _Names) -> str:
    rows = _rows(text, names.path)
    if not rows:
        return text
    head = int("label" in rows[0])
    column = rows[0].index("label") if head else 0
    before = Counter(row[column] for row in rows[head:] if len(row) > column)
    new = rows[:head]
    first: dict[str, tuple[int, str]] = {}  # by name: its row in new, and the name it had
    for row in rows[head:]:
        old = row[column] if len(row) > column else ""
        name = names.now(old, "rows")
        place, other = first.setdefault(name, (len(new), old))
        row = [*row[:column], name, *row[column + 1 :]] if old else row
        if other != old and before[old] == before[other] == 1:
            new[place] = _both_rows(rows[0], new[place], row, column, names)
        else:
            new.append(row)
    return text if new == rows else _written(text, rows, new)


def _rows(text: str, path: Path) -> list[list[str]]:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        return list(reader)
    except csv.Error as error:
        raise YamlFileError([Problem(path, reader.line_num, say.NOT_CSV(why=error))]) from None


def _both_rows(
    head: Sequence[str], one: Sequence[str], other: Sequence[str], column: int, names: _Names
) -> list[str]:
    """Return the rows of two labels that are one by now as one row."""
    found = []
    for at, (left, right) in enumerate(zip_longest(one, other, fillvalue="")):
        if at == column:
            found.append(left)
            continue
        key = head[at] if at < len(head) else ""
        both = _both(one[column], _figure(left), _figure(right), names, key=key)
        found.append("" if both is None else str(both))
    return found


def _figure(cell: str) -> int | float | str:
    """Return the number in a cell, or the cell."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(cell)
    return cell


def _written(text: str, rows: Sequence[Sequence[str]], new: Sequence[Sequence[str]]) -> str:
    """Return *new* quoted as *text* quotes *rows*; only where needed, if that is unusual."""
    end = "\r\n" if "\r\n" in text else "\n"
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC):
        if _as_csv(rows, quoting, end).rstrip() == text.rstrip():
            return _as_csv(new, quoting, end).rstrip() + text[len(text.rstrip()) :]
    return _as_csv(new, csv.QUOTE_MINIMAL, end)


def _as_csv(rows: Sequence[Sequence[str]], quoting: Any, end: str) -> str:
    out = StringIO()
    csv.writer(out, quoting=quoting, lineterminator=end).writerows(rows)
    return out.getvalue()
