"""How much of what should be masked was masked: by characters, by mentions, by documents."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from thunder.text.spans import Span, require_disjoint
from thunder.training_data.filling import IGNORED


@dataclass(frozen=True, slots=True)
class Scored:
    """One document's spans: those that should be masked and those that were.

    *gold* spans labelled IGNORED are neither hit nor miss; what was recognised and kept is no
    prediction. Offsets are code points of a text of *length* characters, which is not kept.
    """

    length: int
    gold: tuple[Span, ...]
    predicted: tuple[Span, ...]

    def __post_init__(self) -> None:
        require_disjoint(self.gold, length=self.length)
        require_disjoint(self.predicted, length=self.length)


@dataclass(frozen=True, slots=True)
class Counts:
    """Characters masked rightly, masked beside the gold, and missed."""

    hits: int = 0
    extra: int = 0
    missed: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.hits + other.hits, self.extra + other.extra, self.missed + other.missed)

    @property
    def precision(self) -> float:
        return share(self.hits, self.hits + self.extra)

    @property
    def recall(self) -> float:
        return share(self.hits, self.hits + self.missed)

    @property
    def f1(self) -> float:
        return share(2 * self.hits, 2 * self.hits + self.extra + self.missed)


@dataclass(frozen=True, slots=True)
class Mentions:
    """How many mentions there were, were masked whole, and were masked with the very span."""

    number: int = 0
    whole: int = 0
    exact: int = 0

    def __add__(self, other: "Mentions") -> "Mentions":
        return Mentions(
            self.number + other.number, self.whole + other.whole, self.exact + other.exact
        )


@dataclass(frozen=True, slots=True)
class Report:
    """The sums over some documents; ``by_group`` asks for the right group as well.

    ``binary`` only asks whether a character was masked, ``covered`` says so for each gold group
    (hits and missed), ``typed`` is the micro average of ``by_group``. ``clean`` documents leak
    no character.
    """

    documents: int
    clean: int
    binary: Counts
    typed: Counts
    by_group: Mapping[str, Counts]
    covered: Mapping[str, Counts]
    mentions: Mapping[str, Mentions]

    @property
    def all_mentions(self) -> Mentions:
        return sum(self.mentions.values(), Mentions())


def measure(documents: Iterable[Scored], *, group: Callable[[str], str] = str) -> Report:
    """Return the sums over *documents*; *group* maps a label to what the tables go by."""
    confusion: Counter[tuple[str | None, str | None]] = Counter()
    mentions: dict[str, Mentions] = {}
    number = clean = 0
    for document in documents:
        pairs = _pairs(document, group)
        confusion.update(pairs)
        number += 1
        clean += not any(predicted is None and gold is not None for gold, predicted in pairs)
        for name, counted in _mentions(document, group):
            mentions[name] = mentions.get(name, Mentions()) + counted
    return _report(number, clean, confusion, mentions)


def _pairs(document: Scored, group: Callable[[str], str]) -> Counter[tuple[str | None, str | None]]:
    """Count the characters by gold and predicted group, None outside; ignored ones not at all."""
    gold = labels_of(document.length, document.gold)
    predicted = labels_of(document.length, document.predicted)
    pairs: Counter[tuple[str | None, str | None]] = Counter()
    for (one, other), count in Counter(zip(gold, predicted, strict=True)).items():
        if one != IGNORED and (one is not None or other is not None):
            pairs[one and group(one), other and group(other)] += count
    return pairs


def labels_of(length: int, spans: Iterable[Span]) -> list[str | None]:
    labels: list[str | None] = [None] * length
    for span in spans:
        labels[span.start : span.end] = [span.label] * len(span)
    return labels


def _mentions(document: Scored, group: Callable[[str], str]) -> Iterator[tuple[str, Mentions]]:
    masked = labels_of(document.length, document.predicted)
    ignored = [span for span in document.gold if span.label == IGNORED]
    places = {(span.start, span.end) for span in without_ignored(ignored, document.predicted)}
    for span in document.gold:
        if span.label != IGNORED:
            whole = None not in masked[span.start : span.end]
            exact = (span.start, span.end) in places
            yield group(span.label), Mentions(1, int(whole), int(exact))


def without_ignored(ignored: Sequence[Span], spans: Iterable[Span]) -> Iterator[Span]:
    """Yield *spans* with their ignored ends cut off, those that lie in an ignored one left out."""
    for span in spans:
        start, end = span.start, span.end
        for other in ignored:
            if other.start <= start < other.end:
                start = other.end
            if other.start < end <= other.end:
                end = other.start
        if start < end:
            yield replace(span, start=start, end=end)


def _report(
    number: int,
    clean: int,
    confusion: Mapping[tuple[str | None, str | None], int],
    mentions: Mapping[str, Mentions],
) -> Report:
    by_group: dict[str, Counts] = {}
    covered: dict[str, Counts] = {}
    binary = Counts()
    for (gold, predicted), count in confusion.items():
        hit = Counts(hits=count) if gold == predicted else Counts()
        if gold is not None:
            seen = Counts(missed=count) if predicted is None else Counts(hits=count)
            _add(covered, gold, seen)
            _add(by_group, gold, hit if gold == predicted else Counts(missed=count))
        if predicted is not None and gold != predicted:
            _add(by_group, predicted, Counts(extra=count))
        binary += _binary(gold, predicted, count)
    typed = sum(by_group.values(), Counts())
    return Report(number, clean, binary, typed, by_group, covered, dict(mentions))


def _binary(gold: str | None, predicted: str | None, count: int) -> Counts:
    if gold is None:
        return Counts(extra=count)
    return Counts(missed=count) if predicted is None else Counts(hits=count)


def _add(totals: dict[str, Counts], name: str, counts: Counts) -> None:
    totals[name] = totals.get(name, Counts()) + counts


def share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def beside(document: Scored) -> list[Span]:
    """Return the predicted spans that touch neither a gold span nor an ignored one."""
    gold = labels_of(document.length, document.gold)
    return [
        span
        for span in document.predicted
        if all(label is None for label in gold[span.start : span.end])
    ]
