"""A finished dataset, opened and checked against its manifest; its parts, by epoch and position."""

import hashlib
import warnings
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder import taxonomy as taxonomies
from thunder.settings import resources
from thunder.taxonomy import Taxonomy, migration_files
from thunder.taxonomy.migrations import names_digest, since
from thunder.text.spans import Span
from thunder.training_data.datasets import manifest as manifests
from thunder.training_data.datasets import messages as say
from thunder.training_data.datasets import shards, splits, stored_spans, workplace
from thunder.training_data.datasets.examples import Example, Filler, Marked
from thunder.training_data.datasets.judgments import Judgments
from thunder.training_data.datasets.manifest import Manifest
from thunder.training_data.datasets.recipe import Recipe, made_by
from thunder.training_data.datasets.shard_building import ROW
from thunder.training_data.datasets.shards import Array, DatasetError, Shard
from thunder.training_data.datasets.splits import PARTS, PartName
from thunder.training_data.messages import UNKNOWN_PART_NAME

Verify = Literal["full", "quick"]
_FILES = ("rows", "tokens", "labels", "starts", "ends", "text", "spans", "ids", "case_types")
_OPEN = 512  # arrays kept open


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

    def part(self, name: str) -> "Part":
        """Return one part: ``train``, ``dev`` or ``test``."""
        found = next((one for one in PARTS if one == name), None)
        if found is None:
            raise ValueError(UNKNOWN_PART_NAME(part=name, known=", ".join(PARTS)))
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
            message = say.OTHER_CODE(folder=self.folder)
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
            raise DatasetError(say.SPLITS_OTHER(path=path, again=say.AGAIN()))
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
                facts = {"part": part, "said": said, "found": len(rows)}
                raise DatasetError(say.COUNTS_OTHER(path=path, **facts, again=say.AGAIN()))


def _array(folder: Path, shard: str, name: str) -> Array:
    return shards.mapped(folder / shard, name)


def _require_input(manifest: Manifest, name: str, digest: str, folder: Path) -> None:
    if manifest.inputs[name] != digest:
        held, given = manifest.inputs[name][:12], digest[:12]
        facts = {"folder": folder, "name": name, "held": held, "given": given}
        raise DatasetError(say.MADE_WITH_OTHER(**facts, again=say.AGAIN()))


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
            facts = {"folder": folder, "place": place, "again": say.AGAIN()}
            raise DatasetError(say.OTHER_LABELS(**facts)) from None


def _check_rows(shard: Shard, place: Path) -> None:
    """Return nothing; DatasetError where types or counts are not those of a shard of examples."""
    if set(shard.files) != set(_FILES):
        raise DatasetError(say.NOT_SHARD(path=place / shards.NOTE, again=say.AGAIN()))
    rows, tokens = shards.mapped(place, "rows"), shards.mapped(place, "tokens")
    if rows.dtype != ROW:
        raise DatasetError(say.OTHER_COLUMNS(path=place / "rows.npy", again=say.AGAIN()))
    last = int(rows["tokens_end"][-1]) if len(rows) else 0
    note = shard.note
    if (len(rows), len(tokens), last) != (note["rows"], note["tokens"], note["tokens"]):
        raise DatasetError(say.COUNTS_OF_MANIFEST(path=place, again=say.AGAIN()))


class Part:
    """The examples of one part; its length is that of an epoch: documents times replicas.

    What an epoch is made of is a pure function of the dataset, the epoch and the position: the same
    for every worker, rank and restart. Training judgments come in another order each epoch, the
    others in the order of the files.
    """

    def __init__(self, dataset: Dataset, name: PartName, rows: Sequence[int]) -> None:
        self.dataset, self.name = dataset, name
        self._rows = rows
        found = dataset.manifest.of_part(name)
        self._shards = _by_draw(found)
        draws = list(self._shards)
        self.stored_epochs = 1 + max((epoch for epoch, _ in draws), default=-1)
        self.replicas = 1 + max((replica for _, replica in draws), default=0)
        options = dataset.manifest.options
        self.is_drawn_anew = name == "train" and options["replacement"] == "per-epoch"
        self._key = str(options["seed"]).encode()
        self._place = lru_cache(maxsize=64)(self._find_places)
        self.order = lru_cache(maxsize=2)(self._make_order)

    def __reduce__(self) -> tuple[type, tuple[Dataset, PartName, Sequence[int]]]:
        return type(self), (self.dataset, self.name, self._rows)  # for other processes

    def __len__(self) -> int:
        return len(self._rows) * self.replicas

    def judgments(self) -> Iterator[Marked]:
        """Yield the prepared judgments of the part, their placeholders in place."""
        return (self.dataset.judgments[row] for row in self._rows)

    def ids(self) -> list[str]:
        """Return the ids of the part's documents, in the order of the files."""
        mine = set(self._rows)
        heads = enumerate(self.dataset.judgments.heads())
        return [head.id for number, head in heads if number in mine]

    def epoch(
        self, number: int, *, start: int = 0, step: int = 1, filler: Filler | None = None
    ) -> Iterator[Example]:
        """Yield the examples of an epoch (any number from 0) from position *start* on.

        To resume, give the position reached; to share an epoch out, give each of n processes its
        own *start* and a *step* of n. An epoch that is not stored needs a *filler*.
        """
        if start < 0 or step < 1:
            raise ValueError(f"start is 0 or more and step 1 or more, not {start} and {step}")
        for position in range(start, len(self), step):
            yield self.example(position, epoch=number, filler=filler)

    def example(self, position: int, *, epoch: int = 0, filler: Filler | None = None) -> Example:
        """Return the example at a position of an epoch: stored if it is, else drawn by *filler*.

        ValueError where it is not stored and there is no filler.
        """
        if epoch < 0 or not 0 <= position < len(self):
            raise ValueError(f"{self.name} has no position {position} in epoch {epoch}")
        document, replica = divmod(self.order(epoch)[position], self.replicas)
        drawn = epoch if self.is_drawn_anew else 0
        if drawn < self.stored_epochs:
            return self._stored(self._rows[document], drawn, replica)
        if filler is None:
            facts = {"epoch": epoch, "name": self.name, "stored": self.stored_epochs}
            raise ValueError(say.EPOCH_NOT_STORED(**facts, enough=epoch + 1))
        judgment = self.dataset.judgments[self._rows[document]]
        found = filler.example(judgment, epoch=epoch, replica=replica)
        return found._replace(spans=tuple(Span(s.start, s.end, s.label) for s in found.spans))

    def lengths(self) -> NDArray[np.int64]:
        """Return the tokens of each stored example of the first epoch and replica."""
        found = [np.zeros(0, np.int64)]
        for shard in self._shards.get((0, 0), []):
            ends = self.dataset.array(shard, "rows")["tokens_end"]
            found.append(np.diff(ends, prepend=0))
        return np.concatenate(found)

    def _make_order(self, epoch: int) -> Sequence[int]:
        """Return for each position of an epoch which document and replica (as one number) it is.

        By keyed hash, not by a generator: the order of the old documents among themselves stays
        when others are added, and no library's version has a say.
        """
        if self.name != "train":
            return range(len(self))
        drawn = [
            (_hashed(self._key, f"{epoch}\0{replica}\0{id_}"), at * self.replicas + replica)
            for at, id_ in enumerate(self._ids)
            for replica in range(self.replicas)
        ]
        return [number for _, number in sorted(drawn)]

    @cached_property
    def _ids(self) -> list[str]:
        return self.ids()

    def _stored(self, judgment: int, epoch: int, replica: int) -> Example:
        places = self._place(epoch, replica)
        at = int(np.searchsorted(places.judgments, judgment))
        if at == len(places.judgments) or places.judgments[at] != judgment:
            where = self.dataset.folder / manifests.NAME
            raise DatasetError(say.NOT_STORED(path=where, judgment=judgment, again=say.AGAIN()))
        return self._read(places.names[int(places.shards[at])], int(places.rows[at]))

    def _read(self, shard: str, row: int) -> Example:
        get = partial(self.dataset.array, shard)
        rows = get("rows")
        first, last = shards.extent(rows["tokens_end"], row)
        first_span, last_span = shards.extent(rows["spans_end"], row)
        taxonomy = self.dataset.taxonomy
        return Example(
            id=shards.unpacked(get("ids"), rows["id_end"], row),
            epoch=int(rows["epoch"][row]),
            replica=int(rows["replica"][row]),
            ids=get("tokens")[first:last],
            labels=get("labels")[first:last],
            starts=get("starts")[first:last],
            ends=get("ends")[first:last],
            text=shards.unpacked(get("text"), rows["text_end"], row),
            spans=stored_spans.unpacked(get("spans")[first_span:last_span], taxonomy),
        )

    def _find_places(self, epoch: int, replica: int) -> "_Places":
        names = self._shards[epoch, replica]
        rows = [self.dataset.array(name, "rows")["judgment"] for name in names]
        sizes = [len(one) for one in rows]
        return _Places(
            names,
            np.concatenate([np.zeros(0, np.int64), *rows]),
            np.repeat(np.arange(len(names)), sizes),
            np.concatenate([np.zeros(0, np.int64), *map(np.arange, sizes)]),
        )


class _Places(NamedTuple):
    """Where the judgments of one draw are stored: ascending, each with its shard and row."""

    names: list[str]
    judgments: NDArray[np.int64]
    shards: NDArray[np.int64]
    rows: NDArray[np.int64]


def _by_draw(found: Sequence[Shard]) -> dict[tuple[int, int], list[str]]:
    draws: dict[tuple[int, int], list[str]] = {}
    for shard in found:
        draws.setdefault((shard.note["epoch"], shard.note["replica"]), []).append(shard.name)
    return draws


def _hashed(key: bytes, message: str) -> bytes:
    return hashlib.blake2b(message.encode(), key=key[:64], digest_size=8, person=b"order").digest()
