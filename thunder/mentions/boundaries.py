"""Where a mention begins and ends, by the same name where it stands free.

In tables and texts without spaces the end of a word before a name, or a particle behind it, is
taken for a part of it (피고|는한빛건설과, 원고 홍길동이|사), or a name is cut in two; each such
form would get a letter of its own. Elsewhere in the judgment the name stands between spaces, and
says what it is. Two things that meet within a word are one.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from thunder.names import descriptors
from thunder.names.chunks import (
    CLOSING,
    OPENING,
    hangul_before,
)
from thunder.names.kind_repeats import kind_after, noun_after
from thunder.names.kinds import is_name, is_person, is_thing, label_of
from thunder.names.person_foreign import whole
from thunder.names.person_lexicon import commonness, word_class
from thunder.names.person_tails import tails
from thunder.names.propagation import ends_freely
from thunder.names.runs import Wordings
from thunder.taxonomy.lexicon import words_of
from thunder.text.spans import Span

LEAST_SCORE = 0.3
"""A mention less sure than this anchors no other."""

_SHORTEST, _SHORTEST_PERSON, _LONGEST = 4, 3, 30
_NAME = re.compile(r"[가-힣A-Za-z][가-힣A-Za-z0-9&]*")
_QUOTATION = re.compile(rf"[{OPENING}]([^{OPENING}{CLOSING}\n]{{4,40}})[{CLOSING}]")
_AROUND, _COMMON = 12, 6
_PLAIN = frozenset({"noun", "adverb", "verb", "clause", "particle"})


def anchored(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return disjoint, sorted *spans*, those that miss a known name's edges moved to them."""
    found = whole(text, list(_whole_quotations(text, list(spans))))
    free = Counter(text[one.start : one.end] for one in found if _stands_free(text, one))
    names = Wordings(free)  # with how often each stands so
    moved: list[Span] = []
    for at, span in enumerate(found):
        last = moved[-1].end if moved else 0
        if span.end <= last:
            continue  # the rest of a name cut in two, which is whole now
        span = replace(span, start=max(span.start, last))
        stop = _farthest(found[at + 1]) if at + 1 < len(found) else len(text)
        span = _moved(text, span, names, last, stop)
        if moved and _meet_within_a_word(text, moved[-1], span):
            surer = max(moved[-1], span, key=lambda one: one.score)
            moved[-1] = replace(surer, start=moved[-1].start, end=span.end)
        else:
            moved.append(span)
    return moved


def _whole_quotations(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield *spans*, a piece of a quotation made whole where all of its words are one elsewhere.

    ‘한빛|나래 동맹’, where ‘한빛나래 동맹’ is a mention.
    """
    wholes = {text[one.start : one.end] for one in spans if is_thing(one.label)}
    quotations = [one.span(1) for one in _QUOTATION.finditer(text) if one[1] in wholes]
    last = 0
    for span in spans:
        at = bisect_right(quotations, (span.start, len(text))) - 1
        start, end = quotations[at] if at >= 0 else (0, 0)
        is_before_noun = span.end < end and kind_after(text, span.end) != ""  # ‘나래|은행’
        if span.end <= end and is_thing(span.label) and not is_before_noun:
            span = replace(span, start=start, end=end)
        if span.end > last:
            yield replace(span, start=max(span.start, last))
            last = span.end


def _farthest(following: Span) -> int:
    """Return how far a mention before *following* may grow: over a thing's name, a piece of it."""
    is_thing = is_name(following.label) and not is_person(following.label)
    return following.end if is_thing else following.start


def _meet_within_a_word(text: str, before: Span, span: Span) -> bool:
    """Return whether two things meet within a word: 한빛|농원."""
    seam = text[before.end - 1 : span.start + 1]
    are_things = all(is_name(one.label) and not is_person(one.label) for one in (before, span))
    return before.end == span.start and are_things and seam.isalpha()


def _stands_free(text: str, span: Span) -> bool:
    if span.score < LEAST_SCORE or not is_name(span.label):
        return False
    shortest = _SHORTEST_PERSON if is_person(span.label) else _SHORTEST
    is_fit = shortest <= len(span) <= _LONGEST and _NAME.fullmatch(text, span.start, span.end)
    begins = not text[max(0, span.start - 1) : span.start].isalnum()
    is_village = text[span.end - 1] in words_of("division-suffix") and not is_person(span.label)
    if not is_fit or not begins or is_village:
        return False
    is_before_noun = (
        not is_person(span.label) and noun_after(text, span.end) != ""
    )  # 한빛누리|은행에서
    return is_before_noun or ends_freely(text, span.end)


def _moved(text: str, span: Span, names: Wordings[int], first: int, stop: int) -> Span:
    """Return *span* with the edges of the known name that it holds or cuts, if it is one."""
    if not is_name(span.label):
        return span
    often = names.known.get(text[span.start : span.end], 0)
    least, most = max(first, span.start - _AROUND), min(stop, span.end + _AROUND)
    known = ((at, name) for at in range(least, most - 1) for name in names.at(text, at, most))
    for start, name in known:
        end = start + len(name)
        is_elsewhere = end <= span.start or span.end <= start
        if is_elsewhere or names.known[name] <= often:
            continue
        if start < span.start or span.end < end:
            is_whole = _is_apart(text, start, start) and ends_freely(text, end)
            if often or not is_whole or descriptors.is_noun(text[span.end : end]):
                continue
        begins = start if start <= span.start or _is_apart(text, span.start, start) else span.start
        is_own = often > 0 and is_person(span.label) and span.label != label_of("of-here")
        goes = end >= span.end or (not is_own and text[end : span.end] in tails())
        closes = end if goes else span.end  # 마리아나 is another than 마리아
        return replace(span, start=begins, end=closes)
    return span


def _is_apart(text: str, start: int, name: int) -> bool:
    """Return whether what stands before a *name* is a word by itself: 지위가|한빛건설.

    From *start* on it was taken for a part of it, and goes: so it has to be one word.
    Before a space all are but the most common ones: 결국 한빛건설.
    """
    before = hangul_before(text, name, _AROUND)
    if before:
        return name - len(before) < start
    held = text[start:name].strip()
    is_common = word_class(held) in _PLAIN and commonness(held, tailed=False) >= _COMMON
    return not held or held in descriptors.lexicon().apart or is_common
