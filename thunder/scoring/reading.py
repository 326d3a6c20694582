"""Gold documents and predictions from JSON lines, everything wrong with them listed at once.

Gold: ``{"id", "case_type", "text", "entities": [{"start", "end", "label"}]}``, each entity with
``entity`` (a key shared by the mentions of one) and ``written`` (the court's placeholder) where
they are known; the label "" is neither hit nor miss, and so is a name that the released annotations
give to no label (앞 노상: ``taxonomy/unmapped.yaml``). Predictions: what ``thunder deid`` writes
for JSON lines, its ``--audit``, or ``{"id", "entities": [{"start", "end", "label"}]}`` of any
system, with ``score`` and ``replacement`` where it has them, and ``characters`` or ``text``, by
which a prediction for another text is told.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thunder.scoring import messages as say
from thunder.scoring.documents import Gold, Prediction, Said, ScoringError, gold_of, misfit
from thunder.taxonomy import Taxonomy
from thunder.text.spans import IGNORED, Span, require_disjoint


class Row(NamedTuple):
    """One line of a file: where it stands, and the object in it."""

    place: str
    content: dict[str, Any]


def read_gold(path: Path, taxonomy: Taxonomy) -> list[Gold]:
    """Return the documents of *path*; ScoringError lists every line that is none."""
    found: dict[str, Gold] = {}
    problems: list[str] = []
    for row in _rows(path, problems):
        try:
            document = _gold(row.content, taxonomy)
            if document.id in found:
                raise ValueError(say.ID_TWICE())
            found[document.id] = document
        except (ValueError, LookupError) as error:
            problems.append(_problem(row, error))
    if not found and not problems:
        problems.append(say.NO_DOCUMENT(path=path))
    _refuse(problems)
    return list(found.values())


def read_predictions(
    path: Path, golds: Sequence[Gold], taxonomy: Taxonomy, *, only_predicted: bool = False
) -> dict[str, Prediction]:
    """Return the predictions of *path* by document, checked against the gold documents.

    ScoringError lists unknown and missing documents, documents that were held back, labels
    beside the taxonomy, overlapping spans, and predictions made for another text.
    *only_predicted* lets gold documents be missing: they are not to be scored then.
    """
    known = {gold.id: gold for gold in golds}
    problems: list[str] = []
    found: dict[str, Prediction] = {}
    rows = list(_rows(path, problems))
    for row in _documents(path, rows, problems):
        try:
            prediction = _checked(row.content, known, taxonomy)
            if prediction.id in found:
                raise ValueError(say.PREDICTED_TWICE())
            found[prediction.id] = prediction
        except (ValueError, LookupError) as error:
            problems.append(_problem(row, error))
    missing = [gold.id for gold in golds if gold.id not in found]
    if not problems and not only_predicted:
        problems += [say.NOT_PREDICTED(path=path, id=id_) for id_ in missing]
    if not problems and not found:
        problems.append(say.NO_PREDICTIONS(path=path))
    _refuse(problems)
    return found


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        raise ScoringError(problems)


def _problem(row: Row, error: Exception) -> str:
    """Return one line on what is wrong; the document is named, its words are not."""
    id_ = row.content.get("id")
    name = say.DOCUMENT(id=id_) if id_ else say.WITHOUT_ID()
    return f"{row.place}: {name}: {error}"


def _rows(path: Path, problems: list[str]) -> Iterator[Row]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            place = f"{path}:{number}"
            if not line.strip():
                continue
            try:
                content = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
            except ValueError:
                problems.append(say.NO_JSON(place=place))
                continue
            if isinstance(content, dict):
                yield Row(place, content)
            else:
                problems.append(say.NO_OBJECT(place=place))


def _gold(content: Mapping[str, Any], taxonomy: Taxonomy) -> Gold:
    text, case_type = content.get("text"), content.get("case_type", "")
    if not isinstance(text, str) or not isinstance(case_type, str):
        raise ValueError(say.STRINGS())
    entities = _entities(content, "entities")
    spans = [_span(_asked(entity, taxonomy), taxonomy) for entity in entities]
    return gold_of(
        _id(content),
        case_type,
        text,
        spans,
        entities=[_string(entity, "entity") for entity in entities],
        written=[_string(entity, "written") for entity in entities],
    )


def _asked(entity: dict[str, Any], taxonomy: Taxonomy) -> dict[str, Any]:
    """Return an entity of gold; LookupError with what to do where nobody knows its label."""
    label = entity.get("label")
    if not isinstance(label, str) or label == IGNORED:
        return entity
    if label in taxonomy.unmapped:
        return {**entity, "label": IGNORED}
    try:
        taxonomy.label(label)
    except LookupError as error:
        raise LookupError(say.UNKNOWN_LABEL(what=error.args[0])) from None
    return entity


def _documents(path: Path, rows: Sequence[Row], problems: list[str]) -> Iterator[Row]:
    """Yield the rows that are predictions: all, or those of an audit that say what was masked."""
    kinds = [row.content.get("record") for row in rows]
    if "run" in kinds and "end" not in kinds:
        problems.append(say.CUT_OFF(path=path))
    for row, kind in zip(rows, kinds, strict=True):
        if kind == "failure":
            id_, reason = row.content.get("id"), row.content.get("reason")
            problems.append(say.HELD_BACK(place=row.place, id=id_, reason=reason))
        elif kind == "document":
            yield Row(row.place, {**row.content, "entities": row.content.get("changes")})
        elif kind is None:
            yield row


def _checked(
    content: Mapping[str, Any], known: Mapping[str, Gold], taxonomy: Taxonomy
) -> Prediction:
    prediction = _prediction(content, taxonomy)
    if prediction.id not in known:
        raise LookupError(say.NOT_ASKED())
    if wrong := misfit(prediction, _said(content), known[prediction.id]):
        raise ValueError(wrong)
    return prediction


def _prediction(content: Mapping[str, Any], taxonomy: Taxonomy) -> Prediction:
    entities = sorted(_entities(content, "entities"), key=_start)
    spans = [_span(entity, taxonomy) for entity in entities]
    if any(span.label == IGNORED for span in spans):
        raise ValueError(say.NO_LABEL())
    require_disjoint(spans, length=2**62)
    forms = [entity["replacement"] for entity in entities if "replacement" in entity]
    if (forms and len(forms) < len(spans)) or not all(isinstance(form, str) for form in forms):
        raise ValueError(say.REPLACEMENT())
    has_scores = all("score" in entity for entity in entities)
    return Prediction(_id(content), tuple(spans), tuple(forms), has_scores)


def _start(entity: Mapping[str, Any]) -> int:
    start = entity.get("start")
    return start if isinstance(start, int) else -1


def _said(content: Mapping[str, Any]) -> Said:
    characters, text = content.get("characters"), content.get("text")
    if not isinstance(characters, int | None) or not isinstance(text, str | None):
        raise ValueError(say.SAID())
    return Said(characters, text)


def _id(content: Mapping[str, Any]) -> str:
    id_ = content.get("id")
    if isinstance(id_, bool) or not isinstance(id_, str | int) or id_ == "":
        raise ValueError(say.NEITHER_ID())
    return str(id_)


def _entities(content: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    entities = content.get(key)
    if not isinstance(entities, list) or not all(isinstance(one, dict) for one in entities):
        raise ValueError(say.LIST(key=key))
    return entities


def _span(entity: Mapping[str, Any], taxonomy: Taxonomy) -> Span:
    start, end, label = (entity.get(key) for key in ("start", "end", "label"))
    if type(start) is not int or type(end) is not int or not isinstance(label, str):
        raise ValueError(say.ENTITY())
    score = entity.get("score", 1.0)
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise ValueError(say.SCORE(start=start, end=end))
    name = label if label == IGNORED else taxonomy.label(label).ko
    return Span(start, end, name, float(score))


def _string(entity: Mapping[str, Any], key: str) -> str:
    value = entity.get(key, "")
    if not isinstance(value, str):
        raise ValueError(say.STRING(key=key))
    return value


def read_mentions(path: Path, taxonomy: Taxonomy) -> frozenset[str]:
    """Return the mentions in *path*: gold documents (.jsonl), or a list with one a line."""
    if path.suffix in (".jsonl", ".ndjson"):
        return mentions_of(read_gold(path, taxonomy))
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and line[0] != "#")


def mentions_of(golds: Iterable[Gold]) -> frozenset[str]:
    """Return the wordings of all mentions of some documents."""
    return frozenset(gold.text[span.start : span.end] for gold in golds for span in gold.spans)
