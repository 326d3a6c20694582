"""Content streams by their operators: where text is shown, in which font, at which place.

(ISO 32000-1, 8.4 graphics state, 9.3 text state, 9.4 text objects.)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf

from thunder.documents.pdf.fonts import Font

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
SHOWING = {"Tj", "TJ", "'", '"'}
PLACING = {"Td", "TD", "Tm", "T*"}
MOST_SAVED = 10_000


def times(a: Matrix, b: Matrix) -> Matrix:
    """Return the matrix that does *a* first, then *b*."""
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def matrix_of(value: Any) -> Matrix:
    """Return six numbers of a PDF array as a matrix; the identity where there is none."""
    if value is None or len(value) != 6:
        return IDENTITY
    a, b, c, d, e, f = (float(number) for number in value)
    return (a, b, c, d, e, f)


@dataclass(slots=True)
class State:
    """The part of the graphics state that text depends on."""

    ctm: Matrix = IDENTITY
    font: Font | None = None
    font_name: str = ""
    size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    scale: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def copy(self) -> "State":
        """Return a state that later operators leave as it is."""
        return State(
            self.ctm, self.font, self.font_name, self.size, self.char_space, self.word_space,
            self.scale, self.leading, self.rise, self.mode,
        )  # fmt: skip


@dataclass(slots=True)
class Show:
    """One operator that shows text: what it shows and where the pen stands before it.

    ``elements`` are lists of codes and numbers, as TJ has them; ``state`` is shared with the
    operators before and after, and must be copied by who keeps it.
    """

    index: int
    operator: str
    elements: list[list[bytes] | float]
    pen: Matrix
    state: State


@dataclass(slots=True)
class Draw:
    """A form or picture that is painted, by the name it has in the resources."""

    index: int
    name: str
    ctm: Matrix


@dataclass(slots=True)
class Seen:
    """What else a stream paints: numbers that tell a scan, or drawn letters, from text."""

    curves: int = 0
    inline_pictures: list[Matrix] = field(default_factory=list)


def advance(state: State, codes: Sequence[bytes]) -> float:
    """Return how far *codes* move the pen, in text space."""
    font = state.font
    assert font is not None
    step = sum(map(font.width.__getitem__, codes)) * state.size
    if state.char_space:
        step += state.char_space * len(codes)
    if state.word_space:
        step += state.word_space * codes.count(b" ")
    return float(step if font.vertical else step * state.scale)


def moved(state: State, number: float) -> float:
    """Return how far a number in a TJ array moves the pen, in text space."""
    step = -number / 1000 * state.size
    vertical = state.font is not None and state.font.vertical
    return step if vertical else step * state.scale


def walk(
    instructions: Sequence[Any],
    font_named: Callable[[str], Font],
    ctm: Matrix,
    seen: Seen,
    font_of_state: Callable[[str], tuple[Font, float] | None] = lambda name: None,
) -> Iterator[Show | Draw]:
    """Yield what *instructions* show and draw, in their order."""
    state = State(ctm=ctm)
    saved: list[State] = []
    pen = line = IDENTITY
    for index, instruction in enumerate(instructions):
        operator = str(instruction.operator)
        if operator in SHOWING:
            values = instruction.operands
            if operator in ("'", '"'):
                if operator == '"':
                    state.word_space, state.char_space = float(values[0]), float(values[1])
                line = pen = times((1, 0, 0, 1, 0, -state.leading), line)
            shown = values[-1] if operator == "TJ" else (values[-1],)
            font = state.font
            if font is None:
                continue
            elements: list[list[bytes] | float] = []
            total = 0.0
            for item in shown:
                if isinstance(item, pikepdf.String):
                    codes = font.codes(bytes(item))
                    elements.append(codes)
                    total += advance(state, codes)
                else:
                    number = float(item)
                    elements.append(number)
                    total += moved(state, number)
            yield Show(index, operator, elements, pen, state)
            step = (0.0, total) if font.vertical else (total, 0.0)
            pen = times((1, 0, 0, 1, *step), pen)
        elif operator == "Td" or operator == "TD":
            x, y = (float(value) for value in instruction.operands)
            if operator == "TD":
                state.leading = -y
            line = pen = times((1, 0, 0, 1, x, y), line)
        elif operator == "Tm":
            line = pen = matrix_of(instruction.operands)
        elif operator == "T*":
            line = pen = times((1, 0, 0, 1, 0, -state.leading), line)
        elif operator == "BT":
            line = pen = IDENTITY
        elif operator == "Tf":
            name = str(instruction.operands[0])
            state.font = font_named(name)
            state.font_name = name
            state.size = float(instruction.operands[1])
        elif operator == "q":
            if len(saved) >= MOST_SAVED:
                raise RecursionError
            saved.append(state.copy())
        elif operator == "Q":
            if saved:
                state = saved.pop()
        elif operator == "cm":
            state.ctm = times(matrix_of(instruction.operands), state.ctm)
        elif operator == "Tc":
            state.char_space = float(instruction.operands[0])
        elif operator == "Tw":
            state.word_space = float(instruction.operands[0])
        elif operator == "Tz":
            state.scale = float(instruction.operands[0]) / 100
        elif operator == "TL":
            state.leading = float(instruction.operands[0])
        elif operator == "Ts":
            state.rise = float(instruction.operands[0])
        elif operator == "Tr":
            state.mode = int(instruction.operands[0])
        elif operator == "gs":
            told = font_of_state(str(instruction.operands[0]))
            if told is not None:
                (state.font, state.size), state.font_name = told, ""
        elif operator == "Do":
            yield Draw(index, str(instruction.operands[0]), state.ctm)
        elif operator in ("c", "v", "y"):
            seen.curves += 1
        elif operator == "INLINE IMAGE":
            seen.inline_pictures.append(state.ctm)
