"""What was masked in a text, looked for in all its forms wherever else it may stand.

That is: the cells beside the text, the names of columns, ids, the names of files and of their
folders, and any other part of a document. A search reads plain text, in which escapes of JSON,
full-width forms, decomposed syllables and invisible characters are undone, and for which spaces,
hyphens and points do not count.

What is too short to tell anything by itself (a syllable, a number of four digits) is not looked
for. A word of two syllables, or one written apart (강 도윤), counts where it stands as a word of
its own, with or without what may follow a name; a longer one counts inside of a word, too.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TypeVar

from thunder.masking.wordings import key_of, occurrences
from thunder.text.korean import fold

if TYPE_CHECKING:
    from thunder.masking.records import Deidentified

_Place = TypeVar("_Place", bound=Hashable)

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|[nrtbf])")
_DIGITS = re.compile("[0-9]+")
_DATE = re.compile(r"[0-9]{2,4}[-./년 ]{1,3}[0-9]{1,2}[-./월 ]{1,3}[0-9]{1,2}[일. ]{0,3}생?")

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
    return fold(text).text.casefold()


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else " "


def _forms(plain: str) -> Iterator[str]:
    """Yield a mention without what does not count; a date also as 19670203 and 670203."""
    yield key_of(plain)
    if _DATE.fullmatch(plain):
        year, month, day = _DIGITS.findall(plain)
        yield f"{year}{month:0>2}{day:0>2}"
        yield f"{year[-2:]}{month:0>2}{day:0>2}"
        yield f"{year}{int(month)}{int(day)}"


def _tells(key: str) -> bool:
    """Return whether *key* tells somebody by itself: no letter or house number does."""
    latin = sum(char.isascii() and char.isalpha() for char in key)
    other = sum(not char.isascii() and char.isalpha() for char in key)
    return other >= 2 or latin >= 3 or len(key) >= 5
