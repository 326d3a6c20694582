"""What is taken out of a text before it is tokenised, and which texts are left out, and why.

Taken out: carriage returns, control and zero-width characters, runs of the same line, more than
one blank line. Put right: NFC, lone surrogates (U+FFFD). All else stays as it was written: case,
punctuation, spacing, hanja, placeholders.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.training_data.corpus.settings import Cleaning

_LINE_END = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*\n")
_FEW_LINES = 10  # fewer may repeat: a verse, a list of two
_LETTER, _LATIN_1, _SPACE = 1, 2, 4  # bits of what a character is

EMPTY, MOJIBAKE, REPEATED = "empty", "mojibake", "repeated lines"
SHORT, NO_TEXT, UNREADABLE = "too short", "too few letters", "unreadable"


class Cleaned(NamedTuple):
    """A text to keep, or the reason why it is left out ("" for one to keep)."""

    text: str
    dropped: str = ""


def clean(text: str, rules: Cleaning) -> Cleaned:
    """Return the cleaned text, or why it is left out: one of the reasons named above."""
    found = _plain(text)
    if not found:
        return Cleaned("", EMPTY)
    lines = found.split("\n")
    if _share_repeated(lines) > rules.repeated_lines:
        return Cleaned("", REPEATED)
    found = _BLANK_LINES.sub("\n\n", _without_runs(lines)).strip()
    return Cleaned("", reason) if (reason := _reason(found, rules)) else Cleaned(found)


def _plain(text: str) -> str:
    found = _SURROGATE.sub("\ufffd", _LINE_END.sub("\n", text))
    if not unicodedata.is_normalized("NFC", found):
        found = unicodedata.normalize("NFC", found)
    return _INVISIBLE.sub("", found).strip()


def _share_repeated(lines: Sequence[str]) -> float:
    """Return the share of characters in lines that stood in the text before."""
    if len(lines) < _FEW_LINES:
        return 0.0
    total = sum(map(len, lines))
    return 1 - sum(map(len, set(lines))) / total if total else 0.0


def _without_runs(lines: Sequence[str]) -> str:
    pairs = zip(lines, ["", *lines], strict=False)
    return "\n".join(line for line, before in pairs if line != before or not line.strip())


def _reason(text: str, rules: Cleaning) -> str:
    if len(text) < rules.shortest:
        return SHORT
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    counts = np.bincount(_kinds()[codes], minlength=8)
    dark = len(text) - counts[_SPACE]
    if text.count("\ufffd") > rules.replacement * dark:
        return MOJIBAKE
    if counts[_LETTER | _LATIN_1] > rules.mojibake * dark:
        return MOJIBAKE
    letters = counts[_LETTER] + counts[_LETTER | _LATIN_1]
    return NO_TEXT if letters < rules.letters * dark else ""


@lru_cache(maxsize=1)
def _kinds() -> NDArray[np.uint8]:
    """Return what each of Unicode's characters is, as bits."""
    kinds = np.array([_LETTER * chr(code).isalpha() for code in range(0x110000)], dtype=np.uint8)
    kinds[0xC0:0x100] |= _LATIN_1
    spaces = [code for code in range(0x3100) if chr(code).isspace()]
    kinds[spaces] = _SPACE
    return kinds
