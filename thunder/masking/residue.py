"""What was masked in a text, looked for in all its forms wherever else it may stand.

That is: the cells beside the text, the names of columns, ids, the names of files and of their
folders, and any other part of a document. A search reads plain text, in which escapes of JSON,
of URLs (%EA%B0%95) and of HTML (&#44053;), full-width forms, decomposed syllables and invisible
characters are undone, and for which spaces, hyphens and points do not count.

What is too short to tell anything by itself (a syllable, a number of four digits) is not looked
for. A word of two syllables, or one written apart (강 도윤), counts where it stands as a word of
its own, with or without what may follow a name; a longer one counts inside of a word, too.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from html import unescape
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

from thunder.masking.wordings import key_of, occurrences
from thunder.text.korean import fold

if TYPE_CHECKING:
    from thunder.masking.records import Deidentified

_Place = TypeVar("_Place", bound=Hashable)

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|[nrtbf])")
_DIGITS = re.compile("[0-9]+")
_DATE = re.compile(r"[0-9]{2,4}[-./년 ]{1,3}[0-9]{1,2}[-./월 ]{1,3}[0-9]{1,2}[일. ]{0,3}생?")
_RESIDENT = re.compile(
    "(?P<year>[0-9]{2})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])"
    "(?P<century>[0-9])[0-9]{6}"
)
_CENTURY = {"0": "18", "9": "18", "3": "20", "4": "20", "7": "20", "8": "20"}
"""The year's first two figures by the resident number's seventh; 19 for the others."""

_STARS = "*●○◯•×x#□■"
_STARRED = re.compile(rf"[0-9{_STARS}](?:[-. ]{{0,3}}+[0-9{_STARS}])*+")
_HIDDEN = re.compile(f"[{_STARS}]+")
_NO_SEPARATORS = str.maketrans("", "", "-. ")
_LEAST_SHOWN = 4  # digits: 010-****-5678 tells a number, 010-****-**** does not

_AGREED = dict(zip("은는이가을를과와", "는은가이를을와과", strict=True))
"""What a particle ends in, and what it ends in after it was agreed to a letter."""


class Sought:
    """Mentions as they are looked for elsewhere."""

    def __init__(self, mentions: Iterable[str]) -> None:
        keys = {form for mention in mentions for form in _forms(_plain(mention))}
        self._keys = sorted(key for key in keys if _tells(key))
        self._numbers = [key for key in self._keys if key.isdigit()]

    def __bool__(self) -> bool:
        """Return whether there is anything to look for."""
        return bool(self._keys)

    def is_in(self, text: str) -> bool:
        """Return whether one of the mentions stands in *text*, in any of its forms."""
        plain = _plain(text)
        if any(next(occurrences(plain, key), None) for key in self._within(plain)):
            return True
        return any(fnmatchcase(n, shown) for shown in self._starred(plain) for n in self._numbers)

    def places(self, texts: Mapping[_Place, str]) -> list[_Place]:
        """Return the keys of those *texts* in which one of the mentions stands."""
        together = "\n".join(texts.values())
        plain = _plain(together)
        if not self._within(plain) and not next(self._starred(plain), None):
            return []  # as nearly always
        return [place for place, text in texts.items() if self.is_in(text)]

    def _starred(self, plain: str) -> Iterator[str]:
        """Yield as patterns (010*5678) the numbers that show some digits and hide others."""
        longest = max(map(len, self._numbers), default=0)
        for found in _STARRED.finditer(plain) if longest else ():
            digits = sum(map(str.isdigit, found[0]))
            if _LEAST_SHOWN <= digits < min(len(found[0]), longest + 1):
                number = found[0].translate(_NO_SEPARATORS)
                if not number.isdigit():
                    yield _HIDDEN.sub("*", number)

    def _within(self, plain: str) -> list[str]:
        """Return what is found where neither spaces nor the edges of words count."""
        squeezed = key_of(plain)
        return [key for key in self._keys if key in squeezed]


def sought(result: "Deidentified") -> Sought:
    """Return what was masked in a document, to be looked for elsewhere."""
    mentions: set[str] = set()
    for change in result.changes:
        mention = result.original[change.span.start : change.span.end]
        mentions |= {mention, _without_agreed(mention, change.replacement)}
    return Sought(mentions)


def _without_agreed(mention: str, replacement: str) -> str:
    """Return *mention* without the particle that was replaced with it, if it was agreed."""
    is_agreed = _AGREED.get(mention[-1:]) == replacement[-1:] or mention.endswith(("이", "으"))
    return mention[:-1] if is_agreed else mention


def _plain(text: str) -> str:
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
    if "%" in text:
        text = unquote(text, errors="ignore")
    if "&" in text:
        text = unescape(text)
    return fold(text).text.casefold()


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else " "


def _forms(plain: str) -> Iterator[str]:
    """Yield a mention without what does not count; dates and numbers as they are written, too."""
    key = key_of(plain)
    yield key
    if _DATE.fullmatch(plain):
        yield from _dates(*_DIGITS.findall(plain))
    elif resident := _RESIDENT.fullmatch(key):
        century = _CENTURY.get(resident["century"], "19")
        yield from _dates(f"{century}{resident['year']}", resident["month"], resident["day"])
    elif key.isdigit() and key.startswith("0"):  # as a table's number, and as called from abroad
        yield from (key[1:], f"82{key[1:]}")


def _dates(year: str, month: str, day: str) -> Iterator[str]:
    """Yield a date as 19670203, 670203, 196723 and 1967년2월3(일), also without its century."""
    for written in (year, year[-2:]):
        yield f"{written}{month:0>2}{day:0>2}"
        yield f"{written}년{int(month)}월{int(day)}"
        yield f"{written}년{month:0>2}월{day:0>2}"
    yield f"{year}{int(month)}{int(day)}"


def _tells(key: str) -> bool:
    """Return whether *key* tells somebody by itself: no letter or house number does."""
    latin = sum(char.isascii() and char.isalpha() for char in key)
    other = sum(not char.isascii() and char.isalpha() for char in key)
    return other >= 2 or latin >= 3 or len(key) >= 5
