"""Where documents come from: the files of the folders given, each opened by its format."""

import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from thunder.documents import detecting, places
from thunder.documents.encoding import HEAD, Unreadable, require_text
from thunder.documents.pipes import as_it_arrives
from thunder.documents.records import Document, Failure, Reading, Record, TextFile
from thunder.workers import Waiting

STDIN = "-"
FORMATS = {
    **dict.fromkeys(("txt", "md"), "text"),
    **dict.fromkeys(("jsonl", "ndjson"), "jsonl"),
    **dict.fromkeys(("csv", "tsv"), "csv"),
    "parquet": "parquet",
    **dict.fromkeys(detecting.SUFFIXES, "paged"),
}
"""Suffix (and value of ``--format``) → the family that reads it."""

_PARQUET_EXTRA = "pip install 'thunder-deid[parquet]'"

_LONGEST_NAME = 255  # bytes, on the disks that are in use
_NO_NAME = (
    "파일 이름이 될 수 없는 키입니다(.., 빈 이름, 너무 긴 이름, 파일이면서 폴더)",
    "저장소에서 이름을 바꾸십시오",
)

_REASONS = {
    FileNotFoundError: ("파일이 사라졌습니다", "원본을 확인하십시오"),
    PermissionError: ("읽을 권한이 없습니다", "파일의 권한을 확인하십시오"),
    IsADirectoryError: ("파일이 아니라 폴더입니다", "폴더 이름을 인수로 주십시오"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read (None: standard input), its name relative to what was given, its format.

    ``format`` is a key of FORMATS, "" where the suffix is none of them.
    """

    path: Path | None
    name: str
    format: str

    @property
    def size(self) -> int:
        """Bytes of the file, 0 where that is not known."""
        try:
            return self.path.stat().st_size if self.path else 0
        except OSError:
            return 0

    @property
    def is_file(self) -> bool:
        """Whether it is a plain file, which can be read twice."""
        try:
            return bool(self.path and self.path.is_file())
        except OSError:
            return False


@dataclass
class Listing:
    """The files found, what was passed over (suffix or kind → count), what could not be listed.

    ``names_files``: they are named in a table, however many.
    """

    sources: list[Source] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    names_files: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """A file was opened; its records follow."""

    source: Source
    document: Document


@dataclass(frozen=True, slots=True)
class Finished:
    """A file has no more records."""

    source: Source


Item = Opened | Record | Failure | Waiting | Finished


def list_sources(paths: Sequence[Path], *, format: str = "") -> Listing:
    """Return the files under *paths*, in order of their names.

    Files given by name are taken whatever their suffix; in folders, hidden files and unknown
    suffixes are passed over and counted. *format* overrides the suffix of files given by name.
    On object storage likewise; Unreachable where it does not answer.
    """
    listing, seen = Listing(), set[tuple[int, int]]()
    for path in paths:
        if str(path) == STDIN:
            listing.sources.append(Source(None, STDIN, format or "txt"))
        elif places.is_remote(path) and places.is_folder(path):
            listing.folders.append(path)
            _walk_remote(path, "", listing)
        elif not places.is_remote(path) and _is_folder(path):
            listing.folders.append(path)
            _walk(path, "", listing, seen)
        else:
            suffix = path.suffix.lower().removeprefix(".")
            chosen = format or (suffix if suffix in FORMATS else "")
            listing.sources.append(Source(path, path.name, chosen))
    return listing


def is_missing(name: str) -> bool:
    """Return whether there is nothing of this name; what may not be looked at may be there."""
    try:
        os.lstat(name)
    except PermissionError:
        return False
    except OSError:
        return True
    return False


def _is_folder(path: Path) -> bool:
    """Return whether *path* is a folder; what cannot be asked fails when it is opened."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _walk(folder: Path, name: str, listing: Listing, seen: set[tuple[int, int]]) -> None:
    try:
        facts = folder.stat()
        if (facts.st_dev, facts.st_ino) in seen:
            reason = "이미 읽은 폴더로 돌아오는 링크입니다"
            listing.failures.append(Failure(name or str(folder), 0, reason, "링크를 지우십시오"))
            return
        seen.add((facts.st_dev, facts.st_ino))
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        listing.failures.append(_unlistable(name or str(folder), error))
        return
    for entry in entries:
        _take(entry, f"{name}/{entry.name}".lstrip("/"), listing, seen)


def _walk_remote(folder: Path, name: str, listing: Listing) -> None:
    """List a folder of a store, in the order in which one of a disk is listed."""
    found = places.entries(folder)
    twice = Counter(entry for entry, _, _ in found)
    for entry, is_folder, _ in found:
        its = f"{name}/{entry}".lstrip("/") or "/"
        suffix = os.path.splitext(entry)[1].lower()
        if not _can_be_a_name(entry) or twice[entry] > 1:
            listing.failures.append(Failure(its, 0, *_NO_NAME))
        elif entry.startswith("."):
            listing.skipped["숨은 파일"] += 1
        elif is_folder:
            _walk_remote(folder / entry, its, listing)
        elif suffix[1:] in FORMATS:
            listing.sources.append(Source(folder / entry, its, suffix[1:]))
        else:
            listing.skipped[suffix or "확장자 없음"] += 1


def _can_be_a_name(entry: str) -> bool:
    """Return whether a file on a disk can be called *entry*: keys of a store can be anything."""
    if entry in ("", ".", "..") or len(entry.encode("utf-8", "replace")) > _LONGEST_NAME:
        return False
    return not any(char in entry for char in "/\\\0")


def _take(entry: os.DirEntry[str], name: str, listing: Listing, seen: set[tuple[int, int]]) -> None:
    suffix = os.path.splitext(entry.name)[1].lower()
    try:
        mode = entry.stat().st_mode
    except OSError as error:
        listing.failures.append(_unlistable(name, error))
        return
    if entry.name.startswith("."):
        listing.skipped["숨은 파일"] += 1
    elif stat.S_ISDIR(mode):
        _walk(Path(entry.path), name, listing, seen)
    elif not stat.S_ISREG(mode):
        listing.skipped["특수 파일"] += 1
    elif suffix[1:] in FORMATS:
        listing.sources.append(Source(Path(entry.path), name, suffix[1:]))
    else:
        listing.skipped[suffix or "확장자 없음"] += 1


def read_all(sources: Sequence[Source], reading: Reading) -> Iterator[Item]:
    """Yield what *sources* hold, in order: each file as Opened, its records, Finished.

    What cannot be read, or holds no document, becomes a Failure and the next file follows.
    """
    for source in sources:
        is_empty = True
        try:
            with _opened(source) as stream:
                document = reader_of(source, stream)(stream, source.name, reading)
                yield Opened(source, document)
                for item in document.read():
                    is_empty = is_empty and isinstance(item, Waiting)
                    yield item
            if is_empty:
                raise Unreadable("문서가 하나도 없습니다", "원본을 확인하십시오")
        except Unreadable as error:
            yield Failure(source.name, 0, error.reason, error.advice, source.name)
        except OSError as error:
            yield _unlistable(source.name, error)
        except Exception as error:  # whatever it is, it is this file's alone
            reason = f"읽지 못했습니다({type(error).__name__})"
            yield Failure(source.name, 0, reason, "다른 형식으로 바꾸어 넣으십시오", source.name)
        yield Finished(source)


@contextmanager
def _opened(source: Source) -> Iterator[BinaryIO]:
    if source.path is None:
        yield as_it_arrives(sys.stdin.buffer)
        return
    with source.path.open("rb") as stream:
        yield as_it_arrives(stream)


def reader_of(source: Source, stream: BinaryIO) -> Callable[[BinaryIO, str, Reading], Document]:
    """Return what reads *source*; Unreadable where neither its name nor its content tells."""
    family = FORMATS.get(source.format, "")
    if source.path and family in ("", "text") and isinstance(stream, BufferedReader):
        head = stream.peek(HEAD)[:HEAD]
        if detecting.is_paged(head):
            family = "paged"
        elif not family:
            require_text(head)
    if family == "paged":
        from thunder.documents.paged import PagedFile

        return partial(PagedFile, promised=detecting.SUFFIXES.get(source.format, ""))
    if family == "jsonl":
        from thunder.documents.jsonlines import JsonLines

        return JsonLines
    if family == "csv":
        from thunder.documents.csvtable import CsvTable

        return CsvTable
    if family == "parquet":
        from importlib.util import find_spec

        if find_spec("pyarrow") is None:
            raise Unreadable("Parquet 파일을 읽는 꾸러미가 없습니다(pyarrow)", _PARQUET_EXTRA)
        from thunder.documents.parquet import ParquetTable

        return ParquetTable
    if family == "text":
        return TextFile
    known = ", ".join(FORMATS)
    raise Unreadable("모르는 확장자입니다", f"--format으로 형식을 알려 주십시오({known})")


def _unlistable(name: str, error: OSError) -> Failure:
    for kind, (reason, advice) in _REASONS.items():
        if isinstance(error, kind):
            return Failure(name, 0, reason, advice, name)
    reason = f"읽지 못했습니다({error.strerror or type(error).__name__})"
    return Failure(name, 0, reason, "파일과 디스크를 확인하십시오", name)
