r"""INCEpTION: WebAnno TSV 3.3, a file for each document, and a tagset.

Annotations are in the layer Named Entity, feature *value*, which every INCEpTION project has.
Offsets are UTF-16 units. A sentence is a line of the text with the space after it, so that the
file holds the whole text; what INCEpTION cut into sentences itself has gaps, and needs the
originals. Words are cut at the ends of mentions. Format: INCEpTION's user guide, appendix.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from thunder.text.spans import Span
from thunder.training_data.annotation import Annotated
from thunder.training_data.exchange.anchoring import Found, Unit, cells, positions
from thunder.training_data.exchange.records import (
    Exported,
    Problem,
    file_name,
    identifier_of,
    whole,
)

_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
_CONTROL = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_PLAIN = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
_ROW = re.compile(r"[0-9]+-[0-9]+(?:\.[0-9]+)?")
_PLACE = re.compile(r"([0-9]+)-([0-9]+)")
_VALUE = re.compile(r"((?:\\->|\\.|[^\\\[\]])*)(?:\[([0-9]+)\])?", re.DOTALL)
_STACKED = re.compile(r"(?:\\.|[^\\|])+", re.DOTALL)


def write(
    documents: Iterable[tuple[str, Annotated]], folder: Path, *, labels: Iterable[str]
) -> list[Problem]:
    """Return the documents that could not be written; the others are in *folder*."""
    problems: list[Problem] = []
    for name, annotated in documents:
        try:
            stem = file_name(name)
        except ValueError as error:
            problems.append(whole(name, str(error)))
            continue
        (folder / f"{stem}.tsv").write_bytes("\n".join(_lines(annotated)).encode())
    write_labels(folder, labels=labels)
    return problems


def write_labels(folder: Path, *, labels: Iterable[str]) -> None:
    """Write ``tagset.json``, to be imported under *Tagsets* and given to the feature *value*."""
    tags = [{"tag_name": label, "tag_description": ""} for label in labels]
    tagset = {"name": "Thunder-DeID", "description": "", "language": "ko", "tags": tags}
    content = json.dumps({**tagset, "create_tag": False}, ensure_ascii=False, indent=1)
    (folder / "tagset.json").write_text(content + "\n", encoding="utf-8")


def read(path: Path) -> Iterator[Exported]:
    """Yield the documents of a folder (and the folders in it), or of one ``.tsv`` file.

    In INCEpTION's project export a document is a folder that holds a file per annotator.
    """
    for file in [path] if path.is_file() else sorted(path.rglob("*.tsv")):
        holder = file.parent.name
        in_project = path.is_dir() and file.parent != path and Path(holder).suffix in SUFFIXES
        stem = Path(holder).stem if in_project else file.stem
        yield _document(file, identifier_of(stem))


SUFFIXES = (".tsv", ".txt")


# --- writing -------------------------------------------------------------------------------------


def _lines(annotated: Annotated) -> Iterator[str]:
    text, spans = annotated.text, annotated.spans
    yield "#FORMAT=WebAnno TSV 3.3"
    yield f"#T_SP={_LAYER}|value"
    yield from ("", "")
    offsets = positions(text, Unit.UTF_16)
    values = _Values(spans)
    sentences = _sentences(text, spans)
    for number, (start, end, words) in enumerate(sentences, 1):
        yield from (f"#Text={_escaped(line)}" for line in text[start:end].split("\n"))
        for place, (begin, stop) in enumerate(words, 1):
            columns = (f"{number}-{place}", f"{offsets[begin]}-{offsets[stop]}")
            yield "\t".join((*columns, _escaped(text[begin:stop]), values.of(begin), ""))
        yield ""


@dataclass
class _Values:
    """The column of annotations, asked for word by word."""

    spans: Sequence[Span]
    place: int = 0

    def of(self, begin: int) -> str:
        """Return the value for the word that begins here.

        Every one has a number, as if of many words: that tells two mentions of a label apart.
        """
        while self.place < len(self.spans) and self.spans[self.place].end <= begin:
            self.place += 1
        if self.place == len(self.spans) or begin < self.spans[self.place].start:
            return "_"
        label = self.spans[self.place].label
        special = re.sub(r"->|[\\\[\]|_;*]", lambda match: "\\" + match[0], label)
        return f"{special}[{self.place + 1}]"


def _escaped(text: str) -> str:
    return re.sub(r"[\\\t\n\r]", lambda match: _CONTROL[match[0]], text)


class _Sentence(NamedTuple):
    start: int
    end: int
    words: list[tuple[int, int]]


def _sentences(text: str, spans: Sequence[Span]) -> list[_Sentence]:
    """Return sentences that hold all of *text*: each begins with the first word of a line."""
    words = cells(text, spans)
    first = words[0][0] if words else len(text)
    if first:
        words.insert(0, (0, first))  # space at the head of the text is a word of its own
    inside = {place for span in spans for place in range(span.start + 1, span.end)}
    starts = [
        index
        for index, (start, _) in enumerate(words)
        if index == 0 or (start not in inside and "\n" in text[words[index - 1][1] : start])
    ]
    bounds = [*starts, len(words)]
    edges = [*(words[index][0] for index in starts), len(text)]
    return [
        _Sentence(edges[i], edges[i + 1], words[bounds[i] : bounds[i + 1]])
        for i in range(len(starts))
    ]


# --- reading -------------------------------------------------------------------------------------


@dataclass
class _Reading:
    """What has been read of a file: sentences with their offsets, words, and annotations."""

    name: str
    column: int | None = None
    columns: int = 3
    texts: list[str] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    words: list[Found] = field(default_factory=list)
    mentions: dict[tuple[str, str], Found] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def _document(file: Path, name: str) -> Exported:
    try:
        lines = [line.removesuffix("\r") for line in file.read_bytes().decode().split("\n")]
    except UnicodeDecodeError:
        return Exported(name, problems=(whole(name, "is not UTF-8"),))
    if not lines[0].startswith("#FORMAT=WebAnno TSV 3"):
        return Exported(name, problems=(whole(name, "is not WebAnno TSV 3"),))
    reading = _Reading(name)
    fresh = True
    for number, line in enumerate(lines[1:], 2):
        if line.startswith("#T_SP="):
            _note_layer(reading, line.removeprefix("#T_SP="))
        elif line.startswith("#Text="):
            piece = _unescaped(line.removeprefix("#Text="))
            reading.texts[len(reading.texts) :] = [piece] if fresh else []
            if not fresh:
                reading.texts[-1] += "\n" + piece
            fresh = False
        elif _ROW.match(line):
            if not _note_row(reading, line.split("\t"), is_first=not fresh):
                reading.problems.append(whole(name, f"line {number} cannot be read"))
            fresh = True
    return _exported(reading)


def _exported(reading: _Reading) -> Exported:
    notes = () if reading.column else (f"{reading.name}: has no layer NamedEntity with a value",)
    return Exported(
        reading.name,
        _text(reading),
        tuple(reading.mentions.values()),
        tuple(reading.words),
        Unit.UTF_16,
        tuple(reading.problems),
        notes,
    )


def _note_layer(reading: _Reading, declared: str) -> None:
    layer, *features = declared.split("|")
    if layer == _LAYER and "value" in features:
        reading.column = reading.columns + features.index("value")
    reading.columns += max(1, len(features))


def _note_row(reading: _Reading, row: list[str], *, is_first: bool) -> bool:
    place = _PLACE.fullmatch(row[1]) if len(row) > 2 else None
    if place is None:
        return False
    start, end = int(place[1]), int(place[2])
    if is_first:
        reading.begins.append(start)
    reading.words.append(Found(start, end, "", _unescaped(row[2])))
    if reading.column is None:
        return True
    cell = row[reading.column] if len(row) > reading.column else ""
    return cell == "_" or _note_values(reading, row[0], start, end, cell)


def _note_values(reading: _Reading, row: str, start: int, end: int, cell: str) -> bool:
    """Note the annotations of a word; an annotation of many words grows with each."""
    values = [_VALUE.fullmatch(value) for value in _STACKED.findall(cell)]
    for value in values:
        if value is None or value[1] in ("", "*"):
            return False
        label = _unescaped(value[1])
        key = (label, value[2] or row)
        known = reading.mentions.get(key)
        reading.mentions[key] = Found(known.start if known else start, end, label)
    return bool(values)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(->|.)", lambda match: _PLAIN.get(match[1], match[1]), text, flags=re.DOTALL)


def _text(reading: _Reading) -> str | None:
    """Return the whole text, None where the file leaves out what stands between sentences."""
    text = "".join(reading.texts)
    if len(reading.begins) != len(reading.texts):
        return None
    starts = [0]
    for sentence in reading.texts:
        starts.append(starts[-1] + len(sentence))
    for unit in Unit:
        offsets = positions(text, unit)
        if [offsets[start] for start in starts[:-1]] == reading.begins:
            return text
    return None
