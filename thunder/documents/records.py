"""Documents in files: records read one by one, and written back so that nothing else changes.

A format is a class with ``read``, which yields records and failures with their rows, and
``writing``, which gives a function that writes one record's result. Rows count from 1: lines of
JSONL, rows of a table as a spreadsheet numbers them (CSV: the header is row 1). 0 is the file.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple, Protocol

from thunder.documents.encoding import Encoding, Unreadable, decode
from thunder.documents.segments import Kind
from thunder.text.spans import Change
from thunder.workers import Waiting

_SURROGATE = re.compile("[\\ud800-\\udfff]")

ENTITIES = "entities"
"""The key or column in which JSONL and Parquet list the changes."""

METADATA = "\0metadata"
"""What a table's file says of itself, among the cells beside a text; no column is called so."""


class Result(Protocol):
    """What is written of a document: its new text, and the changes that made it."""

    @property
    def text(self) -> str: ...
    @property
    def changes(self) -> Sequence[Change]: ...


Write = Callable[["Record", Result], None]


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows of a table: from ``first`` on, before ``end``.

    In a file of lines the first of them begins ``start`` bytes into it. ``codec`` and ``mark`` are
    a CSV's, as the whole file tells them.
    """

    first: int
    end: int
    start: int = 0
    codec: str = ""
    mark: bytes = b""


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read: the columns of text and id, and the longest document taken.

    ``ocr``: scanned pages are read by optical character recognition. ``part``: of a table, these
    rows alone.
    """

    text_column: str = "text"
    id_column: str = "id"
    max_characters: int = 20_000_000
    ocr: bool = False
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One document: its text, where it stands, and in ``rest`` what its format keeps aside.

    ``size`` is the number of bytes it took in its file; ``others`` are the cells beside the
    text by their column, which are passed on unread. ``segments`` are the stretches of the text
    that end where they end, and ``kinds`` what each is in its document; none: the text is one.
    """

    file: str
    row: int
    id: str
    text: str = field(repr=False)
    size: int = 0
    rest: Any = field(default=None, repr=False, compare=False)
    others: Callable[[], dict[str, str]] = field(default=dict, repr=False, compare=False)
    segments: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    kinds: tuple[Kind, ...] = field(default=(), repr=False)

    def with_segments(
        self, segments: tuple[tuple[int, int], ...], kinds: tuple[Kind, ...]
    ) -> "Record":
        """Return the same record, its text parted into *segments*, each of its kind."""
        return replace(self, segments=segments, kinds=kinds)


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that was not passed on: why, and what to do, in Korean and without its words.

    ``part``: the part of its file that is to blame, as the format names it; "" where none is.
    """

    file: str
    row: int
    reason: str
    advice: str
    id: str = ""
    size: int = 0
    part: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.row}" if self.row else self.file
        part = f"{self.part}: " if self.part else ""
        line = f"{place}: {part}{self.reason} — {self.advice}"
        return "".join(char if char.isprintable() else "?" for char in line)


class Document(Protocol):
    """A file opened for reading, that can also write its like."""

    notes: list[str]

    @property
    def encoding(self) -> str:
        """How its characters are written, once the first record was read."""

    def read(self) -> Iterator[Record | Failure | Waiting]:
        """Yield its documents in order; Unreadable or OSError where the file is no use.

        A Waiting where the next has not come in yet, and reading on would wait for it.
        """

    def writing(self, out: BinaryIO) -> AbstractContextManager[Write]:
        """Return a context that gives a function to write one result; it ends the file."""


class Place(NamedTuple):
    """Where a text comes from: file, row, its id there ("" for none), bytes."""

    file: str
    row: int
    id: str
    size: int


def record_or_failure(
    place: Place,
    text: object,
    *,
    reading: Reading,
    rest: Any = None,
    others: Callable[[], dict[str, str]] = dict,
) -> Record | Failure:
    """Return a record of *text*, or why it cannot be one: no string, empty, too long, damaged."""
    name = place.id or (f"{place.file}:{place.row}" if place.row else place.file)

    def failed(reason: str, advice: str) -> Failure:
        return Failure(place.file, place.row, reason, advice, name, place.size)

    if text is None:
        return failed("본문이 없습니다", "원본을 확인하십시오")
    if not isinstance(text, str):
        return failed(
            f"본문이 글이 아니라 {type(text).__name__}입니다", "본문을 문자열로 넣으십시오"
        )
    if not text.strip():
        return failed("본문이 비어 있습니다", "원본을 확인하십시오")
    if len(text) > reading.max_characters:
        return failed(
            f"{len(text):,}자로 한도 {reading.max_characters:,}자를 넘습니다",
            "나누거나 --max-characters를 늘리십시오",
        )
    if bad := _SURROGATE.search(text):
        return failed(
            f"{bad.start() + 1}번째 글자가 깨졌습니다(U+{ord(bad[0]):04X})",
            "UTF-8로 다시 만드십시오",
        )
    return Record(place.file, place.row, name, text, place.size, rest, others)


def entities_of(result: Result) -> list[dict[str, Any]]:
    """Return the changes as plain records, in code points of the text that came in."""
    return [
        {
            "start": change.span.start,
            "end": change.span.end,
            "label": change.span.label,
            "replacement": change.replacement,
            "score": round(change.span.score, 4),
            "source": change.span.source,
        }
        for change in result.changes
    ]


def seekable(stream: BinaryIO) -> BinaryIO:
    """Return *stream*, or what it holds in memory if it is a pipe."""
    return stream if stream.seekable() else BytesIO(stream.read())


def require_no_entities(text_column: str) -> None:
    """Return nothing; Unreadable if the text would stand where the changes are listed."""
    if text_column == ENTITIES:
        raise Unreadable(
            f"'{ENTITIES}'는 가린 곳을 적는 이름입니다", "본문의 이름을 다르게 하십시오"
        )


def distinct(names: Sequence[str]) -> list[str]:
    """Return *names* so that each is one column's: with its place if empty or given before."""
    return [
        name if name and name not in names[:at] else f"{name}({at + 1}번째)"
        for at, name in enumerate(names)
    ]


def no_column(wanted: str, names: Sequence[str], *, are_shown: bool = False) -> Unreadable:
    """Return the error for a table without the column *wanted*.

    The names there are come with it only where they are surely names (*are_shown*): the first row
    of a CSV may be a document's, whose cells must not be shown.
    """
    if wanted in names:
        return Unreadable(f"'{wanted}' 열이 여러 개입니다", "열 이름을 서로 다르게 하십시오")
    if are_shown:
        advice = f"있는 열({', '.join(names)}) 가운데 본문을 --text-column으로 알려 주십시오"
    else:
        advice = (
            f"첫 줄에 있는 열 {len(names)}개 가운데 본문의 이름을 --text-column으로 알려 주거나, "
            "첫 줄이 열 이름이 아니면 그 위에 열 이름을 쓰십시오"
        )
    return Unreadable(f"'{wanted}' 열이 없습니다", advice)


class TextFile:
    """A file that is one document, written back in its own encoding."""

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self._stream, self._name, self._reading = stream, name, reading
        self._encoding = Encoding("utf-8")
        self.notes: list[str] = []

    @property
    def encoding(self) -> str:
        return str(self._encoding)

    def read(self) -> Iterator[Record | Failure]:
        most = 4 * self._reading.max_characters + 4
        raw = self._stream.read(most)
        if len(raw) == most:
            limit = self._reading.max_characters
            reason = f"한도 {limit:,}자를 넘습니다"
            advice = "나누거나 --max-characters를 늘리십시오"
            yield Failure(self._name, 0, reason, advice, self._name, len(raw))
            return
        text, self._encoding = decode(raw)
        place = Place(self._name, 0, "", len(raw))
        yield record_or_failure(place, text, reading=self._reading)

    @contextmanager
    def writing(self, out: BinaryIO) -> Iterator[Write]:
        def write(record: Record, result: Result) -> None:
            out.write(self._encoding.mark + self._encoding.encode(result.text))

        yield write
