"""What courts leave out by saying what it was: (주소 1 생략), (차량등록번호 생략), <주소>."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression, labels_of
from thunder.training_data.placeholders import contexts
from thunder.training_data.placeholders.localities import depth, left_of
from thunder.training_data.placeholders.nouns import body_of, generic_nouns
from thunder.training_data.placeholders.record import (
    PERSON,
    SOME_FIRM,
    Doubt,
    Mark,
    Vote,
    labels,
    without,
)

_OMISSION = re.compile(
    r"\((?:[^()\n]{0,20}\s{2,40})?\s{0,40}(?P<said>[^()\n]{1,40}?)\s{0,20}(?:을|를|은|는)? ?생략"
    r"(?![하한함되된됨합]) ?(?P<closed>\))?"
)
_ANGLED = "[<〈](?P<said><said-in-angles>)[>〉]"
_REACH = 100
_NUMBERS = re.compile(r"[0-9]+(?:[,~∼-] ?[0-9]+)*")
# Omissions of passages, which stood for nothing to mask.
_PASSAGE = "^<passage>$|<passage-ending>$|<passage-remark>"


def find(text: str) -> Iterator[Mark]:
    """Yield the omissions of *text* that say what is missing; the brackets stay outside.

    An unmasked judgment has the thing itself in brackets where it stands behind a name (계좌
    (110-…)), and without them elsewhere: only there the brackets are marked too.
    """
    found = _alike(list(_said(text)))
    depths = _depths(text, found)
    for mark in found:
        yield mark._replace(label=depths.get(mark, mark.label))


def _alike(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks with a numbered one as what is said of it anywhere: 주상복합건물인 (… 1 …).

    That is a label that the words of the omission alone do not have.
    """
    more: dict[str, str] = {}
    for mark in marks:
        if mark.entity[-1:].isdigit() and mark.label not in ("", label_of(mark.entity)):
            more.setdefault(mark.entity, mark.label)
    return [mark._replace(label=more.get(mark.entity, mark.label)) for mark in marks]


def _depths(text: str, marks: Sequence[Mark]) -> dict[Mark, str]:
    """Return how deep the addresses begin that stand right after a district: 강남구 (주소 생략).

    A numbered one is the same place everywhere: where its district stands before it once, the
    other mentions (위 (주소 1 생략)) are as deep.
    """
    own: dict[Mark, str] = {}
    for at, mark in enumerate(marks):
        if mark.label in (_ADDRESS, _LOT):
            begins = depth(left_of(text, mark.start).removesuffix("("))
            if mark.label == _LOT:
                begins = begins if begins in labels("above-lots") else ""
            elif not begins and text.startswith("번지", mark.end):
                begins = _LOT
            elif not begins and at and _goes_on(text, marks[at - 1], mark):
                begins = own.get(marks[at - 1], "")
            own |= {mark: begins} if begins else {}
    usual: dict[str, Counter[str]] = defaultdict(Counter)
    for mark, label in own.items():
        if mark.label == _ADDRESS:
            usual[mark.entity][label] += 1
    numbered = {
        mark: min(usual[mark.entity].items(), key=lambda one: (-one[1], one[0]))[0]
        for mark in marks
        if mark.label == _ADDRESS and mark.entity in usual and mark.entity[-1:].isdigit()
    }
    return {**numbered, **own}


_ADDRESS, _LOT = "주소", "필지"


def _goes_on(text: str, mark: Mark, following: Mark) -> bool:
    """Return whether a list goes on, maybe behind the lot's use and area: 임야 22986㎡, (…)."""
    return sign("and-an-address").fits(text[mark.end : following.start])


def _said(text: str) -> Iterator[Mark]:
    for match in _OMISSION.finditer(text):
        said = _words(text, match)
        label = _label(text, match, said)
        if not label:
            continue
        end = match.end()
        if label in labels("named-behind") and (named := next(body_of(text, end), None)):
            label = named.label  # (이름 생략)교회
        elif label in (PERSON, _LOT) and (named := next(_joined(text, end), None)):
            label = named.label  # (이름 생략)회, (지번 생략)마을
        whole = match.start() + 1 == match.start("said")
        if match["closed"] and whole and not _behind_a_name(text, match.start(), label):
            yield Mark(match.start(), end, "omission", said, label)
        else:
            inner = end - (text[end - 1] == ")")
            yield Mark(match.start("said"), inner, "omission", said, label)
    for match in expression(_ANGLED).finditer(text):
        if text[match.start()] == _HEADS:
            continue
        said = match["said"]
        yield Mark(match.start(), match.end(), "omission", said, label_of(said))


def _words(text: str, match: re.Match[str]) -> str:
    """Return what is said to be left out, of a broken line the whole: (계좌번호 ↵ 1 생략)."""
    said = " ".join(match["said"].split())
    if said.strip("0123456789 "):
        return said
    return " ".join(text[match.start() + 1 : match.end("said")].split())


def _label(text: str, match: re.Match[str], said: str) -> str:
    left = text[max(0, match.start() - _REACH) : match.start()]
    return label_of(said, _BLANKS.sub(" ", left)) or _rest_of_address(left, said)


_BLANKS = re.compile(r"\s+")


def unknown(text: str) -> Iterator[Doubt]:
    """Yield the omissions that name or number a thing no row of the table knows: (선거명 생략)."""
    for match in _OMISSION.finditer(text):
        said = _words(text, match)
        plain = _plain(said)
        if (
            sign("names-what-is-left-out").fits(said)
            and not _is_passage(plain)
            and not _label(text, match, said)
        ):
            yield Doubt(match.start(), match.end(), UNKNOWN)

    for match in expression(_ANGLED).finditer(text):
        if text[match.start()] == _HEADS:
            yield Doubt(match.start(), match.end(), UNKNOWN)


UNKNOWN = "omission unknown"
_HEADS = "〈"  # 〈주소〉 may be a heading, too


def _joined(text: str, end: int) -> Iterator[Vote]:
    """Yield the label of the noun that an omission is the name of: (이름 생략)회."""
    for noun, label in labels_of("placeholder_endings").items():
        at = end + len(noun)
        if text.startswith(noun, end) and (
            not text[at : at + 1].isalnum() or sign("noun-ends").at(text, at)
        ):
            yield Vote(label, 1.0)


def _rest_of_address(left: str, said: str) -> str:
    """Return the label of an address of which only the rest is left out: 천안시 (이하 생략)."""
    if said.rstrip("0123456789 ") != "이하":
        return ""
    if sign("block-before").at(left, len(left)):
        return "호"
    return _ADDRESS if sign("address-cut").at(left, len(left)) else ""


def _behind_a_name(text: str, start: int, label: str) -> bool:
    return label in labels("explains") and sign("name-before-a-bracket").at(text, start)


def label_of(said: str, left: str = "") -> str:
    """Return the label of what an omission behind *left* says was left out, "" of a passage."""
    plain = _plain(said)
    if not plain or len(plain) > 24 or _is_passage(plain):
        return ""
    label = next(contexts.said(contexts.OMISSIONS, plain, left), "")
    if label in _VAGUE:
        return generic_nouns().get(without(plain, "name-of-what").replace(" ", ""), label)
    return label


def _plain(said: str) -> str:
    plain = " ".join(_NUMBERS.sub("", said).split()).removeprefix("이하 ").removeprefix("이하")
    return plain.strip(" :,")


def _is_passage(plain: str) -> bool:
    return expression(_PASSAGE).search(plain) is not None


_VAGUE = frozenset((SOME_FIRM, PERSON))
