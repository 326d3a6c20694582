"""The text of a paragraph (PARA_TEXT), read and edited.

Units of UTF-16 below 32 are control characters of one unit, or of eight: the code, twelve bytes,
the code again. A tabulator, line breaks, hyphens and fixed spaces are text; every other control
(a table, a note, a field's end) is where something hangs, has no width in the text, and stays.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct

from thunder.documents.hwp.records import damaged, joined, units_of
from thunder.documents.segments import Mask

_CONTROL = re.compile("[\x00-\x1f]")
_OF_ONE_UNIT = {0, 10, 13, *range(24, 32)}
_VISIBLE = {"\t": "\t", "\n": "\n", "\r": "\n", "\x18": "-", "\x1e": "\u00a0", "\x1f": "\u3000"}
_END = "\r"  # of a paragraph

_LINE_BREAK = "\n".encode("utf-16-le")

_PLACE = Struct("<II")
_RANGE = Struct("<III")
_LINE = Struct("<I32x")  # where it begins; its height, its place on the page and its marks
_HEADER = Struct("<IIHBBHHH")  # units, controls, shape, style, break, counts of three records


_Pieces = list[tuple[int, int, str]]
"""Beginning and end, in units, of each run of letters and each control, and its text."""


def text_of(payload: bytes, part: str) -> str:
    """Return the text of PARA_TEXT, without its end mark.

    Refused for a control that is not whole.
    """
    try:
        units = payload.decode("utf-16-le")
        first = _CONTROL.search(units)
        if first is None or (first.start() == len(units) - 1 and first[0] == _END):
            return units.removesuffix(_END)
    except UnicodeDecodeError:
        if len(payload) % 2:
            raise damaged(part, "문단의 글자가 잘렸습니다") from None
    units = units_of(payload)
    return "".join(text for _, _, text in _pieces(units, part))


def _pieces(units: str, part: str) -> _Pieces:
    """Return the runs of letters and the controls of a paragraph."""
    pieces, at, end = [], 0, len(units)
    if units.endswith(_END):
        end -= 1
    while at < end:
        found = _CONTROL.search(units, at)
        place = min(found.start(), end) if found else end
        if place > at:
            pieces.append((at, place, joined(units[at:place])))
        if found is None or place == end:
            break
        code = found[0]
        at = place + (1 if ord(code) in _OF_ONE_UNIT else 8)
        if at > len(units) or units[at - 1] != code:
            raise damaged(part, "제어 문자가 잘렸습니다")
        pieces.append((place, at, _VISIBLE.get(code, "")))
    return pieces


@dataclass(frozen=True, slots=True)
class Edited:
    """A paragraph's text after masks, and what became of places in it."""

    payload: bytes
    """PARA_TEXT; empty where nothing but the end mark is left."""

    gone: int
    """The controls, as bits, that stood in the text and no longer do."""

    _ends: list[int]
    _shifts: list[int]
    _starts: list[int]
    _news: list[int]

    def place(self, old: int) -> int:
        """Return where the unit that was at *old* is; of one taken out, where its follower is."""
        index = bisect_right(self._starts, old) - 1
        if index < 0:
            return old
        if old == self._starts[index]:
            return self._news[index]
        if old < self._ends[index]:
            return self._ends[index] + self._shifts[index]
        return old + self._shifts[index]


def edited(payload: bytes, masks: Sequence[Mask], part: str) -> Edited:
    """Return PARA_TEXT with *masks* in it; a replacement stands where its first letter stood.

    Controls without width inside a mask stay, behind the replacement.
    """
    units = units_of(payload)
    pieces = _pieces(units, part)
    starts, lengths = _letters(pieces, units)
    out: list[str] = []
    done = 0  # in units
    cuts: list[tuple[int, int, int]] = []  # what is taken out, and the units in its place
    for mask in masks:
        if not 0 <= mask.start < mask.end <= len(lengths):
            raise ValueError("a mask lies outside its segment or covers nothing")
        if _CONTROL.search(mask.replacement):
            raise ValueError("a replacement holds control characters")
        new = "".join(map(chr, memoryview(mask.replacement.encode("utf-16-le")).cast("H")))
        begin = starts[mask.start]
        out += [units[done:begin], new]
        done = begin
        for letter in range(mask.start, mask.end):
            out.append(units[done : starts[letter]])
            done = starts[letter] + lengths[letter]
            cuts.append((starts[letter], done, len(new) if letter == mask.start else 0))
    out.append(units[done:])
    result = "".join(out)
    gone = 0
    if any(units[begin] < " " for begin, _, _ in cuts):
        gone = _controls(pieces, units) & ~_controls(_pieces(result, part), result)
    return Edited(
        b"" if result in ("", _END) else result.encode("utf-16-le", "surrogatepass"),
        gone,
        *_shifts(cuts),
    )


def _shifts(cuts: list[tuple[int, int, int]]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return the ends of *cuts*, the shift behind each, their beginnings, and those anew."""
    ends, shifts, starts, news, shift = [], [], [], [], 0
    for begin, end, length in cuts:
        starts.append(begin)
        news.append(begin + shift)
        shift += length - (end - begin)
        ends.append(end)
        shifts.append(shift)
    return ends, shifts, starts, news


def _letters(pieces: _Pieces, units: str) -> tuple[list[int], list[int]]:
    """Return where each letter of the text stands and how many units it takes."""
    starts: list[int] = []
    lengths: list[int] = []
    for begin, end, text in pieces:
        if end - begin == len(text):
            starts += range(begin, end)
            lengths += [1] * len(text)
        elif len(text) == 1 and _CONTROL.match(units[begin]):
            starts.append(begin)
            lengths.append(end - begin)
        else:
            for letter in text:
                starts.append(begin)
                lengths.append(2 if letter > "\uffff" else 1)
                begin += lengths[-1]
    return starts, lengths


def _controls(pieces: _Pieces, units: str) -> int:
    bits = 0
    for begin, _, _ in pieces:
        if units[begin] < " ":
            bits |= 1 << ord(units[begin])
    return bits


def header_of(payload: bytes, text: Edited, shapes: int, ranges: int, lines: int) -> bytes:
    """Return PARA_HEADER for the edited text: its counts."""
    units, controls, shape, style, breaks, _, _, _ = _HEADER.unpack_from(payload)
    count = len(text.payload) // 2 or 1
    return (
        _HEADER.pack(
            *(units & 0x80000000 | count, controls & ~text.gone, shape, style, breaks),
            *(shapes, ranges, lines),
        )
        + payload[_HEADER.size :]
    )


def emptied_header(payload: bytes) -> bytes:
    """Return PARA_HEADER of a paragraph from which all text and all that hung in it is taken."""
    units, _, shape, style, breaks, _, _, lines = _HEADER.unpack_from(payload)
    return (
        _HEADER.pack(units & 0x80000000 | 1, 0, shape, style, breaks, 1, 0, min(lines, 1))
        + payload[_HEADER.size :]
    )


def shapes_of(payload: bytes, text: Edited) -> bytes:
    """Return PARA_CHAR_SHAPE at the places of the edited text; the last one at a place counts."""
    places: dict[int, int] = {}
    for old, shape in _PLACE.iter_unpack(payload[: len(payload) // 8 * 8]):
        places[text.place(old)] = shape
    end = len(text.payload) // 2 or 1
    kept = {place: shape for place, shape in places.items() if place < end}
    return b"".join(_PLACE.pack(*pair) for pair in sorted((kept or {0: 0}).items()))


def ranges_of(payload: bytes, text: Edited) -> bytes:
    """Return PARA_RANGE_TAG at the places of the edited text, without ranges that are empty now."""
    parts = []
    for old_start, old_end, tag in _RANGE.iter_unpack(payload[: len(payload) // 12 * 12]):
        start, end = text.place(old_start), text.place(old_end)
        if start < end or old_start == old_end:
            parts.append(_RANGE.pack(start, end, tag))
    return b"".join(parts)


def lines_of(payload: bytes, text: Edited) -> bytes:
    """Return PARA_LINE_SEG at the places of the edited text: at least its first line.

    Hancom's program lays lines out anew, but may take a file for damaged where one begins behind
    the text or a paragraph has none. Of lines that begin at one place now the first stays; the end
    mark alone is a line only behind a line break.
    """
    end = len(text.payload) // 2 - 1
    if text.payload[:-2].endswith(_LINE_BREAK):
        end += 1
    kept: list[bytes] = []
    last = -1
    for at in range(0, len(payload) // _LINE.size * _LINE.size, _LINE.size):
        (old,) = _LINE.unpack_from(payload, at)
        start = text.place(old) if kept else 0
        if not kept or last < start < end:
            kept.append(start.to_bytes(4, "little") + payload[at + 4 : at + _LINE.size])
            last = start
    return b"".join(kept)


def first_line(payload: bytes) -> bytes:
    """Return PARA_LINE_SEG with its first line alone."""
    return payload[: _LINE.size]


def lines_count(payload: bytes) -> int:
    """Return how many lines PARA_LINE_SEG holds."""
    return len(payload) // _LINE.size


def header_size() -> int:
    """Return how many bytes of PARA_HEADER are needed."""
    return _HEADER.size
