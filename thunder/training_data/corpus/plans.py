"""Packing plans on disk: computed once for a length, then memory-mapped by every process.

Ten bytes for each piece of a document and eight for each row: 2.5 GB for the 60 billion tokens of
the paper's corpus in rows of 512.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thunder.training_data.corpus.manifest import PARTS_FILE, Manifest
from thunder.training_data.corpus.packing import RULES, Integers, Plan, plan
from thunder.training_data.corpus.selection import PARTS, Documents
from thunder.training_data.corpus.shards import (
    File,
    file_of,
    require_size,
    safe,
    sync_folder,
    write_json,
)

Plans = Mapping[str, Plan]
_RECORD = "plan.json"


def opened(folder: Path, manifest: Manifest, *, part: str, length: int) -> Plans:
    """Return the plan of each source, made and kept now if there is none for this length.

    Where *folder* cannot be written to, it is made anew in memory each time.
    """
    if not _place(folder, manifest, part, length).is_dir():
        documents = Documents(folder, manifest.shards)
        parts = np.load(folder / PARTS_FILE, allow_pickle=False)
        made = computed(documents, parts, sources=manifest.sources, part=part, length=length)
        try:
            write(folder, manifest, made, part=part, length=length)
        except PermissionError:
            return made
    return _read(_place(folder, manifest, part, length), manifest)


def computed(
    documents: Documents,
    parts: NDArray[np.uint8],
    *,
    sources: Mapping[str, object],
    part: str,
    length: int,
) -> Plans:
    """Return the plan of each source for rows of *length*."""
    starts = documents.first_tokens()
    tokens = documents.table["end"] - starts
    chosen = parts == PARTS[part]

    def of(source: str) -> Iterator[tuple[int, Integers, Integers]]:
        for number, shard in enumerate(documents.shards):
            if shard.source == source:
                inside = slice(documents.edges[number], documents.edges[number + 1])
                mine = chosen[inside]
                yield number, starts[inside][mine], tokens[inside][mine]

    return {source: plan(of(source), length=length) for source in sources}


def _place(folder: Path, manifest: Manifest, part: str, length: int) -> Path:
    return folder / "plans" / f"{length}-{part}-{manifest.digest[:12]}-{RULES}"


def write(folder: Path, manifest: Manifest, made: Plans, *, part: str, length: int) -> None:
    """Keep a plan in *folder*; of several processes that do so at once, one's is kept."""
    final = _place(folder, manifest, part, length)
    aside = final.with_name(f".{final.name}.{os.getpid()}")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    files: dict[str, dict[str, object]] = {}
    for source, one in made.items():
        for array in Plan._fields:
            path = aside / f"{source}.{array}.npy"
            with path.open("wb") as file:
                np.save(file, getattr(one, array), allow_pickle=False)
                safe(file)
            files[path.name] = asdict(file_of(path))
    write_json(aside / _RECORD, files)
    try:
        os.rename(aside, final)
    except OSError:
        shutil.rmtree(aside)
        if not final.is_dir():
            raise
    sync_folder(final.parent)


def _read(place: Path, manifest: Manifest) -> Plans:
    try:
        files = json.loads((place / _RECORD).read_text("utf-8"))
        for name, file in files.items():
            require_size(place / name, File(**file))
    except (OSError, TypeError, ValueError) as error:
        raise ValueError(
            f"{place}: damaged; delete this folder, it is made again ({error})"
        ) from None
    return {
        source: Plan(*(_array(place / f"{source}.{array}.npy") for array in Plan._fields))
        for source in manifest.sources
    }


def _array(path: Path) -> Any:
    """Return an array, memory-mapped unless it is empty."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError:  # nothing can be mapped of an empty one
        return np.load(path, allow_pickle=False)
