"""A finished dataset, opened and checked against its manifest."""

import warnings
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Literal

from thunder import taxonomy as taxonomies
from thunder.settings import resources
from thunder.taxonomy import Taxonomy, migration_files
from thunder.taxonomy.migrations import names_digest, since
from thunder.training_data.datasets import manifest as manifests
from thunder.training_data.datasets import shards, splits, workplace
from thunder.training_data.datasets.examples import Filler
from thunder.training_data.datasets.judgments import Judgments
from thunder.training_data.datasets.manifest import Manifest
from thunder.training_data.datasets.parts import Part
from thunder.training_data.datasets.recipe import Recipe, made_by
from thunder.training_data.datasets.shard_building import ROW
from thunder.training_data.datasets.shards import Array, DatasetError, Shard
from thunder.training_data.datasets.splits import PARTS, PartName

Verify = Literal["full", "quick"]
_FILES = ("rows", "tokens", "labels", "starts", "ends", "text", "spans", "ids", "case_types")
_OPEN = 512  # arrays kept open
_AGAIN = "build the dataset again"


class Dataset:
    """What ``thunder dataset build`` wrote into a folder."""

    def __init__(self, folder: Path, manifest: Manifest, taxonomy: Taxonomy) -> None:
        self.folder, self.manifest, self.taxonomy = folder, manifest, taxonomy
        self.judgments = Judgments(folder, [s.name for s in manifest.judgments], taxonomy)
        self.array = lru_cache(maxsize=_OPEN)(partial(_array, folder))

    def __reduce__(self) -> tuple[type, tuple[Path, Manifest, Taxonomy]]:
        return type(self), (self.folder, self.manifest, self.taxonomy)  # for other processes

    @classmethod
    def open(
        cls, folder: Path, *, verify: Verify = "full", taxonomy: Path | None = None
    ) -> "Dataset":
        """Return the dataset in *folder*, checked against its manifest.

        "full" compares every file's SHA-256, "quick" sizes, types and counts only: for the other
        processes of a training run. *taxonomy* is the folder of the taxonomy it was made with,
        or of one that was edited since: labels are stored by their ids, and called as they are
        called now (``stored_spans.label_of``). DatasetError names the file that is wrong and what
        to do.
        """
        if verify not in ("full", "quick"):
            raise ValueError(f"verify is 'full' or 'quick', not {verify!r}")
        manifest = manifests.read(folder)
        known = taxonomies.load(taxonomy)
        _require_labels(manifest, known, taxonomy or resources.taxonomy(), folder)
        for shard in (*manifest.judgments, *manifest.examples):
            shards.check(shard, folder / shard.name, full=verify == "full")
        for shard in manifest.examples:
            _check_rows(shard, folder / shard.name)
        dataset = cls(folder, manifest, known)
        dataset._check_parts()
        return dataset

    def part(self, name: str) -> Part:
        """Return one part: ``train``, ``dev`` or ``test``."""
        found = next((one for one in PARTS if one == name), None)
        if found is None:
            raise ValueError(f"unknown part '{name}'; known are {', '.join(PARTS)}")
        return Part(self, found, self._rows[found])

    def filler(
        self,
        part: PartName,
        *,
        tokenizer: Path,
        lists: Path | None = None,
        taxonomy: Path | None = None,
    ) -> Filler:
        """Return what draws new epochs of a part just as the build drew the stored ones.

        The folders are checked to hold what the dataset was made with, else DatasetError; other
        code than then is warned of: its epochs may differ.
        """
        recipe = self.recipe(tokenizer=tokenizer, lists=lists, taxonomy=taxonomy)
        _require_labels(
            self.manifest, recipe.opened_taxonomy, taxonomy or resources.taxonomy(), self.folder
        )
        digests = recipe.digests()
        for name in ("tokenizer", "lists"):
            _require_input(self.manifest, name, digests[name], self.folder)
        if made_by()["code"] != self.manifest.made_by["code"]:
            message = f"{self.folder}: made by other code of thunder; new epochs may differ"
            warnings.warn(message, stacklevel=2)
        return recipe.filler(part)

    def recipe(
        self, *, tokenizer: Path, lists: Path | None = None, taxonomy: Path | None = None
    ) -> Recipe:
        """Return the recipe of the dataset, with these folders; whether they fit is not checked."""
        options = self.manifest.options
        chosen = {
            name: options[name] for name in ("seed", "way", "scheme", "replacement", "variants")
        }
        chosen["mentions"] = options.get("mentions", "held-out")  # older ones say nothing of it
        return Recipe.named(tokenizer, lists=lists, taxonomy=taxonomy, **chosen)

    @cached_property
    def _rows(self) -> dict[PartName, list[int]]:
        failed = self.manifest.failed
        path = self.folder / workplace.SPLITS
        if not path.is_file() or shards.file_digest(path) != self.manifest.splits["sha256"]:
            raise DatasetError(f"{path}: missing, or not what was written: {_AGAIN}")
        parts = {row.id: row.part for row in splits.read(path) if row.id not in failed}
        rows: dict[PartName, list[int]] = {part: [] for part in PARTS}
        for number, head in enumerate(self.judgments.heads()):
            if head.id in parts:
                rows[parts[head.id]].append(number)
        return rows

    def _check_parts(self) -> None:
        for part, rows in self._rows.items():
            said = self.manifest.counts["parts"][part]["documents"]
            if len(rows) != said:
                path = self.folder / manifests.NAME
                raise DatasetError(
                    f"{path}: says {said} documents of {part}, there are {len(rows)}: {_AGAIN}"
                )


def _array(folder: Path, shard: str, name: str) -> Array:
    return shards.mapped(folder / shard, name)


def _require_input(manifest: Manifest, name: str, digest: str, folder: Path) -> None:
    if manifest.inputs[name] != digest:
        raise DatasetError(
            f"{folder}: made with another {name} ({manifest.inputs[name][:12]}) than is given "
            f"({digest[:12]}): give the folder it was made with, or {_AGAIN}"
        )


def _require_labels(manifest: Manifest, taxonomy: Taxonomy, place: Path, folder: Path) -> None:
    """Raise DatasetError unless *taxonomy*, read from *place*, has the labels or descends of them.

    What else the taxonomy says (treatments, translations, aliases) no stored example depends on.
    """
    labels = manifest.inputs.get("labels")
    if labels is None:  # made before labels had a hash of their own
        _require_input(manifest, "taxonomy", taxonomy.digest(), folder)
    elif labels != names_digest(taxonomy):
        try:
            since(migration_files.read(place), labels)
        except LookupError:
            raise DatasetError(
                f"{folder}: its labels are not those of the taxonomy in {place}, nor earlier ones "
                f"of it: give the taxonomy it was made with, or {_AGAIN}"
            ) from None


def _check_rows(shard: Shard, place: Path) -> None:
    """Return nothing; DatasetError where types or counts are not those of a shard of examples."""
    if set(shard.files) != set(_FILES):
        raise DatasetError(f"{place / shards.NOTE}: not the files of a shard: {_AGAIN}")
    rows, tokens = shards.mapped(place, "rows"), shards.mapped(place, "tokens")
    if rows.dtype != ROW:
        raise DatasetError(f"{place / 'rows.npy'}: columns of another version: {_AGAIN}")
    last = int(rows["tokens_end"][-1]) if len(rows) else 0
    note = shard.note
    if (len(rows), len(tokens), last) != (note["rows"], note["tokens"], note["tokens"]):
        raise DatasetError(f"{place}: its counts are not those of the manifest: {_AGAIN}")
