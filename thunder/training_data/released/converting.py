"""Released files into our formats: annotated judgments, mention lists, judgments, statutes."""

import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from thunder.taxonomy import Taxonomy
from thunder.training_data import messages as say
from thunder.training_data.annotation import AnnotationError, parse
from thunder.training_data.released.archives import GetError, Member
from thunder.training_data.released.messages import OTHER_SHAPE
from thunder.training_data.released.sources import Shape


class LeftOut(NamedTuple):
    """What is not in the result: its file or id, and why; never what stands in it."""

    what: str
    reason: str


@dataclass
class Converted:
    """The rows of each file that is made, and what was left out."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)

    def add(self, file: str, row: dict[str, Any]) -> None:
        """Take one row for *file*."""
        self.rows.setdefault(file, []).append(row)

    def leave(self, what: object, reason: str) -> None:
        """Note what is left out."""
        self.left_out.append(LeftOut(str(what), reason))


def convert(shape: Shape, files: Iterable[Member], taxonomy: Taxonomy) -> Converted:
    """Return what a release of *shape* holds, sorted by ids; GetError where it holds nothing."""
    result = Converted()
    _CONVERTERS[shape](files, result, taxonomy)
    if not any(result.rows.values()):
        why = f": {result.left_out[0].reason}" if result.left_out else ""
        raise GetError(OTHER_SHAPE(shape=shape, why=why))
    for rows in result.rows.values():
        rows.sort(key=lambda row: str(row.get("id") or row.get("label") or row.get("title")))
    return result


# --- the paper's annotated judgments and mention lists --------------------------------------------


def _thunder(files: Iterable[Member], result: Converted, taxonomy: Taxonomy) -> None:
    """Take the authors' repository, or tables of the same (JSONL, Parquet).

    In the repository a judgment is ``datasets/0_raw_documents/CASE/doc_00000.md``, a list
    ``datasets/1_replacement…/SUBCATEGORY/CATEGORY/LABEL.json`` of ``{"LABEL": […]}``. Rows of
    tables have ``text`` (or ``annotated``), or ``label`` and ``mentions`` (or ``mention``, one a
    row).
    """
    lists: dict[str, tuple[str, list[str]]] = {}
    seen: set[str] = set()
    for path, content in files:
        if path.suffix == ".md" and "0_raw_documents" in path.parts:
            case = path.parent.name
            _annotated(f"{case}/{path.stem}", case, _text(content), seen, result, taxonomy)
        elif path.suffix == ".json" and any(
            part.startswith("1_replacement") for part in path.parts
        ):
            _list(path, content, lists, result)
        elif path.suffix in (".jsonl", ".parquet"):
            for number, row in _rows(path, content, result):
                _row(f"{path.name}:{number}", path, row, seen, lists, result, taxonomy)
    for label, (folder, mentions) in lists.items():
        row = {"label": label, "folder": folder, "mentions": list(dict.fromkeys(mentions))}
        result.add("mentions.jsonl", row)


def _annotated(
    name: str, case: str, text: str | None, seen: set[str], result: Converted, taxonomy: Taxonomy
) -> None:
    if text is None:
        return result.leave(name, "not UTF-8")
    if not text.strip():
        return result.leave(name, "empty")
    if name in seen:
        return result.leave(name, "an id used before")
    try:
        parse(text, taxonomy=taxonomy)
    except AnnotationError as error:
        kinds = {problem.reason == say.NO_LABEL() for problem in error.problems}
        why = "an unknown label" if kinds == {True} else "unbalanced or broken marks"
        lines = ", ".join(str(line) for line in sorted({one.line for one in error.problems}))
        return result.leave(name, f"{why} (line {lines})")
    seen.add(name)
    return result.add("annotated.jsonl", {"id": name, "case_type": case, "text": text})


def _list(
    path: PurePosixPath,
    content: bytes,
    lists: dict[str, tuple[str, list[str]]],
    result: Converted,
) -> None:
    inside = path.parts[next(at for at, p in enumerate(path.parts) if p.startswith("1_repl")) + 1 :]
    folder = "/".join(part for part in inside[:-1] if part != "subset")
    text = _text(content)
    try:
        record = json.loads(text) if text is not None else None
    except ValueError:
        record = None
    if record is None:
        return result.leave(path, "no JSON")
    if not isinstance(record, dict):
        return result.leave(path, "no object of labels")
    if not folder:
        return result.leave(path, "a table of labels, no list of mentions")
    for label, mentions in record.items():
        if isinstance(mentions, list) and all(isinstance(one, str) for one in mentions):
            _extend(lists, label, folder, mentions)
        else:
            result.leave(f"{path}: {label}", "a tree, no list: addresses are made by rules here")
    return None


def _extend(
    lists: dict[str, tuple[str, list[str]]], label: str, folder: str, mentions: list[str]
) -> None:
    lists.setdefault(label, (folder, []))[1].extend(mentions)


def _row(
    place: str,
    path: PurePosixPath,
    row: dict[str, Any],
    seen: set[str],
    lists: dict[str, tuple[str, list[str]]],
    result: Converted,
    taxonomy: Taxonomy,
) -> None:
    text = row.get("text", row.get("annotated"))
    mentions = row.get("mentions", row.get("mention", row.get("item")))
    if isinstance(text, str):
        case = str(row.get("case_type") or path.stem)
        _annotated(str(row.get("id") or place), case, text, seen, result, taxonomy)
    elif isinstance(mentions, str | list):
        listed = [mentions] if isinstance(mentions, str) else [m for m in mentions if m]
        _extend(lists, str(row.get("label") or path.stem), str(row.get("folder") or ""), listed)
    else:
        result.leave(place, "neither 'text' nor 'mentions'")


def _rows(
    path: PurePosixPath, content: bytes, result: Converted
) -> Iterator[tuple[int, dict[str, Any]]]:
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            yield from enumerate(pq.read_table(io.BytesIO(content)).to_pylist(), 1)
        except (pa.ArrowInvalid, OSError):
            result.leave(path, "no whole Parquet file")
        return
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if isinstance(row, dict):
            yield number, row
        else:
            result.leave(f"{path}:{number}", "no JSON object")


def _text(content: bytes) -> str | None:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


# --- judgments and statutes -----------------------------------------------------------------------


def _precedents(files: Iterable[Member], result: Converted, taxonomy: Taxonomy) -> None:
    """Take judgments: ``KIND/LEVEL/COURT_DATE_NUMBER.md`` with metadata, then ``## 판례내용``.

    Only the judgment itself is taken, not the publisher's summary of it.
    """
    for path, content in files:
        if path.suffix != ".md" or len(path.parts) < 3:
            continue
        document = _document(path, content, result)
        if document is None:
            continue
        about, body = document
        judgment = body.partition("\n## 판례내용\n")[2]
        if not judgment.strip():
            result.leave(path, "no 판례내용: only a summary is published")
            continue
        keys = {"kind": "사건종류", "level": "법원등급", "court": "법원명", "date": "선고일자"}
        row = {key: about.get(name, "") for key, name in keys.items()}
        title = about.get("사건명", "")
        result.add(
            "judgments.jsonl", {"id": path.stem, **row, "title": title, "text": judgment.strip()}
        )


def _statutes(files: Iterable[Member], result: Converted, taxonomy: Taxonomy) -> None:
    """Take statutes: ``kr/NAME/KIND.md`` with metadata; links and appendices' tables stay out."""
    for path, content in files:
        if path.suffix != ".md" or len(path.parts) < 2 or path.name == "README.md":
            continue
        document = _document(path, content, result)
        if document is not None:
            title = "/".join(path.parts[-2:]).removesuffix(".md")
            result.add("statutes.jsonl", {"title": title, "text": document[1].strip()})


def _document(
    path: PurePosixPath, content: bytes, result: Converted
) -> tuple[dict[str, str], str] | None:
    """Return the metadata and the body of a Markdown file; None, noted, where it has none."""
    text = _text(content)
    if text is None:
        result.leave(path, "not UTF-8")
        return None
    text = text.replace("\r\n", "\n")
    head, mark, body = text.removeprefix("---\n").partition("\n---\n")
    if not (text.startswith("---\n") and mark):
        result.leave(path, "no metadata at its head")
        return None
    if not body.strip():
        result.leave(path, "empty")
        return None
    pairs = (line.partition(": ") for line in head.split("\n") if line[:1].strip())
    return {key: value.strip().strip("'\"") for key, _, value in pairs}, body


_Converter = Callable[[Iterable[Member], Converted, Taxonomy], None]
_CONVERTERS: dict[Shape, _Converter] = {
    "thunder-deid": _thunder,
    "precedents": _precedents,
    "statutes": _statutes,
}
