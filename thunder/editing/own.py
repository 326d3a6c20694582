"""A taxonomy of one's own: made beside the shipped one, which stays as it is."""

import shutil
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from thunder.editing import messages as say
from thunder.settings import resources
from thunder.taxonomy import migration_files, own
from thunder.taxonomy.migrations import names_digest

LABELS = ("taxonomy.yaml", "retired.yaml", "unmapped.yaml", "labels", "migrations")
"""What every taxonomy has of its own: the labels and the record of their edits."""

LISTS = "replacement_lists"
OVER = ("policy", "cues", "patterns", "gazetteer", LISTS)
"""What a taxonomy may have of its own, file by file; the shipped file holds where it has none."""


class Laid(NamedTuple):
    """A file of one's own, and how it stands to the shipped one: ``new``, ``same``, ``other``.

    *lines* are those it has alone (+) and those that the shipped one has alone (-), in order.
    """

    name: str
    how: str
    lines: tuple[str, ...] = ()


def init(place: Path, *, take: tuple[str, ...] = ()) -> None:
    """Make a taxonomy of one's own in *place*: the shipped labels, and the files of *take*.

    *take* are files or folders of OVER, such as ``policy/court.yaml``. FileExistsError where
    *place* holds anything, FileNotFoundError or ValueError for what cannot be taken; nothing is
    written then.
    """
    shipped = resources.folder(resources.TAXONOMY)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileExistsError(say.HOLDS_SOMETHING(place=place))
    if shipped.resolve() in place.resolve().parents:
        raise ValueError(say.LIES_IN_SHIPPED(place=place))
    for name in take:
        if Path(name).parts[:1] not in [(one,) for one in OVER] or ".." in Path(name).parts:
            raise ValueError(say.CANNOT_TAKE(name=name, places=", ".join(OVER)))
        if not _shipped(name).exists():
            raise FileNotFoundError(say.NOT_SHIPPED(name=name))
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.parent / f".{place.name}.new"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    for name in (*LABELS, *take):
        _copy(_shipped(name), aside / name)
    start = names_digest(own.shipped())
    (aside / migration_files.FOLDER / migration_files.START).write_text(f"{start}\n", "utf-8")
    if place.exists():
        place.rmdir()
    aside.rename(place)


def laid_over(place: Path) -> list[Laid]:
    """Return the files of *place* that are laid over the shipped ones, by name."""
    paths = [path for name in OVER for path in (place / name).rglob("*") if path.is_file()]
    names = [path.relative_to(place).as_posix() for path in sorted(paths)]
    return [_laid(name, place / name, _shipped(name)) for name in names]


def require_editable(place: Path | None) -> Path:
    """Return the folder that is to be edited; ValueError for the shipped one.

    Who works on the library edits the folder of a checkout by naming it; one that was installed
    is never edited.
    """
    chosen = place or resources.taxonomy()
    if resources.is_shipped(chosen) and (place is None or resources.is_installed(chosen)):
        raise ValueError(say.SHIPPED_NOT_EDITED(place=chosen))
    return chosen


def _shipped(name: str) -> Path:
    top, _, rest = name.partition("/")
    if top == LISTS:
        return resources.folder(LISTS) / rest
    return resources.folder(resources.TAXONOMY) / name


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, target)


def _laid(name: str, own: Path, shipped: Path) -> Laid:
    if not shipped.is_file():
        return Laid(name, "new")
    mine, theirs = own.read_bytes(), shipped.read_bytes()
    if mine == theirs:
        return Laid(name, "same")
    before, after = (one.decode("utf-8", "replace").splitlines() for one in (theirs, mine))
    told = (line for line in unified_diff(before, after, lineterm="", n=0) if line[:1] in "+-")
    return Laid(name, "other", tuple(islice(told, 2, None)))  # without the names of the files
