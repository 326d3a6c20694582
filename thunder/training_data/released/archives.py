"""A release's files, from HTTPS or from a folder or archive at hand; nothing is unpacked to disk.

Downloads are ordinary files by ``urllib``: no hub's code, no account, no cookie, and only when
``thunder data get`` asks for one.
"""

import hashlib
import lzma
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from thunder.training_data.released import messages as say

LARGEST = 1 << 30
"""Bytes of one file inside an archive: more is no judgment, and may be a bomb."""

_BLOCK = 1 << 20
_WAIT = 60  # seconds for a silent server
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError)


class Member(NamedTuple):
    """A file of a release: its path (NFC, forward slashes) and its bytes."""

    path: PurePosixPath
    content: bytes


class GetError(ValueError):
    """A release that cannot be had or read; the message names the cure."""


def download(url: str, target: Path, progress: Callable[[int, int], None] | None = None) -> None:
    """Write the file at *url* to *target*; *progress* gets bytes done and in all (0: unknown).

    GetError without a network, for another scheme than HTTPS, and where the server's length is
    not what came.
    """
    _require_https(url)
    request = Request(url, headers={"User-Agent": "thunder-deid"})
    try:
        with urlopen(request, timeout=_WAIT) as answer, target.open("wb") as file:
            _require_https(answer.url)
            total = int(answer.headers.get("Content-Length") or 0)
            done = 0
            while block := answer.read(_BLOCK):
                file.write(block)
                done += len(block)
                if progress:
                    progress(done, total)
    except (URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        raise GetError(say.NOT_FETCHED(url=url, why=reason)) from None
    if total and done != total:
        raise GetError(say.CUT_OFF(url=url, done=done, total=total))


def _require_https(url: str) -> None:
    if urlsplit(url).scheme != "https":
        raise GetError(say.ONLY_HTTPS(url=url))


def digest(place: Path) -> str:
    """Return the SHA-256 of a file, or of a folder: of its files' paths and hashes, sorted."""
    if place.is_dir():
        lines = sorted(
            f"{digest(path)}  {_composed(path.relative_to(place).as_posix())}\n"
            for path in place.rglob("*")
            if path.is_file()
        )
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def members(place: Path) -> Iterator[Member]:
    """Yield the files of a folder, of a .tar (.gz, .xz, .bz2) or .zip, or the one file it is.

    Those of a folder come in order of their paths. GetError for what is not there, is damaged, or
    holds a file larger than ``LARGEST``.
    """
    if not place.exists():
        raise GetError(say.NOT_THERE(place=place))
    try:
        if place.is_dir():
            yield from _of_folder(place)
        elif tarfile.is_tarfile(place):
            yield from _of_tar(place)
        elif zipfile.is_zipfile(place):
            yield from _of_zip(place)
        else:
            _require_size(place.stat().st_size, place, place.name)
            yield Member(_path(place.name), place.read_bytes())
    except _DAMAGED as error:
        raise GetError(say.DAMAGED(place=place, kind=type(error).__name__)) from None


def _of_folder(place: Path) -> Iterator[Member]:
    for path in sorted(path for path in place.rglob("*") if path.is_file()):
        inside = path.relative_to(place).as_posix()
        _require_size(path.stat().st_size, place, inside)
        yield Member(_path(inside), path.read_bytes())


def _of_tar(place: Path) -> Iterator[Member]:
    with tarfile.open(place) as archive:
        for entry in archive:
            if entry.isfile() and (file := archive.extractfile(entry)) is not None:
                _require_size(entry.size, place, entry.name)
                yield Member(_path(entry.name), file.read())


def _of_zip(place: Path) -> Iterator[Member]:
    with zipfile.ZipFile(place) as archive:
        for entry in archive.infolist():
            if not entry.is_dir():
                _require_size(entry.file_size, place, entry.filename)
                yield Member(_path(entry.filename), archive.read(entry))


def _require_size(size: int, place: Path, inside: str) -> None:
    if size > LARGEST:
        raise GetError(say.TOO_LARGE(place=place, inside=inside, size=size, most=LARGEST))


def _path(name: str) -> PurePosixPath:
    return PurePosixPath(_composed(name))


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)
