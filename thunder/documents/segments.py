"""What a format gives and takes: segments of text, masks over them, and the same file back.

A format is a module with ``open(data) -> Document``. It raises Refused for a file that it cannot
answer for: encrypted, signed, damaged, or holding a part that nobody knows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class Kind(StrEnum):
    """What a segment is in its document."""

    BODY = "body"
    CELL = "cell"
    NOTE = "note"
    HEADER = "header"
    FOOTER = "footer"
    TEXT_BOX = "text box"
    MEMO = "memo"
    CAPTION = "caption"


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text that ends where it ends: a paragraph, a paragraph of a cell, a note.

    ``part`` is the part of the file that holds it, as the format names it; ``after`` is what
    stands between it and the next when all are read as one text: a line's end, or a tabulator
    between the cells of a row.
    """

    text: str = field(repr=False)
    kind: Kind
    part: str
    after: str = "\n"


@dataclass(frozen=True, slots=True, order=True)
class Mask:
    """One replacement, in code points of the text of segment number ``segment``.

    Masks are sorted and disjoint; one lies within one segment.
    """

    segment: int
    start: int
    end: int
    replacement: str = field(repr=False)


class Action(StrEnum):
    """What became of a place where personal data may hide."""

    CLEANED = "cleaned"
    DROPPED = "dropped"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A part of the file, what was done with it, and why: in Korean, without its words."""

    part: str
    action: Action
    reason: str


@dataclass(frozen=True, slots=True)
class Written:
    """The file with the masks in it, and what was done to the places where data hides."""

    data: bytes = field(repr=False)
    scrubbed: tuple[Scrubbed, ...]


class Document(Protocol):
    """An opened file."""

    format: str
    segments: Sequence[Segment]
    """In the order a person reads them: body and tables as they stand, notes where they are
    called, then headers and footers, text boxes, memos."""

    def written(self, masks: Sequence[Mask], *, scrub: bool = True) -> Written:
        """Return the file with *masks* in place.

        Parts that no mask and no scrubbing touches are the same bytes; with no mask and
        ``scrub=False`` the whole file is.
        """

    def strings(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the inflated content of every part, for the search for leaks.

        Of marked-up parts the texts and the values of attributes, in UTF-8, a line each.
        """


class Refused(ValueError):
    """The file is not taken: which part, why, and what to do; in Korean, without its words."""

    def __init__(self, part: str, reason: str, cure: str) -> None:
        super().__init__(f"{part}: {reason} — {cure}" if part else f"{reason} — {cure}")
        self.part, self.reason, self.cure = part, reason, cure
