"""Where rows of the formats may stand in a text: one look for all of them, then each row.

Most rows stand nowhere in most texts. A row is looked for in one of four ways. What begins with
words, or needs one of them, is told by one expression for the words of all rows. What begins with a
few known signs, as a digit, is told by one expression for all such rows, and each of them is then
tried only where that stands. What needs one sign is told by the different signs of the text. Any
other row looks for itself.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from thunder.text import lazy

_GROUP = re.compile(r"\(\?P<[A-Z]>")
_REFERS = re.compile(r"\(\?P|\(\?\(|\\[1-9]")
_WORD = re.compile("[가-힣A-Za-z][가-힣A-Za-z/ ]+")
_MOST_HANGUL = 1  # more stand everywhere


class _Row(Protocol):
    @property
    def of(self) -> str: ...
    @property
    def pattern(self) -> re.Pattern[str]: ...
    @property
    def words(self) -> tuple[str, ...]: ...


R = TypeVar("R", bound=_Row)
Places = Sequence[int] | None
"""Where a row may stand, in order; None: anywhere."""
Standing = Mapping[str, Sequence[tuple[R, Places]]]
"""The rows that may stand in a text, in their order, by the name of their recogniser."""


class Index(Generic[R]):
    """The *rows* of all recognisers, ready to be looked for together."""

    def __init__(self, rows: Sequence[R]) -> None:
        self._rows = rows
        self._of_words: dict[int, tuple[str, ...]] = {}
        self._needing: defaultdict[str, list[int]] = defaultdict(list)
        self._of_a_sign: list[tuple[int, lazy.Selective]] = []
        self._asked: list[tuple[int, lazy.Selective]] = []
        self._always: list[int] = []
        together: list[tuple[int, str, Sequence[tuple[int, int]]]] = []
        for number, row in enumerate(rows):
            needs = row.pattern.needs if isinstance(row.pattern, lazy.Selective) else ()
            signs = None if needs else _signs(row.pattern.pattern)
            if row.words and all(map(_WORD.fullmatch, row.words)):
                self._of_words[number] = row.words
            elif needs and isinstance(needs, tuple) and all(map(_WORD.fullmatch, needs)):
                for word in needs:
                    self._needing[word].append(number)
            elif signs:
                together.append((number, *signs))
            elif isinstance(row.pattern, lazy.Selective):
                asked = self._of_a_sign if row.pattern.needs_a_sign else self._asked
                asked.append((number, row.pattern))
            else:
                self._always.append(number)
        together.sort(key=lambda one: -lazy.least_width(one[1]))
        self._together = [(number, rows[number].pattern) for number, *_ in together]
        self._signs = lazy.compile(_any(together)) if together else None
        words = {word for some in self._of_words.values() for word in some} | {*self._needing}
        # Of a longer word its beginning stands there, too: 경기북부 and 경기.
        self._beginnings = {
            word: [word[:end] for end in range(1, len(word) + 1) if word[:end] in words]
            for word in words
        }
        self._words = lazy.anywhere(words) if words else None
        self.standing = lru_cache(maxsize=4)(self._standing)  # many recognisers read one text

    def _standing(self, text: str) -> Standing[R]:
        """Return the rows that may stand in *text*."""
        found: dict[int, Places] = dict.fromkeys(self._always)
        found |= {number: None for number, pattern in self._asked if pattern.may_be_in(text)}
        signs = "".join(set(text))
        found |= {number: None for number, pattern in self._of_a_sign if pattern.may_be_in(signs)}
        places: defaultdict[str, list[int]] = defaultdict(list)
        for match in self._words.finditer(text) if self._words else ():
            for word in self._beginnings[match[1]]:
                places[word].append(match.start())
        for word in places.keys() & self._needing.keys():
            found |= dict.fromkeys(self._needing[word])
        for number, words in self._of_words.items():
            if not places.keys().isdisjoint(words):
                found[number] = sorted({at for word in words for at in places.get(word, ())})
        matches = self._signs.finditer(text) if self._signs else ()
        begins = [(match.start(), match.lastindex or 0) for match in matches]
        for place, (number, pattern) in enumerate(self._together if begins else (), start=1):
            # Where a later row is the first that stands, this one does not.
            if its := [at for at, first in begins if first <= place and pattern.match(text, at)]:
                found[number] = its
        standing: defaultdict[str, list[tuple[R, Places]]] = defaultdict(list)
        for number in sorted(found):
            standing[self._rows[number].of].append((self._rows[number], found[number]))
        return standing


def _signs(pattern: str) -> tuple[str, Sequence[tuple[int, int]]] | None:
    """Return *pattern* without its groups' names, and the ranges of signs with which it begins.

    None where they are not known or many of Hangul, and where it refers to a group.
    """
    plain = _GROUP.sub("(?:", pattern)
    some = None if _REFERS.search(plain) else lazy.begins_with(plain)
    if some is None or some[1]:
        return None
    hangul = sum(last - first + 1 for first, last in some[0] if last >= ord("가"))
    return None if hangul > _MOST_HANGUL else (plain, some[0])


def _any(rows: Sequence[tuple[int, str, Sequence[tuple[int, int]]]]) -> str:
    """Return an expression for the first sign of whatever one of *rows* matches.

    Its last group is that of the first of them: an empty one, so that each begins with its signs.
    """
    signs = sorted({one for _, _, some in rows for one in some})
    its = "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in signs)
    return rf"[{its}](?<=(?={'|'.join(f'{plain}()' for _, plain, _ in rows)})[\s\S])"


def matches(row: _Row, text: str, places: Places) -> Iterator[re.Match[str]]:
    """Yield what *row* matches in *text*, at *places* if they are given.

    Where it begins with words it is tried at each, else behind what it matched before.
    """
    if places is None and not row.words:
        yield from row.pattern.finditer(text)
        return
    if places is None:
        places = sorted({at for word in row.words for at in lazy.places(text, word)})
    match, done = row.pattern.match, 0
    for at in places:
        if at >= done and (found := match(text, at)):
            yield found
            done = 0 if row.words else found.end()
