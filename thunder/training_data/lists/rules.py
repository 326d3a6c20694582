"""Rules of composition: mentions put together from parts by weighted patterns.

A pattern is text with the names of parts in braces: ``{region}{stem}``. A part named twice is
drawn twice, never the same item; ``{family.2}`` is the second column of what the first
``{family}`` drew (응우옌 → NGUYEN). A number picks the mention, so that the same number always
gives the same one.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, product
from math import prod
from random import Random
from typing import Protocol

from thunder.training_data import messages as say

ENOUGH = 10_000
"""A rule makes more distinct mentions than this; what makes fewer is written as a list."""

_PLENTY = 2 * ENOUGH  # combinations of one pattern, from which on they are not counted one by one
_NAME = re.compile(r"\{([^{}]*)\}")
_REFERENCE = re.compile(r"([\w-]+)(?:\.([1-9]))?")


class Part(Protocol):
    """A sequence of items, each with its columns: spellings of one and the same thing."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int) -> tuple[str, ...]: ...

    def beginning(self, text: str, at: int, column: int) -> Iterator[tuple[str, ...]]:
        """Yield the items whose *column* stands in *text* at *at*."""
        ...


@dataclass(frozen=True, slots=True)
class Words:
    """Items given one by one, all with the same number of columns."""

    items: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, at: int) -> tuple[str, ...]:
        return self.items[at]

    def beginning(self, text: str, at: int, column: int) -> Iterator[tuple[str, ...]]:
        """Yield the items whose *column* stands in *text* at *at*."""
        return (item for item in self.items if text.startswith(item[column], at))


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers from *first* to *last*, written with at least so many *digits*."""

    first: int
    last: int
    digits: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.last:
            raise ValueError(say.NUMBERS(first=self.first, last=self.last))
        if not 1 <= self.digits <= 30:
            raise ValueError(say.DIGITS(digits=self.digits))

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __getitem__(self, at: int) -> tuple[str, ...]:
        return (f"{self.first + at:0{self.digits}d}",)

    def beginning(self, text: str, at: int, column: int) -> Iterator[tuple[str, ...]]:
        """Yield the numbers that stand in *text* at *at*."""
        longest = max(self.digits, len(str(self.last)))
        for end in range(at + 1, min(at + longest, len(text)) + 1):
            digits = text[at:end]
            if not (digits.isascii() and digits.isdecimal()):
                return
            place = int(digits) - self.first
            if 0 <= place < len(self) and self[place] == (digits,):
                yield (digits,)


@dataclass(frozen=True, slots=True)
class Made:
    """Items made in Python, each from the generator that its place seeds."""

    make: Callable[[Random], str]

    def __len__(self) -> int:
        return 2**40

    def __getitem__(self, at: int) -> tuple[str, ...]:
        return (self.make(Random(at)),)

    def beginning(self, text: str, at: int, column: int) -> Iterator[tuple[str, ...]]:
        """Yield nothing: what a maker could make cannot be told from the text."""
        return iter(())


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a mention is put together from: ``pieces`` are texts, or a draw and its column.

    ``draws`` holds the part of each draw; ``before`` the earlier draws from the same part.
    """

    pieces: tuple[str | tuple[int, int], ...]
    draws: tuple[Part, ...]
    before: tuple[tuple[int, ...], ...]
    weight: int = 1

    def at(self, number: int) -> str:
        """Return the mention that *number* (from 0, large and even) picks."""
        drawn: list[tuple[str, ...]] = []
        for part, before in zip(self.draws, self.before, strict=True):
            size = len(part)
            number, at = divmod(number, size)
            item = part[at]
            if before:
                known = [drawn[earlier] for earlier in before]
                while item in known and len(known) < size:
                    at = (at + 1) % size
                    item = part[at]
            drawn.append(item)
        return self.joined(drawn)

    def joined(self, drawn: Sequence[tuple[str, ...]]) -> str:
        """Return the text of the pattern with these items drawn."""
        return "".join(
            [
                piece if isinstance(piece, str) else drawn[piece[0]][piece[1]]
                for piece in self.pieces
            ]
        )

    @property
    def combinations(self) -> int:
        """How many ways there are to draw; two of them may give the same text."""
        return prod(
            max(1, len(part) - len(before))
            for part, before in zip(self.draws, self.before, strict=True)
        )

    def every(self) -> Iterator[str]:
        """Yield the text of each way to draw."""
        parts = [[part[at] for at in range(len(part))] for part in self.draws]
        for drawn in product(*parts):
            if all(
                drawn[late] != drawn[early]
                for late, before in enumerate(self.before)
                for early in before
            ):
                yield self.joined(drawn)


class Composition:
    """All patterns of a rule, each chosen by its weight."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.patterns = tuple(patterns)
        self._bounds = list(accumulate(pattern.weight for pattern in self.patterns))

    def at(self, number: int) -> str:
        """Return the mention that *number* (from 0; 128 bits are plenty) picks."""
        number, place = divmod(number, self._bounds[-1])
        return self.patterns[bisect_right(self._bounds, place)].at(number)

    def distinct(self) -> int:
        """Return how many distinct mentions there are; counted up to just above ENOUGH."""
        if any(pattern.combinations >= _PLENTY for pattern in self.patterns):
            return ENOUGH + 1
        made: set[str] = set()
        for pattern in self.patterns:
            every = pattern.every()
            while len(made) <= ENOUGH and (some := list(islice(every, 2000))):
                made.update(some)
        return min(len(made), ENOUGH + 1)

    def makes(self, mention: str) -> bool:
        """Return whether a pattern can give *mention*; what makers could make is not told."""
        return any(_fits(pattern, mention, 0, 0, {}) for pattern in self.patterns)


def _fits(
    pattern: Pattern, text: str, at: int, place: int, drawn: Mapping[int, tuple[str, ...]]
) -> bool:
    if place == len(pattern.pieces):
        return at == len(text)
    piece = pattern.pieces[place]
    if isinstance(piece, str):
        return text.startswith(piece, at) and _fits(
            pattern, text, at + len(piece), place + 1, drawn
        )
    draw, column = piece
    known = drawn.get(draw)
    if known is None:
        items = pattern.draws[draw].beginning(text, at, column)
    else:
        items = iter([known] if text.startswith(known[column], at) else [])
    others = [drawn[earlier] for earlier in pattern.before[draw] if earlier in drawn]
    return any(
        _fits(pattern, text, at + len(item[column]), place + 1, {**drawn, draw: item})
        for item in items
        if known or item not in others
    )


def pattern_of(text: str, parts: Mapping[str, Part], *, weight: int = 1) -> Pattern:
    """Return the pattern that *text* writes; ValueError says what is wrong with it."""
    bare = _NAME.sub("", text)
    if "{" in bare or "}" in bare:
        raise ValueError(say.BRACE(text=text))
    if "  " in text:
        raise ValueError(say.TWO_SPACES(text=text))
    pieces: list[str | tuple[int, int]] = []
    draws: list[Part] = []
    places: dict[str, list[int]] = {}
    seen: dict[tuple[str, int], int] = {}
    for literal, name in _split(text):
        if literal:
            pieces.append(literal)
        if name is not None:
            part, column = _reference(name, parts, text)
            nth = seen[part, column] = seen.get((part, column), 0) + 1
            mine = places.setdefault(part, [])
            if len(mine) < nth:
                mine.append(len(draws))
                draws.append(parts[part])
            pieces.append((mine[nth - 1], column))
    before = _before(len(draws), places)
    return Pattern(tuple(pieces), tuple(draws), before, weight)


def part_names(text: str) -> set[str]:
    """Return the names of the parts that a pattern's *text* draws from."""
    return {name.partition(".")[0] for name in _NAME.findall(text)}


def _split(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield each stretch of plain text with the name in braces behind it, None at the end."""
    done = 0
    for match in _NAME.finditer(text):
        yield text[done : match.start()], match[1]
        done = match.end()
    yield text[done:], None


def _reference(name: str, parts: Mapping[str, Part], text: str) -> tuple[str, int]:
    match = _REFERENCE.fullmatch(name)
    if match is None or match[1] not in parts:
        known = ", ".join(parts) or "none"
        raise ValueError(say.UNKNOWN_PART(text=text, name=name, known=known))
    column = int(match[2] or 1) - 1
    columns = len(parts[match[1]][0])
    if column >= columns:
        raise ValueError(
            say.NO_COLUMN(text=text, column=column + 1, name=match[1], columns=columns)
        )
    return match[1], column


def _before(draws: int, places: Mapping[str, Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    before: list[tuple[int, ...]] = [()] * draws
    for mine in places.values():
        for nth, draw in enumerate(mine):
            before[draw] = tuple(mine[:nth])
    return tuple(before)
