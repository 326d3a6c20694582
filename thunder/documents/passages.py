"""Paragraphs made of pieces, each of which stands somewhere in the bytes of a part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from thunder.documents.markup import Edit, escaped, places
from thunder.documents.segments import Kind, Mask


class Mode(IntEnum):
    """How a piece is edited."""

    TEXT = 0
    """The text between tags, or an attribute's value."""
    CDATA = 1
    ELEMENT = 2
    """An element that stands for a character: it is taken out as a whole."""
    TRIMMED = 3
    """Text whose blanks at its edges count only once its element says so (DOCX)."""


class Piece(NamedTuple):
    """A stretch of bytes, how many characters it says, and how it is edited."""

    start: int
    end: int
    length: int
    mode: Mode


@dataclass(slots=True)
class Passage:
    """What becomes one segment: its text, its pieces, and what no longer fits once it is edited.

    ``stale`` are stretches of bytes to take out then, such as a cache of line breaks; ``wrap``
    what has to stand around a text that takes the place of an element. ``rank`` tells what is
    read first: 0 the body, 1 headers and footers, 2 text boxes, 3 memos.
    """

    part: str
    kind: Kind
    rank: int = 0
    text: str = field(default="", repr=False)
    after: str = "\n"
    pieces: list[Piece] = field(default_factory=list, repr=False)
    stale: Sequence[tuple[int, int]] = ()
    wrap: tuple[bytes, bytes] = (b"", b"")

    def add(self, text: str, start: int, end: int, mode: Mode = Mode.TEXT) -> None:
        """Take in what is said by the bytes from *start* to *end*."""
        if text:
            self.pieces.append(Piece(start, end, len(text), mode))
            self.text = self.text + text if self.text else text

    def edits(self, data: bytes, masks: Sequence[Mask]) -> Iterator[Edit]:
        """Yield what puts *masks* into *data*: each into its first piece, the others emptied."""
        if not masks:
            return
        yield from (Edit(start, end, b"") for start, end in self.stale)
        begin, which = 0, 0
        for piece in self.pieces:
            finish = begin + piece.length
            while which < len(masks) and masks[which].end <= begin < finish:
                which += 1
            last = which
            while last < len(masks) and masks[last].start < finish:
                last += 1
            if which < last:
                yield from self._edits(data, piece, begin, masks[which:last])
                if piece.mode is Mode.TRIMMED:
                    yield Edit(piece.start - 1, piece.start - 1, b' xml:space="preserve"')
            begin = finish

    def _is_first_text(self, begin: int, mask: Mask) -> bool:
        """Return whether only elements of *mask* stand before the piece that begins at *begin*."""
        at = 0
        for piece in self.pieces:
            if at >= begin:
                break
            if at + piece.length > mask.start and piece.mode is not Mode.ELEMENT:
                return False
            at += piece.length
        return True

    def _has_text_behind(self, begin: int, mask: Mask) -> bool:
        at = 0
        for piece in self.pieces:
            if begin < at < mask.end and piece.mode is not Mode.ELEMENT:
                return True
            at += piece.length
        return False

    def _edits(
        self, data: bytes, piece: Piece, begin: int, masks: Sequence[Mask]
    ) -> Iterator[Edit]:
        """Yield the edits of one piece, which *masks* reach into."""
        if piece.mode is Mode.ELEMENT:
            new = b""
            if masks[0].start >= begin and not self._has_text_behind(begin, masks[0]):
                new = self.wrap[0] + escaped(masks[0].replacement) + self.wrap[1]
            yield Edit(piece.start, piece.end, new)
            return
        is_raw = piece.mode is Mode.CDATA
        indexes = [
            min(max(0, at - begin), piece.length) for mask in masks for at in (mask.start, mask.end)
        ]
        found = places(data, piece.start, piece.end, indexes, is_raw=is_raw)
        for mask, start, end in zip(masks, found[::2], found[1::2], strict=True):
            new = b""
            if mask.start >= begin or self._is_first_text(begin, mask):
                new = escaped(mask.replacement)
                new = b"]]>" + new + b"<![CDATA[" if is_raw else new
            yield Edit(start, end, new)


class Passages:
    """The passages of a document as its parts are walked through."""

    def __init__(self) -> None:
        self._made: list[Passage] = []
        self._cells: list[int] = []

    def begin(self, passage: Passage) -> Passage:
        """Return *passage*, which stands behind all begun before."""
        self._made.append(passage)
        return passage

    def take(self, passages: list[Passage]) -> None:
        """Put what was read elsewhere, such as a note, where the walk stands."""
        self._made += passages

    def begin_cell(self) -> None:
        """Note that a cell, or a row of cells, begins."""
        self._cells.append(len(self._made))

    def end_cell(self, after: str) -> None:
        """Note that it ends: *after* follows the last passage in it, if there is one."""
        begin = self._cells.pop()
        made = self._made[begin:]
        rank = min((passage.rank for passage in made), default=0)
        for passage in reversed(made):
            if passage.text and passage.rank == rank:
                passage.after = after
                break

    def read(self) -> list[Passage]:
        """Return those with a text in the order in which they are read."""
        return sorted((p for p in self._made if p.text), key=lambda passage: passage.rank)

    def taken_out(self) -> list[Passage]:
        """Return all that were begun, in their order, and forget them."""
        made, self._made = self._made, []
        return made
