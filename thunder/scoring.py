"""How much of what should be masked was masked: by characters, by mentions, by documents."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from thunder.replacement import IGNORED
from thunder.spans import Span, require_disjoint


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
        return _share(self.hits, self.hits + self.extra)

    @property
    def recall(self) -> float:
        return _share(self.hits, self.hits + self.missed)

    @property
    def f1(self) -> float:
        return _share(2 * self.hits, 2 * self.hits + self.extra + self.missed)


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
    gold = _labels(document.length, document.gold)
    predicted = _labels(document.length, document.predicted)
    pairs: Counter[tuple[str | None, str | None]] = Counter()
    for (one, other), count in Counter(zip(gold, predicted, strict=True)).items():
        if one != IGNORED and (one is not None or other is not None):
            pairs[one and group(one), other and group(other)] += count
    return pairs


def _labels(length: int, spans: Iterable[Span]) -> list[str | None]:
    labels: list[str | None] = [None] * length
    for span in spans:
        labels[span.start : span.end] = [span.label] * len(span)
    return labels


def _mentions(document: Scored, group: Callable[[str], str]) -> Iterator[tuple[str, Mentions]]:
    masked = _labels(document.length, document.predicted)
    ignored = [span for span in document.gold if span.label == IGNORED]
    places = {(span.start, span.end) for span in _without(ignored, document.predicted)}
    for span in document.gold:
        if span.label != IGNORED:
            whole = None not in masked[span.start : span.end]
            exact = (span.start, span.end) in places
            yield group(span.label), Mentions(1, int(whole), int(exact))


def _without(ignored: Sequence[Span], spans: Iterable[Span]) -> Iterator[Span]:
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


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def leaking(document: Scored) -> list[Span]:
    """Return the gold spans of which a character stays readable."""
    masked = _labels(document.length, document.predicted)
    return [
        span
        for span in document.gold
        if span.label != IGNORED and None in masked[span.start : span.end]
    ]


def beside(document: Scored) -> list[Span]:
    """Return the predicted spans that touch neither a gold span nor an ignored one."""
    gold = _labels(document.length, document.gold)
    return [
        span
        for span in document.predicted
        if all(label is None for label in gold[span.start : span.end])
    ]


# --- tables -------------------------------------------------------------------------------------


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; shares are written with four places, whole numbers with commas."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1)]
    lines += [[_cell(value) for value in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def summary(reports: Mapping[str, Report]) -> str:
    """Return a row a report: scores by characters, whole mentions, documents without a leak."""
    header = ("", "P", "R", "F1", "typed F1", "whole", "exact", "no leak", "documents", "mentions")
    return table(header, ([name, *_summary(report)] for name, report in reports.items()))


def _summary(report: Report) -> list[object]:
    binary, mentions = report.binary, report.all_mentions
    return [
        *(binary.precision, binary.recall, binary.f1, report.typed.f1),
        _share(mentions.whole, mentions.number),
        _share(mentions.exact, mentions.number),
        _share(report.clean, report.documents),
        report.documents,
        mentions.number,
    ]


def groups(report: Report, *, top: int | None = None) -> str:
    """Return a row a group, the most frequent first: masked at all, and with the right group."""
    header = ("", "masked", "P", "R", "F1", "whole", "exact", "mentions")
    names = sorted(report.by_group, key=lambda name: (-_mentioned(report, name), name))
    return table(header, (_group(report, name) for name in names[:top]))


def _mentioned(report: Report, name: str) -> int:
    return report.mentions.get(name, Mentions()).number


def _group(report: Report, name: str) -> list[object]:
    typed, mentions = report.by_group[name], report.mentions.get(name, Mentions())
    return [
        name,
        report.covered[name].recall if name in report.covered else "–",
        typed.precision if typed.hits + typed.extra else "–",
        typed.recall if typed.hits + typed.missed else "–",
        typed.f1,
        _share(mentions.whole, mentions.number),
        _share(mentions.exact, mentions.number),
        mentions.number,
    ]


def leaks(report: Report, *, top: int = 20) -> str:
    """Return the groups that leak the most mentions: not masked whole, under whatever label."""
    by_leaks = sorted(report.mentions.items(), key=lambda item: item[1].whole - item[1].number)
    rows = (
        [name, found.number - found.whole, found.number, report.covered[name].missed]
        for name, found in by_leaks[:top]
        if found.number > found.whole
    )
    return table(("", "leaking mentions", "of", "characters"), rows)


# --- the round trip -----------------------------------------------------------------------------


class Masking(NamedTuple):
    """A span of the unmasked text and what was written for it, '' as label where it is free.

    *entity* tells apart what shares a written form without being one (a filler letter).
    """

    span: Span
    written: str
    entity: str = ""


class Difference(NamedTuple):
    """One way in which two maskings differ, the label (the court's, if it has one) and place."""

    kind: str
    label: str
    start: int
    end: int


SPELLING = "spelling"
"""The kind of difference that lies in the brackets and spaces of an omission only."""

FORM = "form"
"""The kind of difference between a letter and an omission, or two names of an omission."""

_NUMBER = re.compile(r"[0-9]+")
_FRAME = re.compile(r"[\s()（）\[\]]+")


def same_up_to_letters(court: Sequence[Masking], ours: Sequence[Masking]) -> tuple[Difference, ...]:
    """Return what distinguishes *ours* from the *court*'s masking of one text, nothing if equal.

    Equal means: the same stretches are masked, the same entities share a letter, under any
    one-to-one renaming of letters and of the numbers of omissions. Kinds: missed, extra,
    boundary, split (one entity of theirs has two names with us), merged, FORM and
    SPELLING. What the court's spans labelled IGNORED
    hold may be masked or not.
    """
    free = [masking.span for masking in court if masking.span.label == IGNORED]
    theirs = [masking for masking in court if masking.span.label != IGNORED]
    trimmed = [
        masking._replace(span=span) for masking in ours for span in _without(free, [masking.span])
    ]
    at = {(masking.span.start, masking.span.end): masking for masking in trimmed}
    pairs = [
        (masking, at[place])
        for masking in theirs
        if (place := (masking.span.start, masking.span.end)) in at
    ]
    return (*_misplaced(theirs, trimmed, pairs), *_misnamed(pairs))


def _misplaced(
    theirs: Sequence[Masking], ours: Sequence[Masking], pairs: Sequence[tuple[Masking, Masking]]
) -> Iterator[Difference]:
    paired = {(masking.span.start, masking.span.end) for masking, _ in pairs}
    masked = _starts(ours)
    for masking in theirs:
        if (masking.span.start, masking.span.end) not in paired:
            yield _difference("boundary" if _touches(masking.span, masked) else "missed", masking)
    marked = _starts(theirs)
    for masking in ours:
        if not _touches(masking.span, marked):
            yield _difference("extra", masking)


def _starts(maskings: Iterable[Masking]) -> set[int]:
    return {place for masking in maskings for place in range(masking.span.start, masking.span.end)}


def _touches(span: Span, places: set[int]) -> bool:
    return any(place in places for place in range(span.start, span.end))


def _misnamed(pairs: Sequence[tuple[Masking, Masking]]) -> Iterator[Difference]:
    ours_for: dict[tuple[str, str], str] = {}
    theirs_for: dict[str, tuple[str, str]] = {}
    for their, our in pairs:
        their_name, our_name = _frameless(their.written), _frameless(our.written)
        if _kind(their_name) != _kind(our_name):
            yield _difference(FORM, their)
            continue
        entity = (their.entity, their_name)
        if ours_for.setdefault(entity, our_name) != our_name:
            yield _difference("split", their)
        elif theirs_for.setdefault(our_name, entity) != entity:
            yield _difference("merged", their)
        elif _NUMBER.sub("", their.written) != _NUMBER.sub("", our.written) and _kind(their_name):
            yield _difference(SPELLING, their)


def _difference(kind: str, masking: Masking) -> Difference:
    span = masking.span
    return Difference(kind, span.label, span.start, span.end)


def _frameless(written: str) -> str:
    return _FRAME.sub("", written)


def _kind(written: str) -> str:
    """Return the name of an omission without its number, '' for a letter."""
    return _NUMBER.sub("", written) if written.endswith("생략") else ""
