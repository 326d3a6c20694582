"""The rows a model is trained on: any of them at once, by its number, in any process.

A row holds pieces of documents, each as ``[CLS] … [SEP]``, then padding. Sample *n* is the same
whatever the number of processes, and whichever was asked for before.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.training_data.corpus import manifest as manifests
from thunder.training_data.corpus import plans
from thunder.training_data.corpus.manifest import Manifest
from thunder.training_data.corpus.mixing import by_source, shares
from thunder.training_data.corpus.order import Permutation, Schedule
from thunder.training_data.corpus.packing import RULES, Plan
from thunder.training_data.corpus.selection import PARTS
from thunder.training_data.corpus.shards import opened
from thunder.training_data.corpus.tokens import tokenizer_record

PAD, CLS, SEP = 0, 2, 3  # of every tokenizer of ours: thunder.tokenization.vocabulary


class Row(NamedTuple):
    """One training row: each array is as long as the row.

    ``ids`` are token ids, 0 is padding. ``documents`` number the pieces from 1, 0 is padding.
    ``words`` is True where a morpheme, a frame token or padding begins.
    """

    ids: NDArray[np.int64]
    documents: NDArray[np.int64]
    words: NDArray[np.bool_]
    source: str


class PackedRows:
    """The rows of one part of a prepared corpus, in an order without end.

    ``rows[n]`` takes any n >= 0: each source goes through all its rows once an epoch, every time
    in another order. Memory-mapped; it can be pickled, forked and read from many threads.
    """

    def __init__(
        self,
        folder: Path,
        *,
        length: int,
        seed: int,
        weights: Mapping[str, float] | None,
        part: str,
        sources: tuple[str, ...] | None = None,
    ) -> None:
        self._arguments = (folder, length, seed, weights, part, sources)
        self.folder, self.length, self.part = folder, length, part
        self.manifest = _manifest(folder, length, part)
        rules = f"{self.manifest.digest} {RULES}"
        self.digest = hashlib.sha256(rules.encode()).hexdigest()
        plans_of = plans.opened(folder, self.manifest, part=part, length=length)
        self._plans = {name: plan for name, plan in plans_of.items() if _rows(plan)}
        self.sources = _present(sources, self._plans, folder, part)
        self._orders: dict[tuple[str, int], Permutation] = {}
        self._arrays: dict[tuple[int, str], NDArray[np.uint8]] = {}
        self._seed = seed
        self.weights = self._shares(weights)
        self._schedule = Schedule([self.weights[name] for name in self.sources])

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        length: int,
        seed: int = 1,
        weights: Mapping[str, float] | None = None,
        part: str = "train",
    ) -> "PackedRows":
        """Return the rows of *length* tokens of a corpus folder, of its "train" or "held-out" part.

        *weights* are shares of the rows by language or by source that add up to 1; None takes
        the corpus's own ``[mix]``, else each row as often as any other, times its source's
        weight. FileNotFoundError or ValueError where a file is missing, cut short or damaged;
        ``thunder.training_data.corpus.verify`` reads them whole.
        """
        return cls(Path(folder), length=length, seed=seed, weights=weights, part=part)

    def _shares(self, weights: Mapping[str, float] | None) -> dict[str, float]:
        """Return the share of each source in the samples; one source alone has all."""
        counted = self.manifest.sources
        languages = {name: counts.language for name, counts in counted.items()}
        mix = self.manifest.settings.get("mix") if weights is None else weights
        if weights is not None:
            shares(weights, languages=languages)
        natural = {name: _rows(self._plans[name]) * counted[name].weight for name in self.sources}
        return by_source(mix if len(self.sources) > 1 else None, natural, languages)

    def __reduce__(self) -> tuple[object, ...]:
        return _reopened, self._arguments

    def __len__(self) -> int:
        """The rows of all sources: what an epoch would be, if all had weight 1."""
        return sum(_rows(self._plans[name]) for name in self.sources)

    def __getitem__(self, number: int) -> Row:
        """Return sample *number*; IndexError below 0."""
        if number < 0:
            raise IndexError("samples are numbered from 0")
        place, index = self._schedule(number)
        source = self.sources[place]
        epoch, index = divmod(index, _rows(self._plans[source]))
        return self._row(source, self._order(source, epoch)(index))

    def only(self, source: str) -> "PackedRows":
        """Return the rows of one source, for evaluation; LookupError where there are none."""
        return PackedRows(
            self.folder,
            length=self.length,
            seed=self._seed,
            weights=None,
            part=self.part,
            sources=(source,),
        )

    def epoch(self) -> Iterator[Row]:
        """Yield every row once, source by source, in the order of the disk: for evaluation."""
        for source in self.sources:
            for row in range(_rows(self._plans[source])):
                yield self._row(source, row)

    @property
    def vocabulary(self) -> int:
        """The tokens of the corpus's tokenizer, without the markers of labels."""
        return int(self.manifest.tokenizer["vocabulary"])

    def require_tokenizer(self, folder: Path) -> None:
        """Raise ValueError unless the corpus was tokenised with the tokenizer of *folder*."""
        there, given = self.manifest.tokenizer, tokenizer_record(folder)
        if there["sha256"] != given["sha256"]:
            raise ValueError(
                f"{self.folder} was tokenised with another tokenizer ({there['vocabulary']:,} "
                f"tokens, {there['sha256'][:12]}) than {folder} ({given['vocabulary']:,}, "
                f"{given['sha256'][:12]}): give its own, or prepare the corpus again"
            )

    @property
    def padding(self) -> float:
        """The share of padding among the tokens of all rows."""
        total = len(self) * self.length
        filled = sum(self._filled(self._plans[name]) for name in self.sources)
        return 1 - filled / total

    def _filled(self, plan: Plan) -> int:
        return int(plan.segments["tokens"].sum(dtype=np.int64)) + 2 * len(plan.segments)

    def _order(self, source: str, epoch: int) -> Permutation:
        found = self._orders.get((source, epoch))
        if found is None:
            size = _rows(self._plans[source])
            found = Permutation(size, self._seed, self.part, source, epoch)
            if len(self._orders) > 1000:
                self._orders = {}
            self._orders[source, epoch] = found
        return found

    def _row(self, source: str, row: int) -> Row:
        plan = self._plans[source]
        ids = np.zeros(self.length, dtype=np.int64)
        documents = np.zeros(self.length, dtype=np.int64)
        words = np.ones(self.length, dtype=np.bool_)
        at = 0
        segments = plan.segments[int(plan.rows[row]) : int(plan.rows[row + 1])].tolist()
        for document, (shard, start, tokens) in enumerate(segments, 1):
            end = at + tokens + 2
            documents[at:end] = document
            ids[at], ids[end - 1] = CLS, SEP
            ids[at + 1 : end - 1] = self._array(shard, "tokens.npy")[start : start + tokens]
            words[at + 1 : end - 1] = self._starts(shard, start, tokens)
            words[at + 1] = True
            at = end
        return Row(ids, documents, words, source)

    def _starts(self, shard: int, start: int, tokens: int) -> NDArray[np.uint8]:
        """Return 1 for each token that begins a morpheme."""
        first = start // 8
        packed = self._array(shard, "starts.npy")[first : (start + tokens + 7) // 8]
        return np.unpackbits(packed)[start - 8 * first :][:tokens]

    def _array(self, shard: int, name: str) -> NDArray[np.uint8]:
        found = self._arrays.get((shard, name))
        if found is None:
            found = opened(self.folder, self.manifest.shards[shard], name)
            self._arrays[shard, name] = found
        return found


def _reopened(
    folder: Path,
    length: int,
    seed: int,
    weights: Mapping[str, float] | None,
    part: str,
    sources: tuple[str, ...] | None,
) -> PackedRows:
    return PackedRows(folder, length=length, seed=seed, weights=weights, part=part, sources=sources)


def _manifest(folder: Path, length: int, part: str) -> Manifest:
    if part not in PARTS:
        raise ValueError(f"a corpus has the parts {' and '.join(PARTS)}, not {part!r}")
    if not 8 <= length <= 65_535:
        raise ValueError(f"rows have 8 to 65535 tokens, not {length}")
    found = manifests.read(folder)
    manifests.require_sizes(folder, found)
    return found


def _rows(plan: Plan) -> int:
    return len(plan.rows) - 1


def _present(
    sources: tuple[str, ...] | None, found: Mapping[str, Plan], folder: Path, part: str
) -> tuple[str, ...]:
    if not found:
        raise ValueError(f"{folder}: nothing is {part}: set a larger share in [held_out]")
    for name in sources or ():
        if name not in found:
            raise LookupError(
                f"{folder}: no rows of a source {name!r} in {part}; there are {', '.join(found)}"
            )
    return sources or tuple(found)
