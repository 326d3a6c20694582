"""What stands around a name and shows that it is one: 에 있는, 운영의, quotation marks."""

from enum import Enum

from thunder.names.chunks import (
    CLOSING,
    OPENING,
    Chunk,
    is_inflected,
    is_placeholder,
    is_unfamiliar,
    stem_length,
    word_before,
)
from thunder.names.descriptors import PLACE, Descriptor, is_name, lexicon, read
from thunder.names.evidence import suffices
from thunder.names.patterns.signs import sign
from thunder.names.well_known import is_known
from thunder.taxonomy.gazetteer import bare_names, district, is_division

CERTAIN = 0.96
"""The score of what everybody knows for a name: no scorecard is asked (``mentions.weighing``).

Taggers learnt from judgments in which courts left such names readable. It is of the grade that they
have met in training (``thunder.tagger.hints.GRADES``).
"""


class Evidence(Enum):
    """How clearly the words before a chunk show that a name follows; as the table calls it."""

    NONE = "before its noun"
    SOME = "announced somewhat"
    CLEAR = "announced clearly"


_LONGEST_QUOTE = 26
_MOST_WORDS = 3


def evidence_before(text: str, at: int) -> Evidence:
    """Return how clearly the text that ends at *at* announces a name."""
    is_led = sign("announces-clearly").at(text, at) or sign("address-before").at(text, at)
    found = None if is_led else sign("in-this-district").match(text, at)
    if is_led or (found and district(found["D"])) or (at and text[at - 1] in OPENING):
        return Evidence.CLEAR
    is_some = not at or sign("announces-somewhat").at(text, at)
    return Evidence.SOME if is_some else Evidence.NONE


def quoted_name(text: str, noun: Chunk) -> int | None:
    """Return where the name begins in '나리 식당', the quotation marks around both, or None."""
    if noun.end >= len(text) or text[noun.end] not in CLOSING:
        return None
    for at in range(noun.start - 1, max(-1, noun.start - _LONGEST_QUOTE), -1):
        if text[at] in OPENING:
            return at + 1 if _reads_as_name(text[at + 1 : noun.start]) else None
        if text[at] in "\n.,!?" or text[at] in CLOSING:
            return None
    return None


def _reads_as_name(phrase: str) -> bool:
    """Return whether what a quotation holds before its noun is a name, not a sentence."""
    parts = phrase.split()
    if not parts or len(parts) > _MOST_WORDS or not phrase[0].isalnum():
        return False
    if parts[0] in lexicon().never or parts[-1] in lexicon().apart:
        return False
    return phrase[-1] != " " or not is_inflected(parts[-1])


def spaced_name(text: str, at: int, descriptor: Descriptor) -> tuple[Chunk, Evidence] | None:
    """Return the name that stands before the noun at *at*, a space between, and its evidence.

    One word, or up to three where the text before them announces a name ("에 있는 별난 아귀 식당").
    None where the word before is no name.
    """
    last = _previous(text, at)
    if last is None or not is_name(last.text, descriptor, apart=True):
        return None
    # A town is a name only where one is introduced ("에 있는 [춘천] 식당"), or ends a longer one.
    in_town = is_place_name(last.text) and not sign("introduces").at(text, last.start)
    if not is_place_name(last.text) and not _is_bare(last.text):
        return None
    best = Evidence.NONE if in_town else evidence_before(text, last.start)
    if best is not Evidence.CLEAR:
        start = announced(text, last.start)
        if start is not None:
            return Chunk(start, last.end, text[start : last.end]), Evidence.CLEAR
    return None if in_town else (last, best)


def announced(text: str, at: int) -> int | None:
    """Return where one or two words begin that end before *at* and are announced as a name.

    None where the words before *at* are no part of a name.
    """
    for _ in range(_MOST_WORDS - 1):
        word = _previous(text, at)
        if word is None or not _is_bare(word.text):
            return None
        if word.text in lexicon().apart or word.text[: stem_length(word.text)] in lexicon().never:
            return None
        if evidence_before(text, word.start) is Evidence.CLEAR:
            return word.start
        at = word.start
    return None


def _previous(text: str, at: int) -> Chunk | None:
    """Return the word before *at* if one space stands between them."""
    return word_before(text, at - 1) if at and text[at - 1] == " " else None


def _is_bare(word: str) -> bool:
    """Return whether *word* may be (part of) a name: not inflected, no place, no other noun."""
    if is_known(word):
        return True
    if is_placeholder(word) or is_inflected(word) or is_place_name(word):
        return False
    reading = read(word)
    if reading is None:
        return True
    if reading.descriptor.noun == "지점":
        return False  # "강남지점 사무실": the branch is found by itself
    return reading.name_end > 0 and (reading.descriptor.inside or reading.descriptor.common)


def is_place_name(word: str) -> bool:
    """Return whether *word* is a city, district, town or village: it names no shop or house."""
    return word in bare_names() or district(word) is not None or is_division(word)


def is_supported(
    chunk: str, evidence: Evidence, descriptor: Descriptor, *, apart: bool, used: bool
) -> bool:
    """Return whether there is enough to take *chunk* before *descriptor* for a name.

    What counts: the words before (*evidence*), that it is no run of dictionary words, and that
    what follows uses it as a name (*used*: 나리시장에서).
    """
    if apart and descriptor.common and evidence is Evidence.NONE:
        return False
    noun = "vague noun" if descriptor.vague else "common noun"
    asked = noun if descriptor.common else "apart" if apart else "joined"
    shown = {
        evidence.value: evidence is not Evidence.NONE,
        "used as a name": used,
        "unfamiliar": is_unfamiliar(chunk),
    }
    return suffices([one for one, holds in shown.items() if holds], asked=asked)


def is_used_as_name(text: str, noun_end: int, descriptor: Descriptor) -> bool:
    """Return whether what follows the noun treats it as one place (에서, 앞) or one body (직원)."""
    follows = "happens-there" if descriptor.kind == PLACE else "acts"
    return sign(follows).at(text, noun_end)


def is_proper(chunk: str) -> bool:
    """Return whether *chunk* may be a name by itself: no ordinary word, no place, no descriptor."""
    known = lexicon()
    if len(chunk) < 2 or chunk in known.apart or chunk.endswith(known.plain):
        return False
    if is_placeholder(chunk) or is_place_name(chunk) or read(chunk) is not None:
        return False
    return chunk[: stem_length(chunk)] not in known.never and not is_inflected(chunk)
