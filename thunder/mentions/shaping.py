"""What a tagger saw, given the shape of a mention; what names nobody goes.

Pieces of one word are made one, brackets have their other half, a citation, a cell of a table or a
particle at its end is no part of it (``trimming``), and what names nobody goes
(``generic_words``). Which of the rest are mentions, and of what the recognisers found, is said by
``weighing``; who wins among them by ``arbiter``.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from thunder.identifiers.unit import is_readable_part
from thunder.mentions.arbiter import balanced
from thunder.mentions.generic_words import is_office, is_person
from thunder.mentions.trimming import cited, mentioned, uncited
from thunder.names.chunks import HANGUL, hangul_at
from thunder.names.evidence import SURE, WITH_FORM, score
from thunder.names.kinds import is_address, is_number, is_thing, label_of
from thunder.names.person_context import role_group
from thunder.names.person_tails import tails
from thunder.names.propagation import SLOT
from thunder.names.runs import Wordings
from thunder.taxonomy.lexicon import words_of
from thunder.text import tables
from thunder.text.spans import Span

_LEAST, _LONGEST_BEFORE = 3, 12
_BORDER = re.compile("[ \t]*[|¦\u2500-\u257f][ \t]*")  # and the lines of a table or a family tree
_SEAM = re.compile(r"[가-힣A-Za-z]{2}|[0-9][가-힣A-Za-z]{2}|[가-힣A-Za-z][.&][가-힣A-Za-z]")


def shaped(text: str, named: Iterable[Span], tagged: Iterable[Span]) -> list[Span]:
    """Return *named* without weak persons that are a word for an office, and *tagged* in shape."""
    citations = cited(text)
    figures = list(tables.below(text, frozenset(words_of("column-of-figures")).__contains__))
    tagged = [
        replace(_as_written(text, span), start=start, end=end)
        for span in tagged
        if not _is_figure(text, span, figures)
        for first, last in _cells(text, span)
        for start, end in balanced(text, first, last)
    ]
    known = _known(text, named)
    parts = [_whole(text, part, known) for span in tagged for part in uncited(span, citations)]
    whole = (one for part in _joined(text, parts) for one in mentioned(text, part))
    read = (one for one in whole if not is_readable_part(text, one.start, one.end))  # 1101|호
    return [*(span for span in named if not _is_word(text, span)), *read]


def _cells(text: str, span: Span) -> Iterator[tuple[int, int]]:
    """Yield the stretch of each cell of a table in which *span* lies: no mention goes on in two.

    The number of a row is none beside a name.
    """
    edges = [span.start]
    for border in _BORDER.finditer(text, span.start, span.end):
        edges += border.span()
    cells = [*zip(edges[::2], [*edges[1::2], span.end], strict=True)]
    named = [cell for cell in cells if any(map(str.isalpha, text[slice(*cell)]))]
    yield from named or cells


def _is_figure(text: str, span: Span, figures: Sequence[tables.Cell]) -> bool:
    """Return whether *span* has no letters and stands in a column of ordinals, days or sums."""
    at = bisect_right(figures, span.start, key=lambda cell: cell.start) - 1
    is_in = at >= 0 and span.end <= figures[at].end
    return is_in and not any(map(str.isalpha, text[span.start : span.end]))


def _as_written(text: str, span: Span) -> Span:
    """Return *span*, of which a tagger said a number, as a name where it is one word of Hangul."""
    if is_number(span.label) and HANGUL.fullmatch(text, span.start, span.end):
        return replace(span, label=label_of("called"))
    return span


def _known(text: str, named: Iterable[Span]) -> Wordings[str]:
    """Return the names of things of three letters and more of which a recogniser is sure."""
    sure = (span for span in named if span.score >= score(WITH_FORM) and is_thing(span.label))
    return Wordings({text[one.start : one.end]: one.label for one in sure if len(one) >= _LEAST})


def _whole(text: str, span: Span, known: Wordings[str]) -> Span:
    """Return *span* as the name of which a tagger saw a piece: [경일]스틸, of 주식회사 경일스틸."""
    for start in range(max(0, span.start - _LONGEST_BEFORE), span.start + 1):
        for wording in known.at(text, start) if not text[start - 1 : start].isalnum() else ():
            end = start + len(wording)
            if span.end <= end and len(span) < len(wording):
                label = span.label if is_thing(span.label) else known.known[wording]
                return replace(span, start=start, end=end, label=label)
    return span


def is_cut(text: str, span: Span) -> bool:
    """Return whether a tagger's span ends within a word, before what is no particle."""
    run = hangul_at(text, span.end)
    return span.source == "tagger" and run != "" and run not in tails()


def _is_word(text: str, span: Span) -> bool:
    """Return whether a weak person's name is the word for an office or a role."""
    word = text[span.start : span.end]
    return is_person(span) and span.score < SLOT and bool(is_office(word) or role_group(word))


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
    """Return whether two spans meet within a word (2000|온누리, 제이.온), one in doubt.

    Or one of a syllable: 다|온영농. A person and the address in the next column are two.
    """
    if is_person(before) and is_address(span.label) and len(span) > 1:
        return False
    letters = 2 if text[before.end - 1].isdigit() else 1  # no 18|대
    seam = text[before.end - 1 : min(span.start + letters, span.end)]
    weak = min(before.score, span.score) < SURE or 1 in (len(before), len(span))
    return weak and _SEAM.fullmatch(seam) is not None
