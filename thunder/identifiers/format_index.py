"""Where rows of the formats may stand in a text: one look for all of them, then each row.

Most rows stand nowhere in most texts. A row is looked for in one of three ways. What begins with
words in Hangul, or needs one of them, is told by one expression for the words of all rows. What
begins with a few known signs, as a digit, is told by one expression for all such rows, and each of
them is then tried only where that stands. Any other row looks for itself.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from thunder.text import lazy

_GROUP = re.compile(r"\(\?P<[A-Z]>")
_REFERS = re.compile(r"\(\?P|\(\?\(|\\[1-9]")
_WORD = re.compile("[가-힣][가-힣 ]+")
_MOST_SIGNS = 700


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
        self._asked: list[tuple[int, lazy.Selective]] = []
        self._always: list[int] = []
        together: list[tuple[int, str, Sequence[tuple[int, int]]]] = []
        for number, row in enumerate(rows):
            needs = row.pattern.needs if isinstance(row.pattern, lazy.Selective) else ()
            signs = None if needs else _signs(row.pattern.pattern)
            if row.words and all(map(_WORD.fullmatch, row.words)):
                self._of_words[number] = row.words
            elif signs and not any("가" <= word[0] <= "힣" for word in row.words):
                together.append((number, *signs))
            elif needs and isinstance(needs, tuple) and all(map(_WORD.fullmatch, needs)):
                for word in needs:
                    self._needing[word].append(number)
            elif isinstance(row.pattern, lazy.Selective):
                self._asked.append((number, row.pattern))
            else:
                self._always.append(number)
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
        places: defaultdict[str, list[int]] = defaultdict(list)
        for match in self._words.finditer(text) if self._words else ():
            for word in self._beginnings[match[1]]:
                places[word].append(match.start())
        for word in places.keys() & self._needing.keys():
            found |= dict.fromkeys(self._needing[word])
        for number, words in self._of_words.items():
            if not places.keys().isdisjoint(words):
                found[number] = sorted({at for word in words for at in places.get(word, ())})
        signs = [match.start() for match in self._signs.finditer(text)] if self._signs else ()
        for number, pattern in self._together if signs else ():
            if its := [at for at in signs if pattern.match(text, at)]:
                found[number] = its
        standing: defaultdict[str, list[tuple[R, Places]]] = defaultdict(list)
        for number in sorted(found):
            standing[self._rows[number].of].append((self._rows[number], found[number]))
        return standing


def _signs(pattern: str) -> tuple[str, Sequence[tuple[int, int]]] | None:
    """Return *pattern* without its groups' names, and the ranges of signs with which it begins.

    None where they are not known or many, and where it refers to a group.
    """
    plain = _GROUP.sub("(?:", pattern)
    some = None if _REFERS.search(plain) else lazy.begins_with(plain)
    if some is None or some[1] or sum(last - first + 1 for first, last in some[0]) > _MOST_SIGNS:
        return None
    return plain, some[0]


def _any(rows: Sequence[tuple[int, str, Sequence[tuple[int, int]]]]) -> str:
    """Return an expression for the first sign of whatever one of *rows* matches."""
    signs = sorted({one for _, _, some in rows for one in some})
    its = "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in signs)
    return rf"[{its}](?<=(?={'|'.join(plain for _, plain, _ in rows)})[\s\S])"


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
