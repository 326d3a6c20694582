"""Stored label names brought up to date: documents, lists, label maps and figures.

A tagger's folder, a run's checkpoint and a dataset are left whole, and said: their hashes would not
fit any more, and they know labels by ids, which stay. What they call a label is followed when they
are opened.

What a file holds is told by its name (``.jsonl`` and ``.txt``: annotated documents; ``.json`` and
``.csv``: label maps and figures) and, for a folder, by what is in it. No mark of what was done is
kept anywhere: a name belongs to one id for good, so doing it again changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from thunder.editing import messages as say
from thunder.editing.migrate import lists, marks, tables
from thunder.editing.migrate.history import History
from thunder.editing.migrate.record import Done, Plan, together
from thunder.taxonomy.migrations import Migration

__all__ = ["Done", "History", "Plan", "plan", "together"]

_BY_SUFFIX: Mapping[str, Callable[[Path, History], Plan]] = {
    ".jsonl": marks.plan,
    ".txt": marks.plan,
    ".json": tables.plan,
    ".csv": tables.plan,
}


def plan(
    path: Path, migrations: Sequence[Migration], *, places: Mapping[int, str] | None = None
) -> Plan:
    """Return what *migrations* (all from the first on) do to a file or folder.

    *places* says, by id, where lists stand in a folder of them, as far as the taxonomy at hand
    knows. FileNotFoundError for a path that is not there, ValueError for a file of another kind
    or a folder with none.
    """
    history = History(migrations)
    if not path.is_dir():
        return _of_file(path, history)
    if lists.is_lists_folder(path):
        return lists.plan(path, history, places or {})
    whole = {one: what for one in (path, *path.rglob("*")) if (what := _whole(one))}
    files = [file for file in sorted(path.rglob("*")) if file.suffix in _BY_SUFFIX]
    apart = [file for file in files if whole.keys().isdisjoint((file, *file.parents))]
    if not files:
        raise ValueError(say.HOLDS_NOTHING(path=path, suffixes=", ".join(_BY_SUFFIX)))
    return together([Plan(left=tuple(whole.items())), *(_of_file(file, history) for file in apart)])


def _whole(folder: Path) -> str:
    """Return as what a folder is left whole, "" where it is not: it knows labels by their ids."""
    if (folder / "tagger.json").is_file():
        return "tagger"
    manifest = folder / "manifest.json"
    if manifest.is_file() and (folder / "state.json").is_file():
        return "checkpoint"
    if manifest.is_file() and b'"thunder-dataset ' in manifest.read_bytes():
        return "dataset"
    return ""


def _of_file(path: Path, history: History) -> Plan:
    inside = next((one for one in path.parents if _whole(one)), None)
    if inside and path.is_file():
        return Plan(left=((inside, _whole(inside)),))
    if path.suffix not in _BY_SUFFIX:
        raise ValueError(say.UNKNOWN_HOLD(path=path, suffixes=", ".join(_BY_SUFFIX)))
    return _BY_SUFFIX[path.suffix](path, history)
