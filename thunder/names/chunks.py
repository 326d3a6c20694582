"""Words of Korean text as the name finders see them: chunks, their particles, placeholders."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from thunder.names.patterns.signs import sign
from thunder.taxonomy.grammar import CLOSING as CLOSING
from thunder.taxonomy.grammar import OPENING as OPENING
from thunder.taxonomy.grammar import TAIL as TAIL
from thunder.taxonomy.lexicon import THING, tails_of
from thunder.text import lazy
from thunder.text.korean import final_sound
from thunder.text.morphology import analyse

HANGUL = lazy.compile("[가-힣]+")
_HANGUL_BEFORE = lazy.compile(r"[가-힣]+\Z")
WORD = lazy.compile(r"[가-힣A-Za-z0-9]+(?:[&·ㆍ.+-][가-힣A-Za-z0-9]+)*")
CIRCLES = "○△□◇☆▽◎●"

_NO_LETTERS = lazy.compile(r"[^0-9a-z가-힣\u3400-\u9fff]+")
_MAY_END_A_NAME = frozenset("도나로라인만과와등들다고며란든랑자")
_MOSTLY_ENDS_A_NAME = frozenset("인만라나다고며자든란")
_WORD_CHARACTERS = frozenset("&·ㆍ.+-")
_LONGEST_WORD, _LONGEST_RUN, _LONGEST_TAIL = 40, 1_000, 12
COUNTED = 200_000  # characters counted through: a longer text must not take quadratic time


class Chunk(NamedTuple):
    """A run of word characters: code points in the text, and the run itself."""

    start: int
    end: int
    text: str


def word_after(text: str, at: int) -> Chunk | None:
    """Return the word that begins at *at*, a date run into it left out (나래가|2020년), or None.

    Of a run without end it is its first characters: else a text of one took quadratic time.
    """
    match = WORD.match(text, at, at + _LONGEST_RUN)
    if match is None:
        return None
    dates = sign("date-run-in").all(match[0]) if "년" in match[0] else iter(())
    date = next(dates, None)
    end = at + date.start("D") if date else match.end()
    return Chunk(at, end, text[at:end])


def digits_run_in(name: str) -> int:
    """Return how many digits of a table's column run into *name*: 4 in "0004대우"."""
    digits = sign("figure-of-a-column").match(name, 0) if name[:1].isdigit() else None
    return digits.end("F") if digits else 0


def word_before(text: str, at: int) -> Chunk | None:
    """Return the word that ends at *at*, or None; of a run without end its last characters."""
    start = at
    while start > max(0, at - _LONGEST_WORD):
        char = text[start - 1]
        if not (char.isalnum() or (char in _WORD_CHARACTERS and start < at)):
            break
        start -= 1
    while start < at and text[start] in _WORD_CHARACTERS:
        start += 1
    return Chunk(start, at, text[start:at]) if start < at else None


def hangul_before(text: str, end: int, most: int) -> str:
    """Return the last syllables, at *most* so many, of the Hangul that ends at *end*, or ""."""
    match = _HANGUL_BEFORE.search(text, max(0, end - most), end)
    return match[0] if match else ""


def hangul_at(text: str, at: int, most: int = _LONGEST_TAIL) -> str:
    """Return the first syllables, at *most* so many, of the Hangul that begins at *at*, or ""."""
    match = HANGUL.match(text, at, at + most)
    return match[0] if match else ""


def hangul_after(text: str, at: int, most: int) -> str:
    """Return the first *most* syllables of the Hangul at *at*, or behind a space there, or ""."""
    return hangul_at(text, at + (text[at : at + 1] == " "), most)


def next_run(text: str, end: int) -> str:
    """Return the Hangul behind the one space at *end*, or ""."""
    match = HANGUL.match(text, end + 1) if text[end : end + 1] == " " else None
    return match[0] if match else ""


def letters_of(name: str) -> str:
    """Return the letters and digits of *name* alone: Hangul, Hanja, Latin in small letters."""
    return _NO_LETTERS.sub("", name.casefold())


@lru_cache(maxsize=1 << 15)
def stem_length(word: str) -> int:
    """Return how many characters of *word* come before its particle, all where it has none.

    The particle must agree with the sound before it (한빛은, 나리는); a stem of one syllable is
    none. "한빛테크로부터" gives 4.
    """
    for at in range(max(2, len(word) - _LONGEST_TAIL), len(word)):
        if _is_particle(word[at:], after=word[:at]):
            return at
    return len(word)


def _is_particle(tail: str, *, after: str) -> bool:
    sounds = _sounds().get(tail)
    if sounds is None or "any" in sounds:
        return sounds is not None
    final = final_sound(after)
    return (
        ("consonant" in sounds and final != "")
        or ("vowel" in sounds and not final)
        or ("light" in sounds and final in ("", "ㄹ"))
    )


@lru_cache(maxsize=1)
def _sounds() -> Mapping[str, frozenset[str]]:
    """Return the sounds behind which each tail may stand."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for one in tails_of(THING):
        found[one.text].add(one.after)
    return {tail: frozenset(sounds) for tail, sounds in found.items()}


@lru_cache(maxsize=256)  # a name comes often, and a text of nothing but names should cost no more
def _count(text: str, word: str) -> int:
    return text.count(word, 0, COUNTED)


def name_length(text: str, word: str) -> int:
    """Return how many characters of *word* are the name, judged by the rest of *text* too.

    A last syllable that may belong to the name (도, 나, 로 …) stays where the text never writes
    the name without it; of one that is seldom a particle (인, 라 …) one occurrence is enough.
    """
    length = stem_length(word)
    tail = word[length:]
    if tail[:1] == "들":  # 나래사람|들에게, where it is never called 나래사람
        whole = _count(text, word[: length + 1])
        is_own = whole > 1 and whole == _count(text, word[:length])
        return length + is_own
    if tail not in _MAY_END_A_NAME:
        return length
    whole = _count(text, word)
    if whole > 1 or tail in _MOSTLY_ENDS_A_NAME:
        return len(word) if whole == _count(text, word[:length]) else length
    return length


@lru_cache(maxsize=1 << 14)
def is_placeholder(word: str) -> bool:
    """Return whether *word* is a court's letter or circle, or a number: nothing left to mask."""
    return sign("placeholder").fits(word)


@lru_cache(maxsize=1 << 14)
def is_inflected(word: str) -> bool:
    """Return whether *word* ends in a particle or a verbal ending: no bare noun."""
    length = stem_length(word)
    if length < len(word) and (word[-1] in "의은는을를" or not is_unfamiliar(word[:length])):
        return True
    if len(word) > 2 and sign("about-then").fits(word):
        return True
    found = list(analyse(word))
    tag = found[-1].tag.rsplit("+", 1)[-1]
    if len(found) == 1:
        return tag[0] in "JEMV" or tag == "NNB"
    if tag == "ETM":
        return sign("adnominal").fits(word)
    return (tag[0] in "JE" and tag != "ETN") or tag in ("VCP", "XSV", "XSA", "VV", "VA")


@lru_cache(maxsize=1 << 14)
def is_unfamiliar(word: str) -> bool:
    """Return whether *word* is no run of dictionary nouns: likely a name."""
    found = list(analyse(word))
    if all(m.tag.startswith(("NNG", "XPN", "XSN", "SN", "NNB", "XR")) for m in found):
        return any(m.end - m.start == 1 and m.tag == "NNG" for m in found)
    return not any(m.tag[0] in "JEV" and m.end - m.start > 1 for m in found)
