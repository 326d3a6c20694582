"""Readings judged: was all of it read, do two agree, was a planted leak caught.

Everything here compares results, spans of one original; no reader sees any of it while reading.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from thunder.desk.review import Content, Review
from thunder.masking.doubts import Doubt
from thunder.masking.records import Deidentified
from thunder.masking.wordings import key_of
from thunder.names.kinds import is_person
from thunder.text.korean import fold
from thunder.text.spans import Span

_SURE, _LEAST = 0.9, 3  # a planted leak is a name that nobody doubts
KIND = "reading"
"""The kind of a question about a place at which two readings differ."""


def unread(text: str, read: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the stretches of *text* with more than blanks that lie in none of those *read*."""
    found, done = [], 0
    for start, end in [*sorted(read), (len(text), len(text))]:
        if done < start and text[done:start].strip():
            found.append((done, start))
        done = max(done, end)
    return found


def covered(result: Deidentified, spans: Iterable[tuple[int, int]]) -> bool:
    """Return whether each of *spans* is masked from end to end."""
    masked = bytearray(len(result.original))
    for change in result.changes:
        masked[change.span.start : change.span.end] = b"\1" * len(change.span)
    return all(all(masked[start:end]) for start, end in spans)


def is_touched(result: Deidentified, start: int, end: int) -> bool:
    """Return whether a part of a stretch is masked."""
    return any(one.span.start < end and start < one.span.end for one in result.changes)


# --- planted leaks --------------------------------------------------------------------------------


def plant_of(result: Deidentified, *, chance: random.Random | None = None) -> dict[str, str] | None:
    """Return a mask of *result* that may be shown open: a person's name that nobody doubts."""
    doubted = [(one.start, one.end) for one in result.doubts]
    sure = [
        one.span
        for one in result.changes
        if is_person(one.span.label) and one.span.score >= _SURE and len(one.span) >= _LEAST
    ]
    free = [span for span in sure if not any(s < span.end and span.start < e for s, e in doubted)]
    wordings = sorted({(result.original[one.start : one.end], one.label) for one in free})
    if not wordings:
        return None
    wording, label = (chance or random.SystemRandom()).choice(wordings)
    return {"wording": wording, "label": label}


def places_of(result: Deidentified, wording: str) -> list[tuple[int, int]]:
    """Return the masked places of *result* whose words are *wording*."""
    return [
        (one.span.start, one.span.end)
        for one in result.changes
        if result.original[one.span.start : one.span.end] == wording
    ]


# --- what a reading found -------------------------------------------------------------------------


def missed(before: Review, after: Deidentified) -> int:
    """Return how many wordings *after* masks that *before*, all its questions asked, would not."""
    asked = [(one.doubt.start, one.doubt.end) for one in before.questions if one.must_be_answered]
    found = set()
    for change in after.changes:
        start, end = change.span.start, change.span.end
        is_asked = any(s < end and start < e for s, e in asked)
        if not is_asked and not is_touched(before.result, start, end):
            found.add(key_of(fold(after.original[start:end]).text))
    return len(found)


def left_open(first: Deidentified, final: Deidentified) -> int:
    """Return how many wordings *final* masks that *first* left readable."""
    return len(
        {
            key_of(fold(final.original[one.span.start : one.span.end]).text)
            for one in final.changes
            if not is_touched(first, one.span.start, one.span.end)
        }
    )


# --- two readings ---------------------------------------------------------------------------------


def differences(first: Deidentified, second: Deidentified) -> list[Span]:
    """Return the stretches that one reading masks and the other does not, or as something else."""
    ours, theirs = (
        {(one.span.start, one.span.end, one.span.label) for one in result.changes}
        for result in (first, second)
    )
    places = sorted({(start, end) for start, end, _ in ours ^ theirs})
    found: list[Span] = []
    for start, end in places:
        if found and start < found[-1].end:
            last = found.pop()
            start, end = last.start, max(last.end, end)
        found.append(Span(start, end, ""))
    return found


def agreement(first: Deidentified, second: Deidentified) -> dict[str, list[int]]:
    """Return by label how many spans both readings mask, the first alone, the second alone; and
    under "" how many recognised places both leave open."""
    ours, theirs = (
        {(one.span.start, one.span.end, one.span.label) for one in result.changes}
        for result in (first, second)
    )
    found: dict[str, list[int]] = {}
    for at, spans in enumerate((ours & theirs, ours - theirs, theirs - ours)):
        for label, count in Counter(label for _, _, label in spans).items():
            found.setdefault(label, [0, 0, 0])[at] = count
    kept = {(one.span.start, one.span.end) for one in first.kept}
    kept &= {(one.span.start, one.span.end) for one in second.kept}
    return found | {"": [len(kept), 0, 0]}


def settled(doubt: Doubt, original: str, own: Sequence[Content]) -> bool:
    """Return whether who settles two readings has decided about the place of *doubt*."""
    wording = key_of(fold(original[doubt.start : doubt.end]).text)
    return any(_is_about(one, doubt, wording) for one in own)


def _is_about(one: Mapping[str, Any], doubt: Doubt, wording: str) -> bool:
    if one["kind"] == "answer":
        return bool(one["check"] == KIND) and key_of(fold(one["wording"]).text) == wording
    if one["kind"] in ("mask place", "open place"):
        return bool(one["start"] < doubt.end and doubt.start < one["end"])
    if one["kind"] in ("mask", "open", "edge"):
        own = key_of(fold(one["wording"]).text)
        return bool(own) and (own in wording or wording in own)
    return False
