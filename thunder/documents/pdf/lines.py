"""From shown strings to lines and segments, in the order a person reads them.

A PDF knows no lines, paragraphs or cells: strings on one baseline are one line where less than an
em lies between them, else they are cells of a row; a line that reaches an edge at which other
lines end, too, goes on in the next one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, degrees, hypot, sin

from thunder.documents.pdf.content import Show, advance, moved, times
from thunder.documents.segments import Kind, Segment

SPACE = 0.2
"""A gap of so many em is a space that nobody wrote."""
APART = 1.0
"""A gap of so many em is where another cell begins."""
SHARED = 3
"""So many lines with one side at the same place have it there by the layout."""
COLUMN = 24
"""Points within which lines of one column begin, the first of a paragraph moved in."""


@dataclass(slots=True, eq=False)
class Run:
    """What one operator shows, or a part of it that stands by itself.

    ``first`` and ``last`` are the elements of the operator's array that belong to it; ``start``,
    ``end`` and ``level`` are measured on the page, in points, along and across the direction of
    the text; ``em`` is the size of its letters there, ``tail`` how far the pen moves
    on after its ink.
    """

    stream: int
    index: int
    first: int
    last: int
    text: str
    start: float
    end: float
    level: float
    angle: int
    em: float
    hidden: bool
    tail: float
    shadows: "list[Run]" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Line:
    """Runs on one baseline, from left to right."""

    page: int
    stream: int
    kind: Kind
    angle: int
    level: float
    em: float
    start: float
    end: float
    order: int
    runs: list[Run]
    pieces: "list[tuple[str, Run | None]]" = field(default_factory=list)
    goes_on: bool = False
    """Whether it continues the line before."""

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)


@dataclass(slots=True)
class Place:
    """Where a stretch of a segment stands: from ``offset`` on, in ``run`` of ``line``."""

    offset: int
    run: Run
    line: Line


def frame(show: Show) -> tuple[float, float, float, float, float]:
    """Return em, points per unit of text space, place along and across, direction in radians."""
    state = show.state
    font = state.font
    assert font is not None
    matrix = times(show.pen, state.ctm)
    a, b = (-matrix[2], -matrix[3]) if font.vertical else (matrix[0], matrix[1])
    em = abs(state.size) * font.em * hypot(matrix[2], matrix[3]) or 1e-6
    turned = atan2(b, a)
    # The pen stands at the matrix's origin, raised by the rise.
    x = matrix[4] + state.rise * matrix[2]
    y = matrix[5] + state.rise * matrix[3]
    along = x * cos(turned) + y * sin(turned)
    level = -x * sin(turned) + y * cos(turned)
    return em, hypot(a, b) or 1e-9, along, level, turned


def runs_of(show: Show, stream: int) -> Iterator[Run]:
    """Yield the runs of one operator."""
    state = show.state
    font = state.font
    assert font is not None
    em, stretch, along, level, turned = frame(show)
    angle = round(degrees(turned)) % 360
    hidden = state.mode == 3
    sign = -1.0 if font.vertical else 1.0
    widths = font.width
    size = state.size * (1.0 if font.vertical else state.scale)
    blank = b" " if not font.composite else b"\0 "
    texts: list[str] = []
    first, start, at = 0, along, along

    def run(last: int) -> Run:
        text = "".join(texts)
        blanks = len(text) - len(text.rstrip(" "))
        tail = blanks * float(widths.get(blank, 0.25)) * size * stretch if blanks else 0.0
        tail += state.char_space * (1.0 if font.vertical else state.scale) * stretch
        return Run(stream, show.index, first, last, text, start, at, level, angle, em, hidden, tail)

    for number, element in enumerate(show.elements):
        if isinstance(element, float):
            gap = sign * moved(state, element) * stretch
            if texts and gap > APART * em:
                yield run(number)
                texts, first, start = [], number + 1, at + gap
            elif texts and gap > SPACE * em and not texts[-1].endswith(" "):
                texts.append(" ")
            at += gap
            if not texts:
                start = at
            continue
        if not element:
            continue
        texts.append("".join(map(font.text.__getitem__, element)))
        at += sign * advance(state, element) * stretch
    if texts:
        yield run(len(show.elements))


class Lines:
    """The lines of one stream on one page, as its runs come in."""

    def __init__(self, page: int, stream: int, kind: Kind) -> None:
        self._page, self._stream, self._kind = page, stream, kind
        self._at: defaultdict[tuple[int, int], list[Line]] = defaultdict(list)
        self.lines: list[Line] = []
        self._last: dict[tuple[str, int], Run] = {}

    def add(self, run: Run) -> None:
        """Put *run* on the line it stands on, or begin one."""
        twin = self._last.get((run.text, run.angle))
        if (
            twin is not None
            and abs(twin.start - run.start) < 0.3 * run.em
            and abs(twin.level - run.level) < 0.3 * run.em
        ):  # drawn twice, to look bold: read once
            twin.shadows.append(run)
            return
        self._last[run.text, run.angle] = run
        low, high = min(run.start, run.end), max(run.start, run.end)
        band = int(run.level // 8)
        best: Line | None = None
        nearest = APART * run.em
        for near in (band - 1, band, band + 1):
            for line in self._at.get((run.angle, near), ()):
                if abs(line.level - run.level) > 0.45 * max(line.em, run.em):
                    continue
                gap = max(low - line.end, line.start - high)
                if gap < nearest:
                    best, nearest = line, gap
        if best is None:
            best = Line(
                self._page, self._stream, self._kind, run.angle, run.level, run.em,
                low, high, len(self.lines), [],
            )  # fmt: skip
            self.lines.append(best)
            self._at[run.angle, band].append(best)
        elif run.em > best.em * 1.2:  # a note's mark came first: the line is the text's
            best.em = run.em
        best.runs.append(run)
        best.start, best.end = min(best.start, low), max(best.end, high)

    def finished(self) -> list[Line]:
        """Return the lines, joined where a run came between two that were apart."""
        done: list[Line] = []
        for group in self._rows():
            group.sort(key=lambda line: line.start)
            kept: list[Line] = []
            for line in group:
                last = kept[-1] if kept else None
                if last is not None and line.start - last.end < SPACE * last.em:
                    last.runs += line.runs
                    last.end = max(last.end, line.end)
                    last.order = min(last.order, line.order)
                else:
                    kept.append(line)
            done += kept
        done.sort(key=lambda line: line.order)
        for line in done:
            line.runs.sort(key=lambda run: run.start)
            line.pieces = list(_spaced(line.runs))
            line.end -= line.runs[-1].tail
        return done

    def _rows(self) -> Iterator[list[Line]]:
        rows: dict[tuple[int, float], list[Line]] = {}
        for line in self.lines:
            rows.setdefault((line.angle, round(line.level, 1)), []).append(line)
        yield from rows.values()


def _spaced(runs: Sequence[Run]) -> "Iterator[tuple[str, Run | None]]":
    last: Run | None = None
    for run in runs:
        if (
            last is not None
            and run.start - last.end > SPACE * min(run.em, last.em)
            and not last.text.endswith(" ")
            and not run.text.startswith(" ")
        ):
            yield " ", None
        yield run.text, run
        last = run


class Edges:
    """Where lines begin, end and have their middle, and how many share such a place."""

    def __init__(self, lines: Sequence[Line], middles: Sequence[float]) -> None:
        self._middles = middles
        self._outermost: dict[int, float] = {}
        for line in lines:
            self._outermost[line.angle] = max(self._outermost.get(line.angle, line.end), line.end)
        self._count: Counter[tuple[str, int, int]] = Counter()
        for line in lines:
            for side, at in self._sides(line):
                self._count[side, line.angle, round(at / 2)] += 1
        self._margins: dict[tuple[int, int], float] = {}
        for line in lines:
            key = (line.angle, round(line.start / COLUMN))
            if self.shared("end", line) >= SHARED:
                self._margins[key] = max(self._margins.get(key, line.end), line.end)

    @staticmethod
    def _sides(line: Line) -> Iterator[tuple[str, float]]:
        yield "start", line.start
        yield "end", line.end
        yield "middle", (line.start + line.end) / 2

    def shared(self, side: str, line: Line) -> int:
        """Return how many lines of the document have this side where *line* has it."""
        at = round(dict(self._sides(line))[side] / 2)
        return sum(self._count[side, line.angle, at + step] for step in (-1, 0, 1))

    def central(self, line: Line) -> bool:
        """Return whether *line* has its middle where its page has it."""
        middle = (line.start + line.end) / 2
        return line.angle == 0 and abs(middle - self._middles[line.page]) < 3

    def outermost(self, line: Line) -> float:
        """Return how far any line of this direction reaches."""
        return self._outermost[line.angle]

    def begins(self, line: Line) -> bool:
        """Return whether *line* begins where others do, or a little further in."""
        first = round(line.start / 2)
        steps = range(-1, 2 if line.goes_on else round(3 * line.em / 2) + 1)
        return any(self._count["start", line.angle, first - step] >= SHARED for step in steps)

    def full(self, line: Line) -> bool:
        """Return whether *line* reaches where the lines that begin beside it must break."""
        if self.shared("end", line) < SHARED:
            return False
        column = round(line.start / COLUMN)
        keys = [(line.angle, column + step) for step in (-1, 0, 1)]
        margin = max(self._margins.get(key, line.end) for key in keys)
        return line.end > margin - 0.5 * line.em


def _goes_on(line: Line, following: Line, edges: Edges) -> bool:
    """Return whether *line* was full, so that its words go on in the next one."""
    return (
        line.page == following.page
        and line.stream == following.stream
        and line.angle == following.angle
        and abs(line.em - following.em) < 0.2 * line.em
        and 0.8 * line.em < line.level - following.level < 2.6 * line.em
        and following.start < line.start + 0.5 * line.em
        and following.end > line.start
        and edges.full(line)
    )


def segments_of(
    lines: Sequence[Line], middles: Sequence[float]
) -> tuple[list[Segment], list[list[Place]], Edges]:
    """Return the segments that *lines* make, and for each the runs that show it."""
    edges = Edges(lines, middles)
    follows = [_goes_on(line, after, edges) for line, after in pairwise(lines)]
    follows += [False] * bool(lines)
    for line, on in zip(lines[1:], follows, strict=False):
        line.goes_on = on
    # Who writes a space where a line breaks between words means a broken word where there is none.
    spaces = any(line.text.endswith(" ") for line, on in zip(lines, follows, strict=True) if on)
    segments: list[Segment] = []
    places: list[list[Place]] = []
    texts: list[str] = []
    where: list[Place] = []
    length = 0
    for at, line in enumerate(lines):
        for text, run in line.pieces:
            if run is not None:
                where.append(Place(length, run, line))
            texts.append(text)
            length += len(text)
        if follows[at]:
            if not spaces:
                texts.append("\n")
                length += 1
            continue
        before = lines[at - 1] if at else None
        after = lines[at + 1] if at + 1 < len(lines) else None
        beside = after is not None and _same_row(line, after)
        cell = beside or (before is not None and _same_row(before, line))
        kind = Kind.CELL if cell and line.kind is Kind.BODY else line.kind
        segments.append(
            Segment("".join(texts), kind, f"{line.page + 1}쪽", "\t" if beside else "\n")
        )
        places.append(where)
        texts, where, length = [], [], 0
    return segments, places, edges


def _same_row(line: Line, other: Line) -> bool:
    return (
        line.page == other.page
        and line.stream == other.stream
        and line.angle == other.angle
        and abs(line.level - other.level) < 0.45 * max(line.em, other.em)
        and other.start >= line.end
    )
