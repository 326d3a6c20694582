"""Where results go: never over an input, never half-written."""

import errno
import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from thunder.files.sources import Listing, Source

Targets = dict[Source, Path | None]
"""Where each source's result goes; None is standard output."""


class Refused(ValueError):
    """A plan of outputs that would overwrite or mix up files; nothing was processed."""


@contextmanager
def aside(path: Path, *, private: bool = False, replace: bool = False) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes become *path* when the block ends well, and vanish otherwise.

    They are written to a hidden file beside it, forced to the disk, and renamed. A *private*
    file can be read by its owner alone. FileExistsError if *path* exists without *replace*;
    NoPlainFile, whatever *replace* says, if it is a device or a pipe.
    """
    _require_plain(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".thunder-{os.getpid()}-{secrets.token_hex(4)}.partial")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(partial, flags, 0o600 if private else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _require_plain(path)
        if not replace and path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        os.replace(partial, path)
    except BaseException:
        with suppress(FileNotFoundError):
            partial.unlink()
        raise


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
    many = len(listing.sources) > 1 or bool(listing.folders)
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


# --- the run's own files -------------------------------------------------------------------------


class Unwritable(Exception):
    """A file of the run's own (audit, mapping, page, standard output) could not be written."""

    def __init__(self, name: str, error: Exception) -> None:
        super().__init__(f"{name}: {' — '.join(why(error))}")


@contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Turn an OSError inside into an Unwritable that names *path*."""
    try:
        yield
    except OSError as error:
        raise Unwritable(str(path), error) from None


def line(entry: dict[str, Any]) -> bytes:
    """Return *entry* as a line of JSON; bytes of a file's name that are no text are escaped."""
    return json.dumps(entry, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


class Log:
    """A JSON-lines file of the run's own; without a path, what is added is dropped."""

    def __init__(self, stream: BinaryIO | None, path: Path | None) -> None:
        self._stream, self._path = stream, path

    def add(self, *entries: dict[str, Any]) -> None:
        """Write *entries*, a line each; Unwritable if that fails."""
        if self._stream and self._path:
            with naming(self._path):
                self._stream.writelines(map(line, entries))


@contextmanager
def log(path: Path | None, *, private: bool = False, replace: bool = False) -> Iterator[Log]:
    """Yield a log that becomes *path* when the block ends well."""
    if path is None:
        yield Log(None, None)
        return
    with naming(path), aside(path, private=private, replace=replace) as stream:
        yield Log(stream, path)
