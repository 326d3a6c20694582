"""Every masked wording, looked for in all that a written file holds.

Two searches. What an independent reading of the file gives has to be the text as it was decided,
segment by segment: so every place is checked, also of a wording of one or two letters. And in
each part, inflated, every wording of three characters or more is looked for in the encodings that
files are written in; what the decided text says of that part itself is no leak, nor is a piece of
the name of a font that every office program knows (``documents/fonts.yaml``).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thunder import documents
from thunder.masking.wordings import key_of

if TYPE_CHECKING:
    from thunder.masking.records import Deidentified

ENCODINGS = {"utf-8": 1, "utf-16-le": 2, "utf-16-be": 2, "cp949": 1}
"""In which wordings are looked for among bytes, and how many bytes an ASCII letter takes."""

LEAST = 3
"""Characters of a wording that is looked for everywhere; a shorter one is no sign of anybody."""

_LEAST_BYTES = 5  # of a wording looked for among bytes that are no text: pictures hold any three
_LEAST_DIGITS = 5
_LEAST_LONG = 9  # digits of a phone's or an account's number: a shorter one may be a date
_LONGEST_FORMAT_NUMBER = 6
_MANY = 32  # wordings that are not searched one after the other
_PREFIX = 4  # bytes by which wordings are told among others
_MOST_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Leak:
    """A part of a file in which masked wordings stand, and how many of them."""

    part: str
    wordings: int


def wordings(result: "Deidentified") -> list[str]:
    """Return what was masked in a document and is looked for, shortest first.

    Long numbers are looked for without their hyphens, too, as a cell of a table may hold them.
    Numbers under five digits are left out, as is what holds another one of them.
    """
    found = {result.original[one.span.start : one.span.end].strip() for one in result.changes}
    found = {wording for wording in found if _tells(wording)}
    keys = {key_of(wording) for wording in found}
    found |= {key for key in keys if key.isdigit() and len(key) >= _LEAST_LONG}
    shortest: list[str] = []
    for wording in sorted(found, key=lambda one: (len(one), one)):
        if not any(short in wording for short in shortest):
            shortest.append(wording)
    return shortest


def _tells(wording: str) -> bool:
    key = key_of(wording)
    return len(wording) >= LEAST and len(key) >= (_LEAST_DIGITS if key.isdigit() else 2)


def find(
    sought: Sequence[str],
    parts: Iterable[tuple[str, bytes]],
    said: Mapping[str, Sequence[str]],
) -> Iterator[Leak]:
    """Yield the *parts* (name and inflated content) in which one of the wordings stands.

    *said* is what each part says by decision, the new texts of its segments: as often as a
    wording stands there it may stand in the part.
    """
    forms = _forms(sought)
    for part, content in parts:
        text = _text(content)
        met = _in_bytes(content, forms) if text is None else _in_text(text, sought)
        own = said.get(part, ())
        left = [word for word, count in met if count > sum(text.count(word) for text in own)]
        if left:
            yield Leak(part, len(left))


def _text(content: bytes) -> str | None:
    """Return what *content* says in UTF-8; None where it is no such text.

    No Hangul in UTF-16 or CP949 is valid UTF-8, so that such a text holds no other encoding.
    """
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


# --- in texts ------------------------------------------------------------------------------------


def _in_text(text: str, sought: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield which wordings stand in *text*, and how often."""
    if len(sought) > _MANY:
        starts = {text[at : at + LEAST] for at in range(len(text))}
        sought = [wording for wording in sought if wording[:LEAST] in starts]
    for wording in sought:
        places = _places(text, wording)
        count = sum(_is_whole_in_text(text, at, at + len(wording)) for at in places)
        if count and (count := count - _in_fonts(text, wording)) > 0:
            yield wording, count


def _in_fonts(text: str, wording: str) -> int:
    """Return how often *wording* stands in a line that is the name of a known font."""
    lines = [name for name in fonts() if wording in name and wording != name]
    return sum(
        name.count(wording) * f"\n{text}\n".replace("\n", "\n\n").count(f"\n{name}\n")
        for name in lines
    )


@lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """Return the names of fonts that office programs write into every file."""
    from ruamel.yaml import YAML

    path = Path(documents.__file__).with_name("fonts.yaml")
    return tuple(YAML(typ="safe").load(path.read_text(encoding="utf-8")))


def _places(text: str, wording: str) -> Iterator[int]:
    at = text.find(wording)
    while at >= 0:
        yield at
        at = text.find(wording, at + len(wording))


def _is_whole_in_text(text: str, start: int, end: int) -> bool:
    """Return whether a stretch is no piece of a number or Latin word, and no number of a format.

    A short number that is a line by itself is one: a width, a colour, an id.
    """
    before, after = text[start - 1 : start], text[end : end + 1]
    if _is_within(before, text[start]) or _is_within(text[end - 1], after):
        return False
    is_short = end - start <= _LONGEST_FORMAT_NUMBER and text[start:end].isdigit()
    return not (is_short and before in ("", "\n") and after in ("", "\n"))


def _is_within(left: str, right: str) -> bool:
    """Return whether two neighbours are of one number or Latin word."""
    is_one = left.isdigit() == right.isdigit()
    return bool(left and right and (left + right).isascii() and (left + right).isalnum() and is_one)


# --- among bytes ---------------------------------------------------------------------------------


def _forms(sought: Sequence[str]) -> dict[bytes, tuple[str, int]]:
    """Return each wording as bytes in each encoding, with it and the bytes of a letter there."""
    forms: dict[bytes, tuple[str, int]] = {}
    for wording in sought:
        for encoding, width in ENCODINGS.items():
            try:
                form = wording.encode(encoding)
            except UnicodeEncodeError:
                continue  # an encoding without one of the letters cannot hold it
            if len(form) >= _LEAST_BYTES:
                forms.setdefault(form, (wording, width))
    return forms


def _in_bytes(content: bytes, forms: Mapping[bytes, tuple[str, int]]) -> list[tuple[str, int]]:
    """Return which wordings stand in *content* in one of their forms, and how often at most."""
    counts: dict[str, int] = {}
    for form in _met(content, list(forms)):
        wording, width = forms[form]
        count, at = 0, content.find(form)
        while at >= 0:
            count += _is_whole_among_bytes(content, at, at + len(form), width)
            at = content.find(form, at + len(form))
        if count := count - _in_fonts_among_bytes(content, form):
            counts[wording] = max(count, counts.get(wording, 0))
    return list(counts.items())


def _in_fonts_among_bytes(content: bytes, form: bytes) -> int:
    """Return how often *form*, a wording in some encoding, stands within a known font's name."""
    names = {name.encode(encoding, "ignore") for name in fonts() for encoding in ENCODINGS}
    names = {name for name in names if form in name and form != name}
    if not names:
        return 0
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return sum(name.count(form) for name in re.findall(b"|".join(longest_first), content))


def _met(content: bytes, forms: Sequence[bytes]) -> list[bytes]:
    """Return those of *forms* that *content* holds."""
    if len(forms) <= _MANY or len(content) < _PREFIX:
        return [form for form in forms if form in content]
    starts = [form[:_PREFIX] for form in forms]
    sorted_starts = np.unique(np.frombuffer(b"".join(starts), dtype="<u4"))
    there: set[int] = set()
    for shift in range(_PREFIX):
        whole = (len(content) - shift) // _PREFIX
        for first in range(0, whole, _MOST_AT_ONCE):
            many = min(_MOST_AT_ONCE, whole - first)
            seen = np.frombuffer(content, "<u4", many, shift + first * _PREFIX)
            at = np.searchsorted(sorted_starts, seen)
            at[at == len(sorted_starts)] = 0
            there.update(np.unique(seen[sorted_starts[at] == seen]).tolist())
    return [
        form
        for form, start in zip(forms, starts, strict=True)
        if int.from_bytes(start, "little") in there and form in content
    ]


def _is_whole_among_bytes(content: bytes, start: int, end: int, width: int) -> bool:
    """Return whether a stretch is no piece of another number or Latin word."""

    def letter(at: int) -> str:
        return content[at : at + width].strip(b"\0").decode("ascii", "replace") if at >= 0 else ""

    return not (
        _is_within(letter(start - width), letter(start))
        or _is_within(letter(end - width), letter(end))
    )
