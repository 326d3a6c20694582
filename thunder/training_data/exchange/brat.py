"""brat: a ``.txt`` and an ``.ann`` for each document, ``annotation.conf`` and ``visual.conf``.

brat's types are ASCII letters, digits, hyphens and underscores: any other character of a label is
written as ``_`` + its code point in hexadecimal + ``-``; ``visual.conf`` shows the label itself.
brat counts code points, and cuts a mention at a line break into pieces.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.training_data.annotation import Annotated
from thunder.training_data.exchange.anchoring import Found, Unit, without_breaks
from thunder.training_data.exchange.records import (
    Exported,
    Problem,
    file_name,
    identifier_of,
    whole,
)

_TYPE = re.compile(r"_([0-9a-f]{1,6})-")
_PLACE = re.compile(r"(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)")


def write(
    documents: Iterable[tuple[str, Annotated]],
    folder: Path,
    *,
    labels: Iterable[str],
    taxonomy: Taxonomy,
) -> list[Problem]:
    """Return the documents that could not be written; the others are in *folder*."""
    problems: list[Problem] = []
    for name, annotated in documents:
        try:
            stem = file_name(name)
            lines = [
                _line(number, annotated.text, span)
                for number, span in enumerate(annotated.spans, 1)
            ]
        except ValueError as error:
            problems.append(whole(name, str(error)))
            continue
        (folder / f"{stem}.txt").write_bytes(annotated.text.encode())
        (folder / f"{stem}.ann").write_bytes("".join(lines).encode())
    write_labels(folder, labels=labels, taxonomy=taxonomy)
    return problems


def write_labels(folder: Path, *, labels: Iterable[str], taxonomy: Taxonomy) -> None:
    """Write ``annotation.conf`` with the labels, indented under their tiers, and ``visual.conf``.

    ``!`` before a tier says that it is no label to choose.
    """
    entities: list[str] = []
    shown: list[str] = []
    open_tiers: tuple[str, ...] = ()
    for label in labels:
        tiers = _tiers(label, taxonomy)
        for depth, tier in enumerate(tiers):
            if open_tiers[: depth + 1] != tiers[: depth + 1]:
                tier_type = f"tier-{type_of('/'.join(tiers[: depth + 1]))}"
                entities.append("\t" * depth + f"!{tier_type}")
                shown.append(f"{tier_type} | {tier}")
        open_tiers = tiers
        entities.append("\t" * len(tiers) + type_of(label))
        shown.append(f"{type_of(label)} | {label.replace('|', '/')}")
    sections = ("[entities]", *entities, "[relations]", "[events]", "[attributes]")
    (folder / "annotation.conf").write_text("\n".join(sections) + "\n", encoding="utf-8")
    visual = "\n".join(("[labels]", *shown, "[drawing]")) + "\n"
    (folder / "visual.conf").write_text(visual, encoding="utf-8")


def type_of(label: str) -> str:
    """Return *label* as a brat type; ``label_of`` gives it back."""
    return re.sub("[^A-Za-z0-9]", lambda match: f"_{ord(match[0]):x}-", label)


def label_of(brat_type: str) -> str:
    """Return the label of a brat type; a type that we did not write is the label itself."""
    if re.search("[^A-Za-z0-9]", _TYPE.sub("", brat_type)):
        return brat_type
    codes = [int(match[1], 16) for match in _TYPE.finditer(brat_type)]
    if any(code > 0x10FFFF or 0xD800 <= code < 0xE000 for code in codes):
        return brat_type
    return _TYPE.sub(lambda match: chr(int(match[1], 16)), brat_type)


def read(path: Path) -> Iterator[Exported]:
    """Yield the documents of a folder (and the folders in it), or of one ``.ann`` file."""
    files = {path} if path.is_file() else {*path.rglob("*.ann")}
    files |= {file.with_suffix(".ann") for file in path.rglob("*.txt")}
    for file in sorted(files):
        parts = file.relative_to(path).parts[:-1] if path.is_dir() else ()
        yield _document(file, "/".join((*parts, identifier_of(file.stem))))


def _tiers(label: str, taxonomy: Taxonomy) -> tuple[str, ...]:
    if not taxonomy.knows(label) or taxonomy.resolve(label) is None:
        return ()
    known = taxonomy.label(label)
    return (f"{known.code} {known.subcategory}", known.category)


def _line(number: int, text: str, span: Span) -> str:
    surface = text[span.start : span.end]
    pieces = without_breaks(surface)
    if any(start == end for start, end in pieces):
        raise ValueError(
            f"{span.start}:{span.end} begins or ends with a line break, which brat cannot hold"
        )
    places = ";".join(f"{span.start + start} {span.start + end}" for start, end in pieces)
    shown = " ".join(surface[start:end] for start, end in pieces)
    return f"T{number}\t{type_of(span.label)} {places}\t{shown}\n"


def _document(file: Path, name: str) -> Exported:
    try:
        text = file.with_suffix(".txt").read_bytes().decode()
        lines = file.read_bytes().decode().split("\n")
    except FileNotFoundError:
        return Exported(name, problems=(whole(name, "needs a .txt and a .ann"),))
    except UnicodeDecodeError:
        return Exported(name, problems=(whole(name, "is not UTF-8"),))
    found: list[Found] = []
    problems: list[Problem] = []
    left = 0
    for number, line in enumerate(lines, 1):
        if line[:1] != "T":
            left += bool(line.strip())
            continue
        one = _found(line.removesuffix("\r"))
        if one is None:
            problems.append(whole(name, f"line {number} of the .ann is no text-bound annotation"))
        else:
            found.append(one)
    notes = (f"{name}: {left} relations, events, attributes or notes left out",) if left else ()
    return Exported(name, text, tuple(found), (), Unit.CODE_POINTS, tuple(problems), notes)


def _found(line: str) -> Found | None:
    """Return the annotation; pieces with other text between them will not match the surface."""
    parts = line.split("\t", 2)
    place = _PLACE.fullmatch(parts[1]) if len(parts) == 3 else None
    if place is None:
        return None
    offsets = [int(number) for number in re.findall("[0-9]+", place[2])]
    if offsets != sorted(offsets):
        return None
    return Found(offsets[0], offsets[-1], label_of(place[1]), surface=parts[2])
