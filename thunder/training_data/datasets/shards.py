"""Shards: folders of memory-mapped ``.npy`` arrays, each written whole or not at all.

Why not Parquet: an example is looked up by number, in another order each epoch, from many
processes. A mapped array answers that without unpacking anything, shares one copy among all
processes, needs no more memory for a thousand shards than for one, and has the same bytes
whatever the version of the library that wrote it.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.training_data.datasets import messages as say

NOTE = "shard.json"

Array = NDArray[Any]


class DatasetError(ValueError):
    """A dataset that is incomplete, damaged or of another build: which file, and what to do."""


class StoredFile(NamedTuple):
    """Size and SHA-256 of one file of a shard."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Shard:
    """One folder of arrays: its name, its files, and what its writer noted of its content."""

    name: str
    files: Mapping[str, StoredFile]
    note: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return what a manifest says of the shard."""
        files = {name: one._asdict() for name, one in self.files.items()}
        return {"name": self.name, "files": files, "note": dict(self.note)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Shard":
        """Return the shard of which a manifest says *found*."""
        files = {name: StoredFile(**one) for name, one in found["files"].items()}
        return cls(str(found["name"]), files, found["note"])


def write(place: Path, arrays: Mapping[str, Array], note: Mapping[str, Any]) -> Shard:
    """Return the shard that now stands whole in the folder *place*.

    It is written under another name and renamed: whoever is killed leaves either no folder of
    that name or a complete one. The other name is this process's own: a worker that outlived a
    killed build cannot write into it. Nothing waits for the disk yet: see ``settle``.
    """
    aside = place.with_name(f".{place.name}.{os.getpid()}.new")
    for left in (aside, place):
        if left.exists():
            shutil.rmtree(left)
    aside.mkdir(parents=True)
    files = {name: _write_array(aside / f"{name}.npy", array) for name, array in arrays.items()}
    shard = Shard(place.name, files, note)
    text = json.dumps(shard.as_json(), ensure_ascii=False, indent=1, sort_keys=True)
    (aside / NOTE).write_bytes(text.encode() + b"\n")
    _rename(aside, place, shard)
    return shard


def settle(folder: Path) -> None:
    """Return once everything in *folder* is on disk, whatever happens to the power then.

    Once at the end, not file by file: a shard that the power took is found by its hash when the
    build goes on, and made again.
    """
    for path in sorted(folder.rglob("*"), reverse=True):  # what is inside before the folder
        sync(path)
    sync(folder)


def finished(place: Path, *, of_build: str) -> Shard | None:
    """Return the shard in *place* if it is whole and its note says ``build`` *of_build*."""
    try:
        shard = Shard.from_json(json.loads((place / NOTE).read_bytes()))
        check(shard, place, full=True)
        return shard if shard.note["build"] == of_build else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def check(shard: Shard, place: Path, *, full: bool) -> None:
    """Return nothing; DatasetError names the first file that is missing, cut short or another.

    Without *full* only sizes are compared, which takes no time.
    """
    for name, expected in shard.files.items():
        path = place / f"{name}.npy"
        if not path.is_file():
            raise DatasetError(say.MISSING(path=path, why=say.AGAIN()))
        size = path.stat().st_size
        if size != expected.bytes:
            facts = {"size": size, "expected": expected.bytes, "again": say.AGAIN()}
            raise DatasetError(say.OTHER_SIZE(path=path, **facts))
        if full and file_digest(path) != expected.sha256:
            raise DatasetError(say.OTHER_CONTENT(path=path, again=say.AGAIN()))


def mapped(place: Path, name: str) -> Array:
    """Return one array of a shard, mapped into memory and not to be written to."""
    path = place / f"{name}.npy"
    try:
        array: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        facts = {"kind": type(error).__name__, "again": say.AGAIN()}
        raise DatasetError(say.CANNOT_READ(path=path, **facts)) from None
    return array


def file_digest(path: Path) -> str:
    """Return the SHA-256 (hex) of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def replace_synced(path: Path, content: bytes) -> None:
    """Return once *path* holds *content*: readers see the old file or the new one, never half."""
    aside = path.with_name(f".{path.name}.new")
    aside.write_bytes(content)
    sync(aside)
    aside.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Return once a file, or the names in a folder, are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def packed(texts: Iterable[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return *texts* as one array of UTF-8 bytes, and where each of them ends in it."""
    pieces = [text.encode() for text in texts]
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    return np.frombuffer(b"".join(pieces), dtype=np.uint8), ends


def unpacked(content: Array, ends: Sequence[int] | Array, at: int) -> str:
    """Return the text number *at* of what ``packed`` made."""
    start, end = extent(ends, at)
    return content[start:end].tobytes().decode()


def extent(ends: Sequence[int] | Array, at: int) -> tuple[int, int]:
    """Return where the entry number *at* begins and ends."""
    return (int(ends[at - 1]) if at else 0), int(ends[at])


def chunks(sizes: Iterable[int], *, rows: int, size: int) -> Iterator[list[int]]:
    """Yield runs of consecutive numbers: at most *rows* of them and, but for one alone, *size*."""
    run: list[int] = []
    room = size
    for number, one in enumerate(sizes):
        if run and (len(run) == rows or one > room):
            yield run
            run, room = [], size
        run.append(number)
        room -= one
    if run:
        yield run


def _rename(aside: Path, place: Path, shard: Shard) -> None:
    """Give a shard its name, unless a worker that outlived its build just gave it to the same."""
    try:
        aside.rename(place)
    except OSError:
        if finished(place, of_build=str(shard.note.get("build"))) != shard:
            raise
        shutil.rmtree(aside)


def _write_array(path: Path, array: Array) -> StoredFile:
    np.save(path, array, allow_pickle=False)
    return StoredFile(path.stat().st_size, file_digest(path))
