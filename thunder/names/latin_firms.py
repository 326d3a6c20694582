"""Firms in Latin letters: Hanbit Gate Company Limited, 자회사인 Narae Technologies."""

from collections.abc import Iterator

from thunder.names.chunks import OPENING, is_placeholder
from thunder.names.naming import CERTAIN
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy
from thunder.text.spans import Span

FORM = r"(?:<latin-form-joins>[.,]{0,2} ?<latin-limited>|<latin-form>)\.?(?![A-Za-z])"
"""A foreign legal form, as it stands after a firm's name."""

FOREIGN_FORM = expression(FORM)

_FIRST = r"[A-Z](?<![A-Za-z&.'’/-].)(?<![A-Za-z][0-9].)[A-Za-z0-9&.'’/-]{0,30}"
_NEXT = (
    r" (?:(?:of|and|for|de|the|[&＆]) )?(?:[A-Z]|[0-9]+[A-Z]|[a-z]{1,6}(?=[A-Z]))"
    r"[A-Za-z0-9&.'’/-]{0,30}"
)
_NAME = rf"(?P<name>{_FIRST}(?:{_NEXT}){{0,7}})"
_FIRM = expression(rf"(?P<name>{_FIRST}(?:{_NEXT}){{0,7}}?)[ ,.]{{1,2}}{FORM}")
_INSIDE = lazy.compile(
    rf"(?P<name>{_FIRST}(?:{_NEXT}){{0,5}}? (?:Holdings?|HOLDINGS?))(?![A-Za-z])",
    needs=("Holding", "HOLDING"),
)
_CALLED = expression(
    r"(?:<firm-noun>인 |"
    r"(?<![가-힣])<firm-kin> )"
    rf"[{OPENING}]?{_NAME}",
    needs="[A-Z]",
)
# A firm is given to, and has shares; what is defined so is no device, and no paper.
_DEFINED = expression(
    rf"{_NAME}(?= ?\(<hereafter>[^()\n]{{1,40}}\)"
    r"(?:에게|의 ?<of-a-firm>))"
)
_ENDING = expression(rf"(?:[ ,.]+{FORM}(?: [A-Z]{{2}})?|[ ,]+Co)?[ ,.'’]*\Z")
_LONG_ENOUGH = lazy.compile(r"[A-Za-z]{4}|[A-Za-z0-9]+ [A-Za-z0-9]{2}|[A-Za-z]+[0-9]+[A-Za-z]{2}")


def find(text: str) -> Iterator[Span]:
    """Yield the names of firms in Latin letters; a legal form stays outside, Holdings within.

    A legal form shows them, a noun before (통신회사인 Narae Tel), or a definition of what is given
    something or has shares. The parties of cited cases (Hanbit Inc. v. Narae Corp.) are none,
    nor are plain words (Special Purpose Corporation).
    """
    for pattern in (_FIRM, _INSIDE, _CALLED, _DEFINED):
        for match in pattern.finditer(text):
            start, end = match.span("name")
            end = start + len(_ENDING.sub("", match["name"]))
            if not (_is_plain(text[start:end]) or _is_cited(text, start, match.end())):
                yield Span(start, end, "국외기업", CERTAIN)


def _is_plain(name: str) -> bool:
    words = name.casefold().replace(",", " ").split()
    if is_placeholder(name) or not _LONG_ENOUGH.search(name):
        return True
    return all(word in words_of("no-firm-in-english") for word in words)


def _is_cited(text: str, start: int, end: int) -> bool:
    """Return whether the firm is a party of a cited case, a statute's, or a public body's gloss."""
    return sign("cited-case").at(text, start) or sign("goes-on-as-a-citation").at(text, end)
