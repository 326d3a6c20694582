"""Tokens to readings: windows of many documents, batched by a budget of tokens."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thunder.tagger.backend import Ids, Scorer, scored
from thunder.tagger.readings import Classes, Reading
from thunder.tagger.windows import Window, windows
from thunder.word_tokens import Encoded

_POOL = 64  # budgets of tokens whose windows are sorted by length together


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How documents are read: windows of *length* tokens with their frame, *budget* at once.

    *before* and *after* are the frame's ids ([CLS], [SEP]); *pad* fills up.
    """

    scorer: Scorer
    classes: Classes
    length: int
    overlap: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    pad: int
    budget: int = 1024

    def read(self, documents: Iterable[Encoded]) -> Iterator[Reading]:
        """Yield what was read of each document, in order; a document may be empty."""
        pool: list[Encoded] = []
        room = _POOL * self.budget
        for document in documents:
            pool.append(document)
            room -= len(document.ids) + 1
            if room <= 0:
                yield from self._read(pool)
                pool, room = [], _POOL * self.budget
        yield from self._read(pool)

    def _read(self, pool: Sequence[Encoded]) -> list[Reading]:
        readings = [Reading.empty(one.starts, one.ends) for one in pool]
        for batch in self._batches(pool):
            ids_BS, mask_BS = self._filled(pool, batch)
            scores_BSC = scored(self.scorer, ids_BS, mask_BS)
            for scores_SC, (document, window) in zip(scores_BSC, batch, strict=True):
                skipped = len(self.before) - window.start
                own = scores_SC[window.first + skipped : window.last + skipped]
                readings[document].put(window.first, self.classes.read(own))
        return readings

    def _batches(self, pool: Sequence[Encoded]) -> Iterator[list["_Placed"]]:
        """Yield windows of like length together: as many as the budget holds, at least one."""
        size = self.length - len(self.before) - len(self.after)
        every = [
            _Placed(number, window)
            for number, one in enumerate(pool)
            for window in windows(len(one.ids), size=size, overlap=self.overlap)
        ]
        every.sort(key=lambda one: one.window.end - one.window.start, reverse=True)
        at = 0
        while at < len(every):
            most = max(1, self.budget // self._width(every[at].window))
            yield every[at : at + most]
            at += most

    def _width(self, window: Window) -> int:
        return window.end - window.start + len(self.before) + len(self.after)

    def _filled(self, pool: Sequence[Encoded], batch: Sequence["_Placed"]) -> tuple[Ids, Ids]:
        width = max(self._width(one.window) for one in batch)
        ids_BS = np.full((len(batch), width), self.pad, np.int64)
        mask_BS = np.zeros((len(batch), width), np.int64)
        for row, (document, window) in enumerate(batch):
            inside = pool[document].ids[window.start : window.end].tolist()
            framed = [*self.before, *inside, *self.after]
            ids_BS[row, : len(framed)], mask_BS[row, : len(framed)] = framed, 1
        return ids_BS, mask_BS


class _Placed(NamedTuple):
    document: int
    window: Window
