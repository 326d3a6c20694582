"""One source into one folder: fetched or given, checked, converted, and what came is recorded."""

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from thunder.taxonomy import Taxonomy
from thunder.training_data.released import archives
from thunder.training_data.released import messages as say
from thunder.training_data.released.archives import GetError
from thunder.training_data.released.converting import Converted, LeftOut, convert
from thunder.training_data.released.sources import Source

RECORD = "source.json"
_LEFT_OUT = "left-out.tsv"


@dataclass(frozen=True, slots=True)
class Got:
    """What a folder holds now: rows by file, and what was left out."""

    folder: Path
    sha256: str
    rows: dict[str, int]
    left_out: tuple[LeftOut, ...]


def get(
    source: Source,
    folder: Path,
    taxonomy: Taxonomy,
    *,
    given: Path | None = None,
    sha256: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Got:
    """Return what *folder* holds after *source* was brought into it; it appears whole or not.

    *given* is the release as a folder or archive; without it the file is fetched. *sha256* is the
    hash that it must have, instead of the source's own. GetError names what is wrong.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise GetError(say.ALREADY_THERE(folder=folder))
    with _aside(folder) as place:
        release = given
        if release is None:
            release = place / "release"
            archives.download(source.url, release, progress)
        elif not release.exists():
            raise GetError(say.NOT_THERE(place=release))
        found = archives.digest(release)
        wanted = (sha256 or source.sha256).lower()
        if wanted and found != wanted:
            place_of = given or source.url
            raise GetError(say.OTHER_HASH(place=place_of, found=found, wanted=wanted))
        converted = convert(source.shape, archives.members(release), taxonomy)
        if given is None:
            release.unlink()
        _write(place, source, found, converted)
    rows = {name: len(rows) for name, rows in sorted(converted.rows.items())}
    return Got(folder, found, rows, tuple(converted.left_out))


def damaged(folder: Path) -> list[str]:
    """Return what in a folder of ``get`` is not as it was written; GetError where it is none."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        files: dict[str, str] = record["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise GetError(say.NO_RECORD(folder=folder, record=RECORD)) from None
    return [
        name
        for name, sha256 in files.items()
        if not (folder / name).is_file() or archives.digest(folder / name) != sha256
    ]


@contextmanager
def _aside(folder: Path) -> Iterator[Path]:
    """Yield a folder that becomes *folder* when the block ends well, and vanishes otherwise."""
    partial = folder.with_name(f".thunder-{os.getpid()}-{secrets.token_hex(4)}.partial")
    try:
        partial.mkdir(parents=True)
        yield partial
        os.replace(partial, folder)
    except OSError as error:
        raise GetError(f"{error.filename or folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write(place: Path, source: Source, found: str, converted: Converted) -> None:
    files = {}
    for name, rows in converted.rows.items():
        with (place / name).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        files[name] = archives.digest(place / name)
    lines = (f"{what}\t{reason}\n" for what, reason in sorted(converted.left_out))
    (place / _LEFT_OUT).write_text("what\treason\n" + "".join(lines), encoding="utf-8")
    record = {
        "name": source.name,
        "url": source.url,
        "sha256": found,
        "licence": source.licence,
        "terms": source.terms,
        "rows": {name: len(rows) for name, rows in sorted(converted.rows.items())},
        "left_out": len(converted.left_out),
        "files": dict(sorted(files.items())),
    }
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    (place / RECORD).write_text(text, encoding="utf-8")
