"""A taxonomy of one's own: made beside the shipped one, which stays as it is."""

import shutil
from pathlib import Path
from typing import NamedTuple

from thunder.settings import resources

LABELS = ("taxonomy.yaml", "retired.yaml", "unmapped.yaml", "labels", "migrations")
"""What every taxonomy has of its own: the labels and the record of their edits."""

OVER = ("policy", "cues", "patterns", "gazetteer")
"""What a taxonomy may have of its own, file by file; the shipped file holds where it has none."""


class Laid(NamedTuple):
    """A file of one's own, and how it stands to the shipped one: ``new``, ``same``, ``other``."""

    name: str
    how: str


def init(place: Path, *, take: tuple[str, ...] = ()) -> None:
    """Make a taxonomy of one's own in *place*: the shipped labels, and the files of *take*.

    *take* are files or folders of OVER, such as ``policy/court.yaml``. FileExistsError where
    *place* holds anything, FileNotFoundError or ValueError for what cannot be taken; nothing is
    written then.
    """
    shipped = resources.folder(resources.TAXONOMY)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileExistsError(f"{place}: holds something already; give a folder that is not there")
    if shipped.resolve() in place.resolve().parents:
        raise ValueError(f"{place}: lies in the shipped taxonomy; give a folder elsewhere")
    for name in take:
        if Path(name).parts[:1] not in [(one,) for one in OVER] or ".." in Path(name).parts:
            raise ValueError(f"{name}: what can be taken lies in {', '.join(OVER)}")
        if not (shipped / name).exists():
            raise FileNotFoundError(f"{name}: the shipped taxonomy has no such file or folder")
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.parent / f".{place.name}.new"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    for name in (*LABELS, *take):
        _copy(shipped / name, aside / name)
    if place.exists():
        place.rmdir()
    aside.rename(place)


def laid_over(place: Path) -> list[Laid]:
    """Return the files of *place* that are laid over the shipped ones, by name."""
    shipped = resources.folder(resources.TAXONOMY)
    paths = [path for name in OVER for path in (place / name).rglob("*") if path.is_file()]
    names = [path.relative_to(place).as_posix() for path in sorted(paths)]
    return [Laid(name, _how(place / name, shipped / name)) for name in names]


def require_editable(place: Path | None) -> Path:
    """Return the folder that is to be edited; ValueError for the shipped one.

    Who works on the library edits the folder of a checkout by naming it; one that was installed
    is never edited.
    """
    chosen = place or resources.taxonomy()
    if resources.is_shipped(chosen) and (place is None or resources.is_installed(chosen)):
        raise ValueError(
            f"{chosen}: the shipped taxonomy is not edited, the next installation would undo it; "
            "make one of your own with 'thunder taxonomy init FOLDER', then give --taxonomy FOLDER "
            "(or set THUNDER_TAXONOMY=FOLDER, or taxonomy under [places] in thunder.toml)"
        )
    return chosen


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, target)


def _how(own: Path, shipped: Path) -> str:
    if not shipped.is_file():
        return "new"
    return "same" if own.read_bytes() == shipped.read_bytes() else "other"
