"""Names that the words before them announce: 에 있는 X에서, 거래처인 X, 명의의 X 계좌."""

import re
from collections.abc import Iterator

from thunder.names.chunks import Chunk, is_unfamiliar, name_length, word_after, word_before
from thunder.names.descriptors import read
from thunder.names.given_names import likeness
from thunder.names.naming import is_proper
from thunder.names.well_known import is_station
from thunder.text.spans import Span

UNKNOWN = "불특정회사명"
"""The label of a name that nothing around it describes."""

# What a name is called before it is named: 거래처인 한빛테크, 사이트 '나리'.
ROLE = re.compile(
    r"(?:회사|업체|거래처|시공사|시행사|원청|법인|직장|상호|기업|대행사|발주처|사이트|카페|어플|"
    r"앱|어플리케이션|애플리케이션|게임|은행|금융기관|식당|음식점|주점|술집|클럽|마트|매장|가게|"
    r"상점|병원|학원|거래소|가상화폐|코인|방송|메신저|커뮤니티|밴드|모임|단체|동호회|판매점|"
    r"대리점|공장|브랜드|상표|채널)$"
)
_HANGUL = re.compile(r"[가-힣]{2}")
_LOCATED = re.compile(
    r"(?:(?:[0-9]|[시군구읍면동리로길가층호역내앞옆]|번지|빌딩|건물|상가|타워|아파트|시장|부근|"
    r"근처|인근|맞은편|지하)"
    r"(?:에 (?:있는|있던|위치한|소재한)| 소재)|운영하는|운영의|경영하는|근무하는|[0-9]층|"
    r"(?<![제0-9])[0-9]{2,4}호),? "
    r"(?=[가-힣A-Za-z0-9])"
)
_SPOT = re.compile(
    r" ?(?:앞|내|안|부근|근처|인근|뒤|옆|지하|[0-9]+층|[0-9]+호|화장실|출입문|입구)"
    r"(?=에|의|으로|을|[^가-힣]|$)|(?:에서(?:의|는)?|의|에)?(?:,)?(?= |$)"
)
_BEING = re.compile(r"(?<=[가-힣])(?<!피고)인 (?=[가-힣A-Za-z0-9])")
_OWNED = re.compile(r"명의의? (?=[가-힣A-Za-z])")
_ACCOUNT = re.compile(r"(?:은행)? ?(?:예금 ?)?(?:계좌|체크카드|통장)")
_MONEY = re.compile(r".*(?:료|금|비|액|급여)")
_LOT = re.compile(r"(?:[0-9](?!,? 내지)|[가-힣][시군구]),? (?=[가-힣A-Za-z0-9])")
_INDOORS = re.compile(
    r",? ?(?:제?[0-9]{1,4}동 ?(?:제?[0-9]{1,2}층 ?)?제?[0-9]{1,4}호|제?[0-9]{2,4}호|"
    r"지하 ?[0-9]?층?|[0-9]{1,2}층|정문|후문|입구|관리실|관리사무소|주차장|로비|옥상|화장실)"
)
_INSIDE = re.compile(r" ?[앞내안지0-9화출입]")
_LINE = re.compile(
    r"(?:지하철|전철|(?<!국도 )(?<![0-9제])[1-9]호선|경의중앙선|분당선|공항철도|경춘선|수인선) "
    r"(?=[가-힣])"
)
_STOP = re.compile(
    r" ?(?:[0-9]{1,2}(?:-[0-9])?번 ?(?:출구|출입구|승강장)|승강장|개찰구|대합실|역무실|방면|역사|"
    r"부근|근처|인근)"
)
_NO_STOP = re.compile(
    r".*(?:역|차|칸|안|내|선|행|방면|방향|[개집매]찰구|통로|구간|승강장|출구|계단|매장)"
)
_LIKELY_PERSON = -8.5
_ADDRESS = re.compile(
    r".*(?:[0-9가-힣](?:읍|면|동|리|로|길|가|번지|필지|시|군|구|도)|외[0-9]?|일원|일대)"
)


def find(text: str) -> Iterator[Span]:
    """Yield names that an announcement precedes; the label says no more than the words do."""
    yield from _located(text)
    yield from _beings(text)
    yield from _accounts(text)
    yield from _buildings(text)
    yield from _stations(text)


def label_of(noun: str) -> str:
    """Return the label of a describing noun (투자회사, 식당), UNKNOWN for one without."""
    reading = read(noun)
    return reading.descriptor.label if reading else UNKNOWN


def _named(text: str, at: int) -> Chunk | None:
    """Return the proper name that begins at *at*, its particle left out, or None."""
    word = word_after(text, at)
    if word is None:
        return None
    end = at + name_length(text, word.text)
    name = text[at:end]
    return Chunk(at, end, name) if is_proper(name) else None


def _located(text: str) -> Iterator[Span]:
    for match in _LOCATED.finditer(text):
        name = _named(text, match.end())
        spot = _SPOT.match(text, name.end) if name else None
        if not name or not spot or (_is_person(name.text) and not _INSIDE.match(spot[0])):
            continue
        if spot.end() > name.end or is_unfamiliar(name.text):
            yield Span(name.start, name.end, UNKNOWN, 0.7)


def _beings(text: str) -> Iterator[Span]:
    for match in _BEING.finditer(text):
        role = word_before(text, match.start())
        name = _named(text, match.end()) if role and ROLE.search(role.text) else None
        if role and name:
            yield Span(name.start, name.end, label_of(role.text), 0.7)


def _accounts(text: str) -> Iterator[Span]:
    """Yield what can only be a bank: "김한솔 명의의 [새별] 계좌", no 자문료 계좌."""
    for match in _OWNED.finditer(text):
        word = word_after(text, match.end())
        if word is None or not _ACCOUNT.match(text, word.end):
            continue
        if _MONEY.fullmatch(word.text) or not is_proper(word.text) or _is_person(word.text):
            continue
        yield Span(word.start, word.end, "은행", 0.7)


def _buildings(text: str) -> Iterator[Span]:
    """Yield what stands between an address and a floor or a unit: "강남구 [나리움] 3층"."""
    for match in _LOT.finditer(text):
        word = word_after(text, match.end())
        if word and _INDOORS.match(text, word.end) and _is_building(word.text):
            yield Span(word.start, word.end, "건물", 0.75)


def _stations(text: str) -> Iterator[Span]:
    """Yield stations without 역 between a line and what a station has: "7호선 [나리] 승강장"."""
    for match in _LINE.finditer(text):
        word = word_after(text, match.end())
        if word is None or not _STOP.match(text, word.end):
            continue
        may_be = is_unfamiliar(word.text) and is_proper(word.text)
        if is_station(word.text) or (may_be and not _NO_STOP.fullmatch(word.text)):
            yield Span(word.start, word.end, "지하철역", 0.8)


def _is_person(word: str) -> bool:
    """Return whether *word* is likelier a person's name: "명의의 김한솔 계좌"."""
    return len(word) == 3 and likeness(word) > _LIKELY_PERSON


def _is_building(word: str) -> bool:
    return bool(_HANGUL.search(word)) and not _ADDRESS.fullmatch(word) and is_proper(word)
