"""Parquet, batch by batch: every column but the text's is passed on as it is, never read."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO

from thunder.documents.encoding import Unreadable
from thunder.documents.records import (
    ENTITIES,
    METADATA,
    Failure,
    Place,
    Reading,
    Record,
    Result,
    Write,
    distinct,
    entities_of,
    no_column,
    record_or_failure,
    require_no_entities,
    seekable,
)

_BATCH = 256  # rows read at once
_MOST_HELD = 1 << 26  # bytes of a row group that are held until they are written


@dataclass(frozen=True, slots=True)
class _Batch:
    """Some rows of one row group of the input, as arrow holds them."""

    group: int
    rows: Any


@dataclass(slots=True)
class _Held:
    """Rows of one row group of the output that are not written yet."""

    group: int = -1
    batches: list[Any] = field(default_factory=list)
    size: int = 0


class ParquetTable:
    """A Parquet file, read and written in small batches; schema and row groups are kept.

    A column ``entities`` of the input is written anew, and said so in ``notes``.
    """

    encoding = "Parquet"

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self._stream, self._name, self._reading = stream, name, reading
        self._schema: Any = None
        self._type: Any = None
        self._kept: list[int] = []
        self._metadata = ""
        self._compression = "snappy"
        self.notes: list[str] = []
        self.columns: list[str] = []
        """Its columns and their types, once a record was read."""

    def read(self) -> Iterator[Record | Failure]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        row, part = 0, self._reading.part
        try:
            file = pq.ParquetFile(seekable(self._stream))
            self._begin(file)
            size = _bytes_a_row(file.metadata)
            for group in range(file.metadata.num_row_groups):
                end = row + file.metadata.row_group(group).num_rows
                if part and not (row + 1 < part.end and end >= part.first):
                    row = end
                    continue
                for rows in file.iter_batches(_BATCH, row_groups=[group]):
                    if part and row + 1 >= part.end:
                        return
                    for item in self._batch(_Batch(group, rows), row, size):
                        row += 1
                        if not part or part.first <= row < part.end:
                            yield item
        except (pa.ArrowException, OSError) as error:
            broken, advice = f"깨진 Parquet 파일입니다({type(error).__name__})", "다시 만드십시오"
            if row == 0:
                raise Unreadable(broken, advice) from None
            reason = f"{broken}: 이 행부터 읽지 못했습니다"
            yield Failure(self._name, row + 1, reason, advice)

    def _begin(self, file: Any) -> None:
        import pyarrow as pa

        schema, text = file.schema_arrow, self._reading.text_column
        require_no_entities(text)
        if schema.names.count(text) != 1:
            raise no_column(text, schema.names, are_shown=True)
        self._type = schema.field(text).type
        self.columns = [f"{field.name}: {field.type}" for field in schema]
        if not _is_text(self._type):
            raise Unreadable(
                f"'{text}' 열이 글이 아닙니다", "본문을 --text-column으로 알려 주십시오"
            )
        self._kept = [at for at, name in enumerate(schema.names) if name != ENTITIES]
        if len(self._kept) < len(schema):
            self.notes.append(f"'{ENTITIES}' 열이 이미 있어 새로 적습니다")
        fields = [schema.field(at) for at in self._kept]
        entities = pa.field(ENTITIES, _entities_type())
        self._schema = pa.schema([*fields, entities], metadata=schema.metadata)
        self._metadata = _words([schema.metadata, *(field.metadata for field in fields)])
        if file.metadata.num_row_groups:
            self._compression = _compression(file.metadata.row_group(0).column(0).compression)

    def _batch(self, batch: _Batch, before: int, size: int) -> Iterator[Record | Failure]:
        names, id_column = batch.rows.schema.names, self._reading.id_column
        ids = batch.rows.column(names.index(id_column)) if id_column in names else None
        text_at = names.index(self._reading.text_column)
        for index, raw in enumerate(_raw_texts(batch.rows.column(text_at))):
            name = "" if ids is None else _said(ids[index])
            place = Place(self._name, before + index + 1, name, size)
            try:
                text = None if raw is None else raw.decode()
            except UnicodeDecodeError as error:
                reason = f"{error.start + 1}번째 바이트가 UTF-8이 아닙니다"
                yield Failure(*place[:2], reason, "UTF-8로 다시 만드십시오", name, size)
                continue
            yield record_or_failure(
                place,
                text,
                reading=self._reading,
                rest=(batch, index),
                others=partial(_cells_beside, batch.rows, index, text_at, self._metadata),
            )

    @contextmanager
    def writing(self, out: BinaryIO) -> Iterator[Write]:
        import pyarrow.parquet as pq

        writer = pq.ParquetWriter(out, self._schema, compression=self._compression)
        waiting: list[tuple[Record, Result]] = []
        held = _Held()

        def write(record: Record, result: Result) -> None:
            if waiting and waiting[0][0].rest[0] is not record.rest[0]:
                self._hold(held, waiting, writer)
            waiting.append((record, result))

        try:
            yield write
            self._hold(held, waiting, writer)
            _flush(held, writer)
        except BaseException:
            with suppress(Exception):  # the file is given up: what went wrong is raised
                writer.close()
            raise
        writer.close()

    def _hold(self, held: _Held, rows: "list[tuple[Record, Result]]", writer: Any) -> None:
        """Move *rows*, which are of one batch, to *held*; a row group that is whole is written."""
        if not rows:
            return
        group = rows[0][0].rest[0].group
        if group != held.group:
            _flush(held, writer)
            held.group = group
        for run in _runs(rows):
            batch = self._rewritten(run)
            held.batches.append(batch)
            held.size += batch.nbytes
        rows.clear()
        if held.size >= _MOST_HELD:
            _flush(held, writer)

    def _rewritten(self, rows: "list[tuple[Record, Result]]") -> Any:
        """Return *rows*, which follow each other in one batch, with their new texts."""
        import pyarrow as pa

        batch, start = rows[0][0].rest
        old = batch.rows.slice(start, len(rows))
        text_at = old.schema.names.index(self._reading.text_column)
        texts = pa.array([result.text for _, result in rows], pa.large_string())
        arrays = [
            _as_type(texts, self._type) if at == text_at else old.column(at) for at in self._kept
        ]
        entities = pa.array([entities_of(result) for _, result in rows], _entities_type())
        return pa.RecordBatch.from_arrays([*arrays, entities], schema=self._schema)


def _runs(
    rows: "list[tuple[Record, Result]]",
) -> "Iterator[list[tuple[Record, Result]]]":
    """Yield *rows* of one batch in runs that follow each other without a gap."""
    run = rows[:1]
    for row in rows[1:]:
        if row[0].row != run[-1][0].row + 1:
            yield run
            run = []
        run.append(row)
    yield run


def _flush(held: _Held, writer: Any) -> None:
    """Write what is held as one row group."""
    import pyarrow as pa

    if held.batches:
        table = _without_unused(pa.Table.from_batches(held.batches))
        writer.write_table(table, row_group_size=len(table))
    held.batches, held.size = [], 0


def _without_unused(table: Any) -> Any:
    """Return *table* without the words of dictionaries that no row of it has.

    A row that was held back has left its words there.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for at, field_ in enumerate(table.schema):
        if not pa.types.is_dictionary(field_.type):
            continue
        column = table.column(at).unify_dictionaries().combine_chunks()
        used = pc.unique(column.indices).drop_null().sort()
        if len(used) < len(column.dictionary):
            indices = pc.index_in(column.indices, used).cast(field_.type.index_type)
            words = column.dictionary.take(used)
            kept = pa.DictionaryArray.from_arrays(indices, words, ordered=field_.type.ordered)
            table = table.set_column(at, field_, kept)
    return table


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(values) for test in tests)


def _raw_texts(column: Any) -> list[bytes | None]:
    """Return the bytes of a column of text: nobody has checked that they are UTF-8."""
    import pyarrow as pa

    values = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    raw: list[bytes | None] = values.cast(pa.large_binary()).to_pylist()
    return raw


def _compression(name: str) -> str:
    """Return the compression of the input where this pyarrow can write it, else its default."""
    import pyarrow as pa

    if name == "UNCOMPRESSED":
        return "none"
    known = name.lower() in ("snappy", "gzip", "brotli", "zstd", "lz4")
    return name.lower() if known and pa.Codec.is_available(name.lower()) else "snappy"


def _cells_beside(rows: Any, index: int, text_at: int, metadata: str) -> dict[str, str]:
    names = distinct(rows.schema.names)
    beside = [at for at in range(len(names)) if at != text_at and rows.schema.names[at] != ENTITIES]
    said = {names[at]: _said(rows.column(at)[index]) for at in beside}
    return said | {METADATA: metadata} if metadata else said


def _words(metadata: Iterable[dict[bytes, bytes] | None]) -> str:
    """Return the keys and values of a schema and its fields, which are passed on with them."""
    pairs = (pair for one in metadata for pair in (one or {}).items())
    return "\n".join(str(said, "utf-8", "replace") for pair in pairs for said in pair)


def _said(value: Any) -> str:
    """Return what a cell says, whatever its type: the words within it, "" where it says nothing.

    Python has no value for some cells (nanoseconds, far dates, bytes that are no UTF-8).
    """
    import pyarrow as pa

    if not value.is_valid:
        return ""
    if isinstance(value, pa.DictionaryScalar | pa.ExtensionScalar):
        return _said(value.value)
    if isinstance(value, pa.BinaryScalar):
        return str(value.as_buffer().to_pybytes(), "utf-8", "replace")
    if isinstance(value, pa.ListScalar):
        return " ".join(map(_said, value.values))
    if isinstance(value, pa.StructScalar):
        return " ".join(_said(value[at]) for at in range(len(value.type)))
    try:
        return str(value.cast(pa.string()).as_py())
    except pa.ArrowException:  # a type that has no letters
        return ""


def _bytes_a_row(metadata: Any) -> int:
    groups = range(metadata.num_row_groups)
    total = sum(
        metadata.row_group(group).column(column).total_compressed_size
        for group in groups
        for column in range(metadata.num_columns)
    )
    return int(total // max(1, metadata.num_rows))


def _entities_type() -> Any:
    import pyarrow as pa

    texts = dict.fromkeys(("label", "replacement"), pa.string())
    fields = {"start": pa.int64(), "end": pa.int64(), **texts}
    return pa.list_(pa.struct({**fields, "score": pa.float64(), "source": pa.string()}))


def _as_type(texts: Any, wanted: Any) -> Any:
    import pyarrow as pa

    return (
        texts.dictionary_encode().cast(wanted)
        if pa.types.is_dictionary(wanted)
        else texts.cast(wanted)
    )
