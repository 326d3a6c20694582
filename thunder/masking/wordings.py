"""Where a wording stands in a text: alone, written apart, with a particle, inside of a word."""

import re
from collections.abc import Iterator
from functools import lru_cache

from thunder.names.person_tails import tails

BETWEEN = re.compile(r"[\W_]+")
"""What does not count between the letters of a wording."""

_APART = r"[\W_]*+"
_HANGUL = re.compile("[가-힣]*")


def key_of(plain: str) -> str:
    """Return a wording, given in folded text, without what does not count in it."""
    return BETWEEN.sub("", plain)


def occurrences(plain: str, key: str) -> Iterator[tuple[int, int]]:
    """Yield where *key* stands in folded text, as start and end.

    A key of two letters, or one written apart (강 도윤), counts where it stands as a word of its
    own, with or without what may follow a name; a longer one counts inside of a word, too.
    """
    for found in _pattern(key).finditer(plain):
        if _is_free(plain, found, key):
            yield found.span()


@lru_cache(maxsize=1 << 12)
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile(_APART.join(map(re.escape, key)))


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
