"""What was found and is refuted: by the tagger, by the words themselves or by those beside them.

Who wins among what is left is ``thunder.combining``'s. A weak name goes where the tagger is all
but certain of no mention; a doubtful tagger's plain words go, and even a sure one's case numbers
and measures, and what names nobody (``thunder.nameless``). What it saw in pieces is made whole.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from thunder.combining import SURE, Strength, balanced, strength
from thunder.gazetteer import bare_district, below_districts
from thunder.glued_dates import without_year
from thunder.nameless import is_occasion, is_office, is_person, names_nobody
from thunder.names import descriptors
from thunder.names.chunks import CLOSING, OPENING, TAIL, word_before
from thunder.names.given_names import given_likeness, is_unlikely, likeness, surnames
from thunder.names.person_context import role_group
from thunder.names.person_lexicon import commonness, word_class
from thunder.names.person_tails import tails
from thunder.number_kinds import is_below_village, of_its_shape, without_count
from thunder.rules.lookalikes import shields
from thunder.spans import Span
from thunder.taxonomy import load as load_taxonomy

if TYPE_CHECKING:
    from thunder.tagger.readings import Reading

WEAK_NAME, WEAK_PERSON = 1.0, 0.95
"""A named recogniser's span with a lower score (or a person's) may be dropped by the tagger …"""

SURELY_OUTSIDE, SURELY_NO_PERSON = 0.2, 0.05
"""… where no token of it has this mass: the probability that it belongs to a mention."""

LEAST_OF_WORDS = 0.4
"""A doubtful tagger's plain word, end of a word or short number is dropped below this score."""

SURE_OF_PERSON, SURE_OF_NOUNS = 0.8, 0.9
"""From these scores on a person that a tagger saw may have a plain word for a name, or two."""

SURE_OF_NAME = 0.7
"""Below this score a tagger's name before a noun is none if it says of what kind that is."""

_LONGEST_NAME, _LONGEST_TAIL = 3, 12
_ORDINARY = frozenset({"noun", "adverb", "verb", "particle", "clause"})
_DIVISIONS = frozenset({"행정읍", "행정면", "행정동", "행정리"})
_HANGUL = re.compile(r"[가-힣]+")
_WITHIN = re.compile(r"[가-힣]{2}")
_SEAM = re.compile(r"[가-힣A-Za-z]{2}|[0-9][가-힣A-Za-z]{2}|[가-힣A-Za-z][.&][가-힣A-Za-z]")
_SHORT_NUMBER = re.compile(r"제?[0-9][0-9.,-]{0,6}[층호]?|[명원개건대][0-9][0-9.,]{0,6}")
_ADVERBIAL = re.compile(r"[가-힣]+(?:으로|에서|에게)")
_EVERYDAY_BEFORE_PARTICLE = 4  # commonness; 하늘을 has that of 4
_RARE, _RARE_GIVEN = -6.5, -6.0  # log10 of how many are called so
_SPACED = re.compile(r"((?:[가-힣] ){2}[가-힣])[은는이가을를의과와도만]")
_POSSESSIVE = re.compile(r"[가-힣]{2}(?<![회협합결정강문주논])의\Z")

# 서 울 한 빛 지 방 법 원: a court's name as a heading, its letters apart.
_HEADING = re.compile(
    r"(?<![가-힣])(?:[가-힣][ \t]{1,8}){2,12}"
    r"(?:[법지][ \t]{1,8}원|검[ \t]{1,8}찰[ \t]{1,8}청)(?![ \t]{0,8}[가-힣])"
)
_ROLE = re.compile(
    rf"(?:(?:공?소외|피고인?|원고|피해자|참가인)(?:들|측)?(?:{TAIL.pattern})|망)(?:\s+|\Z)"
    r"|[가-힣]{2,8}(?:경찰서|검찰청|법원|구치소|교도소|소방서|세무서)\s+(?=\S)"
)

# 2019카단1234, 제18조, 갑 제3호증, 123.45㎡; not a birth date, 4.19, 10-1497715, 병원 제301호.
_CITED = re.compile(r"(?![갑을병정증][가-힣]? ?제[^증]*\Z)[^-년월]*[가-힣㎡%][^-년월]*")


def credible(
    text: str, named: Iterable[Span], tagged: Iterable[Span], reading: "Reading"
) -> list[Span]:
    """Return *named* and *tagged* without what the other side, or the word itself, refutes."""
    found = [span for span in named if not _is_refuted(text, span, reading)]
    cited = _cited(text)
    headings = [match.span() for match in _HEADING.finditer(text)]
    tagged = [
        replace(span, start=start, end=end)
        for span in tagged
        if not any(start < span.end and span.start < end for start, end in headings)
        for start, end in balanced(text, span.start, span.end)
    ]
    parts = [part for span in tagged for part in _uncited(span, cited)]
    whole = [one for part in _joined(text, parts) for one in _mentioned(text, part)]
    return found + list(_without_slips(text, whole))


def _is_refuted(text: str, span: Span, reading: "Reading") -> bool:
    word = text[span.start : span.end]
    if is_person(span) and (is_office(word) or role_group(word) or _is_plain(text, span)):
        return True
    least, mass = (
        (WEAK_PERSON, SURELY_NO_PERSON) if is_person(span) else (WEAK_NAME, SURELY_OUTSIDE)
    )
    is_weak = strength(span) is Strength.NAMED and span.score < least
    return is_weak and _most_mass(span, reading) < mass


def _is_plain(text: str, span: Span) -> bool:
    """Return whether a person weakly seen is a thing: 피해자 진술서, 위 홍보문에는."""
    word = text[span.start : span.end]
    if strength(span) is not Strength.NAMED or span.score >= SURE_OF_PERSON:
        return False
    is_thing = span.score < SURE and word_class(word) == "noun" and is_unlikely(word)
    return is_thing or is_occasion(text, span)


def _is_address(span: Span) -> bool:
    return load_taxonomy().label(span.label).treatment == "address"


def _is_place(span: Span) -> bool:
    return _is_address(span) or span.label in _DIVISIONS


def _most_mass(span: Span, reading: "Reading") -> float:
    """Return the largest mass of a token that *span* touches; 1 where it touches none."""
    first = int(reading.ends.searchsorted(span.start, "right"))
    last = int(reading.starts.searchsorted(span.end, "left"))
    return float(reading.mass[first:last].max()) if first < last else 1.0


# --- the pieces of a word -----------------------------------------------------------------------


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

    Or one of a syllable: 다|온영농.
    """
    letters = 2 if text[before.end - 1].isdigit() else 1  # no 18|대
    seam = text[before.end - 1 : min(span.start + letters, span.end)]
    weak = min(before.score, span.score) < SURE or 1 in (len(before), len(span))
    return weak and _SEAM.fullmatch(seam) is not None


def is_cut(text: str, span: Span) -> bool:
    """Return whether a tagger's span ends within a word, before what is no particle."""
    run = _HANGUL.match(text, span.end, span.end + _LONGEST_TAIL)
    return span.source == "tagger" and run is not None and run[0] not in tails()


# --- what is no part of a mention ---------------------------------------------------------------


def _cited(text: str) -> dict[int, int]:
    """Return each place in a case number, an article, sum or measure, and where it starts."""
    start_of: dict[int, int] = {}
    for start, end, surface in shields(text):
        if _CITED.fullmatch(surface):
            for at in range(start, end):
                start_of.setdefault(at, start)
    return start_of


def _uncited(span: Span, cited: Mapping[int, int]) -> Iterator[Span]:
    """Yield *span* unless it lies in a citation; without the one that it ends in."""
    end = cited.get(span.end - 1, span.end)
    if span.start < end:
        yield replace(span, end=end)


def _mentioned(text: str, span: Span) -> Iterator[Span]:
    """Yield *span* without spaces at its ends, and an address without its 시·도 and 시·군·구.

    Nor with particles at its ends, or a party's role before it. Nothing of what names nobody: a
    role word (피고인, 검사), an office (안성시장), a legal form (주식회사), a count (제18대).
    """
    part = text[span.start : span.end]
    start, end = span.end - len(part.lstrip()), span.start + len(part.rstrip())
    if _is_address(span):
        start = below_districts(text, start, end)
    elif _is_place(span) and (below := below_districts(text, start, end)) < end:
        start = below  # not all of 장안읍's 장안, which is a 구 as well
    start = _after_roles(text, _after_particle(text, start, end), end)
    if any(map(str.isalnum, text[start:end])):
        piece = without_year(text, replace(span, start=start, end=end))
        piece = without_count(text, piece) if _is_place(span) else piece
        piece = replace(piece, end=piece.end - _ends_in_particle(text, piece))
        piece = _before_its_kind(text, piece)
        piece = of_its_shape(text, _titled(text, piece))
        if not names_nobody(text, piece):
            yield piece


def _after_particle(text: str, start: int, end: int) -> int:
    """Return where a mention starts that took in the particle before it: 달무리|은 온누리."""
    first, space, rest = text[start:end].partition(" ")
    met = text[max(0, start - 1) : start + 1]
    if space and rest.strip() and first in tails() and _WITHIN.fullmatch(met):
        return end - len(rest.lstrip())
    return start


def _titled(text: str, span: Span) -> Span:
    """Return a person's *span* without 씨 (김|씨) or a particle after spaces (홍 길 동|은)."""
    spaced = _SPACED.fullmatch(text, span.start, span.end) if is_person(span) else None
    if spaced and spaced[1][:3].replace(" ", "") not in surnames():  # 제 갈 민도
        return replace(span, end=spaced.end(1))
    is_titled = is_person(span) and text[span.start : span.end - 1] in surnames()
    return replace(span, end=span.end - 1) if is_titled and text[span.end - 1] == "씨" else span


def _before_its_kind(text: str, span: Span) -> Span:
    """Return *span* without the syllable that begins the noun of what is named: 한빛|병원의.

    A whole word of that noun may stay masked (한빛투자|자문). Persons have none: 김기상|가.
    """
    run = _HANGUL.match(text, span.end, span.end + _LONGEST_TAIL)
    if run is None or is_person(span) or run[0] in tails():
        return span
    if text.startswith("대학교", span.end - 1):  # also before 병원
        return replace(span, end=span.end - 1)
    start = span.end - 1
    reading = descriptors.read(text[start : run.end()]) if span.start < start - 1 else None
    if reading is None or reading.noun_start or reading.noun_end < 2:
        return span
    inside = reading.descriptor.inside  # 한빛산|업은: its noun belongs to the name
    return replace(span, end=start + reading.noun_end if inside else start)


def _after_roles(text: str, start: int, end: int) -> int:
    """Return where a mention starts that took in the role before it: 피고 다온|영농, 피고는."""
    while match := _ROLE.match(text, start, end):
        start = match.end()
    return start


def _ends_in_particle(text: str, span: Span) -> bool:
    """Return whether a name that is no person's took in its 의: 한빛산업의 대표, no 대표자회의."""
    is_whole = not "가" <= text[span.end : span.end + 1] <= "힣"
    is_tailed = _POSSESSIVE.search(text, span.start, span.end) is not None
    return is_tailed and is_whole and not is_person(span)


# --- the slips of a doubtful tagger -------------------------------------------------------------


def _without_slips(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield *spans* without doubtful slips; a lot number after its address is none."""
    named = [span for span in spans if not _is_no_name(text, span)]
    known = {text[span.start : span.end] for span in named if span.score >= SURE}
    last: Span | None = None
    for span in named:
        if _is_known(text, span, known) or _goes_on(text, last, span) or not _is_slip(text, span):
            yield span
            last = span


def _is_known(text: str, span: Span, known: Container[str]) -> bool:
    """Return whether the tagger is sure, here or where the same uncommon word stands elsewhere."""
    word = text[span.start : span.end]
    is_name = len(word) > 1 and commonness(word, tailed=False) == 0 and bare_district(word) is None
    return span.score >= SURE or (is_name and word in known)


def _goes_on(text: str, last: Span | None, span: Span) -> bool:
    """Return whether an address goes on from *last* to *span* over a space: 나래로 12-34."""
    if last is None or text[last.end : span.start] != " ":
        return False
    has_number = any(map(str.isdigit, text[span.start : span.end]))
    return has_number and _is_address(last) and _is_address(span)


def _is_slip(text: str, span: Span) -> bool:
    """Return whether a doubtful span is rather a letter, a word's end, a number or a plain word."""
    word = text[span.start : span.end]
    if sum(map(str.isalnum, word)) < 2:
        return True
    if _ends_within(text, span):
        return True
    if _is_common_with_particle(text, span):
        return True
    if span.score >= LEAST_OF_WORDS or _is_quoted(text, span):
        return False
    met = text[max(0, span.start - 1) : span.start + 1]
    is_number = _SHORT_NUMBER.fullmatch(word) and not is_below_village(text, span)
    if _WITHIN.fullmatch(met) or is_number or _ADVERBIAL.fullmatch(word):
        return True
    may_be_given = is_person(span) and len(word.replace(" ", "")) <= _LONGEST_NAME
    is_plain = all(word_class(part) in _ORDINARY for part in word.split("/")) and not may_be_given
    return is_plain or commonness(word, tailed=False) > 1  # 지현, 하은 are nouns to Mecab


def _is_common_with_particle(text: str, span: Span) -> bool:
    """Return whether *span* is a word that judgments use before particles: 최선|의, 양팔|을."""
    run = _HANGUL.match(text, span.end)
    word = text[span.start : span.end]
    is_tailed = run is not None and run[0] in tails()
    return is_tailed and len(word) > 1 and commonness(word, tailed=True) > _EVERYDAY_BEFORE_PARTICLE


def _is_no_name(text: str, span: Span) -> bool:
    """Return whether a name not quite sure of is a kind, or a person's no more than a plain word.

    닉네임, 분사무소; not 지현 or 하늘, nouns to Mecab too, 누리솔, of two nouns, nor ‘빨간 우산’,
    which may be a nickname.
    """
    word = text[span.start : span.end]
    if not is_person(span):
        return _is_kind(text, span)
    kind = word_class(word)
    is_long = kind == "nouns" and len(word) > _LONGEST_NAME
    if span.score >= (SURE_OF_NOUNS if is_long else SURE_OF_PERSON) or _is_quoted(text, span):
        return False
    if len(word) < 2 or not (kind in _ORDINARY or is_long):
        return False
    if is_unlikely(word):
        return True
    is_rare = given_likeness(word) < _RARE_GIVEN and likeness(word) < _RARE
    may_be_given = len(word) < _LONGEST_NAME  # 하늘, 초롱
    return span.score < SURE and kind == "noun" and is_rare and not may_be_given


def _is_kind(text: str, span: Span) -> bool:
    """Return whether a name not quite sure of says what kind the thing after it is: 유령|회사."""
    apart = text[span.end : span.end + 1] == " "
    run = _HANGUL.match(text, span.end + apart)
    word = word_before(text, span.end)
    if run is None or word is None or span.score >= SURE_OF_NAME or word.start > span.start:
        return False
    reading = descriptors.read(run[0])
    if reading is None or reading.noun_start:
        return False
    is_whole = _HANGUL.fullmatch(word.text) is not None  # 1단지|아파트 may be one of several
    return is_whole and descriptors.is_kind(word.text, reading.descriptor, apart=apart)


def _ends_within(text: str, span: Span) -> bool:
    """Return whether a word goes on with no particle, nor a noun that says what is named.

    육군참모|총장, 한국철도시|설공단; not 한빛|건물, 6|번.
    """
    run = _HANGUL.match(text, span.end)
    if not (run and is_cut(text, span)) or not "가" <= text[span.end - 1] <= "힣":
        return False
    reading = descriptors.read(run[0])
    return TAIL.fullmatch(run[0]) is None and (reading is None or reading.noun_start > 0)


def _is_quoted(text: str, span: Span) -> bool:
    before, after = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
    return bool(before and after) and before in OPENING and after in CLOSING
