"""Where the data folders are, however the package was installed; and a taxonomy of one's own.

A taxonomy of one's own lies over the shipped one, file by file: what stands in it holds, what does
not is the shipped. One process works with one taxonomy: much is read once and kept.
"""

from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from thunder.settings.messages import Message

_PACKAGE = Path(__file__).resolve().parents[1]
TAXONOMY = "taxonomy"
_own: list[Path] = []
_read: list[Path] = []  # what was read from: after that, another cannot be chosen
_NO_TAXONOMY = Message(
    ko="{place}: 여기에 분류 체계가 없습니다(taxonomy.yaml이 없음). thunder taxonomy init {place}"
    "(으)로 만드십시오",
    en="{place}: there is no taxonomy here (no taxonomy.yaml); make one of your own with thunder "
    "taxonomy init {place}",
)
_FOLDER_OF_ONE = Message(
    ko="{place}: 분류 체계의 한 폴더입니다. 전체인 {whole}을(를) 주십시오",
    en="{place}: it is a folder of a taxonomy; give the whole one, {whole}",
)
_OTHER_TAXONOMY = Message(
    ko="{place}: 이 프로세스는 벌써 {read}의 분류 체계를 읽었고, 하나만 씁니다. 이것은 다른 "
    "프로세스에서 쓰십시오",
    en="{place}: this process has read the taxonomy in {read} already, and works with one: start "
    "another for this one",
)


@lru_cache
def folder(name: str) -> Path:
    """Return the shipped data folder *name* (``taxonomy``, ``replacement_lists`` …).

    The installed copy inside the package if it is there, else the folder beside ``setup.cfg``
    in a checkout. FileNotFoundError names both places.
    """
    installed = _PACKAGE / "_data" / name
    checkout = _PACKAGE.parent
    if installed.is_dir():
        return installed
    if (checkout / "setup.cfg").is_file() and (checkout / name).is_dir():
        return checkout / name
    raise FileNotFoundError(
        f"the data folder {name!r} is neither installed at {installed} nor in a checkout at "
        f"{checkout / name}: install thunder-deid again (pip install .)"
    )


def choose_taxonomy(place: Path | None) -> None:
    """Have this process work with the taxonomy in *place*, laid over the shipped one (None).

    FileNotFoundError where there is none; ValueError where another has been read already.
    """
    wanted = place.resolve() if place and not is_shipped(place) else None
    if place and wanted:
        require_taxonomy(place)
    if wanted == own_taxonomy():
        return
    if _read:
        raise ValueError(_OTHER_TAXONOMY(place=place or folder(TAXONOMY), read=_read[0]))
    _own[:] = [wanted] if wanted else []


def require_taxonomy(place: Path) -> None:
    """Return where a taxonomy lies in *place*; FileNotFoundError says how to make one."""
    if (place.parent / "taxonomy.yaml").is_file() and not (place / "taxonomy.yaml").is_file():
        raise FileNotFoundError(_FOLDER_OF_ONE(place=place, whole=place.parent))
    if not (place / "taxonomy.yaml").is_file():
        raise FileNotFoundError(_NO_TAXONOMY(place=place))


def own_taxonomy() -> Path | None:
    """Return the folder of the taxonomy of one's own that was chosen, None for the shipped one."""
    return _own[0] if _own else None


def taxonomy() -> Path:
    """Return the folder of the labels that this process works with."""
    _read[:] = _own or [folder(TAXONOMY)]
    return _read[0]


def in_taxonomy(*steps: str) -> Path:
    """Return a file of the taxonomy, such as ``cues``, ``titles.tsv``: one's own before shipped."""
    own = taxonomy().joinpath(*steps)
    return own if own.exists() else folder(TAXONOMY).joinpath(*steps)


def all_in_taxonomy(name: str, pattern: str) -> list[Path]:
    """Return the files of a folder of the taxonomy by name, one's own before the shipped ones."""
    places = (folder(TAXONOMY) / name, taxonomy() / name)
    found = {path.name: path for place in places for path in place.glob(pattern)}
    return [found[one] for one in sorted(found)]


_DATA = frozenset({".yaml", ".yml", ".tsv", ".csv", ".json"})
_FAMILIES = {"labels": ".yaml", "patterns": ".yaml", "policy": ".yaml", "migrations": ".yaml"}
"""Folders of a taxonomy from which every file of that kind is read, whatever its name."""
_LISTS = "replacement_lists"  # lie over the shipped ones too; who fills with them reads them


def unread_files(own: Path) -> dict[Path, str]:
    """Return the data files in the taxonomy *own* that nothing reads, and what may be meant.

    They are misspelt, or lie elsewhere than they are looked for: their author believes in them.
    """
    shipped = folder(TAXONOMY)
    known = {str(one.relative_to(shipped)) for one in shipped.rglob("*") if one.suffix in _DATA}
    found = {}
    for path in sorted(one for one in own.rglob("*") if one.suffix in _DATA and one.is_file()):
        name = path.relative_to(own)
        is_of_family = len(name.parts) == 2 and _FAMILIES.get(name.parts[0]) == name.suffix
        is_known = is_of_family or str(name) in known or name.parts[0] == _LISTS
        if not is_known and not _is_hidden(name):
            family = get_close_matches(name.parts[0], _FAMILIES, n=1)
            named = get_close_matches(str(name), sorted(known), n=1, cutoff=0.8)
            of_family = [f"{one}/{name.stem}{_FAMILIES[one]}" for one in family]
            found[path] = next(iter((*of_family, *named)), "")
    return found


def _is_hidden(name: Path) -> bool:
    return any(part.startswith(".") for part in name.parts)


def is_installed(place: Path) -> bool:
    """Return whether *place* lies in the installed package, and not in a checkout."""
    return _PACKAGE / "_data" in place.resolve().parents


def is_shipped(place: Path) -> bool:
    """Return whether *place* is the shipped taxonomy, which lies under one's own."""
    return place.resolve() == folder(TAXONOMY).resolve()
