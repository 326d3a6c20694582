"""A public judgment with its placeholders found, labelled and joined."""

from collections.abc import Iterable, Sequence

from thunder.names import propagation
from thunder.taxonomy.own import name_of
from thunder.text.spans import Span
from thunder.training_data import messages as say
from thunder.training_data.placeholders import (
    circles,
    letters,
    omissions,
    published,
    roles,
    unmasked,
)
from thunder.training_data.placeholders.deciding import decide
from thunder.training_data.placeholders.record import Doubt, Found, Mark

_RANK = {"omission": 4, "role": 3, "circle": 2, "letter": 1, "open": 0}


def annotate(text: str, *, id: str, kind: str | None = None, companies: bool = False) -> Found:
    """Return the placeholders of *text* with their labels, who is who, and what is in doubt.

    *id* names the judgment in the ValueError for a text that is empty. *kind* is the kind of
    case: in patents (특허) a letter counts only where it stands as a name does, since claims and
    figures have letters of their own. With *companies*, company names that the court left become
    spans too, of source ``placeholder:open``.
    """
    if not text.strip():
        raise ValueError(say.EMPTY_JUDGMENT(id=id))
    marks = find(text, strict=kind == "특허")
    doubts = [
        *unmasked.find(text, marks),
        *unmasked.masked_officers(text, marks),
        *published.doubts(text, marks),
        *omissions.unknown(text),
        *circles.of_zeros(text, marks),
    ]
    if companies:
        marks = disjoint([*marks, *_open_companies(text, doubts)])
    decided = decide(text, marks)
    spans = tuple(
        Span(mark.start, mark.end, name_of(label), score, f"placeholder:{mark.style}")
        for mark, (label, score) in decided
    )
    doubts += unmasked.short_names(text, spans)
    return Found(text, spans, tuple(mark.entity for mark, _ in decided), tuple(sorted(doubts)))


def find(text: str, *, strict: bool = False) -> list[Mark]:
    """Return the placeholders of *text* in order, without labels; *strict* as ``letters.find``."""
    found = (omissions.find(text), roles.find(text), circles.find(text))
    marks = [mark for some in found for mark in some]
    return published.with_notes(text, disjoint([*marks, *letters.find(text, strict=strict)]))


def _open_companies(text: str, doubts: Sequence[Doubt]) -> list[Mark]:
    """Return the names of companies that the court left, at every place where they stand."""
    left = [
        Span(one.start, one.end, one.label, 0.95)
        for one in doubts
        if one.reason == unmasked.COMPANY_LEFT
    ]
    return [
        Mark(span.start, span.end, "open", text[span.start : span.end], span.label)
        for span in [*left, *propagation.spread(text, left)]
    ]


def disjoint(marks: Iterable[Mark]) -> list[Mark]:
    """Return the marks in order; of two that overlap, the surer style, then the longer wins."""
    chosen: list[Mark] = []
    for mark in sorted(marks):
        if chosen and mark.start < chosen[-1].end:
            if _wins(mark, chosen[-1]):
                chosen[-1] = mark
        else:
            chosen.append(mark)
    return chosen


def _wins(mark: Mark, other: Mark) -> bool:
    return (_RANK[mark.style], mark.end - mark.start) > (
        _RANK[other.style],
        other.end - other.start,
    )
