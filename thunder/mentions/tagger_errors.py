"""The errors of a doubtful tagger: letters, ends of words, numbers, plain words, kinds."""

import re
from collections.abc import Container, Iterator, Sequence

from thunder.mentions.generic_words import HARDLY_SEEN, is_person
from thunder.names import descriptors
from thunder.names.chunks import CLOSING, HANGUL, OPENING, TAIL, hangul_at, word_before
from thunder.names.evidence import SURE
from thunder.names.given_names import given_likeness, is_unlikely, likeness, surname_of
from thunder.names.kinds import is_address
from thunder.names.person_lexicon import commonness, word_class
from thunder.names.person_tails import tails
from thunder.taxonomy.gazetteer import bare_district
from thunder.text.spans import Span

LEAST_OF_WORDS = 0.4
"""A doubtful tagger's plain word, end of a word or short number is dropped below this score."""

SURE_OF_PERSON, SURE_OF_NOUNS = 0.8, 0.9
"""From these scores on a person that a tagger saw may have a plain word for a name, or two."""

SURE_OF_NAME = 0.7
"""Below this score a tagger's name before a noun is none if it says of what kind that is."""

_LONGEST_NAME = 3
_ORDINARY = frozenset({"noun", "adverb", "verb", "particle", "clause"})
_COMPOUND = frozenset({"nouns", "mixed"})
_WITHIN = re.compile(r"[가-힣]{2}")
_SHORT_NUMBER = re.compile(r"제?[0-9][0-9.,-]{0,6}[층호]?|[명원개건대][0-9][0-9.,]{0,6}")
_EVERYDAY_BEFORE_PARTICLE = 4  # commonness; 하늘을 has that of 4
_RARE, _RARE_GIVEN = -6.5, -6.0  # log10 of how many are called so


def without_tagger_errors(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield *spans* without doubtful errors; a lot number after its address is none."""
    named = [span for span in spans if not _is_no_name(text, span)]
    known = {text[span.start : span.end] for span in named if span.score >= SURE}
    last: Span | None = None
    for span in named:
        if _is_known(text, span, known) or _goes_on(text, last, span) or not _is_slip(text, span):
            yield span
            last = span


def _is_known(text: str, span: Span, known: Container[str]) -> bool:
    """Return whether the tagger is sure, here or where the same uncommon word stands elsewhere."""
    word = text[span.start : span.end]
    is_rare = not surname_of(word) or commonness(word, tailed=False) == 0
    is_name = len(word) > 1 and is_rare and bare_district(word) is None
    return span.score >= SURE or (is_name and word in known)


def _goes_on(text: str, last: Span | None, span: Span) -> bool:
    """Return whether an address goes on from *last* to *span* over a space: 나래로 12-34."""
    if last is None or text[last.end : span.start] != " ":
        return False
    has_number = any(map(str.isdigit, text[span.start : span.end]))
    return has_number and is_address(last.label) and is_address(span.label)


def is_sign(text: str, span: Span) -> bool:
    """Return whether a span that a tagger doubts is no more than a letter or digit: 301|호."""
    return span.score < SURE and sum(map(str.isalnum, text[span.start : span.end])) < 2


def _is_slip(text: str, span: Span) -> bool:
    """Return whether a doubtful span is rather a letter, a word's end, a number or a plain word."""
    word = text[span.start : span.end]
    if is_sign(text, span):
        return True
    if _ends_within(text, span):
        return True
    if _is_common_with_particle(text, span):
        return True
    if span.score >= LEAST_OF_WORDS or _is_quoted(text, span):
        return False
    met = text[max(0, span.start - 1) : span.start + 1]
    if _WITHIN.fullmatch(met) or _SHORT_NUMBER.fullmatch(word):
        return True
    may_be_given = is_person(span) and len(word.replace(" ", "")) <= _LONGEST_NAME
    is_plain = all(word_class(part) in _ORDINARY for part in word.split("/")) and not may_be_given
    if not is_person(span) and not surname_of(word):
        return is_plain  # shops and firms are called by any noun: 무지개
    return is_plain or commonness(word, tailed=False) > 1  # 지현, 하은 are nouns to Mecab


def _is_common_with_particle(text: str, span: Span) -> bool:
    """Return whether *span* is a word that judgments use before particles: 최선|의, 양팔|을.

    One that does not begin like a surname only if it is a person's, and not sure: 별명이 하늘|을.
    """
    run = hangul_at(text, span.end)
    word = text[span.start : span.end]
    if not surname_of(word) and (span.score >= SURE or not is_person(span)):
        return False
    is_tailed = run != "" and run in tails()
    return is_tailed and len(word) > 1 and commonness(word, tailed=True) > _EVERYDAY_BEFORE_PARTICLE


def _is_no_name(text: str, span: Span) -> bool:
    """Return whether a name not quite sure of is a kind, or a person's no more than a plain word.

    닉네임, 분사무소; not 지현 or 하늘, nouns to Mecab too, 누리솔, of two nouns (if it is seen at
    all), nor ‘빨간 우산’, which may be a nickname.
    """
    word = text[span.start : span.end]
    if not is_person(span):
        return _is_kind(text, span)
    kind = word_class(word)
    is_hangul = HANGUL.fullmatch(word) is not None  # 加藍里 may be a village
    is_compound = span.score < HARDLY_SEEN and kind in _COMPOUND and is_hangul
    is_long = is_compound or (kind == "nouns" and len(word) > _LONGEST_NAME)
    if span.score >= (SURE_OF_NOUNS if is_long else SURE_OF_PERSON) or _is_quoted(text, span):
        return False
    if len(word) < 2 or not (kind in _ORDINARY or is_long):
        return False
    if is_unlikely(word):
        return True
    is_rare = given_likeness(word) < _RARE_GIVEN and likeness(word) < _RARE
    may_be_given = len(word) < _LONGEST_NAME  # 하늘, 초롱
    return span.score < SURE and kind == "noun" and is_rare and not may_be_given


def _is_kind(text: str, span: Span) -> bool:
    """Return whether a name not quite sure of says what kind the thing after it is: 유령|회사."""
    apart = text[span.end : span.end + 1] == " "
    run = hangul_at(text, span.end + apart)
    word = word_before(text, span.end)
    if not run or word is None or span.score >= SURE_OF_NAME or word.start > span.start:
        return False
    reading = descriptors.read(run)
    if reading is None or reading.noun_start:
        return False
    is_whole = HANGUL.fullmatch(word.text) is not None  # 1단지|아파트 may be one of several
    return is_whole and descriptors.is_kind(word.text, reading.descriptor, apart=apart)


def _ends_within(text: str, span: Span) -> bool:
    """Return whether a word goes on with no particle, nor a noun that says what is named.

    육군참모|총장, 한국철도시|설공단; not 한빛|건물, 6|번.
    """
    run = hangul_at(text, span.end)
    if not is_cut(text, span) or not "가" <= text[span.end - 1] <= "힣":
        return False
    reading = descriptors.read(run)
    return TAIL.fullmatch(run) is None and (reading is None or reading.noun_start > 0)


def _is_quoted(text: str, span: Span) -> bool:
    before, after = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
    return bool(before and after) and before in OPENING and after in CLOSING


def is_cut(text: str, span: Span) -> bool:
    """Return whether a tagger's span ends within a word, before what is no particle."""
    run = hangul_at(text, span.end)
    return span.source == "tagger" and run != "" and run not in tails()
