"""Korean script: one plain form of disguised text with its offset map, and final sounds."""

import re
import unicodedata
from base64 import b64decode
from dataclasses import dataclass

from thunder.text import lazy
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
_FOREIGN_DIGIT = re.compile(r"\d(?<![0-9])")
# A letter for which several signs stand: 김 as an entity, in percent-coding, in single letters.
_ENTITY = r"&#(?:[0-9]{2,7}|[xX][0-9A-Fa-f]{2,6});"
_PERCENT = r"%[Ee][A-Da-d](?:%[89ABab][0-9A-Fa-f]){2}"
_QUOTED = r"=[Ee][A-Da-d](?:=[89ABab][0-9A-Fa-f]){2}"  # quoted-printable
_ESCAPE = r"\\u[AaBbCcDd][0-9A-Fa-f]{3}"  # \uae40
_MAIL_WORD = r"=\?[Uu][Tt][Ff]-8\?[Bb]\?[A-Za-z0-9+/]{4,200}={0,2}\?="  # RFC 2047
_LETTERS = r"[ㄱ-ㅎ][ㅏ-ㅣ](?:[ㄱ-ㅎ](?![ㅏ-ㅣ]))?"
# Rows of digits in circles, in words or Hanja (a telephone, a resident number, groups with
# hyphens), and with spaces between: ⓪①⓪-…, 공일공 일이삼사, 零一零-…, 0 1 0 - 1 2 3 4 - 5 6 7 8.
_RINGS = "⓪①-⑨⓿❶-❾➀-➈➊-➒"
_CIRCLED = re.compile(rf"[{_RINGS}](?:[-. ]?[{_RINGS}]){{6,}}")
_SAID = "공영일이삼사오육륙칠팔구〇零一二三四五六七八九"
_D, _WORD = f"[0-9{_SAID}]", f"[{_SAID}]"
_IN_WORDS = re.compile(
    rf"(?<![가-힣0-9.,])(?=[-0-9. ]{{0,12}}{_WORD})"
    rf"(?:[0공영〇零][1일一][0영공〇零][-. ]?{_D}{{3,4}}[-. ]?{_D}{{4}}|{_D}{{6}}[- ]{_D}{{7}}"
    rf"|{_D}{{3,6}}(?:-{_D}{{2,7}}){{2,3}}(?=[은는이가을를인에의로라]|으로|[^가-힣0-9{_SAID}]|\Z))"
)
_SPACED_OUT = re.compile(
    r"(?<![0-9] )(?<![0-9.,])[0-9](?: [0-9])+(?: ?- ?[0-9](?: [0-9])*){1,3}(?! ?[0-9])"
    r"|(?<![0-9-])[0-9](?:-[0-9]){8,}(?![0-9-])"
)
_DIGITS = str.maketrans(
    f"⓪①②③④⑤⑥⑦⑧⑨{_SAID}⓿❶❷❸❹❺❻❼❽❾➀➁➂➃➄➅➆➇➈➊➋➌➍➎➏➐➑➒",
    "0123456789001234566789001234567890123456789123456789123456789",
)
# Each begins with one class of characters, which is looked for as fast as a single one.
_UNUSUAL = tuple(
    map(
        lazy.compile,
        (
            f"[{_INVISIBLE}{_COMBINING}\uff01-\uff5e{re.escape(_HYPHENS)}{re.escape(_SPACES)}ㄱ-ㅎ{_RINGS}]",
            r"\d(?<![0-9])",
            r"&#|[%=][Ee][A-Da-d]|\\u[A-Da-d]|=\?[Uu]",
            f"{_D}(?:[- ]?{_WORD}{{3}}|(?<={_WORD})[- ]?{_D}{{3}}"
            "|(?<=[0-9])(?: [0-9] ?-|-[0-9]-[0-9]-[0-9]))",
        ),
    )
)
# What is at no place of most texts is looked for by the one character with which it begins.
_OF_ONE = re.compile(f"[\uff01-\uff5e{re.escape(_HYPHENS)}{re.escape(_SPACES)}]")
_OF_MANY = re.compile(f"[{_INVISIBLE}{_COMBINING}&%=ㄱ-ㅎ\\\\]")
_BEGINS_CIRCLED = re.compile(f"[{_RINGS}][-. ]?[{_RINGS}]")
_BEGINS_IN_WORDS = re.compile(f"{_D}(?<=(?={_IN_WORDS.pattern}).)")
_BEGINS_SPACED_OUT = re.compile(f"[0-9](?<=(?={_SPACED_OUT.pattern}).)")
_MANY_TO_ONE = re.compile(
    f"[{_INVISIBLE}]|[^{_COMBINING}][{_COMBINING}]+|{_ENTITY}|{_PERCENT}"
    f"|{_QUOTED}|{_ESCAPE}|{_MAIL_WORD}|{_LETTERS}"
)
_INITIALS, _VOWELS = (
    "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ",
    "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ",
)
_SYLLABLES = re.compile("[가-힣]+")
_LEAST_SPACED_OUT = 8  # digits: 2 3 - 4 are cells of a table
LINE_BREAK_IN_NUMBER = re.compile(r"(?<=[0-9-])[ ]*\r?\n[ ]*(?=[0-9-])(?![0-9]{1,2}\.?[가-힣]\.)")
"""A line's end between two digits or hyphens, but before an item of two parts: 2.가. 2가."""


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

    def disguised(self) -> list[tuple[int, int]]:
        """Return the stretches of Hangul, in the plain form, that several signs each stand for."""
        starts, ends = self.starts, self.ends
        if starts is None or ends is None:
            return []
        found: list[tuple[int, int]] = []
        for run in _SYLLABLES.finditer(self.text):
            for at in range(*run.span()):
                if ends[at] - starts[at] < 2 or self._is_marked(at):
                    continue
                if found and found[-1][1] == at:
                    found[-1] = found[-1][0], at + 1
                else:
                    found.append((at, at + 1))
            joints = [at for at in range(run.start() + 1, run.end()) if starts[at] > ends[at - 1]]
            if len(joints) > 1:  # 차\u200b현\u200b수: one alone is a line's end or a slip
                found.append((joints[0] - 1, joints[-1] + 1))
        return sorted(found)

    def _is_marked(self, at: int) -> bool:
        """Return whether a letter only has a mark that none composes with: 가 with an accent."""
        after = self.text[at + 1 : at + 2]
        marked = after != "" and unicodedata.combining(after) != 0
        return marked and self.starts is not None and self.starts[at] == self.starts[at + 1]

    def without_breaks_in_numbers(self) -> "Folded":
        """Return the same text with the line breaks between two digits or hyphens taken out."""
        starts = self.starts or tuple(range(len(self.text)))
        ends = self.ends or tuple(range(1, len(self.text) + 1))
        pieces: list[str] = []
        new_starts: list[int] = []
        new_ends: list[int] = []
        done = 0
        for match in [*LINE_BREAK_IN_NUMBER.finditer(self.text), None]:
            stop = match.start() if match else len(self.text)
            pieces.append(self.text[done:stop])
            new_starts += starts[done:stop]
            new_ends += ends[done:stop]
            done = match.end() if match else stop
        return Folded("".join(pieces), tuple(new_starts), tuple(new_ends))


def fold(text: str) -> Folded:
    """Return *text* as the recognisers read it: NFC, half-width, plain hyphens, spaces and digits.

    A letter written as an entity (&#44608;), in percent-coding, in quoted-printable, as an escape
    (\\uae40), in base64 in the head of a mail, or in single letters (ㄱㅣㅁ) is that letter; rows
    of digits in circles, in words or with spaces between are rows of digits. Invisible characters
    (zero-width, soft hyphen, directional and control marks) are left out;
    line breaks stay. Time is linear in the length.
    """
    if not any(one.search(text) for one in _UNUSUAL):
        return Folded(text)
    plain: str = text.translate(_ONE_TO_ONE) if _OF_ONE.search(text) else text
    if _FOREIGN_DIGIT.search(plain):
        plain = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), plain)
    for begins, row in ((_BEGINS_CIRCLED, _CIRCLED), (_BEGINS_IN_WORDS, _IN_WORDS)):
        if begins.search(plain):
            plain = row.sub(lambda match: match[0].translate(_DIGITS), plain)
    folded = _one_for_many(plain) if _OF_MANY.search(plain) else Folded(plain)
    return _without_spaces_in_rows(folded) if _BEGINS_SPACED_OUT.search(folded.text) else folded


def _one_for_many(plain: str) -> Folded:
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
        composed = _composed(match[0]) if end - start > 1 else ""
        pieces.append(composed)
        starts += [start] * len(composed)
        ends += [end] * len(composed)
        done = end
    pieces.append(plain[done:])
    starts += range(done, len(plain))
    ends += range(done + 1, len(plain) + 1)
    return Folded("".join(pieces), tuple(starts), tuple(ends))


def _composed(written: str) -> str:
    """Return the letters that *written* stands for, itself where it stands for none."""
    if written.startswith("&#"):
        digits = written[2:-1]
        code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
        is_letter = code < 0x110000 and not 0xD800 <= code < 0xE000 and chr(code).isprintable()
        return chr(code) if is_letter else written
    if written[0] == "%" or written[:2] in ("=E", "=e"):
        try:
            return bytes.fromhex(written.replace(written[0], "")).decode("utf-8")
        except UnicodeDecodeError:
            return written
    if written[0] == "\\":
        code = int(written[2:], 16)
        return chr(code) if _is_syllable(chr(code)) else written
    if written[0] == "=":
        try:
            return b64decode(written[10:-2], validate=True).decode("utf-8") or written
        except ValueError:
            return written
    if "ㄱ" <= written[0] <= "ㅎ" and "ㅏ" <= written[1] <= "ㅣ":
        initial, vowel, final = written[0], written[1], written[2:]
        if initial not in _INITIALS or final not in _FINALS:
            return written
        at = (_INITIALS.index(initial) * 21 + _VOWELS.index(vowel)) * 28 + _FINALS.index(final)
        return chr(ord("가") + at)
    return unicodedata.normalize("NFC", written)


def _is_syllable(sign: str) -> bool:
    return "가" <= sign <= "힣"


def _without_spaces_in_rows(folded: Folded) -> Folded:
    """Return *folded* without what stands between single digits: 0 1 0 - 1 2 3 4, 0-1-0-1-2-3."""
    left_out = {
        at
        for row in _SPACED_OUT.finditer(folded.text)
        if sum(map(str.isdigit, row[0])) >= _LEAST_SPACED_OUT
        for at in range(*row.span())
        if folded.text[at] in (" ", row[0][1])
    }
    kept = [at for at in range(len(folded.text)) if at not in left_out]
    starts = folded.starts or tuple(range(len(folded.text)))
    ends = folded.ends or tuple(range(1, len(folded.text) + 1))
    text = "".join(folded.text[at] for at in kept)
    return Folded(text, tuple(starts[at] for at in kept), tuple(ends[at] for at in kept))


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
