"""One part of a dataset: its examples by epoch and position.

What an epoch is made of is a pure function of the dataset, the epoch and the position: the same
for every worker, rank and restart. Training judgments come in another order each epoch, the
others in the order of the files.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.text.spans import Span
from thunder.training_data.datasets import manifest as manifests
from thunder.training_data.datasets import shards, stored_spans
from thunder.training_data.datasets.examples import Example, Filler, Marked
from thunder.training_data.datasets.shards import DatasetError, Shard
from thunder.training_data.datasets.splits import PartName

if TYPE_CHECKING:
    from thunder.training_data.datasets.dataset import Dataset

_AGAIN = "build the dataset again"


class Part:
    """The examples of one part; its length is that of an epoch: documents times replicas."""

    def __init__(self, dataset: "Dataset", name: PartName, rows: Sequence[int]) -> None:
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

    def __reduce__(self) -> "tuple[type, tuple[Dataset, PartName, Sequence[int]]]":
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
            raise ValueError(
                f"epoch {epoch} of {self.name} is not stored ({self.stored_epochs} are): give a "
                f"filler (Dataset.filler), or build with --epochs {epoch + 1}"
            )
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
            raise DatasetError(f"{where}: no example of document {judgment} is stored: {_AGAIN}")
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
