"""An index of the different runs of Hangul in a text: what is asked of a word is asked once."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeVar

from thunder.text import lazy

T = TypeVar("T")
Places = Sequence[tuple[int, str, T]]
"""Start, run and answer of each run that has one, in order of the text."""

_PIECES = lazy.compile("([가-힣]+)")
_NEW_LINE = lazy.compile(r"\n")
_START = lazy.compile(r"(?<![가-힣A-Za-z0-9])\S")
_NO_START = lazy.compile(r"[가-힣A-Za-z0-9]")
_FEW = 40
"""So many beginnings are looked for by themselves sooner than all words are listed."""

_questions: list[Callable[[str], Any]] = []


@lru_cache(maxsize=4)
def runs(text: str) -> Mapping[str, Sequence[int]]:
    """Return each different run of Hangul in *text*, and where it stands, in order.

    The last texts are remembered: many finders read the same judgment one after the other.
    """
    found: defaultdict[str, list[int]] = defaultdict(list)
    at = 0
    pieces = iter(_PIECES.split(text))  # what stands between two runs, and a run, in turns
    for between in pieces:
        at += len(between)
        for run in pieces:
            found[run].append(at)
            at += len(run)
            break
    return found


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


@lru_cache(maxsize=2)
def by_head(text: str) -> Mapping[str, Sequence[str]]:
    """Return the different runs of two syllables and more in *text*, by their first two."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for run in runs(text):
        if len(run) > 1:
            found[run[:2]].append(run)
    return found


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
    _answers.cache_clear()
    _answered.cache_clear()

    def places(text: str) -> Places[T]:
        return _answered(text)[number]

    return places


@lru_cache(maxsize=1 << 18)
def _answers(run: str) -> Sequence[tuple[int, Any]]:
    """Return what *run* answers, with the numbers of the questions."""
    answers = []
    for number, asked in enumerate(_questions):
        if answer := asked(run):
            answers.append((number, answer))
    return tuple(answers)


@lru_cache(maxsize=4)
def _answered(text: str) -> Sequence[Places[Any]]:
    """Return the runs of *text* that answer each question."""
    found: list[list[tuple[int, str, Any]]] = [[] for _ in _questions]
    for run, starts in runs(text).items():
        for number, answer in _answers(run):
            found[number] += [(start, run, answer) for start in starts]
    for its in found:
        its.sort(key=itemgetter(0))
    return found
