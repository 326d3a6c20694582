"""생년월일과 출생연도: dates and years that 생, 출생, 태어나다 or 생년월일 make somebody's birth.

A date alone is an event and stays; so do 출생신고 and "2010. 1. 1. 이후 출생한".
"""

import re
from collections.abc import Iterable, Iterator

from thunder.identifiers.cues import NAMED, is_near
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "birth_date"
PIERCES_SHIELDS = True
DATE, YEAR = "생년월일", "출생연도"

_G = r"[ ]?(?:\r?\n[ ]{0,2})?"
_Y4 = r"(?:1[89]|20)[0-9]{2}"
_M, _D = r"(?:1[0-2]|0?[1-9])", r"(?:3[01]|[12][0-9]|0?[1-9])"
_WHOLE = (
    rf"(?:{_Y4}|[0-9]{{2}}){_G}(?:\.{_G}{_M}{_G}\.{_G}{_D}(?![0-9])\.?|년{_G}{_M}{_G}월{_G}{_D}{_G}일"
    rf"|[-/]{_G}{_M}{_G}[-/]{_G}{_D}(?![0-9]))"
)
_JOINED = r"(?:(?:1[89]|20)[0-9]{2}|[0-9]{2})(?:1[0-2]|0[1-9])(?:3[01]|[12][0-9]|0[1-9])(?![0-9])"
_MONTH = rf"{_Y4}{_G}(?:\.{_G}{_M}(?![0-9])\.?|년{_G}{_M}{_G}월)"
_START = r"(?<![0-9])(?<![0-9]\.)(?<![0-9]\. )(?<![0-9]-)"
_DATE = rf"{_START}(?P<date>{_WHOLE}|{_JOINED}|{_MONTH})"
_YEAR = r"(?<![0-9.])(?P<year>(?:1[89]|20)[0-9]{2}[ ]?년|'?[0-9]{2}년)"

_BORN = expression("생(?:(?![가-힣])|(?=<after-born>|[인과은을경] |[남여][ ,]))")
_BORN_BEFORE = expression(rf"(?:{_DATE}(?: ?\(<calendar>\))?|{_YEAR})(?: ?경)?{_G}[)’”]?\Z")
_BIRTH = expression(
    r"출생(?=<after-birth>|[인해] |한(?![가-힣])|[,)\].;’”]|\Z)|태어(?:나(?!는)|난|났)"
)
_BIRTH_BEFORE = lazy.compile(
    rf"(?:{_DATE}|{_YEAR}(?:도)?)(?:경)?(?:에)?(?P<between>(?:[^\n.0-9]|\([^()\n]{{0,12}}\)){{0,22}})\Z"
)
_NO_BIRTH_BETWEEN = expression(r"<no-birth>|후 |,|\A ?경? ?사이")
_COHORT = expression("생? ?<cohort>")
_NAMED = expression(
    r"(?:<birth-date>|생일(?= ?[:(])|생년(?=[ :(]))"
    r"(?:(?: ?및|,) ?성별)?(?:은|는|이|가|인|을)?(?: ?(?:실제|<calendar>)(?:은|으로)?)?"
    rf"{_G}(?:[:;=-]{_G})?[(\[‘“'\"]{{0,2}}(?:(?:<calendar>|<sex-word>)[ ,/:)]{{1,2}})?"
    rf"(?P<date>{_WHOLE}|{_JOINED}|{_MONTH})(?![0-9]|-[0-9])",
    needs=("생", "출생"),
)
_YEAR_NAMED = expression(
    r"<birth-year>(?:는|은|가)?[ ]?[:=]?[ ]?[(‘“'\"]{0,2}"
    r"(?P<year>(?:1[89]|20)[0-9]{2}(?:[ ]?년)?)(?![0-9.]|[ ]?[.]|년[ ]?[0-9])",
    needs=("출생", "생년"),
)
_BESIDE_SEX = expression(
    rf"[(\[](?:<sex-word>[,/·] ?(?P<after>{_WHOLE})(?=[ ]?[),\]])"
    rf"|(?P<before>{_WHOLE}),? ?<sex-word>(?=[),\]]))",
    needs=("남", "여"),
)
_ALONE = expression(rf" ?[(\[] ?(?P<date>{_WHOLE}) ?(?:[)\]]|, ?(?=[‘“'\"]?<told-of-persons>))")
_ALONE_SCORE = 0.8
_PARTY = expression(r"(?<![가-힣])<party>(?: ?[0-9A-Z]{1,2})?\Z")
_LONGEST_PARTY = 40
_OPENED = lazy.compile(r"[(\[](?= ?[0-9])")
_PERSON = expression(r"남성?[ ,)]|여성?[ ,)]|<person-word>|[0-9]세|[(] ?'?[0-9]{2}년생")
_GROWN = expression("<grown>|[0-9]주[ ,)]")


def find(text: str) -> Iterator[Span]:
    """Yield the dates and years of birth in *text*."""
    seen: set[int] = set()
    of_parties = after_names(text, _parties_before_dates(text))
    finders = (_born, _given_birth, _named, _beside_sex)
    for span in (*(span for finder in finders for span in finder(text)), *of_parties):
        if span.start not in seen:
            seen.add(span.start)
            yield span


def _parties_before_dates(text: str) -> Iterator[int]:
    """Yield where a party's word ends before a bracket that begins with a digit."""
    for bracket in _OPENED.finditer(text):
        end = bracket.start()
        if _PARTY.search(text, max(0, end - _LONGEST_PARTY), end):
            yield end


def after_names(text: str, ends: Iterable[int]) -> Iterator[Span]:
    """Yield dates alone in brackets right after a person whose name ends at one of *ends*.

    홍길동(1967. 2. 10.): no word says what it is.
    """
    for end in ends:
        if match := _ALONE.match(text, end):
            yield Span(*match.span("date"), DATE, _ALONE_SCORE, f"rule:{NAME}")


def _born(text: str) -> Iterator[Span]:
    """Yield what stands before 생: 1967. 2. 10.생, 1990년생, 95년생."""
    for cue in _BORN.finditer(text):
        match = _BORN_BEFORE.search(text, max(0, cue.start() - 30), cue.start())
        if match is None:
            continue
        if match["date"]:
            yield Span(*match.span("date"), DATE, _score_date(match["date"]))
        elif score := _score_year(text, match, cue.end()):
            yield Span(*match.span("year"), YEAR, score)


def _score_date(date: str) -> float:
    is_whole = re.fullmatch(_MONTH, date) is None and date[2].isdecimal()
    return NAMED if is_whole else 0.85


def _score_year(text: str, match: re.Match[str], end: int) -> float:
    """Return the score of a bare year; 10년생 may be a tree, and 79년생 hardly."""
    start = match.start("year")
    if _COHORT.match(text, end):
        return 0.0  # 1956년생 이후: whoever was born then
    if is_near(text, start, end, _GROWN, before=20, after=15):
        return 0.0
    if match["year"][:4].isdecimal():
        return 0.75
    number = int(match["year"].strip("'년 "))
    is_sure = number >= 40 or match["year"].startswith(("'", "0"))
    near_person = is_near(text, start, end, _PERSON, before=20, after=20)
    return 0.65 if is_sure else 0.55 if near_person and number <= 24 else 0.0


def _given_birth(text: str) -> Iterator[Span]:
    """Yield what stands before 출생하다 and 태어나다, a place between them or not."""
    for cue in _BIRTH.finditer(text):
        match = _BIRTH_BEFORE.search(text, max(0, cue.start() - 48), cue.start())
        if match is None or _NO_BIRTH_BETWEEN.search(match["between"]):
            continue
        direct = match["between"].strip() == ""
        if match["date"]:
            yield Span(*match.span("date"), DATE, 0.9 if direct else 0.8)
        elif match["year"][:4].isdecimal():
            yield Span(*match.span("year"), YEAR, 0.7 if direct else 0.6)


def _named(text: str) -> Iterator[Span]:
    for match in _NAMED.finditer(text):
        yield Span(*match.span("date"), DATE, NAMED)
    for match in _YEAR_NAMED.finditer(text):
        yield Span(*match.span("year"), YEAR, 0.8)


def _beside_sex(text: str) -> Iterator[Span]:
    """Yield dates that share brackets with a sex: (여, 1967. 2. 10.)."""
    for match in _BESIDE_SEX.finditer(text):
        group = "after" if match["after"] else "before"
        yield Span(*match.span(group), DATE, 0.8)
