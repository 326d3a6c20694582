"""A result in the format that its original came in: edited in place, cleaned, searched."""

from dataclasses import dataclass, field
from io import BytesIO

from thunder.bulk import leaks
from thunder.bulk.leaks import Searched
from thunder.bulk.running import Outcome
from thunder.documents.encoding import Unreadable
from thunder.documents.paged import PagedFile
from thunder.documents.records import Failure, Reading, Record
from thunder.masking.records import Deidentified


class NotWritten(Exception):
    """A result cannot be written in its format; the message says why, without its words."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A file with a result in it, and how it was cleaned and searched."""

    data: bytes = field(repr=False)
    searched: Searched


def filled(format: str, data: bytes, result: Deidentified) -> Filled:
    """Return the file *data* of *format* with *result* in the place of its text.

    What hides in it is cleaned as ``thunder deid`` does, and what was written is read again: it
    says what was decided, and no masked wording stands in any part of it. NotWritten otherwise.
    """
    file = PagedFile(BytesIO(data), "", Reading(), promised=format)
    (record,) = file.read()
    if isinstance(record, Failure):
        raise NotWritten(f"{record.reason} — {record.advice}")
    _require_as_read(record, result)
    out = BytesIO()
    try:
        with file.writing(out) as write:
            write(record, result)
        searched = leaks.require_none(Outcome(record, result), file)
    except Unreadable as error:
        raise NotWritten(str(error)) from None
    return Filled(out.getvalue(), searched)


def _require_as_read(record: Record, result: Deidentified) -> None:
    if (record.text, record.segments) != (result.original, result.segments):
        raise NotWritten(
            "원본을 다시 읽으니 넣을 때와 다릅니다 — 문서를 다시 넣어 처음부터 검토하십시오"
        )
