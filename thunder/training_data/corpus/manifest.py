"""The manifest of a prepared corpus: what it was made of, what it holds, and its digest."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thunder.training_data.corpus.selection import EXACT, NEAR, PARTS, Documents
from thunder.training_data.corpus.settings import Source
from thunder.training_data.corpus.shards import (
    File,
    Shard,
    changed,
    file_of,
    from_table,
    require_size,
    write_json,
)

MANIFEST = "manifest.json"
PARTS_FILE = "parts.npy"
FORMAT = 1
Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class Input:
    """A file that the corpus was made from."""

    source: str
    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """What of a source was read, left out and why, and what stands in each part."""

    language: str
    weight: float
    read: Counts
    dropped: Counts
    parts: Mapping[str, Counts]


@dataclass(frozen=True, slots=True)
class Manifest:
    """A prepared corpus: the same inputs, settings and tokenizer give the same manifest."""

    settings: Mapping[str, Any]
    tokenizer: Mapping[str, Any]
    inputs: tuple[Input, ...]
    sources: Mapping[str, SourceCounts]
    languages: Mapping[str, Mapping[str, Counts]]
    shards: tuple[Shard, ...]
    parts: File
    format: int = FORMAT

    @property
    def made_from(self) -> dict[str, Any]:
        """Settings, tokenizer and inputs, as ``prepare`` compares them."""
        return {
            "settings": self.settings,
            "tokenizer": self.tokenizer,
            "inputs": [asdict(one) for one in self.inputs],
        }

    @property
    def digest(self) -> str:
        """The SHA-256 of all that the manifest says."""
        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def made(
    documents: Documents,
    part: NDArray[np.uint8],
    *,
    sources: Sequence[Source],
    settings: Mapping[str, Any],
    tokenizer: Mapping[str, Any],
    inputs: Iterable[Input],
    parts: File,
) -> Manifest:
    """Return the manifest of a corpus; ValueError names a source of which nothing is left."""
    found = {source.name: _counts(source, documents, part) for source in sources}
    for name, counts in found.items():
        if not counts.parts["train"]["documents"]:
            why = ", ".join(f"{reason} {number:,}" for reason, number in counts.dropped.items())
            raise ValueError(
                f"source {name!r} is empty: of {counts.read['documents']:,} documents none is "
                f"left to train on ({why or 'none was read'})"
            )
    return Manifest(
        settings=settings,
        tokenizer=tokenizer,
        inputs=tuple(inputs),
        sources=found,
        languages=_by_language(found),
        shards=tuple(documents.shards),
        parts=parts,
    )


def _counts(source: Source, documents: Documents, part: NDArray[np.uint8]) -> SourceCounts:
    mine = [number for number, shard in enumerate(documents.shards) if shard.source == source.name]
    inside = np.isin(documents.shard, mine)
    tokens = documents.table["end"] - documents.first_tokens()
    dropped = _summed(documents.shards[number].dropped for number in mine)
    for reason, value in (("exact duplicate", EXACT), ("near duplicate", NEAR)):
        dropped[reason] = int((inside & (part == value)).sum())
    parts = {}
    for name, value in PARTS.items():
        chosen = inside & (part == value)
        parts[name] = {
            "documents": int(chosen.sum()),
            "characters": int(documents.table["characters"][chosen].sum(dtype=np.int64)),
            "bytes": int(documents.table["bytes"][chosen].sum(dtype=np.int64)),
            "tokens": int(tokens[chosen].sum()),
        }
    read = _summed(documents.shards[number].read for number in mine)
    dropped = {reason: number for reason, number in sorted(dropped.items()) if number}
    return SourceCounts(source.language, source.weight, read, dropped, parts)


def _summed(tables: Iterable[Mapping[str, int]]) -> Counts:
    total: Counts = {}
    for table in tables:
        for key, number in table.items():
            total[key] = total.get(key, 0) + number
    return total


def _by_language(sources: Mapping[str, SourceCounts]) -> dict[str, dict[str, Counts]]:
    languages = sorted({counts.language for counts in sources.values()})
    return {
        language: {
            part: _summed(one.parts[part] for one in sources.values() if one.language == language)
            for part in PARTS
        }
        for language in languages
    }


def write(folder: Path, manifest: Manifest) -> None:
    """Write *manifest* to *folder*: the corpus is whole from then on."""
    write_json(folder / MANIFEST, asdict(manifest))


def read(folder: Path) -> Manifest:
    """Return the manifest of *folder*; FileNotFoundError or ValueError say what is wrong."""
    path = folder / MANIFEST
    if not path.is_file():
        begun = (folder / "shards").is_dir()
        state = "its preparation is not finished: run it again" if begun else "no prepared corpus"
        raise FileNotFoundError(f"{path} is missing: {state}")
    try:
        table = json.loads(path.read_text("utf-8"))
        return _from_table(table)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged, or of another version ({error})") from None


def _from_table(table: dict[str, Any]) -> Manifest:
    if table["format"] != FORMAT:
        raise ValueError(f"format {table['format']}, this version reads {FORMAT}")
    return Manifest(
        **{
            **table,
            "inputs": tuple(Input(**one) for one in table["inputs"]),
            "sources": {name: SourceCounts(**one) for name, one in table["sources"].items()},
            "shards": tuple(map(from_table, table["shards"])),
            "parts": File(**table["parts"]),
        }
    )


def require_sizes(folder: Path, manifest: Manifest) -> None:
    """Raise ValueError naming the first file that is missing or of another length: fast."""
    require_size(folder / PARTS_FILE, manifest.parts)
    for shard in manifest.shards:
        for name, file in shard.files.items():
            require_size(folder / shard.place / name, file)


def verify(folder: Path) -> Manifest:
    """Return the manifest of *folder* after reading every file: some GB a second.

    ValueError names each file that is not as it was written. To be called once before training.
    """
    manifest = read(folder)
    problems = changed(folder, manifest.shards)
    parts = folder / PARTS_FILE
    if not parts.is_file() or file_of(parts) != manifest.parts:
        problems.append(f"{parts} is not as it was written: prepare the corpus again")
    if problems:
        raise ValueError("\n".join(problems))
    return manifest
