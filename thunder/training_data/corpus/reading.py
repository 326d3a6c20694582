"""Files of a corpus cut into pieces of work, and the texts of a piece with their places.

One process reads compressed streams and cuts them at line ends; what is inside, JSON or text or
Parquet, is read by the workers. An error names file and line, and never shows the text.
"""

import bz2
import gzip
import io
import json
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from thunder.documents.encoding import Unreadable, recognise
from thunder.training_data.corpus.settings import Source

_PACKED: dict[str, Callable[..., Any]] = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}
_KINDS = (".txt", ".jsonl", ".parquet")
DAMAGED = (EOFError, lzma.LZMAError, zlib.error, OSError)
_SAMPLE = 1 << 20  # bytes that tell an encoding


class Piece(NamedTuple):
    """A part of a source that one worker prepares: *name* is its shard's.

    *raw* holds whole lines of the first of *files*, from line *first* on; without it the worker
    reads *files* itself, of a Parquet file the row *groups*.
    """

    source: str
    name: str
    files: tuple[Path, ...]
    raw: bytes | None = None
    first: int = 1
    groups: tuple[int, ...] = ()


class Text(NamedTuple):
    """A text and its place, for messages; *text* is None where the record has none to read."""

    place: str
    text: str | None


def kind_of(path: Path) -> str:
    """Return ``.txt``, ``.jsonl`` or ``.parquet``, or "" for a file of another kind."""
    suffixes = path.suffixes
    if suffixes and suffixes[-1] in (*_PACKED, ".zst"):
        suffixes.pop()
    kind = suffixes[-1] if suffixes else ""
    return kind if kind in _KINDS else ""


def files_in(place: Path) -> list[Path]:
    """Return the files of text in a folder, in order of their names, or the file that it is."""
    if place.is_file():
        return [place] if kind_of(place) else []
    return sorted(path for path in place.rglob("*") if path.is_file() and kind_of(path))


def files_of(source: Source) -> list[Path]:
    """Return the files of *source* in order of their names; ValueError where there is none."""
    found = files_in(source.path)
    if not found:
        state = "holds no" if source.path.exists() else "does not exist: there is no"
        raise ValueError(
            f"source {source.name!r}: {source.path} {state} .txt, .jsonl or .parquet file "
            "(text also with .xz, .gz, .bz2 or .zst); how each corpus is got: "
            "docs/how-to/corpora.md; where yours lies: thunder.toml, [data]"
        )
    return found


def pieces(source: Source, *, most: int) -> Iterator[Piece]:
    """Yield the pieces of *source*, each of about *most* bytes at most, always the same ones."""
    together: list[Path] = []
    number = size = 0
    for path in files_of(source):
        if _is_whole(path, source):
            if together and size + path.stat().st_size > most:
                yield Piece(source.name, f"{number:05}", tuple(together))
                together, size, number = [], 0, number + 1
            together.append(path)
            size += path.stat().st_size
            continue
        for piece in _parts(path, source, most):
            yield piece._replace(name=f"{number:05}")
            number += 1
    if together:
        yield Piece(source.name, f"{number:05}", tuple(together))


def _is_whole(path: Path, source: Source) -> bool:
    return kind_of(path) == ".txt" and source.split == "file"


def _parts(path: Path, source: Source, most: int) -> Iterator[Piece]:
    if kind_of(path) == ".parquet":
        yield from _row_groups(path, source, most)
        return
    first = 1
    at_blank = kind_of(path) == ".txt" and source.split == "blank-line"
    with opened(path) as stream:
        while raw := _lines(stream, most, path, at_blank=at_blank):
            yield Piece(source.name, "", (path,), raw, first)
            first += raw.count(b"\n")


def opened(path: Path) -> BinaryIO:
    """Return the bytes of a file, unpacked where its name ends in .xz, .gz, .bz2 or .zst."""
    suffix = path.suffix
    if suffix == ".zst":
        import pyarrow as pa

        return cast(BinaryIO, io.BufferedReader(pa.input_stream(str(path), compression="zstd")))
    opener = _PACKED.get(suffix, open)
    return cast(BinaryIO, opener(path, "rb"))


def _lines(stream: BinaryIO, most: int, path: Path, *, at_blank: bool) -> bytes:
    """Return the next lines of *stream*, about *most* bytes; b"" at its end."""
    try:
        raw = stream.read(most)
        if len(raw) < most:
            return raw
        rest = [raw, b"" if raw.endswith(b"\n") else stream.readline()]
        line = raw
        while at_blank and line.strip():
            rest.append(line := stream.readline())
        return b"".join(rest)
    except DAMAGED as error:
        raise ValueError(f"{path}: damaged or cut short ({type(error).__name__})") from None


def _row_groups(path: Path, source: Source, most: int) -> Iterator[Piece]:
    metadata = parquet(path).metadata
    groups: list[int] = []
    size = 0
    for group in range(metadata.num_row_groups):
        size += metadata.row_group(group).total_byte_size
        groups.append(group)
        if size >= most:
            yield Piece(source.name, "", (path,), groups=tuple(groups))
            groups, size = [], 0
    if groups:
        yield Piece(source.name, "", (path,), groups=tuple(groups))


def texts(piece: Piece, source: Source) -> Iterator[Text]:
    """Yield the texts of *piece*; ValueError names the file and line that cannot be read."""
    path = piece.files[0]
    if piece.raw is not None and kind_of(path) == ".jsonl":
        yield from _json_lines(piece, source)
    elif piece.raw is not None:
        yield from _plain_lines(piece, source)
    elif piece.groups:
        yield from _rows(piece, source)
    else:
        for one in piece.files:
            yield Text(str(one), _decoded(_whole(one), str(one), source))


def _whole(path: Path) -> bytes:
    try:
        with opened(path) as stream:
            return stream.read()
    except DAMAGED as error:
        raise ValueError(f"{path}: damaged or cut short ({type(error).__name__})") from None


def _json_lines(piece: Piece, source: Source) -> Iterator[Text]:
    for number, line in enumerate((piece.raw or b"").split(b"\n"), piece.first):
        if not line.strip():
            continue
        place = f"{piece.files[0]}:{number}"
        decoded = _decoded(line, place, source)
        yield Text(place, None if decoded is None else _field(decoded, place, source))


def _field(line: str, place: str, source: Source) -> str | None:
    try:
        record = json.loads(line.lstrip("\ufeff"))
    except ValueError:  # its message may show the text
        return _refused(f"{place}: no JSON", source)
    if not isinstance(record, dict) or source.field not in record:
        keys = ", ".join(map(str, record)) if isinstance(record, dict) else "no object"
        raise ValueError(
            f"{place}: there is no field {source.field!r}, but {keys}: set field = "
            f'"…" of source {source.name!r}'
        )
    return _text(record[source.field], place, source)


def _text(value: object, place: str, source: Source) -> str | None:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return _refused(f"{place}: the field {source.field!r} is no text", source)


def _plain_lines(piece: Piece, source: Source) -> Iterator[Text]:
    raw, number = (piece.raw or b"").replace(b"\r\n", b"\n"), piece.first
    mark = b"\n\n" if source.split == "blank-line" else b"\n"
    for part in raw.split(mark):
        if part.strip():
            place = f"{piece.files[0]}:{number}"
            yield Text(place, _decoded(part, place, source))
        number += part.count(b"\n") + len(mark)


def _rows(piece: Piece, source: Source) -> Iterator[Text]:
    path, number = piece.files[0], 0
    file = parquet(path)
    if source.field not in file.schema_arrow.names:
        columns = ", ".join(file.schema_arrow.names)
        raise ValueError(
            f"{path}: there is no column {source.field!r}, but {columns}: set field = "
            f'"…" of source {source.name!r}'
        )
    number = sum(file.metadata.row_group(at).num_rows for at in range(piece.groups[0]))
    for batch in file.iter_batches(
        batch_size=256, row_groups=list(piece.groups), columns=[source.field]
    ):
        for value in batch.column(0).to_pylist():
            number += 1
            yield Text(f"{path}:{number}", _text(value, f"{path}:{number}", source))


def parquet(path: Path) -> Any:
    """Return a ``pyarrow.parquet.ParquetFile``; ValueError where it is none, or not whole."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise ValueError(f"{path}: no whole Parquet file ({type(error).__name__})") from None


def _decoded(raw: bytes, place: str, source: Source) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        if source.unreadable == "drop":
            return None
    raise ValueError(f"{place}: not UTF-8{_advice(raw[:_SAMPLE], place)}")


def _advice(raw: bytes, place: str) -> str:
    """Return what the bytes look like and how to convert them."""
    try:
        codec = recognise([raw]).codec
    except Unreadable:
        return ', but damaged: make the file again, or set unreadable = "drop" for its source'
    file = place.rpartition(":")[0] if place.rpartition(":")[2].isdigit() else place
    return f", it seems to be {codec.upper()}: iconv -f {codec.upper()} -t UTF-8 {file} > new"


def _refused(problem: str, source: Source) -> str | None:
    if source.unreadable == "refuse":
        raise ValueError(f'{problem}; unreadable = "drop" leaves such records out')
    return None
