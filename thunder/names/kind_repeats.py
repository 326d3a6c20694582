"""What was found before a noun that says what it is, found again before it: 한빛|은행.

A bank or a station is often a word that means something else by itself (신한, 강남), so that its
name alone is not looked for; name and noun together are one thing wherever they stand.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from thunder.names import descriptors
from thunder.names.chunks import hangul_at
from thunder.names.kinds import is_name, is_person
from thunder.names.legal_forms import LEGAL_FORM
from thunder.names.patterns.signs import sign
from thunder.names.person_lexicon import word_class
from thunder.names.runs import Wordings, beginnings
from thunder.taxonomy.lexicon import words_of
from thunder.text.spans import Span

LEAST_SCORE, LEAST_APART, LEAST_OF_PLAIN = 0.3, 0.5, 0.75
"""A mention less sure than this is not looked for, nor, than the second, before a space and its
noun; the third is for words like 수혜|회사, and before a space for all nouns of many kinds."""

_LOWER = 0.95
_PLAIN = frozenset({"noun", "adverb", "verb", "mixed", "clause"})
_LONGEST, _LONGEST_RUN = 30, 14


def find(text: str, spans: Iterable[Span], *, source: str) -> Iterator[Span]:
    """Yield each place where a name of *spans* stands before the noun it has elsewhere."""
    found = _known(text, spans)
    known = Wordings({name: nouns for name, nouns in found.items() if name[0].isalnum()})
    for at in beginnings(text, known.heads):
        for name in known.at(text, at):
            end = at + len(name)
            first = _first(known.known[name], text, at, end)
            if first is not None:
                score = round(first.score * _LOWER, 3)
                yield replace(first, start=at, end=end, score=score, source=source)
                break


@lru_cache(maxsize=1)
def _in_full() -> Mapping[str, str]:
    """Return the nouns of schools by what they are shortened to: 초, 초등학교."""
    return dict(zip(words_of("school-in-short"), words_of("school-in-full"), strict=True))


def _first(nouns: Mapping[str, Span], text: str, start: int, end: int) -> Span | None:
    """Return the mention before the noun that stands at *end*, or is cut short there: 나래|초."""
    noun = kind_after(text, end)
    found = nouns.get(noun)
    is_apart = text[end : end + 1] == " "
    if found and (not is_apart or _is_name_apart(text[start:end], noun, found.score)):
        return found
    short = sign("school-in-short").match(text, end)
    return nouns.get(_in_full()[short["S"]]) if short else None


def _known(text: str, spans: Iterable[Span]) -> Mapping[str, Mapping[str, Span]]:
    """Return the surest mention of each name before each noun."""
    found: defaultdict[str, dict[str, Span]] = defaultdict(dict)
    for span in spans:
        name = text[span.start : span.end]
        if span.score < LEAST_SCORE or not is_name(span.label) or is_person(span.label):
            continue
        noun = kind_after(text, span.end)
        if noun and _may_repeat(name) and span.score >= _least(name, noun):
            best = found[name].get(noun)
            if best is None or span.score > best.score:
                found[name][noun] = span
    return found


def _may_repeat(name: str) -> bool:
    letters = sum(map(str.isalpha, name))
    return letters > 1 and len(name) <= _LONGEST and "\n" not in name


def _least(name: str, noun: str) -> float:
    """Return how sure a mention must be: more of a plain word before a noun of all kinds."""
    kind = descriptors.lexicon().nouns.get(noun)
    is_plain = (kind is None or kind.common) and word_class(name) in _PLAIN
    return LEAST_OF_PLAIN if is_plain else LEAST_SCORE


def kind_after(text: str, at: int) -> str:
    """Return the generic noun at *at*, or after a space there, or the legal form there, or ""."""
    if noun := noun_after(text, at):
        return noun
    at += text[at : at + 1] == " "
    if form := LEGAL_FORM.match(text, at):
        return form[0]
    is_village = sign("village-by-its-noun").fits(hangul_at(text, at, _LONGEST_RUN))
    return "" if is_village else noun_after(text, at)


def _is_name_apart(word: str, noun: str, score: float) -> bool:
    """Return whether a *word* seen with *score* is a name before a space and its *noun*, too."""
    kind = descriptors.lexicon().nouns.get(noun)
    if kind is None:  # a legal form
        return True
    least = LEAST_OF_PLAIN if kind.common else LEAST_APART
    return score >= least and descriptors.is_name(word, kind, apart=True)


def noun_after(text: str, at: int) -> str:
    """Return the generic noun that begins at *at* and ends its word but for particles, or ""."""
    run = hangul_at(text, at, _LONGEST_RUN)
    if sign("village-by-its-noun").fits(run):
        return run[0]
    reading = descriptors.read(run) if run else None
    return run[: reading.noun_end] if reading and reading.noun_start == 0 else ""
