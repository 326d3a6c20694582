"""Words that name nobody, however sure a tagger is: roles, offices, legal forms, counts, nouns."""

import re
from collections.abc import Sequence
from functools import lru_cache

from thunder.mentions.figures import are_figures
from thunder.mentions.official_numbers import is_official
from thunder.names import kinds
from thunder.names.chunks import CLOSING, OPENING
from thunder.names.defined import is_beside_form, plain_terms, stands_beside_form
from thunder.names.descriptors import is_institution
from thunder.names.legal_forms import FORM
from thunder.names.patterns.lookalikes import lookalike
from thunder.names.person_context import after, before, role_group
from thunder.names.person_lexicon import commonness, word_class
from thunder.names.person_tails import tails
from thunder.names.person_titled import is_former
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text.spans import Span

EVERYDAY = 2
"""A noun this common in judgments (``commonness``) names nobody without a cue beside it."""

HARDLY_SEEN = 0.2
"""Below this score a tagger's person may be no noun that judgments use at all."""

_CALLED_SO = frozenset({"내국인이름", "외국인이름"})  # a nickname may be in small letters
SURE_OF_GLOSS = 0.8
"""From this score on a tagger's Chinese spelling is a name whose Hangul it missed."""

_RUN = re.compile(r"[가-힣]+")
_LONGEST_HEADING = 8  # characters on each side
_GLOSS = re.compile(r"[가-힣]{2,8}\(([一-龥]{2,8})\)")
_SYLLABLE = re.compile(r"(?<![가-힣])[가-힣] ?\Z")
_COUNT = re.compile(
    r"제 ?[0-9]{1,3}(?:-[0-9])?(대(?!대)|[점심](?![가-힣])|공시)|[0-9]+(분의)"
    r"|(?:(?<=외)|(?<=외 ))[0-9]{1,4}(인)"  # no 끝자리가 6027인 전화
)
_FOREIGN_FORM = r"limited|ltda?|pte|inc|corp(?:oration)?|co|llc|gmbh"
_FORMS = rf"[ .,()]*(?:(?:{FORM}|{_FOREIGN_FORM})[ .,()]*)+"
# Initials of no firm's: mergers, research, repairs, questions, the axes of a drawing.
_INITIALS = re.compile(r"(?<![A-Za-z&-])(?:M[&＆]A|R[&＆]D|Q[&＆]A|A/S|[X-Z]-[X-Z])(?![A-Za-z&])")
_EXHIBIT = re.compile(r"(?<![가-힣])[갑을병정][0-9]{1,3}(?:-[0-9]{1,3})?(?=, ?[0-9]|[ 의]|호증)")
# Where people take part (…에도 참석), no person: of one it is said with 에게.
_PLACE_AFTER = re.compile(r"에(?:는|도)(?![가-힣])|에 참[석가관]")
_LATIN_WORDS = re.compile(r"[a-z]{3,}(?: [a-z]{3,})*")  # troponin
_QUITE_SURE = 0.8
_HEADING = 6_000  # characters in which the parties stand
_LETTERS_FOR_A_NAME = re.compile(r"([A-Z])\1{1,2}")
_PROVINCE_BEFORE = expression(r"(?<![가-힣])<province-before-a-town> \Z")
_LONGEST_PROVINCE = 10
_OFFICE_AFTER = expression("<head-of-a-town>")
_UNIT_BESIDE = re.compile(r"[0-9](?:호실?|동|번지)? ?\Z")
_FACTORY = "공장"
_WORKS = re.compile(r"([가-힣]{2,4}) ?(?:제 ?)?[0-9]{1,2}|[A-Z](?:-?[0-9]{1,2})?동")
_PEOPLE = expression(r"<how-many> ?사람(?:들|씩)?")
_SUM = re.compile(
    r"(?<![가-힣])(?:(?:일금|금) ?)?[일이삼사오육칠팔구십백천만억조]{3,20}원정(?![가-힣]{3})"
)
_LONGEST_SUM = 24
_DIVISION = "행정"
_DIVISIONS = frozenset({"행정시", "행정군", "행정구"})
_OFFICE = expression(r"(?:피고|원고)?([가-힣]{1,6}?)(<head-of-a-town>|도지사)")


def without_readable(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return disjoint, sorted *spans* without what stays readable whoever found it.

    That are Chinese spellings of readable words, 가람군(加藍軍), where a tagger marked only what
    stands in the brackets, and not surely; the 시·군·구 of its head who is sued; the unit that is
    left beside a number or a name (12-3|번지); words that say what an institution is, not which
    (시립병원), or that the text defines so (이하 ‘신사옥’이라); and factories called by their town,
    or by the letter of a building, and a number: 창원3|공장, A-1동|공장.
    """
    ends = {span.end for span in spans}
    plain = plain_terms(text)
    return [
        span
        for span in spans
        if not _is_before_office(text, span)
        and not _is_bare_unit(text, span)
        and not _is_kind(text, span)
        and text[span.start : span.end] not in plain
        and not _is_numbered_works(text, span)
        and (span.start - 1 in ends or not _is_gloss(text, span))
    ]


def _is_kind(text: str, span: Span) -> bool:
    """Return whether *span* says of what kind a body or an office is; no party called 상무보."""
    is_called_so = kinds.is_person(span.label) and before(text, span.start)[1] != ""
    return not is_called_so and is_institution(text, span.start, span.end)


def _is_bare_unit(text: str, span: Span) -> bool:
    """Return whether *span* is but the unit of an address, which hides nothing: 12-3|번지.

    No shop or firm is it that is called so: ‘단지’, 주식회사 구역.
    """
    if text[span.start : span.end] not in words_of("unit-alone") or span.source.startswith("rule:"):
        return False
    is_place = kinds.is_address(span.label) or span.label.startswith(_DIVISION)
    is_called_so = _at_quote(text, span) or is_beside_form(text, span.start, span.end)
    return is_place and not is_called_so


def _is_numbered_works(text: str, span: Span) -> bool:
    works = _WORKS.fullmatch(text, span.start, span.end) if span.label == _FACTORY else None
    return works is not None and (works[1] is None or bare_district(works[1]) is not None)


def _is_gloss(text: str, span: Span) -> bool:
    if not span.source.startswith("tagger") or span.score >= SURE_OF_GLOSS:
        return False
    gloss = _GLOSS.match(text, max(0, span.start - len(span) - 1))
    return gloss is not None and gloss.span(1) == (span.start, span.end)


def is_person(span: Span) -> bool:
    """Return whether *span* is labelled as a person's name."""
    return kinds.is_person(span.label)


def names_nobody(text: str, span: Span) -> bool:
    """Return whether the words of *span* are no name: 피고인, 안성시장, 주식회사, 제18|대, 정범.

    Nor a number that leads to anybody: 공고 제2011-123|호, nor figures of a table.
    """
    word = text[span.start : span.end]
    if (
        role_group(word)
        or is_heading(text, span.start, span.end)
        or is_form(word)
        or _is_conjunction(text, span)
        or _is_sum(text, span)
        or _is_count(text, span)
        or _is_initials(text, span)
        or _is_exhibit(text, span)
        or lookalike(text, span) is not None
        or is_official(text, span)
        or are_figures(text, span)
        or (span.score < _QUITE_SURE and _is_readable_anyway(text, span))
    ):
        return True
    return is_person(span) and (
        is_office(word)
        or _PEOPLE.fullmatch(word) is not None
        or is_former(text, span.start, span.end)
        or (span.score < _QUITE_SURE and is_occasion(text, span))
        or _is_everyday(text, span)
        or _is_in_small_letters(word, span)
    )


def _is_readable_anyway(text: str, span: Span) -> bool:
    """Return whether a court wrote the word for a name (DD, AAA), or it is a town: 전남 |영암.

    A firm may have such letters for its name: 주식회사 KK.
    """
    word = text[span.start : span.end]
    in_province = _PROVINCE_BEFORE.search(text, max(0, span.start - _LONGEST_PROVINCE), span.start)
    is_town = in_province is not None and bare_district(word) is not None
    are_letters = _LETTERS_FOR_A_NAME.fullmatch(word) is not None
    return is_town or (are_letters and not stands_beside_form(text, word))


def is_heading(text: str, start: int, end: int) -> bool:
    """Return whether the stretch lies in a word before a party's particulars: 등록기준지."""
    around = _RUN.finditer(text, max(0, start - _LONGEST_HEADING), end + _LONGEST_HEADING)
    inside = (run[0] for run in around if run.start() <= start and end <= run.end())
    itself = text[start:end].replace(" ", "")
    return not {itself, *inside}.isdisjoint(words_of("particular-of-a-party"))


def is_form(word: str) -> bool:
    """Return whether *word* is made of legal forms and marks alone: 학교법인, Co., Ltd."""
    return expression(_FORMS, re.IGNORECASE).fullmatch(word) is not None


@lru_cache(maxsize=1 << 12)
def is_office(word: str) -> bool:
    """Return whether *word* is the head of a 시·도·군·구, who stays readable: 안성시장."""
    match = _OFFICE.fullmatch(word)
    if match is None:
        return False
    name, office = match.groups()
    level = office[0]
    return district(name + level) is not None or (level == "도" and bare_district(name) is not None)


def _is_before_office(text: str, span: Span) -> bool:
    """Return whether a thing is the 시·군·구 whose head is sued: 【피고】 안성|시장.

    Of a criminal case the head may be the accused, whom the name of the place would give away.
    """
    office = _OFFICE_AFTER.match(text, span.end)
    if office is None or kinds.is_person(span.label) or span.label in _DIVISIONS:
        return False
    name = text[span.start : span.end]
    is_district = district(name + office[0][0]) is not None
    sued = (
        rf"【[^】\n]{{0,20}}피[ \t]*고[^】\n]{{0,20}}】[ \t\n]{{0,60}}{re.escape(name)}{office[0]}"
    )
    return is_district and re.search(sued, text[:_HEADING]) is not None


def _is_in_small_letters(word: str, span: Span) -> bool:
    """Return whether a person not quite sure is a word like troponin: names have capitals."""
    is_doubted = span.label in _CALLED_SO and span.score < _QUITE_SURE
    return is_doubted and _LATIN_WORDS.fullmatch(word) is not None


def is_occasion(text: str, span: Span) -> bool:
    """Return whether what follows *span* speaks of a place or an event: 고희연|에도 참석하여."""
    return _PLACE_AFTER.match(text, span.end) is not None


def _is_conjunction(text: str, span: Span) -> bool:
    """Return whether *span* but joins two units or lots: 101호 |및| 102호."""
    beside = _UNIT_BESIDE.search(text, max(0, span.start - 5), span.start)
    return beside is not None and text[span.start : span.end] in words_of("joins-units")


def _is_count(text: str, span: Span) -> bool:
    """Return whether *span* is a number that something is counted by: 제18|대, 제18대, 3|분의 1."""
    is_ordinal = text[span.start - 1 : span.start] == "제"
    match = _COUNT.match(text, span.start - is_ordinal)
    if match is None or match.lastindex is None:
        return False
    return span.end in (match.start(match.lastindex), match.end())


def _is_initials(text: str, span: Span) -> bool:
    """Return whether *span* is or lies in initials that name nothing: M&A, M&|A; not M&A테크."""
    for found in _INITIALS.finditer(text, max(0, span.start - 2), span.end + 3):
        run = _RUN.match(text, found.end())
        if found.start() <= span.start and span.end <= found.end():
            return run is None or run[0] in tails()
    return False


def _is_sum(text: str, span: Span) -> bool:
    """Return whether *span* lies in a sum that is written out: 일천오백만원정; not 피고 이천원."""
    sums = _SUM.finditer(text, max(0, span.start - _LONGEST_SUM), span.end + _LONGEST_SUM)
    return any(one.start() <= span.start and span.end <= one.end() for one in sums)


def _is_exhibit(text: str, span: Span) -> bool:
    """Return whether *span* is the number of an exhibit: 갑|8-19, 21."""
    found = _EXHIBIT.match(text, span.start - 1) if span.start else None
    return found is not None and found.end() == span.end


def _is_everyday(text: str, span: Span) -> bool:
    """Return whether a person is rather a common noun, with no cue on either side: 도시락."""
    word = text[span.start : span.end]
    least = EVERYDAY if span.score >= HARDLY_SEEN else 1
    if word_class(word) != "noun" or commonness(word, tailed=False) < least:
        return False
    if _at_quote(text, span) or _SYLLABLE.search(text, max(0, span.start - 3), span.start):
        return False  # 한빛안경’, 강 도 호: a title, a name written with spaces
    return not before(text, span.start)[1] and not after(text, span.end, tailed=False)[1]


def _at_quote(text: str, span: Span) -> bool:
    edges = text[max(0, span.start - 1) : span.start] + text[span.end : span.end + 1]
    return any(mark in OPENING or mark in CLOSING for mark in edges)
