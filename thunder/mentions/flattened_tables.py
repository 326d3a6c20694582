"""What a flattened table ran together with a mention: the columns and dates beside it.

3,|000소외 한빛전자: the end of a sum; 12-3|답62|충남 부여군: kind of land, area, the next row;
문정동 12-34|1997. 12. 14.: a date.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from thunder.names.chunks import hangul_at
from thunder.names.kinds import is_address, is_person
from thunder.names.patterns.edges import trimmed
from thunder.taxonomy.gazetteer import bare_district, district, is_division
from thunder.taxonomy.lexicon import expression
from thunder.text.korean import final_sound
from thunder.text.spans import Span

# 지목 (공간정보의 구축 및 관리 등에 관한 법률 제67조), whole or as the register shortens those that
# are fields, woods and sites, then what it was called before; and what is said of a lot as such.
_GROUP = "(?:제[0-9]+<land>)?<land-together>"
_AREA = r"[0-9]*(?:\.[0-9]+)*"
_COLUMN = expression(
    rf"(?<=[0-9])(?=<beginning-of-a-province>"
    rf"(?:\Z|<end-of-a-province>| [가-힣]{{2,4}}[시군구]))"
    rf"|(?:(?<=[0-9]) ?(?:(?:<kind-of-land>){{1,2}}|<signed-by>|{_GROUP})"
    rf"|(?<=[동리가로길호층])<signed-by>)"
    rf"{_AREA}(?![0-9.])"
)
_ROW = re.compile(r"[0-9]{1,4}(?=([가-힣]{2,7}))")

_YEAR = re.compile(r"(?<=.)(?:19[5-9]|20[0-4])[0-9]\Z")
_REST = re.compile(r"\. {0,2}(?:1[0-2]|0?[1-9])\. {0,2}(?:[12][0-9]|3[01]|0?[1-9])(?![0-9])")
_LONGEST = 5  # the year and what it is glued to
_NAME, _LONGEST_DISTRICT = 3, 7  # syllables
_AFTER_CONSONANT, _AFTER_VOWEL = "은이을과", "는가를와"


def without_sum(text: str, span: Span) -> Span | None:
    """Return a name without the end of the sum before it, nor the role between: 3,|000소외 한빛.

    None where no name is left: 0.|55점.
    """
    left = trimmed(text, span, whoever=True)
    if left is None or left == span:
        return left
    return left if sum(map(str.isalnum, text[left.start : left.end])) > 1 else None


def columns(text: str, span: Span) -> Iterator[Span]:
    """Yield an address cut at the columns beside its lot: 12-3|답62|가람면 나래리 12."""
    if not is_address(span.label):
        yield span
        return
    address = trimmed(text, span)
    if address is None:
        return
    span = address
    start, end = _after_row(text, span.start, span.end), span.end
    for column in _COLUMN.finditer(text, start, end):
        if column.end() < end and not _begins_address(text, column.end(), end):
            continue
        if start < column.start():
            yield replace(span, start=start, end=column.start())
        start = _after_row(text, column.end(), end)
    if start < end:
        yield replace(span, start=start, end=end)


def _begins_address(text: str, at: int, end: int) -> bool:
    """Return whether the name of a province, a district or a division begins at *at*."""
    word = hangul_at(text, at, min(_LONGEST_DISTRICT, end - at))
    return any(
        district(word[:size]) is not None
        or bare_district(word[:size]) is not None
        or (size > 2 and is_division(word[:size]))
        for size in range(2, len(word) + 1)
    )


def _after_row(text: str, start: int, end: int) -> int:
    """Return where an address begins after the number of its row: 26|경북 안동시, 9|수서동 644."""
    row = _ROW.match(text, start, end)
    return row.end() if row and _begins_address(text, row.end(), end) else start


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
