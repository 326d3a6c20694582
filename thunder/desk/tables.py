"""Released results as rows of a table, beside the folder: JSONL, CSV, Parquet, or a database.

The folder is what counts, the table follows it: ``bring`` writes the row of what is released and
not in the table, once, and takes out what was withdrawn. So whatever is cut off is made good at the
next release or start, and no row comes twice.

``results.jsonl`` and ``results.csv`` grow by a line; where one is taken out, or another text is
issued, the file is written anew beside itself and put in its place. ``results.parquet`` is a
folder of one file a document, which readers of Parquet open as one table. A database has the table
``released_judgments`` (made where it is not there), its key the document.
"""

import csv
import fcntl
import io
import json
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thunder.bulk.outputs import Partial
from thunder.desk import setting_messages as say

TABLE = "released_judgments"
COLUMNS: Mapping[str, type] = {
    "id": str,
    "text": str,
    "sha256": str,
    "reviewer": str,
    "confirmer": str,
    "profile": str,
    "tool": str,
    "released": int,
    "record": str,
}
"""``released``: seconds since 1970; ``record``: the record of the release, as JSON."""

Row = Mapping[str, Any]


class Table(ABC):
    """Rows by document; ``digests`` says which text of which document is there."""

    @abstractmethod
    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of each document's text, by its id."""

    @abstractmethod
    def append(self, rows: Iterable[Row]) -> None:
        """Add rows of documents that are not there."""

    @abstractmethod
    def remove(self, ids: set[str]) -> None:
        """Take rows out."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes of the desk away meanwhile."""
        yield


def bring(table: Table, wanted: Mapping[str, str], row_of: Callable[[str], Row | None]) -> int:
    """Make *table* hold the documents of *wanted* (id and SHA-256), and return how many changed.

    *row_of* gives the row of a document, None where it is not to be had now: that comes next time.
    """
    with table.alone():
        there = table.digests()
        gone = {id for id, digest in there.items() if wanted.get(id) != digest}
        if gone:
            table.remove(gone)
        new = [id for id, digest in wanted.items() if there.get(id) != digest]
        rows = [row for row in map(row_of, new) if row is not None]
        if rows:
            table.append(rows)
    return len(gone) + len(rows)


def put(table: Table, id: str, row_of: Callable[[str], Row | None]) -> None:
    """Make *table* hold the document as it is released now, or not at all where it is not."""
    with table.alone():
        row, there = row_of(id), table.digests().get(id)
        if there is not None and (row is None or row["sha256"] != there):
            table.remove({id})
        if row is not None and row["sha256"] != there:
            table.append([row])


def opened(place: str) -> Table:
    """Return the table that *place* names: a file's path by its suffix, or SQLAlchemy's URL.

    ValueError for what is neither; ImportError where what it takes is not installed.
    """
    if "://" in place:
        return Database(place)
    path = Path(place)
    kinds: dict[str, Callable[[Path], Table]] = {
        ".jsonl": JsonLines,
        ".csv": Csv,
        ".parquet": Parquet,
    }
    if path.suffix.lower() not in kinds:
        raise ValueError(say.KINDS_OF_TABLES(place=place, kinds=", ".join(kinds)))
    return kinds[path.suffix.lower()](path)


class _Lines(Table):
    """A file that grows at its end; a line that was cut off is no row and is cut away."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: tuple[int, int, int] | None = None
        self._known: dict[str, str] = {}

    @contextmanager
    def alone(self) -> Iterator[None]:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = self.path.with_name(f".{self.path.name}.lock")
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def digests(self) -> dict[str, str]:
        if self._signature() != self._read:
            self._known = {}
            end = 0
            for row, end in self._rows():  # noqa: B007  the last is where whole rows end
                self._known[str(row["id"])] = str(row["sha256"])
            if self.path.exists() and end < self.path.stat().st_size:
                os.truncate(self.path, end)
            self._read = self._signature()
        return dict(self._known)

    def append(self, rows: Iterable[Row]) -> None:
        given = list(rows)
        is_new = not self.path.exists() or not self.path.stat().st_size
        content = (self._head() if is_new else b"") + b"".join(map(self._line, given))
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._read = None  # until all of it is there
        with os.fdopen(os.open(self.path, flags, 0o600), "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        self._known.update((row["id"], row["sha256"]) for row in given)
        self._read = self._signature()

    def remove(self, ids: set[str]) -> None:
        partial = Partial(self.path, private=True, replace=True)
        self._read = None
        try:
            partial.stream.write(self._head())
            for row, _ in self._rows():
                if row["id"] not in ids:
                    partial.stream.write(self._line(row))
            partial.sync()
            partial.publish()
        finally:
            partial.close()
        self._known = {id: digest for id, digest in self._known.items() if id not in ids}
        self._read = self._signature()

    def _signature(self) -> tuple[int, int, int] | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return (0, 0, 0)
        return found.st_size, found.st_mtime_ns, found.st_ino

    def _head(self) -> bytes:
        return b""

    @abstractmethod
    def _line(self, row: Row) -> bytes:
        """Return the bytes of a row."""

    @abstractmethod
    def _rows(self) -> Iterator[tuple[Row, int]]:
        """Yield the whole rows, and where each ends; ValueError for a file that is another's."""


class JsonLines(_Lines):
    """A JSON object a line."""

    def _line(self, row: Row) -> bytes:
        return json.dumps(dict(row), ensure_ascii=False).encode() + b"\n"

    def _rows(self) -> Iterator[tuple[Row, int]]:
        if not self.path.exists():
            return
        end = 0
        with self.path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    return
                try:
                    row = json.loads(line)
                    _ = row["id"], row["sha256"]
                except (ValueError, KeyError, TypeError):
                    raise ValueError(say.NO_TABLE(path=self.path)) from None
                end += len(line)
                yield row, end


class Csv(_Lines):
    """RFC 4180, UTF-8, every cell quoted; a record ends with CR LF, which no cell holds."""

    def _head(self) -> bytes:
        return self._record(COLUMNS)

    def _line(self, row: Row) -> bytes:
        return self._record(str(row[name]) for name in COLUMNS)

    def _record(self, cells: Iterable[str]) -> bytes:
        out = io.StringIO()
        csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow(cells)
        return out.getvalue().encode()

    def _rows(self) -> Iterator[tuple[Row, int]]:
        if not self.path.exists():
            return
        end, held = 0, b""
        is_head = True
        with self.path.open("rb") as lines:
            for line in lines:
                held += line
                if not held.endswith(b'"\r\n') or held.count(b'"') % 2:
                    continue  # within a cell
                (cells,) = csv.reader(io.StringIO(held.decode(), newline=""))
                if is_head and cells != list(COLUMNS):
                    raise ValueError(say.NO_TABLE(path=self.path))
                end += len(held)
                held = b""
                if is_head:
                    is_head = False
                    continue
                row = dict(zip(COLUMNS, cells, strict=True))
                yield row, end


class Parquet(Table):
    """A folder of one Parquet file a document, each put in its place whole."""

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet  # noqa: F401  said now where it is not installed

        self.path = path

    def digests(self) -> dict[str, str]:
        if not self.path.is_dir():
            return {}
        names = (path.stem.rpartition("-") for path in self.path.glob("*-*.parquet"))
        return {id: digest for id, _, digest in names}

    def append(self, rows: Iterable[Row]) -> None:
        import pyarrow
        import pyarrow.parquet

        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        kinds = {str: pyarrow.string(), int: pyarrow.int64()}
        schema = pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
        for row in rows:
            target = self.path / f"{row['id']}-{row['sha256']}.parquet"
            partial = Partial(target, private=True, replace=True)
            try:
                pyarrow.parquet.write_table(
                    pyarrow.Table.from_pylist([dict(row)], schema), partial.stream
                )
                partial.sync()
                partial.publish()
            finally:
                partial.close()

    def remove(self, ids: set[str]) -> None:
        for id in ids:
            for path in self.path.glob(f"{id}-*.parquet"):
                path.unlink(missing_ok=True)


class Database(Table):
    """A table of a database, each change in a transaction."""

    def __init__(self, url: str) -> None:
        import sqlalchemy as sa

        self._lock = threading.RLock()

        if url.startswith("postgresql://"):
            url = url.replace("postgresql://", "postgresql+psycopg://", 1)
        self._engine = sa.create_engine(url, poolclass=sa.NullPool)  # nothing stays open
        kinds: dict[type, Any] = {str: sa.Text, int: sa.BigInteger}
        own = {"id": sa.String(32), "sha256": sa.String(64)}
        self._table = sa.Table(
            TABLE,
            sa.MetaData(),
            *(
                sa.Column(
                    name, own.get(name, kinds[kind]), primary_key=name == "id", nullable=False
                )
                for name, kind in COLUMNS.items()
            ),
        )
        self._is_made = False

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._lock:
            yield

    def _made(self) -> None:
        if not self._is_made:
            self._table.create(self._engine, checkfirst=True)
            self._is_made = True

    def digests(self) -> dict[str, str]:
        from sqlalchemy import select

        self._made()
        with self._engine.begin() as connection:
            rows = connection.execute(select(self._table.c.id, self._table.c.sha256))
            return {id: digest for id, digest in rows}

    def append(self, rows: Iterable[Row]) -> None:
        from sqlalchemy import insert
        from sqlalchemy.exc import IntegrityError

        for row in rows:
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(self._table), dict(row))
            except IntegrityError:
                if row["id"] not in self.digests():
                    raise  # else another process of the desk was quicker

    def remove(self, ids: set[str]) -> None:
        from sqlalchemy import delete

        with self._engine.begin() as connection:
            for id in sorted(ids):
                connection.execute(delete(self._table).where(self._table.c.id == id))
