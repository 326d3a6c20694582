"""Shards: the tokens of some documents as plain arrays on disk, whole or not there at all.

A shard is a folder: ``tokens.npy`` (uint16, or uint32 for large vocabularies), ``starts.npy`` (a
bit for each token: a morpheme begins), ``documents.npy`` (where each ends, its hash and size),
``bands.npy`` (the bands of its MinHash, a row for each band) and ``shard.json``.
"""

import hashlib
import json
import os
import shutil
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DOCUMENT = np.dtype([("end", "<i8"), ("hash", "<u8", 2), ("characters", "<u4"), ("bytes", "<u4")])
ARRAYS = ("tokens.npy", "starts.npy", "documents.npy", "bands.npy")
RECORD = "shard.json"


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was written."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Shard:
    """What a shard holds and was made of: counts of documents, and the drops by reason."""

    source: str
    name: str
    documents: int
    tokens: int
    read: Mapping[str, int]
    dropped: Mapping[str, int]
    files: Mapping[str, File]

    @property
    def place(self) -> str:
        """The shard's folder, from the corpus's own."""
        return f"shards/{self.source}/{self.name}"


def write(folder: Path, shard: Shard, arrays: Mapping[str, NDArray[Any]]) -> Shard:
    """Write a shard to ``folder/shards/<source>/<name>``, and return it with its files' hashes.

    It is written beside, made safe, and renamed: a folder of that name is whole.
    """
    final = folder / shard.place
    aside = final.with_name(f".{final.name}.{_writer()}")
    shutil.rmtree(aside, ignore_errors=True)
    try:
        aside.mkdir(parents=True)
        return _written(aside, final, shard, arrays)
    except OSError as error:
        shutil.rmtree(aside, ignore_errors=True)
        what = f"{error.strerror or error}; what was finished stays: the same command goes on"
        raise OSError(error.errno, what, str(aside)) from None


def _written(aside: Path, final: Path, shard: Shard, arrays: Mapping[str, NDArray[Any]]) -> Shard:
    for name in ARRAYS:
        with (aside / name).open("wb") as file:
            np.save(file, arrays[name], allow_pickle=False)
            safe(file)
    made = replace(shard, files={name: file_of(aside / name) for name in ARRAYS})
    write_json(aside / RECORD, asdict(made))
    sync_folder(aside)
    try:
        os.rename(aside, final)
    except OSError:
        if not (final / RECORD).is_file():
            raise
        shutil.rmtree(aside)  # another machine made the same shard meanwhile: it has these bytes
    sync_folder(final.parent)
    return made


def _writer() -> str:
    """Return what tells this process from those of other machines on the same disk."""
    return f"{socket.gethostname()}-{os.getpid()}"


def read(folder: Path, source: str, name: str) -> Shard | None:
    """Return the finished shard of that name, or None."""
    path = folder / "shards" / source / name / RECORD
    return from_table(json.loads(path.read_text("utf-8"))) if path.is_file() else None


def from_table(table: Mapping[str, Any]) -> Shard:
    """Return the shard that ``asdict`` made *table* of."""
    return Shard(
        **{**table, "files": {name: File(**file) for name, file in table["files"].items()}}
    )


def file_of(path: Path) -> File:
    """Return the size and the SHA-256 of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return File(file.tell(), digest)


def write_json(path: Path, table: Mapping[str, Any]) -> None:
    """Write *table*, safe on disk when this returns; a reader sees the old file or the new."""
    aside = path.with_name(f".{path.name}.{_writer()}")
    with aside.open("wb") as file:
        file.write((json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode())
        safe(file)
    aside.replace(path)
    sync_folder(path.parent)


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write *array* as ``.npy``, with the same promise."""
    aside = path.with_name(f".{path.name}.{_writer()}")
    with aside.open("wb") as file:
        np.save(file, array, allow_pickle=False)
        safe(file)
    aside.replace(path)
    sync_folder(path.parent)


def safe(file: Any) -> None:
    """Return when all of *file* is on the disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Return when the names in *folder* are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def opened(folder: Path, shard: Shard, name: str) -> NDArray[Any]:
    """Return an array of a shard, memory-mapped; ValueError where it is not what was written."""
    path = folder / shard.place / name
    require_size(path, shard.files[name])
    if name == "documents.npy" or not shard.tokens:
        found: NDArray[Any] = np.load(path, allow_pickle=False)
    else:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    return found


def require_size(path: Path, file: File) -> None:
    """Raise ValueError unless *path* is as long as it was written."""
    size = path.stat().st_size if path.is_file() else None
    if size != file.bytes:
        state = "is missing" if size is None else f"has {size:,} bytes, not {file.bytes:,}"
        raise ValueError(f"{path} {state}: {_CURE}")


def changed(folder: Path, shards: Sequence[Shard]) -> list[str]:
    """Return what is wrong with the files of *shards*, each read whole."""
    found = []
    for shard in shards:
        for name, file in shard.files.items():
            path = folder / shard.place / name
            if not path.is_file():
                found.append(f"{path} is missing: {_CURE}")
            elif file_of(path) != file:
                found.append(f"{path} is not as it was written: {_CURE}")
    return found


_CURE = "delete its folder and manifest.json and prepare the corpus again, or copy it whole"
