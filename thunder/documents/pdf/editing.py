"""Masks into content streams: the codes of masked words go, and the line closes over the gap.

Nothing that is left may tell how wide the masked words were. So every text object that holds
an edited line is placed anew, each string by a matrix of its own; a line set to both edges is
set again from what stays in it, one in the middle or at the right is moved there again, and in
all others the rest of the line follows the replacement.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pikepdf
from pikepdf import ContentStreamInstruction as Instruction
from pikepdf import Operator

from thunder.documents.pdf.content import (
    PLACING,
    SHOWING,
    Draw,
    Matrix,
    Seen,
    Show,
    State,
    matrix_of,
    moved,
    times,
    walk,
)
from thunder.documents.pdf.embedding import letter_width, letters_font
from thunder.documents.pdf.fonts import Font
from thunder.documents.pdf.lines import APART, SPACE, Edges, Line, Place, Run, frame
from thunder.documents.pdf.reading import CURE_AGAIN, Reader
from thunder.documents.pdf.renewing import FILES, file_of, renew
from thunder.documents.segments import Mask, Refused

_MARKS = {"BMC", "BDC", "EMC", "MP", "DP"}
_OPERATORS = """b B b* B* BT c cm CS cs d d0 d1 Do ET f F f* G g gs h i j J K k l m M n q Q re RG
    rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \""""
_KNOWN = {"INLINE IMAGE", *_OPERATORS.split()}
_PAINTING = {"b", "B", "b*", "B*", "f", "F", "f*", "s", "S"}
_DRAWING = {"sh", "INLINE IMAGE"}
_MOST_STRETCH = 1.0
"""Em that a space may grow by in a line set to both edges; beyond, letters are spaced."""
_MOST_SPACED = 0.3


@dataclass(slots=True)
class Unit:
    """A code of a run, where it stands along the line, and how wide it is by the font alone."""

    text: str
    code: bytes
    element: int
    start: float
    end: float
    width: float


@dataclass(slots=True)
class Cut:
    """A stretch of a line, in offsets of its runs, that a replacement stands for."""

    parts: list[tuple[Run, int, int]]
    replacement: str


@dataclass(slots=True)
class Piece:
    """What is shown at one place: units of a run, or a replacement in its style.

    ``units`` are the places of the units in their run: the units themselves would fill memory.
    """

    start: float
    units: list[int] = field(default_factory=list)
    replacement: str = ""
    spacing: float | None = None
    squeeze: float = 1.0
    wider: float = 0.0
    """How much each space among the units grows."""


@dataclass(slots=True)
class _Shown:
    """What the walk knew where a run is shown, and the units of the run."""

    pen: Matrix
    state: State
    stretch: float
    origin: float
    units: list[Unit]


@dataclass(slots=True)
class _Work:
    """A stream to be written: its runs by operator, and the pieces of those that move."""

    stream: int
    cuts: dict[Line, list[Cut]]
    runs: dict[int, list[tuple[Run, Line]]]
    pieces: dict[Run, list[Piece]] = field(default_factory=dict)
    bands: list[tuple[Line, float]] = field(default_factory=list)
    """Lines that change, and where the first change on each of them begins."""


Codes = dict[Font, dict[bytes, bytes]]
Atom = tuple[Run, int, Unit | Cut]
"""What stays of a run, and at which place of it; or a cut, at that of what follows."""


class Editor:
    """Puts masks into the streams of one file."""

    def __init__(self, pdf: pikepdf.Pdf, reader: Reader, edges: Edges) -> None:
        self._pdf, self._reader, self._edges = pdf, reader, edges
        self.removed: dict[Font, Counter[bytes]] = defaultdict(Counter)
        self._works: dict[int, _Work] = {}
        self._chars: set[str] = set()

    def plan(self, masks: Sequence[tuple[Mask, Sequence[Place]]]) -> None:
        """Find what goes and where everything else on its lines stands. Raises: Refused."""
        cuts: dict[Line, list[Cut]] = defaultdict(list)
        for mask, places in masks:
            self._cut(mask, places, cuts)
        by_stream: dict[int, dict[Line, list[Cut]]] = defaultdict(dict)
        for line, found in cuts.items():
            by_stream[line.stream][line] = found
        if not by_stream:
            return
        runs: dict[int, dict[int, list[tuple[Run, Line]]]] = defaultdict(lambda: defaultdict(list))
        rows: dict[tuple[int, int], list[Line]] = defaultdict(list)
        for line in self._reader.lines:
            if line.stream in by_stream:
                rows[line.stream, round(line.level / 4)].append(line)
                for run in line.runs:
                    runs[line.stream][run.index].append((run, line))
                    for shadow in run.shadows:
                        runs[line.stream][shadow.index].append((shadow, line))
        for stream, lines in by_stream.items():
            work = self._works[stream] = _Work(stream, lines, runs[stream])
            for pairs in work.runs.values():
                pairs.sort(key=lambda pair: pair[0].first)
            shown = self._shown(work)
            for line, found in lines.items():
                beside = [
                    other.start
                    for step in (-1, 0, 1)
                    for other in rows[stream, round(line.level / 4) + step]
                    if other is not line
                    and other.angle == line.angle
                    and abs(other.level - line.level) < 0.45 * line.em
                    and other.start >= line.end
                ]
                self._lay(work, line, found, shown, min(beside, default=None))

    def _cut(self, mask: Mask, places: Sequence[Place], cuts: dict[Line, list[Cut]]) -> None:
        """Put *mask* on the lines it stands on; its replacement on the first."""
        for char in mask.replacement:
            if letter_width(char) is None:
                raise Refused(
                    "", f"'{char}' 글자를 넣을 글꼴이 없습니다", "다른 바꿀 말을 정하십시오"
                )
        self._chars |= set(mask.replacement)
        replacement = mask.replacement
        open_cut: Cut | None = None
        on: Line | None = None
        for place in places:
            start = max(mask.start - place.offset, 0)
            end = min(mask.end - place.offset, len(place.run.text))
            if start >= end:
                continue
            if place.line is not on:
                open_cut = Cut([], replacement)
                replacement = ""
                cuts[place.line].append(open_cut)
                on = place.line
            assert open_cut is not None
            open_cut.parts.append((place.run, start, end))
        if on is None:
            raise Refused("", "바꿀 자리를 찾지 못했습니다", CURE_AGAIN)

    # -- geometry

    def _shown(self, work: _Work) -> dict[Run, _Shown]:
        """Return what is known of each run in the operators that change."""
        wanted = {
            index for index, runs in work.runs.items() if any(line in work.cuts for _, line in runs)
        }
        stream = self._reader.streams[work.stream]
        found: dict[Run, _Shown] = {}
        for item in self._walk(work.stream, self._reader.instructions(stream)):
            if isinstance(item, Show) and item.index in wanted:
                for run, _ in work.runs[item.index]:
                    stretch, origin = frame(item)[1:3]
                    units = list(_units(item, run))
                    if "".join(unit.text for unit in units) != run.text:
                        raise Refused("", "글자의 자리를 다시 찾지 못했습니다", CURE_AGAIN)
                    found[run] = _Shown(item.pen, item.state.copy(), stretch, origin, units)
        return found

    def _walk(self, number: int, instructions: Any) -> Iterator[Show | Draw]:
        stream = self._reader.streams[number]
        return walk(
            instructions,
            lambda name: self._reader.font(stream, name),
            stream.matrix,
            Seen(),
            lambda name: self._reader.state_font(stream, name),
        )

    def _lay(
        self,
        work: _Work,
        line: Line,
        cuts: list[Cut],
        shown: dict[Run, _Shown],
        beside: float | None,
    ) -> None:
        """Work out where everything on *line* stands once *cuts* are made."""
        gone: dict[Run, list[tuple[int, int]]] = defaultdict(list)
        heads: dict[tuple[Run, int], Cut] = {}
        extents: dict[int, tuple[float, float]] = {}
        for cut in cuts:
            ends: list[float] = []
            for run, start, end in cut.parts:
                first, last = _covered(shown[run].units, start, end)
                gone[run].append((first, last))
                ends += [shown[run].units[first].start, shown[run].units[last - 1].end]
                for unit in shown[run].units[first:last]:
                    font = shown[run].state.font
                    if unit.code and font is not None:
                        self.removed[font][unit.code] += 1
            heads[cut.parts[0][0], _covered(shown[cut.parts[0][0]].units, *cut.parts[0][1:])[0]] = (
                cut
            )
            extents[id(cut)] = (min(ends), max(ends))
        work.bands.append((line, min(start for start, _ in extents.values())))
        # What stays, in order, each with the cut that closes before it.
        atoms: list[Atom] = []
        for run in line.runs:
            lost = {at for first, last in gone[run] for at in range(first, last)}
            for at, unit in enumerate(shown[run].units):
                if (run, at) in heads:
                    atoms.append((run, at, heads[run, at]))
                if at not in lost:
                    atoms.append((run, at, unit))
        placed = (
            self._justified(line, atoms, shown)
            if self._edges.full(line) and self._edges.begins(line)
            else self._followed(line, atoms, shown, extents, beside)
        )
        for run, piece in placed:
            work.pieces.setdefault(run, []).append(piece)
        for run in line.runs:
            work.pieces.setdefault(run, [])
            for shadow in run.shadows:
                self._shadow(work, run, shadow, gone[run], shown)

    def _shadow(
        self,
        work: _Work,
        run: Run,
        shadow: Run,
        gone: list[tuple[int, int]],
        shown: dict[Run, _Shown],
    ) -> None:
        """Move and cut what is drawn a second time as what it doubles."""
        away = shadow.start - run.start
        own = shown[shadow].units
        for first, last in gone:
            for unit in own[first:last]:
                font = shown[shadow].state.font
                if unit.code and font is not None:
                    self.removed[font][unit.code] += 1
        work.pieces[shadow] = [
            Piece(
                piece.start + away,
                piece.units,
                "",
                piece.spacing,
                piece.squeeze,
                piece.wider,
            )
            for piece in work.pieces[run]
            if piece.units
        ]

    def _followed(
        self,
        line: Line,
        atoms: list[Atom],
        shown: dict[Run, _Shown],
        extents: dict[int, tuple[float, float]],
        beside: float | None,
    ) -> list[tuple[Run, Piece]]:
        """Let what stands after a replacement follow it, in its own spacing."""
        placed: list[tuple[Run, Piece]] = []
        shift, end = 0.0, line.start
        last: tuple[Run, Unit] | None = None
        for run, at, atom in atoms:
            if isinstance(atom, Cut):
                start, stop = extents[id(atom)]
                width = _letters(atom.replacement, shown[run])
                if atom.replacement:
                    placed.append((run, Piece(start + shift, [], atom.replacement)))
                shift += start + width - stop
                end = max(end, stop + shift)
                last = None
                continue
            if last is None or last[0] is not run:
                placed.append((run, Piece(atom.start + shift)))
            placed[-1][1].units.append(at)
            last = (run, atom)
            if atom.text.strip():
                end = max(end, atom.end + shift)
        by = self._aligned(line, end)
        limit = beside - SPACE * line.em if beside is not None else self._edges.outermost(line)
        squeeze = 1.0
        if end > limit > line.start:
            by = 0.0
            squeeze = (limit - line.start) / (end - line.start)
        for _, piece in placed:
            piece.start = line.start + (piece.start - line.start) * squeeze + by
            piece.squeeze = squeeze
        return placed

    def _aligned(self, line: Line, end: float) -> float:
        """Return how far the line moves, so that its middle or its end is where it was."""
        edges = self._edges
        shares = {side: edges.shared(side, line) for side in ("start", "middle", "end")}
        if edges.central(line) and shares["start"] < 3:
            return (line.end - end) / 2
        side = max(shares, key=lambda one: shares[one])
        if side == "start" or shares[side] < 2 or shares[side] == shares["start"]:
            return 0.0
        return (line.end - end) / (2 if side == "middle" else 1)

    def _justified(
        self, line: Line, atoms: list[Atom], shown: dict[Run, _Shown]
    ) -> list[tuple[Run, Piece]]:
        """Set the line to both edges again, from the widths of what stays in it."""
        words: list[tuple[Atom, float, bool]] = []
        previous: Run | None = None
        for run, place, atom in atoms:
            if isinstance(atom, Cut):
                if atom.replacement:
                    width = _letters(atom.replacement, shown[run])
                    words.append(((run, place, atom), width, False))
                previous = None
                continue
            if (
                previous is not None
                and previous is not run
                and run.start - previous.end > SPACE * line.em
                and words
                and not words[-1][2]
            ):
                words.append(((run, -1, Unit(" ", b"", -1, 0, 0, 0)), 0.25 * line.em, True))
            blank = atom.text == " "
            width = atom.width if atom.code else 0.25 * line.em
            words.append(((run, place, atom), width, blank))
            previous = run
        while words and words[-1][2]:
            words.pop()
        if not words:
            return []
        natural = sum(width for _, width, _ in words)
        blanks = sum(blank for _, _, blank in words)
        slack = line.end - line.start - natural
        wider = spacing = 0.0
        squeeze = 1.0
        if slack < 0:
            squeeze = (line.end - line.start) / natural
        elif blanks and slack / blanks <= _MOST_STRETCH * line.em:
            wider = slack / blanks
        elif len(words) > 1 and slack / (len(words) - 1) <= _MOST_SPACED * line.em:
            spacing = slack / (len(words) - 1)
        placed: list[tuple[Run, Piece]] = []
        at = line.start
        last: Run | None = None
        for (run, place, atom), width, blank in words:
            if isinstance(atom, Cut):
                placed.append((run, Piece(at, [], atom.replacement, 0.0, squeeze)))
                last = None
            elif atom.code:
                if last is not run:
                    placed.append((run, Piece(at, [], "", spacing, squeeze, wider)))
                placed[-1][1].units.append(place)
                last = run
            else:
                last = None
            at += width * squeeze + (wider if blank else 0.0) + spacing
        return placed

    # -- writing

    def _renewed(self, scrub: bool) -> Codes:
        """Take out of fonts what only masked or unseen words needed; return the new codes."""
        used: dict[Font, Counter[bytes]] = defaultdict(Counter)
        touched = {font for font, gone in self.removed.items() if gone}
        for stream in self._reader.streams:
            for font, count in stream.codes.items():
                if stream.scan:
                    touched.add(font)
                else:
                    used[font] += count
        for font, gone in self.removed.items():
            used[font] -= gone
        if scrub:
            for font, gone in self._unseen().items():
                used[font] -= gone
                touched.add(font)
        files = {file_of(font) for font in touched} - {None}
        touched |= {font for font in used if file_of(font) in files}
        codes: Codes = {}
        for font in touched:
            kept = [code for code, count in used[font].items() if count > 0]
            # A code without text was never needed to read; none is kept.
            codes[font] = dict(renew(self._pdf, font, kept))
        if files:
            for item in self._pdf.objects:
                if isinstance(item, pikepdf.Dictionary):
                    for key in FILES:
                        if key in item and item[key].objgen in files:
                            del item[key]
        return {font: new for font, new in codes.items() if new}

    def _unseen(self) -> dict[Font, Counter[bytes]]:
        """Return the codes that invisible text shows and no mask has taken already."""
        found: dict[Font, Counter[bytes]] = defaultdict(Counter)
        for number, stream in enumerate(self._reader.streams):
            if not stream.unseen or stream.scan:
                continue
            work = self._works.get(number)
            for item in self._walk(number, self._reader.instructions(stream)):
                if not isinstance(item, Show) or item.index not in stream.unseen:
                    continue
                font = item.state.font
                assert font is not None
                runs = work.runs.get(item.index, []) if work is not None else []
                if work is not None and any(run in work.pieces for run, _ in runs):
                    for run, _ in runs:
                        units = list(_units(item, run))
                        for piece in work.pieces.get(run, []):
                            left = (units[at].code for at in piece.units)
                            found[font].update(code for code in left if code)
                    continue
                for element in item.elements:
                    if isinstance(element, list):
                        found[font].update(element)
        return found

    @property
    def touched(self) -> set[int]:
        """The streams that masks change."""
        return set(self._works)

    def write(self, *, scrub: bool) -> None:
        """Write the streams: those with masks, those whose fonts are made anew, or all of them."""
        codes = self._renewed(scrub)
        letters: Any = None
        letter_codes: dict[str, bytes] = {}
        if self._chars:
            letters, letter_codes = letters_font(self._pdf, self._chars)
        for number, stream in enumerate(self._reader.streams):
            work = self._works.get(number)
            if stream.scan:
                continue
            if not scrub and work is None and not (stream.fonts & codes.keys()):
                continue
            name = ""
            if work is not None and letters is not None:
                fonts = stream.resources.Font
                name = next(
                    f"/ThunderLetters{at or ''}"
                    for at in range(1000)
                    if f"/ThunderLetters{at or ''}" not in fonts
                    or fonts[f"/ThunderLetters{at or ''}"].objgen == letters.objgen
                )
                fonts[name] = letters
            instructions = list(self._reader.instructions(stream))
            data = pikepdf.unparse_content_stream(
                list(self._rewritten(number, work, instructions, codes, name, letter_codes, scrub))
            )
            if stream.is_page:
                stream.owner.Contents = self._pdf.make_stream(data)
            else:
                stream.owner.write(data)

    def _rewritten(
        self,
        number: int,
        work: _Work | None,
        instructions: list[Any],
        codes: Codes,
        name: str,
        letters: dict[str, bytes],
        scrub: bool,
    ) -> Iterator[Any]:
        stream = self._reader.streams[number]
        unseen, off = (stream.unseen, stream.off) if scrub else (set(), set())
        marked = scrub or work is not None
        shows: dict[int, Show] = {}
        if work is not None or unseen or stream.fonts & codes.keys():
            for item in self._walk(number, instructions):
                if isinstance(item, Show):
                    item.state = item.state.copy()
                    shows[item.index] = item
        blocks = _blocks(instructions)
        placed = {
            blocks[index]
            for index, runs in (work.runs.items() if work else ())
            if any(run in work.pieces for run, _ in runs)  # type: ignore[union-attr]
        }
        spacing = Spacing()
        placed |= {blocks[index] for index in unseen}
        ruled = _rules(instructions, stream.matrix, work.bands) if work is not None else set()
        for index, instruction in enumerate(instructions):
            operator = str(instruction.operator)
            if work is not None and spacing.takes(operator):
                continue
            if operator in _MARKS and marked:
                continue
            if scrub and operator not in _KNOWN:
                continue
            if index in unseen or index in ruled:
                continue
            if index in off and operator in _PAINTING:
                yield Instruction([], Operator("n"))
                continue
            if index in off and operator in _DRAWING:
                continue
            anew = blocks[index] in placed
            if operator in PLACING and anew:
                if operator == "TD":
                    yield Instruction([-_number(instruction.operands[1])], Operator("TL"))
                continue
            if operator not in SHOWING or index not in shows:
                yield instruction
                continue
            show = shows[index]
            state = show.state
            if anew:
                runs = work.runs.get(index, []) if work else []
                if any(run in work.pieces for run, _ in runs):  # type: ignore[union-attr]
                    for run, _ in runs:
                        yield from self._run(run, work, show, codes, name, letters, spacing)
                else:
                    yield from spacing.set(state.char_space, state.word_space)
                    yield _at(show.pen)
                    yield _tj(list(_encoded(show.elements, state, codes)))
                continue
            if work is not None and operator != '"':
                yield from spacing.set(state.char_space, state.word_space)
            elif work is not None:
                spacing.now = (state.char_space, state.word_space)
            if state.font not in codes:
                yield instruction
                continue
            elements = list(_encoded(show.elements, state, codes))
            if operator in ("'", '"'):
                if operator == '"':
                    yield Instruction([_value(state.word_space)], Operator("Tw"))
                    yield Instruction([_value(state.char_space)], Operator("Tc"))
                yield Instruction([], Operator("T*"))
            yield _tj(elements)

    def _run(
        self,
        run: Run,
        work: _Work | None,
        show: Show,
        codes: Codes,
        name: str,
        letters: dict[str, bytes],
        spacing: "Spacing",
    ) -> Iterator[Any]:
        """Yield what shows the pieces of *run* where they stand now."""
        state = show.state
        assert work is not None and state.font is not None
        _, stretch, origin, *_ = frame(show)
        pieces = work.pieces.get(run)
        if pieces is None:  # another cell of the same operator stays where it is
            yield from spacing.set(state.char_space, state.word_space)
            yield _at(_along(show.pen, (run.start - origin) / stretch, state.font))
            yield _tj(list(_encoded(show.elements[run.first : run.last], state, codes)))
            return
        units = list(_units(show, run)) if pieces else []
        for piece in pieces:
            matrix = _along(show.pen, (piece.start - origin) / stretch, state.font)
            matrix = times((piece.squeeze, 0, 0, 1, 0, 0), matrix)
            if piece.spacing is not None or piece.replacement:
                between = (piece.spacing or 0.0) / stretch / (state.scale or 1.0)
                yield from spacing.set(between, 0.0)
            else:
                yield from spacing.set(state.char_space, state.word_space)
            if piece.replacement:
                if not state.font_name:
                    raise Refused("", "글꼴을 바꿀 수 없는 자리입니다", CURE_AGAIN)
                yield Instruction(
                    [pikepdf.Name(name), _value(state.size * state.font.em)], Operator("Tf")
                )
                flip = (1, 0, 0, -1, 0, 0) if state.font.flipped else (1, 0, 0, 1, 0, 0)
                if state.font.vertical:
                    for at, char in enumerate(piece.replacement):
                        down = times(
                            (1, 0, 0, 1, -0.5 * state.size, -(at + 0.88) * state.size), matrix
                        )
                        yield _at(down)
                        yield _tj([letters[char]])
                else:
                    yield _at(times(flip, matrix))
                    yield _tj([b"".join(letters[char] for char in piece.replacement)])
                yield Instruction(
                    [pikepdf.Name(state.font_name), _value(state.size)], Operator("Tf")
                )
            else:
                yield _at(matrix)
                left = [units[at] for at in piece.units]
                yield _tj(list(_kept(piece, left, show, codes, stretch)))


class Spacing:
    """The space between letters and between words, said only where a string needs it.

    What the file says of them may have been made to measure for a line with a name in it.
    """

    def __init__(self) -> None:
        self.now = (0.0, 0.0)
        self._saved: list[tuple[float, float]] = []

    def takes(self, operator: str) -> bool:
        """Follow *operator*; return whether it is one that only sets the spacing."""
        if operator == "q":
            self._saved.append(self.now)
        elif operator == "Q" and self._saved:
            self.now = self._saved.pop()
        return operator in ("Tc", "Tw")

    def set(self, letters: float, words: float) -> Iterator[Any]:
        """Yield what makes the spacing so."""
        if round(letters, 5) != round(self.now[0], 5):
            yield Instruction([_value(letters)], Operator("Tc"))
        if round(words, 5) != round(self.now[1], 5):
            yield Instruction([_value(words)], Operator("Tw"))
        self.now = (letters, words)


def _rules(
    instructions: Sequence[Any], matrix: Matrix, bands: Sequence[tuple[Line, float]]
) -> set[int]:
    """Return the operators that underline, strike or colour words of a line that changes.

    They end where a masked word began or ended, and would tell how wide it was.
    """
    found: set[int] = set()
    path: set[int] = set()
    saved: list[Matrix] = []
    start: tuple[int, float, float] | None = None
    for index, instruction in enumerate(instructions):
        operator = str(instruction.operator)
        if operator == "q":
            saved.append(matrix)
        elif operator == "Q" and saved:
            matrix = saved.pop()
        elif operator == "cm":
            matrix = times(matrix_of(instruction.operands), matrix)
        elif operator == "re":
            x, y, wide, high = (float(value) for value in instruction.operands)
            if _marks(_onto(matrix, x, y), _onto(matrix, x + wide, y + high), bands):
                path.add(index)
        elif operator in ("m", "l"):
            x, y = _onto(matrix, *(float(value) for value in instruction.operands))
            if operator == "l" and start is not None and _marks(start[1:], (x, y), bands):
                path |= {start[0], index}
            start = (index, x, y) if operator == "m" else None
        elif operator in ("W", "W*"):  # it bounds what is drawn and marks nothing
            path = set()
        elif operator in _PAINTING:
            found |= path
            path = set()
        elif operator == "n":
            path = set()
    return found


def _onto(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    return times((1, 0, 0, 1, x, y), matrix)[4:]


def _marks(
    one: tuple[float, float], other: tuple[float, float], bands: Sequence[tuple[Line, float]]
) -> bool:
    """Return whether what reaches from *one* to *other* marks changed words of a line."""
    low, high = sorted((one[1], other[1]))
    left, right = sorted((one[0], other[0]))
    return any(
        line.angle == 0
        and line.level - 0.45 * line.em < low
        and high < line.level + 1.2 * line.em
        and line.start - 0.2 * line.em < left
        and right < line.end + 0.2 * line.em
        and right > changed
        for line, changed in bands
    )


def _units(show: Show, run: Run) -> Iterator[Unit]:
    """Yield the units of *run*; a space that nobody wrote is one without a code."""
    state, font = show.state, show.state.font
    assert font is not None
    em, stretch, at, *_ = frame(show)
    sign = -1.0 if font.vertical else 1.0
    scale = 1.0 if font.vertical else state.scale
    last = ""
    for number, element in enumerate(show.elements[: run.last]):
        if isinstance(element, float):
            gap = sign * moved(state, element) * stretch
            if (
                number >= run.first
                and last
                and SPACE * em < gap <= APART * em
                and not last.endswith(" ")
            ):
                yield Unit(" ", b"", number, at, at + gap, gap)
                last = " "
            at += gap
            continue
        for code in element:
            width = sign * font.width[code] * state.size * scale * stretch
            extra = state.char_space + (state.word_space if code == b" " else 0.0)
            step = width + sign * extra * scale * stretch
            if number >= run.first:
                last = font.text[code]
                yield Unit(last, code, number, at, at + step, width)
            at += step


def _covered(units: Sequence[Unit], start: int, end: int) -> tuple[int, int]:
    """Return the units that the characters from *start* to *end* touch."""
    offset, first, last = 0, len(units), 0
    for at, unit in enumerate(units):
        if offset < end and offset + len(unit.text) > start:
            first, last = min(first, at), at + 1
        offset += len(unit.text)
    return first, last


def _letters(text: str, shown: _Shown) -> float:
    """Return how wide a replacement is on the page."""
    state = shown.state
    assert state.font is not None
    size = abs(state.size) * state.font.em * shown.stretch
    if state.font.vertical:
        return len(text) * size
    return sum(letter_width(char) or 0.0 for char in text) * size * state.scale


def _blocks(instructions: Sequence[Any]) -> list[int]:
    """Return for each operator the number of the text object it stands in."""
    found, number = [], 0
    for instruction in instructions:
        number += str(instruction.operator) == "BT"
        found.append(number)
    return found


def _along(pen: Matrix, distance: float, font: Font) -> Matrix:
    move = (0.0, -distance) if font.vertical else (distance, 0.0)
    return times((1, 0, 0, 1, *move), pen)


def _value(number: float) -> Any:
    return Decimal(f"{number:.5f}")


def _number(value: Any) -> Any:
    return _value(float(value))


def _at(matrix: Matrix) -> Any:
    return Instruction([_value(number) for number in matrix], Operator("Tm"))


def _tj(elements: list[bytes | float]) -> Any:
    if len(elements) == 1 and isinstance(elements[0], bytes):
        return Instruction([pikepdf.String(elements[0])], Operator("Tj"))
    array = [pikepdf.String(one) if isinstance(one, bytes) else _value(one) for one in elements]
    return Instruction([pikepdf.Array(array)], Operator("TJ"))


def _encoded(
    elements: Sequence[list[bytes] | float], state: State, codes: Codes
) -> Iterator[bytes | float]:
    """Yield what TJ shows, in the codes that the font has now."""
    assert state.font is not None
    new = codes.get(state.font)
    for element in elements:
        if isinstance(element, float):
            yield element
        elif new is None:
            yield b"".join(element)
        elif state.word_space and not state.font.composite and b" " in element:
            # A code of two bytes is no space to Tw: say what it added.
            waiting: list[bytes] = []
            for code in element:
                waiting.append(new[code])
                if code == b" " and len(new[code]) == 2:
                    yield b"".join(waiting)
                    yield -state.word_space * 1000 / (state.size or 1.0)
                    waiting = []
            if waiting:
                yield b"".join(waiting)
        else:
            yield b"".join(map(new.__getitem__, element))


def _kept(
    piece: Piece, units: Sequence[Unit], show: Show, codes: Codes, stretch: float
) -> Iterator[bytes | float]:
    """Yield the units of a piece and, where they keep their spacing, the numbers among them."""
    state = show.state
    if piece.spacing is not None:
        plain = state.copy()
        plain.word_space = 0.0
        spaced: list[list[bytes] | float] = [[]]
        scale = 1.0 if state.font is not None and state.font.vertical else state.scale
        wider = -1000 * piece.wider / (stretch * scale * state.size) if piece.wider else 0.0
        for unit in units:
            if unit.code:
                spaced[-1].append(unit.code)  # type: ignore[union-attr]
            if wider and unit.text == " ":
                spaced += [wider, []]
        yield from _encoded([one for one in spaced if one != []], plain, codes)
        return
    elements: list[list[bytes] | float] = []
    last: int | None = None
    for unit in units:
        if last is not None and unit.element != last:
            elements += [
                element
                for element in show.elements[last + 1 : unit.element]
                if isinstance(element, float)
            ]
        if unit.code:
            if last == unit.element and elements and isinstance(elements[-1], list):
                elements[-1].append(unit.code)
            else:
                elements.append([unit.code])
        else:
            number = show.elements[unit.element]
            if isinstance(number, float):
                elements.append(number)
        last = unit.element
    yield from _encoded(elements, state, codes)
