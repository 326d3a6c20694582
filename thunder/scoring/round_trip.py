"""The round trip: whether two maskings of one text are equal up to the choice of letters."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thunder.scoring.characters import without_ignored
from thunder.text.spans import Span
from thunder.training_data.filling import IGNORED


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
        masking._replace(span=span)
        for masking in ours
        for span in without_ignored(free, [masking.span])
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
