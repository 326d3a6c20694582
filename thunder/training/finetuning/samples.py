"""Documents to micro-batches: windows, labelled once, packed; a pure function of the numbers.

Sample n is a document: position n mod N of epoch n // N of N training documents, in an order of
the run's own seed. So nothing is kept to resume, and any number of processes takes the same.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from thunder.mentions.recognising import recognised
from thunder.tagger import hints as hinting
from thunder.tagger.tokenizers import Frame, TaggerTokenizer
from thunder.tagger.windows import windows
from thunder.taxonomy import Taxonomy
from thunder.text.korean import fold
from thunder.tokenization.labeling import IGNORE, Offsets, Scheme, labels_from_spans
from thunder.training.finetuning.settings import Hints
from thunder.training.loop import Micro
from thunder.training_data.datasets.dataset import Part
from thunder.training_data.datasets.examples import Example, Filler, Marked

Layout = Literal["packed", "rows"]
"""Windows side by side in a row, told apart by number; or one window a row, padded."""

Integers = NDArray[np.int64]


class Piece(NamedTuple):
    """A window with its frame: ids, hints, and labels: IGNORE where another window answers."""

    ids: Integers
    labels: Integers
    hints: Integers | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Gives a part's documents as examples, by epoch and position."""

    part: Part
    filler: Filler | None = None
    redrawn: tuple[Marked, ...] | None = None  # the part's judgments, where all are drawn anew

    def __len__(self) -> int:
        return len(self.part)

    def example(self, position: int, *, epoch: int) -> Example:
        """Return the example at a position of an epoch."""
        if self.redrawn is None or self.filler is None:
            return self.part.example(position, epoch=epoch, filler=self.filler)
        number = self.part.order(epoch)[position]
        document, replica = divmod(number, self.part.replicas)
        return self.filler.example(self.redrawn[document], epoch=epoch, replica=replica)


@dataclass(frozen=True, kw_only=True)
class Samples:
    """Makes micro-batches; it can be sent to a worker.

    *row* is how many tokens of windows stand side by side. *tokenizer* cuts texts anew where the
    network has another tokenizer than the dataset. *seed* is None for the order of the files
    (development). *hints* says what of the recognisers' finds the network is told; None: nothing.
    A share *word_dropout* of the tokens is hidden. *truncate*: only the first window is read.
    """

    source: Source
    frame: Frame
    length: int
    overlap: int
    row: int
    layout: Layout
    taxonomy: Taxonomy
    scheme: Scheme
    tokenizer: TaggerTokenizer | None = None
    seed: int | None = None
    hints: Hints | None = None
    word_dropout: float = 0.0
    truncate: bool = False
    order: Callable[[int], Sequence[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.word_dropout and self.frame.mask is None:
            raise ValueError("'word_dropout' hides tokens, and this tokenizer has no mask token")
        object.__setattr__(self, "order", lru_cache(maxsize=2)(self._order))

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "order"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def __call__(self, numbers: range) -> Micro:
        """Return the documents *numbers*, all their windows in one micro-batch."""
        pieces = [piece for number in numbers for piece in self.pieces(number)]
        if self.layout == "packed":
            inputs = packed(pieces, row=self.row, pad=self.frame.pad)
        else:
            inputs = padded(pieces, pad=self.frame.pad)
        labelled = int((inputs["labels"] != IGNORE).sum())
        return Micro(tuple(numbers), inputs, sum(len(one.ids) for one in pieces), labelled)

    def pieces(self, number: int) -> Iterator[Piece]:
        """Yield the windows of document *number*; each of its tokens has its label in one."""
        epoch, at = divmod(number, len(self.source))
        example = self.source.example(self.order(epoch)[at], epoch=epoch)
        ids, labels, starts, ends = self._tokens(example)
        size = self.length - len(self.frame)
        if self.truncate:
            ids, labels, starts, ends = ids[:size], labels[:size], starts[:size], ends[:size]
        hints = self._hints(example, starts, ends, number=number)
        if self.word_dropout:
            hidden = self._drawn("words", number).random(len(ids)) < self.word_dropout
            ids = np.where(hidden, np.int64(self.frame.mask or 0), ids)
        for window in windows(len(ids), size=size, overlap=self.overlap):
            own = np.full(window.end - window.start, IGNORE, np.int64)
            answered = slice(window.first - window.start, window.last - window.start)
            own[answered] = labels[window.first : window.last]
            inside = slice(window.start, window.end)
            yield self._framed(ids[inside], own, None if hints is None else hints[inside])

    def _framed(self, ids: Integers, labels: Integers, hints: Integers | None) -> Piece:
        before, after, *_ = self.frame
        sides = len(before), len(after)
        framed = np.concatenate([np.array(before, np.int64), ids, np.array(after, np.int64)])
        around = np.pad(labels, sides, constant_values=IGNORE)
        return Piece(framed, around, None if hints is None else np.pad(hints, sides))

    def _hints(
        self, example: Example, starts: Offsets, ends: Offsets, *, number: int
    ) -> Integers | None:
        """Return what the network is told of each token of document *number*."""
        if self.hints is None:
            return None
        _require_text(example, wanted="the recognisers read")
        folded = fold(example.text)
        named = recognised(folded.text)
        named = [span for span in named if span.source not in self.hints.without]
        spans = [folded.original(span) for span in hinting.told(folded.text, named, self.hints.of)]
        if self.hints.dropout:
            kept = self._drawn("hints", number).random(len(spans)) >= self.hints.dropout
            spans = [span for span, stays in zip(spans, kept, strict=True) if stays]
        return hinting.hints(starts, ends, spans, taxonomy=self.taxonomy)

    def _drawn(self, what: str, number: int) -> np.random.Generator:
        """Return chance for one thing of document *number*, the same whoever makes the sample."""
        return np.random.default_rng(int.from_bytes(_hashed(f"{self.seed}\0{what}\0{number}")))

    def _tokens(self, example: Example) -> tuple[Integers, Integers, Offsets, Offsets]:
        if self.tokenizer is None:
            whole = example.ids.astype(np.int64), example.labels.astype(np.int64)
            return *whole, example.starts, example.ends
        _require_text(example, wanted="another tokenizer needs")
        cut, starts, ends = self.tokenizer.encode(example.text)
        labels = labels_from_spans(
            starts, ends, example.spans, taxonomy=self.taxonomy, scheme=self.scheme
        )
        return cut.astype(np.int64), labels.astype(np.int64), starts, ends

    def _order(self, epoch: int) -> Sequence[int]:
        """Return the positions of an epoch as this run goes through them, by keyed hash."""
        positions = range(len(self.source))
        if self.seed is None:
            return positions
        return sorted(positions, key=lambda at: _hashed(f"{self.seed}\0{epoch}\0{at}"))


def packed(pieces: Sequence[Piece], *, row: int, pad: int) -> dict[str, torch.Tensor]:
    """Return rows of up to *row* tokens of windows side by side, the fullest first."""
    rows = sorted(_shared(pieces, row), key=_fill, reverse=True)
    ids, labels, documents = _blank(len(rows), _fill(rows[0]), pad)
    hints = np.zeros_like(ids)
    for number, inside in enumerate(rows):
        at = 0
        for document, one in enumerate(inside, 1):
            place = slice(at, at := at + len(one.ids))
            ids[number, place], labels[number, place] = one.ids, one.labels
            documents[number, place] = document
            if one.hints is not None:
                hints[number, place] = one.hints
    told = {} if pieces[0].hints is None else {"hint_ids": hints}
    return _tensors(input_ids=ids, labels=labels, document_ids=documents, **told)


def padded(pieces: Sequence[Piece], *, pad: int) -> dict[str, torch.Tensor]:
    """Return one window a row, the longest first.

    Other networks than ours take no numbers of documents: windows side by side would see each
    other through their attention. What keeps padding small is that rows of like length are
    computed together (``tagging.pieces``).
    """
    width = max(len(one.ids) for one in pieces)
    ids, labels, mask = _blank(len(pieces), width, pad)
    for row, one in enumerate(sorted(pieces, key=lambda one: -len(one.ids))):
        end = len(one.ids)
        ids[row, :end], labels[row, :end], mask[row, :end] = one.ids, one.labels, 1
    return _tensors(input_ids=ids, labels=labels, attention_mask=mask)


def _shared(pieces: Sequence[Piece], row: int) -> list[list[Piece]]:
    """Return the windows in rows: the longest left goes to the fullest row that has room."""
    rows: list[list[Piece]] = []
    room: list[int] = []
    for one in sorted(pieces, key=lambda one: -len(one.ids)):
        size = len(one.ids)
        _, at = min(((left, at) for at, left in enumerate(room) if left >= size), default=(0, -1))
        if at < 0:
            rows.append([])
            room.append(row)
        rows[at].append(one)
        room[at] -= size
    return rows


def _fill(row: Sequence[Piece]) -> int:
    return sum(len(one.ids) for one in row)


def _blank(rows: int, width: int, pad: int) -> tuple[Integers, Integers, Integers]:
    shape = (rows, width)
    return (
        np.full(shape, pad, np.int64),
        np.full(shape, IGNORE, np.int64),
        np.zeros(shape, np.int64),
    )


def _tensors(**arrays: Integers) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(one) for name, one in arrays.items()}


def _require_text(example: Example, *, wanted: str) -> None:
    if not example.text:
        raise ValueError(
            f"document {example.id}: the dataset was built without texts, which {wanted}: "
            "build it again with --text"
        )


def _hashed(message: str) -> bytes:
    return hashlib.blake2b(message.encode(), digest_size=8, person=b"finetuning").digest()
