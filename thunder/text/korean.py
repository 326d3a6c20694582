"""Korean script: one plain form of disguised text with its offset map, and final sounds."""

import re
import unicodedata
from dataclasses import dataclass

from thunder.text.spans import Span

_HYPHENS = (
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207b\u208b\u2212\u30fc\u3161\ufe58\ufe63\uff70"
)
_SPACES = "\t\u00a0\u1680\u202f\u205f\u3000\u3164\uffa0" + "".join(map(chr, range(0x2000, 0x200B)))
_INVISIBLE = (
    "\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
)
_COMBINING = "\u0300-\u034e\u0350-\u036f\u1161-\u11ff\u3099\u309a"
_ONE_TO_ONE = str.maketrans(
    {
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        **dict.fromkeys(_HYPHENS, "-"),
        **dict.fromkeys(_SPACES, " "),
    }
)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_UNUSUAL = re.compile(
    f"[{_INVISIBLE}{_COMBINING}\uff01-\uff5e{re.escape(_HYPHENS)}{re.escape(_SPACES)}]|(?![0-9])\\d"
)
_MANY_TO_ONE = re.compile(f"[{_INVISIBLE}]|[^{_COMBINING}][{_COMBINING}]+")
_LINE_BREAK_IN_NUMBER = re.compile(r"(?<=[0-9-])[ ]*\r?\n[ ]*(?=[0-9-])")


@dataclass(frozen=True, slots=True)
class Folded:
    """A plain form of a text, and for each of its characters where it stood in the text.

    ``starts``/``ends`` are None where the plain form is the text itself.
    """

    text: str
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] | None = None

    def original(self, span: Span) -> Span:
        """Return *span*, given in the plain form, in code points of the original text."""
        if self.starts is None or self.ends is None:
            return span
        start, end = self.starts[span.start], self.ends[span.end - 1]
        return Span(start, end, span.label, span.score, span.source)

    def without_breaks_in_numbers(self) -> "Folded":
        """Return the same text with the line breaks between two digits or hyphens taken out."""
        starts = self.starts or tuple(range(len(self.text)))
        ends = self.ends or tuple(range(1, len(self.text) + 1))
        pieces: list[str] = []
        new_starts: list[int] = []
        new_ends: list[int] = []
        done = 0
        for match in [*_LINE_BREAK_IN_NUMBER.finditer(self.text), None]:
            stop = match.start() if match else len(self.text)
            pieces.append(self.text[done:stop])
            new_starts += starts[done:stop]
            new_ends += ends[done:stop]
            done = match.end() if match else stop
        return Folded("".join(pieces), tuple(new_starts), tuple(new_ends))


def fold(text: str) -> Folded:
    """Return *text* as the recognisers read it: NFC, half-width, plain hyphens, spaces and digits.

    Invisible characters (zero-width, soft hyphen, directional and control marks) are left out;
    line breaks stay. Time is linear in the length.
    """
    if not _UNUSUAL.search(text):
        return Folded(text)
    plain: str = text.translate(_ONE_TO_ONE)
    plain = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), plain)
    if not _MANY_TO_ONE.search(plain):
        return Folded(plain)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in _MANY_TO_ONE.finditer(plain):
        start, end = match.span()
        pieces.append(plain[done:start])
        starts += range(done, start)
        ends += range(done + 1, start + 1)
        composed = unicodedata.normalize("NFC", match[0]) if end - start > 1 else ""
        pieces.append(composed)
        starts += [start] * len(composed)
        ends += [end] * len(composed)
        done = end
    pieces.append(plain[done:])
    starts += range(done, len(plain))
    ends += range(done + 1, len(plain) + 1)
    return Folded("".join(pieces), tuple(starts), tuple(ends))


def require_encodable(text: str) -> None:
    """Return nothing; raise ValueError where *text* holds a lone surrogate, which no file can."""
    match = re.search("[\ud800-\udfff]", text)
    if match:
        raise ValueError(
            f"lone surrogate U+{ord(match[0]):04X} at character {match.start()}: "
            "the text is damaged; decode the file again as UTF-8 or UTF-16"
        )


# --- how things sound -------------------------------------------------------------------------

_LETTER_FINALS = {"L": "ㄹ", "M": "ㅁ", "N": "ㄴ", "R": "ㄹ"}
_DIGIT_FINALS = {"0": "ㅇ", "1": "ㄹ", "3": "ㅁ", "6": "ㄱ", "7": "ㄹ", "8": "ㄹ"}
_FINALS: list[str] = ["", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"]


def final_sound(word: str) -> str:
    """Return the final consonant with which *word* ends when read aloud, "" after a vowel.

    Hangul by its syllable, Latin letters by their Korean names (엘, 엠, 엔, 알 end in a
    consonant), digits in Sino-Korean; anything else counts as a vowel.
    """
    for char in reversed(word):
        if "가" <= char <= "힣":
            return _FINALS[(ord(char) - ord("가")) % 28]
        if char.isascii() and char.isalnum():
            return _LETTER_FINALS.get(char.upper(), "") or _DIGIT_FINALS.get(char, "")
    return ""
