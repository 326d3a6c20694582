"""A file with pages (HWPX, DOCX, HTML …) as one record: its segments are read as one judgment."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from thunder.documents.detecting import kind_named, opener, require_known
from thunder.documents.encoding import Unreadable
from thunder.documents.records import (
    Failure,
    Place,
    Reading,
    Record,
    Result,
    Write,
    record_or_failure,
)
from thunder.documents.segments import Document, Mask, Refused, Scrubbed, Segment
from thunder.text.spans import Change


class PagedFile:
    """A file that is one document of segments, opened by what it is and written back as that.

    ``promised`` is the format that its name tells, ``original`` what was read. After a result was
    written, ``data`` is what was, and ``scrubbed`` what was done to the places where personal data
    hides.
    """

    def __init__(
        self, stream: BinaryIO, name: str, reading: Reading, *, promised: str = ""
    ) -> None:
        self._stream, self._name, self._reading = stream, name, reading
        self._promised = promised
        self.notes: list[str] = []
        self.format = ""
        self.scrubbed: tuple[Scrubbed, ...] = ()
        self.original = self.data = b""

    @property
    def encoding(self) -> str:
        return kind_named(self.format)

    def read(self) -> Iterator[Record | Failure]:
        self.original = data = self._stream.read()
        place = Place(self._name, 0, "", len(data))
        try:
            self.format = require_known(data, promised=self._promised)
            document = opener(self.format, ocr=self._reading.ocr)(data)
        except Refused as error:
            is_told = self.format in ("", self._promised)
            kind = "" if is_told else f"{kind_named(self.format)} 파일입니다: "
            reason, size = kind + error.reason, len(data)
            yield Failure(self._name, 0, reason, error.cure, self._name, size, error.part)
            return
        if self._promised not in ("", self.format):
            found, said = kind_named(self.format), kind_named(self._promised)
            self.notes.append(f"이름은 {said}인데 내용은 {found}입니다 — {found}로 읽고 썼습니다")
        if scanned := getattr(document, "scanned", ()):
            self.notes.append(
                f"그림인 {len(scanned)}쪽을 OCR로 읽었습니다 — 잘못 읽은 글자와 못 가린 곳이 "
                "있을 수 있으니 결과를 눈으로 보십시오"
            )
        text, places = joined(document.segments)
        record = record_or_failure(place, text, reading=self._reading, rest=document)
        if isinstance(record, Record):
            kinds = tuple(segment.kind for segment in document.segments)
            record = record.with_segments(places, kinds)
        yield record

    @contextmanager
    def writing(self, out: BinaryIO) -> Iterator[Write]:
        def write(record: Record, result: Result) -> None:
            document: Document = record.rest
            try:
                written = document.written(masks(record, result.changes))
            except Refused as error:
                raise Unreadable(error.reason, error.cure, error.part) from None
            self.data, self.scrubbed = written.data, written.scrubbed
            out.write(written.data)

        yield write


def joined(segments: Sequence[Segment]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return *segments* read as one text, and where each of them stands in it."""
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    done = 0
    for segment in segments:
        places.append((done, done + len(segment.text)))
        pieces += (segment.text, segment.after)
        done += len(segment.text) + len(segment.after)
    return "".join(pieces), tuple(places)


def masks(record: Record, changes: Sequence[Change]) -> list[Mask]:
    """Return *changes* of a record's text as masks over its segments.

    ValueError for one that is not within a segment.
    """
    found: list[Mask] = []
    number = 0
    for change in changes:
        while record.segments[number][1] < change.span.end:
            number += 1
        start, _ = record.segments[number]
        first, last = change.span.start - start, change.span.end - start
        if first < 0:
            raise ValueError(f"a change at {change.span.start} crosses the end of a segment")
        found.append(Mask(number, first, last, change.replacement))
    return found
