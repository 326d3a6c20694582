"""What a court has written where something stood: A, AB, 김○○, OOO, 원고 1, (주소 1 생략).

A stretch is a mark by its own form and by what stands right beside it, never because of the text
that it stands in: a judgment that is masked in part is read like any other. Our own results are
such texts, too, and a second pass over one leaves its letters as they are.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from thunder.identifiers.unit import FLOOR
from thunder.names import latin_firms
from thunder.names.chunks import HANGUL, TAIL, is_placeholder, is_unfamiliar
from thunder.names.descriptors import is_noun, lexicon, read
from thunder.names.evidence import QUITE_SURE, SURE
from thunder.names.kinds import is_address, is_person, is_thing
from thunder.names.legal_forms import LEGAL_FORM
from thunder.names.patterns.signs import sign
from thunder.names.person_context import role_group
from thunder.names.person_tails import tails
from thunder.taxonomy.gazetteer import district
from thunder.taxonomy.grammar import SHAPES
from thunder.taxonomy.lexicon import words_of
from thunder.taxonomy.own import ruling, working
from thunder.text import lazy
from thunder.text.letters import given_out
from thunder.text.spans import Span

Stretch = tuple[int, int]

SIGNS = SHAPES
"""What stands for a syllable of a name each."""

# In [B]동 1411호 a letter is the building's own: a court would have masked the number, too.
_UNIT = r"(?:제 ?)?[0-9]{1,4}(?:-[0-9]{1,2})?"
_UNIT_AFTER = rf"동 ?,? ?(?:{FLOOR} ?,? ?)?{_UNIT}(?:(?:, ?|·|~|,? ?및 | ?내지 ?){_UNIT}){{0,20}}호"
_OWN_LETTER = lazy.compile(rf"[A-Z](?<![A-Za-z0-9].)(?={_UNIT_AFTER})")
_LETTER = lazy.compile(
    r"(?P<letter>[A-Z](?<![A-Za-z0-9].)(?<![A-Za-z0-9][&.@_+-].)"
    r"(?:(?=(?:PC|DVD)방)|[A-Z]{0,2}(?![A-Za-z])))"
    rf"(?![&.@_+-][A-Za-z0-9]|{_UNIT_AFTER}|[0-9](?![0-9]?(?:차|단지|호점)))"
)
_SIGNS = lazy.compile(
    rf"[{SIGNS}]{{2,14}}|(?<=[가-힣])[{SIGNS}]|(?<![A-Za-z0-9])(?:O{{2,8}}|X{{2,8}}|ㅇ{{2,8}})(?![A-Za-z0-9])",
    needs=f"[{SIGNS}OXㅇ]",
)
_LEFT_OUT = lazy.compile("생략")
_WORD = lazy.compile(r"[^\W_]+")
_LONGEST_KIND = 12
_NO_DIGITS = dict.fromkeys(map(ord, "0123456789"))
_NEAR = 60
"""Characters: so far from a mark a tagger's doubt counts for nothing."""


@lru_cache(maxsize=2)
def marks(text: str) -> Sequence[Stretch]:
    """Return where the marks of folded *text* stand: disjoint, sorted.

    A letter is one where the series of a court's letters comes to it: no K of K은행, no KT; and no
    building's own, wherever the building is named: B동 1411호, 위 B동 옥상.
    """
    buildings = {f"{match[0]}동" for match in _OWN_LETTER.finditer(text)}
    letters = {
        match.span("letter"): match["letter"]
        for match in _LETTER.finditer(text)
        if text[match.start() : match.end() + 1] not in buildings
    }
    known = given_out(list(letters.values()))
    found = [place for place, letter in letters.items() if letter in known]
    found += [match.span() for match in _SIGNS.finditer(text)]
    found += [match.span() for match in sign("party-by-number").all(text)]
    chosen: list[Stretch] = []
    for start, end in sorted([*found, *omissions(text)]):
        if not chosen or chosen[-1][1] <= start:
            chosen.append((start, end))
    return chosen


def omissions(text: str) -> Iterator[Stretch]:
    """Yield what says that something is left out, and of what kind: 주소 1 생략; no 홍길동 생략."""
    for said in _LEFT_OUT.finditer(text):
        what = sign("what-is-left-out").match(text, said.start())
        if what and what["W"] in _kinds():
            yield what.start(), said.end()


@lru_cache(maxsize=1)
def _kinds() -> frozenset[str]:
    """Return the words for what courts leave out."""
    ours = {
        word for label in (*working(), *ruling()) for word in (label.ko, label.omission) if word
    }
    return frozenset({*ours, *words_of("left-out")})


def without_omissions(text: str) -> str:
    """Return *text* with stars for its omissions: their words say nothing of what stands beside.

    The 계좌번호 of (계좌번호 1 생략) is no cue that was in the judgment.
    """
    pieces: list[str] = []
    done = 0
    for start, end in omissions(text):
        pieces += (text[done:start], "*" * (end - start))
        done = end
    return "".join((*pieces, text[done:]))


def unmarked(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield *spans* without the marks in them, and without words that name nothing beside one.

    은행 of C은행, 에게 of D에게. A structured identifier is one whatever it holds: only a mark
    alone is none, or with the 로 of its road. A letter that is joined to a name is a part of it
    (한빛A클래스).
    """
    stretches = marks(text)
    for span in spans:
        is_rule = span.source.startswith("rule:")
        start, end = (span.start, span.end) if is_rule else _with_beside(text, span)
        first = bisect_left(stretches, start, key=lambda one: one[1])
        last = bisect_right(stretches, end, key=lambda one: one[0])
        met = [one for one in stretches[first:last] if not _is_initial(text, span, one)]
        if is_rule:
            if not (met and _is_but_marks(text, span, met)):
                yield span
        elif met:
            yield from _rest(text, span, met)
        else:
            yield span


def _is_initial(text: str, span: Span, mark: Stretch) -> bool:
    """Return whether a letter stands between two parts of a name: 마리셀 D. 빌라누에바."""
    start, end = mark[0] - 1, mark[1] + 2
    is_within = span.start < start and end < span.end
    return is_within and sign("between-foreign-parts").fits(text[start:end])


def _is_but_marks(text: str, span: Span, met: Sequence[Stretch]) -> bool:
    """Return whether an identifier is a mark, or an address but one and a syllable: C로, D길."""
    left = len(span) - sum(min(end, span.end) - max(start, span.start) for start, end in met)
    word = text[span.start : span.end]
    return left == 0 or (left == 1 and is_address(span.label) and word[-1:].isalpha())


def _with_beside(text: str, span: Span) -> Stretch:
    """Return the stretch of *span*, with a space or bracket at its ends if a tagger found it."""
    if not span.source.startswith("tagger"):
        return span.start, span.end
    return (
        span.start - (text[span.start - 1 : span.start] in (" ", "(", "·", "ㆍ")),
        span.end + (text[span.end : span.end + 1] in (" ", "·", "ㆍ")),
    )


def without_doubts(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield *spans* of a tagger without what it doubts near a mark.

    It learnt from judgments with names, and letters in their place make it see others: in an own
    result it would mask what it had left. A person is shown the place (``thunder.masking.doubts``).
    Persons' names stay, and the rest of a word of which it is sure in part.
    """
    everything, stretches = list(spans), marks(text)
    sure = [span for span in everything if span.score >= SURE]
    edges = {edge for span in sure for edge in (span.start, span.end)}
    for span in everything:
        goes_on = span.start in edges or span.end in edges
        if goes_on or is_person(span.label) or not _is_near(text, span, stretches):
            yield span


def _is_near(text: str, span: Span, stretches: Sequence[Stretch]) -> bool:
    """Return whether one of *stretches* stands on the line of *span*, a few words from it."""
    start = text.rfind("\n", max(0, span.start - _NEAR), span.start) + 1
    end = text.find("\n", span.end, span.end + _NEAR)
    start = max(start, span.start - _NEAR)
    end = end if end >= 0 else span.end + _NEAR
    at = bisect_left(stretches, start, key=lambda one: one[0])
    return at < len(stretches) and stretches[at][1] <= end


def _rest(text: str, span: Span, met: Sequence[Stretch]) -> Iterator[Span]:
    """Yield what *span* holds beside the marks *met* that names something."""
    inside = [one for one in met if one[0] < span.end and span.start < one[1]]
    edges = [span.start, *(edge for one in inside for edge in one), span.end]
    gaps = [
        [word for word in _WORD.finditer(text, start, end) if not _is_nothing(text, word, span)]
        for start, end in zip(edges[::2], edges[1::2], strict=True)
        if start < end
    ]
    ends = {edge for one in inside for edge in one}
    naming = [word for words in gaps for word in words]
    is_joined = any(word.start() in ends or word.end() in ends for word in naming)
    if naming and (not inside or is_joined):
        yield span
        return
    for words in gaps:
        if words:
            yield replace(span, start=words[0].start(), end=words[-1].end())


def _is_nothing(text: str, word: re.Match[str], span: Span) -> bool:
    """Return whether *word* of *span* names nothing, or begins what does: B요양|병원, I이므|로."""
    whole = HANGUL.match(text, word.start(), word.end() + _LONGEST_KIND)
    run = whole[0] if whole is not None and whole.end() > span.end else ""
    is_kind = is_noun(run) or (run and (TAIL.fullmatch(run) or LEGAL_FORM.match(run)))
    return bool(is_kind) or _names_nothing(word[0], span)


def _names_nothing(word: str, span: Span) -> bool:
    """Return whether *word* beside a mark is a kind, a particle, a role, a count, or a district.

    Of what a tagger is not quite sure of every plain noun is one (A 노상), but for a person's name
    that it does not doubt. Persons and numbers may look like the latter.
    """
    if (
        is_noun(word)
        or word in tails()
        or word in lexicon().apart
        or TAIL.fullmatch(word)
        or LEGAL_FORM.fullmatch(word)
        or latin_firms.FOREIGN_FORM.fullmatch(word)
        or role_group(word)
        or sign("part-of-a-unit").fits(word)
    ):
        return True
    least = QUITE_SURE if span.label and not is_person(span.label) else SURE
    is_doubtful = span.source.startswith("tagger") and span.score < least
    if is_doubtful and read(word) is None and not is_unfamiliar(word.translate(_NO_DIGITS)):
        return True
    is_short = len(word) < 2 or is_placeholder(word) or district(word) is not None
    is_unlabelled = not span.label  # what a tagger nearly saw (``thunder.masking.doubts``)
    return is_short and (is_unlabelled or is_thing(span.label))
