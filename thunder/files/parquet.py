"""Parquet, batch by batch: every column but the text's is copied as it is."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from thunder.files.documents import (
    ENTITIES,
    Failure,
    Place,
    Reading,
    Record,
    Write,
    entities_of,
    no_column,
    record_or_failure,
    seekable,
)
from thunder.files.encoding import Unreadable

if TYPE_CHECKING:
    from thunder.deidentify import Deidentified

_BATCH = 256  # rows held at once


class ParquetTable:
    """A Parquet file, read and written in small batches; other columns are copied as they are.

    A column ``entities`` of the input is written anew, and said so in ``notes``.
    """

    encoding = "Parquet"

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self._stream, self._name, self._reading = stream, name, reading
        self._schema: Any = None
        self._type: Any = None
        self._compression = "snappy"
        self.notes: list[str] = []

    def read(self) -> Iterator[Record | Failure]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        row = 0
        try:
            file = pq.ParquetFile(seekable(self._stream))
            self._begin(file)
            for batch in file.iter_batches(_BATCH):
                for item in self._batch(batch, row, _bytes_a_row(file.metadata)):
                    row += 1
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
        if text not in schema.names:
            raise no_column(text, schema.names, are_shown=True)
        self._type = schema.field(text).type
        values = self._type.value_type if pa.types.is_dictionary(self._type) else self._type
        if not (pa.types.is_string(values) or pa.types.is_large_string(values)):
            raise Unreadable(
                f"'{text}' 열이 글이 아닙니다", "본문을 --text-column으로 알려 주십시오"
            )
        if ENTITIES in schema.names:
            self.notes.append(f"'{ENTITIES}' 열이 이미 있어 새로 적습니다")
            schema = schema.remove(schema.get_field_index(ENTITIES))
        self._schema = schema.append(pa.field(ENTITIES, _entities_type()))
        if file.metadata.num_row_groups:
            name = file.metadata.row_group(0).column(0).compression.lower()
            self._compression = "none" if name == "uncompressed" else name

    def _batch(self, batch: Any, before: int, size: int) -> Iterator[Record | Failure]:
        names = [name for name in batch.schema.names if name not in (self._column, ENTITIES)]
        has_id = self._reading.id_column in batch.schema.names
        ids = batch.column(self._reading.id_column).to_pylist() if has_id else []
        for index, text in enumerate(batch.column(self._column).to_pylist()):
            name = "" if not ids or ids[index] is None else str(ids[index])
            place = Place(self._name, before + index + 1, name, size)
            others = partial(_cells_beside, batch, index, names)
            yield record_or_failure(
                place, text, reading=self._reading, rest=(batch, index), others=others
            )

    @property
    def _column(self) -> str:
        return self._reading.text_column

    @contextmanager
    def writing(self, out: BinaryIO) -> Iterator[Write]:
        import pyarrow.parquet as pq

        writer = pq.ParquetWriter(out, self._schema, compression=self._compression)
        waiting: list[tuple[Record, Deidentified]] = []

        def flush() -> None:
            if waiting:
                writer.write_batch(self._rewritten(waiting))
                waiting.clear()

        def write(record: Record, result: "Deidentified") -> None:
            if waiting and waiting[0][0].rest[0] is not record.rest[0]:
                flush()
            waiting.append((record, result))

        try:
            yield write
            flush()
        except BaseException:
            with suppress(Exception):  # the file is given up: what went wrong is raised
                writer.close()
            raise
        writer.close()

    def _rewritten(self, rows: "list[tuple[Record, Deidentified]]") -> Any:
        """Return the batch of *rows*, which are of one batch, with their new texts."""
        import pyarrow as pa

        batch = rows[0][0].rest[0].take(pa.array([record.rest[1] for record, _ in rows]))
        texts = pa.array([result.text for _, result in rows], pa.large_string())
        entities = [entities_of(result) for _, result in rows]
        new = {
            self._column: _as_type(texts, self._type),
            ENTITIES: pa.array(entities, _entities_type()),
        }
        arrays = [new[name] if name in new else batch.column(name) for name in self._schema.names]
        return pa.RecordBatch.from_arrays(arrays, schema=self._schema)


def _cells_beside(batch: Any, index: int, names: list[str]) -> dict[str, str]:
    return {name: str(batch.column(name)[index].as_py()) for name in names}


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
