"""An index of the different runs of Hangul in a text: what is asked of a word is asked once."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, compress
from operator import itemgetter
from typing import Any, TypeVar, cast

from thunder.text import lazy

T = TypeVar("T")
Places = Sequence[tuple[int, str, T]]
"""Start, run and answer of each run that has one, in order of the text."""
Pieces = tuple[Sequence[int], Sequence[str]]
"""Where words stand in a text, and the words, in order."""

_RUN = lazy.compile("([가-힣]+)")
_NEW_LINE = lazy.compile(r"\n")
_START = lazy.compile(r"(?<![가-힣A-Za-z0-9])\S")
_NO_START = lazy.compile(r"[가-힣A-Za-z0-9]")
_LONGEST = 64  # syllables: of a longer run it is not remembered what it answers
_MOST = 1 << 18  # runs whose answers are remembered
_FEW = 40
"""So many beginnings are looked for by themselves sooner than all words are listed."""

_questions: list[Callable[[str], Any]] = []


class Remembered(dict[str, T | None]):
    """What *asked* answers of each run, which is asked once: most runs of a judgment come again."""

    def __init__(self, asked: Callable[[str], T | None]) -> None:
        super().__init__()
        self._asked = asked

    def __missing__(self, run: str) -> T | None:
        answer = self._asked(run)
        if len(run) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[run] = answer
        return answer

    def of(self, pieces: Pieces) -> Iterator[tuple[int, str, T]]:
        """Yield start, run and answer of each of *pieces* with one that is not empty, in order."""
        starts, words = pieces
        answers = list(map(self.__getitem__, words))
        found = compress(zip(starts, words, answers, strict=True), answers)
        return cast("Iterator[tuple[int, str, T]]", found)


def pieces(text: str, pattern: re.Pattern[str]) -> Pieces:
    """Return where *pattern*, which is one group, matches in *text*, and what, in order."""
    found = pattern.split(text)  # what stands between two matches, and a match, in turns
    return list(accumulate(map(len, found)))[:-1:2], found[1::2]


@lru_cache(maxsize=4)
def runs(text: str) -> Pieces:
    """Return where the runs of Hangul in *text* begin, and the runs, in order.

    The last texts are remembered: many finders read the same judgment one after the other.
    """
    return pieces(text, _RUN)


def beginning_with(text: str, heads: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield start and run of those whose first two syllables are one of *heads*, in order.

    A head of one syllable is that of no run but itself.
    """
    starts, words = runs(text)
    heads = frozenset(heads)
    found = map(heads.__contains__, map(itemgetter(slice(2)), words))
    return compress(zip(starts, words, strict=True), found)


@lru_cache(maxsize=4)
def _lines(text: str) -> Sequence[int]:
    """Return where the lines of *text* begin."""
    return (0, *(match.end() for match in _NEW_LINE.finditer(text)))


def at_lines(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what ``finditer`` does of a *pattern* that begins with "^" and matches a sign at least.

    It is looked for where lines begin, of which a text has few.
    """
    done = 0
    for at in _lines(text):
        if at >= done and (match := pattern.match(text, at)):
            yield match
            done = match.end()


def beginnings(text: str, heads: Collection[str]) -> Sequence[int]:
    """Return where a word or a sign begins in *text* with one of *heads*, of two signs, in order.

    Nothing is looked for but what begins like it.
    """
    if len(heads) > _FEW:
        of_text = _words(text)
        return sorted(at for head in heads for at in of_text.get(head, ()))
    found = []
    for head in heads:
        at = -1 if head[:1].isspace() else text.find(head)
        while at >= 0:
            if not at or not _NO_START.match(text, at - 1):
                found.append(at)
            at = text.find(head, at + 1)
    return sorted(found)


@lru_cache(maxsize=2)
def _words(text: str) -> Mapping[str, Sequence[int]]:
    """Return the places where a word or a sign begins in *text*, in order, by the first two signs.

    The last texts are remembered.
    """
    found: defaultdict[str, list[int]] = defaultdict(list)
    for match in _START.finditer(text):
        at = match.start()
        found[text[at : at + 2]].append(at)
    return found


def question(asked: Callable[[str], T | None]) -> Callable[[str], Places[T]]:
    """Return what gives the runs of a text to which *asked* has an answer; what is false is none.

    All questions are asked of a run together, when it is first met, and what it answers is
    remembered: most runs of a judgment have been met, and most have no answer to any.
    """
    number = len(_questions)
    _questions.append(asked)
    _ANSWERS.clear()
    _answered.cache_clear()

    def places(text: str) -> Places[T]:
        return _answered(text)[number]

    return places


def _answers(run: str) -> Sequence[tuple[int, Any]]:
    """Return what *run* answers, with the numbers of the questions."""
    answers = []
    for number, asked in enumerate(_questions):
        if answer := asked(run):
            answers.append((number, answer))
    return tuple(answers)


_ANSWERS = Remembered(_answers)


@lru_cache(maxsize=4)
def _answered(text: str) -> Sequence[Places[Any]]:
    """Return the runs of *text* that answer each question."""
    found: list[list[tuple[int, str, Any]]] = [[] for _ in _questions]
    for start, run, answers in _ANSWERS.of(runs(text)):
        for number, answer in answers:
            found[number].append((start, run, answer))
    return found
