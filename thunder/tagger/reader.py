"""Tokens to readings: windows of many documents, batched by a budget of tokens."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thunder.tagger.backend import Batch, Ids, Scorer, scored
from thunder.tagger.readings import Classes, Reading
from thunder.tagger.windows import Window, windows
from thunder.tokenization.words import Encoded

_POOL = 64  # budgets of tokens whose windows are sorted by length together


class Tokens(NamedTuple):
    """A document's tokens, and what the network is told of each (``thunder.tagger.hints``)."""

    encoded: Encoded
    hints: Ids | None = None


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

    def read(self, documents: Iterable[Tokens]) -> Iterator[Reading]:
        """Yield what was read of each document, in order; a document may be empty."""
        pool: list[Tokens] = []
        room = _POOL * self.budget
        for document in documents:
            pool.append(document)
            room -= len(document.encoded.ids) + 1
            if room <= 0:
                yield from self._read(pool)
                pool, room = [], _POOL * self.budget
        yield from self._read(pool)

    def _read(self, pool: Sequence[Tokens]) -> list[Reading]:
        readings = [Reading.empty(one.encoded.starts, one.encoded.ends) for one in pool]
        for batch in self._batches(pool):
            scores_BSC = scored(self.scorer, self._filled(pool, batch))
            for scores_SC, (document, window) in zip(scores_BSC, batch, strict=True):
                skipped = len(self.before) - window.start
                own = scores_SC[window.first + skipped : window.last + skipped]
                readings[document].put(window.first, self.classes.read(own))
        return readings

    def _batches(self, pool: Sequence[Tokens]) -> Iterator[list["_Placed"]]:
        """Yield windows of like length together: as many as the budget holds, at least one."""
        size = self.length - len(self.before) - len(self.after)
        every = [
            _Placed(number, window)
            for number, one in enumerate(pool)
            for window in windows(len(one.encoded.ids), size=size, overlap=self.overlap)
        ]
        every.sort(key=lambda one: one.window.end - one.window.start, reverse=True)
        at = 0
        while at < len(every):
            most = max(1, self.budget // self._width(every[at].window))
            yield every[at : at + most]
            at += most

    def _width(self, window: Window) -> int:
        return window.end - window.start + len(self.before) + len(self.after)

    def _filled(self, pool: Sequence[Tokens], batch: Sequence["_Placed"]) -> Batch:
        shape = len(batch), max(self._width(one.window) for one in batch)
        ids_BS = np.full(shape, self.pad, np.int64)
        mask_BS = np.zeros(shape, np.int64)
        hints_BS = np.zeros(shape, np.int64) if self.scorer.hints else None
        for row, (document, window) in enumerate(batch):
            encoded, hints = pool[document]
            inside = encoded.ids[window.start : window.end].tolist()
            framed = [*self.before, *inside, *self.after]
            ids_BS[row, : len(framed)], mask_BS[row, : len(framed)] = framed, 1
            if hints_BS is not None and hints is not None:
                first = len(self.before)
                told = hints[window.start : window.end]
                hints_BS[row, first : first + len(told)] = told
        return Batch(ids_BS, mask_BS, hints_BS)


class _Placed(NamedTuple):
    document: int
    window: Window
