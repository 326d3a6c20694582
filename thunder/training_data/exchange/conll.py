"""CoNLL: a word a line with its offsets and BIO tag, and the text itself in a comment.

Columns, between tabs: word, start, end (code points, end excluded), tag. Before the words stand
``# id = …`` and ``# text = …``, both as JSON; an empty line ends a document. Words are cut at the
ends of mentions, so a particle is a word of its own.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from thunder.training_data.annotation import Annotated
from thunder.training_data.exchange.anchoring import Found, Unit, cells
from thunder.training_data.exchange.records import Exported, Problem, whole

_HEAD = re.compile(r"# (id|text) = (.*)", re.DOTALL)
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_PLAIN = {escape: char for char, escape in _ESCAPES.items()}


def write(
    documents: Iterable[tuple[str, Annotated]], folder: Path, *, labels: Iterable[str]
) -> list[Problem]:
    """Return the documents that could not be written; the others are in *folder*."""
    with (folder / "documents.conll").open("w", encoding="utf-8", newline="\n") as file:
        for name, annotated in documents:
            file.write("\n".join(_lines(name, annotated)) + "\n\n")
    write_labels(folder, labels=labels)
    return []


def write_labels(folder: Path, *, labels: Iterable[str]) -> None:
    """Write ``labels.txt``, a label a line."""
    (folder / "labels.txt").write_text("".join(f"{label}\n" for label in labels), encoding="utf-8")


def read(path: Path) -> Iterator[Exported]:
    """Yield the documents of a file in these columns."""
    try:
        content = path.read_bytes().decode()
    except UnicodeDecodeError:
        yield Exported(path.name, problems=(whole(path.name, "is not UTF-8"),))
        return
    block: list[str] = []
    first = 1
    for number, line in enumerate([*content.split("\n"), ""], 1):
        if line.strip("\r"):
            block.append(line.removesuffix("\r"))
        elif block:
            yield _document(block, f"line {first}")
            block = []
        if not block:
            first = number + 1


def _lines(name: str, annotated: Annotated) -> Iterator[str]:
    text = annotated.text
    yield f"# id = {json.dumps(name, ensure_ascii=False)}"
    yield f"# text = {json.dumps(text)}"
    spans = list(annotated.spans)
    for start, end in cells(text, spans):
        while spans and spans[0].end <= start:
            del spans[0]
        tag = "O"
        if spans and spans[0].start <= start:
            tag = f"{'B' if start == spans[0].start else 'I'}-{spans[0].label}"
        word = re.sub(r"[\\\t\n\r]", lambda match: _ESCAPES[match[0]], text[start:end])
        yield f"{word}\t{start}\t{end}\t{tag}"


def _document(block: list[str], place: str) -> Exported:
    heads = [match for line in block if (match := _HEAD.fullmatch(line))]
    try:
        said = {match[1]: json.loads(match[2]) for match in heads}
    except (ValueError, RecursionError):
        return Exported(place, problems=(whole(place, "has an id or text that is not JSON"),))
    name, text = said.get("id", place), said.get("text")
    if not isinstance(name, str) or not isinstance(text, str) or len(heads) != len(said):
        return Exported(place, problems=(whole(place, "needs one id and one text, as JSON"),))
    words: list[Found] = []
    mentions: list[Found] = []
    for line in block:
        if _HEAD.fullmatch(line):
            continue
        word = _word(line)
        if word is None:
            return Exported(name, problems=(whole(name, "has a line of other columns"),))
        words.append(word._replace(label=""))
        if not _grow(mentions, word, inside_before=len(words) > 1 and _is_inside(words, mentions)):
            reason = f"{word.label[:40]} at {word.start}:{word.end} continues no mention"
            return Exported(name, problems=(whole(name, reason),))
    return Exported(name, text, tuple(mentions), tuple(words), Unit.CODE_POINTS)


def _is_inside(words: list[Found], mentions: list[Found]) -> bool:
    """Return whether the word before the last one belongs to the last mention."""
    return bool(mentions) and mentions[-1].end == words[-2].end


def _grow(mentions: list[Found], word: Found, *, inside_before: bool) -> bool:
    """Return whether the word fits, once it is in the mention that it begins or continues."""
    kind, label = word.label[:2], word.label[2:]
    if word.label == "O":
        return True
    if kind == "B-" and label:
        mentions.append(Found(word.start, word.end, label))
        return True
    if kind == "I-" and inside_before and mentions[-1].label == label:
        mentions[-1] = mentions[-1]._replace(end=word.end)
        return True
    return False


def _word(line: str) -> Found | None:
    columns = line.split("\t")
    if len(columns) != 4 or not (columns[1].isdecimal() and columns[2].isdecimal()):
        return None
    surface = re.sub(r"\\[\\tnr]", lambda match: _PLAIN[match[0]], columns[0])
    return Found(int(columns[1]), int(columns[2]), columns[3], surface)
