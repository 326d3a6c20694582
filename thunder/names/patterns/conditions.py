"""The tests that a rule puts to its words: [X:name] that is ``proper`` and no ``station``."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from thunder.names.chunks import (
    Chunk,
    is_inflected,
    is_placeholder,
    is_unfamiliar,
    stem_length,
    word_before,
)
from thunder.names.descriptors import PLACE, is_noun, lexicon, read
from thunder.names.evidence import needed
from thunder.names.given_names import given_likeness, likeness, surname_of
from thunder.names.naming import is_place_name, is_proper
from thunder.names.person_foreign import is_foreign
from thunder.names.person_lexicon import behind_roles, commonness, word_class
from thunder.names.quotations import is_title
from thunder.names.told import odds
from thunder.names.well_known import is_station, look_up
from thunder.settings.messages import Message
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.grammar import Classes, PatternError, Piece, word_pattern
from thunder.text.korean import final_sound

Test = Callable[[str, Chunk], bool]
"""Whether a word of a text, with its place, is what the test's name says."""

_LIKELY_PERSON = -8.5
_COMMON = 6
_LIKELY_GIVEN = -5.15  # log10 of how many are called so: 나영; not 아이, 동네
_BARE = frozenset({"noun", "person", "place", "proper", "surname+given", "pieces"})
_PLAIN_WORDS = frozenset({"noun", "verb", "adverb", "place", "particle"})


def _is_stop(word: str) -> bool:
    return is_place_name(word) or is_station(word) or is_station(word.removesuffix("역"))


def _is_province(word: str) -> bool:
    known = district(word) or bare_district(word)
    return word[-1] == "도" or (known is not None and known.level == "도")


def _is_named_place(word: str) -> bool:
    reading = read(word)
    return reading is not None and reading.name_end > 0 and reading.descriptor.kind == PLACE


def _follows_a_name(text: str, word: Chunk) -> bool:
    if text[word.start - 1 : word.start] != " " or len(word.text) < 2:
        return False
    before = word_before(text, word.start - 1)
    if before is None or before.text[stem_length(before.text) :]:
        return False
    reading = read(before.text)
    named = reading is not None and reading.name_end > 0 and not reading.descriptor.common
    return named or look_up(before.text) is not None


def _is_told_of(text: str, word: Chunk) -> bool:
    return odds(text, word.start, word.end) >= needed("word behind a role")


def _is_no_word(word: str) -> bool:
    seen = max(commonness(word, tailed=tailed) for tailed in (True, False))
    return not seen and word_class(word) not in _PLAIN_WORDS


def _is_unordinary(word: str) -> bool:
    return word not in lexicon().apart and not commonness(word, tailed=False)


def _is_given_name(word: str) -> bool:
    return given_likeness(word) > _LIKELY_GIVEN and word_class(word) in _BARE


_OF_THE_WORD: Mapping[str, tuple[Callable[[str], bool], Message]] = {
    "proper": (
        is_proper,
        Message(
            ko="이름일 수 있음: 흔한 낱말, 지명, 종류를 말하는 명사가 아님",
            en="may be a name: no ordinary word, no place, no generic noun",
        ),
    ),
    "unfamiliar": (
        is_unfamiliar,
        Message(ko="사전의 명사를 이어 쓴 것이 아님", en="no run of dictionary nouns"),
    ),
    "no word": (
        _is_no_word,
        Message(
            ko="사전에도 판결서에도 없는 낱말",
            en="no word of the dictionary, and none that judgments use",
        ),
    ),
    "unordinary": (
        _is_unordinary,
        Message(
            ko="판결서에서 쓰는 낱말도, 명사 앞에 오는 낱말도 아님",
            en="none of the words of judgments, nor of those before nouns",
        ),
    ),
    "common": (
        lambda word: commonness(word, tailed=False) > _COMMON,
        Message(
            ko="판결서 여든 건에 한 번 넘게 나오는 낱말",
            en="a word of one judgment in eighty and more",
        ),
    ),
    "inflected": (
        is_inflected,
        Message(ko="조사나 어미로 끝남", en="ends in a particle or an ending"),
    ),
    "behind roles": (
        lambda word: word in behind_roles(),
        Message(
            ko="공개 판결서에서 사람의 지위 뒤에 오는, 이름이 아닌 낱말",
            en="a word that stands behind a person's role in public judgments, and is no name",
        ),
    ),
    "placeholder": (
        is_placeholder,
        Message(ko="법원이 가린 글자나 번호", en="a court's letter, or a number"),
    ),
    "like a person": (
        lambda word: len(word) == 3 and likeness(word) > _LIKELY_PERSON,
        Message(ko="이름으로 흔히 쓰는 세 글자", en="three syllables that many people are called"),
    ),
    "ends in a consonant": (
        lambda word: bool(final_sound(word)),
        Message(
            ko="받침으로 끝남: 구름은 그렇고 나무는 아님",
            en="its last syllable ends in a consonant: 구름, not 나무",
        ),
    ),
    "noun by itself": (
        lambda word: word_class(word) in _BARE,
        Message(
            ko="사전의 낱말 하나(동사와 부사는 아님)이거나 이름",
            en="one word of the dictionary that is no verb and no adverb, or a name",
        ),
    ),
    "given name": (
        _is_given_name,
        Message(
            ko="성을 뺀 이름으로 흔히 쓰는 말", en="what many people are called, without a surname"
        ),
    ),
    "surname": (
        lambda word: surname_of(word) != "" and len(word) > 1,
        Message(ko="성으로 시작함", en="begins with a surname"),
    ),
    "foreign": (
        is_foreign,
        Message(
            ko="한글로 적은 외국 이름의 글자들", en="syllables of foreign names written in Hangul"
        ),
    ),
    "station": (is_station, Message(ko="실제로 있는 역", en="a station that exists")),
    "place": (
        is_place_name,
        Message(ko="시·군·구, 읍·면, 동·리의 이름", en="a city, district, town or village"),
    ),
    "town or station": (
        _is_stop,
        Message(
            ko="지명이거나 역(‘역’이 있든 없든)", en="a place, or a station with or without 역"
        ),
    ),
    "district": (
        lambda word: district(word) is not None,
        Message(ko="실제로 있는 시, 군, 구", en="a 시, 군 or 구 that exists"),
    ),
    "province": (_is_province, Message(ko="도 이름", en="a 도")),
    "title": (
        is_title,
        Message(
            ko="따옴표 안의 이름과 같음: 몇 낱말이고, 문장이나 줄인 말이 아님",
            en="as names in quotation marks are: few words, no sentence, no defined term",
        ),
    ),
    "noun": (
        is_noun,
        Message(ko="종류를 말하는 명사만 있음: 식당", en="a generic noun by itself: 식당"),
    ),
    "named place": (
        _is_named_place,
        Message(ko="이름이 붙은 장소: 나래병원", en="a place with its name: 나래병원"),
    ),
}
_OF_THE_PLACE: Mapping[str, tuple[Test, Message]] = {
    "told of": (
        _is_told_of,
        Message(
            ko="그 문장이 사람을 두고 하는 말을 함",
            en="what its sentence says of it is said of persons",
        ),
    ),
    "after a name": (
        _follows_a_name,
        Message(
            ko="바로 앞에 은행, 상점, 체인점 이름이 있음",
            en="a bank, a shop or a chain is named right before it",
        ),
    ),
}

NAMED = {name: told for name, (_, told) in (*_OF_THE_WORD.items(), *_OF_THE_PLACE.items())}
"""What each test by name says of a word."""

_NOUN = re.compile(r"noun <([^<>]+)>")
_LENGTH = re.compile(r"(at least|at most) ([0-9]{1,2}) characters")


class Condition(NamedTuple):
    """A test on one word of a rule, as it is written and as it runs.

    ``of_place``: it asks what stands around the word, too, and not of the word alone.
    """

    letter: str
    written: str
    holds: Test
    of_place: bool = False


def condition(letter: str, written: str, classes: Classes) -> Condition:
    """Return the test *written* in a rule; PatternError for one that is not known.

    A test by its name (``NAMED``), "at least 4 characters", "noun <shop>" (its generic noun is one
    of that class), or a pattern for the whole word in which ``*`` stands for any signs: ``대리``,
    ``*<shop>``.
    """
    if written in _OF_THE_WORD:
        of_word = _OF_THE_WORD[written][0]
        return Condition(letter, written, lambda _, word: of_word(word.text))
    if written in _OF_THE_PLACE:
        return Condition(letter, written, _OF_THE_PLACE[written][0], of_place=True)
    if length := _LENGTH.fullmatch(written):
        number = int(length[2])
        if length[1] == "at least":
            return Condition(letter, written, lambda _, word: len(word.text) >= number)
        return Condition(letter, written, lambda _, word: len(word.text) <= number)
    if noun := _NOUN.fullmatch(written):
        words = _words(noun[1], classes)
        return Condition(letter, written, lambda _, word: _noun_in(word.text, words))
    if re.search("[가-힣<*{(]", written) is None:
        raise PatternError(say.UNKNOWN_TEST(written=written, known=", ".join(sorted(NAMED))))
    pattern = word_pattern(written, classes)
    return Condition(letter, written, lambda _, word: pattern.fullmatch(word.text) is not None)


def _words(name: str, classes: Classes) -> frozenset[str]:
    words = classes.get(name)
    if words is None or isinstance(words, Piece):
        raise PatternError(say.NO_CLASS(name=name))
    return frozenset(words)


def _noun_in(word: str, nouns: frozenset[str]) -> bool:
    reading = read(word)
    return reading is not None and reading.descriptor.noun in nouns
