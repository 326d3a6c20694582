"""doccano: JSONL of ``{"id", "text", "label": [[start, end, label]]}`` and its label set.

doccano stores offsets but no surface, and counts an emoji or CRLF differently in its server and in
the browser (doccano#2114). So the export says in ``marks`` which annotations are ours: they come
back with the same numbers; a new one in a text where units differ is ambiguous without a unit.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from thunder.training_data.annotation import Annotated
from thunder.training_data.exchange.anchoring import Found
from thunder.training_data.exchange.records import Exported, Problem, whole

_COLOURS = ("#C62828", "#AD1457", "#6A1B9A", "#4527A0", "#283593", "#1565C0", "#00695C", "#2E7D32")


def write(
    documents: Iterable[tuple[str, Annotated]], folder: Path, *, labels: Iterable[str]
) -> list[Problem]:
    """Return the documents that could not be written; the others are in *folder*."""
    with (folder / "documents.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for name, annotated in documents:
            marks = [[span.start, span.end, span.label] for span in annotated.spans]
            row = {"id": name, "document": name, "text": annotated.text, "label": marks}
            file.write(json.dumps({**row, "marks": marks}, ensure_ascii=False) + "\n")
    write_labels(folder, labels=labels)
    return []


def write_labels(folder: Path, *, labels: Iterable[str]) -> None:
    """Write ``labels.json``, to be imported under *Labels*; no shortcut keys."""
    rows = [
        {
            "text": label,
            "prefix_key": None,
            "suffix_key": None,
            "background_color": _COLOURS[number % len(_COLOURS)],
            "text_color": "#ffffff",
        }
        for number, label in enumerate(labels)
    ]
    content = json.dumps(rows, ensure_ascii=False, indent=1)
    (folder / "labels.json").write_text(content + "\n", encoding="utf-8")


def read(path: Path) -> Iterator[Exported]:
    """Yield the documents of an exported JSONL file."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _document(line, f"line {number}")


def _document(line: bytes, place: str) -> Exported:
    try:
        row = json.loads(line.decode())
    except (ValueError, RecursionError):
        return Exported(place, problems=(whole(place, "is not JSON in UTF-8"),))
    text = row.get("text", row.get("data")) if isinstance(row, dict) else None
    if not isinstance(text, str):
        return Exported(place, problems=(whole(place, "has no text"),))
    name = str(row.get("document", row.get("id", place)))
    raw = row.get("label", row.get("labels", row.get("entities")))
    if not isinstance(raw, list):
        return Exported(name, problems=(whole(name, "has no list of annotations"),))
    marks = row.get("marks")
    ours = {tuple(mark) for mark in marks if _is_mark(mark)} if isinstance(marks, list) else set()
    rows = [_triple(one) for one in raw]
    found = tuple(Found(*one, ours=one in ours) for one in rows if one)
    bad = rows.count(None)
    problems = (whole(name, f"{bad} annotations are no [start, end, label]"),) if bad else ()
    relations = row.get("relations")
    notes = (f"{name}: {len(relations)} relations left out",) if relations else ()
    return Exported(name, text, found, problems=problems, notes=notes)


def _triple(one: Any) -> tuple[int, int, str] | None:
    if isinstance(one, dict):
        one = [one.get("start_offset"), one.get("end_offset"), one.get("label")]
    return (one[0], one[1], one[2]) if _is_mark(one) else None


def _is_mark(one: Any) -> bool:
    return isinstance(one, list) and [type(part) for part in one] == [int, int, str]
