"""What is no part of a mention that a tagger saw: a citation at its end, a particle, a role …"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from thunder.identifiers.lookalikes import shields
from thunder.mentions.generic_words import is_person, names_nobody
from thunder.names import descriptors
from thunder.names.chunks import TAIL, hangul_at, hangul_before
from thunder.names.evidence import SURE
from thunder.names.given_names import is_unlikely, surname_of, surnames
from thunder.names.kinds import is_address, is_thing, label_of, labels_of
from thunder.names.lost_spaces import name_start
from thunder.names.patterns.edges import trimmed
from thunder.names.person_tails import tails
from thunder.taxonomy.gazetteer import below_districts, district
from thunder.taxonomy.lexicon import expression
from thunder.taxonomy.own import working
from thunder.text.spans import Span

_SHORTEST, _LONGEST_RUN = 2, 24
_WITHIN = re.compile(r"[가-힣]{2}")
_AFTER_ROLE = r"<party> ?\Z"
_SYLLABLES_GIVEN, _LEAST_BESIDE_COLUMN = 2, 0.3

# 2019카단1234, 제18조, 갑 제3호증, 123.45㎡; not a birth date, 4.19, 10-1497715, 병원 제301호.
_CITED = re.compile(r"(?![갑을병정증][가-힣]? ?제[^증]*\Z)[^-년월]*[가-힣㎡%][^-년월]*")
_NO_EDGE = " \t\r\n\x0b\x0c\xa0\u3000·ㆍ․・"  # what no mention begins or ends with
_APART = ("", " ", "\n", "(", "/", ",")
_LOT = re.compile(r"[0-9]{1,4}-[0-9]{1,4}")
_MEASURED = re.compile(r"[0-9][0-9.,]* ?[A-Za-z]{1,3}2?")  # 21MW; not the end of a user id


def cited(text: str) -> dict[int, int]:
    """Return each place in a case number, an article, sum or measure, and where it starts."""
    start_of: dict[int, int] = {}
    for start, end, surface in shields(text):
        is_measured = _MEASURED.fullmatch(surface) and text[max(0, start - 1) : start] in _APART
        if is_measured or _CITED.fullmatch(surface):
            for at in range(start, end):
                start_of.setdefault(at, start)
    return start_of


def uncited(span: Span, cited: Mapping[int, int]) -> Iterator[Span]:
    """Yield *span* unless it lies in a citation; without the one that it ends in."""
    end = cited.get(span.end - 1, span.end)
    if span.start < end:
        yield replace(span, end=end)


def mentioned(text: str, span: Span) -> Iterator[Span]:
    """Yield *span* without a table's cells and spaces at its ends, an address below its 시·군·구.

    Nor with particles at its ends, or a party's role before it. Nothing of what names nobody: a
    role word (피고인, 검사), an office (안성시장), a legal form (주식회사), a count (제18대).
    """
    name = without_sum(text, span)
    if name and is_address(name.label):
        name = trimmed(text, name)
    if name:
        yield from _shaped(text, name)


def without_sum(text: str, span: Span) -> Span | None:
    """Return a name without the end of the sum before it, nor the role between: 3,|000소외 한빛.

    None where no name is left: 0.|55점.
    """
    left = trimmed(text, span, whoever=True)
    if left is None or left == span:
        return left
    return left if sum(map(str.isalnum, text[left.start : left.end])) > 1 else None


def _shaped(text: str, span: Span) -> Iterator[Span]:
    part = text[span.start : span.end]
    start, end = span.end - len(part.lstrip(_NO_EDGE)), span.start + len(part.rstrip(_NO_EDGE))
    if start >= end:
        return
    if is_address(span.label):
        start = below_districts(text, start, end)
    elif is_place(span):
        below = below_districts(text, start, end)
        if below < end or district(text[start:end]) is not None:
            start = below  # not all of 장안읍's 장안, which is a 구 as well
    start = _after_particle(text, start, end, is_person(span))
    piece = trimmed(text, replace(span, start=start, end=end)) if start < end else None
    if piece and is_thing(span.label):
        piece = replace(piece, start=name_start(text, piece.start, piece.end))
    if piece and any(map(str.isalnum, text[piece.start : piece.end])):
        piece = _before_its_kind(text, _before_its_noun(text, piece))
        piece = _of_its_shape(text, _before_next_column(text, piece))
        if not names_nobody(text, piece):
            yield piece


def _of_its_shape(text: str, span: Span) -> Span:
    """Return *span* as a lot number if it looks like one: 732-147 is no car's number."""
    is_number = working().label(span.label).treatment == "omission"
    is_lot = is_number and _LOT.fullmatch(text, span.start, span.end) is not None
    return replace(span, label=label_of("lot")) if is_lot else span


def _after_particle(text: str, start: int, end: int, of_person: bool) -> int:
    """Return where a mention starts that took in the particle before it: 달무리|은 온누리."""
    first, space, rest = text[start:end].partition(" ")
    met = text[max(0, start - 1) : start + 1]
    is_surname = of_person and first in surnames()  # 원고|이 은혜
    if space and rest.strip() and first in tails() and _WITHIN.fullmatch(met) and not is_surname:
        return end - len(rest.lstrip())
    return start


def _before_its_noun(text: str, span: Span) -> Span:
    """Return a thing's *span* without the noun that it ends in, or within: 한빛|대학원에서.

    Of words before a space all stay that is left: 나루 한빛|시외버스(터미널).
    """
    last = hangul_before(text, span.end, min(_LONGEST_RUN, len(span)))
    if not last or not is_thing(span.label):
        return span
    at = descriptors.outside_noun(last + hangul_at(text, span.end))
    end = span.end if at is None else span.end - len(last) + at
    name = text[span.start : end].rstrip()
    is_left = end < span.end and len(name) >= _SHORTEST
    return replace(span, end=span.start + len(name)) if is_left else span


def _before_next_column(text: str, span: Span) -> Span:
    """Return a person's *span* without the next word, in a table without spaces: 원고 김도윤|장해.

    Right after a role the name has a surname and two syllables, and what follows is no particle.
    """
    run = hangul_at(text, span.start)
    after_role = expression(_AFTER_ROLE).search(text, max(0, span.start - 12), span.start)
    if not is_person(span) or not after_role or span.score < _LEAST_BESIDE_COLUMN:
        return span
    length = len(surname_of(run)) + _SYLLABLES_GIVEN
    end = span.start + length
    name = run[:length]
    if not end < span.end < span.start + len(run) or is_unlikely(name):
        return span  # a whole word, or no name in it
    rest, behind = run[length:], hangul_at(text, span.end)
    if span.score >= SURE and TAIL.fullmatch(behind):
        return span
    end = span.end if len(rest) - len(behind) == 1 and _is_particles(behind) else end
    return replace(span, end=end, score=max(span.score, SURE))


def _is_particles(word: str) -> bool:
    """Return whether *word* is a particle, or a syllable of one and a particle: 나의."""
    kinds = [tails().get(part) for part in (word[:1], word[1:])]
    return tails().get(word) == "particle" or kinds == ["particle", "particle"]


def _before_its_kind(text: str, span: Span) -> Span:
    """Return *span* without the syllable that begins the noun of what is named: 한빛|병원의.

    A whole word of that noun may stay masked (한빛투자|자문). Persons have none: 김기상|가.
    """
    run = hangul_at(text, span.end)
    if not run or is_person(span) or run in tails():
        return span
    start = span.end - 1
    reading = descriptors.read(text[start : span.end] + run) if span.start < start - 1 else None
    if reading is None or reading.noun_start or reading.noun_end < 2:
        return span
    inside = reading.descriptor.inside  # 한빛산|업은: its noun belongs to the name
    return replace(span, end=start + reading.noun_end if inside else start)


def is_place(span: Span) -> bool:
    return is_address(span.label) or span.label in labels_of("division-below")
