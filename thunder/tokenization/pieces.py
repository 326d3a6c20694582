"""Text as the tokenizer reads it: blocks, plain characters, words, and the parts of a word.

Source: Thunder-DeID paper, section 3.7. A word is what stands between white space; its parts are
its morphemes, with digits in groups of three. A part never depends on what stands round its word.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.text.korean import fold, require_encodable
from thunder.text.morphology import segments

Integers = NDArray[np.int32]

RULES = 1  # raised whenever the parts of some word change: older tokenizers then need this version
SEPARATOR = "\ue000"
SPACE = "\u2581"
# Every character lies in a piece: a line break, a word with the space before it, or more space.
# Mecab is quadratic in one run of characters, so a run is cut, after punctuation if there is any.
_PIECE = re.compile(
    r"\n|[^\S\n]?(?:\S{1,512}(?!\S)|\S{255,511}[,.:;!?)\]}」』’”…·]|\S{512})|[^\S\n]"
)
# What folding leaves as it is, and most texts hold nothing else: asked first, for speed.
_PLAIN = re.compile(
    r"[\n -~\u00a1-\u00ac\u00ae-\u02ff\u2018-\u2027\u2030-\u2042\u2044-\u205e\u2100-\u2189"
    r"\u2190-\u2211\u2213-\u22ff\u2460-\u24ff\u2500-\u2580\u2582-\u27bf\u3001-\u3029"
    r"\u3131-\u3160\u3162\u3163\u3165-\u318e\u3200-\u33ff\u4e00-\u9fff가-힣]*"
)
_FILLER = re.compile("[\u3164\uffa0]")  # no white space to Unicode, and drawn as nothing
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_DIGIT = re.compile(r"[0-9]")
_DIGITS = re.compile(r"[0-9]{1,3}")
BLOCK = 1 << 16
_BREAK = re.compile(r"\S(?=[ \n\t\u3000])")
_STARTER = re.compile(r"[^\u0300-\u036f\u1160-\u11ff\u200b-\u200f\u3099\u309a\ufe00-\ufe0f\ufeff]")


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each block of *text* begins, and the block: memory stays bounded.

    A block ends before white space, so that its words are those of the whole text; where there is
    none for 32,768 characters, before a character that is not joined to the one before it.
    """
    start = 0
    while len(text) - start > BLOCK:
        end = _block_end(text, start)
        yield start, text[start:end]
        start = end
    if start < len(text):
        yield start, text[start:]


def _block_end(text: str, start: int) -> int:
    middle, limit = start + BLOCK // 2, start + BLOCK
    for pattern, shift in ((_BREAK, 1), (_STARTER, 0)):
        match = pattern.search(text, middle, limit)
        if match:
            return match.start() + shift
    return limit


def words(plain: str) -> list[str]:
    """Return the pieces that *plain* is made of, each a word with the space before it, if any."""
    return _PIECE.findall(plain)


class Readable(NamedTuple):
    """A plain form of a text, and for each of its characters where it stood in the text.

    ``starts`` and ``ends`` are None where every character stands in its own place.
    """

    text: str
    starts: Integers | None = None
    ends: Integers | None = None


def readable(text: str) -> Readable:
    """Return the plain form of *text* that is cut into tokens; ValueError for lone surrogates.

    Characters that folding leaves out belong to a neighbour's token, so that none is lost.
    """
    if _PLAIN.fullmatch(text):
        return Readable(text)
    require_encodable(text)
    lines = _LINE.findall(text)
    found = [_readable_line(line) for line in lines]
    plain = "".join(line.text for line in found)
    if all(line.starts is None for line in found):
        return Readable(plain)
    begins = list(accumulate(map(len, lines), initial=0))
    starts = [_moved(line.starts, line.text, at) for line, at in zip(found, begins, strict=False)]
    ends = [_moved(line.ends, line.text, at, 1) for line, at in zip(found, begins, strict=False)]
    return Readable(plain, np.concatenate(starts), np.concatenate(ends))


def _readable_line(line: str) -> Readable:
    if _PLAIN.fullmatch(line):
        return Readable(line)
    folded = fold(line)
    plain = folded.text.replace(SEPARATOR, "\ufffd").replace(SPACE, "_")
    starts, ends = folded.starts, folded.ends
    if starts is not None and ends is not None:
        covering = _covering(line, plain, starts, ends)
        return _with_fillers(line, covering) if _FILLER.search(line) else covering
    return _with_fillers(line, Readable(plain)) if _FILLER.search(line) else Readable(plain)


def _with_fillers(line: str, found: Readable) -> Readable:
    """Return what is read of *line* with each filler in a token, though it reads as a space.

    It belongs to the character before it; where there is none, the first stands for itself.
    """
    plain = list(found.text)
    starts = np.arange(len(plain), dtype=np.int32) if found.starts is None else found.starts
    ends = starts + np.int32(1) if found.ends is None else found.ends.copy()
    owner = -1
    for at, char in enumerate(plain):
        if char == " " and _FILLER.match(line, starts[at]):
            if owner < 0:
                plain[at], owner = "\ufffd", at
            else:
                ends[owner] = ends[at]
        else:
            owner = -1 if char.isspace() else at
    return Readable("".join(plain), starts, ends)


def _moved(places: Integers | None, text: str, by: int, first: int = 0) -> Integers:
    if places is None:
        return np.arange(by + first, by + first + len(text), dtype=np.int32)
    return places + np.int32(by)


def _covering(text: str, plain: str, starts: Iterable[int], ends: Iterable[int]) -> Readable:
    """Return *plain* with every left-out character given to the one before it, or after it."""
    pieces: list[str] = []
    new_starts: list[int] = []
    new_ends: list[int] = []
    done = 0
    beyond = len(text)
    for char, start, end in zip([*plain, ""], [*starts, beyond], [*ends, beyond], strict=True):
        if start > done:
            if new_ends and not pieces[-1].isspace():
                new_ends[-1] = start
            elif char and not char.isspace():
                start = done
            else:  # between spaces: it stands for itself
                pieces.append("\ufffd")
                new_starts.append(done)
                new_ends.append(start)
        if char:
            pieces.append(char)
            new_starts.append(start)
            new_ends.append(end)
        done = max(done, end)
    places = (np.array(offsets, dtype=np.int32) for offsets in (new_starts, new_ends))
    return Readable("".join(pieces), *places)


def parts(piece: str, *, cuts: Collection[int] = ()) -> list[str]:
    """Return what BPE works inside: the morphemes of a piece, the first with its space as ``▁``.

    Digits stand in groups of three; *cuts* are further borders, in characters of *piece*.
    """
    if piece == "\n":
        return [piece]
    word = piece[1:] if piece[:1].isspace() else piece
    if not word:
        return []
    found = segments(word)
    space = len(piece) - len(word)
    if cuts or _DIGIT.search(word):
        found = _cut_further(word, found, [cut - space for cut in cuts])
    if space:
        found[0] = SPACE + found[0]
    return found


def _cut_further(word: str, found: Sequence[str], cuts: Sequence[int]) -> list[str]:
    ends = {*accumulate(map(len, found)), *cuts}
    for digits in _DIGITS.finditer(word):
        ends.update(digits.span())
    return [word[a:b] for a, b in pairwise(sorted({0} | {end for end in ends if end > 0}))]


def marked_text(text: str) -> str:
    """Return *text* as ``tokenizer.json`` reads it: separators round all parts, no white space."""
    found = (part for piece in words(readable(text).text) for part in parts(piece))
    return SEPARATOR + SEPARATOR.join(found) + SEPARATOR
