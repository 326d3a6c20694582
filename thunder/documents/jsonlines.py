"""JSON lines: one object a line, of which only the text's own value is written anew."""

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple

from thunder.documents.encoding import HEAD, Unreadable, require_text
from thunder.documents.pipes import pauses
from thunder.documents.records import (
    ENTITIES,
    Failure,
    Place,
    Reading,
    Record,
    Result,
    Write,
    entities_of,
    record_or_failure,
    require_no_entities,
)
from thunder.workers import Waiting

_SPACE = re.compile(r"[ \t\r\n]*")
_ROW_OVERHEAD = 1 << 20  # bytes a row may hold besides its text


@dataclass(frozen=True, slots=True)
class Number:
    """A number as its digits stand: no string, and never rounded."""

    digits: str

    def __str__(self) -> str:
        return self.digits


_DECODER = json.JSONDecoder(parse_int=Number, parse_float=Number, parse_constant=Number)


class Member(NamedTuple):
    """One key of a JSON object, its value, and where the value stands in the line."""

    key: str
    value: Any
    start: int
    end: int


def members(line: str) -> list[Member]:
    """Return the members of the JSON object in *line*, in order; Unreadable if there is none.

    A key given twice is refused: readers differ in which they take, and the other one's words
    would pass unread. A number comes as a Number.
    """
    try:
        value = _DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        at = error.pos + 1 if isinstance(error, json.JSONDecodeError) else 1
        reason = f"JSON이 아닙니다({at}번째 글자)"
        raise Unreadable(reason, "한 줄에 JSON 객체 하나를 쓰십시오") from None
    if not isinstance(value, dict):
        raise Unreadable("JSON 객체가 아닙니다", '{"text": …} 꼴로 쓰십시오')
    found = list(_walk(line))
    if len({member.key for member in found}) < len(found):
        raise Unreadable("같은 키가 두 번 있습니다", "한 줄에 키를 한 번씩만 쓰십시오")
    return found


def _walk(line: str) -> Iterator[Member]:
    """Yield the members of the object in *line*, which is known to be valid JSON."""
    at = _skip(line, line.index("{") + 1)
    while line[at] != "}":
        key, end = _DECODER.raw_decode(line, at)
        start = _skip(line, _skip(line, end) + 1)
        value, end = _DECODER.raw_decode(line, start)
        yield Member(key, value, start, end)
        at = _skip(line, end)
        if line[at] == ",":
            at = _skip(line, at + 1)


def _skip(line: str, at: int) -> int:
    space = _SPACE.match(line, at)
    return space.end() if space else at


class JsonLines:
    """A file of JSON objects, one a line; all but the text's own value stays as it was written.

    Lines are read one at a time. An ``entities`` member of the input is written anew.
    """

    encoding = "UTF-8"

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self._stream, self._name, self._reading = stream, name, reading
        self._longest = 12 * reading.max_characters + _ROW_OVERHEAD  # \ud83d\ude00 is one character
        self._mark = b""
        self.notes: list[str] = []
        self.at = 0
        """Bytes before the row that is read next."""

    def read(self) -> Iterator[Record | Failure | Waiting]:
        require_no_entities(self._reading.text_column)
        row, part = 0, self._reading.part
        if part:
            self.at, row = self._stream.seek(part.start), part.first - 1
        while not part or row + 1 < part.end:
            yield from pauses(self._stream)
            raw = self._stream.readline(self._longest)
            if not raw:
                return
            row += 1
            self.at += len(raw)
            if row == 1:
                raw = self._without_mark(raw)
            place = Place(self._name, row, "", len(raw))
            if len(raw) == self._longest and not raw.endswith(b"\n"):
                yield self._too_long(place)
            elif raw.strip():
                yield self._row(raw, place)

    def _without_mark(self, raw: bytes) -> bytes:
        require_text(raw[:HEAD])
        if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise Unreadable("UTF-16으로 적힌 JSONL입니다", "UTF-8로 저장하십시오")
        if raw.startswith(BOM_UTF8):
            self._mark = BOM_UTF8
        return raw.removeprefix(BOM_UTF8)

    def _too_long(self, place: Place) -> Failure:
        size = place.size
        while part := self._stream.readline(1 << 20):
            size += len(part)
            self.at += len(part)
            if part.endswith(b"\n"):
                break
        reason = f"한 줄이 {size:,}바이트로 너무 깁니다"
        advice = "나누거나 --max-characters를 늘리십시오"
        return Failure(place.file, place.row, reason, advice, size=size)

    def _row(self, raw: bytes, place: Place) -> Record | Failure:
        try:
            line = raw.decode("utf-8")
            found = members(line)
        except UnicodeDecodeError as error:
            reason = f"{error.start + 1}번째 바이트가 UTF-8이 아닙니다"
            return Failure(*place[:2], reason, "UTF-8로 저장하십시오", size=place.size)
        except Unreadable as error:
            return Failure(*place[:2], error.reason, error.advice, size=place.size)
        by_key = {member.key: member for member in found}
        text, name = by_key.get(self._reading.text_column), by_key.get(self._reading.id_column)
        place = place._replace(id=_id(name.value) if name else "")
        if text is None:
            reason = f"'{self._reading.text_column}' 키가 없습니다"
            advice = "본문의 키를 --text-column으로 알려 주십시오"
            return Failure(*place[:2], reason, advice, place.id, place.size)
        return record_or_failure(
            place,
            text.value,
            reading=self._reading,
            rest=(line, text, by_key.get(ENTITIES)),
            others=lambda: _others(found, self._reading.text_column),
        )

    @contextmanager
    def writing(self, out: BinaryIO) -> Iterator[Write]:
        out.write(self._mark)

        def write(record: Record, result: Result) -> None:
            line, text, entities = record.rest
            out.write(_with_result(line, text, entities, result).encode("utf-8"))

        yield write


def _with_result(line: str, text: Member, entities: Member | None, result: Result) -> str:
    new_text = json.dumps(result.text, ensure_ascii=False)
    new_entities = json.dumps(entities_of(result), ensure_ascii=False)
    edits = [(text.start, text.end, new_text)]
    if entities:
        edits.append((entities.start, entities.end, new_entities))
    else:
        end = line.rindex("}")
        edits.append((end, end, f', "{ENTITIES}": {new_entities}'))
    for start, end, new in sorted(edits, reverse=True):
        line = line[:start] + new + line[end:]
    return line


def _id(value: object) -> str:
    return "" if value is None else _said(value)


def _said(value: object) -> str:
    if isinstance(value, str | Number):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _others(found: list[Member], text_column: str) -> dict[str, str]:
    return {
        member.key: _said(member.value)
        for member in found
        if member.key not in (text_column, ENTITIES)
    }
