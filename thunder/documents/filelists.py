"""Tables whose cells name files: each named file is a source of its own."""

import os
from dataclasses import replace
from pathlib import Path, PurePath

from thunder.documents.records import Failure, Reading, Record
from thunder.documents.sources import FORMATS, Listing, Source, is_missing, read_all

_INSIDE = "표가 있는 폴더에서 시작하는 경로를 적고 그 자리에 파일을 두십시오"
_TABLES = frozenset(("jsonl", "csv", "parquet"))


def with_files_named(listing: Listing, column: str, *, reading: Reading) -> Listing:
    """Return *listing* with the files that its tables name in *column* in the tables' places.

    Cells are paths relative to the table's folder. A row that names none, one that is not there,
    or one outside of that folder is a failure. What is named twice is taken once.
    """
    found = replace(listing, sources=[], names_files=True)
    found.failures = list(listing.failures)
    seen: set[str] = set()
    for source in listing.sources:
        if FORMATS.get(source.format) not in _TABLES or source.path is None:
            found.sources.append(source)
            continue
        for item in read_all([source], replace(reading, text_column=column)):
            if isinstance(item, Failure):
                found.failures.append(item)
            elif isinstance(item, Record):
                taken = _named(source, item)
                if isinstance(taken, Failure):
                    found.failures.append(taken)
                elif taken.name not in seen:
                    seen.add(taken.name)
                    found.sources.append(taken)
    return found


def _named(table: Source, row: Record) -> Source | Failure:
    cell = PurePath(os.path.normpath(row.text.strip()))
    assert table.path is not None, "a table that is piped in names no files"
    path = table.path.parent / cell
    if cell.is_absolute() or ".." in cell.parts:
        return Failure(row.file, row.row, "표가 있는 폴더 밖의 파일입니다", _INSIDE, row.id)
    if is_missing(str(path)) or not path.is_file():
        return Failure(row.file, row.row, "표에 적힌 파일이 없습니다", _INSIDE, row.id)
    suffix = path.suffix.lower().removeprefix(".")
    name = str(Path(table.name).parent / cell)
    return Source(path, name, suffix if suffix in FORMATS else "")
