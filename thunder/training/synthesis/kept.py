"""Distractors made real: what stays readable gets a name, and the rest is filled by the lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from thunder.text.particles import agree
from thunder.text.spans import Span
from thunder.training.synthesis import tables
from thunder.training.synthesis.marks import KEPT
from thunder.training_data.annotation import Annotated
from thunder.training_data.filling import NOUN, Lists, fill

_PLACE = "\ue000"  # no text has it: ``marks.fields`` drops characters of private use


@dataclass(frozen=True, slots=True)
class Readable:
    """A stretch of a text that stays readable, of what kind it is, and why; a labelled negative."""

    start: int
    end: int
    kind: str
    reason: str

    def record(self) -> dict[str, Any]:
        """Return it as a plain record."""
        return {"start": self.start, "end": self.end, "kind": self.kind, "reason": self.reason}


def named(annotated: Annotated, rng: Random) -> tuple[Annotated, list[Readable]]:
    """Return the text with a name for each placeholder of what stays readable, and where they are.

    One placeholder of a kind has one name; particles agree. The other marks are left.
    """
    known = tables.kept()
    drawn: dict[tuple[str, str], str] = {}
    pieces: list[str] = []
    spans: list[Span] = []
    readable: list[Readable] = []
    done = at = 0
    last = ""
    for span in annotated.spans:
        between = _agreed(last, annotated.text[done : span.start])
        surface = annotated.text[span.start : span.end]
        at += len(between)
        last = ""
        if span.label.startswith(KEPT):
            kind = known[span.label.removeprefix(KEPT)]
            key = (kind.name, surface)
            if key not in drawn:
                drawn[key] = _new(kind, rng, set(drawn.values()))
            last = surface = drawn[key]
            readable.append(Readable(at, at + len(surface), kind.name, kind.reason))
        else:
            spans.append(Span(at, at + len(surface), span.label))
        pieces += (between, surface)
        at += len(surface)
        done = span.end
    pieces.append(_agreed(last, annotated.text[done:]))
    return Annotated("".join(pieces), tuple(spans)), readable


def filled(
    annotated: Annotated,
    readable: Sequence[Readable],
    *,
    key: bytes,
    document_id: str,
    lists: Lists,
) -> tuple[str, list[Span], list[Readable]]:
    """Return a text of ``named`` filled by the training part of *lists*, and all that stands in it.

    LookupError or ValueError name the document.
    """
    text, spans = _without(annotated, readable)
    new, found = fill(text, spans, key=key, document_id=document_id, lists=lists, part="train")
    pieces = new.split(_PLACE)
    places: list[int] = []
    at = 0
    for piece in pieces[:-1]:
        at += len(piece)
        places.append(at)
        at += 1
    surfaces = [annotated.text[one.start : one.end] for one in readable]
    moved: list[Readable] = []
    grown = 0
    for one, place, surface in zip(readable, places, surfaces, strict=True):
        start = place + grown
        moved.append(Readable(start, start + len(surface), one.kind, one.reason))
        grown += len(surface) - 1
    whole = "".join(piece + surface for piece, surface in zip(pieces, [*surfaces, ""], strict=True))
    shifts = list(zip(places, surfaces, strict=True))
    marked = [
        Span(_shifted(span.start, shifts), _shifted(span.end, shifts), span.label)
        for span in found
        if span.source != NOUN
    ]
    return whole, marked, moved


def _without(annotated: Annotated, readable: Sequence[Readable]) -> tuple[str, list[Span]]:
    """Return the text with one character for each name that stays, and its spans moved."""
    pieces: list[str] = []
    done = 0
    for one in readable:
        pieces += (annotated.text[done : one.start], _PLACE)
        done = one.end
    pieces.append(annotated.text[done:])
    shrunk = [(one.end, one.end - one.start - 1) for one in readable]
    spans = []
    for span in annotated.spans:
        less = sum(by for end, by in shrunk if end <= span.start)
        spans.append(Span(span.start - less, span.end - less, span.label))
    return "".join(pieces), spans


def _shifted(at: int, shifts: Sequence[tuple[int, str]]) -> int:
    return at + sum(len(surface) - 1 for place, surface in shifts if place < at)


def _new(kind: tables.Kept, rng: Random, taken: set[str]) -> str:
    found = kind.drawn(rng)
    for _ in range(20):
        if found not in taken:
            break
        found = kind.drawn(rng)
    return found


def _agreed(mention: str, following: str) -> str:
    return agree(mention, following) if mention else following
