"""The manifest of a dataset: what went in, what came out, what was left out and why."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from thunder.training_data.datasets import messages as say
from thunder.training_data.datasets.annotated import LeftOut
from thunder.training_data.datasets.shards import DatasetError, Shard, replace_synced
from thunder.training_data.datasets.splits import PartName

NAME = "manifest.json"
FORMAT = "thunder-dataset 1"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything a dataset says of itself.

    ``inputs`` are hashes, ``options`` what was chosen, ``fingerprint`` the hash of both and of the
    code. ``failed`` are ids whose list was used up: prepared, but in no part.
    """

    fingerprint: str
    made_by: Mapping[str, str]
    inputs: Mapping[str, Any]
    options: Mapping[str, Any]
    splits: Mapping[str, Any]
    counts: Mapping[str, Any]
    left_out: tuple[LeftOut, ...]
    judgments: tuple[Shard, ...]
    examples: tuple[Shard, ...]

    @property
    def failed(self) -> frozenset[str]:
        """The ids of documents that were prepared but could not be filled."""
        return frozenset(id_ for shard in self.examples for id_ in shard.note["failed"])

    def of_part(self, part: PartName) -> list[Shard]:
        """Return the shards of examples of one part, in order."""
        return [shard for shard in self.examples if shard.note["part"] == part]

    def reasons(self) -> dict[str, int]:
        """Return how many documents were left out for each reason, the most frequent first."""
        counts: dict[str, int] = {}
        for one in self.left_out:
            counts[one.reason] = counts.get(one.reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def write(folder: Path, manifest: Manifest) -> None:
    """Return once ``manifest.json`` stands in *folder*, whole: a dataset is complete with it."""
    found: dict[str, Any] = {"format": FORMAT}
    found |= {field.name: getattr(manifest, field.name) for field in fields(manifest)}
    found["left_out"] = {
        "counts": manifest.reasons(),
        "documents": [one._asdict() for one in manifest.left_out],
    }
    for kind in ("judgments", "examples"):
        found[kind] = [shard.as_json() for shard in getattr(manifest, kind)]
    found["digest"] = _digest(found)
    replace_synced(folder / NAME, _written(found, indent=1))


def read(folder: Path) -> Manifest:
    """Return the manifest of *folder*; DatasetError where it is missing, damaged or changed."""
    path = folder / NAME
    if not path.is_file():
        raise DatasetError(say.MISSING(path=path, why=_why_missing(folder)))
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
        if found.pop("format") != FORMAT:
            raise DatasetError(say.OTHER_FORMAT(path=path, format=FORMAT))
        if found.pop("digest") != _digest(found | {"format": FORMAT}):
            raise DatasetError(say.MANIFEST_CHANGED(path=path))
        left_out = tuple(LeftOut(**one) for one in found.pop("left_out")["documents"])
        for kind in ("judgments", "examples"):
            found[kind] = tuple(map(Shard.from_json, found[kind]))
        return Manifest(**found, left_out=left_out)
    except DatasetError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        kind = type(error).__name__
        raise DatasetError(say.DAMAGED(path=path, kind=kind)) from None


def _digest(found: Mapping[str, Any]) -> str:
    return hashlib.sha256(
        _written({key: found[key] for key in found if key != "digest"})
    ).hexdigest()


def _written(found: Mapping[str, Any], indent: int | None = None) -> bytes:
    return json.dumps(found, ensure_ascii=False, indent=indent, sort_keys=True).encode() + b"\n"


def _why_missing(folder: Path) -> str:
    if not folder.is_dir():
        return say.NO_FOLDER(folder=folder)
    if (folder / "building.json").is_file():
        return say.UNFINISHED()
    return say.NO_DATASET()
