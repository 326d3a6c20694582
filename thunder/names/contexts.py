"""Names that the words around them show: X의 대표이사, 에 있는 X에서, 'X'라는 식당, 강남점.

What those words are stands in ``taxonomy/patterns``; ``thunder.names.patterns`` finds it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from thunder.identifiers.formats import Recogniser
from thunder.names.chunks import is_unfamiliar
from thunder.names.kinds import is_person
from thunder.names.patterns.matching import Match, Matcher
from thunder.names.patterns.rules import load
from thunder.names.person_foreign import label_for
from thunder.names.person_lexicon import commonness
from thunder.names.runs import question
from thunder.text.spans import Span

_PERSON, _OF_HERE = "names:person", "내국인이름"
_TRADE_NAME, _CALLED = "names:trade_name:defined", "names:called:defined"
"""The sources of what is looked for everywhere, as a short form is that the judgment defines."""

_LEAST = 2
_COMMON = 2  # in one judgment of 1,250
PERSONS, BODIES = Recogniser("person-names"), Recogniser("body-names")
"""Names that have a form of their own: 윤○혁, Александр Петров; the titles of posts."""


def find(text: str) -> Iterator[Span]:
    """Yield what the shipped rules mark in folded *text*; several rules may mark the same word.

    Of those that mark the same quotation the first in their file counts.
    """
    quoted: dict[int, list[Match]] = {}
    others: list[Match] = []
    for match in matcher().find(text):
        if match.rule.quoted:
            quoted.setdefault(match.mention.start, []).append(match)
        else:
            others.append(match)
    for _, same in sorted(quoted.items()):
        first = min(same, key=lambda match: _order()[match.rule.id])
        is_everywhere = any(match.rule.everywhere for match in same)
        called = _PERSON * is_person(first.label)
        if is_everywhere and called and not _is_common(first.mention.text):
            called = _CALLED
        elif is_everywhere and _is_rare(first.mention.text):
            called = _TRADE_NAME
        yield _span(first, called)
    for match in others:
        is_sure = match.rule.everywhere and not _is_common(match.mention.text)
        source = _PERSON if is_person(match.label) else ""
        span = _span(match, _CALLED if is_sure else source)
        foreign = label_for(text, span.start, span.end) if span.label == _OF_HERE else ""
        yield replace(span, label=foreign or span.label)


def _span(match: Match, source: str) -> Span:
    return Span(match.mention.start, match.mention.end, match.label, match.rule.score, source)


def _is_rare(name: str) -> bool:
    """Return whether *name* is masked wherever it stands: no 행복, which is a word elsewhere."""
    return not _is_word(name) and (len(name) > _LEAST or is_unfamiliar(name))


def _is_word(name: str) -> bool:
    return commonness(name, tailed=False) > 0 or commonness(name, tailed=True) > 1


def _is_common(nickname: str) -> bool:
    """Return whether judgments write *nickname* so often that it may be the word elsewhere."""
    return max(commonness(nickname, tailed=tailed) for tailed in (False, True)) > _COMMON


@lru_cache(maxsize=1)
def _order() -> Mapping[str, int]:
    return {rule.id: number for number, rule in enumerate(load(None).rules)}


@lru_cache(maxsize=1)
def matcher() -> Matcher:
    """Return the shipped rules, ready to be looked for."""
    return Matcher(load(None).rules, _IN_RUNS)


_IN_RUNS = question(lambda run: matcher().hits_in(run))
