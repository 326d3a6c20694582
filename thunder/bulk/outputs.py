"""Where results go: never over an input, never half-written."""

import errno
import hashlib
import os
import re
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from thunder.documents import places
from thunder.documents.sources import Listing, Source
from thunder.settings.locks import IS_POSIX, lock

Targets = dict[Source, Path | None]
"""Where each source's result goes; None is standard output."""

_PARTIAL = re.compile(r"\.thunder-([0-9]+)-[0-9a-f]{8}\.partial")


class Refused(ValueError):
    """A plan of outputs that would overwrite or mix up files; nothing was processed."""


class Partial:
    """A file that is written aside, hidden and for its owner alone, until it is put in its place.

    It is locked while its writer lives, so that another run knows which ones nobody writes.
    """

    def __init__(self, target: Path, *, private: bool, replace: bool, buffering: int = -1) -> None:
        _require_plain(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        self.target, self._private, self._replace = target, private, replace
        self._is_closed = False
        self._path = target.with_name(f".thunder-{os.getpid()}-{secrets.token_hex(4)}.partial")
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
        descriptor = os.open(self._path, flags, 0o600)
        with suppress(OSError):  # some network drives lock nothing
            lock(descriptor)
        self.stream = os.fdopen(descriptor, "wb", buffering)

    def settle(self) -> str:
        """Bring all that was written to the disk, and return its SHA-256."""
        self.sync()
        with open(self._path, "rb") as written:
            return hashlib.file_digest(written, "sha256").hexdigest()

    def sync(self) -> None:
        """Bring all that was written to the disk."""
        self.stream.flush()
        os.fsync(self.stream.fileno())

    def publish(self) -> None:
        """Put the file in its place; FileExistsError if another is there that is not replaced."""
        _require_plain(self.target)
        if not self._replace and self.target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(self.target))
        if not IS_POSIX:  # Windows renames nothing that is open
            self.stream.close()
        os.replace(self._path, self.target)
        if (
            IS_POSIX and not self._private
        ):  # not before: whoever is killed between leaves nothing in the open
            os.fchmod(self.stream.fileno(), 0o666 & ~_umask())

    def is_published(self) -> bool:
        """Return whether the file was put in its place."""
        return not self._is_closed and not os.path.lexists(self._path)

    def close(self) -> None:
        """Let go of the file; one that is not in its place vanishes."""
        self._is_closed = True
        with suppress(FileNotFoundError):
            self._path.unlink()
        with suppress(OSError):  # of what is settled nothing is left to write
            self.stream.close()


def _umask() -> int:
    before = os.umask(0o077)
    os.umask(before)
    return before


@contextmanager
def aside(path: Path, *, private: bool = False, replace: bool = False) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes become *path* when the block ends well, and vanish otherwise.

    They are written to a hidden file beside it, forced to the disk, and renamed. A *private*
    file can be read by its owner alone. FileExistsError if *path* exists without *replace*;
    NoPlainFile, whatever *replace* says, if it is a device or a pipe. On object storage they are
    collected on this machine and sent whole.
    """
    if places.is_remote(path):
        with tempfile.NamedTemporaryFile() as written:
            yield cast("BinaryIO", written)
            written.flush()
            if replace:
                places.send([(Path(written.name), path)])
            elif not places.send_once(Path(written.name), path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        return
    with closing(Partial(path, private=private, replace=replace)) as partial:
        yield partial.stream
        partial.sync()
        partial.publish()


def bring_to_disk(folder: Path) -> None:
    """Return once the names in *folder* are on the disk, so that a loss of power keeps them."""
    if places.is_remote(folder) or not IS_POSIX:  # Windows opens no folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(folders: Iterable[Path]) -> None:
    """Remove from *folders* what runs left half-written that were killed: nobody writes it."""
    for folder in folders:
        for path in folder.glob(".thunder-*.partial"):
            if (ours := _PARTIAL.fullmatch(path.name)) and not _is_running(int(ours[1])):
                _remove_unlocked(path)


def _is_running(process: int) -> bool:
    if not IS_POSIX:  # there it would be sent Ctrl-C: the lock alone says it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _remove_unlocked(path: Path) -> None:
    """Remove *path* unless a process holds its lock: one of another container's, perhaps."""
    with suppress(OSError):
        careful = os.O_NOFOLLOW | os.O_NONBLOCK if IS_POSIX else 0
        descriptor = os.open(path, os.O_RDWR | careful)
        try:
            is_ours = stat.S_ISREG(os.fstat(descriptor).st_mode)
            if is_ours:
                lock(descriptor)
            if is_ours and IS_POSIX:
                path.unlink()
        finally:
            os.close(descriptor)
        if is_ours and not IS_POSIX:  # Windows removes nothing that is open
            path.unlink()


class NoPlainFile(OSError):
    """A device, pipe or socket stands where a file was to be written: it is never replaced."""


def is_special(path: Path) -> bool:
    """Return whether *path* leads to what is neither a plain file nor a folder."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _require_plain(path: Path) -> None:
    if is_special(path):
        raise NoPlainFile(errno.EEXIST, "no plain file", str(path))


def plan(listing: Listing, out: Path | None, *, force: bool) -> Targets:
    """Return where each source's result goes.

    Refused, with what to do, if an output would be an input, would exist already (without
    *force*), or would be the output of two inputs.
    """
    many = len(listing.sources) > 1 or bool(listing.folders) or listing.names_files
    if out is None:
        if many:
            raise Refused("문서가 여럿입니다: 결과를 담을 폴더를 -o FOLDER로 주십시오")
        return dict.fromkeys(listing.sources)
    if many and out.exists() and not out.is_dir():
        raise Refused(f"{out}: 폴더가 아닙니다: 문서가 여럿이면 -o에 폴더를 주십시오")
    inside = next((f for f in listing.folders if out.resolve().is_relative_to(f.resolve())), None)
    if inside:
        raise Refused(f"{out}: 입력 폴더 {inside} 안입니다: 다른 폴더를 -o로 주십시오")
    into_folder = many or out.is_dir()
    targets = [out / _name(source) if into_folder else out for source in listing.sources]
    require_apart(targets)
    require_free(targets, listing.sources, force=force)
    return dict(zip(listing.sources, targets, strict=True))


def _name(source: Source) -> str:
    return f"stdin.{source.format}" if source.path is None else source.name


def require_apart(targets: Sequence[Path]) -> None:
    """Return nothing; Refused if two of *targets* are the same file."""
    seen: set[Path] = set()
    for target in targets:
        place = target.resolve()
        if place in seen:
            raise Refused(
                f"{target}: 두 결과가 같은 파일이 됩니다: 이름이 다른 곳에 쓰거나 "
                "입력들의 상위 폴더를 인수로 주십시오"
            )
        seen.add(place)


def require_free(
    targets: Sequence[Path],
    sources: Sequence[Source],
    *,
    force: bool,
    is_replaceable: bool = True,
) -> None:
    """Return nothing; Refused if one of *targets* is an input, or exists and *force* is not set.

    What is not *is_replaceable* is kept even with *force*; so is what is no plain file.
    """
    inputs = {identity for source in sources if (identity := _identity(source.path))}
    for target in targets:
        if target.is_dir():
            raise Refused(f"{target}: 폴더입니다: 파일 이름을 주십시오")
        if _identity(target) in inputs:
            raise Refused(f"{target}: 입력 파일입니다: 다른 이름을 주십시오")
        if is_special(target):
            raise Refused(
                f"{target}: 보통 파일이 아닙니다(장치, 파이프 …): 파일 이름을 주십시오; "
                "결과를 표준 출력으로 내려면 -o를 빼십시오"
            )
        if not is_replaceable and os.path.lexists(target):
            raise Refused(f"{target}: 이미 있습니다: 덮어쓰지 않으니 다른 이름을 주십시오")
        if not force and os.path.lexists(target):
            raise Refused(f"{target}: 이미 있습니다: 다른 이름을 주거나 --force로 덮어쓰십시오")


def _identity(path: Path | None) -> tuple[int, int] | None:
    try:
        facts = path.stat() if path else None
    except OSError:
        return None
    return (facts.st_dev, facts.st_ino) if facts else None


def is_open_to_others(folder: Path) -> bool:
    """Return whether anyone on this machine may write in *folder*."""
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return False


def why(error: Exception) -> tuple[str, str]:
    """Return in Korean why a result could not be written, and what to do."""
    if not isinstance(error, OSError):
        return f"쓰지 못했습니다({type(error).__name__})", "다른 형식으로 바꾸어 넣으십시오"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "디스크가 가득 찼습니다", "자리를 비우고 다시 실행하십시오"
    if error.errno == errno.EPIPE:
        return "받는 쪽이 먼저 닫았습니다", "끝까지 받거나 -o로 파일에 쓰십시오"
    if isinstance(error, PermissionError):
        return "쓸 권한이 없습니다", "다른 폴더를 -o로 주십시오"
    if isinstance(error, NoPlainFile):
        return "보통 파일이 아닙니다(장치, 파이프 …)", "파일 이름을 주십시오"
    if isinstance(error, FileExistsError):
        return "그사이 같은 이름의 파일이 생겼습니다", "다른 이름을 주십시오"
    return f"쓰지 못했습니다({error.strerror or type(error).__name__})", "디스크를 확인하십시오"


# --- the standard streams ------------------------------------------------------------------------


def hold_standard_descriptors() -> None:
    """Return when 0, 1 and 2 are open: a file opened in a gap would get what is meant for people.

    What was closed leads nowhere.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    while nowhere <= 2:
        nowhere = os.open(os.devnull, os.O_RDWR)
    os.close(nowhere)


def give_up_standard_output() -> None:
    """Let what standard output still holds go nowhere: its reader has gone, or it is full."""
    with suppress(OSError, ValueError):  # a test's stand-in has no descriptor
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
