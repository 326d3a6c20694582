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
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.grammar import Classes, PatternError, Piece, word_test
from thunder.taxonomy.lexicon import words_of
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
    return (known is not None and known.level == "도") or word in words_of("old-province")


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


_OF_THE_WORD: Mapping[str, Callable[[str], bool]] = {
    "proper": is_proper,
    "unfamiliar": is_unfamiliar,
    "no word": _is_no_word,
    "unordinary": _is_unordinary,
    "common": lambda word: commonness(word, tailed=False) > _COMMON,
    "inflected": is_inflected,
    "behind roles": lambda word: word in behind_roles(),
    "placeholder": is_placeholder,
    "like a person": lambda word: len(word) == 3 and likeness(word) > _LIKELY_PERSON,
    "ends in a consonant": lambda word: bool(final_sound(word)),
    "noun by itself": lambda word: word_class(word) in _BARE,
    "given name": _is_given_name,
    "surname": lambda word: surname_of(word) != "" and len(word) > 1,
    "foreign": is_foreign,
    "station": is_station,
    "place": is_place_name,
    "town or station": _is_stop,
    "district": lambda word: district(word) is not None,
    "province": _is_province,
    "title": is_title,
    "noun": is_noun,
    "named place": _is_named_place,
}
_OF_THE_PLACE: Mapping[str, Test] = {
    "told of": _is_told_of,
    "after a name": _follows_a_name,
}

NAMED = {name: say.TESTS[name] for name in (*_OF_THE_WORD, *_OF_THE_PLACE)}
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
        of_word = _OF_THE_WORD[written]
        return Condition(letter, written, lambda _, word: of_word(word.text))
    if written in _OF_THE_PLACE:
        return Condition(letter, written, _OF_THE_PLACE[written], of_place=True)
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
    holds = word_test(written, classes)
    return Condition(letter, written, lambda _, word: holds(word.text))


def _words(name: str, classes: Classes) -> frozenset[str]:
    words = classes.get(name)
    if words is None or isinstance(words, Piece):
        raise PatternError(say.NO_CLASS(name=name))
    return frozenset(words)


def _noun_in(word: str, nouns: frozenset[str]) -> bool:
    reading = read(word)
    return reading is not None and reading.descriptor.noun in nouns
