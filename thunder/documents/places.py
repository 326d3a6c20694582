"""Where files lie: on a disk, or on object storage under an address (``s3://bucket/folder``).

What is on a disk is a ``Path``. What is not has a path's methods, by fsspec and universal_pathlib
(extra ``storage``); it is brought here whole, or a stretch of it, before anything reads it.
Credentials come from where the store's own client looks for them, never from an address.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://(.*)", re.I | re.S)
_ON_DISK = ("file", "local")
_CREATES = ("s3", "s3a", "gs", "gcs", "az", "abfs", "memory")
_CLIENTS = ("botocore", "aiobotocore", "aiohttp", "s3fs", "fsspec", "gcsfs", "google", "azure")
_STRETCH = 1 << 24  # bytes that are asked for at once
_EXTRA = "pip install 'thunder-deid[storage]'"


class BadAddress(ValueError):
    """An address that cannot be used; the text says why and what to do, and not the address."""


class Unreachable(OSError):
    """A store that did not do what was asked; the text names the place, why, and what to do."""


def place(text: str) -> Path:
    """Return the place that *text* names; BadAddress for an address that cannot be used.

    On object storage it is no ``Path``, but has its methods: ``is_remote`` tells.
    """
    address = _ADDRESS.fullmatch(text)
    if address is None:
        return Path(text)
    protocol, rest = address[1].lower(), address[2]
    if protocol in _ON_DISK:
        return Path(unquote(rest))
    if "@" in rest.partition("/")[0] or "?" in rest:
        raise BadAddress(
            "주소에 자격 증명이나 선택 사항(@, ?)이 들어 있습니다: 환경 변수나 저장소의 설정 "
            "파일로 주십시오"
        )
    try:
        from upath import UPath

        found = UPath(f"{protocol}://{rest.rstrip('/')}", **_options(protocol))
        _ = found.fs
    except ImportError:
        raise BadAddress(f"{protocol}://를 읽는 꾸러미가 없습니다: {_EXTRA}") from None
    except Exception as error:  # each store's client fails in its own way
        raise BadAddress(
            f"{protocol}://는 열 수 없는 저장소입니다({type(error).__name__}): 경로나 s3:// 같은 "
            "주소를 주십시오"
        ) from None
    return cast("Path", found)


def _options(protocol: str) -> dict[str, Any]:
    """Return what no listing of is kept: others write there, too."""
    return {} if protocol == "memory" else {"use_listings_cache": False}


def is_remote(path: Path) -> bool:
    """Return whether *path* is on object storage."""
    return not isinstance(path, Path)


def creates_once(path: Path) -> bool:
    """Return whether the store of *path* can create an object only where there is none."""
    return getattr(path, "protocol", "") in _CREATES


def store_of(path: Path) -> Any:
    """Return the fsspec filesystem of a place on object storage."""
    return cast("Any", path).fs


def key_of(path: Path) -> str:
    """Return what a place on object storage is called in its store."""
    return str(cast("Any", path).path)


@contextmanager
def reaching(path: Path | None = None) -> Iterator[None]:
    """Turn what the client of a store raises into an Unreachable; a missing object stays missing.

    A client's own words are not passed on: they may name keys and addresses.
    """
    try:
        yield
    except (FileNotFoundError, FileExistsError, Unreachable):
        raise
    except Exception as error:
        is_of_store = path is not None and is_remote(path) and isinstance(error, OSError)
        if not is_of_store and type(error).__module__.split(".")[0] not in _CLIENTS:
            raise
        raise Unreachable(f"{path or '저장소'}: {' — '.join(_why(error))}") from None


def _why(error: Exception) -> tuple[str, str]:
    name = type(error).__name__
    if isinstance(error, PermissionError):
        return "권한이 없습니다", "이 버킷을 읽고, 쓰고, 열거할 권한을 자격 증명에 주십시오"
    if "Credential" in name:
        return "자격 증명이 없습니다", "AWS_ACCESS_KEY_ID 같은 환경 변수나 설정 파일로 주십시오"
    return f"저장소가 답하지 않습니다({name})", "주소와 네트워크를 확인하고 다시 하십시오"


# --- reading --------------------------------------------------------------------------------------


def entries(folder: Path) -> list[tuple[str, bool, int]]:
    """Return what is in *folder* of a store, by name: name, whether it is a folder, its bytes.

    FileNotFoundError where nothing is there.
    """
    with reaching(folder):
        top = key_of(folder)
        found = store_of(folder).ls(top, detail=True)
    start = len(top.rstrip("/")) + 1
    return sorted(
        (one["name"][start:].removesuffix("/"), one["type"] == "directory", int(one["size"] or 0))
        for one in found
        if len(one["name"]) > start or (one["type"] == "directory" and len(one["name"]) == start)
    )


def is_folder(path: Path) -> bool:
    """Return whether there is a folder at *path*, on a disk or on a store."""
    with reaching(path):
        return path.is_dir()


def fetch(path: Path, to: Path) -> None:
    """Bring a file of a store to *to* on this machine."""
    with reaching(path):
        store_of(path).get_file(key_of(path), str(to))


def fetch_stretches(path: Path, to: Path, stretches: Sequence[tuple[int, int]]) -> None:
    """Bring the bytes from and to each of *stretches* to *to*, where they stand at their places."""
    with reaching(path), to.open("wb") as stream:
        for start, stop in stretches:
            stream.seek(start)
            for at in range(start, stop, _STRETCH):
                end = min(at + _STRETCH, stop)
                stream.write(store_of(path).cat_file(key_of(path), start=at, end=end))


# --- writing --------------------------------------------------------------------------------------


def send(files: Sequence[tuple[Path, Path]]) -> None:
    """Write files of this machine, each to its place on one store, some of them at once."""
    if files:
        with reaching(files[0][1]):
            store = store_of(files[0][1])
            store.put([str(one) for one, _ in files], [key_of(place) for _, place in files])


def send_once(file: Path, to: Path) -> bool:
    """Return whether *file* was written to *to*; False where something is there already."""
    with reaching(to):
        try:
            store_of(to).put_file(str(file), key_of(to), mode="create")
        except FileExistsError:
            return False
    return True


def create(to: Path, content: bytes) -> bool:
    """Return whether *content* is now at *to*; False where something was there already."""
    with reaching(to):
        try:
            store_of(to).pipe_file(key_of(to), content, mode="create")
        except FileExistsError:
            return False
    return True


def require_writable(folder: Path) -> None:
    """Return nothing; Unreachable unless objects can be created once in *folder*, and removed."""
    probe = folder / f".thunder-probe-{os.getpid()}"
    cure = "폴더나, 조건부로 만드는 저장소(s3://, gs://, az://)를 주십시오"
    if not creates_once(folder):
        raise Unreachable(f"{folder}: 없을 때만 만드는 일을 못하는 저장소입니다: {cure}")
    try:
        with reaching(folder):
            remove(probe)
            is_kept = create(probe, b"1") and not create(probe, b"2")
            remove(probe)
    except FileNotFoundError:
        raise Unreachable(f"{folder}: 없는 버킷입니다: 이름을 확인하거나 먼저 만드십시오") from None
    if not is_kept:
        raise Unreachable(f"{folder}: 이미 있는 것을 덮어쓰는 저장소입니다(If-None-Match): {cure}")


def remove(path: Path) -> None:
    """Remove what is at *path*, if anything."""
    with reaching(path):
        path.unlink(missing_ok=True)
