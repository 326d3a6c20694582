"""The generic noun beside a placeholder: A 식당, 'A' 음식점, A라는 상호의 주점, 배송업체인 ‘A’."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from thunder.names.descriptors import lexicon
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression, labels_of, legal_forms, words_of
from thunder.taxonomy.own import working as load_taxonomy
from thunder.training_data.placeholders.record import SOME_FIRM, Vote, labels, without

_BETWEEN = (
    r"(?P<quote>['\"’”`´]?)(?P<space> ?)(?P<called>(?:이?라는|이라고 하는|란)? ?<name-of-a-shop>"
    r"(?:의|로|를 가진)? ?|이?라는 )?(?P<aside>\([^()\n]{1,24}\) ?)?(?P<words>[가-힣A-Z]{1,14})"
    r"(?P<next> [가-힣]{1,12})?"
)
_INDUSTRY = re.compile(r"((?:[가-힣A-Z]{1,8} )?[가-힣A-Z]{1,12}?)(?P<as>인|인 위)? ?['\"‘“`]?$")
_JOINED, _QUOTED, _CALLED, _APART, _BEFORE = 8.0, 7.5, 8.0, 6.5, 3.0
_APPOSITION = 4.6
# What is subtracted where the noun may also say what of it is meant: A 사무실.
_LESS = {"doubtful-noun": 1.0, "very-doubtful-noun": 4.0}
# The subcategories of what has a kind at all, of trades, and of bodies that can be a party.
_KINDS = frozenset(("D.2.3", "D.2.4", "D.2.5", "D.2.6", "D.2.7", "D.2.9", "D.2.10", "D.2.11"))
_TRADES = frozenset(("D.2.6", "D.2.7", "D.2.10"))
_BODIES = frozenset(("D.2.5", "D.2.7"))


def noun_after(right: str) -> Iterator[Vote]:
    """Yield the label of the generic noun with which *right* begins."""
    match = expression(_BETWEEN).match(right)
    if match is None:
        return
    joined = not (match["quote"] or match["space"] or match["called"])
    found = _longest(match["words"] + (match["next"] or ""), match["words"], joined=joined)
    if found is None:
        if joined:
            yield from _ending(match["words"])
        return
    noun, label = found
    if match["called"]:
        weight = _CALLED
    elif match["quote"]:
        weight = _QUOTED
    else:
        weight = _APART if match["space"] else _JOINED
    if not match["called"]:
        weight -= sum(less for name, less in _LESS.items() if noun in words_of(name))
    yield Vote(label, weight)


@lru_cache(maxsize=1 << 14)
def _ending(word: str) -> tuple[Vote, ...]:
    """Return the vote of a word joined to the placeholder: of the noun it ends in, else a firm's.

    ◎◎1급자동차정비소, ○○데이터: what is joined and no particle belongs to a name.
    """
    for stem in (word, _without_tail(_without_tail(word))):
        for start in range(max(0, len(stem) - 9), len(stem) - 1):
            noun = stem[start:]
            label = generic_nouns().get(noun) or labels_of("placeholder_endings").get(noun)
            if label and says_kind(noun):
                return (Vote(label, 5.5),)
    if len(word) < 2 or sign("particles-alone").fits(word):
        return ()
    return (Vote(SOME_FIRM, 2.6),)


def _without_tail(word: str) -> str:
    return without(word, "tail-of-a-noun")


def stem_behind(text: str, end: int) -> str:
    """Return the word joined at *end*, without particles: 개발 of △△개발이, "" of △△에서."""
    match = sign("word-joined").match(text, end)
    stem = _without_tail(match["W"]) if match else ""
    return stem if len(stem) > 1 or stem in words_of("tells-apart-alone") else ""


def body_of(text: str, end: int) -> Iterator[Vote]:
    """Yield the body that the word behind *end* ends in: 소외 2 의료소비자생활협동조합."""
    match = sign("word-behind-a-number").match(text, end)
    if match is None:
        return
    stem = _without_tail(match["W"])
    for start in range(len(stem) - 1):
        label = generic_nouns().get(stem[start:])
        if label and says_kind(stem[start:]):
            if is_body(label):
                yield Vote(label, 7.0)
            return


def joined_form(right: str) -> Iterator[Vote]:
    """Yield the legal form behind the rest of a name that is joined to a placeholder.

    ○○씨티 주식회사, not ○○은 주식회사.
    """
    if match := sign("rest-and-form").match(right, 0):
        yield Vote(legal_forms()[match["F"].replace(" ", "")], _APART)


def noun_before(left: str) -> Iterator[Vote]:
    """Yield the label of a trade named before: "배송업체인 ‘A’", "주점인 A"."""
    match = _INDUSTRY.search(without(left, "form-at-the-end"))
    if match is None:
        return
    word = match[1].replace(" ", "")
    for start in range(len(word) - 1):
        noun = word[start:]
        label = generic_nouns().get(noun, "")
        if label and says_kind(noun) and noun not in words_of("scene-of-anything"):
            weight = _BEFORE + (_APPOSITION if match["as"] else 0.0)
            yield Vote(label, _CALLED if noun.endswith("법인") else weight)
            return


def defined_after(right: str) -> Iterator[Vote]:
    """Yield the label of the noun that a judgment goes on with: ○○○(이하 ‘이 사건 건물’)."""
    match = sign("defined-behind").match(right, 0)
    word = match["N"] if match else ""
    for start in range(len(word) - 1):
        label = generic_nouns().get(word[start:])
        if label and says_kind(word[start:]):
            yield Vote(label, _APART)
            return


def _longest(words: str, first: str, *, joined: bool) -> tuple[str, str] | None:
    """Return the longest noun that begins *words* and ends a word or stands before a particle."""
    nouns = generic_nouns()
    compact = words.replace(" ", "")
    for length in range(min(len(compact), 16), 0, -1):
        noun = compact[:length]
        if not (says_kind(noun) or (joined and noun in words_of("firm-when-joined"))):
            continue
        label = nouns.get(noun)
        if label and _ends_there(compact, length, len(first)):
            return noun, label
    return None


def _ends_there(compact: str, length: int, first: int) -> bool:
    if length in (len(compact), first):
        return True
    return length > 1 and sign("noun-ends").at(compact, length)


@lru_cache(maxsize=1)
def generic_nouns() -> Mapping[str, str]:
    """Return the label of each generic noun: labels' names, descriptors, and the table's own."""
    nouns: dict[str, str] = {}
    for label in load_taxonomy():
        if label.code in _KINDS and label.treatment != "keep":
            for name in (label.ko, *label.aliases):
                if len(name) > 1 and not name.endswith(("아래주소", "이름")):
                    nouns.setdefault(name.replace(" ", ""), label.ko)
    for noun, descriptor in lexicon().nouns.items():
        nouns[noun] = descriptor.label
    nouns.update(labels_of("placeholder_nouns"))
    return nouns


def says_kind(noun: str) -> bool:
    """Return whether *noun* says what a placeholder is, not what else is spoken of: A 계좌."""
    return noun not in words_of("says-no-kind")


@lru_cache(maxsize=1024)
def is_body(label: str) -> bool:
    """Return whether *label* is that of a body that can be a party: a bank, a church, a clan."""
    if label in labels("no-body"):
        return False
    return label in labels("body") or load_taxonomy().label(label).code in _BODIES


@lru_cache(maxsize=1024)
def is_trade(label: str) -> bool:
    """Return whether *label* is that of a shop, a firm, an office or a house for some trade."""
    return load_taxonomy().label(label).code in _TRADES


@lru_cache(maxsize=1024)
def is_business(label: str) -> bool:
    """Return whether *label* is that of a shop or a firm for some trade."""
    return load_taxonomy().label(label).code == "D.2.7"
