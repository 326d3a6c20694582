"""Addresses, divisions of the country, and the units of a building."""

import re
from collections.abc import Iterator
from functools import lru_cache

from thunder.taxonomy.lexicon import expression, labels_of, table, words_of
from thunder.training_data.placeholders.record import Vote

REACH = 60
_BREAK = re.compile(r"[ \t]*\n[ \t]+|[ \t]{2,}")


def left_of(text: str, start: int) -> str:
    """Return the last ``REACH`` characters before *start*, a line that is broken read as one.

    Law reports set a placeholder on a line of its own, far indented: 두산동 ↵ (이하 2 생략).
    """
    return _BREAK.sub(" ", text[max(0, start - 2 * REACH) : start])[-REACH:]


def right_of(text: str, end: int) -> str:
    """Return the ``REACH`` characters from *end* on, a line that is broken read as one."""
    return _BREAK.sub(" ", text[end : end + 2 * REACH])[:REACH]


_PLACE_BEFORE = re.compile(
    r"(?P<big>(?:서울|부산|대구|인천|광주|대전|울산|세종|제주)(?:특별자치시|특별자치도|특별시|"
    r"광역시|시)?|경기도?|강원도?|"
    r"강원특별자치도|전북특별자치도|충[남북]|전[남북]|경[남북]|충청[남북]도|전라[남북]도|"
    r"경상[남북]도|제주도)?"
    r" ?(?P<unit>[가-힣]{1,5}(?P<kind>시|군|구|읍|면|동|리))? ?>?$"
)
# 빌려주면, 들어오면: a verb's condition, which no township's name ends in.
_CONDITION = re.compile(r"(?:[하되으주오가려라다시내이보지나리자쓰치]|[가-힣]{3})면$")
_BARE_CITY = r"(?:^|[ ,(])<city> $"

_BUILDING = re.compile(
    r"(?:아파트|빌라|빌딩|건물|오피스텔|상가|맨션|연립|주택|단지|원룸|타워|펜션|병원|호텔|모텔|"
    r"기숙사|생활관|센터|구치소|"
    r"교도소|[A-Z])[’'\"]? ?,? ?(?:제 ?)?$"
)
_WARD = re.compile(r"(?:구|시|군|읍|면) $")


def place(left: str) -> Iterator[Vote]:
    """Yield the address that begins where a court cuts it: behind a 시, 군 or 구."""
    match = _PLACE_BEFORE.search(left)
    if match is None or not left.endswith((" ", ">")):
        return
    unit, kind = match["unit"], match["kind"]
    if unit and len(unit) > 1 and not (_is_no_division(unit) or _CONDITION.search(unit)):
        if kind in "시군구":
            yield Vote(_below(kind), 5.5)
        elif kind in ("읍", "면") or match["big"] or _DIVIDED.search(left[: match.start("unit")]):
            yield Vote(_below(kind), 3)
    elif not unit and match["big"]:
        big = match["big"].rstrip("시").removesuffix("광역").removesuffix("특별")
        if big in words_of("metropolis"):
            yield Vote(_below("시"), 5)
        else:
            yield Vote(_below("도"), 4)
    elif not unit and expression(_BARE_CITY).search(left):
        yield Vote(_below("시"), 5)


def _is_no_division(word: str) -> bool:
    return word in words_of("no-division")


def _below(kind: str) -> str:
    """Return the label of what a court cuts off behind a division: of 두산동 ○○○."""
    return labels_of(_DIVISIONS)[f"{kind} 아래"]


_DIVISIONS = "placeholder_divisions"
_DIVIDED = re.compile(r"[가-힣]{1,5}[시군구읍면] $")
_SAME_DIVISION = re.compile(r"같은 (?P<kind>[시군구읍면동리]) ?$")
_QUARTER = re.compile(r"(?<![가-힣])(?P<unit>[가-힣]{1,5}[0-9]{0,2}(?:동|리|가))(?: [0-9]가)? ?$")
_ROAD = re.compile(r"[가-힣]{1,5}[시군구읍면] [가-힣0-9]{1,9}(?:로|길) ?$")


def depth(left: str) -> str:
    """Return the label of an address that is left out behind *left*: 두산동 (주소 생략), or ""."""
    if _abroad().search(left):
        return "국외주소"
    if same := _SAME_DIVISION.search(left):
        return _below(same["kind"])
    if votes := sorted(place(left), key=lambda vote: (-vote.weight, vote.label)):
        return votes[0].label
    quarter = _QUARTER.search(left)
    if quarter and not _is_no_division(quarter["unit"]):
        return _below("동")
    return "번지" if _ROAD.search(left) else ""


@lru_cache(maxsize=1)
def _abroad() -> re.Pattern[str]:
    countries = "|".join(re.escape(row[0]) for row in table("nationalities"))
    return re.compile(
        rf"(?<![가-힣])(?:{countries})국? (?:[가-힣]{{1,8}}[시주성현부구군도] ){{0,3}}$"
    )


_DIVISION = re.compile(
    r"(?P<kind>동|읍|면|리|시|군|구)(?![가-힣])|광역(?=시)|특별(?=시)|"
    r"(?P<joined>동|읍|면|리|시|군|구)(?=[은는이가을를의에와과로도]|장|청|당|민|내 |사무소|주민|"
    r"일대|소재|지역|[○△□◇☆▽◎])(?!의원|의회)"
)


_ESTATE = re.compile(r"경비실|문주|[0-9]세대|동대표|엘리베이터|[0-9]호|호에|이 사건 아파트|단지 ")
_MARKET = re.compile(
    r"시장(?:회사|이 보유| ?(?:공영)?주차장| ?정비사업| ?사거리| ?쪽| ?인근| ?근처| ?상점가| ?상인|"
    r" ?상가| ?점포| ?건물| ?재건축| ?번영회| 주식회사| ?법인|시| ?내| 입구| 부근|길)"
)


_OFFICE = re.compile(
    r"(?:실|과|팀|국)(?=에서|에 근무| 소속|장[은이의에으 ])|(?:실|팀|국)(?=[은는이가의] )|"
    r"(?:비서관|수석|담당관|정책관|기획관|행정관|심의관)"
)
_IN_DISTRICT = re.compile(r"[가-힣][시군구] [^\s가-힣]{1,8}$")


def division(text: str, end: int) -> Iterator[Vote]:
    """Yield the division of the country whose name circles stand for: ○○동, △△군수."""
    if _OFFICE.match(text, end):
        yield Vote("부서", 5.5)
        return
    match = _DIVISION.match(text, end)
    if match is None:
        return
    kind = match["kind"] or match["joined"] or "시"
    within = _IN_DISTRICT.search(text, max(0, end - 12), end)
    if kind == "동" and not within and _ESTATE.search(text, max(0, end - REACH), end + REACH):
        yield Vote("동", 7.5)
    elif text.startswith("시장", end) and not _MARKET.match(text, end):
        yield Vote(labels_of(_DIVISIONS)[kind], 8.5)
    elif not text.startswith("시장", end):
        yield Vote(labels_of(_DIVISIONS)[kind], 7.5 if text[end + 1 : end + 2] == "당" else 6.5)


_NO_UNIT = re.compile(r"동(?:생|료|거|업|네|일|행|의|안에|창|호회)")
_ROOM_BEHIND = re.compile(
    r"동 ?(?:제? ?[0-9A-Z○]+ ?호|[0-9A-Z○]+층|앞|지하|엘리|복도|현관|건물|옥상)"
)
_FLAT_BEHIND = re.compile(r" ?[A-Z□○△0-9]{1,4} ?호(?!선)")


def unit(left: str, right: str) -> Iterator[Vote]:
    """Yield what both sides say of a block, or a place in the division just named."""
    if right.startswith("동") and not _NO_UNIT.match(right):
        if _BUILDING.search(left) or _ROOM_BEHIND.match(right):
            yield Vote("동", 8)
        elif _WARD.search(left):
            yield Vote("행정동", 5)
    if _BUILDING.search(left) and _FLAT_BEHIND.match(right):
        yield Vote("동", 6)
    same = _SAME_DIVISION.search(left)
    if same:
        yield Vote(_below(same["kind"]), 5)
