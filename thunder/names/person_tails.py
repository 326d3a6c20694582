"""What may follow a name within the same word: particles, the copula, 씨, 측, 등 …"""

from collections.abc import Iterator
from functools import lru_cache

from thunder.names.chunks import hangul_after, hangul_before
from thunder.taxonomy.lexicon import PERSON, table, tails_of
from thunder.text.korean import final_sound

_LONGEST_TITLE, _LONGEST_POST, _LONGEST_TITLED = 8, 12, 24


@lru_cache(maxsize=1)
def tails() -> dict[str, str]:
    """Return every tail with its kind: particle, copula, list, title, word, pet (길동|이가), ""."""
    ordered = tails_of(PERSON)
    nouns = [one.text for one in ordered if one.kind == "noun"]
    found = {"": ""}
    for one in ordered:
        if one.kind != "noun":
            found.setdefault(one.text, one.kind)
    for title, after_surname in titles().items():
        kind = "word" if after_surname in ("clear", "never") else "title"
        for end in ("", *nouns):
            found.setdefault(title + end, kind)
    return found


@lru_cache(maxsize=1)
def titles() -> dict[str, str]:
    """Return the words put after a name (씨, 과장 …), and how each stands after a surname alone.

    "joined" also without a space (홍과장), "spaced" only with one (홍 이사), "clear" only where the
    surname is no word either (허 소장), "never".
    """
    return dict(table("titles"))


def title_of(word: str) -> str:
    """Return the title that *word* is but for its particle: 과장 of 과장은; "" where it is none."""
    for end in range(len(word) if len(word) <= _LONGEST_TITLED else 0, 0, -1):
        is_ended = word[end:] in tails() or word in tails()  # 원장은, 원장네
        if word[:end] in titles() and is_ended:
            return word[:end]
    return ""


def titles_beside(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the titles right before and right behind the name from *start* to *end*, in short.

    부장 of 영업부장 홍길동 and of 홍길동 부장은; 대표 of 대표이사, 사장 of 사장님.
    """
    before = hangul_before(text, start - (text[start - 1 : start] == " "), _LONGEST_POST)
    ends = (before[at:] for at in range(len(before)))
    for title in (next((end for end in ends if end in titles()), ""), title_behind(text, end)):
        if title:
            yield in_short(title)


def title_behind(text: str, end: int) -> str:
    """Return the title right behind *end* (과장 of 홍 과장은), or ""."""
    return title_of(hangul_after(text, end, _LONGEST_TITLE))


def in_short(title: str) -> str:
    """Return how *title* is also said: 사장 for 사장님, 대표 for 대표이사."""
    return title.removesuffix("님").removesuffix("이사") or title


def ends_before_tail(word: str, end: int) -> bool:
    """Return whether the first *end* syllables of *word* are a name with its particle behind."""
    return word[end:] in tails() and agreement(word[:end], word[end:]) in ("fits", "free")


def agreement(name: str, tail: str) -> str:
    """Return whether *tail* takes the form *name* asks for: "fits", "clashes", "free" or ""."""
    if not tail:
        return ""
    final = final_sound(name)
    if tail.startswith("으로"):
        return _say(final not in ("", "ㄹ"))
    if tail.startswith("로"):
        return _say(final in ("", "ㄹ"))
    if tail.startswith(("은", "을", "과", "이", "아")):
        return _say(final != "")
    after_vowel = tail[0] in "는가를와였여야" or tail in ("나", "고", "며", "랑")
    if after_vowel or (tail[0] in "라다래예" and not tail.startswith("다른")):
        return _say(final == "")
    return "free"


def _say(fits: bool) -> str:
    return "fits" if fits else "clashes"
