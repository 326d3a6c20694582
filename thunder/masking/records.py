"""A judgment as it comes in, with what is decided of it already, and as it goes out."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from thunder.masking.doubts import Doubt
from thunder.masking.known import NOTHING_KNOWN, Known
from thunder.mentions.scorecard import Reason
from thunder.text.spans import Change, Span


@dataclass(frozen=True, slots=True)
class Document:
    """One judgment to be de-identified.

    - ``text``: its text; ``id``: what it is called, "" for nothing.
    - ``segments``: stretches (start, end) of the text that end where they end, the cells of a table
      or the parts of a file: no mention runs from one into the next, and what stands between them
      is left alone. Without any the text is one.
    - ``known``: what is decided of it already.
    """

    text: str = field(repr=False)
    id: str = ""
    segments: tuple[tuple[int, int], ...] = ()
    known: Known = NOTHING_KNOWN

    @classmethod
    def of_segments(
        cls,
        segments: Sequence[str],
        *,
        after: Sequence[str] | str = "\n",
        id: str = "",
        known: Known = NOTHING_KNOWN,
    ) -> "Document":
        """Return the document made of *segments*, which are one judgment.

        *after* is what is read after each of them, one for all or one for each: a line's end, or
        a tabulator between the cells of a row.
        """
        ends = [after] * len(segments) if isinstance(after, str) else list(after)
        pieces: list[str] = []
        places: list[tuple[int, int]] = []
        done = 0
        for segment, end in zip(segments, ends, strict=True):
            places.append((done, done + len(segment)))
            pieces += (segment, end)
            done += len(segment) + len(end)
        return cls("".join(pieces), id, tuple(places), known)


@dataclass(frozen=True, slots=True)
class Kept:
    """A stretch that was recognised and stays readable, and why the rule keeps it."""

    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Why:
    """Why a stretch of the original was masked: its probability, and the strongest points."""

    start: int
    end: int
    probability: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Deidentified:
    """A judgment before and after: ``text`` is ``original`` with ``changes`` applied, no more.

    - ``changes``: what was masked, in order of the text.
    - ``kept``: what was recognised and stays readable, with the reason.
    - ``doubts``: places that a person should look at.
    - ``segments``: those of the document that came in.
    - ``reasons``: why each change was made, in order of the text, where a scorecard weighed it.

    All offsets are code points of ``original``. Its ``repr`` shows no word of the judgment.
    """

    id: str
    original: str = field(repr=False)
    text: str = field(repr=False)
    changes: tuple[Change, ...] = field(repr=False)
    kept: tuple[Kept, ...] = field(default=(), repr=False)
    doubts: tuple[Doubt, ...] = field(default=(), repr=False)
    segments: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    reasons: tuple[Why, ...] = field(default=(), repr=False)

    def why(self, span: Span) -> Why | None:
        """Return why a masked *span* was masked, None where no scorecard weighed it."""
        at = bisect_right(self.reasons, span.start, key=lambda one: one.start) - 1
        found = self.reasons[at] if at >= 0 else None
        return found if found is not None and span.start < found.end else None

    @property
    def entities(self) -> list[dict[str, Any]]:
        """What was masked, as plain records in code points of the original."""
        return [
            {
                "start": change.span.start,
                "end": change.span.end,
                "label": change.span.label,
                "replacement": change.replacement,
                "score": round(change.span.score, 4),
                "source": change.span.source,
            }
            for change in self.changes
        ]

    def changes_of_segments(self) -> list[list[Change]]:
        """Return for each segment its changes, in code points of the segment, old and new."""
        found: list[list[Change]] = [[] for _ in self.segments]
        at = grown = 0
        moved = 0  # how much longer the text has become before the segment
        for number, (start, end) in enumerate(self.segments):
            moved += grown
            grown = 0
            while at < len(self.changes) and self.changes[at].span.end <= end:
                change = self.changes[at]
                span = change.span
                inner = Span(
                    span.start - start, span.end - start, span.label, span.score, span.source
                )
                place = change.new_start - start - moved
                found[number].append(Change(inner, change.replacement, place))
                grown += len(change.replacement) - len(span)
                at += 1
        return found

    def texts_of_segments(self) -> list[str]:
        """Return the new text of each segment."""
        texts: list[str] = []
        for (start, end), changes in zip(self.segments, self.changes_of_segments(), strict=True):
            old, done = self.original[start:end], 0
            pieces: list[str] = []
            for change in changes:
                pieces += (old[done : change.span.start], change.replacement)
                done = change.span.end
            texts.append("".join([*pieces, old[done:]]))
        return texts
