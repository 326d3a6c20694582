"""AI-Hub's data sets as JSON lines: one document each, with the text out of the field that has it.

They come as folders (or the ``download.tar`` of ``aihubshell``) of ZIP files of JSON; a large ZIP
is cut into ``NAME.zip.part0``, ``NAME.zip.part1073741824`` … whose numbers are where each begins.
File names inside are often in CP949. In which field the text stands differs by set.
"""

import bisect
import io
import json
import tarfile
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from thunder.training_data.released import messages as say
from thunder.training_data.released.archives import LARGEST, GetError

_LOOKED_AT = 20  # documents whose fields are shown


class Document(NamedTuple):
    """What one JSON file holds, and where it stands."""

    place: str
    content: Any


class Row(NamedTuple):
    """A converted document; ``text`` is "" where the field is not there or holds none."""

    id: str
    text: str
    place: str


def rows(place: Path, *, text: str, name: str = "", each: str = "") -> Iterator[Row]:
    """Yield the documents of *place* with what stands in the field *text* (``info.text``).

    A list on the way is gone through, its texts a line each. *name* is the field of the id, the
    file's place without; *each* the field of a list whose entries are documents of their own.
    GetError names the file that cannot be read.
    """
    for document in documents(place):
        entries = _at(document.content, _path(each)) if each else [document.content]
        for number, entry in enumerate(entries, 1):
            own = f"{document.place}#{number}" if each else document.place
            found = "".join(map(str, _at(entry, _path(name)))) if name else ""
            texts = [one for one in _at(entry, _path(text)) if isinstance(one, str)]
            yield Row(found or own, "\n".join(texts).strip(), own)


def fields(place: Path) -> list[tuple[str, int, int]]:
    """Return the fields of the first documents that hold texts: path, how many, mean length.

    The longest come first: the text is among them.
    """
    lengths: dict[str, list[int]] = {}
    for number, document in enumerate(documents(place)):
        if number == _LOOKED_AT:
            break
        for path, found in _strings(document.content, ""):
            lengths.setdefault(path, []).append(len(found))
    counted = [(path, len(own), sum(own) // len(own)) for path, own in lengths.items()]
    return sorted(counted, key=lambda one: (-one[2], one[0]))


def documents(place: Path) -> Iterator[Document]:
    """Yield every JSON file of a folder, tar or ZIP, also of ZIPs inside, in order of paths."""
    if not place.exists():
        raise GetError(say.NOT_THERE(place=place))
    try:
        yield from _within(place)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError) as error:
        raise GetError(say.DAMAGED(place=place, kind=type(error).__name__)) from None


def _within(place: Path) -> Iterator[Document]:
    if place.is_dir():
        for path, parts in _joined(sorted(one for one in place.rglob("*") if one.is_file())):
            inside = path.relative_to(place).as_posix()
            if path.suffix == ".json":
                yield _read(path.read_bytes(), inside)
            elif path.suffix == ".zip":
                try:
                    with _Parts(parts) as joined:
                        yield from _of_zip(cast(Any, joined), inside)
                except zipfile.BadZipFile:
                    raise GetError(say.PART_MISSING(place=path, parts=len(parts))) from None
    elif place.suffix == ".tar":
        with tarfile.open(place) as archive:
            for entry in archive:
                held = archive.extractfile(entry) if entry.isfile() else None
                if held is None:
                    continue
                if entry.name.endswith(".json"):
                    yield _read(held.read(), entry.name)
                elif entry.name.endswith(".zip"):
                    yield from _of_zip(cast(BinaryIO, held), entry.name)
                elif ".zip.part" in entry.name:
                    raise GetError(say.HOLDS_PARTS(place=place, name=entry.name))
    else:
        with place.open("rb") as stream:
            yield from _of_zip(stream, "")


def _joined(paths: Iterable[Path]) -> Iterator[tuple[Path, Sequence[Path]]]:
    """Yield each file with its parts: itself, or those that ``.partN`` cut it into, in order."""
    cut: dict[Path, list[tuple[int, Path]]] = {}
    whole: list[tuple[Path, Sequence[Path]]] = []
    for path in paths:
        name, mark, number = path.name.rpartition(".part")
        if mark and number.isdigit():
            cut.setdefault(path.with_name(name), []).append((int(number), path))
        else:
            whole.append((path, [path]))
    whole += [(path, [one for _, one in sorted(parts)]) for path, parts in cut.items()]
    yield from sorted(whole)


def _of_zip(stream: BinaryIO, place: str) -> Iterator[Document]:
    with zipfile.ZipFile(stream) as archive:
        for entry in archive.infolist():
            name = _name(entry)
            inside = f"{place}/{name}" if place else name
            if not name.endswith(".json") or entry.is_dir():
                continue
            if entry.file_size > LARGEST:
                size = entry.file_size
                raise GetError(say.TOO_LARGE(place=place, inside=name, size=size, most=LARGEST))
            yield _read(archive.read(entry), inside)


def _name(entry: zipfile.ZipInfo) -> str:
    """Return a file's name; without the mark of UTF-8 it is in CP949, as Korean Windows writes."""
    if not entry.flag_bits & 0x800:
        try:
            return unicodedata.normalize("NFC", entry.filename.encode("cp437").decode("cp949"))
        except UnicodeError:
            pass
    return unicodedata.normalize("NFC", entry.filename)


def _read(content: bytes, place: str) -> Document:
    try:
        return Document(place, json.loads(content.decode("utf-8-sig")))
    except (ValueError, RecursionError):
        raise GetError(say.NO_JSON(place=place)) from None


def _path(field: str) -> list[str]:
    return field.split(".") if field else []


def _at(content: Any, path: Sequence[str]) -> list[Any]:
    """Return what stands at the end of *path*; of lists on the way, and at its end, each."""
    if isinstance(content, list):
        return [one for entry in content for one in _at(entry, path)]
    if not path:
        return [content]
    if isinstance(content, dict) and path[0] in content:
        return _at(content[path[0]], path[1:])
    return []


def _strings(content: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(content, str):
        yield path, content
    elif isinstance(content, list):
        for one in content:
            yield from _strings(one, path)
    elif isinstance(content, dict):
        for name, one in content.items():
            yield from _strings(one, f"{path}.{name}" if path else str(name))


class _Parts(io.RawIOBase):
    """Files read one behind the other, as the one that they were cut from."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files = [path.open("rb") for path in paths]
        self._ends = list(accumulate(path.stat().st_size for path in paths))
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._ends[-1]}[whence]
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        wanted = self._ends[-1] - self._at if size < 0 else size
        pieces = []
        while wanted > 0 and self._at < self._ends[-1]:
            number = bisect.bisect_right(self._ends, self._at)
            begins = self._ends[number - 1] if number else 0
            self._files[number].seek(self._at - begins)
            piece = self._files[number].read(min(wanted, self._ends[number] - self._at))
            if not piece:
                raise EOFError
            pieces.append(piece)
            self._at += len(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        for file in self._files:
            file.close()
        super().close()
