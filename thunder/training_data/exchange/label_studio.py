"""Label Studio: tasks with their annotations, and the labelling configuration.

The labels are a tree (Taxonomy as a labelling tool), or for a chosen few a row of buttons
(Labels): Label Studio caps and slows down with hundreds of those (label-studio#5373).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.training_data.annotation import Annotated
from thunder.training_data.exchange.anchoring import Found
from thunder.training_data.exchange.records import Exported, Problem, whole

_OUTSIDE = "분류 밖"


def write(
    documents: Iterable[tuple[str, Annotated]],
    folder: Path,
    *,
    labels: Sequence[str],
    taxonomy: Taxonomy,
    buttons: bool = False,
) -> list[Problem]:
    """Return the documents that could not be written; the others are in *folder*."""
    paths = {} if buttons else {label: tree_path(label, taxonomy) for label in labels}
    tasks = [_task(name, annotated, paths) for name, annotated in documents]
    content = json.dumps(tasks, ensure_ascii=False, indent=1)
    (folder / "tasks.json").write_text(content + "\n", encoding="utf-8", newline="\n")
    write_labels(folder, labels=labels, taxonomy=taxonomy, buttons=buttons)
    return []


def write_labels(
    folder: Path, *, labels: Iterable[str], taxonomy: Taxonomy, buttons: bool = False
) -> None:
    """Write ``config.xml``, to be pasted under *Labeling Interface, Code*."""
    view = ElementTree.Element("View")
    # Without it spaces are trimmed in what is shown and saved (Label Studio, tag Text).
    ElementTree.SubElement(view, "Style").text = ".htx-text{ white-space: pre-wrap; }"
    attributes = {"name": "label", "toName": "text"}
    if buttons:
        control = ElementTree.SubElement(view, "Labels", attributes)
        for label in labels:
            ElementTree.SubElement(control, "Label", value=label)
    else:
        more = {"labeling": "true", "leafsOnly": "true"}
        control = ElementTree.SubElement(view, "Taxonomy", {**attributes, **more})
        for label in labels:
            _grow(control, tree_path(label, taxonomy))
    more = {"granularity": "symbol", "saveTextResult": "yes"}
    ElementTree.SubElement(view, "Text", {"name": "text", "value": "$text", **more})
    ElementTree.indent(view)
    content = ElementTree.tostring(view, encoding="unicode")
    (folder / "config.xml").write_text(content + "\n", encoding="utf-8")


def tree_path(name: str, taxonomy: Taxonomy) -> list[str]:
    """Return the tiers above the label called *name*, and the name as it was written."""
    if not taxonomy.knows(name) or taxonomy.resolve(name) is None:
        return [_OUTSIDE, name]
    label = taxonomy.label(name)
    main = next(main.ko for main in taxonomy.mains if main.code == label.main)
    return [main, f"{label.code} {label.subcategory}", label.category, name]


def read(path: Path) -> Iterator[Exported]:
    """Yield the documents of an export in the format JSON (not JSON-MIN, CSV or CONLL2003)."""
    try:
        tasks = json.loads(path.read_bytes().decode())
    except (ValueError, RecursionError):
        tasks = None
    yield from documents(tasks, path.name)


def documents(tasks: object, name: str) -> Iterator[Exported]:
    """Yield the documents of an export that is read already, called *name* in its problems."""
    if not isinstance(tasks, list):
        yield Exported(name, problems=(whole(name, "is no JSON export of tasks"),))
        return
    for number, task in enumerate(tasks, 1):
        yield _document(task, f"task {number}")


def _grow(control: ElementTree.Element, path: Sequence[str]) -> None:
    for value in path:
        below = next((choice for choice in control if choice.get("value") == value), None)
        control = ElementTree.SubElement(control, "Choice", value=value) if below is None else below


def _task(name: str, annotated: Annotated, paths: Mapping[str, list[str]]) -> dict[str, Any]:
    marks = [[span.start, span.end, span.label] for span in annotated.spans]
    result = [
        region(number, annotated.text, span, paths[span.label] if paths else span.label)
        for number, span in enumerate(annotated.spans, 1)
    ]
    data = {"document": name, "text": annotated.text, "marks": marks}
    return {"data": data, "annotations": [{"result": result}]}


def region(number: int, text: str, span: Span, label: str | list[str]) -> dict[str, Any]:
    """Return the *number*-th region of a result: *label* is a button's, or a path in the tree."""
    kind = "labels" if isinstance(label, str) else "taxonomy"
    surface = text[span.start : span.end]
    value = {"start": span.start, "end": span.end, "text": surface, kind: [label]}
    names = {"from_name": "label", "to_name": "text", "type": kind}
    return {"id": f"thunder-{number}", **names, "value": value}


def _document(task: Any, place: str) -> Exported:
    data = task.get("data") if isinstance(task, dict) else None
    text = data.get("text") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(text, str):
        return Exported(place, problems=(whole(place, "has no data.text"),))
    name = str(data.get("document", task.get("id", place)))
    done = task.get("annotations") or task.get("completions") or []
    kept = [one for one in done if isinstance(one, dict) and not one.get("was_cancelled")]
    if len(kept) != 1 or not isinstance(kept[0].get("result"), list):
        reason = f"has {len(kept)} annotations by annotators, not one: choose which is to count"
        return Exported(name, problems=(whole(name, reason),))
    marks = data.get("marks")
    ours = {tuple(mark) for mark in marks if isinstance(mark, list)} if marks else set()
    regions = [one for one in kept[0]["result"] if _is_region(one)]
    found = [_found(one["value"], ours) for one in regions]
    bad = found.count(None)
    reason = f"{bad} regions have no offsets or not exactly one label"
    left = len(kept[0]["result"]) - len(regions)
    return Exported(
        name,
        text,
        tuple(one for one in found if one),
        problems=(whole(name, reason),) if bad else (),
        notes=(f"{name}: {left} relations or answers left out",) if left else (),
    )


def _is_region(one: Any) -> bool:
    return isinstance(one, dict) and isinstance(one.get("value"), dict) and "start" in one["value"]


def _found(value: dict[str, Any], ours: set[tuple[Any, ...]]) -> Found | None:
    paths = [path for path in value.get("taxonomy", ()) if isinstance(path, list) and path]
    labels = [*value.get("labels", ()), *(path[-1] for path in paths)]
    start, end, surface = value.get("start"), value.get("end"), value.get("text")
    whole_numbers = isinstance(start, int) and isinstance(end, int)
    if len(labels) != 1 or not isinstance(labels[0], str) or not whole_numbers:
        return None
    same = (start, end, labels[0]) in ours
    return Found(
        *(value["start"], value["end"], labels[0]),
        surface=surface if isinstance(surface, str) else None,
        ours=same,
    )
