"""The folder in which a dataset is built: one build at a time, resumed or started clean.

``building.json`` says of which build the finished shards are; it is there from the first moment
until the manifest stands. A build with other inputs never uses what an earlier one left.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from thunder.settings.locks import lock
from thunder.training_data.datasets import manifest
from thunder.training_data.datasets import messages as say
from thunder.training_data.datasets.shards import DatasetError, replace_synced

BUILDING = "building.json"
PREPARED = "prepared.json"
SPLITS = "splits.tsv"
_LOCK = ".lock"
_OURS = (BUILDING, PREPARED, SPLITS, manifest.NAME)
_SHARDS = ("judgments-*", "train-*", "dev-*", "test-*")

State = Literal["complete", "resumed", "restarted", "new"]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold *folder* (made if need be) for one build; DatasetError where another one runs there.

    The system lets go of the lock when the process ends, however it ends.
    """
    if folder.exists() and not folder.is_dir():
        raise DatasetError(say.IS_FILE(folder=folder))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _LOCK
    with path.open("wb") as file:
        try:
            lock(file)
        except BlockingIOError:
            raise DatasetError(say.BUILDING_THERE(folder=folder)) from None
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def enter(folder: Path, plan: Mapping[str, Any], *, overwrite: bool) -> State:
    """Return how a build of *plan* finds *folder*, which is ready for it then.

    DatasetError where the folder holds something else: files of other people, or a complete
    dataset of another plan (unless *overwrite*).
    """
    complete = (folder / manifest.NAME).is_file()
    left = _unfinished(folder)
    if complete and not overwrite:
        _require_same(folder, plan)
        return "complete"
    if left is not None and left == plan and not complete:
        return "resumed"
    _require_ours(folder, known=complete or left is not None)
    _clear(folder)
    replace_synced(folder / BUILDING, json.dumps(plan, sort_keys=True, indent=1).encode())
    return "new" if left is None and not complete else "restarted"


def leave(folder: Path) -> None:
    """Take away what only an unfinished build needs."""
    for name in (PREPARED, BUILDING):
        (folder / name).unlink(missing_ok=True)
    for path in folder.glob(".*.new"):
        _remove(path)


def _unfinished(folder: Path) -> Mapping[str, Any] | None:
    """Return the plan of the build that was not finished here, {} where it cannot be read."""
    path = folder / BUILDING
    if not path.is_file():
        return None
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _require_same(folder: Path, plan: Mapping[str, Any]) -> None:
    found = manifest.read(folder)
    held = {"made_by": found.made_by, "inputs": found.inputs, "options": found.options}
    differs = sorted(
        f"{kind} {name}"
        for kind in held
        for name in {*held[kind], *plan[kind]}
        if held[kind].get(name) != plan[kind].get(name)
    )
    if differs:
        raise DatasetError(say.OTHER_BUILD(folder=folder, differs=", ".join(differs)))


def _require_ours(folder: Path, *, known: bool) -> None:
    first = (_LOCK, f".{BUILDING}.new")  # all that a build killed at once leaves
    others = sorted(path.name for path in folder.iterdir() if path.name not in first)
    if others and not known:
        shown = ", ".join(others[:3]) + (" …" if len(others) > 3 else "")
        raise DatasetError(say.NOT_OURS(folder=folder, shown=shown))


def _clear(folder: Path) -> None:
    """Remove what builds leave in a folder, the manifest first: half a dataset is none."""
    (folder / manifest.NAME).unlink(missing_ok=True)
    paths = [folder / name for name in _OURS]
    paths += [path for pattern in (*_SHARDS, ".*.new") for path in folder.glob(pattern)]
    for path in paths:
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
