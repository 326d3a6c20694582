"""Words that name nobody, however sure a tagger is: roles, offices, legal forms, counts."""

import re
from collections.abc import Sequence
from functools import lru_cache

from thunder.identifiers.lookalikes import is_case, tariff_headings
from thunder.identifiers.unit import is_of_statute
from thunder.names import kinds
from thunder.names.chunks import HANGUL
from thunder.names.defined import plain_terms
from thunder.names.legal_forms import FORM
from thunder.names.patterns.lookalikes import lookalike
from thunder.names.person_context import role_group
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text.spans import Span

_LONGEST_HEADING = 8  # characters on each side
_FOREIGN_FORM = r"limited|ltda?|pte|inc|corp(?:oration)?|co|llc|gmbh"
_FORMS = rf"[ .,()]*(?:(?:{FORM}|{_FOREIGN_FORM})[ .,()]*)+"
_HEADING = 6_000  # characters in which the parties stand
_SUED = expression(
    r"【[^】\n]{0,20}피[ \t]*고[^】\n]{0,20}】[ \t\n]{0,60}([가-힣]{1,6}?)<head-of-a-town>"
)
_LONGEST_ITEM = 13  # 8541.40.10.00


def without_readable(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return disjoint, sorted *spans* without what stays readable whoever found it.

    That are look-alikes, the 시·군·구 of its head who is sued, and words that the text defines
    (‘신사옥’).
    """
    plain = plain_terms(text)
    return [
        span
        for span in spans
        if not _is_before_office(text, span)
        and text[span.start : span.end] not in plain
        and not lookalike(text, span, whoever=True)
    ]


def is_person(span: Span) -> bool:
    """Return whether *span* is labelled as a person's name."""
    return kinds.is_person(span.label)


def names_nobody(text: str, span: Span) -> bool:
    """Return whether the words of *span* are no name: 피고인, 안성시장, 주식회사.

    Nor a number that leads to anybody: a look-alike, or one that the judgment says is a case's.
    """
    word = text[span.start : span.end]
    if (
        role_group(word)
        or is_heading(text, span.start, span.end)
        or is_form(word)
        or lookalike(text, span)
        or _is_said_to_be_official(text, span)
    ):
        return True
    return is_person(span) and is_office(word)


def _is_said_to_be_official(text: str, span: Span) -> bool:
    """Return whether *text* names the number of *span* as that of a case, a statute or a good."""
    word = text[span.start : span.end]
    number = word.removesuffix("호").rstrip()
    if is_case(word):
        return True
    if span.label == kinds.label_of("unit") and is_of_statute(text, span.start, span.end):
        return True
    digits = number.removeprefix("제").lstrip()
    is_heading_of_goods = len(digits) <= _LONGEST_ITEM and digits[:4] in tariff_headings(text)
    return is_heading_of_goods and "호" in text[span.end - 1 : span.end + 2]


def is_heading(text: str, start: int, end: int) -> bool:
    """Return whether the stretch lies in a word before a party's particulars: 등록기준지."""
    around = HANGUL.finditer(text, max(0, start - _LONGEST_HEADING), end + _LONGEST_HEADING)
    inside = (run[0] for run in around if run.start() <= start and end <= run.end())
    itself = text[start:end].replace(" ", "")
    return not {itself, *inside}.isdisjoint(words_of("particular-of-a-party"))


def is_form(word: str) -> bool:
    """Return whether *word* is made of legal forms and marks alone: 학교법인, Co., Ltd."""
    return expression(_FORMS, re.IGNORECASE).fullmatch(word) is not None


@lru_cache(maxsize=1 << 12)
def is_office(word: str) -> bool:
    """Return whether *word* is the head of a 시·도·군·구, who stays readable: 안성시장."""
    for head in words_of("head-of-a-district"):
        name = word.removesuffix(head)
        names = {name, *(name.removeprefix(party) for party in words_of("party-in-civil-matters"))}
        if name != word and any(_is_district(one, head[0]) for one in names):
            return True
    return False


def _is_district(name: str, level: str) -> bool:
    return district(name + level) is not None or (level == "도" and bare_district(name) is not None)


def _is_before_office(text: str, span: Span) -> bool:
    """Return whether a thing is the 시·군·구 whose head is sued: 【피고】 안성|시장.

    Of a criminal case the head may be the accused, whom the name of the place would give away.
    """
    is_division = kinds.is_person(span.label) or span.label in kinds.labels_of("division")
    name, level = text[span.start : span.end], text[span.end : span.end + 1]
    return not is_division and name in _sued(text[:_HEADING]) and _is_district(name, level)


@lru_cache(maxsize=1)
def _sued(heading: str) -> frozenset[str]:
    """Return the places whose heads are sued, by the *heading* of a judgment."""
    return frozenset(_SUED.findall(heading))
