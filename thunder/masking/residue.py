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
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from thunder.names.person_tails import tails
from thunder.text.korean import fold

if TYPE_CHECKING:
    from thunder.masking.deidentify import Deidentified

_Place = TypeVar("_Place", bound=Hashable)

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|[nrtbf])")
_BETWEEN = re.compile(r"[\W_]+")
_APART = r"[\W_]*+"
_HANGUL = re.compile("[가-힣]*")
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
        if any(_stands_in(plain, key) for key in self._within(plain)):
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
        squeezed = _BETWEEN.sub("", plain)
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
    yield _BETWEEN.sub("", plain)
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


@lru_cache(maxsize=1 << 12)
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile(_APART.join(map(re.escape, key)))


def _stands_in(plain: str, key: str) -> bool:
    return any(_is_free(plain, found, key) for found in _pattern(key).finditer(plain))


def _is_free(plain: str, found: re.Match[str], key: str) -> bool:
    """Return whether what was found is no part of another number or word."""
    start, end = found.span()
    is_inside_of_words_too = len(key) > 2 and found[0] == key
    before, after = plain[max(0, start - 1) : start], plain[end : end + 1]
    return _is_edge(key[0], before, is_inside_of_words_too) and (
        _is_edge(key[-1], after, is_inside_of_words_too) or _has_tail(plain, end)
    )


def _is_edge(char: str, beside: str, is_inside_of_words_too: bool) -> bool:
    """Return whether a mention may end in *char* where *beside* is next to it ("": nothing)."""
    if char.isdigit():
        return not beside.isdigit()
    if char.isascii():
        return not (beside.isascii() and beside.isalnum())
    return is_inside_of_words_too or beside.isascii() or not beside.isalpha()


def _has_tail(plain: str, at: int) -> bool:
    """Return whether the word goes on with a particle, 씨 … from *at* on."""
    tail = _HANGUL.match(plain, at)
    return tail is not None and bool(tail[0]) and tail[0] in tails()
