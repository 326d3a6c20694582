"""Several files changed together or not at all: written aside, then renamed under a journal.

Everything new is first written into ``.thunder-edit`` of a root folder, then a journal beside it;
from then on the change is decided, and an interruption is made good by :func:`finish`. Before the
journal stands, an interruption has changed nothing.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from thunder.settings import yaml_messages as say

FOLDER = ".thunder-edit"
_JOURNAL = "journal.json"


class HalfApplied(ValueError):
    """A folder in which an edit was interrupted, or is under way."""


class Conflict(ValueError):
    """A file that is no longer what a change was planned for."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a file was and becomes, in bytes; None where there is no file."""

    path: Path
    before: bytes | None
    after: bytes | None


class Outcome(NamedTuple):
    """What became of an interrupted edit: its title, and whether it was finished or dropped."""

    title: str
    finished: bool


class _Step(NamedTuple):
    path: Path
    aside: Path
    before: str | None
    after: str | None

    @property
    def done(self) -> bool:
        return _digest(_read(self.path)) == self.after

    @property
    def possible(self) -> bool:
        whole = self.after is None or _digest(_read(self.aside)) == self.after
        return whole and _digest(_read(self.path)) == self.before


def commit(root: Path, changes: Iterable[Change], *, title: str) -> None:
    """Return once all *changes* are on disk; *title* names them to whoever finds them half done.

    *root* is a folder on the same disk. HalfApplied where another edit is unfinished, Conflict
    where a file is no longer as it was: both before anything has changed.
    """
    wanted = [change for change in changes if change.before != change.after]
    if not wanted:
        return
    place = root / FOLDER
    try:
        place.mkdir()
    except FileExistsError:
        raise HalfApplied(_unfinished(place)) from None
    try:
        steps = [_stage(place, number, change) for number, change in enumerate(wanted)]
        _require_as_planned(wanted)
        _write_journal(place, title, steps)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    _apply(place, steps)


def finish(root: Path) -> Outcome | None:
    """Return what became of an edit interrupted in *root*, None where there was none.

    It is finished where that can be done, dropped where it had changed nothing yet. HalfApplied
    where a file was changed by someone else meanwhile, and so neither is possible.
    """
    place = root / FOLDER
    if not place.is_dir():
        return None
    record = _read_journal(place)
    if record is None:
        begun = any(place.iterdir())  # an empty folder is left where all had been done
        shutil.rmtree(place)
        return Outcome("", finished=False) if begun else None
    title, steps = record
    odd = [step for step in steps if not (step.done or step.possible)]
    if not odd:
        _apply(place, steps)
        return Outcome(title, finished=True)
    if any(step.done for step in steps):
        raise HalfApplied(_stuck(title, odd, place))
    shutil.rmtree(place)
    return Outcome(title, finished=False)


def require_clear(root: Path) -> None:
    """Raise HalfApplied where an edit of *root* stopped half-way."""
    if (root / FOLDER / _JOURNAL).exists():
        raise HalfApplied(_unfinished(root / FOLDER))


def _stage(place: Path, number: int, change: Change) -> _Step:
    aside = place / f"{number:06}"
    folder = next(parent for parent in change.path.parents if parent.exists())
    if folder.stat().st_dev != place.stat().st_dev:
        raise ValueError(say.OTHER_DISK(path=change.path, folder=place.parent))
    if change.after is not None:
        _write(aside, change.after)
        if change.before is not None:
            aside.chmod(change.path.stat().st_mode & 0o777)
    return _Step(change.path, aside, _digest(change.before), _digest(change.after))


def _require_as_planned(changes: Sequence[Change]) -> None:
    for change in changes:
        if _read(change.path) != change.before:
            raise Conflict(say.CONFLICT(path=change.path))


def _apply(place: Path, steps: Sequence[_Step]) -> None:
    for step in steps:
        if step.done:
            continue
        if step.after is None:
            step.path.unlink()
        else:
            step.path.parent.mkdir(parents=True, exist_ok=True)
            os.replace(step.aside, step.path)
        _sync(step.path.parent)
    for step in steps:
        if step.after is None:
            _prune(step.path)
    shutil.rmtree(place)  # by now it holds the journal alone


def _prune(path: Path) -> None:
    """Take away the folders that are empty without *path*."""
    for folder in path.parents:
        try:
            folder.rmdir()
        except OSError:
            return


# --- the journal --------------------------------------------------------------------------------


def _write_journal(place: Path, title: str, steps: Sequence[_Step]) -> None:
    root = place.parent
    records = [
        {
            "path": os.path.relpath(step.path, root),
            "aside": step.aside.name,
            "before": step.before,
            "after": step.after,
        }
        for step in steps
    ]
    text = json.dumps({"title": title, "steps": records}, ensure_ascii=False, indent=1)
    _write(place / f"{_JOURNAL}.new", text.encode())
    _sync(place)
    os.replace(place / f"{_JOURNAL}.new", place / _JOURNAL)
    _sync(place)
    _sync(root)


def _read_journal(place: Path) -> tuple[str, list[_Step]] | None:
    content = _read(place / _JOURNAL)
    if content is None:
        return None
    try:
        record = json.loads(content)
        return str(record["title"]), list(_steps(record["steps"], place))
    except (ValueError, LookupError, TypeError) as error:
        raise HalfApplied(say.JOURNAL_UNREADABLE(path=place / _JOURNAL, why=error)) from None


def _steps(records: list[dict[str, Any]], place: Path) -> Iterator[_Step]:
    for record in records:
        path = Path(os.path.normpath(place.parent / record["path"]))
        yield _Step(path, place / record["aside"], record["before"], record["after"])


def _unfinished(place: Path) -> str:
    return say.UNFINISHED(path=place / _JOURNAL, folder=place.parent)


def _stuck(title: str, odd: Sequence[_Step], place: Path) -> str:
    files = "".join("\n" + say.CHANGED_SINCE(path=step.path) for step in odd)
    return say.STUCK(path=place / _JOURNAL, title=title, files=files)


# --- files --------------------------------------------------------------------------------------


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _digest(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()


def _write(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Have the names in *folder* on disk, where the system can be asked for that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
