"""What a page shows of a result: disjoint stretches with their looks, before and after."""

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass, replace

from thunder.masking.audit import Catalogue
from thunder.masking.checks import is_hard
from thunder.masking.doubts import DOUBTFUL, UNSURE, Doubt
from thunder.masking.records import Deidentified
from thunder.text.spans import Change

_CHECK = "check"
_TREATMENTS = {"letter": "글자로 바꿈", "omission": "생략 표시", "address": "시·군·구 뒤를 줄임"}


def looks_of(subcategory: int) -> str:
    """Return the classes of a change by its subcategory's place: a colour and an underline."""
    return f"change c{subcategory} u{subcategory % 4}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch to be shown: where it stands before and after, its looks, and what is said of it.

    ``facts`` are shown when it is chosen: ``what``, ``swap``, ``score``, ``source``, ``doubt`` and
    its ``kind``.
    """

    start: int
    end: int
    new_start: int
    new_end: int
    kinds: tuple[str, ...]
    facts: dict[str, str]

    def doubted(self, doubt: Doubt) -> "Mark":
        """Return the same mark with a doubt."""
        said = self.facts.get("doubt")
        message = doubt.message
        if said and message not in said:
            message = f"{said} {message}"
        kinds = self.kinds if "doubt" in self.kinds else (*self.kinds, "doubt")
        kind = _CHECK if self.facts.get("kind") == _CHECK else _kind_of(doubt)
        return replace(self, kinds=kinds, facts={**self.facts, "doubt": message, "kind": kind})


def _kind_of(doubt: Doubt) -> str:
    """Return the group that the page shows a doubt in: all hard checks are one."""
    return _CHECK if is_hard(doubt) and doubt.kind != "open" else doubt.kind


def marks(result: Deidentified, known: Catalogue) -> list[Mark]:
    """Return what is to be shown of *result*: disjoint, in order of the text.

    Changes, then kept spans beside them; a doubt marks those it touches, and what it covers of
    the text between them.
    """
    subs = [sub.ko for sub in known.taxonomy.subcategories]
    layer = _Layer([_change_mark(change, result, known, subs) for change in result.changes])
    for kept in result.kept:
        start, end = kept.span.start, kept.span.end
        if layer.gaps(start, end) == [(start, end)]:
            layer.add(start, end, "kept", {"what": f"남긴 정보: {kept.span.label} ({kept.reason})"})
    for doubt in result.doubts:
        for at in layer.touched(doubt.start, doubt.end):
            layer.marks[at] = layer.marks[at].doubted(doubt)
        for start, end in layer.gaps(doubt.start, doubt.end):
            layer.add(start, end, "doubt", _facts_of(doubt))
    return [_doubted_by_score(mark) for mark in layer.marks]


def _facts_of(doubt: Doubt) -> dict[str, str]:
    facts = {"what": "가리지 않은 곳", "doubt": doubt.message, "kind": _kind_of(doubt)}
    return facts if doubt.score is None else {**facts, "score": f"{doubt.score:.2f}"}


def _doubted_by_score(mark: Mark) -> Mark:
    unsure = float(mark.facts.get("score", 1)) < DOUBTFUL and "doubt" not in mark.kinds
    return mark.doubted(Doubt(mark.start, mark.end, "unsure", UNSURE)) if unsure else mark


def _change_mark(change: Change, result: Deidentified, known: Catalogue, subs: list[str]) -> Mark:
    span, treatment = change.span, known.treatment(change.span)
    sub = known.subcategory(span)
    facts = {
        "swap": f"{result.original[span.start : span.end]} → {change.replacement}",
        "what": f"{sub} › {span.label} · {_TREATMENTS.get(treatment, treatment)}",
        "score": f"{span.score:.2f}",
        "source": span.source,
    }
    looks = tuple(looks_of(subs.index(sub)).split())
    return Mark(span.start, span.end, change.new_start, change.new_end, looks, facts)


class _Layer:
    """Disjoint marks in order, the first of which are the changes: those move what follows."""

    def __init__(self, changes: list[Mark]) -> None:
        self.marks = list(changes)
        self._change_ends = [mark.end for mark in changes]
        self._shifts = [0, *(mark.new_end - mark.end for mark in changes)]

    def touched(self, start: int, end: int) -> range:
        """Return the indices of the marks that share a character with the stretch."""
        first = bisect_right(self.marks, start, key=lambda mark: mark.end)
        last = bisect_left(self.marks, end, key=lambda mark: mark.start)
        return range(first, max(first, last)) if start < end else range(0)

    def gaps(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the parts of the stretch that no mark covers."""
        edges = [start]
        for at in self.touched(start, end):
            edges += (self.marks[at].start, self.marks[at].end)
        edges.append(end)
        pairs = zip(edges[::2], edges[1::2], strict=True)
        return [(left, right) for left, right in pairs if left < right]

    def add(self, start: int, end: int, kind: str, facts: dict[str, str]) -> None:
        """Put in a mark whose text no change touches."""
        shift = self._shifts[bisect_right(self._change_ends, start)]
        mark = Mark(start, end, start + shift, end + shift, (kind,), facts)
        insort(self.marks, mark, key=lambda mark: mark.start)
