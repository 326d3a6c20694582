"""One archive of a desk, and a desk again from it; also from SQLite into PostgreSQL and back.

A zip of mode 0600: every table but the sessions as lines of JSON, the released files, and a
manifest. What is sealed stays sealed: it takes the desk's key, which is not in it.
"""

import base64
import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, LargeBinary, Table, delete, func, insert, select, text

import thunder
from thunder.bulk.outputs import Partial
from thunder.desk.models import Base, Chain, Document, User
from thunder.desk.releases import Releases
from thunder.desk.store import Store

_FORMAT = 1
_LEFT_OUT = ("sessions",)
_AT_ONCE = 200


class Unusable(ValueError):
    """An archive that is none, or a desk that is not empty."""


def save(store: Store, releases: Path, target: Path) -> dict[str, int]:
    """Write the desk into the new file *target* and return how many rows each table has.

    All tables are of one moment. FileExistsError where *target* is there.
    """
    counts: dict[str, int] = {}
    partial = Partial(target, private=True, replace=False)
    try:
        with zipfile.ZipFile(partial.stream, "w", zipfile.ZIP_DEFLATED) as archive:
            with store.snapshot() as connection:
                for table in _tables():
                    counts[table.name] = _dump(connection, table, archive)
                revision = MigrationContext.configure(connection).get_current_revision()
            for path in Releases(releases).all():
                archive.write(path, f"released/{path.name}")
            said = {"format": _FORMAT, "tool": thunder.__version__, "tables": counts}
            archive.writestr("manifest.json", json.dumps(said | {"revision": revision}))
        partial.sync()
        partial.publish()
    finally:
        partial.close()
    return counts


def restore(store: Store, releases: Path, source: Path) -> dict[str, int]:
    """Fill the empty desk of *store* from the archive *source*; return the rows of each table.

    Unusable for a desk that has users or documents, and for what is no archive of this version;
    ``vault.WrongKey`` where the desk has another key. Nothing is changed then.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            if archive.testzip() is not None:
                raise Unusable("the archive is damaged")
            manifest = json.loads(archive.read("manifest.json"))
            counts = _fill(store, archive, manifest)
            _put_released(archive, releases)
            return counts
    except (zipfile.BadZipFile, zlib.error, KeyError) as error:
        raise Unusable("this is no archive of a desk") from error


def _fill(store: Store, archive: zipfile.ZipFile, manifest: dict[str, Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    with store.snapshot() as connection:
        revision = MigrationContext.configure(connection).get_current_revision()
        if (manifest["format"], manifest["revision"]) != (_FORMAT, revision):
            raise Unusable(f"it was made by {manifest['tool']}: restore it with that, then upgrade")
        if any(
            connection.scalar(select(func.count()).select_from(one)) for one in (User, Document)
        ):
            raise Unusable("the desk is not empty: restore into a new folder or database")
        connection.execute(delete(Chain))
        for table in _tables():
            counts[table.name] = 0
            for rows in _rows(archive, table):
                connection.execute(insert(table), rows)
                counts[table.name] += len(rows)
            _set_counter(connection, table)
        if counts != manifest["tables"]:
            raise Unusable("the archive is not whole")
        store.require_key(connection.scalar(select(Chain.witness)) or b"")
    return counts


def _tables() -> list[Table]:
    return [table for table in Base.metadata.sorted_tables if table.name not in _LEFT_OUT]


def _dump(connection: Connection, table: Table, archive: zipfile.ZipFile) -> int:
    count = 0
    binary = _binary(table)
    with archive.open(f"tables/{table.name}.jsonl", "w") as out:
        rows = connection.execute(select(table).order_by(*table.primary_key.columns))
        for row in rows.mappings():
            plain = {
                name: base64.b64encode(value).decode()
                if name in binary and value is not None
                else value
                for name, value in row.items()
            }
            out.write(json.dumps(plain, ensure_ascii=False).encode() + b"\n")
            count += 1
    return count


def _rows(archive: zipfile.ZipFile, table: Table) -> Iterator[list[dict[str, Any]]]:
    binary = _binary(table)
    rows: list[dict[str, Any]] = []
    with archive.open(f"tables/{table.name}.jsonl") as lines:
        for line in lines:
            row = json.loads(line)
            rows.append(
                {k: base64.b64decode(v) if k in binary and v else v for k, v in row.items()}
            )
            if len(rows) == _AT_ONCE:
                yield rows
                rows = []
    if rows:
        yield rows


def _binary(table: Table) -> set[str]:
    return {column.name for column in table.columns if isinstance(column.type, LargeBinary)}


def _set_counter(connection: Connection, table: Table) -> None:
    """Let PostgreSQL count on from the last id."""
    if connection.dialect.name == "postgresql" and table.name in ("users", "decisions"):
        last = connection.scalar(select(func.max(table.c.id)))
        if last:
            place = {"name": table.name, "last": last}
            connection.execute(
                text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)"), place
            )


def _put_released(archive: zipfile.ZipFile, releases: Path) -> None:
    releases.mkdir(parents=True, exist_ok=True, mode=0o700)
    for name in archive.namelist():
        folder, _, own = name.partition("/")
        if folder != "released" or Path(own).name != own:
            continue
        descriptor = os.open(releases / own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            out.write(archive.read(name))
