"""A tagger's folder: what ``tagger.json`` says of it, and whether it is what was written.

The folder holds the weights (safetensors or ONNX), the tokenizer, ``thresholds.json`` and
``tagger.json`` with the SHA-256 of every file but the thresholds and ``scorecard.json``, which
people set, and what they write about it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_args

from thunder.mentions.scorecard import NAME as SCORECARD
from thunder.settings import resources
from thunder.tagger import messages as say
from thunder.tagger.dial import NAME as THRESHOLDS
from thunder.tagger.hints import Of
from thunder.taxonomy import Taxonomy, migration_files, own
from thunder.taxonomy import load as load_taxonomy
from thunder.taxonomy.migrations import names_digest, new_rows, since
from thunder.tokenization import labeling
from thunder.tokenization.labeling import SCHEMES, Scheme

NAME = "tagger.json"
ARCHITECTURES = ("encoder", "transformers", "bilstm", "onnx")
_FORMAT = 1
_FREE = (NAME, THRESHOLDS, SCORECARD, "README.md", "LICENSE")  # what people write and set


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a tagger is: its architecture, its labels by hash, its tokenizer and windows.

    *labels* is ``thunder.taxonomy.migrations.names_digest`` of the taxonomy it learnt, *length* and
    *overlap* are tokens of a window with its frame, *hints* is of what it is told, if it is;
    *about* says where it comes from. *own_code*: its network is made by code in the folder, which
    only runs where the user trusts it.
    """

    architecture: str
    scheme: Scheme
    classes: int
    labels: str
    tokenizer: str
    tokenizer_sha256: str
    length: int
    overlap: int
    hints: Of = "settled"
    own_code: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, known in (
            ("architecture", ARCHITECTURES),
            ("scheme", SCHEMES),
            ("hints", get_args(Of)),
        ):
            value, choices = getattr(self, name), ", ".join(known)
            if value not in known:
                raise ValueError(say.UNKNOWN(name=name, value=value, known=choices))


def write(folder: Path, manifest: Manifest) -> None:
    """Write ``tagger.json`` with the hashes of all files that *folder* holds now."""
    table = {"format": _FORMAT, **asdict(manifest), "files": dict(_hashes(_files(folder), folder))}
    text = json.dumps(table, ensure_ascii=False, indent=1)
    aside = folder / f".{NAME}.new"
    aside.write_text(text + "\n", encoding="utf-8")
    aside.replace(folder / NAME)


def read(folder: Path) -> Manifest:
    """Return the manifest of *folder* if its files are as they were written.

    FileNotFoundError or ValueError name the file, what is wrong with it and what to do.
    """
    path = folder / NAME
    if not path.is_file():
        raise FileNotFoundError(say.NO_FOLDER(path=path))
    try:
        found = json.loads(path.read_text("utf-8"))
        if found.pop("format") != _FORMAT:
            raise ValueError(say.OTHER_FORMAT(format=_FORMAT))
        manifest = Manifest(**found)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(say.DAMAGED(path=path, why=error)) from None
    for name, expected in manifest.files.items():
        if not (folder / name).is_file():
            raise FileNotFoundError(say.FILE_MISSING(path=folder / name))
        if _hash(folder / name) != expected:
            raise ValueError(say.ALTERED(path=folder / name))
    return manifest


def require_labels(manifest: Manifest, taxonomy: Taxonomy, *, folder: Path, place: Path) -> None:
    """Raise ValueError unless the classes fit *taxonomy*, which was read from *place*.

    Labels renamed, moved, merged or retired since fit: classes go by ids, which stay. Labels added
    since score nothing, until it is fine-tuned on ('start' in [model] keeps the old rows).
    """
    missing: list[int] = []
    if manifest.labels not in (names_digest(taxonomy), names_digest(own.shipped())):
        try:
            later = since(migration_files.read(place), manifest.labels)
        except LookupError:
            raise ValueError(say.OTHER_LABELS(folder=folder, place=place)) from None
        missing = sorted(new_rows(later))
    elif manifest.labels != names_digest(taxonomy):
        missing = list(range(own.shipped().classes, taxonomy.classes))
    number = labeling.classes(taxonomy, scheme=manifest.scheme)
    each = 1 if manifest.scheme == "classes" else 2
    if number - each * len(missing) != manifest.classes:
        facts = {"own": manifest.classes, "number": number, "missing": len(missing)}
        raise ValueError(say.OTHER_CLASSES(folder=folder, **facts))


def taxonomy_of(place: Path | None) -> tuple[Taxonomy, Path]:
    """Return the taxonomy in a folder, the one that mentions are found by without; and where."""
    return (load_taxonomy(place) if place else own.working()), place or resources.taxonomy()


def _files(folder: Path) -> list[Path]:
    inside = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in inside if path.name not in _FREE)


def _hashes(paths: Iterable[Path], folder: Path) -> Iterable[tuple[str, str]]:
    return ((path.relative_to(folder).as_posix(), _hash(path)) for path in paths)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
