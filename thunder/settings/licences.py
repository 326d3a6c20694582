"""The licences of all that ships, read from the files themselves, and of what it needs."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from thunder.settings import resources

if TYPE_CHECKING:
    from email.message import Message
    from importlib.metadata import Distribution, PackageMetadata

PACKAGE = "thunder-deid"
_UNSAID = "?"
_LICENCE_FOLDER = re.compile(
    r"[a-z]+(?:-[a-z]+)*-\d\.\d"
)  # cc-by-nc-sa-4.0: an SPDX id, lower case
_HEADER = re.compile(r"^(?:# )?licence: *(\S.*?) *$", re.M)
_HEAD = 1_000  # characters of a list in which its header stands
_LICENCE_FILE = re.compile(r"(?i)(?:licen[cs]es?|copying|notice)(?:[.-].*)?")
_CLASSIFIER = "License :: OSI Approved :: "
_FONT_LICENCE = re.compile(r"(?i)open font license\s*,?\s*version (\d\.\d)")
_LONG = 60  # characters: who writes more gives the whole text


class Licensed(NamedTuple):
    """A part of what is installed: its name, its licence, and its licence's texts (files)."""

    part: str
    licence: str
    texts: tuple[Path, ...] = ()


def is_non_commercial(licence: str) -> bool:
    """Return whether a licence, by its SPDX id, forbids commercial use."""
    return "nc" in licence.lower().split("-")


def shipped() -> list[Licensed]:
    """Return the parts of Thunder-DeID itself: code, taggers, data, fonts.

    FileNotFoundError names a data folder that is not there.
    """
    of_code, text = _code()
    return [
        Licensed("thunder", of_code, text),
        *_taggers(),
        *_data("taxonomy", of_code),
        *_data("replacement_lists", of_code),
        *_data("tokenizer", of_code),
        *_fonts(),
    ]


def _code() -> tuple[str, tuple[Path, ...]]:
    from configparser import ConfigParser
    from importlib.metadata import distribution

    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "setup.cfg").is_file():
        parser = ConfigParser()
        parser.read(checkout / "setup.cfg", encoding="utf-8")
        return parser["metadata"]["license"], (checkout / "LICENSE",)
    found = distribution(PACKAGE)
    return licence_of(found.metadata, texts_of(found)), tuple(texts_of(found))


def _taggers() -> Iterator[Licensed]:
    for file in sorted(resources.folder("finetune/taggers").glob("*/tagger.json")):
        licence = json.loads(file.read_text("utf-8"))["about"].get("licence") or _UNSAID
        text = file.parent / "LICENSE"
        part = f"finetune/taggers/{file.parent.name}"
        yield Licensed(part, licence, (text,) if text.is_file() else ())


def _data(name: str, of_code: str) -> Iterator[Licensed]:
    """Yield a data folder by its licences: a header's, else that of a folder named by one."""
    place = resources.folder(name)
    found: dict[str, Counter[str]] = {}
    for path in sorted(place.rglob("*")):
        if path.suffix in {".json", ".tsv", ".txt", ".xz", ".yaml"}:
            inside = path.relative_to(place).parts
            above = [one for one in inside[:-1] if _LICENCE_FOLDER.fullmatch(one)]
            folder = "/".join(inside[: inside.index(above[-1]) + 1]) if above else ""
            licence = above[-1] if above else _header(path) or of_code
            found.setdefault(f"{name}/{folder}".rstrip("/"), Counter())[licence] += 1
    for part, licences in sorted(found.items()):
        for licence, files in sorted(licences.items()):
            yield Licensed(f"{part} ({files} files)", licence)


def _header(path: Path) -> str | None:
    if path.suffix not in {".txt", ".tsv", ".yaml"}:
        return None
    with path.open(encoding="utf-8") as file:
        said = _HEADER.search(file.read(_HEAD))
    return said[1] if said else None


def _fonts() -> Iterator[Licensed]:
    package = Path(__file__).resolve().parents[1]
    for text in sorted(package.rglob("*-OFL.txt")):
        version = _FONT_LICENCE.search(text.read_text("utf-8"))
        part = f"thunder/{text.relative_to(package).as_posix().removesuffix('-OFL.txt')} (font)"
        yield Licensed(part, f"OFL-{version[1]}" if version else "OFL", (text,))


def needed() -> list[Licensed]:
    """Return the installed packages that Thunder-DeID needs, those of its extras included."""
    from importlib.metadata import PackageNotFoundError, distribution

    found: dict[str, Licensed] = {}
    waiting = [PACKAGE]
    while waiting:
        name = waiting.pop()
        key = canonical(name)
        if key in found:
            continue
        try:
            one = distribution(name)
        except PackageNotFoundError:
            continue  # of an extra, or of another platform
        part = f"{one.metadata['Name']} {one.version}"
        found[key] = Licensed(part, licence_of(one.metadata, texts_of(one)), tuple(texts_of(one)))
        own = key == PACKAGE
        for line in one.requires or []:
            wanted, _, marker = line.partition(";")
            if own or "extra" not in marker:
                waiting.append(re.split(r"[^A-Za-z0-9._-]", wanted.strip(), maxsplit=1)[0])
    found.pop(PACKAGE, None)
    return [found[key] for key in sorted(found)]


def canonical(name: str) -> str:
    """Return a package's name as indexes compare it: lower case, parted by hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licence_of(said: "PackageMetadata | Message", texts: Iterable[Path]) -> str:
    """Return what a package says of its licence: in its metadata, else its text's first lines."""
    if expression := "".join(said.get_all("License-Expression", [])):
        return expression
    classifiers = [
        line.removeprefix(_CLASSIFIER)
        for line in said.get_all("Classifier", [])
        if line.startswith(_CLASSIFIER)
    ]
    short = "".join(said.get_all("License", [])).strip()
    if classifiers:
        return ", ".join(classifiers)
    if short and len(short) <= _LONG and "\n" not in short:
        return short
    for path in texts:
        lines = [line.strip() for line in path.read_text("utf-8", "replace").splitlines()]
        return ", ".join([line for line in lines if line][:2])[:_LONG]
    return _UNSAID


def texts_of(one: "Distribution") -> list[Path]:
    """Return the licence texts that a package brings."""
    files = [file for file in one.files or [] if _LICENCE_FILE.fullmatch(file.name)]
    paths = [Path(str(file.locate())) for file in files if ".py" not in file.suffix]
    return sorted(path for path in paths if path.is_file())
