"""Annotated judgments read from files, one after the other; what cannot be used, with the reason.

Reasons name a place, never what stands there: a broken mark may have swallowed a mention.
"""

import json
import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from thunder.taxonomy import Taxonomy
from thunder.text.korean import require_encodable
from thunder.text.spans import IGNORED, Span
from thunder.training_data import messages as say
from thunder.training_data.annotation import Annotated, AnnotationError, meant, parse
from thunder.training_data.datasets.filling import LONGEST, Marked

UNSTATED = "unstated"
_JSON_LINES = (".jsonl", ".ndjson", ".jsonl.xz", ".ndjson.xz")
_TEXTS = (".txt",)


class LeftOut(NamedTuple):
    """A document that is not in the dataset: its id, where it stands, why, and where in it."""

    id: str
    file: str
    line: int
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        detail = f" ({self.detail})" if self.detail else ""
        place = f"{self.file}:{self.line}: " if self.file else ""
        return f"{place}{self.id}: {self.reason}{detail}"


@dataclass(frozen=True, slots=True)
class Terms:
    """What documents must be like, and how their labels are named.

    *names* is "release" where a label means what it means in the published annotations, and
    "taxonomy" where it is the taxonomy's own; a document may say so itself (field ``names``).
    """

    taxonomy: Taxonomy
    longest: int = LONGEST
    names: str = "release"

    def __post_init__(self) -> None:
        _require_names(self.names)
        if not 1 <= self.longest <= LONGEST:
            raise ValueError(say.LONGEST_DOCUMENT(most=LONGEST))


def read(files: Iterable[Path], terms: Terms) -> Iterator[Marked | LeftOut]:
    """Yield every document of *files* as a judgment with canonical labels, or as left out.

    A line of JSON holds the texts ``id`` and ``text`` and, if known, ``case_type`` (or ``kind``);
    a text file is one document under its name. ValueError for a file of another kind.
    """
    seen: set[str] = set()
    for path in files:
        kind = kind_of(path)
        for line, content in _lines(path) if kind == "lines" else [(1, path.read_bytes())]:
            found = _document(content, path, line, kind, terms)
            if found.id in seen:
                found = LeftOut(found.id, path.name, line, "an id used before")
            elif isinstance(found, Marked):
                seen.add(found.id)
            yield found


def kind_of(path: Path) -> str:
    """Return "lines" or "text", by the suffix; ValueError names those that are known."""
    name = path.name.lower()
    if name.endswith(_JSON_LINES):
        return "lines"
    if name.endswith(_TEXTS):
        return "text"
    known = ", ".join((*_JSON_LINES, *_TEXTS))
    raise ValueError(say.NOT_ANNOTATED(path=path, known=known))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    opened = lzma.open if path.suffix.lower() == ".xz" else open
    with opened(path, "rb") as file:
        try:
            yield from ((at, line) for at, line in enumerate(file, 1) if line.strip())
        except (lzma.LZMAError, EOFError) as error:
            raise ValueError(say.CUT_SHORT(path=path, why=error)) from None


def _document(content: bytes, path: Path, line: int, kind: str, terms: Terms) -> Marked | LeftOut:
    """Return one document; whatever is wrong with it leaves it out, under the id it has."""
    name = path.stem if kind == "text" else f"line {line}"
    try:
        record = _record(content) if kind == "lines" else {"id": name, "text": content.decode()}
        name = _text(record, "id")
        require_encodable(name)
        return _marked(record, terms)
    except UnicodeDecodeError as error:
        return LeftOut(name, path.name, line, "not UTF-8", f"byte {error.start + 1}")
    except _Unusable as error:
        return LeftOut(name, path.name, line, error.reason, error.detail)
    except ValueError:  # of require_encodable, which names a place and no more is needed
        return LeftOut(name.encode(errors="replace").decode(), path.name, line, _SURROGATE)


_SURROGATE = "half a character (a lone surrogate)"


class _Unusable(Exception):
    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


def _record(content: bytes) -> dict[str, Any]:
    try:
        record = json.loads(content.decode().rstrip())
    except json.JSONDecodeError as error:
        raise _Unusable("not JSON", f"column {error.colno}") from None
    except RecursionError:
        raise _Unusable("not JSON", "nested too deeply") from None
    if not isinstance(record, dict):
        raise _Unusable("not a JSON object")
    return record


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str) or (key == "id" and not value):
        raise _Unusable(f"no text under '{key}'")
    return value


def _marked(record: dict[str, Any], terms: Terms) -> Marked:
    text = _text(record, "text")
    require_encodable(text)
    if not text.strip():
        raise _Unusable("an empty document")
    if len(text) > terms.longest:
        raise _Unusable(f"longer than {terms.longest:,} characters", f"{len(text):,}")
    annotated = _parsed(text, terms.taxonomy)
    if not annotated.text.strip():
        raise _Unusable("an empty document")
    names = record.get("names", terms.names)
    spans = _canonical(annotated, terms.taxonomy, names=str(names))
    return Marked(_text(record, "id"), _case_type(record), annotated.text, spans)


def _case_type(record: dict[str, Any]) -> str:
    found = record.get("case_type") or record.get("kind") or UNSTATED
    if not isinstance(found, str):
        raise _Unusable("no text under 'case_type'")
    require_encodable(found)
    return found


def _parsed(text: str, taxonomy: Taxonomy) -> Annotated:
    try:
        return parse(text, taxonomy=taxonomy)
    except AnnotationError as error:
        unknown = [one for one in error.problems if one.reason == say.NO_LABEL()]
        broken = [one for one in error.problems if one not in unknown]
        shown = broken or unknown
        places = ", ".join(f"line {one.line} column {one.column}" for one in shown[:3])
        more = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
        reason = "unbalanced or broken marks" if broken else "an unknown label"
        raise _Unusable(reason, f"at {places}{more}") from None


def _canonical(annotated: Annotated, taxonomy: Taxonomy, *, names: str) -> tuple[Span, ...]:
    """Return the spans under the taxonomy's names, IGNORED where a name stands for no label."""
    try:
        _require_names(names)
    except ValueError:
        raise _Unusable("'names' is neither 'release' nor 'taxonomy'") from None
    return tuple(
        replace(span, label=_label(annotated.text, span, taxonomy, names))
        for span in annotated.spans
    )


def _label(text: str, span: Span, taxonomy: Taxonomy, names: str) -> str:
    if span.label in taxonomy.unmapped:
        return IGNORED
    label = meant(text, span, taxonomy) if names == "release" else taxonomy.label(span.label)
    return label.ko if label else IGNORED


def _require_names(names: str) -> None:
    if names not in ("release", "taxonomy"):
        raise ValueError(say.NAMES_OF(names=names))
