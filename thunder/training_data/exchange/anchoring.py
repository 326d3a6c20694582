"""Where an annotation stands in a text, whatever unit the annotators' tool counted in."""

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from thunder.text.spans import Span

_BREAKS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_WORD = re.compile(r"\S+")
_WORD_OR_EDGE = re.compile(r"\A\s+|\s+\Z|\S+")


class Unit(StrEnum):
    """What a tool counts; with ``crlf-1`` a carriage return and its line feed count as one."""

    CODE_POINTS = "code-points"
    UTF_16 = "utf-16"
    UTF_8 = "utf-8"
    CODE_POINTS_CRLF_1 = "code-points-crlf-1"
    UTF_16_CRLF_1 = "utf-16-crlf-1"
    UTF_8_CRLF_1 = "utf-8-crlf-1"

    @property
    def joins_crlf(self) -> bool:
        return self.endswith("crlf-1")

    @property
    def plain(self) -> "Unit":
        """The same unit with CRLF counted as two."""
        return Unit(self.removesuffix("-crlf-1"))


class Found(NamedTuple):
    """An annotation as a tool wrote it: offsets in the tool's unit; no surface where it has none.

    ``ours``: the annotation is one that we wrote, unchanged, so it is in code points.
    """

    start: int
    end: int
    label: str
    surface: str | None = None
    ours: bool = False


class Anchored(NamedTuple):
    """Where each annotation stands in code points, or why none can be said; ``unit`` if one."""

    places: tuple[tuple[int, int] | str, ...]
    unit: Unit | None


def positions(text: str, unit: Unit) -> list[int]:
    """Return where each code point of *text* starts in *unit*, and where the text ends."""
    if unit.plain is Unit.CODE_POINTS:
        widths = [1] * len(text)
    elif unit.plain is Unit.UTF_16:
        widths = [2 if char > "\uffff" else 1 for char in text]
    else:
        widths = [len(char.encode()) for char in text]
    if unit.joins_crlf:
        for match in re.finditer("\r\n", text):
            widths[match.end() - 1] = 0
    return list(accumulate(widths, initial=0))


def anchor(
    text: str,
    found: Sequence[Found],
    *,
    documented: Unit | None = None,
    units: Collection[Unit] = tuple(Unit),
) -> Anchored:
    """Return where *found* stands in *text*: the unit in which every surface matches decides.

    Where the *documented* unit of the tool fits, it is that. Else, where several units of *units*
    fit best, an annotation that they place differently is ambiguous and gets a reason instead of
    a place, as does one whose surface is elsewhere.
    """
    bare = all(one.surface is None for one in found)
    telling = _telling(text, units, documented, bare=bare)
    readings = {unit: _readings(text, found, unit) for unit in telling}
    if documented and None not in readings.get(documented, [None]):
        return _agreed([readings[documented]], documented)
    matches = {unit: sum(map(bool, places)) for unit, places in readings.items()}
    # Without surfaces, that offsets lie within the text is no evidence: no unit is better.
    best = [unit for unit in readings if bare or matches[unit] == max(matches.values())]
    return _agreed([readings[unit] for unit in best], best[0] if len(best) == 1 else None)


def same_but_for_breaks(one: str, other: str) -> bool:
    """Return whether two texts are the same where runs of line breaks count as a space."""
    return one == other or _BREAKS.sub(" ", one) == _BREAKS.sub(" ", other)


def without_breaks(surface: str) -> list[tuple[int, int]]:
    """Return the stretches of *surface* between its line breaks."""
    edges = [0, *(edge for match in _BREAKS.finditer(surface) for edge in match.span())]
    edges.append(len(surface))
    return list(zip(edges[::2], edges[1::2], strict=True))


def cells(text: str, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Return the words of *text*, cut at the ends of the spans.

    Space is in no cell, but for that at the edge of a mention, which would be lost otherwise.
    """
    result: list[tuple[int, int]] = []
    done = 0
    for span in spans:
        result += [match.span() for match in _WORD.finditer(text, done, span.start)]
        mention = text[span.start : span.end]
        inside = (match.span() for match in _WORD_OR_EDGE.finditer(mention))
        result += [(span.start + start, span.start + end) for start, end in inside]
        done = span.end
    result += [match.span() for match in _WORD.finditer(text, done)]
    return result


def _telling(
    text: str, units: Collection[Unit], documented: Unit | None, *, bare: bool
) -> list[Unit]:
    """Return the units in question: those that count this text alike are one.

    Without surfaces, bytes are no question: offsets in them would nearly always seem to fit.
    """
    astral, crlf = _ASTRAL.search(text), "\r\n" in text
    chosen: dict[Unit, None] = {}
    for unit in units:
        if unit.plain is Unit.UTF_8 and bare and len(units) > 1 and unit is not documented:
            continue
        like = Unit.CODE_POINTS if unit.plain is Unit.UTF_16 and not astral else unit.plain
        chosen[Unit(f"{like}-crlf-1") if unit.joins_crlf and crlf else like] = None
    if documented and documented in units:
        chosen[documented] = None
    return list(chosen)


def _readings(text: str, found: Sequence[Found], unit: Unit) -> list[tuple[int, int] | None]:
    at = {position: index for index, position in enumerate(positions(text, unit))}
    whole = range(len(text) + 1)
    return [
        _read(text, one, {one.start: one.start, one.end: one.end})
        if one.ours and one.start in whole and one.end in whole
        else _read(text, one, at)
        for one in found
    ]


def _read(text: str, one: Found, at: dict[int, int]) -> tuple[int, int] | None:
    start, end = at.get(one.start), at.get(one.end)
    if start is None or end is None or start >= end:
        return None
    if one.surface is not None and not same_but_for_breaks(text[start:end], one.surface):
        return None
    return start, end


def _agreed(readings: Sequence[Sequence[tuple[int, int] | None]], unit: Unit | None) -> Anchored:
    places: list[tuple[int, int] | str] = []
    for choices in zip(*readings, strict=True):
        distinct = set(choices)
        place = choices[0]
        if len(distinct) > 1:
            places.append("the offsets fit in more than one unit: say which with --unit")
        else:
            places.append(place or "the offsets do not fit the text and the surface")
    return Anchored(tuple(places), unit)
