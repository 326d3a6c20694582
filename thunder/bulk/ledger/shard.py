"""One shard done: its results, its dead letters and, last, its marker."""

import hashlib
import json
import tempfile
import time
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from thunder.bulk import running
from thunder.bulk.cases import Cases
from thunder.bulk.ledger import records
from thunder.bulk.ledger.ids import IdSum
from thunder.bulk.ledger.plan import (
    File,
    Plan,
    Shard,
    digest_of,
    here,
    key_of,
    require_current,
    results_in,
)
from thunder.bulk.logs import line, naming
from thunder.bulk.notices import Notice
from thunder.bulk.outputs import Refused, aside, bring_to_disk, sweep
from thunder.bulk.publication import Publication
from thunder.bulk.recording import Recorder
from thunder.documents import places
from thunder.documents.places import is_remote
from thunder.documents.records import Failure, Record
from thunder.documents.sources import Finished, Item, Source, read_all

if TYPE_CHECKING:
    from thunder.bulk.leaks import Searched
    from thunder.bulk.ledger.settings import Settings
    from thunder.masking.audit import Catalogue, Entry, Veil

DEAD, NOTICES, DONE = "dead", "notices", "done"

_POISON = "작업 프로세스가 이 문서에서 끝났습니다"
_POISON_CURE = "메모리를 늘리거나 이 문서를 따로 처리한 뒤 thunder bulk replay를 하십시오"


def marker_path(folder: Path, number: int) -> Path:
    """Return where the marker of a shard stands: a thousand in a folder."""
    return folder / DONE / f"{number // 1000:06}" / f"{number:09}.json"


def _begun_path(folder: Path, number: int) -> Path:
    """Return what stands beside the marker while a shard is worked on, and after a kill."""
    return marker_path(folder, number).with_suffix(".begun")


def dead_path(folder: Path, number: int) -> Path:
    """Return where the dead letters of a shard stand, if it has any."""
    return folder / DEAD / f"{number // 1000:06}" / f"{number:09}.jsonl"


def notices_path(folder: Path, number: int) -> Path:
    """Return where stands what a person has to hear of a shard's files, if there is anything."""
    return folder / NOTICES / f"{number // 1000:06}" / f"{number:09}.jsonl"


def placed(path: Path, sha256: str) -> Path:
    """Return where a file with that SHA-256 stands that would be *path* on a disk.

    On object storage its name has the SHA-256 before the suffix: whoever writes there writes
    what is there already, or beside it.
    """
    return path.with_name(f"{path.stem}.{sha256}{path.suffix}") if is_remote(path) else path


def marker(folder: Path, number: int) -> dict[str, Any] | None:
    """Return the marker of a shard; None where it is not done."""
    path = marker_path(folder, number)
    try:
        with places.reaching(path):
            found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        path = marker_path(folder, number)
        raise Refused(f"{path}: 손으로 바뀐 표지입니다: 지우면 그 조각을 다시 합니다") from None
    return dict(found)


def marker_of(folder: Path, shard: Shard) -> dict[str, Any] | None:
    """Return the marker of *shard* as it is planned now; None where it is not done."""
    found = marker(folder, shard.number)
    return found if found and found.get("fingerprint") == shard.fingerprint else None


def is_done(plan: Plan, shard: Shard) -> bool:
    """Return whether *shard* has its marker and all files that it names.

    Whether they hold what they held is for ``verify`` to say; on object storage, where nothing is
    written over and to ask costs time, whether they are there is, too.
    """
    found = marker_of(plan.folder, shard)
    if found is None:
        return False
    if is_remote(plan.folder):
        return True
    places = [(plan.results / one["name"], one["size"]) for one in found["files"]]
    try:
        return all(path.stat().st_size == size for path, size in places)
    except OSError:
        return False


class InputChanged(Exception):
    """A file of the input is not what it was when it was planned."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name}: 계획한 뒤에 바뀌었거나 사라졌습니다: 되돌리거나 다른 폴더에 다시 계획하십시오"
        )


@dataclass
class _Account(Recorder):
    """Takes, in place of an audit, what a shard's marker and dead letters say."""

    settings: "Settings"
    known: "Catalogue"
    results: Path
    veil: "Veil"
    ids: IdSum = field(default_factory=IdSum)
    rows: int = 0
    dead: dict[str, Failure] = field(default_factory=dict)
    files: list[dict[str, Any]] = field(default_factory=list)
    notices: list[dict[str, Any]] = field(default_factory=list)
    _keys: list[str] = field(default_factory=list)
    _written: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.logs = {kind: records.log_of(kind, self.settings) for kind in records.SUFFIX}
        audit, mapping, report = self.logs.values()
        super().__init__(audit, mapping, report, self.known, veil=self.veil)

    def document(self, outcome: running.Outcome, searched: "Searched | None" = None) -> None:
        """Count in a document that is written."""
        self._keys.append(key_of(outcome.record, self.settings))
        self._of(outcome.record.file)
        super().document(outcome, searched)

    def failure(self, failure: Failure) -> None:
        """Take a document that is held back."""
        self.dead[key_of(failure, self.settings)] = failure
        self._of(failure.file)
        super().failure(failure)

    def notice(self, notice: Notice) -> None:
        """Take what does not hold a document back, and a person has to hear."""
        kind, concern = str(notice.kind), str(notice.concern or "")
        self.notices.append(
            {"file": notice.file, "kind": kind, "concern": concern, "said": str(notice)}
        )
        self._of(notice.file)
        super().notice(notice)

    def file(self, name: str, output: str, facts: "Entry") -> None:  # type: ignore[override]
        """Take the SHA-256 of a file that is about to be in its place."""
        self._written.add(name)
        self.files.append(
            {"name": output, "sha256": facts["sha256"], "encoding": facts["encoding"]}
        )
        self.rows += len(self._keys)
        for key in self._keys:
            self.ids.add(key)
        self._keys.clear()
        self._of(name)
        super().file(name, str(Path(output).relative_to(self.results)), facts)

    def take_back(self) -> None:
        """Forget the documents of a file that did not come about."""
        self._keys.clear()
        super().take_back()

    def _of(self, file: str) -> None:
        """Let what is recorded now be of a file, with the names behind its records."""
        self._told = ()
        for log in self.logs.values():
            if isinstance(log, records.HeldLog):
                log.file = file

    def bury(self, taken: list[tuple[str, int, str]]) -> None:
        """Make dead letters of documents (file, row, id) whose file could not be written."""
        for file, row, key in taken:
            if file not in self._written and key not in self.dead:
                whole = self.dead[file]
                self.dead[key] = replace(whole, row=row, id=key)
        for file in {file for file, row, _ in taken if row and file not in self._written}:
            self.dead.pop(file, None)  # it stood for its rows


class Trial(NamedTuple):
    """Some documents of a shard, done by themselves into a folder that is thrown away."""

    keys: range
    folder: Path


def do(
    plan: Plan, shard: Shard, *, without: Collection[int] = (), only: Trial | None = None
) -> dict[str, Any]:
    """Return the marker of *shard*, done and in its place.

    Documents with a key in *without* killed whoever worked on them: they are dead letters. *only*:
    a trial. InputChanged, Unwritable where the disk refuses, Unreachable where a store does.
    """
    if is_remote(plan.folder) and not only:
        with tempfile.TemporaryDirectory(prefix="thunder-") as folder:
            return commit(plan, shard, Path(folder), _done(plan, shard, Path(folder), without))
    if only:
        without = {key for key in shard.keys if key not in only.keys}
    return _done(plan, shard, only.folder if only else plan.folder, without)


def _done(plan: Plan, shard: Shard, folder: Path, without: Collection[int]) -> dict[str, Any]:
    """Return the marker of *shard*, done and in its place in *folder*, which is on a disk."""
    began = time.process_time()
    settings = plan.settings
    targets = dict(zip(shard.files, _targets(shard, folder), strict=True))
    _begin(folder, shard.number, list(targets.values()))
    veil = records.veil_of(plan.folder, settings)
    account = _Account(settings, settings.catalogue(), results_in(folder), veil)
    taken: list[tuple[str, int, str]] = []
    with _inputs(plan, shard) as sources:
        publication = Publication(
            {source: targets[file] for source, file in sources.items()},
            account,
            _hear,
            replace=True,
            with_checks=settings.checks,
            is_stopped_by_disk=True,
        )
        results = _results(_items(plan, shard, sources, without), settings)
        with closing(results), _abandoning(publication):
            for result in results:
                publication.take(result)
                if isinstance(result, running.Outcome):
                    record = result.record
                    taken.append((record.file, record.row, key_of(record, settings)))
    account.bury(taken)
    _require_accounted(shard, account)
    written = [_fact(one, folder) for one in account.files]
    names = {one["name"] for one in written}
    for target in targets.values():
        if str(target.relative_to(results_in(folder))) not in names:
            target.unlink(missing_ok=True)  # an earlier attempt's, whose document is dead now
        with suppress(FileNotFoundError):
            bring_to_disk(target.parent)
    dead = _write_dead(folder, shard, account)
    heard = write_lines(notices_path(folder, shard.number), account.notices)
    recorded = records.write(
        *(folder, shard.number, account.logs),
        veil=veil,
        settings=settings,
        decides=plan.decides,
    )
    found = {
        "shard": shard.number,
        "fingerprint": shard.fingerprint,
        "rows": shard.rows,
        "out": account.rows,
        "dead": len(account.dead),
        "ids_out": str(account.ids),
        "files": written,
        "dead_sha256": dead,
        "notices": len(account.notices),
        "notices_sha256": heard,
        **({"records": recorded} if recorded else {}),
        "cpu_seconds": round(time.process_time() - began, 3),
    }
    write_marker(folder, found)
    _begun_path(folder, shard.number).unlink(missing_ok=True)
    return found


def _results(items: Iterator[Item], settings: "Settings") -> Generator[running.Result, None, None]:
    """Return what yields what becomes of *items*, one by one or, a folder a case, together."""
    act = settings.deidentifier()
    together = act.deidentify_many if settings.model != "none" else None
    if not settings.case:
        return running.run(items, act.deidentify, together=together)
    cases = Cases(max_characters=settings.max_characters)
    return cases.parted(running.run(cases.joined(items), act.deidentify, together=together))


@contextmanager
def _abandoning(publication: Publication) -> Iterator[None]:
    """Give up, in whatever ends the block but its end, the file that is being written."""
    try:
        yield
    except BaseException:
        publication.abandon()
        raise


@contextmanager
def _inputs(plan: Plan, shard: Shard) -> Iterator[dict[Source, File]]:
    """Yield the files of *shard*, to be read on this machine; of a part of a table its bytes."""
    stretches = []
    if shard.part and shard.stop:
        stretches = [(0, shard.head), (shard.part.start, shard.stop)]
    with tempfile.TemporaryDirectory(prefix="thunder-") as folder, ExitStack() as held:
        found: dict[Source, File] = {}
        for file in shard.files:
            to = Path(folder) / str(file.input) / file.name  # files of one folder stay together
            try:
                local = held.enter_context(here(plan.source(file), stretches, to))
            except FileNotFoundError:
                raise InputChanged(file.name) from None
            found[local] = file
        yield found


def commit(plan: Plan, shard: Shard, made: Path, found: dict[str, Any]) -> dict[str, Any]:
    """Return the marker of *shard* that counts, whose files were *made* on this machine.

    They go to object storage under names that their bytes decide, then the marker is created where
    there is none: of two attempts the first counts, and both may go on. Refused where the plan is
    another by now.
    """
    folder, number = plan.folder, shard.number
    sent = [
        (results_in(made) / one["name"], placed(plan.results / one["name"], one["sha256"]))
        for one in found["files"]
    ]
    for kind, sha256 in (dead_path, found["dead_sha256"]), (notices_path, found["notices_sha256"]):
        if sha256:
            sent.append((kind(made, number), placed(kind(folder, number), sha256)))
    places.send(sent)
    require_current(plan)
    there = marker_of(folder, shard)
    if there is None:
        path = marker_path(folder, number)
        if marker(folder, number) is not None:  # of a plan before this one
            places.remove(path)
        if places.create(path, line(found)):
            return found
        there = marker_of(folder, shard)
    if there is None:
        require_current(plan)
        raise Refused(f"{marker_path(folder, number)}: 다른 실행과 겹쳤습니다: 다시 하십시오")
    return there


def remove_dead(folder: Path, found: dict[str, Any]) -> None:
    """Take from object storage the dead letters of a marker that is about to go.

    On a disk the next attempt writes over them.
    """
    if is_remote(folder):
        for kind in "dead", "notices":
            for path in _beside(folder, found, kind):
                places.remove(path)


def _beside(folder: Path, found: dict[str, Any], kind: str) -> Iterator[Path]:
    path = {"dead": dead_path, "notices": notices_path}[kind](folder, found["shard"])
    if found[f"{kind}_sha256"]:
        yield placed(path, found[f"{kind}_sha256"])


def lines_of(folder: Path, found: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return what the dead letters, or the notices, of a shard with the marker *found* say."""
    paths = list(_beside(folder, found, kind))
    return [json.loads(one) for path in paths for one in path.read_bytes().splitlines()]


def write_marker(folder: Path, found: dict[str, Any]) -> None:
    """Put the marker of a shard in its place; Unwritable where the disk refuses."""
    path = marker_path(folder, found["shard"])
    with naming(path):
        with aside(path, replace=True) as stream:
            stream.write(line(found))
        bring_to_disk(path.parent)


def _begin(folder: Path, number: int, targets: list[Path]) -> None:
    """Note that a shard is worked on; remove what an attempt that was killed left half-written."""
    path = _begun_path(folder, number)
    with naming(path):
        if path.exists():
            beside = [path, dead_path(folder, number), notices_path(folder, number), *targets]
            beside += [records.path_of(folder, kind, number) for kind in records.SUFFIX]
            sweep({one.parent for one in beside})
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def _targets(shard: Shard, folder: Path) -> list[Path]:
    return [results_in(folder) / name for name in shard.targets()]


def _hear(said: Failure | Notice) -> None:
    """Leave what a person must hear to the dead letters."""


def _items(
    plan: Plan, shard: Shard, sources: dict[Source, File], without: Collection[int]
) -> Iterator[Item]:
    """Yield what the input says, and for each document of *without* that it is not done."""
    _require_unchanged(shard, sources)
    if shard.part:
        yield from _rows(plan, shard, next(iter(sources)), without)
        return
    for key, source in enumerate(sources):
        if key in without:
            yield _poison(source.name, 0, source.name)
            yield Finished(source)
        else:
            yield from read_all([source], plan.settings.reading())


def _rows(plan: Plan, shard: Shard, source: Source, without: Collection[int]) -> Iterator[Item]:
    for item in read_all([source], plan.settings.reading(shard.part)):
        if isinstance(item, Record) and item.row in without:
            yield _poison(item.file, item.row, item.id)
        else:
            yield item


def _poison(file: str, row: int, id: str) -> Failure:
    return Failure(file, row, _POISON, _POISON_CURE, id)


def _require_unchanged(shard: Shard, sources: dict[Source, File]) -> None:
    """Return nothing; InputChanged unless the input of *shard* has the bytes that were planned."""
    for source, file in sources.items():
        path = source.path
        assert path is not None
        try:
            digest = _digest(path, shard, file)
        except OSError:
            raise InputChanged(file.name) from None
        if digest != file.sha256:
            raise InputChanged(file.name)


def _digest(path: Path, shard: Shard, file: File) -> str:
    facts = path.stat()
    if shard.part and shard.stop:
        return digest_of(path, shard.head, shard.part.start, shard.stop)
    if not shard.part:
        return digest_of(path, 0, 0, facts.st_size)
    return _digest_once(path, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)


@lru_cache(maxsize=16)
def _digest_once(path: Path, inode: int, size: int, changed: int, touched: int) -> str:
    """Return the SHA-256 of a file of which many parts are read, once a process.

    *touched* tells a change that was given an earlier time, which any clock may do.
    """
    return digest_of(path, 0, 0, size)


def _fact(entry: dict[str, Any], folder: Path) -> dict[str, Any]:
    path = Path(entry["name"])
    return entry | {"name": str(path.relative_to(results_in(folder))), "size": path.stat().st_size}


class Unaccounted(Exception):
    """Documents that are neither written nor among the dead letters; the text says how many."""


def _require_accounted(shard: Shard, account: _Account) -> None:
    if account.rows + len(account.dead) != shard.rows:
        raise Unaccounted(
            f"{shard.files[0].name}: {shard.rows}건 가운데 {account.rows}건을 쓰고 "
            f"{len(account.dead)}건을 남겨 두었습니다"
        )


def _write_dead(folder: Path, shard: Shard, account: _Account) -> str:
    """Return the SHA-256 of the dead letters of a shard, in their place; "" where none died."""
    found = sorted(account.dead.items(), key=lambda pair: (pair[1].file, pair[1].row))
    letters = [
        {"id": id, "file": one.file, "row": one.row}
        | ({"part": one.part} if one.part else {})
        | {"reason": one.reason, "cure": one.advice}
        for id, one in found
    ]
    return write_lines(dead_path(folder, shard.number), letters)


def write_lines(path: Path, entries: Sequence[dict[str, Any]]) -> str:
    """Return the SHA-256 of *entries*, a line each, in their place; "" for none, and no file."""
    if not entries:
        path.unlink(missing_ok=True)
        return ""
    lines = b"".join(map(line, entries))
    digest = hashlib.sha256(lines).hexdigest()
    with naming(path):
        with aside(placed(path, digest), private=True, replace=True) as stream:
            stream.write(lines)
        bring_to_disk(path.parent)
    return digest
