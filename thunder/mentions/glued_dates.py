"""Dates that a flattened table glued to what stands before them: 문정동 12-34|1997. 12. 14."""

import re
from dataclasses import replace

from thunder.names.kinds import is_person
from thunder.text.korean import final_sound
from thunder.text.spans import Span

_YEAR = re.compile(r"(?<=.)(?:19[5-9]|20[0-4])[0-9]\Z")
_REST = re.compile(r"\. {0,2}(?:1[0-2]|0?[1-9])\. {0,2}(?:[12][0-9]|3[01]|0?[1-9])(?![0-9])")
_LONGEST = 5  # the year and what it is glued to
_NAME = 3  # syllables
_AFTER_CONSONANT, _AFTER_VOWEL = "은이을과", "는가를와"


def without_year(text: str, span: Span) -> Span:
    """Return *span* without the year of a date that goes on after it, nor a particle before that.

    한빛전자가|2011. 5. 24. A date of its own, such as that of a birth, is left whole.
    """
    if text[span.end - 1] == ".":  # it took in the first full stop of the date
        span = replace(span, end=span.end - 1)
    if text[span.end : span.end + 1] != "." or not _REST.match(text, span.end):
        return span
    year = _YEAR.search(text, max(span.start, span.end - _LONGEST), span.end)
    if year is None or year.start() <= span.start:
        return span
    before = text[span.start : year.start()]
    if before.endswith("-"):
        return span  # a number's last group
    end = span.start + len(before.rstrip())
    word = text[span.start : end]
    end -= _has_particle(word) and not (is_person(span.label) and len(word) == _NAME)  # 김정은
    return replace(span, end=end) if end > span.start else span


def _has_particle(word: str) -> bool:
    """Return whether *word* ends in a particle that agrees with the syllable before it."""
    if len(word) < 3 or not ("가" <= word[-2] <= "힣"):
        return False
    return word[-1] in (_AFTER_CONSONANT if final_sound(word[:-1]) else _AFTER_VOWEL)
