"""How numbers are joined and hidden, and the words beside them that say what they are.

Shared by the recognisers of numbers. Scores follow one scale, so that the registry can weigh one
recogniser against another: ``NAMED`` or more where a cue directly before the number names it.
"""

import re

from thunder.taxonomy.grammar import HIDDEN as HIDDEN
from thunder.taxonomy.grammar import JOIN as JOIN
from thunder.taxonomy.lexicon import expression, words_of

NAMED = 0.95
_BETWEEN = (  # 번호는 : (제
    r"(?:번호)?(?:는|은|가|이|인|로|를|을)?[\s:;=~(\[{<'\"‘“「]{0,6}(?:제 ?|No\.? ?)?"
)
_REACH = 48  # code points before a number in which a cue may begin


def fresh(size: int) -> str:
    """Return the regex that, after the first *size* digits, asks that no number went before.

    It stands behind the digits, not before them: only then does the search skip to a digit.
    """
    return rf"(?<![0-9]{{{size + 1}}})(?<![0-9]-[0-9]{{{size}}})"


def naming(words: str) -> re.Pattern[str]:
    """Return a pattern of *words* (alternatives, <classes>) that stand directly before a number."""
    return expression(rf"(?:{words}) ?{_BETWEEN}\Z")


def is_named(text: str, start: int, cue: re.Pattern[str]) -> bool:
    """Return whether *cue*, a pattern of ``naming``, ends where the number starts."""
    return cue.search(text, max(0, start - _REACH), start) is not None


def is_near(
    text: str, start: int, end: int, cue: re.Pattern[str], *, before: int = 40, after: int = 0
) -> bool:
    """Return whether *cue* occurs within so many code points before or after the number."""
    if cue.search(text, max(0, start - before), start):
        return True
    return after > 0 and cue.search(text, end, end + after) is not None


def has_near(text: str, start: int, end: int, name: str, *, before: int, after: int) -> bool:
    """Return whether a word of the class *name* stands within so many code points of start:end."""
    around = text[max(0, start - before) : start], text[end : end + after]
    return any(word in side for side in around for word in words_of(name))


def digits_of(number: str) -> str:
    """Return the digits of *number* in order, without what joins or hides them."""
    return "".join(char for char in number if "0" <= char <= "9")
