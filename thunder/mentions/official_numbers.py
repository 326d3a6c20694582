"""Numbers that a state body gives its papers, and other numbers that lead to nobody.

나래구공고 제2011-123호, 의결 제2011-123호, 제2011-124호, 의안번호 12345, 건설과-1234, SC-9호공;
years, standards (ASTM A479), classes of industry, of goods and of planned roads. Numbers of
registers (patents, trade marks) are not among them.
"""

import re
from functools import lru_cache

from thunder.identifiers.lookalikes import is_case, tariff_headings
from thunder.names.kinds import is_name
from thunder.taxonomy.lexicon import expression
from thunder.taxonomy.own import working as load_taxonomy
from thunder.text.spans import Span

_NUMBER = r"[0-9]{1,6}(?:-[A-Z]?[0-9]{1,7}){0,2}"
_ITSELF = re.compile(rf"(?!.*[0-9]{{6}}-[0-9]{{7}})(?:제? ?|-){_NUMBER}(?: ?호)?")
# The unit that registered a paper, of a state body or another: 건설과-1234, 재생추진단-1234.
_UNIT = r"(?<![가-힣])[가-힣]{1,14}<unit-of-a-body>"
_BEFORE = expression(
    rf"(?<!특허)(?<!등록)(?<!출원)(?<!공개)<paper-of-a-body>(?:번호)? ?"
    rf"(?:\([가-힣]{{1,4}}\) ?)?[(:]? ?"
    rf"(?:제? ?{_NUMBER} ?호(?:, ?|·| 및 )){{0,9}}(?:제 ?)?(?:[0-9]{{4}}-[가-힣]{{1,6}}-?)?\Z"
    rf"|<paper-of-a-body>인? ?[「『][^」』\n]{{1,40}}[」』] ?\((?:제 ?)?\Z"
    r"|<letter-of-a-body>\((?:(?:[가-힣]{1,8}<part-of-a-body>|대학) )?\Z"
    rf"|{_UNIT}-\Z"
)
_AFTER = expression(r" ?호? ?<decision-by-number>| ?호 ?<rule-by-number>")
# What is joined to a paper: 별지 3, 별첨5, 별표 제2호.
_ANNEX_ITSELF = expression(r"<annex>(?: ?제?)? ?[0-9]{1,3}(?:-[0-9]{1,2})?(?: ?호)?")
_ANNEX_NUMBER = re.compile(r"[0-9]{1,3}(?:-[0-9]{1,2})?(?: ?호)?")
_ANNEX_BEFORE = expression(r"(?<![가-힣])<annex> ?(?:제 ?)?\Z")
_SIGHT = 160
_PAPER_WITH_UNIT = expression(rf"{_UNIT}-[0-9]{{1,6}}(?: ?호)?\Z")
_LONGEST_UNIT = 20
_OF_A_PERSON = expression("<number-of-a-person>")

# A case of a board or commission is told by its parties: 원고와 피고 사이의 2010-123호 … 사건.
_BOARD_CASE = re.compile(
    r"(?<=[가-힣)]) ?(?:사이의|간의)\s+((?:19|20)[0-9]{2}-[0-9]{1,4})(?= ?호[^.\n]{0,40}사건)"
)

# 제2021-187호; a licence or a permit may be numbered so, a lot or a unit may not.
_PLACES = frozenset({"주소", "장소 관련 번호"})  # categories
_OF_A_YEAR = expression(
    r"(?<![(가-힣])(?<!(?:상가|센터|빌딩|타워) )(?<![동텔트] )"
    r"제 ?(?:19|20)[0-9]{2}-[0-9]{1,6} ?호"
    r"(?=로 |에 (?:의|따|근거)| ?<act-by-number>)"
)

_WELL = expression(r"[A-Z]{1,4}-?[0-9]{1,3}(?:<well>)?")
_WELL_NOUN = expression("<well>")

_FISCAL_YEAR = re.compile(r"FY ?['’]?[0-9]{2}(?:[0-9]{2})?(?:[-~/][0-9]{2,4})?")
_YEARS = re.compile(r"([가-힣]*)(?:19|20)[0-9]{2}(?:[-~](?:19|20)[0-9]{2})?")
_YEARS_AFTER = re.compile(r"\s{0,60}(?:(?:사업|회계|학)?[연년]도|귀속)")

# A standard of a body that makes them, with the grades that it lists: ASTM A479 304/304L.
_STANDARD = expression(
    r"(?<![A-Za-z])<standards-body>"
    r"(?:[ -](?:[A-Z]{1,2}[ -]?)?|[A-Z]{1,2}[ -]?)"
    r"[0-9]{2,6}[A-Z]?(?:[ /,-]{1,2}[A-Z]{0,3}[0-9]{1,4}[A-Z]{0,2}){0,4}"
    r"(?![0-9A-Za-z])"
)
_LONGEST_STANDARD = 24
_ROAD_CLASS = re.compile(r"[광대중소]로? ?[1-3](?:류)?-[0-9]{1,4}(?: ?호)?")
# 비주거용 건물 임대업(68112); a line of the classification: 35120송전 및 배전업.
_TRADE = "<industry>업"
_INDUSTRY_BEFORE = expression(rf"{_TRADE} ?\((?:[A-Z] ?)?\Z")
_INDUSTRY_CODE = re.compile(r"[A-Z]?[0-9]{2,5}")
_INDUSTRY_LINE = expression(
    rf"[0-9]{{2,5}} ?(?!호|동|층|번지)[가-힣][가-힣·,; ]{{0,40}}{_TRADE}(?![가-힣])"
)
_TARIFF = re.compile(r"(?:제 ?)?([0-9]{4})(?:[.-][0-9]{2}){0,3}(?: ?호)?")
_TEAM = re.compile(r"[A-Za-z]{3,20}[0-9]{1,2}")
_DOUBTFUL = 0.5  # a team of gamers may be called so: SKT1팀
_TEAM_AFTER = expression("<team>")


def is_official(text: str, span: Span) -> bool:
    """Return whether *span* is the number of a notice, a decision, a bill, a class or a well."""
    if _WELL.fullmatch(text, span.start, span.end) and (
        _WELL_NOUN.match(text, span.end) or _WELL_NOUN.match(text, span.end - 2)
    ):
        return True
    if _is_year(text, span) or _is_class(text, span) or _is_case(text, span):
        return True
    if _is_annex(text, span) or _is_of_a_year(text, span):
        return True
    with_unit = _PAPER_WITH_UNIT.search(text, max(0, span.start - _LONGEST_UNIT), span.end)
    if with_unit is not None and with_unit.start() <= span.start:
        return _OF_A_PERSON.search(text[max(0, with_unit.start() - 12) : with_unit.start()]) is None
    if not _ITSELF.fullmatch(text, span.start, span.end):
        return False
    is_led = _BEFORE.search(text, max(0, span.start - _SIGHT), span.start) is not None
    return is_led or _AFTER.match(text, span.end) is not None


def _is_of_a_year(text: str, span: Span) -> bool:
    """Return whether what was taken for a lot or a unit is a paper's number by its year."""
    if load_taxonomy().label(span.label).category not in _PLACES:
        return False
    paper = _OF_A_YEAR.search(text, max(0, span.start - 2), span.end + 8)
    return paper is not None and paper.start() <= span.start and span.end <= paper.end()


def _is_annex(text: str, span: Span) -> bool:
    """Return whether *span* is the number of an annex, with its noun or without: 별첨|5."""
    if _ANNEX_ITSELF.fullmatch(text, span.start, span.end):
        return True
    before = _ANNEX_BEFORE.search(text, max(0, span.start - 6), span.start)
    return before is not None and _ANNEX_NUMBER.fullmatch(text, span.start, span.end) is not None


def _is_case(text: str, span: Span) -> bool:
    """Return whether *span* is the number of a case, of a board's by the parties before it."""
    word = text[span.start : span.end]
    return is_case(word) or word.removesuffix("호").rstrip() in _board_cases(text)


@lru_cache(maxsize=1)
def _board_cases(text: str) -> frozenset[str]:
    return frozenset(_BOARD_CASE.findall(text))


def _is_year(text: str, span: Span) -> bool:
    """Return whether *span* is a fiscal year, or years of business: FY2019, 2001-2003 사업연도."""
    if _FISCAL_YEAR.fullmatch(text, span.start, span.end):
        return True
    years = _YEARS.fullmatch(text, span.start, span.end)
    if years is None or (years[1] and is_name(span.label)):  # 한빛2000
        return False
    return _YEARS_AFTER.match(text, span.end) is not None


def _is_class(text: str, span: Span) -> bool:
    """Return whether *span* says of what class a thing is: a grade, a road, a trade, a good."""
    if _ROAD_CLASS.fullmatch(text, span.start, span.end):
        return True
    if span.score < _DOUBTFUL and _TEAM.fullmatch(text, span.start, span.end):
        return _TEAM_AFTER.match(text, span.end) is not None
    for standard in _STANDARD.finditer(text, max(0, span.start - _LONGEST_STANDARD), span.end + 8):
        if standard.start() <= span.start and span.end <= standard.end():
            around = text[max(0, standard.start() - 12) : standard.end() + 12]
            return _OF_A_PERSON.search(around) is None
    if _is_industry(text, span):
        return True
    tariff = _TARIFF.fullmatch(text, span.start, span.end)
    is_item = "호" in text[span.end - 1 : span.end + 2]
    return tariff is not None and is_item and tariff[1] in tariff_headings(text)


def _is_industry(text: str, span: Span) -> bool:
    """Return whether *span* is the code of an industry after its name, or begins its line."""
    if _INDUSTRY_CODE.fullmatch(text, span.start, span.end):
        before = _INDUSTRY_BEFORE.search(text, max(0, span.start - 6), span.start)
        if before is not None:
            return True
    if text[max(0, span.start - 1) : span.start] not in ("", "\n") or is_name(span.label):
        return False
    line = _INDUSTRY_LINE.match(text, span.start)
    return line is not None and span.end < line.end()
