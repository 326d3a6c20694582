"""The folder of what was released: files come about with the line of the audit, or not at all.

A release is written ahead: its files are brought to the disk in a hidden folder beside their
places, then the store notes the release with their SHA-256, then they are renamed. Who is killed
between leaves the hidden folder: ``recover`` finishes a release that was noted, and undoes one
that was not. A withdrawal is noted first; files that are left of it vanish the same way.
"""

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from thunder.bulk.outputs import bring_to_disk
from thunder.desk.accounts import Denied, Missing
from thunder.desk.states import State
from thunder.desk.store import Conflict, Store
from thunder.settings import locks

_STAGED = re.compile(r"\.([0-9a-f]{32})\.[0-9a-f]{8}\.staged")
_RELEASED = re.compile(r"([0-9a-f]{32})\.[a-z]+")


@dataclass
class Recovered:
    """What was left in the middle: ids of releases finished, and undone, and of withdrawals."""

    finished: list[str] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)

    @property
    def any(self) -> bool:
        """Whether anything was left."""
        return bool(self.finished or self.undone or self.withdrawn)


class Staged:
    """Files of a release on their way; ``digests`` has their SHA-256 by suffix."""

    def __init__(self, folder: Path, id: str, digests: Mapping[str, str]) -> None:
        self._folder, self._id, self.digests = folder, id, dict(digests)

    def publish(self) -> None:
        """Put the files in their places."""
        _put(self._folder, self._id)


class Releases:
    """A folder of released files, each called by its document's id, for their owner alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, id: str, suffix: str) -> Path:
        """Return where the file of a document with a *suffix* (without dot) is released."""
        return self.folder / f"{id}.{suffix}"

    def files(self, id: str) -> list[Path]:
        """Return the released files of a document."""
        return sorted(path for path in self._all() if path.stem == id)

    def all(self) -> list[Path]:
        """Return all released files."""
        return sorted(self._all())

    def _all(self) -> Iterator[Path]:
        if self.folder.is_dir():
            yield from (path for path in self.folder.iterdir() if _RELEASED.fullmatch(path.name))

    @contextmanager
    def staged(self, id: str, contents: Mapping[str, bytes]) -> Iterator[Staged]:
        """Write *contents* (suffix → bytes) aside; yield them to be noted and then published.

        What is refused leaves nothing. What else goes wrong may have been noted: it is left for
        ``recover``.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = self.folder / f".{id}.{secrets.token_hex(4)}.staged"
        folder.mkdir(mode=0o700)
        lock = os.open(folder, os.O_RDONLY)
        try:
            locks.lock(lock)
            try:
                digests = {}
                for suffix, content in contents.items():
                    _write(folder / suffix, content)
                    digests[suffix] = hashlib.sha256(content).hexdigest()
                os.fsync(lock)
                bring_to_disk(self.folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            try:
                yield Staged(folder, id, digests)
            except (Conflict, Denied, Missing):
                shutil.rmtree(folder)
                raise
        finally:
            os.close(lock)

    def remove(self, id: str) -> None:
        """Take the files of a document out."""
        for path in self.files(id):
            path.unlink(missing_ok=True)
        if self.folder.is_dir():
            bring_to_disk(self.folder)

    def cut_off(self) -> list[str]:
        """Return the ids of releases that were left in the middle, and that nobody works on."""
        return sorted({id for id, folder in self._left() if not _is_locked(folder)})

    def _left(self) -> list[tuple[str, Path]]:
        if not self.folder.is_dir():
            return []
        found = ((_STAGED.fullmatch(path.name), path) for path in self.folder.iterdir())
        return sorted((match[1], path) for match, path in found if match)

    def recover(self, store: Store) -> Recovered:
        """Finish or undo what was left in the middle; what somebody works on is left alone.

        It may run beside other processes of the desk. Documents that the store does not know are
        another desk's.
        """
        done = Recovered()
        for id, folder in self._left():
            with _locked(folder) as is_ours:
                if not is_ours:
                    continue
                with store.settled(id) as (state, noted):
                    if state is State.RELEASED and self._is_noted(id, folder, noted):
                        _put(folder, id)
                        done.finished.append(id)
                    elif state is not None:
                        shutil.rmtree(folder)
                        done.undone.append(id)
        there = {path.stem for path in self._all()}
        for id in sorted(there - set(store.released())):  # listed before it is asked
            with store.settled(id) as (state, _):
                if state not in (None, State.RELEASED):
                    self.remove(id)
                    done.withdrawn.append(id)
        return done

    def _is_noted(self, id: str, folder: Path, noted: Mapping[str, str]) -> bool:
        """Return whether the files of *folder*, with those in place already, are what was noted."""
        left = {path.name: _digest(path) for path in folder.iterdir()}
        there = {one: _digest(self.place(id, one)) for one in noted if one not in left}
        return bool(noted) and left | there == dict(noted)

    def missing(self, noted: Mapping[str, Mapping[str, str]]) -> list[str]:
        """Return the ids of those of *noted* (id → suffix → SHA-256) of which a file is missing."""
        return [
            id
            for id, files in noted.items()
            if any(not self.place(id, one).is_file() for one in files)
        ]

    def changed(self, noted: Mapping[str, Mapping[str, str]]) -> list[str]:
        """Return the ids of those of *noted* of which a file is not what was released."""
        return [
            id
            for id, files in noted.items()
            if any(
                _digest(self.place(id, one)) not in ("", digest) for one, digest in files.items()
            )
        ]


def _write(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


def _put(folder: Path, id: str) -> None:
    """Rename the files of *folder* into their places, and take it out."""
    for path in sorted(folder.iterdir()):
        os.replace(path, folder.parent / f"{id}.{path.name}")
    bring_to_disk(folder.parent)
    folder.rmdir()


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file, "" where there is none."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return ""


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Lock a staged folder; yield whether nobody else works on it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        try:
            locks.lock(descriptor)
            is_ours = folder.is_dir()
        except BlockingIOError:
            is_ours = False
        yield is_ours
    finally:
        os.close(descriptor)


def _is_locked(folder: Path) -> bool:
    with _locked(folder) as is_ours:
        return not is_ours
