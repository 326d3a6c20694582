"""Annotated documents: the names in their marks brought up to date, no other character touched."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from thunder.editing import messages as say
from thunder.editing.migrate.history import Fate, History
from thunder.editing.migrate.record import Done, Plan
from thunder.settings.journal import Change
from thunder.settings.yamlfile import Problem, YamlFileError, decoded
from thunder.training_data import annotation

_MARK = re.compile(r"<<<(/?)([^<>\n]+)>>>")  # as thunder.training_data.annotation reads them
_SPACE = re.compile(r"[ \t\r\n]*")
_JSON_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.S
)
_DECODER = json.JSONDecoder()


class _Edit(NamedTuple):
    """A name in a mark, where it stands, and what became of its label."""

    start: int
    end: int
    name: str
    opens: bool
    fate: Fate

    @property
    def new(self) -> str:
        return self.fate.name or self.name


class _Text(NamedTuple):
    """One document's text: the line of the file it begins on, and what is to be done in it."""

    line: int
    text: str
    edits: list[_Edit]


def plan(path: Path, history: History) -> Plan:
    """Return what is to be done in a ``.txt`` or ``.jsonl`` file of annotated documents.

    A split decides by mention only in a document whose marks are sound. Lines that cannot be
    read are problems. What is shown are places and labels, never the text between them.
    """
    content = path.read_bytes()
    try:
        if path.suffix == ".jsonl":
            new, texts, problems = _json_lines(path, content, history)
        else:
            text = decoded(path, content)
            texts, problems = [_Text(1, text, _edits(text, history))], []
            new = _edited(text, texts[0].edits).encode()
    except YamlFileError as error:
        return Plan(problems=error.problems)
    edits = [edit for text in texts for edit in text.edits]
    shown = [line for text in texts for line in _shown(path, text)]
    return Plan((Change(path, content, new),), _done(path, edits), tuple(shown), tuple(problems))


def _json_lines(
    path: Path, content: bytes, history: History
) -> tuple[bytes, list[_Text], list[Problem]]:
    texts, problems = [], []
    lines = content.split(b"\n")
    for at, raw in enumerate(lines):
        if not raw.strip():
            continue
        try:
            line = raw.decode("utf-8")
            start, end = _text_member(line)
        except ValueError as error:
            problems.append(Problem(path, at + 1, _reason(error)))
            continue
        text = json.loads(line[start:end])
        found = _Text(at + 1, text, _edits(text, history))
        texts.append(found)
        inner = _edited_json(line[start + 1 : end - 1], found.edits)
        lines[at] = (line[: start + 1] + inner + line[end - 1 :]).encode()
    return b"\n".join(lines), texts, problems


def _reason(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return say.NOT_UTF8_AT(byte=error.start + 1)
    if isinstance(error, json.JSONDecodeError):
        return say.NOT_JSON_AT(column=error.colno, why=error.msg)
    return str(error)


def _text_member(line: str) -> tuple[int, int]:
    """Return where the value of the key ``text`` begins and ends; ValueError unless it is one."""
    at = _skip(line.removeprefix("\ufeff"), 0) + line.startswith("\ufeff")
    value, end = _DECODER.raw_decode(line, at)
    if not isinstance(value, dict) or _skip(line, end) != len(line):
        raise ValueError(say.NOT_ONE_OBJECT())
    found = [span for key, *span in _members(line, at) if key == "text"]
    if len(found) != 1 or not isinstance(value["text"], str):
        raise ValueError(say.NO_TEXT())
    return found[0][0], found[0][1]


def _members(line: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Yield the keys of the object that begins at *at*, with the places of their values."""
    at = _skip(line, at + 1)
    while line[at] != "}":
        key, end = _DECODER.raw_decode(line, at)
        start = _skip(line, _skip(line, end) + 1)
        _, end = _DECODER.raw_decode(line, start)
        yield key, start, end
        at = _skip(line, end)
        at = _skip(line, at + 1) if line[at] == "," else at


def _skip(line: str, at: int) -> int:
    space = _SPACE.match(line, at)
    return space.end() if space else at


# --- the marks of one text ----------------------------------------------------------------------


def _edits(text: str, history: History) -> list[_Edit]:
    """Return what became of the labels in *text*: one entry for each mark that is touched."""
    marks = list(_MARK.finditer(text))
    if all(history.owner(mark[2]) is None for mark in marks):
        return []
    mentions = _mentions(text, marks)
    edits = []
    for mark, mention in zip(marks, mentions, strict=True):
        fate = history.fate(mark[2], mention=mention)
        if fate is not None:
            edits.append(_Edit(mark.start(2), mark.end(2), mark[2], not mark[1], fate))
    return edits


def _mentions(text: str, marks: Sequence[re.Match[str]]) -> list[str | None]:
    """Return what each mark marks, in order of the marks; None where the marks are not sound."""
    try:
        annotation.parse(text)
    except annotation.AnnotationError:
        return [None] * len(marks)
    pairs = zip(marks[::2], marks[1::2], strict=True)
    return [text[first.end() : last.start()] for first, last in pairs for _ in range(2)]


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += (text[done : edit.start], edit.new)
        done = edit.end
    return "".join((*pieces, text[done:]))


def _edited_json(raw: str, edits: Sequence[_Edit]) -> str:
    """Return the inside of a JSON string with *edits*, which count in characters of its value."""
    if not any(edit.new != edit.name for edit in edits):
        return raw
    characters = _JSON_CHARACTER.findall(raw)
    for edit in reversed(edits):
        old = "".join(characters[edit.start : edit.end])
        new = json.dumps(edit.new, ensure_ascii="\\u" in old)[1:-1]
        characters[edit.start : edit.end] = [new if edit.new != edit.name else old]
    return "".join(characters)


# --- what is said of it -------------------------------------------------------------------------


def _done(path: Path, edits: Sequence[_Edit]) -> tuple[Done, ...]:
    counts = Counter((edit.name, edit.fate) for edit in edits if edit.opens)
    return tuple(_said(path, name, fate, count) for (name, fate), count in counts.items())


def _said(path: Path, name: str, fate: Fate, count: int) -> Done:
    now = fate.name if fate.name != name else ""
    if not fate.name:
        what = say.MARKS_LEFT()
    elif fate.undecided:
        others = ", ".join(fate.undecided)
        what = say.MARKS_UNDECIDED(others=others)
    else:
        what = say.MARKS()
    return Done(path, name, now, what, count, fate.number)


def _shown(path: Path, found: _Text) -> Iterator[str]:
    """Yield a line for each change on each line of the file; of a JSON text, its line."""
    counts: Counter[tuple[int, str, str]] = Counter()
    for edit in found.edits:
        if edit.opens and edit.new != edit.name:
            line = found.line
            if path.suffix != ".jsonl":
                line += found.text.count("\n", 0, edit.start)
            counts[line, edit.name, edit.new] += 1
    for (line, old, new), count in sorted(counts.items()):
        yield f"{path}:{line}: {count} × <<<{old}>>> → <<<{new}>>>"
