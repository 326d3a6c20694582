"""Firms in Latin letters: Hanbit Gate Company Limited, 자회사인 Narae Technologies."""

from collections.abc import Iterator

from thunder.names.chunks import is_placeholder
from thunder.names.naming import CERTAIN
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy
from thunder.text.spans import Span

FORM = r"(?:<latin-form-joins>[.,]{0,2} ?<latin-limited>|<latin-form>)\.?(?![A-Za-z])"
"""A foreign legal form, as it stands after a firm's name."""

FOREIGN_FORM = expression(FORM)

_WITH_FORM = expression(rf"[ ,.]{{1,2}}{FORM}")
_NAME = lazy.compile(
    r"[A-Z](?<![A-Za-z&.'’/-].)(?<![A-Za-z][0-9].)[A-Za-z0-9&.'’/-]{0,30}"
    r"(?: (?:(?:of|and|for|de|the|[&＆]) )?(?:[A-Z]|[0-9]+[A-Z]|[a-z]{1,6}(?=[A-Z]))"
    r"[A-Za-z0-9&.'’/-]{0,30}){0,7}",
    needs="[A-Z]",
)
_LONGEST_FORM, _MOST_WORDS = 24, 7


def find(text: str) -> Iterator[Span]:
    """Yield the names of firms in Latin letters; a legal form stays outside, Holdings within.

    A legal form shows them, a noun before (통신회사인 Narae Tel), or a definition of what is given
    something or has shares. The parties of cited cases (Hanbit Inc. v. Narae Corp.) are none,
    nor are plain words (Special Purpose Corporation).
    """
    at = 0
    while name := _NAME.search(text, at):
        start, at = name.span()
        shows = list(_ends(text, start, at))
        if not shows and name[0].count(" ") >= _MOST_WORDS:  # the firm may begin at the next word
            at = text.index(" ", start)
        for last, end in shows:
            shown = text[start:last].rstrip(" ,.'’").removesuffix(" Co").rstrip(" ,")
            if not (_is_plain(shown) or _is_cited(text, start, end)):
                yield Span(start, start + len(shown), "국외기업", CERTAIN)
            at = max(at, end)


def _ends(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the firm's name ends in the words from *start* to *end*, and what shows it."""
    form = _WITH_FORM.search(text, start + 1, end + _LONGEST_FORM)
    if form and form.start() <= end:
        yield form.span()
    last = form.start() if form and form.start() <= end else end
    yield from ((one.end(), one.end()) for one in sign("holding").all(text, start, end))
    if sign("called-a-firm").at(text, start) or sign("defined-as-a-firm").at(text, end):
        yield last, end


def _is_plain(name: str) -> bool:
    words = name.casefold().replace(",", " ").split()
    if is_placeholder(name) or not sign("long-enough-in-latin").fits(name):
        return True
    return all(word in words_of("no-firm-in-english") for word in words)


def _is_cited(text: str, start: int, end: int) -> bool:
    """Return whether the firm is a party of a cited case, a statute's, or a public body's gloss."""
    return sign("cited-case").at(text, start) or sign("goes-on-as-a-citation").at(text, end)
