"""CSV and TSV, cell by cell: only the text's own cell is written anew."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import TextIOWrapper
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from thunder.files.documents import (
    Failure,
    Place,
    Reading,
    Record,
    Write,
    no_column,
    record_or_failure,
    seekable,
)
from thunder.files.encoding import Encoding, Unreadable, recognise

if TYPE_CHECKING:
    from thunder.deidentify import Deidentified

_DELIMITERS = ",\t;|"
_CHUNK = 1 << 20
_ROW_OVERHEAD = 1 << 20  # characters a row may hold besides its text
_REST_OF_QUOTED = re.compile(r'[^"]*+(?:""[^"]*+)*+"')


@lru_cache
def _cell(delimiter: str) -> re.Pattern[str]:
    rest = rf"[^{re.escape(delimiter)}\r\n]*+"
    return re.compile(rf'"[^"]*+(?:""[^"]*+)*+"{rest}|{rest}')


def cells(row: str, delimiter: str) -> list[tuple[int, int]]:
    """Return where each cell of *row* stands, quotes included, the line end not."""
    pattern, places, at = _cell(delimiter), [], 0
    while True:
        match = pattern.match(row, at)
        at = match.end() if match else at
        places.append((match.start() if match else at, at))
        if row[at : at + 1] != delimiter:
            return places
        at += 1


def content(cell: str) -> str:
    """Return what a cell says, without its quotes."""
    if not cell.startswith('"'):
        return cell
    match = _REST_OF_QUOTED.match(cell, 1)
    end = match.end() if match else len(cell) + 1
    return cell[1 : end - 1].replace('""', '"') + cell[end:]


def with_content(cell: str, text: str, delimiter: str) -> str:
    """Return a cell that says *text*, quoted as *cell* was, or where it has to be."""
    needs_quotes = text.startswith('"') or any(char in text for char in (delimiter, "\r", "\n"))
    if cell.startswith('"') or needs_quotes:
        return '"' + text.replace('"', '""') + '"'
    return text


def stays_open(line: str, delimiter: str, *, is_open: bool) -> bool:
    """Return whether a quoted cell is still open after *line*, given whether one was before."""
    at = 0
    while True:
        if is_open:
            match = _REST_OF_QUOTED.match(line, at)
            if not match:
                return True
            at, is_open = match.end(), False
        elif line[at : at + 1] == '"':
            at, is_open = at + 1, True
            continue
        at = line.find(delimiter, at) + 1
        if not at:
            return False


class _Header(NamedTuple):
    """The first row of a table as it stands, what it says, and which column is which."""

    raw: str
    delimiter: str
    names: list[str]
    text: int
    id: int | None


class CsvTable:
    """A delimited table: every cell but the text's goes out byte for byte as it came in.

    Encoding, delimiter, quotes and line ends are the input's. Rows are read one at a time.
    """

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self._stream, self._name, self._reading = seekable(stream), name, reading
        self._longest = 2 * reading.max_characters + _ROW_OVERHEAD
        self._encoding = Encoding("utf-8")
        self._header = _Header("", ",", [], 0, None)
        self._done = 0
        self.notes: list[str] = []

    @property
    def encoding(self) -> str:
        return str(self._encoding)

    def read(self) -> Iterator[Record | Failure]:
        self._encoding = recognise(iter(lambda: self._stream.read(_CHUNK), b""))
        self._done = self._stream.seek(len(self._encoding.mark))
        lines = TextIOWrapper(self._stream, self._encoding.codec, newline="")
        try:
            yield from self._rows(lines)
        finally:
            lines.detach()

    def _rows(self, lines: TextIOWrapper) -> Iterator[Record | Failure]:
        first = _line(lines, self._longest)
        while first.count('"') % 2 and (line := _line(lines, self._longest)):
            first += line
        if not first.strip():
            raise Unreadable("열 이름이 있는 첫 줄이 없습니다", "첫 줄에 열 이름을 쓰십시오")
        self._header = _header(first, self._name, self._reading)
        row = 1
        while True:
            row += 1
            try:
                raw = self._next(lines)
            except Unreadable as error:
                yield Failure(
                    self._name, row, f"{error.reason}: 이 행부터 읽지 못했습니다", error.advice
                )
                return
            if not raw:
                return
            done, self._done = self._done, self._stream.tell()
            if raw.strip("\r\n"):
                yield self._row(raw, Place(self._name, row, "", self._done - done))

    def _next(self, lines: TextIOWrapper) -> str:
        """Return the next row, over as many lines as its quoted cells run; "" at the end."""
        pieces: list[str] = []
        length, is_open = 0, False
        while line := _line(lines, self._longest):
            pieces.append(line)
            length += len(line)
            if length >= self._longest:
                raise Unreadable("행이 너무 깁니다", "닫히지 않은 따옴표가 있는지 보십시오")
            is_open = stays_open(line, self._header.delimiter, is_open=is_open)
            if not is_open:
                break
        if is_open:
            raise Unreadable("따옴표가 닫히지 않았습니다", "그 칸의 따옴표를 고치십시오")
        return "".join(pieces)

    def _row(self, raw: str, place: Place) -> Record | Failure:
        header, places = self._header, cells(raw, self._header.delimiter)
        said = [content(raw[start:end]) for start, end in places]
        if header.id is not None and header.id < len(said):
            place = place._replace(id=said[header.id])
        if header.text >= len(said):
            reason = f"칸이 {len(said)}개뿐이어서 본문이 없습니다"
            return Failure(*place[:2], reason, "행을 고치십시오", place.id, place.size)
        others = {name: cell for name, cell in zip(header.names, said, strict=False)}
        others.pop(header.names[header.text])
        return record_or_failure(
            place,
            said[header.text],
            reading=self._reading,
            rest=(raw, *places[header.text]),
            others=lambda: others,
        )

    @contextmanager
    def writing(self, out: BinaryIO) -> Iterator[Write]:
        out.write(self._encoding.mark + self._encoding.encode(self._header.raw))

        def write(record: Record, result: "Deidentified") -> None:
            raw, start, end = record.rest
            cell = with_content(raw[start:end], result.text, self._header.delimiter)
            out.write(self._encoding.encode(raw[:start] + cell + raw[end:]))

        yield write


def _line(lines: TextIOWrapper, longest: int) -> str:
    try:
        return lines.readline(longest)
    except UnicodeDecodeError:
        raise Unreadable("글자가 깨졌습니다", "파일을 UTF-8로 다시 저장하십시오") from None


def _header(raw: str, file: str, reading: Reading) -> _Header:
    """Return the header with the delimiter under which it has the text column; else Unreadable."""
    candidates = "\t" + _DELIMITERS if file.endswith(".tsv") else _DELIMITERS
    for delimiter in candidates:
        names = [content(raw[start:end]).strip() for start, end in cells(raw, delimiter)]
        if names.count(reading.text_column) == 1:
            id_at = names.index(reading.id_column) if reading.id_column in names else None
            return _Header(raw, delimiter, names, names.index(reading.text_column), id_at)
    delimiter = max(candidates, key=raw.count)
    names = [content(raw[start:end]).strip() for start, end in cells(raw, delimiter)]
    raise no_column(reading.text_column, names)
