"""Stretches that look like identifiers and are none: case numbers, articles, sums, dates, measures.

What was found within one is dropped (``thunder.mentions.trimming``), so each pattern is narrow: it
must not reach into an identifier (``tests/identifiers/test_lookalikes.py`` holds that). Digits with
a hyphen before or after them belong to a longer number and are no look-alike themselves.
"""

from functools import lru_cache

from thunder.identifiers.cues import fresh
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy

_AGAIN = "(?:준재|재)?"  # retrial
_BRACKETS = r"(?:\([^()\n]{1,12}\))?"  # (병합), (본소), (전원합의체)
_SERIAL = rf"[0-9]{{1,7}}(?![0-9-]){_BRACKETS}"
_ALONE = r"(?![0-9)]|\.[0-9]| {0,2}-| [0-9]|[가-힣] ?[0-9])"  # not the head of 12가 3456, 02)123
_MORE = (  # , 124(병합) but not , 12가 3456 nor , 123 - 45 - 67890
    rf"(?:(?: ?[,·~] ?| 및 | 내지 )(?!0)[0-9]{{1,7}}{_ALONE}{_BRACKETS})*"
)
_YEAR = "(?:19|20)[0-9]{2}"
_COMMISSION = "(?:<labour-commission>(?=[12]))?"
_COUNT = r"[0-9](?<![0-9-][0-9])(?<![0-9][,.][0-9])[0-9]{0,9}"  # no part of a longer number
_UNITS = "km|cm|mm|kg|mg|ml|ppm|ppb|kWh|kW|MW|GB|MB|ha|dB|m2|m|g|t|L"
_DAY = "(?:[12][0-9]|3[01]|0?[1-9])"
_MONTH = "(?:1[0-2]|0?[1-9])"

_CASES = (
    # 2019노2100, 2020재고합1, 4290민상461 (단기); no space beside one syllable: 2003호 15 is a room
    rf"{_COMMISSION}(?:{_YEAR}|42[0-9]{{2}}){fresh(4)}"
    rf"(?: ?{_AGAIN}<case-code> ?|{_AGAIN}<short-case-code>)"
    rf"{_SERIAL}{_MORE}",
    # 85다카971 by its code alone; 85다1234 could be a plate and needs the words around it
    rf"[4-9][0-9]{fresh(2)}{_AGAIN}<case-code> ?{_SERIAL}{_MORE}",
    rf"[4-9][0-9]{fresh(2)}{_AGAIN}<short-case-code>{_SERIAL}{_MORE} ?"
    r"(?:전원합의체 ?)?<decision>",
    rf"<decided>,? ?(?:대법원 ?)?[4-9][0-9]{_AGAIN}<short-case-code>{_SERIAL}{_MORE}"
    rf"(?:, ?[4-9][0-9]<short-case-code>{_SERIAL})*",
)
_ARTICLES = (
    # 제128조 제2항 제3호의2, 제2항; a bare 제203호 is a room and no article
    r"제 ?[0-9]{1,4} ?조(?:의 ?[0-9]{1,3})*(?: ?제 ?[0-9]{1,3} ?항)?"
    r"(?: ?제 ?[0-9]{1,3} ?호(?:의 ?[0-9]{1,3})?)?",
    r"제 ?[0-9]{1,3} ?항(?: ?제 ?[0-9]{1,3} ?호(?:의 ?[0-9]{1,3})?)?",
    # 법률 제6179호, 고시 제2020-12호, 제2010-5031호
    r"<regulation> ?\(?제 ?[0-9]{1,6}(?:-[0-9]{1,7}){0,3} ?호",
    rf"제 ?{_YEAR}-[0-9]{{1,7}}(?:-[0-9]{{1,4}})? ?호",
    # 특허공보 제97-005839호, 특허번호 제10-0686627호, 공개특허공보 특개2004-93246
    r"<patent>"
    r"(?:<patent-word>|[ :(제평])*"
    r"[0-9]{2,4}-[0-9]{4,7}(?:-[0-9]{5,7})?(?![0-9-])(?: ?호)?",
    # 공2020상, 1234; 판례집 30-1, 123
    rf"<reports> ?(?:{_YEAR}|제? ?[0-9]{{1,3}}(?:권|집)?)(?:-[0-9]{{1,2}})?"
    r"(?:상|하|\([^()\n]{1,4}\))?,? [가-힣]{0,2} ?[0-9]{1,5}(?![0-9-])",
    r"(?:각주|\(주|주) ?[0-9]{1,3}\)",
    # 갑 제1호증의 2, 을나 제1, 3, 6호증, 증 제1호
    r"(?:갑|을|병|정|증)[가-하]? ?제 ?[0-9]{1,4}(?: ?[,~·-] ?[0-9]{1,4}(?![0-9-]))* ?호(?:증)?"
    r"(?: ?의 ?[0-9]{1,3}(?: ?[,~·] ?[0-9]{1,3}" + _ALONE + ")*)?",
)
_SUMS = (
    # 1,234,567; 5,000만 원, 500원, 100달러, but not the 5678 원 of 010-1234-5678 원고
    r"[0-9](?<![0-9-][0-9])(?<![0-9][,.][0-9])[0-9]{0,2}(?:,[0-9]{3})+(?![0-9-])(?:\.[0-9]+)?"
    r"(?: ?[조억만천백]{0,2} ?원)?",
    rf"{_COUNT}(?: ?[조억만천백]{{1,2}} ?원|원(?![고심인본])| ?<currency>)",
    r"[$￦₩€] ?[0-9][0-9,]*(?:\.[0-9]+)?(?![0-9-])",
)
_TIMES = (
    # 2020. 3. 5., 2020년 3월 5일, 2020. 3.경; 2020-03-05; 20. 3. 5.; 02:00경
    rf"{_YEAR}(?<![0-9-][0-9]{{4}})(?:\. ?|년 ?){_MONTH}(?:\.|월)(?: ?{_DAY}(?:[.일]|{_ALONE}))?",
    rf"{_YEAR}(?<![0-9-][0-9]{{4}})[-/](?:1[0-2]|0[1-9])[-/](?:[12][0-9]|3[01]|0[1-9])(?![0-9-])",
    rf"[0-9][0-9](?<![0-9.-][0-9]{{2}})\. ?{_MONTH}\. ?{_DAY}\.(?![0-9])",
    # 그 달 30일, 같은 달 28.; 같은 달28.청주
    rf"(?<![가-힣])(?:그|같은|다음|이듬) ?달 ?{_DAY}(?: ?일|\.(?![0-9]))",
    r"[0-9](?<![0-9-][0-9])[0-9]?:[0-5][0-9](?::[0-5][0-9])?(?![0-9-])(?: ?경)?",
)
_MEASURES = (
    # 123.45㎡, 10km, 0.0021 ppm, 15%; 12.345
    rf"{_COUNT}(?:,[0-9]{{3}})*(?:\.[0-9]+)? ?"
    rf"(?:[㎡㎢㎥㎞㎝㎜㎏㎎ℓ%℃°㏊㎖㎘]|(?:{_UNITS})(?![A-Za-z0-9])|<measure>)",
    r"[0-9](?<![0-9.-][0-9])[0-9]{0,3}\.[0-9]{2,8}(?![0-9.-])",
    rf"{_COUNT}(?:,[0-9]{{3}})*주(?!민| ?[0-9])",
)
_PATTERNS = tuple(map(expression, (*_CASES, *_ARTICLES, *_SUMS, *_TIMES, *_MEASURES)))
_CASE = expression("|".join(f"(?:{pattern})" for pattern in _CASES))


def is_case(word: str) -> bool:
    """Return whether *word* is the number of a case and nothing else: 중앙2020부해1234."""
    return _CASE.fullmatch(word) is not None


def cases_in(text: str) -> list[str]:
    """Return the numbers of cases that *text* names, as they stand there: 2031고단1, 2(병합)."""
    return [match[0] for match in _CASE.finditer(text)]


# 관세율표의 품목번호 8541호 또는 8542호, 세번 제8471.30호
_HEADING = r"(?:제 ?)?[0-9]{4}(?:[.-][0-9]{2}){0,3}(?: ?호)?"
_TARIFF = expression(
    r"<tariff> ?['‘(:]? ?"
    rf"{_HEADING}"
    rf"(?:(?:, ?| ?<and> ?| ?또는 ?|·){_HEADING}){{0,9}}(?![0-9])"
)
_FOUR = lazy.compile(r"(?<![0-9.-])[0-9]{4}(?![0-9])")


@lru_cache(maxsize=1)
def tariff_headings(text: str) -> frozenset[str]:
    """Return the four digits of the headings of the customs tariff that *text* names as such."""
    return frozenset(four for found in _TARIFF.finditer(text) for four in _FOUR.findall(found[0]))


def shields(text: str) -> list[tuple[int, int, str]]:
    """Return where the look-alikes of folded *text* start and end, and their surface, in order."""
    return sorted(
        (match.start(), match.end(), match[0])
        for pattern in _PATTERNS
        for match in pattern.finditer(text)
    )
