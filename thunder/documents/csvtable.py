"""CSV and TSV, cell by cell: only the text's own cell is written anew."""

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from thunder.documents.encoding import Encoding, Unreadable
from thunder.documents.lines import Lines, lines_of
from thunder.documents.pipes import pauses
from thunder.documents.records import (
    Failure,
    Place,
    Reading,
    Record,
    Result,
    Write,
    distinct,
    no_column,
    record_or_failure,
)
from thunder.workers import Waiting

_DELIMITERS = ",\t;|"
_DELIMITERS_SAID = {"\t": "탭"}
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
    """Return what a cell says, without its quotes and what blanks follow them."""
    start, end = _inside(cell)
    said = cell[start:end]
    return said.replace('""', '"') if start else said


def with_content(cell: str, text: str, delimiter: str) -> str:
    """Return a cell that says *text*, quoted as *cell* was, or where it has to be."""
    start, end = _inside(cell)
    needs_quotes = text.startswith('"') or any(char in text for char in (delimiter, "\r", "\n"))
    if start or needs_quotes:
        return '"' + text.replace('"', '""') + '"' + (cell[end + 1 :] if start else "")
    return text


def is_ambiguous(cell: str) -> bool:
    """Return whether a cell goes on after its closing quote: readers differ in what it says."""
    start, end = _inside(cell)
    return bool(start and cell[end + 1 :].strip())


def _inside(cell: str) -> tuple[int, int]:
    """Return where the words of a cell begin and end: within its quotes, if it is quoted."""
    match = _REST_OF_QUOTED.match(cell, 1) if cell.startswith('"') else None
    return (1, match.end() - 1) if match else (0, len(cell))


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

    @property
    def named(self) -> int:
        """How many columns there are up to the last that has a name: id,text,, has two."""
        return max(at for at, name in enumerate(self.names, start=1) if name)


class CsvTable:
    """A delimited table: every cell but the text's goes out byte for byte as it came in.

    Encoding, delimiter, quotes and line ends are the input's. Rows are read one at a time; one
    that does not fit the header is a Failure, for no one can tell which of its cells is which.
    """

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self._stream, self._name, self._reading = stream, name, reading
        self._longest = 2 * reading.max_characters + _ROW_OVERHEAD
        self._header = _Header("", ",", [], 0, None)
        self._lines: Lines | None = None
        self.notes: list[str] = []
        self.at = self.head = 0
        """Bytes before the row that is read next, and before the first."""

    @property
    def columns(self) -> list[str]:
        """The names in its first row, once a record was read."""
        return self._header.names

    @property
    def written(self) -> Encoding:
        """How its characters are written, once a record was read."""
        assert self._lines is not None, "a record was read before"
        return self._lines.encoding

    @property
    def encoding(self) -> str:
        return str(self._lines.encoding) if self._lines else ""

    def read(self) -> Iterator[Record | Failure | Waiting]:
        yield from pauses(self._stream)
        part = self._reading.part
        told = Encoding(part.codec, part.mark) if part else None
        self._lines = lines_of(self._stream, longest=self._longest, told=told)
        try:
            yield from self._rows(self._lines)
        finally:
            self._lines.close()

    def _rows(self, lines: Lines) -> Iterator[Record | Failure | Waiting]:
        self._header = _header(self._first(lines), self._name, self._reading)
        self.at = self.head = len(lines.encoding.mark + lines.encode(self._header.raw))
        row, part = 1, self._reading.part
        if part:
            lines.go_to(part.start)
            self.at, row = part.start, part.first - 1
        while not part or row + 1 < part.end:
            row += 1
            done = lines.tell()
            try:
                raw = yield from self._next(lines)
            except Unreadable as error:
                yield Failure(
                    self._name, row, f"{error.reason}: 이 행부터 읽지 못했습니다", error.advice
                )
                return
            if not raw:
                return
            self.at += len(lines.encode(raw))
            if raw.strip("\r\n"):
                yield self._row(raw, Place(self._name, row, "", lines.tell() - done))

    def _first(self, lines: Lines) -> str:
        pieces, length, quotes = [lines.read()], 0, 0
        while pieces[-1]:
            length, quotes = length + len(pieces[-1]), quotes + pieces[-1].count('"')
            if quotes % 2 == 0 or length >= self._longest:
                break
            pieces.append(lines.read())
        first = "".join(pieces)
        if not first.strip():
            raise Unreadable("열 이름이 있는 첫 줄이 없습니다", "첫 줄에 열 이름을 쓰십시오")
        return first

    def _next(self, lines: Lines) -> Generator[Waiting, None, str]:
        """Return the next row, over as many lines as its quoted cells run; "" at the end."""
        pieces: list[str] = []
        length, is_open = 0, False
        while True:
            yield from lines.pauses()
            line = lines.read()
            if not line:
                break
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
        found = [raw[start:end] for start, end in places]
        if misfit := _misfit(found, header):
            name = f"{place.file}:{place.row}"  # its id may be another cell's words
            return Failure(*place[:2], *misfit, name, place.size)
        said = [content(cell) for cell in found]
        if header.id is not None:
            place = place._replace(id=said[header.id])
        others = dict(zip(distinct(header.names), said, strict=True))
        del others[distinct(header.names)[header.text]]
        return record_or_failure(
            place,
            said[header.text],
            reading=self._reading,
            rest=(raw, *places[header.text]),
            others=lambda: others,
        )

    @contextmanager
    def writing(self, out: BinaryIO) -> Iterator[Write]:
        lines = self._lines
        assert lines is not None, "a record was read before"
        out.write(lines.encoding.mark + lines.encode(self._header.raw))

        def write(record: Record, result: Result) -> None:
            raw, start, end = record.rest
            cell = with_content(raw[start:end], result.text, self._header.delimiter)
            out.write(lines.encode(raw[:start] + cell + raw[end:]))

        yield write


def _misfit(found: list[str], header: _Header) -> tuple[str, str] | None:
    """Return why the cells of a row do not fit the header, and what to do."""
    delimiter = _DELIMITERS_SAID.get(header.delimiter, f"'{header.delimiter}'")
    cure = f"{delimiter} 또는 따옴표가 든 칸은 따옴표로 묶고 그 안의 따옴표는 두 번 쓰십시오"
    if odd := next((at for at, cell in enumerate(found, start=1) if is_ambiguous(cell)), 0):
        return f"{odd}번째 칸의 닫는 따옴표 뒤에 글이 더 있습니다", cure
    if len(found) != len(header.names):
        return f"칸이 {len(found)}개로 첫 줄의 열 {len(header.names)}개와 맞지 않습니다", cure
    if any(content(cell).strip() for cell in found[header.named :]):
        return f"이름이 있는 마지막 열({header.named}번째) 뒤의 칸에 글이 있습니다", cure
    return None


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
