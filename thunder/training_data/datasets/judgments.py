"""The prepared judgments of a dataset: text, spans and case type, each looked up by number.

They are what per-epoch replacement draws from, epoch after epoch, long after the annotated
files were read and checked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from thunder.taxonomy import Taxonomy
from thunder.training_data.datasets import shards, stored_spans
from thunder.training_data.datasets.filling import Marked
from thunder.training_data.datasets.shards import Array, Shard

FOLDER = "judgments"
_ROWS = 1024
_CHARACTERS = 1_000_000  # of a shard: what is held in memory while it is written
_OPEN = 16  # shards kept open: what is mapped counts as memory used

_ROW = np.dtype(
    [
        ("characters", "<i4"),
        ("text_end", "<i8"),
        ("spans_end", "<i8"),
        ("id_end", "<i8"),
        ("case_end", "<i8"),
    ]
)


class Head(NamedTuple):
    """What is known of a judgment without its text."""

    id: str
    case_type: str
    characters: int
    entities: int


class Writer:
    """Writes judgments into shards of a folder as they come; ``close`` gives the shards."""

    def __init__(self, folder: Path, taxonomy: Taxonomy) -> None:
        self._folder, self._taxonomy = folder, taxonomy
        self._waiting: list[Marked] = []
        self._characters = 0
        self._shards: list[Shard] = []

    def add(self, judgment: Marked) -> None:
        """Take one more judgment; a shard is written when enough are waiting."""
        if self._waiting and self._characters + len(judgment.text) > _CHARACTERS:
            self._flush()
        self._waiting.append(judgment)
        self._characters += len(judgment.text)
        if len(self._waiting) == _ROWS:
            self._flush()

    def close(self) -> list[Shard]:
        """Return all shards, the last one written now."""
        if self._waiting:
            self._flush()
        return self._shards

    def _flush(self) -> None:
        place = self._folder / f"{FOLDER}-{len(self._shards):05}"
        note = {"rows": len(self._waiting)}
        self._shards.append(shards.write(place, _arrays(self._waiting, self._taxonomy), note))
        self._waiting, self._characters = [], 0


class Judgments(Sequence[Marked]):
    """All prepared judgments of a dataset, in the order of the annotated files."""

    def __init__(self, folder: Path, names: Iterable[str], taxonomy: Taxonomy) -> None:
        self._folder, self._taxonomy = folder, taxonomy
        self._names = list(names)
        rows = [len(shards.mapped(folder / name, "rows")) for name in self._names]
        self._ends = np.cumsum(rows, dtype=np.int64)
        self._arrays = lru_cache(maxsize=_OPEN * 5)(partial(_mapped, folder))

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __getitem__(self, at: int) -> Marked:  # type: ignore[override]
        shard, row = self._place(at)
        get = partial(self._arrays, shard)
        rows = get("rows")
        first, last = shards.extent(rows["spans_end"], row)
        return Marked(
            shards.unpacked(get("ids"), rows["id_end"], row),
            shards.unpacked(get("case_types"), rows["case_end"], row),
            shards.unpacked(get("text"), rows["text_end"], row),
            stored_spans.unpacked(get("spans")[first:last], self._taxonomy),
        )

    def heads(self) -> Iterator[Head]:
        """Yield id, case type and sizes of each judgment, without reading its text."""
        for name in self._names:
            get = partial(_mapped, self._folder, name)
            rows, ids, cases = get("rows"), get("ids"), get("case_types")
            for row in range(len(rows)):
                first, last = shards.extent(rows["spans_end"], row)
                yield Head(
                    shards.unpacked(ids, rows["id_end"], row),
                    shards.unpacked(cases, rows["case_end"], row),
                    int(rows["characters"][row]),
                    last - first,
                )

    def label_counts(self, kept: Sequence[str | None]) -> Counter[tuple[str, str]]:
        """Return how often each label stands in each group, given the group of each judgment.

        Keys are (label, group), the label IGNORED where there is none; judgments of the group
        None do not count.
        """
        found: Counter[tuple[int, str]] = Counter()
        done = 0
        for name in self._names:
            ends = _mapped(self._folder, name, "rows")["spans_end"]
            numbers = _mapped(self._folder, name, "spans")["label"].tolist()
            for row in range(len(ends)):
                first, last = shards.extent(ends, row)
                group = kept[done + row]
                if group is not None:
                    found.update((number, group) for number in numbers[first:last])
            done += len(ends)
        label = partial(stored_spans.label_of, taxonomy=self._taxonomy)
        return Counter({(label(number), group): n for (number, group), n in found.items()})

    def _place(self, at: int) -> tuple[str, int]:
        at = range(len(self))[at]
        shard = int(np.searchsorted(self._ends, at, side="right"))
        return self._names[shard], at - (int(self._ends[shard - 1]) if shard else 0)


def _mapped(folder: Path, shard: str, name: str) -> Array:
    return shards.mapped(folder / shard, name)


def _arrays(judgments: Sequence[Marked], taxonomy: Taxonomy) -> dict[str, Array]:
    text, text_ends = shards.packed(one.text for one in judgments)
    ids, id_ends = shards.packed(one.id for one in judgments)
    cases, case_ends = shards.packed(one.case_type for one in judgments)
    spans = stored_spans.packed((span for one in judgments for span in one.spans), taxonomy)
    rows = np.zeros(len(judgments), dtype=_ROW)
    rows["characters"] = [len(one.text) for one in judgments]
    rows["text_end"], rows["id_end"], rows["case_end"] = text_ends, id_ends, case_ends
    rows["spans_end"] = np.cumsum([len(one.spans) for one in judgments])
    return {"rows": rows, "text": text, "spans": spans, "ids": ids, "case_types": cases}
