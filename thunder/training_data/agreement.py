"""Two annotators of the same texts: how far they agree, what differs, and one set out of both.

Thunder-DeID paper, sections 3.2 and 3.3: labels are reviewed for consistency among annotators, and
what they disagree on is resolved. Who resolves fills the column ``decision`` of the table of
differences: 1 or 2 for an annotator's mark, 0 for none, or the name of a label.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.training_data import messages as say
from thunder.training_data.annotation import Annotated, AnnotationError, read_jsonl

_Name = TypeVar("_Name", str, bool)
Kind = Literal["label", "edges", "only 1", "only 2"]
COLUMNS = (
    "id",
    "kind",
    "start1",
    "end1",
    "label1",
    "start2",
    "end2",
    "label2",
    "context",
    "decision",
)
_AROUND = 20  # characters of context


class AgreementError(ValueError):
    """Sets that cannot be compared, or decisions that are missing or make no sense."""


class Difference(NamedTuple):
    """One place that the annotators marked differently; None where one marked nothing."""

    id: str
    kind: Kind
    first: Span | None
    second: Span | None

    @property
    def start(self) -> int:
        """Where it begins."""
        return min(span.start for span in (self.first, self.second) if span)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two sets agree. *labels* counts the pairs of labels of marks at the same place.

    *characters* counts characters by whether the first and the second marked them.
    """

    documents: int
    spans: tuple[int, int]
    labels: Mapping[tuple[str, str], int]
    characters: Mapping[tuple[bool, bool], int]
    differences: tuple[Difference, ...]

    @property
    def place_f1(self) -> float | None:
        """F1 of one set against the other by exact place, whatever the label."""
        return _f1(sum(self.labels.values()), self.spans)

    @property
    def span_f1(self) -> float | None:
        """F1 of one set against the other by exact place and label."""
        same = sum(count for (one, other), count in self.labels.items() if one == other)
        return _f1(same, self.spans)

    @property
    def label_kappa(self) -> float | None:
        """Cohen's kappa of the labels of marks at the same place."""
        return _kappa(self.labels)

    @property
    def character_kappa(self) -> float | None:
        """Cohen's kappa of whether a character is marked."""
        return _kappa(self.characters)


def _f1(same: int, numbers: tuple[int, int]) -> float | None:
    return 2 * same / sum(numbers) if sum(numbers) else None


def _kappa(pairs: Mapping[tuple[_Name, _Name], int]) -> float | None:
    """Return Cohen's kappa; None where there is nothing, or chance alone explains all of it."""
    total = sum(pairs.values())
    if not total:
        return None
    first: Counter[_Name] = Counter()
    second: Counter[_Name] = Counter()
    for (one, other), count in pairs.items():
        first[one] += count
        second[other] += count
    seen = sum(count for (one, other), count in pairs.items() if one == other) / total
    chance = sum(first[name] * second[name] for name in first) / total**2
    return None if chance == 1 else (seen - chance) / (1 - chance)


def read(path: Path, taxonomy: Taxonomy) -> dict[str, Annotated]:
    """Return the documents of a JSONL by id, labels by the taxonomy's names; AgreementError."""
    found: dict[str, Annotated] = {}
    for name, document in read_jsonl(path, taxonomy=taxonomy):
        if isinstance(document, AnnotationError):
            raise AgreementError(f"{path}: {name}: {document.problems[0]}")
        found[name] = document.canonical(taxonomy)
    return found


def compare(first: Mapping[str, Annotated], second: Mapping[str, Annotated]) -> Agreement:
    """Return how far two sets agree; AgreementError where they are not of the same texts."""
    alone = sorted(set(first) ^ set(second))
    if alone:
        shown = ", ".join(alone[:5]) + (" …" if len(alone) > 5 else "")
        raise AgreementError(say.IN_ONE_SET(number=len(alone), names=shown))
    other = [name for name in first if first[name].text != second[name].text]
    if other:
        raise AgreementError(say.OTHER_TEXT(names=", ".join(other[:5])))
    labels: Counter[tuple[str, str]] = Counter()
    characters: Counter[tuple[bool, bool]] = Counter()
    differences: list[Difference] = []
    for name, one in first.items():
        two = second[name]
        places = {(span.start, span.end): span.label for span in two.spans}
        for span in one.spans:
            if (label := places.get((span.start, span.end))) is not None:
                labels[span.label, label] += 1
        characters.update(_characters(one, two))
        differences += _differences(name, one.spans, two.spans)
    numbers = [sum(len(one.spans) for one in side.values()) for side in (first, second)]
    return Agreement(len(first), (numbers[0], numbers[1]), labels, characters, tuple(differences))


def _characters(first: Annotated, second: Annotated) -> Counter[tuple[bool, bool]]:
    one, two = (
        {at for span in document.spans for at in range(span.start, span.end)}
        for document in (first, second)
    )
    both = len(one & two)
    found = {(True, True): both, (True, False): len(one) - both, (False, True): len(two) - both}
    return Counter({**found, (False, False): len(first.text) - sum(found.values())})


def _differences(name: str, first: Sequence[Span], second: Sequence[Span]) -> Iterator[Difference]:
    """Yield what differs in one document, in order of its places."""
    mine = [span for span in first if span not in second]
    theirs = [span for span in second if span not in first]
    found: list[Difference] = []
    for span in mine:
        near = [one for one in theirs if one.start < span.end and span.start < one.end]
        if not near:
            found.append(Difference(name, "only 1", span, None))
            continue
        best = max(near, key=lambda one: min(one.end, span.end) - max(one.start, span.start))
        theirs.remove(best)
        same = (best.start, best.end) == (span.start, span.end)
        found.append(Difference(name, "label" if same else "edges", span, best))
    found += [Difference(name, "only 2", None, span) for span in theirs]
    yield from sorted(found, key=lambda one: one.start)


def table(differences: Iterable[Difference], texts: Mapping[str, Annotated]) -> str:
    """Return differences as TSV with a little of the text around them, for who decides."""
    lines = StringIO()
    writer = csv.writer(lines, delimiter="\t", lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in differences:
        cells = [cell for span in (one.first, one.second) for cell in _cells(span)]
        writer.writerow([one.id, one.kind, *cells, _context(one, texts[one.id].text), ""])
    return lines.getvalue()


def _cells(span: Span | None) -> tuple[str, str, str]:
    return (str(span.start), str(span.end), span.label) if span else ("", "", "")


def _context(one: Difference, text: str) -> str:
    spans = [span for span in (one.first, one.second) if span]
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    pieces = text[max(start - _AROUND, 0) : start], text[start:end], text[end : end + _AROUND]
    before, inside, after = (" ".join(piece.split()) for piece in pieces)
    return f"{before}【{inside}】{after}"


def decisions(path: Path) -> dict[tuple[str, ...], str]:
    """Return what was decided of each difference, by its cells; AgreementError."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    if not rows or tuple(rows[0]) != COLUMNS:
        raise AgreementError(say.NO_TABLE_OF_DIFFERENCES(place=path))
    found = {}
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(COLUMNS):
            wanted = len(COLUMNS)
            place = f"{path}:{number}"
            raise AgreementError(say.COLUMNS_OF_ROW(place=place, found=len(row), wanted=wanted))
        found[tuple(row[:8])] = row[9].strip()
    return found


def adjudicated(
    first: Mapping[str, Annotated],
    second: Mapping[str, Annotated],
    decided: Mapping[tuple[str, ...], str],
    taxonomy: Taxonomy,
) -> dict[str, Annotated]:
    """Return one set: what both marked, and of what differs what was decided.

    AgreementError lists what is not decided, and decisions that are none.
    """
    spans = {name: set(one.spans) & set(second[name].spans) for name, one in first.items()}
    problems = []
    for one in compare(first, second).differences:
        cells = [cell for span in (one.first, one.second) for cell in _cells(span)]
        decision = decided.get((one.id, one.kind, *cells), "")
        try:
            chosen = _chosen(one, decision, taxonomy)
        except ValueError as error:
            problems.append(say.AT_CHARACTER(id=one.id, start=one.start, why=error))
            continue
        if chosen:
            spans[one.id].add(chosen)
    made = {}
    for name, document in first.items():
        try:
            made[name] = Annotated(document.text, tuple(sorted(spans[name])))
        except ValueError as error:
            problems.append(say.DECISIONS_OVERLAP(id=name, why=error))
    if problems:
        more = [say.MORE_PROBLEMS(number=len(problems) - 20)] if len(problems) > 20 else []
        raise AgreementError("\n".join([*problems[:20], *more]))
    return made


def _chosen(one: Difference, decision: str, taxonomy: Taxonomy) -> Span | None:
    if decision == "0":
        return None
    if decision in ("1", "2"):
        return one.first if decision == "1" else one.second
    if not decision:
        raise ValueError(say.UNDECIDED())
    label = taxonomy.resolve(decision) if taxonomy.knows(decision) else None
    place = one.first or one.second
    if label is None or place is None:
        raise ValueError(say.NO_DECISION(decision=decision))
    return Span(place.start, place.end, label.ko)
