"""Every masked wording, looked for in all that a written file holds.

Two searches. What an independent reading of the file gives has to be the text as it was decided,
segment by segment: so every place is checked, also of a wording of one or two letters. And in
each part, inflated, every wording of three characters or more is looked for in the encodings that
files are written in; what the decided text says of that part itself is no leak.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thunder.masking.wordings import key_of

if TYPE_CHECKING:
    from thunder.masking.records import Deidentified

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "cp949")
LEAST = 3
"""Characters of a wording that is looked for everywhere; a shorter one is no sign of anybody."""

_LEAST_BYTES = 5  # of a wording looked for among bytes that are no text: pictures hold any three
_LEAST_DIGITS = 5
_NUMBER = re.compile(rb"[0-9]*")
_ALPHANUMERIC = re.compile(rb"[0-9A-Za-z]")
_LONGEST_FORMAT_NUMBER = 6


@dataclass(frozen=True, slots=True)
class Leak:
    """A part of a file in which masked wordings stand, and how many of them."""

    part: str
    wordings: int


def wordings(result: "Deidentified") -> list[str]:
    """Return what was masked in a document and is looked for, longest first.

    Numbers under five digits are left out, as is what holds another one of them.
    """
    found = {result.original[one.span.start : one.span.end].strip() for one in result.changes}
    found = {wording for wording in found if _tells(wording)}
    shortest: list[str] = []
    for wording in sorted(found, key=len):
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
    needles = [(wording, _forms(wording)) for wording in sought]
    for part, content in parts:
        is_text = _is_text(content)
        count = 0
        for wording, forms in needles:
            met = max((_count(content, form, is_text=is_text) for form in forms), default=0)
            if met and met > sum(text.count(wording) for text in said.get(part, ())):
                count += 1
        if count:
            yield Leak(part, count)


def _forms(wording: str) -> list[bytes]:
    forms: dict[bytes, None] = {}
    for encoding in ENCODINGS:
        try:
            forms[wording.encode(encoding)] = None
        except UnicodeEncodeError:
            continue  # an encoding without one of the letters cannot hold it
    return list(forms)


def _is_text(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in content


def _count(content: bytes, form: bytes, *, is_text: bool) -> int:
    """Return how often *form* stands in *content*, as a whole number or Latin word."""
    if not is_text and len(form) < _LEAST_BYTES:
        return 0
    count, at = 0, content.find(form)
    while at >= 0:
        count += _is_whole(content, at, at + len(form), is_text=is_text)
        at = content.find(form, at + len(form))
    return count


def _is_whole(content: bytes, start: int, end: int, *, is_text: bool) -> bool:
    """Return whether what stands between two places is no piece of another number or word."""
    for edge, beside in (
        (content[start : start + 1], content[start - 1 : start]),
        (content[end - 1 : end], content[end : end + 1]),
    ):
        if _ALPHANUMERIC.match(edge) and _ALPHANUMERIC.match(beside):
            return False
    if is_text and end - start <= _LONGEST_FORMAT_NUMBER and _NUMBER.fullmatch(content, start, end):
        return not _is_line(content, start, end)
    return True


def _is_line(content: bytes, start: int, end: int) -> bool:
    """Return whether the stretch is a line by itself: a number of the format, a width or an id."""
    return content[start - 1 : start] in (b"", b"\n") and content[end : end + 1] in (b"", b"\n")
