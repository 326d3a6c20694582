"""A watched folder: what is put into it comes to the desk, each file once.

A file is taken when nobody writes it any more: it has kept size and time for ``SETTLED`` seconds
and, where the system can tell, nobody has it open for writing. Hidden files and such as end in
``UNFINISHED`` are passed over: who writes slowly writes under such a name, and renames.

What was taken goes into the subfolder ``taken``, what could not be read into ``failed``, with the
reasons beside it. A file's content is remembered by its keyed digest, so that it is taken once,
also where the process was killed in between, the folder cannot be written, or it comes again by
another name.
"""

import fcntl
import hashlib
import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from thunder.desk.desk import Desk
from thunder.documents.sources import FORMATS, Source
from thunder.text.safe_errors import place_of

log = logging.getLogger("thunder.desk")

TAKEN, FAILED, REASONS = "taken", "failed", ".까닭.txt"
SETTLED = 10.0
UNFINISHED = (".part", ".partial", ".tmp", ".filepart", ".crdownload", "~")
_PAUSE = 5.0
_ACTOR = "watched folder"


@dataclass
class Looked:
    """What one look found: documents added, files that were there already, files that failed."""

    added: int = 0
    known: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Seen:
    """How a file was when it was first seen so."""

    size: int
    changed: int
    inode: int
    since: float

    def is_as(self, other: "_Seen") -> bool:
        return (self.size, self.changed, self.inode) == (other.size, other.changed, other.inode)


class Watch:
    """Looks into *folder* again and again."""

    def __init__(
        self,
        desk: Desk,
        folder: Path,
        *,
        profile: str = "court",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._desk, self.folder, self._profile = desk, folder, profile
        self._clock = clock
        self._wake: Callable[[], None] = lambda: None
        self._seen: dict[Path, _Seen] = {}
        self._stays: dict[Path, _Seen] = {}  # done with, and could not be moved
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self, wake: Callable[[], None]) -> None:
        """Begin, and call *wake* when documents came in."""
        self._wake = wake
        self._thread.start()

    def close(self) -> None:
        """End; what was not taken is taken at the next start."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join()

    def failures(self) -> int:
        """Return how many files could not be taken and wait for somebody."""
        return sum(not path.name.endswith(REASONS) for path in _files(self.folder / FAILED))

    def erase(self, days: int, *, now: float) -> int:
        """Delete the files that were taken *days* ago or before; return how many there were."""
        gone = []
        for path in list(_files(self.folder / TAKEN)):
            facts = path.lstat()
            if facts.st_ctime < now - days * 86_400.0:  # moved here, and not touched since
                with path.open("rb") as stream:
                    gone.append(hashlib.file_digest(stream, "sha256").hexdigest())
                path.unlink()
        if gone:
            self._desk.store.note_erased(gone, rule=f"taken {days} days ago")
        return len(gone)

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                self.look()
            except Exception as error:  # the next look tries again
                log.error("watched folder: %s", place_of(error))
            self._ends.wait(_PAUSE)

    def look(self) -> Looked:
        """Take what has settled, and return what became of it."""
        found = Looked()
        seen: dict[Path, _Seen] = {}
        for path in _files(self.folder):
            now = _facts(path, self._clock())
            if now is None or (path in self._stays and self._stays[path].is_as(now)):
                continue
            before = self._seen.get(path)
            seen[path] = before if before is not None and before.is_as(now) else now
            if self._clock() - seen[path].since >= SETTLED and not _is_being_written(path):
                self._take(path, seen.pop(path), found)
        self._seen = seen
        if found.added:
            self._wake()
        return found

    def _take(self, path: Path, seen: _Seen, found: Looked) -> None:
        name = path.relative_to(self.folder).as_posix()
        try:
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            log.error("watched folder: %s", place_of(error))
            return
        suffix = path.suffix.lower().removeprefix(".")
        source = Source(path, name, suffix if suffix in FORMATS else "")
        done = self._desk.take_in([source], profile=self._profile, actor=_ACTOR, once=digest)
        after = _facts(path, 0.0)
        if after is None or not after.is_as(seen):
            log.error("watched folder: a file was changed while it was read: look at the queue")
        found.added += len(done.added)
        if done.failures:
            found.failed.append(name)
            facts = {"failures": len(done.failures), "added": len(done.added)}
            self._desk.store.note("import failed", actor=_ACTOR, facts=facts)
        elif not done.added:
            found.known.append(name)
        self._put_away(path, seen, name, done.failures)

    def _put_away(self, path: Path, seen: _Seen, name: str, failures: list[str]) -> None:
        """Move a file out of the way, with what failed of it; remember it where that fails."""
        target = self.folder / (FAILED if failures else TAKEN) / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            target = _free(target)
            os.rename(path, target)
            if failures:
                reasons = target.with_name(target.name + REASONS)
                descriptor = os.open(reasons, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                    out.writelines(f"{line}\n" for line in failures)
        except OSError as error:
            log.error("watched folder: a file stays where it is: %s", place_of(error))
            self._stays[path] = seen


def _files(folder: Path) -> Iterator[Path]:
    """Yield the plain files under *folder*, but what is hidden, unfinished or put away."""
    own = {folder / TAKEN, folder / FAILED}
    for place, folders, names in os.walk(folder):
        at = Path(place)
        folders[:] = sorted(
            one for one in folders if not one.startswith(".") and at / one not in own
        )
        for name in sorted(names):
            is_passed = name.startswith(".") or name.lower().endswith(UNFINISHED)
            if not is_passed and stat.S_ISREG((at / name).lstat().st_mode):
                yield at / name


def _facts(path: Path, now: float) -> _Seen | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return _Seen(found.st_size, found.st_mtime_ns, found.st_ino, now)


def _is_being_written(path: Path) -> bool:
    """Return whether a process has the file open for writing, where the system tells."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except BlockingIOError:
        return True
    except OSError:  # another's file, or a file system without leases
        return False
    finally:
        os.close(descriptor)
    return False


def _free(target: Path) -> Path:
    """Return *target*, numbered where there is a file of that name already."""
    tried, number = target, 1
    while os.path.lexists(tried):
        number += 1
        tried = target.with_name(f"{target.stem}-{number}{target.suffix}")
    return tried
