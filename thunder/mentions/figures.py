"""Figures of tables, counts and measures that a tagger took for numbers of somebody's or for lots.

Flattened tables run their columns together: 500110351002010025, 407 384 352, 3,|040|,912. What
says so is the form alone: no register has numbers of that form.
"""

import re

from thunder.identifiers.cues import HIDDEN
from thunder.identifiers.unit_defined import is_of_statute
from thunder.names.kinds import is_person
from thunder.taxonomy.gazetteer import bare_district
from thunder.taxonomy.lexicon import expression
from thunder.taxonomy.own import working as load_taxonomy
from thunder.text.spans import Span

_UNITS = frozenset({"동", "호", "호실", "실"})
_UNIT_AFTER = re.compile(" ?(?:호|동|번지)")
_NAMES = frozenset({"내국인이름", "외국인이름"})
_LETTER = re.compile(r"[A-Za-z가-힣一-龥]")

# Patents have 13 digits at most, accounts and cards 16; others may have more (필지고유번호).
_LONGEST_DIGITS = {"특허번호": 16, "계좌번호": 16, "카드번호": 16}
_NUMBERS, _PLATE = frozenset({*_LONGEST_DIGITS, "관리번호"}), "차량번호"
_ACCOUNT_BEFORE = re.compile("계좌|카드|통장|은행|뱅크|농협|수협|신협|축협|금고|우체국")
_ACCOUNT_SIGHT = 12  # whatever somebody typed so near to 계좌번호 may lead to the account
_GROUPS = 7  # what has more hyphened groups is no number, nor two glued to one another
_SURE, _QUITE_SURE = 0.5, 0.8  # accounts glued to one another may be read more surely
_DAY = r"(?:19|20)[0-9]{2}\.(?:1[0-2]|0[1-9])\.(?:[12][0-9]|3[01]|0[1-9])"
_GLUED_DAYS = re.compile(rf"[0-9A-Z-]*-[0-9]+?(?:{_DAY}\.?){{2}}")  # …-0302008.06.12.2008.09.29

_NUMBER = "[0-9]{1,4}"
_ROW = re.compile(rf"{_NUMBER}(?: {_NUMBER})+")
_CELL_BEFORE = re.compile(r"[0-9] \Z")
_CELL_AFTER = re.compile(r" [0-9]{1,4}(?![0-9,.-]|[가-힣]| (?:호|동|번지))")
_SUM_AFTER = re.compile(r",[0-9]{3}(?![0-9-])")
_EMPTY_AFTER = re.compile(r"-{3}|--(?![-0-9])")  # -- may join a number's groups
_EMPTY_BEFORE = re.compile(r"-{3}\Z|(?<![-0-9])--\Z")
_TOTAL_BEFORE = re.compile(r"(?<![가-힣])(?:소|합|총|누) {0,4}계 *\Z")
_AREA = re.compile(r"[0-9]+(?:\.[0-9]+)+")
_AREA_AFTER = re.compile(r" ?(?:㎡|평(?![가-힣]{2}))")
_COUNT_OF_LOTS = re.compile(r"[0-9]{1,4} ?필지\)?[0-9]{0,3}")
_PLACE_BEFORE = re.compile(r"[가-힣0-9][동리가로길] ?(?:산 ?)?\Z")
_LOTS_AFTER = re.compile(r" ?필지")
_ITEM_AFTER = re.compile(r"\) ")
_ITEM_BEFORE = re.compile(r"(?:\A|\n) *\Z")
_REACH = 12
_PARTY_BEFORE = r"<party> \Z"  # as courts number them
_COUNT_OF_ROOMS = re.compile(r"[0-9]+실[0-9]+실?|[0-9]+ ?개 ?(?:호실?|실|동|층|필지)?")  # 448개호
_SHORT_SERIAL = re.compile(r".*[가-힣] ?[0-9]{1,3}")
_WORD = re.compile("[가-힣]{2}")


def _is_numbered_party(text: str, at: int) -> bool:
    return expression(_PARTY_BEFORE).search(text, max(0, at - _REACH), at) is not None


def are_figures(text: str, span: Span) -> bool:
    """Return whether the digits of *span* are a table's, a sum's, a count's or a measure's."""
    word = text[span.start : span.end]
    if span.label in _NAMES and not any(map(str.isalpha, word)):  # of whatever script
        # 홍길동(|365|)의 동의서: a serial number. Not what may be the rest of a plate: 허|4034.
        return not "가" <= text[span.start - 1 : span.start] <= "힣"
    if span.label == "호" and is_of_statute(text, span.start, span.end):
        return True
    treatment = load_taxonomy().label(span.label).treatment
    if treatment == "address" or span.label in _UNITS:
        return _is_no_lot(text, span, word)
    if treatment == "omission":
        return _is_no_number(text, span, word)
    return not is_person(span.label) and _is_total(text, span, word)


def _is_no_number(text: str, span: Span, word: str) -> bool:
    """Return whether no account, patent, plate or other number is written like *span*."""
    if span.label == _PLATE:
        return _is_no_plate(text, span, word)
    if span.label not in _NUMBERS or span.score >= _QUITE_SURE:
        return False
    if _ACCOUNT_BEFORE.search(text, max(0, span.start - _ACCOUNT_SIGHT), span.start):
        return False
    longest = _LONGEST_DIGITS.get(span.label)
    is_too_long = longest is not None and len(word) > longest and word.isdigit()
    return (
        is_too_long
        or word.count("-") >= _GROUPS
        or (span.score < _SURE and _GLUED_DAYS.fullmatch(word) is not None)
        or _is_between_cells(text, span)
        or _is_total(text, span, word)
    )


def _is_no_plate(text: str, span: Span, word: str) -> bool:
    """Return whether *span* begins with a word and ends in fewer than four digits: 추천 수033."""
    follows = text[span.end : span.end + 2].strip()[:1]
    if follows.isdigit() or (follows and follows in HIDDEN) or bare_district(word[:2]):
        return False
    return _WORD.match(word) is not None and _SHORT_SERIAL.fullmatch(word) is not None


def _is_no_lot(text: str, span: Span, word: str) -> bool:
    """Return whether no lot, building or unit is written like *span*."""
    if _COUNT_OF_LOTS.fullmatch(word) or _COUNT_OF_ROOMS.fullmatch(word) or _AREA.fullmatch(word):
        return True
    if not word or not (word[0].isdigit() and word[-1].isdigit()) or _LETTER.search(word):
        return False
    if _is_between_cells(text, span):
        return True
    is_place = _PLACE_BEFORE.search(text, max(0, span.start - 6), span.start) is not None
    if is_place or _UNIT_AFTER.match(text, span.end):
        return False
    return _ROW.fullmatch(word) is not None or (
        word.isdigit()
        and (
            _LOTS_AFTER.match(text, span.end) is not None
            or _AREA_AFTER.match(text, span.end) is not None
            or _is_item(text, span)
            or _is_numbered_party(text, span.start)
            or _is_cell(text, span)
        )
    )


def _is_item(text: str, span: Span) -> bool:
    """Return whether *span* counts the paragraph that it begins: 4) 위 토지는."""
    return bool(
        _ITEM_AFTER.match(text, span.end)
        and _ITEM_BEFORE.search(text, max(0, span.start - 80), span.start)
    )


def _is_cell(text: str, span: Span) -> bool:
    """Return whether bare numbers stand on both sides of *span*, or a sum goes on after it."""
    if _SUM_AFTER.match(text, span.end):
        return True
    before = _CELL_BEFORE.search(text, max(0, span.start - 2), span.start)
    return before is not None and _CELL_AFTER.match(text, span.end) is not None


def _is_between_cells(text: str, span: Span) -> bool:
    """Return whether an empty cell of a table, --, stands beside *span*."""
    before = _EMPTY_BEFORE.search(text, max(0, span.start - 3), span.start)
    return before is not None or _EMPTY_AFTER.match(text, span.end) is not None


def _is_total(text: str, span: Span, word: str) -> bool:
    """Return whether *span* is the sum of a column: 소 계 877864364."""
    before = _TOTAL_BEFORE.search(text, max(0, span.start - 8), span.start)
    return word.isdigit() and before is not None
