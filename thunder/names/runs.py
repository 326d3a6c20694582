"""An index of the words of a text and its runs of Hangul: what is asked of one is asked once."""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, compress, islice
from typing import Any, Generic, TypeVar

from thunder.names.chunks import WORD
from thunder.text import lazy

T = TypeVar("T")
Places = Sequence[tuple[int, str, T]]
"""Start, run and answer of each run that has one, in order of the text."""

_WORD = lazy.compile(f"({WORD.pattern})")
_RUN = lazy.compile("[가-힣]+")
_NEW_LINE = lazy.compile(r"\n")
_START = lazy.compile(r"(?<![가-힣A-Za-z0-9])\S")
_NO_START = lazy.compile(r"[가-힣A-Za-z0-9]")
_LONGEST = 64  # signs: of a longer word it is not remembered what it answers
_MOST = 1 << 18  # words whose answers are remembered
_FEW = 40
"""So many beginnings are looked for by themselves sooner than all words are listed."""


class _Remembered(dict[str, T]):
    """What *asked* answers of each word, which is asked once: most of a judgment come again."""

    def __init__(self, asked: Callable[[str], T]) -> None:
        super().__init__()
        self._asked = asked

    def __missing__(self, word: str) -> T:
        answer = self._asked(word)
        if len(word) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[word] = answer
        return answer


def beginning_with(text: str, heads: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield start and run of those that begin with one of *heads*, of two syllables, in order.

    A head of one syllable is that of no run but itself.
    """
    found = []
    for head in heads:
        for at in lazy.places(text, head):
            run = _RUN.match(text, at)
            is_first = not at or not "가" <= text[at - 1] <= "힣"
            if run and is_first and (len(head) > 1 or run[0] == head):
                found.append((at, run[0]))
    return iter(sorted(found))


class Wordings(Generic[T]):
    """Wordings to look for, each with what is known of it, by the first two signs they begin with.

    So what may stand at a place is told by one look, however many they are.
    """

    def __init__(self, known: Mapping[str, T]) -> None:
        self.known = known
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for wording in known:
            lengths[wording[:2]].add(len(wording))
        self.heads = {head: sorted(some, reverse=True) for head, some in lengths.items()}

    def at(self, text: str, start: int, end: int = sys.maxsize) -> Iterator[str]:
        """Yield those that begin at *start* in *text* and end by *end*, the longest first."""
        for length in self.heads.get(text[start : start + 2], ()):
            wording = text[start : start + length]
            if wording in self.known and start + length <= end:
                yield wording


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
    found = (at for head in heads if not head[:1].isspace() for at in lazy.places(text, head))
    return sorted(at for at in found if not at or not _NO_START.match(text, at - 1))


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


class Index:
    """What is asked of the words of texts, and what they answered.

    All is asked of a word together, when it is first met, and what it answers is remembered: most
    words of a judgment have been met, and most have no answer to any question.
    """

    def __init__(self) -> None:
        self._questions: list[tuple[Callable[[str], Any], bool]] = []
        self._runs, self._words = _Remembered(self._of_run), _Remembered(self._of_word)
        self._answered = lru_cache(maxsize=4)(self._of_text)  # many finders read one judgment

    def question(
        self, asked: Callable[[str], T | None], *, of_words: bool = False
    ) -> Callable[[str], Places[T]]:
        """Return what gives the runs of a text to which *asked* has an answer that is not empty.

        *of_words*: it is asked of whole words, in which runs, digits and Latin letters may stand.
        """
        number = len(self._questions)
        self._questions.append((asked, of_words))
        self.cache_clear()

        def places(text: str) -> Places[T]:
            return self._answered(text)[number]

        return places

    def cache_clear(self) -> None:
        """Return once no answer is remembered."""
        for each in (self._runs, self._words):
            each.clear()
        self._answered.cache_clear()

    def _of_run(self, run: str) -> Sequence[tuple[int, Any]]:
        """Return what *run* answers, with the numbers of the questions."""
        answers = []
        for number, (asked, of_words) in enumerate(self._questions):
            if not of_words and (answer := asked(run)):
                answers.append((number, answer))
        return tuple(answers)

    def _of_word(self, word: str) -> Sequence[tuple[int, int, str, Any]]:
        """Return what *word* and its runs answer: the question's number, and where in the word."""
        answers = []
        for number, (asked, of_words) in enumerate(self._questions):
            if of_words and (answer := asked(word)):
                answers.append((number, 0, word, answer))
        for match in _RUN.finditer(word):
            run = match[0]
            of_run = self._of_run(run) if run == word else self._runs[run]
            answers += [(number, match.start(), run, answer) for number, answer in of_run]
        return tuple(answers)

    def _of_text(self, text: str) -> Sequence[Places[Any]]:
        """Return the runs and words of *text* that answer each question."""
        found: list[list[tuple[int, str, Any]]] = [[] for _ in self._questions]
        pieces = _WORD.split(text)  # what stands between two words, and a word, in turns
        answers = list(map(self._words.__getitem__, pieces[1::2]))
        starts = islice(accumulate(map(len, pieces)), 0, None, 2)
        for start, of_word in compress(zip(starts, answers, strict=False), answers):
            for number, at, word, answer in of_word:
                found[number].append((start + at, word, answer))
        return found


INDEX = Index()
"""Of what the finders ask."""

question = INDEX.question
