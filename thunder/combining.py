"""Who wins where the recognisers and the tagger disagree: the one place that says so.

From the strongest to the weakest, by who found a span (``Span.source``) and how surely:

    structured identifier   rule:…                         a form that is checked, digit by digit
    sure tagger             tagger, score >= SURE          it read the sentence round it
    named recogniser        names:…                        a cue in the words beside it
    doubtful tagger         tagger, score < SURE           masked so as to miss nothing
    repeat                  names:repeat, tagger:repeat    the same letters as a mention elsewhere

Of two of one strength the surer wins, then the longer, then the earlier. The winner gives the
label. What a loser covers beside the winner stays masked: it is joined to the winner where both
are of one word, or of one kind (a code of the taxonomy) with nothing but spaces between, else it
is a span of its own. Where a loser of the winner's kind saw all of it too, the two agree: the
surer one's score counts. Before that, what the other side refutes is dropped: a weak name where
the tagger is all but certain of no mention, a doubtful tagger's plain words (``credible``).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING

from thunder.gazetteer import bare_district, district
from thunder.names.chunks import CLOSING, OPENING
from thunder.names.person_context import role_group
from thunder.names.person_lexicon import commonness, word_class
from thunder.names.person_tails import tails
from thunder.spans import Span
from thunder.taxonomy import Taxonomy
from thunder.taxonomy import load as load_taxonomy

if TYPE_CHECKING:
    from thunder.tagger.readings import Reading

SURE = 0.5
"""From this score on the tagger beats a named recogniser."""

WEAK_NAME, WEAK_PERSON = 0.96, 0.75
"""A named recogniser's span with a lower score (or a person's) may be dropped by the tagger …"""

SURELY_OUTSIDE = 0.005
"""… where no token of it has this mass: the probability that it belongs to a mention."""

LEAST_OF_WORDS = 0.4
"""A doubtful tagger's plain word, end of a word or short number is dropped below this score."""

_PERSONS = "D.1.1"
_LONGEST_NAME = 3
_ORDINARY = frozenset({"noun", "adverb", "verb", "particle", "clause"})
_WORD = re.compile(r"\S+")
_WITHIN = re.compile(r"[가-힣]{2}")
_SHORT_NUMBER = re.compile(r"[0-9][0-9.,-]{0,6}")
_EDGES = " \t\r\n\f\v.,;:·/()[]{}<>'\"‘’“”「」『』"


class Strength(IntEnum):
    """How strong a span's finder is: the table above, from the weakest."""

    REPEAT = 0
    DOUBTFUL_TAGGER = 1
    NAMED = 2
    SURE_TAGGER = 3
    STRUCTURED = 4


def strength(span: Span) -> Strength:
    """Return how strong the finder of *span* is."""
    family, _, finder = span.source.partition(":")
    if finder == "repeat":
        return Strength.REPEAT
    if family == "tagger":
        return Strength.SURE_TAGGER if span.score >= SURE else Strength.DOUBTFUL_TAGGER
    return Strength.STRUCTURED if family == "rule" else Strength.NAMED


def precedence(span: Span) -> tuple[Strength, float, int, int, str, str]:
    """Return the rank by which one of two overlapping spans wins; equals are the same span."""
    return strength(span), span.score, len(span), -span.start, span.label, span.source


def combined(text: str, spans: Iterable[Span], *, taxonomy: Taxonomy) -> list[Span]:
    """Return *spans* made disjoint and sorted; what a loser covers beside the winners stays.

    Time is that of sorting, whatever overlaps.
    """
    layer = _Layer(text, taxonomy)
    for span in sorted(spans, key=precedence, reverse=True):
        layer.take(span)
    return layer.spans


def credible(
    text: str, named: Iterable[Span], tagged: Iterable[Span], reading: "Reading"
) -> list[Span]:
    """Return *named* and *tagged* without what the other side, or the word itself, refutes."""
    found = [span for span in named if not _is_refuted(span, reading)]
    whole = (part for span in _joined(text, tagged) for part in _mentioned(text, span))
    return found + [span for span in whole if span.score >= SURE or not _is_slip(text, span)]


def _is_refuted(span: Span, reading: "Reading") -> bool:
    least = WEAK_PERSON if _is_person(span) else WEAK_NAME
    is_weak = strength(span) is Strength.NAMED and span.score < least
    return is_weak and _most_mass(span, reading) < SURELY_OUTSIDE


def _is_person(span: Span) -> bool:
    return load_taxonomy().label(span.label).code == _PERSONS


def _joined(text: str, tagged: Iterable[Span]) -> Iterator[Span]:
    """Yield *tagged* with the doubtful pieces of one word made one, without a doubtful particle."""
    held: Span | None = None
    for span in sorted(tagged):
        follows = held is not None and held.end == span.start and span.score < SURE
        if follows and text[span.start : span.end] in tails():
            continue
        if held is not None and _is_one_word(text, held, span):
            best = max(held, span, key=lambda one: one.score)
            held = replace(best, start=held.start, end=span.end)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _is_one_word(text: str, before: Span, span: Span) -> bool:
    """Return whether two spans touch within a word, one of them in doubt."""
    met = text[span.start - 1 : span.start + 1]
    is_doubtful = min(before.score, span.score) < SURE
    return before.end == span.start and is_doubtful and _WITHIN.fullmatch(met) is not None


def _mentioned(text: str, span: Span) -> Iterator[Span]:
    """Yield *span* without spaces at its ends, and an address without its 시·도 and 시·군·구.

    Nothing of a role word (피고인, 검사): it names nobody, and the policy reads it.
    """
    part = text[span.start : span.end]
    start, end = span.end - len(part.lstrip()), span.start + len(part.rstrip())
    if load_taxonomy().label(span.label).treatment == "address":
        for place in _WORD.finditer(text, start, end):
            if district(place[0]) is None and bare_district(place[0]) is None:
                break
            start = place.end()
        start = end - len(text[start:end].lstrip(_EDGES))
    word = text[start:end]
    if any(map(str.isalnum, word)) and not role_group(word):
        yield replace(span, start=start, end=end)


def _is_slip(text: str, span: Span) -> bool:
    """Return whether a doubtful span is rather a letter, a word's end, a number or a plain word."""
    word = text[span.start : span.end]
    if sum(map(str.isalnum, word)) < 2:
        return True
    if span.score >= LEAST_OF_WORDS or _is_quoted(text, span):
        return False
    met = text[max(0, span.start - 1) : span.start + 1]
    if _WITHIN.fullmatch(met) or _SHORT_NUMBER.fullmatch(word):
        return True
    may_be_given = _is_person(span) and len(word.replace(" ", "")) <= _LONGEST_NAME
    is_plain = word_class(word) in _ORDINARY and not may_be_given  # 지현, 하은 are nouns to Mecab
    return is_plain or commonness(word, tailed=False) > 1


def _is_quoted(text: str, span: Span) -> bool:
    before, after = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
    return bool(before and after) and before in OPENING and after in CLOSING


def _most_mass(span: Span, reading: "Reading") -> float:
    """Return the largest mass of a token that *span* touches; 1 where it touches none."""
    first = int(reading.ends.searchsorted(span.start, "right"))
    last = int(reading.starts.searchsorted(span.end, "left"))
    return float(reading.mass[first:last].max()) if first < last else 1.0


class _Layer:
    """Disjoint spans in order of the text, taken from the strongest to the weakest."""

    def __init__(self, text: str, taxonomy: Taxonomy) -> None:
        self.spans: list[Span] = []
        self._text, self._taxonomy = text, taxonomy

    def take(self, span: Span) -> None:
        """Put *span* in, or what stronger ones leave of it."""
        gaps = self._gaps(span)
        if gaps == [(span.start, span.end)]:
            self._insert(span)
            return
        self._support(span)
        for start, end in gaps:
            follows = start > span.start  # a stronger span ends right before
            first, last = self._trimmed(start, end)
            part = self._text[first:last]
            if any(map(str.isalnum, part)) and not (follows and part in tails()):
                self._take_rest(replace(span, start=first, end=last))

    def _support(self, span: Span) -> None:
        """Give the stronger span that *span* agrees with the surer one's score."""
        first, last = self._touched(span)
        one = self.spans[first]
        if last - first == 1 and span.covers(one) and self._are_alike(one, span):
            self.spans[first] = replace(one, score=max(one.score, span.score))

    def _gaps(self, span: Span) -> list[tuple[int, int]]:
        """Return the parts of *span* that no span covers yet."""
        first, last = self._touched(span)
        edges = [span.start]
        for one in self.spans[first:last]:
            edges += (one.start, one.end)
        pairs = zip(edges[::2], [*edges[1::2], span.end], strict=True)
        return [(start, end) for start, end in pairs if start < end]

    def _touched(self, span: Span) -> tuple[int, int]:
        """Return from and to which index the spans share a character with *span*."""
        first = bisect_right(self.spans, span.start, key=lambda one: one.end)
        return first, bisect_left(self.spans, span.end, key=lambda one: one.start)

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch without spaces and marks at its ends; empty if nothing is left."""
        part = self._text[start:end]
        first = end - len(part.lstrip(_EDGES))
        return first, max(first, start + len(part.rstrip(_EDGES)))

    def _take_rest(self, rest: Span) -> None:
        """Join the rest of a loser to the span beside it, or let it stand by itself."""
        after = bisect_left(self.spans, rest.start, key=lambda one: one.start)
        for at in (after - 1, after):
            if 0 <= at < len(self.spans) and self._is_one(self.spans[at], rest):
                one = self.spans[at]
                start, end = min(one.start, rest.start), max(one.end, rest.end)
                self.spans[at] = replace(one, start=start, end=end)
                return
        self._insert(rest)

    def _is_one(self, one: Span, rest: Span) -> bool:
        """Return whether the two are one mention: of one word, or of one kind side by side."""
        seam, stop = min(one.end, rest.end), max(one.start, rest.start)
        if seam == stop and strength(one) is not Strength.STRUCTURED:
            met = self._text[seam - 1 : seam + 1]
            if met.isalpha():
                return True
        return self._are_alike(one, rest) and not self._text[seam:stop].strip(" \t")

    def _are_alike(self, one: Span, other: Span) -> bool:
        return self._taxonomy.label(one.label).code == self._taxonomy.label(other.label).code

    def _insert(self, span: Span) -> None:
        at = bisect_left(self.spans, span.start, key=lambda one: one.start)
        self.spans.insert(at, span)
