"""Names that the words after them show: X의 대표이사, X 사이트에 접속, X 김한솔 과장, 강남점."""

import re
from collections.abc import Iterator

from thunder.names.announced import UNKNOWN, label_of
from thunder.names.chunks import (
    CLOSING,
    Chunk,
    is_placeholder,
    is_unfamiliar,
    stem_length,
    word_before,
)
from thunder.names.descriptors import read
from thunder.names.naming import is_place_name, is_proper
from thunder.names.well_known import is_station, look_up
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.text.spans import Span

_CHIEF = re.compile(
    r"(?:의)? ?(?:대표이사|대표자|실운영자|실질적인? 운영자|실제 운영자|사내이사|경리직원|"
    r"경리과장|영업사원|현장소장|총괄사장|대주주)"
)
_ENTERS = re.compile(r"(?:에|을|를|으로|로) (?:접속|가입|로그인|게시[한하]|글을 (?:게시|올))")
_SITE = re.compile(
    r"(?:사이트|카페 게시판|카페|까페|게시판|어플리케이션|애플리케이션|어플|앱|게임사이트|"
    r"게임머니|게임|밴드|채팅|홈페이지)$"
)
_ENTERABLE = re.compile(
    r"인터넷|휴대전화|휴대폰|컴퓨터|스마트폰|노트북|메신저|채팅|온라인|모바일|.*(?:글|보험|주소|"
    r"약정|구좌|링크|펀드|계)"
)
_DAUM = re.compile(r"(?<![가-힣])다음(?= ?(?:카페|까페|쇼핑|메일|블로그|아고라|포털))")
_TITLED = re.compile(
    r" ([가-힣]{2,4}) ?(?:팀장|과장|대리|부장|차장|실장|본부장|상담원|지점장)"
    r"(?=이라|으로|에게|[은는이가을를의]?(?![가-힣]))"
)
_BRANCH = re.compile(r"(?:지점|점|지사|영업소)(?=에서|에|을|의|으로|인근|[ ,.)']|$)")
_SHOP_KINDS = frozenset(
    (
        "대리",
        "가맹",
        "판매",
        "음식",
        "할인",
        "편의",
        "백화",
        "전문",
        "주안",
        "제과",
    )  # 판매점, 주안점
)
_SHORTEST_EMPLOYER = 4


def find(text: str) -> Iterator[Span]:
    """Yield names by what follows them; scores from 0.6 (an employer) to 0.7."""
    yield from _chiefs(text)
    yield from _entered(text)
    yield from _employers(text)
    yield from _branches(text)
    for match in _DAUM.finditer(text):
        yield Span(match.start(), match.end(), "포털", 0.7)


def _chiefs(text: str) -> Iterator[Span]:
    for match in _CHIEF.finditer(text):
        word = word_before(text, match.start())
        if word and is_proper(word.text) and is_unfamiliar(word.text):
            yield Span(word.start, word.end, UNKNOWN, 0.65)


def _entered(text: str) -> Iterator[Span]:
    """Yield the sites, games and clubs somebody enters: "인터넷 [나리움] 사이트에 접속하여"."""
    for match in _ENTERS.finditer(text):
        head = text[max(0, match.start() - 40) : match.start()]
        site = _SITE.search(head)
        at = match.start() - (len(head) - site.start() if site else 0)
        while at and text[at - 1] in " " + CLOSING:
            at -= 1
        word = word_before(text, at)
        if word and _may_be_entered(word, site is not None):
            yield Span(word.start, word.end, label_of(site[0]) if site else "사이트", 0.7)


def _may_be_entered(word: Chunk, called_a_site: bool) -> bool:
    if _ENTERABLE.fullmatch(word.text) or not is_proper(word.text):
        return False
    return called_a_site or is_unfamiliar(word.text)


def _employers(text: str) -> Iterator[Span]:
    """Yield whom a person with a title works for: "[하람상사] 김한솔 과장"."""
    for match in _TITLED.finditer(text):
        word = word_before(text, match.start())
        if word is None or len(word.text) < _SHORTEST_EMPLOYER:
            continue
        if is_proper(word.text) and is_unfamiliar(word.text):
            yield Span(word.start, word.end, UNKNOWN, 0.6)


def _branches(text: str) -> Iterator[Span]:
    """Yield branches: by their town or station, or after a name ("나리은행 [새터]점")."""
    for match in _BRANCH.finditer(text):
        word = word_before(text, match.start())
        if word is None or word.text in _SHOP_KINDS or is_placeholder(word.text):
            continue
        if text.startswith("지사", match.start()) and _is_province(word.text):
            continue
        if _is_stop(word.text) or _follows_a_name(text, word):
            yield Span(word.start, word.end, "지점", 0.7)


def _is_stop(name: str) -> bool:
    return is_place_name(name) or is_station(name) or is_station(name.removesuffix("역"))


def _follows_a_name(text: str, word: Chunk) -> bool:
    """Return whether a bank, a shop or a chain is named right before *word*."""
    if text[word.start - 1 : word.start] != " " or len(word.text) < 2:
        return False
    before = word_before(text, word.start - 1)
    if before is None or before.text[stem_length(before.text) :]:
        return False
    reading = read(before.text)
    named = reading is not None and reading.name_end > 0 and not reading.descriptor.common
    return named or look_up(before.text) is not None


def _is_province(name: str) -> bool:
    """Return whether *name* is a 도: its 지사 is the governor, whom the rule keeps."""
    known = district(name) or bare_district(name)
    return name[-1] == "도" or (known is not None and known.level == "도")
