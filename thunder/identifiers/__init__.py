"""Recognisers of structured identifiers.

Those that are a form and the words beside it are rows of ``taxonomy/patterns/formats.yaml``
(``formats``); those that read are a module each. A recogniser is a module, or an object, with

- ``NAME``: the module's own name, which becomes the span's source (``rule:NAME``);
- ``find(text)``: yields spans in *folded* text (``thunder.text.korean.fold``), in any order.

Scores follow ``thunder.identifiers.cues``: NAMED or more where a cue directly before names
the number.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from thunder.identifiers import (
    address,
    birth_date,
    email,
    formats,
    spelled,
    unit,
    url,
    user_id,
    wallet,
)
from thunder.identifiers.cues import NAMED
from thunder.text.korean import LINE_BREAK_IN_NUMBER, Folded
from thunder.text.spans import Span, heaviest, sureness

account, age, business, card, codes, corporation, foreigner, licence = map(
    formats.Recogniser,
    ("account", "age", "business", "card", "codes", "corporation", "foreigner", "licence"),
)
military, passport, patent, phone, plate, postcode, resident, vessel = map(
    formats.Recogniser,
    ("military", "passport", "patent", "phone", "plate", "postcode", "resident", "vessel"),
)


class Recogniser(Protocol):
    """What every module of ``RECOGNISERS`` offers."""

    NAME: str

    def find(self, text: str) -> Iterator[Span]:
        """Yield spans in folded text."""
        ...


# The more specific first: where two claim the same characters, the earlier has the better claim.
RECOGNISERS: tuple[Recogniser, ...] = (
    email,
    url,
    wallet,
    resident,
    foreigner,
    card,
    corporation,
    licence,
    phone,
    business,
    plate,
    passport,
    patent,
    vessel,
    military,
    user_id,
    account,
    birth_date,
    postcode,
    address,
    unit,
    age,
    codes,
    spelled,
)
_PLACE = {f"rule:{each.NAME}": place for place, each in enumerate(RECOGNISERS)}
_CONTEXT = 300  # code points around a break that are read once more
_BESIDE = 12  # code points: the 13 of 13동 20|8호 is known by the mended 208
_NAMED, _OUTER = 100, 10_000  # so many without a cue, or within others, give way to one


def find(folded: Folded) -> list[Span]:
    """Return the identifiers of a text, disjoint and sorted, in code points of the original.

    Numbers that a line break cuts in two are found in a second pass over the rejoined text.
    """
    text = folded.text
    spans = _find_in(text)
    breaks = [match.end() for match in LINE_BREAK_IN_NUMBER.finditer(text)]
    if breaks:
        spans = resolved([*spans, *_mended(text, breaks, spans)])
    return [folded.original(span) for span in spans]


def _find_in(text: str) -> list[Span]:
    return resolved(
        Span(hit.start, hit.end, hit.label, hit.score, f"rule:{each.NAME}")
        for each in RECOGNISERS
        for hit in each.find(text)
    )


def resolved(hits: Iterable[Span]) -> list[Span]:
    """Return *hits* without overlaps: what covers another wins, then the greater ``weight``.

    Each hit shares a character with one that is chosen, so none vanishes without a trace.
    """
    hits = list(hits)
    outer = _outermost(hits)
    return heaviest(hits, weight=lambda hit: weight(hit) * (_OUTER if hit in outer else 1))


def weight(hit: Span) -> float:
    """Return the claim of *hit*: named by a cue, then specificity, then score, then length."""
    claim = len(RECOGNISERS) - _PLACE[hit.source]
    return sureness(hit) + 1_000 * claim * (_NAMED if hit.score >= NAMED else 1)


def _outermost(hits: Iterable[Span]) -> frozenset[Span]:
    """Return *hits* without those that lie within a longer one: it hides all that they hide."""
    kept: list[Span] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        widest = kept[-1] if kept else None  # no earlier hit ends later
        if widest is None or hit.end > widest.end or _same_place(hit, widest):
            kept.append(hit)
    return frozenset(kept)


def _same_place(one: Span, other: Span) -> bool:
    return (one.start, one.end) == (other.start, other.end)


def _merged(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the union of *stretches* as disjoint, sorted ones."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _mended(text: str, breaks: list[int], spans: list[Span]) -> list[Span]:
    """Return what shows, beyond *spans*, once the line breaks within numbers are gone."""
    hits = [
        hit
        for start, end in _merged((max(0, at - _CONTEXT), at + _CONTEXT) for at in breaks)
        for hit in _rejoined(text, start, end)
    ]
    over_break = [hit for hit in hits if "\n" in text[hit.start : hit.end]]
    mended = [hit for hit in over_break if _mends(text, hit, spans)]
    beside = [hit for hit in hits if _between(mended, hit.start - _BESIDE, hit.end + _BESIDE)]
    return mended + [hit for hit in beside if not _between(spans, hit.start, hit.end)]


def _rejoined(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the identifiers of a stretch of *text* read without the breaks in its numbers."""
    joined = Folded(text[start:end]).without_breaks_in_numbers()
    for hit in map(joined.original, _find_in(joined.text)):
        yield replace(hit, start=hit.start + start, end=hit.end + start)


def _between(spans: list[Span], start: int, end: int) -> list[Span]:
    """Return those of the disjoint, sorted *spans* that share a character with start:end."""
    first = bisect_right(spans, start, key=lambda span: span.end)
    return spans[first : bisect_left(spans, end, key=lambda span: span.start)]


def _is_better(hit: Span, known: Span) -> bool:
    return _PLACE[hit.source] < _PLACE[known.source] or hit.score >= known.score


def _mends(text: str, hit: Span, spans: list[Span]) -> bool:
    """Return whether a hit over a line break says more than the *spans* found line by line.

    It must hold every one it overlaps whole and be more specific or no less sure; and where a
    line held a number already, what the next line adds to it must not be that line's own number
    (``2. 피고인은``).
    """
    known = _between(spans, hit.start, hit.end)
    if not all(hit.covers(span) and _is_better(hit, span) for span in known):
        return False
    is_numbered = text[hit.end : hit.end + 1] in tuple(".)") and text[hit.end + 1 :][:1].isspace()
    return not (known and is_numbered)
