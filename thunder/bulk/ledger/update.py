"""A run whose input has changed since: what was added, changed or withdrawn, and nothing else.

The plan is made anew, so that what did not change keeps its shard. A shard of documents loses
those that were changed or withdrawn; they, and new ones, make shards at the end. Of a table the
parts that did not change stay: rows added at its end cost its last part, rows changed further up
all parts from there. Memory holds the names of all documents.

What the new plan no longer has is taken away by ``settle``, from the markers and from the
results. It is done again, by whoever comes next, where it was cut off: the plan before stays
beside the new one until all is done.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from thunder.bulk.ledger import records
from thunder.bulk.ledger import shard as shards
from thunder.bulk.ledger.ids import IdSum
from thunder.bulk.ledger.plan import (
    File,
    Plan,
    Shard,
    folders_of,
    grouped,
    looked_through,
    of_files,
    put,
    read,
)
from thunder.bulk.outputs import bring_to_disk
from thunder.documents import places

BEFORE = "before.jsonl"


@dataclass(slots=True)
class Changes:
    """What is other than before: documents by themselves, and rows in the parts of tables."""

    added: int = 0
    changed: int = 0
    withdrawn: int = 0
    rows: int = 0

    def __bool__(self) -> bool:
        return any((self.added, self.changed, self.withdrawn, self.rows))


def update(plan: Plan, *, advance: Callable[[int], None] = lambda _: None) -> Changes:
    """Return what has changed in the input of *plan* since; the plan in its folder is a new one.

    Refused for all that a plan is refused for; then everything is as it was.
    """
    settle(plan.folder)
    inputs, changes = list(plan.inputs), Changes()
    with looked_through(inputs, plan.folder, plan.settings, advance) as (found, skipped):
        planned = list(_replanned(plan, found, changes))
    if not changes:
        return changes
    _keep_beside(plan)
    put(plan.folder, plan.decides, inputs, skipped, planned)
    settle(plan.folder)
    return changes


def _keep_beside(plan: Plan) -> None:
    before = plan.folder / BEFORE
    if not places.is_remote(plan.folder):
        os.link(plan.path, before)
        bring_to_disk(plan.folder)
        return
    with tempfile.TemporaryDirectory(prefix="thunder-") as folder:
        places.fetch(plan.path, Path(folder) / BEFORE)
        places.send([(Path(folder) / BEFORE, before)])


def is_unsettled(folder: Path) -> bool:
    """Return whether ``settle`` has something to do in *folder*."""
    with places.reaching(folder):
        return (folder / BEFORE).exists()


def _replanned(plan: Plan, found: Iterable[File | Shard], changes: Changes) -> Iterator[Shard]:
    """Yield the shards of the new plan by their numbers, and count what has changed."""
    documents: dict[str, tuple[int, File]] = {}
    parts: dict[str, Shard] = {}
    for shard in plan.each():
        if shard.part:
            parts[shard.targets()[0]] = shard
        else:
            documents.update((file.name, (shard.number, file)) for file in shard.files)
    kept: dict[int, list[File] | Shard] = {}
    new: list[File | Shard] = []
    folder_of = folders_of(plan.inputs)
    touched: set[Path] = set()
    if plan.settings.case:
        found = list(found)
        touched = _touched(found, documents, folder_of)
    for one in found:
        if isinstance(one, Shard):
            before = parts.pop(one.targets()[0], None)
            if before is None:
                new.append(one)
            else:
                kept[before.number] = one
            if before is None or replace(one, number=before.number) != before:
                changes.rows += one.rows
            continue
        number, same = documents.pop(one.name, (0, None))
        if same == one and folder_of(one) not in touched:
            _files(kept, number).append(one)
            continue
        new.append(one)
        changes.added += same is None
        changes.changed += same is not None and same != one
    changes.withdrawn = len(documents)
    changes.rows += sum(part.rows for part in parts.values())
    for number in range(plan.shards):
        what = kept.get(number, [])
        yield replace(what, number=number) if isinstance(what, Shard) else of_files(number, what)
    yield from grouped(new, plan.settings, folder_of, plan.shards)


def _touched(
    found: Iterable[File | Shard],
    documents: Mapping[str, tuple[int, File]],
    folder_of: Callable[[File], Path],
) -> set[Path]:
    """Return the folders of which a file is other than before: their cases are done anew."""
    files = {one.name: one for one in found if isinstance(one, File)}
    before = {name: file for name, (_, file) in documents.items()}
    other = [name for name in {*files, *before} if files.get(name) != before.get(name)]
    return {folder_of(one[name]) for name in other for one in (files, before) if name in one}


def _files(kept: dict[int, list[File] | Shard], number: int) -> list[File]:
    found = kept.setdefault(number, [])
    assert isinstance(found, list), "a shard is of files or of a part"
    return found


def settle(folder: Path) -> None:
    """Return once markers and results in *folder* have nothing that the plan no longer has."""
    before = folder / BEFORE
    if not is_unsettled(folder):
        return
    plan, old = read(folder), read(folder, BEFORE)
    if plan.sha256 != old.sha256:
        gone = _settle_markers(plan, old)
        if places.is_remote(folder):
            for path in gone.values():
                places.remove(path)
        else:
            for shard in plan.each():
                for name in shard.targets():
                    gone.pop(name, None)
            for path in gone.values():
                path.unlink(missing_ok=True)
            for place in {path.parent for path in gone.values()}:
                _remove_empty(place, plan.results)
    before.unlink(missing_ok=True)
    bring_to_disk(folder)


def _settle_markers(plan: Plan, old: Plan) -> dict[str, Path]:
    """Return the names and places of results that no shard has any longer under its old number.

    On object storage, where another number's has another place, those of a marker alone.
    """
    gone: dict[str, Path] = {}
    for was, now in zip(old.each(), plan.each(), strict=False):
        if was.fingerprint == now.fingerprint:
            continue
        names = set(was.targets()) - set(now.targets())
        found = shards.marker_of(plan.folder, was)
        if not places.is_remote(plan.folder):
            gone.update((name, plan.results / name) for name in names)
        elif found:
            is_narrowed = not now.part and not was.part
            for one in found["files"]:
                if one["name"] in names or not is_narrowed:
                    gone[one["name"]] = shards.placed(plan.results / one["name"], one["sha256"])
        if found is None:
            continue
        if not now.part and not was.part:
            _narrow(plan, found, now)
        else:
            shards.remove_dead(plan.folder, found)
            shards.marker_path(plan.folder, was.number).unlink(missing_ok=True)
    return gone


def _narrow(plan: Plan, found: dict[str, Any], shard: Shard) -> None:
    """Leave in the marker and the dead letters of a shard what is in *shard*, which has less."""
    folder, names = plan.folder, {file.name for file in shard.files}
    letters = _of(folder, found, "dead", names)
    notices = _of(folder, found, "notices", names)
    files = [one for one in found["files"] if one["name"] in names]
    ids = IdSum()
    for one in files:
        ids.add(one["name"])
    figures = {"rows": shard.rows, "out": len(files), "dead": len(letters), "ids_out": str(ids)}
    facts = {
        "fingerprint": shard.fingerprint,
        "files": files,
        "dead_sha256": shards.write_lines(shards.dead_path(folder, shard.number), letters),
        "notices": len(notices),
        "notices_sha256": shards.write_lines(shards.notices_path(folder, shard.number), notices),
    }
    if "records" in found:
        facts["records"] = records.narrow(folder, shard.number, names, plan.settings)
    shards.write_marker(folder, found | figures | facts)


def _of(folder: Path, found: dict[str, Any], kind: str, names: set[str]) -> list[dict[str, Any]]:
    """Return what the dead letters or notices of a marker say of the files *names*."""
    return [one for one in shards.lines_of(folder, found, kind) if one["file"] in names]


def _remove_empty(place: Path, top: Path) -> None:
    """Remove *place* and the folders above it below *top*, as far as nothing is in them."""
    while place != top and place.is_dir() and not any(place.iterdir()):
        place.rmdir()
        place = place.parent
