"""Whole public judgments read from files, annotated, and kept or left out with the reason."""

import json
import lzma
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from thunder.settings import resources
from thunder.text.korean import require_encodable
from thunder.training_data import messages as say
from thunder.training_data.annotation import serialise
from thunder.training_data.placeholders.annotating import annotate
from thunder.training_data.placeholders.record import Found
from thunder.training_data.placeholders.unmasked import COMPANY_LEFT
from thunder.training_data.placeholders.writing import written
from thunder.workers import Died, in_order

LEAST = 0.5
"""How sure every label of a judgment must be for the judgment to be kept.

Of the labels below it, four in twelve that were read were wrong: a restaurant ‘OOOO’ as a person.
"""

REPEATED, EMPTY, MARKED = "id used before", "empty", "marks in the text"
NOTHING, UNSURE = "no placeholder", "unsure label"
LONGEST = 2_000_000
TOO_LONG = f"longer than {LONGEST:,} characters"


class Document(NamedTuple):
    """A judgment as it was read: id, kind of case (민사 …), text; whether its id was read "
    "before."""

    id: str
    kind: str
    text: str
    repeated: bool = False


class Terms(NamedTuple):
    """When a judgment is kept: the least score of a label, and what becomes of open companies.

    With *companies* the names of companies that the court left are marked like placeholders and
    filled with others; without it such a judgment is left out. *taxonomy* is one's own, in each
    process.
    """

    least: float = LEAST
    companies: bool = False
    taxonomy: Path | None = None


class Outcome(NamedTuple):
    """What became of a judgment: its row, or why it is left out; and its spans for the counts.

    ``spans`` are (label, style, score) of each; ``unsure`` are the labels in doubt.
    """

    id: str
    kind: str
    characters: int
    reasons: tuple[str, ...]
    row: dict[str, Any] | None
    spans: tuple[tuple[str, str, float], ...]
    unsure: tuple[str, ...] = ()


def read(paths: Iterable[Path]) -> Iterator[Document]:
    """Yield the judgments of JSON-lines files, packed with xz or not, in their order.

    ValueError names the file and the line of a row that is no JSON object with the texts ``id``
    and ``text``; nothing is passed over but blank lines.
    """
    seen: set[str] = set()
    for path in paths:
        for number, line in _lines(path):
            document = _document(line, f"{path}:{number}")
            yield document._replace(repeated=document.id in seen)
            seen.add(document.id)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    opened = lzma.open if path.suffix.lower() == ".xz" else open
    try:
        with opened(path, "rb") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(say.NO_WHOLE_XZ(path=path, why=error)) from None


def _document(line: bytes, place: str) -> Document:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(say.NOT_UTF8_AT(place=place, byte=error.start + 1)) from None
    except (json.JSONDecodeError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            said = say.NO_JSON_LINE_AT(place=place, column=error.colno)
        else:
            said = say.NO_JSON_LINE(place=place)
        raise ValueError(said) from None
    if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in _NEEDED):
        raise ValueError(say.NO_JUDGMENT(place=place))
    try:
        require_encodable(row["id"] + row["text"])
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    kind = row.get("kind") or row.get("case_type")
    return Document(row["id"], kind if isinstance(kind, str) else "", row["text"])


_NEEDED = ("id", "text")


def run(documents: Iterable[Document], terms: Terms, *, workers: int = 1) -> Iterator[Outcome]:
    """Yield what becomes of each of *documents*, in their order, whatever the *workers*.

    ValueError names the document whose process died.
    """
    work = partial(outcome, terms=terms)
    if workers <= 1:
        yield from map(work, documents)
        return
    for document, answer in in_order(
        *(documents, partial(map, work)),
        workers=workers,
        sent=lambda one: one,
        cost=lambda one: len(one.text),
    ):
        if isinstance(answer, Died):
            raise ValueError(say.READER_ENDED(id=document.id, why=answer))
        yield answer


def outcome(document: Document, *, terms: Terms) -> Outcome:
    """Return the row of one judgment, or every reason why it is left out."""
    resources.choose_taxonomy(terms.taxonomy)
    early = _unreadable(document)
    if early:
        return Outcome(document.id, document.kind, len(document.text), (early,), None, ())
    found = annotate(document.text, id=document.id, kind=document.kind, companies=terms.companies)
    reasons = reasons_against(found, terms)
    spans = tuple((span.label, span.source.rpartition(":")[2], span.score) for span in found.spans)
    row = None if reasons else _row(document, found)
    unsure = tuple(sorted({label for label, _, score in spans if score < terms.least}))
    return Outcome(document.id, document.kind, len(document.text), reasons, row, spans, unsure)


def _unreadable(document: Document) -> str:
    if document.repeated:
        return REPEATED
    if not document.text.strip():
        return EMPTY
    if len(document.text) > LONGEST:
        return TOO_LONG
    return MARKED if "<<<" in document.text or ">>>" in document.text else ""


def reasons_against(found: Found, terms: Terms) -> tuple[str, ...]:
    """Return why a judgment is left out: no placeholder, unmasked names, a label in doubt."""
    reasons = {doubt.reason for doubt in found.doubts}
    if terms.companies:
        reasons.discard(COMPANY_LEFT)
    if not found.spans:
        reasons.add(NOTHING)
    if any(span.score < terms.least for span in found.spans):
        reasons.add(UNSURE)
    return tuple(sorted(reasons))


def _row(document: Document, found: Found) -> dict[str, Any]:
    marked = written(found)
    return {
        "id": document.id,
        "case_type": document.kind,
        "names": "taxonomy",  # 공사 means the taxonomy's 공사, not the published annotations'
        "text": serialise(marked),
        "entities": list(found.entities),
        "scores": [span.score for span in found.spans],
    }
