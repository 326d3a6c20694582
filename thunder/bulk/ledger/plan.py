"""The plan of a run: shards that follow from the input alone, a JSON object a line.

The first line has the settings and all that decides, the last the totals and the SHA-256 of the
lines before it. Where the input lies stands beside it, in ``inputs.json``: a plan is the same
wherever that is, on a disk or on object storage. It is written and read a line at a time: memory
does not grow with the documents.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, cast

from thunder.bulk.cases import in_order_of_folders
from thunder.bulk.ledger import records
from thunder.bulk.ledger.ids import Distinct, IdSum, place_id
from thunder.bulk.ledger.settings import Settings
from thunder.bulk.logs import line
from thunder.bulk.outputs import Refused, aside, bring_to_disk
from thunder.documents import places
from thunder.documents.encoding import Unreadable
from thunder.documents.records import Failure, Part, Record
from thunder.documents.sources import FORMATS, Source, list_sources, reader_of

NAME = "plan.jsonl"
INPUTS = "inputs.json"
HIDDEN = ".thunder-run"
VERSION = 3
_LONGEST_END = 1024  # bytes of the last line, and more
_TABLES = ("jsonl", "csv", "parquet")


@dataclass(frozen=True, slots=True)
class File:
    """A file of the input: which of the inputs given it belongs to, its name below that, its bytes.

    ``size`` and ``sha256`` are the file's; of a part of lines, those of its own bytes.
    """

    input: int
    name: str
    format: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Shard:
    """Work that is done whole or not at all: some files, or one part of a table's rows.

    ``rows`` are its documents, ``ids`` the sum of their ids; ``place``: which part of its
    file it is; ``whole``: all of it; ``head`` and ``stop``: its bytes are the first *head* of
    the file, and those up to *stop*.
    """

    number: int
    files: tuple[File, ...]
    rows: int
    ids: str
    part: Part | None = None
    place: int = 0
    head: int = 0
    stop: int = 0
    whole: bool = False

    @property
    def keys(self) -> range:
        """What parts it further: the rows of a part, else the numbers of its files."""
        return range(self.part.first, self.part.end) if self.part else range(len(self.files))

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its line in the plan: a marker holds for this shard alone."""
        return hashlib.sha256(line(_entry(self))).hexdigest()

    def targets(self) -> list[str]:
        """Return the names of its results, one a file, below the folder of results."""
        if self.part is None or self.whole:
            return [file.name for file in self.files]
        [file] = self.files
        return [f"{file.name}/part-{self.place:06}.{file.format}"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan that was read: its file, what decides, where the inputs are, the totals.

    ``skipped``: files of the folders that are not read, by suffix or kind.
    """

    path: Path
    settings: Settings
    decides: dict[str, Any]
    inputs: tuple[Path, ...]
    shards: int
    rows: int
    size: int
    sha256: str
    skipped: dict[str, int]

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return self.path.parent

    @property
    def results(self) -> Path:
        """The folder of the results."""
        return results_in(self.folder)

    def source(self, file: File) -> Source:
        """Return a file of the plan to be read."""
        return Source(_found_in(self.inputs[file.input], file.name), file.name, file.format)

    def each(self) -> Iterator[Shard]:
        """Yield its shards in order, a line at a time; of one on a store from a copy."""
        with here(Source(self.path, NAME, "")) as copy:
            stream = _path(copy).open("rb")
        with stream:  # the copy has gone, but for what is open of it
            for number, raw in enumerate(stream):
                if 0 < number <= self.shards:
                    yield _shard(json.loads(raw))


def _found_in(given: Path, name: str) -> Path:
    """Return where the file *name* is that was found in *given*, a folder or the file itself."""
    is_folder = _is_remote_folder(given) if places.is_remote(given) else given.is_dir()
    return given / name if is_folder else given


@lru_cache
def _is_remote_folder(given: Path) -> bool:
    return places.is_folder(given)


def results_in(folder: Path) -> Path:
    """Return where the results of the run in *folder* are: of a hidden one, around it."""
    return folder.parent if folder.name == HIDDEN else folder / "out"


def _shard(entry: dict[str, Any]) -> Shard:
    part = entry.pop("part")
    if part:
        part = Part(**part | {"mark": bytes.fromhex(part["mark"])})
    files = tuple(File(**file) for file in entry.pop("files"))
    return Shard(**entry, files=files, part=part)


def _entry(shard: Shard) -> dict[str, Any]:
    entry = asdict(shard)
    if shard.part:
        entry["part"]["mark"] = shard.part.mark.hex()
    return entry


# --- writing --------------------------------------------------------------------------------------


def write(
    paths: list[Path],
    folder: Path,
    settings: Settings,
    decides: dict[str, Any],
    *,
    advance: Callable[[int], None] = lambda _: None,
) -> Plan:
    """Return the plan of a run over *paths*, written into *folder*, which is empty or not there.

    *advance* hears of the bytes that were looked at. Refused, with file and cure, for what cannot
    be read to its end, names, columns or ids that do not fit, and a folder that is not free.
    """
    _require_free(folder, paths)
    if places.is_remote(folder) and records.kept(settings):
        raise Refused(
            f"{folder}: 감사 기록의 열쇠와 대응표는 주인만 읽어야 하므로 저장소에 두지 않습니다: "
            "이 기록 없이 계획하거나 디스크의 폴더를 -o로 주십시오"
        )
    inputs = [path.resolve() for path in paths]
    if places.is_remote(folder):
        places.require_writable(folder)
    else:
        folder.mkdir(parents=True, exist_ok=True)
    with looked_through(inputs, folder, settings, advance) as (found, skipped):
        shards = grouped(found, settings, folders_of(inputs))
        put(folder, decides, inputs, skipped, shards, is_new=True)
    records.make_key(folder, settings)
    return read(folder)


@contextmanager
def looked_through(
    inputs: list[Path], folder: Path, settings: Settings, advance: Callable[[int], None]
) -> Iterator[tuple[Iterator[File | Shard], dict[str, int]]]:
    """Yield what is in *inputs*, to be taken to its end in the block, and what is passed over.

    Parts of tables have no number yet. *folder* takes what memory does not hold. Refused for all
    that is wrong with the input, at the latest at the end of what is yielded.
    """
    listing = list_sources(inputs)
    if listing.failures:
        raise Refused("\n".join(str(failure) for failure in listing.failures[:20]))
    if not listing.sources:
        raise Refused("읽을 파일이 없습니다: 폴더나 파일을 주십시오")
    if settings.case:
        listing.sources = in_order_of_folders(listing.sources)
        tables = [one.name for one in listing.sources if FORMATS.get(one.format) in _TABLES]
        if tables:
            raise Refused(f"{tables[0]}: 표는 사건이 아닙니다: --case를 빼거나 따로 계획하십시오")

    def found(distinct: Distinct) -> Iterator[File | Shard]:
        planning = _Planning(settings, distinct, inputs, advance)
        yield from planning.each(listing.sources)
        planning.require_distinct(listing.sources)

    with Distinct(folder) as distinct:
        yield found(distinct), dict(sorted(listing.skipped.items()))


def put(
    folder: Path,
    decides: dict[str, Any],
    inputs: list[Path],
    skipped: dict[str, int],
    shards: Iterable[Shard],
    *,
    is_new: bool = False,
) -> None:
    """Write the plan of *shards*, numbered from 0, to its place in *folder*.

    FileExistsError where it *is_new* and another has come there meanwhile.
    """
    header = {"thunder_bulk_plan": VERSION, "decides": decides, "skipped": skipped}
    with aside(folder / NAME, private=True, replace=not is_new) as stream:
        writer = _Writer(stream)
        writer.add(header)
        for shard in shards:
            writer.count(shard)
            writer.add(_entry(shard))
        writer.end()
        with aside(folder / INPUTS, private=True, replace=True) as beside:
            beside.write(line({"inputs": list(map(str, inputs))}))
    bring_to_disk(folder)


def _require_free(folder: Path, paths: Iterable[Path]) -> None:
    with places.reaching(folder):
        is_planned = (folder / NAME).exists()
    if is_planned:
        raise Refused(f"{folder}: 이미 계획이 있습니다: thunder bulk run으로 이어 가십시오")
    if places.is_remote(folder):
        _require_free_remote(folder, paths)
        return
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{folder}: 폴더가 아닙니다: 다른 이름을 주십시오")
    place = folder.parent if folder.name == HIDDEN else folder
    if place.is_dir() and any(not _is_left_over(path) for path in place.iterdir()):
        raise Refused(f"{place}: 비어 있지 않습니다: 비었거나 없는 폴더를 주십시오")
    for path in paths:
        if places.is_remote(path):
            continue
        if path.is_dir() and folder.resolve().is_relative_to(path.resolve()):
            raise Refused(f"{folder}: 입력 폴더 {path} 안입니다: 다른 폴더를 주십시오")


def _require_free_remote(folder: Path, paths: Iterable[Path]) -> None:
    """Return nothing; Refused unless nothing lies under *folder*, and it under none of *paths*."""
    try:
        found = places.entries(folder)
    except FileNotFoundError:
        found = []
    if any(name != INPUTS and not name.startswith(".thunder-") for name, _, _ in found):
        raise Refused(f"{folder}: 비어 있지 않습니다: 아무것도 없는 주소를 주십시오")
    for path in paths:
        if places.is_remote(path) and f"{folder}/".startswith(f"{path}/"):
            raise Refused(f"{folder}: 입력 폴더 {path} 안입니다: 다른 주소를 주십시오")


def _is_left_over(path: Path) -> bool:
    """Return whether a plan that was cut off left *path*."""
    if path.name == HIDDEN:
        return all(map(_is_left_over, path.iterdir()))
    if path.name == INPUTS:
        return True
    return path.name.startswith(".thunder-") and path.name.endswith(".partial")


class _Writer:
    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._digest = stream, hashlib.sha256()
        self._shards = self._rows = self._size = 0

    def count(self, shard: Shard) -> None:
        self._shards += 1
        self._rows += shard.rows
        self._size += _size(shard)

    def add(self, entry: dict[str, Any]) -> None:
        raw = line(entry)
        self._digest.update(raw)
        self._stream.write(raw)

    def end(self) -> None:
        totals = {"shards": self._shards, "rows": self._rows, "size": self._size}
        self._stream.write(line({"end": True, **totals, "sha256": self._digest.hexdigest()}))


def _size(shard: Shard) -> int:
    """Return the bytes of the input that a shard stands for; of Parquet's parts, the first's."""
    if shard.part is None:
        return sum(file.size for file in shard.files)
    return shard.stop - shard.part.start if shard.stop else shard.files[0].size * (not shard.place)


class _Planning:
    def __init__(
        self,
        settings: Settings,
        distinct: Distinct,
        inputs: list[Path],
        advance: Callable[[int], None],
    ) -> None:
        self._settings, self._distinct, self._advance = settings, distinct, advance
        self._inputs = inputs
        self._columns: dict[str, tuple[str, list[str]]] = {}

    def each(self, sources: Sequence[Source]) -> Iterator[File | Shard]:
        """Yield what *sources* hold in their order: of a table its parts, else the file."""
        for at, source in enumerate(sources):
            self._distinct.add(f"name\0{source.name}", at, 0)
            number = self._input(source)
            if FORMATS.get(source.format) in _TABLES:
                with _present(source) as local:
                    yield from self._rows(local, at, number)
                continue
            self._distinct.add(f"id\0{source.name}", at, 0)
            with _present(source) as local:
                yield self._file(local, number)

    def _file(self, source: Source, number: int) -> File:
        path = _path(source)
        try:
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
                size = stream.tell()
        except OSError as error:
            raise Refused(f"{source.name}: 읽지 못했습니다({error.strerror}): 고치십시오") from None
        self._advance(size)
        return File(number, source.name, source.format, size, digest)

    def _input(self, source: Source) -> int:
        """Return which of the inputs *source* was found in."""
        place = _path(source).absolute()
        for number, given in enumerate(self._inputs):
            path = _found_in(given, source.name)
            if places.is_remote(path) or places.is_remote(place):
                if str(path) == str(place):
                    return number
            elif path == place or (path.exists() and path.samefile(place)):
                return number
        raise Refused(f"{source.name}: 입력에서 사라졌습니다: 다시 계획하십시오")

    def _rows(self, source: Source, at: int, number: int) -> Iterator[Shard]:
        whole = self._file(source, number)
        try:
            with _path(source).open("rb") as stream:
                yield from self._parts(source, at, whole, stream)
        except Unreadable as error:
            raise Refused(f"{source.name}: {error.reason} — {error.advice}") from None

    def _parts(self, source: Source, at: int, whole: File, stream: BinaryIO) -> Iterator[Shard]:
        document: Any = reader_of(source, stream)(stream, source.name, self._settings.reading())
        collected = _Collected()
        rows = place = 0
        for item in document.read():
            if not isinstance(item, Record | Failure):
                continue
            if not rows:
                head = self._head(source, document)
                collected.begin(head if head else 0, 2 if head else 1)
            rows += 1
            collected.add(item, self._key(item, source), getattr(document, "at", 0))
            self._distinct.add(f"id\0{self._key(item, source)}", at, item.row)
            if collected.is_full(self._settings):
                yield self._part(collected, whole, document, place, _path(source))
                place += 1
                collected.begin(collected.stop, collected.last + 1)
        _require_whole(source, document, whole, rows)
        if not rows:
            raise Refused(f"{source.name}: 문서가 하나도 없습니다: 원본을 확인하거나 빼십시오")
        if collected.rows:
            yield self._part(collected, whole, document, place, _path(source))

    def _key(self, item: Record | Failure, source: Source) -> str:
        key = key_of(item, self._settings)
        is_given = key != place_id(item.file, item.row)
        if isinstance(item, Record) and not is_given and not self._settings.ids_by_row:
            raise Refused(
                f"{source.name}:{item.row}: id가 없습니다: --id-column으로 열을 알려 주거나, 행의 "
                "자리를 id로 쓰려면 --ids-by-row를 주십시오"
            )
        return key

    def _head(self, source: Source, document: Any) -> int:
        """Return how many bytes stand before a CSV's first row; Refused for other columns."""
        family = FORMATS[source.format]
        if family == "jsonl":
            return 0
        name, columns = self._columns.setdefault(family, (source.name, document.columns))
        if columns != document.columns:
            raise Refused(
                f"{source.name}: 열이 {name}의 열과 다릅니다({len(document.columns)}개와 "
                f"{len(columns)}개): 열을 맞추거나 따로 계획하십시오"
            )
        return int(document.head) if family == "csv" else 0

    def _part(
        self, collected: "_Collected", whole: File, document: Any, place: int, path: Path
    ) -> Shard:
        part = Part(collected.first, collected.last + 1)
        head, stop, digest, size = 0, 0, whole.sha256, whole.size
        if whole.format != "parquet":
            stop = collected.stop
            encoding = getattr(document, "written", None)
            codec, mark = (encoding.codec, encoding.mark) if encoding else ("", b"")
            head = document.head if encoding else 0
            part = Part(part.first, part.end, collected.start, codec, mark)
            digest = digest_of(path, head, collected.start, stop)
            size = stop - collected.start
        file = File(whole.input, whole.name, whole.format, size, digest)
        rows, ids = collected.rows, str(collected.ids)
        return Shard(0, (file,), rows, ids, part, place, head, stop, self._settings.whole)

    def require_distinct(self, sources: Sequence[Source]) -> None:
        """Return nothing; Refused where two documents have one id, or two files one name."""
        twice = self._distinct.twice()
        if twice:
            (first, row), (second, other) = twice
            before, after = place_id(sources[first].name, row), sources[second].name
            if not row and not other:
                raise Refused(
                    f"{after}: 같은 이름의 파일이 둘입니다({_path(sources[first])}, "
                    f"{_path(sources[second])}): 상위 폴더를 주거나 이름을 바꾸십시오"
                )
            raise Refused(
                f"{place_id(after, other)}: id가 {before}의 id와 같습니다: id를 고치거나 "
                "--ids-by-row를 주십시오"
            )


def of_files(number: int, files: Sequence[File]) -> Shard:
    """Return the shard with a number that is *files*; none of them: nothing is left of it."""
    ids = IdSum()
    for file in files:
        ids.add(file.name)
    return Shard(number, tuple(files), len(files), str(ids))


def folders_of(inputs: Sequence[Path]) -> Callable[[File], Path]:
    """Return what tells the folder in which a file of *inputs* lies."""
    folders = [given if places.is_folder(given) else given.parent for given in inputs]
    return lambda file: (folders[file.input] / file.name).parent


def grouped(
    found: Iterable[File | Shard],
    settings: Settings,
    folder_of: Callable[[File], Path],
    first: int = 0,
) -> Iterator[Shard]:
    """Yield the shards of what was found, numbered from *first*: files go some at a time.

    A case is never parted: with ``settings.case`` a shard ends where a folder ends.
    """
    number, held = first, 0
    waiting: list[File] = []
    is_full = False
    for one in found:
        if isinstance(one, Shard):
            yield replace(one, number=number)
            number += 1
            continue
        if is_full and not (settings.case and folder_of(one) == folder_of(waiting[-1])):
            yield of_files(number, waiting)
            number, held, waiting = number + 1, 0, []
        waiting.append(one)
        held += one.size
        is_full = len(waiting) >= settings.shard_documents or held >= settings.shard_bytes
    if waiting:
        yield of_files(number, waiting)


class _Collected:
    """The rows of a part while it grows."""

    def begin(self, start: int, first: int) -> None:
        """Begin a part with the row *first*, whose bytes begin at *start*."""
        self.start = self.stop = start
        self.first, self.last = first, first - 1
        self.rows = self.size = 0
        self.ids = IdSum()

    def add(self, item: Record | Failure, key: str, stop: int) -> None:
        """Count in a row that ends at the byte *stop* (0: that is not known)."""
        self.rows += 1
        self.size += item.size
        self.last, self.stop = item.row, stop
        self.ids.add(key)

    def is_full(self, settings: Settings) -> bool:
        """Return whether the part is as large as one may be."""
        if settings.whole:
            return False
        size = self.stop - self.start or self.size
        return self.rows >= settings.shard_documents or size >= settings.shard_bytes


def key_of(item: Record | Failure, settings: Settings) -> str:
    """Return by which id a document is accounted for."""
    own = "" if settings.ids_by_row else item.id
    return own or place_id(item.file, item.row)


def digest_of(path: Path, head: int, start: int, stop: int) -> str:
    """Return the SHA-256 of a file's first *head* bytes and those from *start* to *stop*."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        digest.update(stream.read(head))
        stream.seek(start)
        left = stop - start
        while left and (chunk := stream.read(min(left, 1 << 20))):
            digest.update(chunk)
            left -= len(chunk)
    return digest.hexdigest()


def _require_whole(source: Source, document: Any, whole: File, rows: int) -> None:
    """Return nothing; Refused for a table that could not be read to its end."""
    if source.format == "parquet":
        import pyarrow.parquet as pq

        is_whole = pq.read_metadata(_path(source)).num_rows == rows
    else:
        is_whole = document.at == whole.size
    if not is_whole:
        raise Refused(
            f"{source.name}: {rows:,}번째 문서 뒤를 끝까지 읽지 못했습니다: 닫히지 않은 "
            "따옴표 등을 고치거나 파일을 다시 만드십시오"
        )


def _path(source: Source) -> Path:
    return cast("Path", source.path)


@contextmanager
def _present(source: Source) -> Iterator[Source]:
    with ExitStack() as held:
        try:
            local = held.enter_context(here(source))
        except FileNotFoundError:
            raise Refused(f"{source.path}: 없습니다: 주소와 이름을 확인하십시오") from None
        yield local


@contextmanager
def here(
    source: Source, stretches: Sequence[tuple[int, int]] = (), to: Path | None = None
) -> Iterator[Source]:
    """Yield *source* on this machine: of one on object storage a copy, or some stretches of it.

    What is not copied of it are zeros, so that what is stands at its place. *to*: where to.
    """
    path = _path(source)
    if not places.is_remote(path):
        yield source
        return
    with tempfile.TemporaryDirectory(prefix="thunder-") as folder:
        copy = to or Path(folder) / "copy"
        copy.parent.mkdir(parents=True, exist_ok=True)
        if stretches:
            places.fetch_stretches(path, copy, stretches)
        else:
            places.fetch(path, copy)
        yield replace(source, path=copy)
        copy.unlink(missing_ok=True)


# --- reading --------------------------------------------------------------------------------------


def read(folder: Path, name: str = NAME) -> Plan:
    """Return the plan in *folder*; Refused where there is none, or it is not as it was written."""
    path = folder / name
    try:
        with places.reaching(path):
            digest, last, first = _digested(path)
    except FileNotFoundError:
        raise Refused(f"{folder}: 계획이 없습니다: 먼저 thunder bulk plan을 하십시오") from None
    changed = Refused(f"{path}: 적은 뒤에 바뀌었습니다: 다른 폴더에 다시 계획하십시오")
    try:
        header, end = json.loads(first), json.loads(last)
        if header["thunder_bulk_plan"] != VERSION:
            raise Refused(f"{path}: 다른 판의 계획입니다: 그 판으로 잇거나 다시 계획하십시오")
        if end["sha256"] != digest:
            raise changed
        decides = header["decides"]
        totals = end["shards"], end["rows"], end["size"]
        with (folder / INPUTS).open("rb") as beside:
            inputs = tuple(map(places.place, json.loads(beside.read())["inputs"]))
        skipped = dict(header["skipped"])
        planned = Settings(**decides["settings"])
        return Plan(path, planned, decides, inputs, *totals, digest, skipped)
    except places.BadAddress as error:
        raise Refused(f"{folder / INPUTS}: {error}") from None
    except FileNotFoundError:
        raise Refused(f"{folder / INPUTS}: 사라졌습니다: 되돌리거나 다시 계획하십시오") from None
    except (ValueError, LookupError, TypeError) as error:
        raise error if isinstance(error, Refused) else changed from None


def require_current(plan: Plan) -> None:
    """Return nothing; Refused where the plan in its folder is another by now."""
    with places.reaching(plan.path), plan.path.open("rb") as stream:
        stream.seek(0, os.SEEK_END)
        stream.seek(max(0, stream.tell() - _LONGEST_END))
        last = stream.read().splitlines()[-1:]
    try:
        sha256 = json.loads(last[0])["sha256"]
    except (ValueError, LookupError, TypeError):
        sha256 = ""
    if sha256 != plan.sha256:
        raise Refused(f"{plan.path}: 그사이 다시 계획되었습니다: thunder bulk run을 다시 하십시오")


def _digested(path: Path) -> tuple[str, bytes, bytes]:
    """Return the SHA-256 of all lines but the last, the last line and the first."""
    digest, last, first = hashlib.sha256(), b"", b""
    with path.open("rb") as stream:
        for raw in stream:
            first = first or raw
            digest.update(last)
            last = raw
    return digest.hexdigest(), last, first
