"""The packing plan: which pieces of which documents share a row, decided once and for all.

A row of S tokens holds pieces of documents, each as ``[CLS] … [SEP]``, the frame that every window
has in fine-tuning and in use. A document longer than a row fills rows of its own; what is left of
it, and short documents, are packed best-fit decreasing with others of the same shard, all pieces
of one length at once. Where that leaves too much padding (documents of half a row and more fit
badly), the emptiest rows are poured together and documents cut where a row ends. Nothing is lost,
and pieces of one shard lie near each other on disk.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RULES = 1  # raised whenever some row changes: a run resumes only with the same rows
FRAME = 2  # [CLS] and [SEP]
_PADDING = 0.01  # of a shard: with more, its emptiest rows are poured together
_EMPTY = 0.04  # a row with more room than this share is one of them
_SHORTEST = 16  # tokens of a piece that pouring cuts off
SEGMENT = np.dtype([("shard", "<u4"), ("start", "<u4"), ("tokens", "<u2")])

Integers = NDArray[np.int64]


class Segments(NamedTuple):
    """Pieces of documents: the first token and the number of tokens, without the frame."""

    start: Integers
    tokens: Integers


def cut(start: Integers, tokens: Integers, *, length: int) -> Segments:
    """Return the pieces of documents that rows of *length* can hold, in order."""
    room = length - FRAME
    pieces = -(-tokens // room)
    first = np.cumsum(pieces) - pieces
    document = np.repeat(np.arange(len(tokens)), pieces)
    offset = (np.arange(len(document)) - first[document]) * room
    return Segments(start[document] + offset, np.minimum(tokens[document] - offset, room))


def packed(tokens: Integers, *, length: int) -> Integers:
    """Return the row of each piece: best-fit decreasing, pieces of one length all at once."""
    sizes = tokens + FRAME
    rows = np.zeros(len(tokens), dtype=np.int64)
    bins = _Bins(length)
    order = np.argsort(-sizes, kind="stable")
    edges = np.flatnonzero(np.diff(sizes[order])) + 1
    for group in np.split(order, edges):
        if len(group):
            rows[group] = bins.take(len(group), int(sizes[group[0]]))
    return rows


class _Bins:
    """Rows by the room that is left in them."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._by_room: dict[int, Integers] = {}
        self._made = 0

    def take(self, number: int, size: int) -> Integers:
        """Return a row for each of *number* pieces of *size* tokens, the fullest that do."""
        found = [np.zeros(0, dtype=np.int64)]
        while number:
            room = min((room for room in self._by_room if room >= size), default=0)
            if not room:
                found.append(self._new(number, size))
                break
            rows = self._by_room.pop(room)
            if len(rows) > number:
                self._by_room[room], rows = rows[:-number], rows[-number:]
            self._put(rows, room - size)
            found.append(rows)
            number -= len(rows)
        return np.concatenate(found)

    def _new(self, number: int, size: int) -> Integers:
        """Return new rows, each filled with pieces of this size."""
        each = self._length // size
        rows = self._made + np.arange(number) // each
        last = int(rows[-1]) + 1
        in_last = number - each * (last - 1 - self._made)
        self._put(np.arange(self._made, last - 1), self._length - each * size)
        self._put(np.array([last - 1]), self._length - in_last * size)
        self._made = last
        return rows

    def _put(self, rows: Integers, room: int) -> None:
        if room > FRAME and len(rows):
            there = self._by_room.get(room)
            self._by_room[room] = rows if there is None else np.concatenate([there, rows])


def poured(found: Segments, row: Integers, *, length: int) -> tuple[Segments, Integers]:
    """Return pieces and rows with the emptiest rows filled up, if there is too much padding."""
    room = length - np.bincount(row, weights=found.tokens + FRAME)
    if room.sum() <= _PADDING * length * len(room):
        return found, row
    loose = (room > _EMPTY * length)[row]
    pieces = list(_pour(found.start[loose], found.tokens[loose], length))
    start, tokens, new = np.array(pieces, dtype=np.int64).reshape(-1, 3).T
    kept = Segments(found.start[~loose], found.tokens[~loose])
    both = Segments(np.r_[kept.start, start], np.r_[kept.tokens, tokens])
    return both, np.r_[row[~loose], new + len(room)]


def _pour(start: Integers, tokens: Integers, length: int) -> Iterator[tuple[int, int, int]]:
    """Yield (start, tokens, row) of pieces, one after the other into rows, cut where one ends."""
    row, room = 0, length
    for at, left in zip(start.tolist(), tokens.tolist(), strict=True):
        while left:
            taken = min(left, room - FRAME)
            if 0 < left - taken < _SHORTEST:
                taken = left - _SHORTEST
            if taken < min(left, _SHORTEST):
                row, room = row + 1, length
                continue
            yield at, taken, row
            at, left, room = at + taken, left - taken, room - taken - FRAME


def _in_order_of_use(rows: Integers) -> Integers:
    """Return the rows numbered by their first piece, so that neighbours on disk stay so."""
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


class Plan(NamedTuple):
    """The pieces of all rows of a source, and where each row's begin (one more than rows)."""

    segments: NDArray[np.void]
    rows: Integers


def plan(shards: Iterator[tuple[int, Integers, Integers]], *, length: int) -> Plan:
    """Return the plan of a source from its shards: number, starts and tokens of its documents."""
    segments = [np.zeros(0, dtype=SEGMENT)]
    counts = [np.zeros(0, dtype=np.int64)]
    for shard, starts, tokens in shards:
        kept = tokens > 0
        found = cut(starts[kept], tokens[kept], length=length)
        if not len(found.tokens):
            continue
        found, row = poured(found, packed(found.tokens, length=length), length=length)
        row = _in_order_of_use(row)
        order = np.argsort(row, kind="stable")
        table = np.zeros(len(order), dtype=SEGMENT)
        table["shard"] = shard
        table["start"], table["tokens"] = found.start[order], found.tokens[order]
        segments.append(table)
        counts.append(np.bincount(row))
    edges = np.r_[np.int64(0), np.cumsum(np.concatenate(counts))]
    return Plan(np.concatenate(segments), edges)
