"""An index of the different runs of Hangul in a text: what is asked of a word is asked once."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TypeVar

from thunder.text import lazy

T = TypeVar("T")

_RUN = lazy.compile(r"[가-힣]+")
_START = lazy.compile(r"(?<![가-힣A-Za-z0-9])\S")


@lru_cache(maxsize=4)
def runs(text: str) -> Mapping[str, Sequence[int]]:
    """Return each different run of Hangul in *text*, and where it stands, in order.

    The last texts are remembered: many finders read the same judgment one after the other.
    """
    found: defaultdict[str, list[int]] = defaultdict(list)
    for match in _RUN.finditer(text):
        found[match[0]].append(match.start())
    return found


@lru_cache(maxsize=2)
def words(text: str) -> Mapping[str, Sequence[int]]:
    """Return the places where a word or a sign begins in *text*, in order, by the first two signs.

    Nothing is looked for but what begins like it. The last texts are remembered.
    """
    found: defaultdict[str, list[int]] = defaultdict(list)
    for match in _START.finditer(text):
        at = match.start()
        found[text[at : at + 2]].append(at)
    return found


def places(text: str, asked: Callable[[str], T | None]) -> Sequence[tuple[int, str, T]]:
    """Return start, run and answer for the runs of *text* to which *asked* has one, in order.

    *asked* is called once for each different run; what is false is no answer.
    """
    found = [
        (start, run, answer)
        for run, starts in runs(text).items()
        if (answer := asked(run))
        for start in starts
    ]
    return sorted(found, key=itemgetter(0))
