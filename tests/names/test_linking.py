"""Mentions of one person or company get one number, those of two get two."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.names import linking
from thunder.spans import Span

_MARK = re.compile(r"\{([^|{}]+)\|([^{}]*)\}")


def _numbers(marked):
    """Return the entity numbers of a text in which mentions stand as {label|surface}."""
    text, spans, done = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[done : match.start()]
        spans.append(Span(len(text), len(text) + len(match[2]), match[1]))
        text += match[2]
        done = match.end()
    return linking.entities(text + marked[done:], spans)


P = "내국인이름"
SAME = [
    ("{P|홍길준}이 {P|홍길준}을", [0, 0]),
    ("{P|홍길준}과 {P|김철우}, {P|홍길준}", [0, 1, 0]),
    ("{P|홍 길 준}은 {P|홍길준}", [0, 0]),
    ("{P|홍길\n준}은 {P|홍길준}", [0, 0]),
    ("{P|홍길준(洪吉俊)}은 {P|홍길준}", [0, 0]),
    ("{P|홍길준}({P|洪吉俊})은 {P|洪吉俊}이", [0, 0, 0]),
    ("{베트남이름|팜 반 득}({베트남이름|PHAM VAN DUC})은", [0, 0]),
    ("{베트남이름|팜 반 뚜언}과 {베트남이름|뚜언}은", [0, 0]),
    ("{영어이름|JOHN SMITH}는 {영어이름|John Smith}", [0, 0]),
    ("{P|홍길준}(개명 전 {P|홍판수})", [0, 0]),
    ("{P|홍길준}은 {P|길준}이가 {P|홍} 과장을", [0, 0, 0]),
    ("{P|홍} 과장은 {P|홍길준}이다.", [0, 0]),
    ("{P|홍길준} 과장과 {P|홍판수} 부장, {P|홍} 부장은", [0, 1, 1]),
    ("{P|남궁길준}과 {P|남궁} 팀장", [0, 0]),
    ("{P|홍길준}은 {외국인이름|홍길준}", [0, 0]),
    ("{주식회사|한빛누리}와 {주식회사|주식회사 한빛누리}", [0, 0]),
    ("{주식회사|(주)한빛누리}와 {주식회사|㈜한빛누리}", [0, 0]),
    ("{주식회사|한빛누리 주식회사}와 {주식회사|한빛 누리}", [0, 0]),
    ("{주식회사|한빛누리}와 {은행|한빛누리}", [0, 0]),
    ("{주식회사|한빛전자}(이하 ‘{주식회사|한빛}’이라 한다)의 {주식회사|한빛}", [0, 0, 0]),
    ("{계좌번호|110-234-567890}과 {계좌번호|110234567890}", [0, 0]),
    # A definition after the noun of what is named.
    ("{학원|세지교육재단}학원(이하 ‘{학원|보문}학원’이라 한다), {학원|보문}", [0, 0, 0]),
    ("{빌딩|한빛}빌딩(이하 ‘{빌딩|나루}’라 한다)", [0, 0]),
    ("{빌딩|한빛}빌딩(이하 {빌딩|나루}라 한다)", [0, 0]),
    ("{빌딩|한빛}빌딩(2010. 3. 준공, 이하 ‘{빌딩|나루}’라 한다)", [0, 0]),
    ("{병원|한빛}종합병원(이하 ‘피고 {병원|나루}병원’이라 한다)", [0, 0]),
    ("{요양원|한빛}노인요양원(이하 ‘{요양원|나루}’라 한다)", [0, 0]),
    ("{재단법인|한빛}재단 재단법인(이하 ‘피해자 {재단법인|나루} 회사’라 한다)", [0, 0]),
    ("{요양원|범도}노인요양시설(이하 ‘{요양원|범도원}’이라 한다)", [0, 0]),
    # A firm's short name that a tagger took for a person.
    ("{주식회사|청우} 주식회사(이하 ‘원고 {P|갤럭시아}’라 한다)는 {P|갤럭시아}", [0, 0, 0]),
    ("{주식회사|청우}(이하 ‘{P|갤럭시아}’라 한다), {주식회사|㈜갤럭시아}", [0, 0, 0]),
    ("{주식회사|청우}(이하 ‘피해자 {P|갤럭시아} 회사’라 한다)", [0, 0]),
    ("{학원|세지}학원(이하 ‘{P|보문}학원’이라 한다), {P|보문}", [0, 0, 0]),
    # What follows a name masked with it here and readable there.
    ("{대학교|다온}대학의 돈을 {대학교|다온대학}에", [0, 0]),
    ("{대학교|다온나래대}는 {대학교|다온나래}대학교이다.", [0, 0]),
    ("{대학교|다온 국립}대학교와 {대학교|다온} 국립대학교", [0, 0]),
    ("피고 {조합|다온3호} 투자 조합, {조합|다온3호 투자} 조합, {조합|다온}3호 투자", [0, 0, 0]),
]
DIFFERENT = [
    ("{회사|다온}건설과 {회사|다온}전자, {회사|다온건설}과 {회사|다온전자}", [0, 0, 1, 2]),
    ("{행정읍|다온읍} 나래리와 {행정리|다온읍 나래리}", [0, 1]),
    ("{회사|다온}, 나래와 {회사|다온나래}", [0, 1]),
    ("{P|홍길준}(이하 ‘소외 {P|김철우} 등 9인’이라 한다)", [0, 1]),
    ("{P|홍길준}과 {P|홍길순}", [0, 1]),
    ("{P|김영}과 {P|김영이}", [0, 1]),
    ("{P|홍길준}과 {P|홍판수}가 {P|홍} 과장을", [0, 1, 2]),
    ("{P|홍} 과장과 {P|홍} 부장", [0, 1]),
    ("{P|홍} 과장과 {P|김} 과장, {P|홍} 과장", [0, 1, 0]),
    ("{P|김길준}과 {P|박길준}은 {P|길준}이를", [0, 1, 2]),
    ("{P|김철우}는 성명불상자(일명 ‘{P|김} 실장’)를", [0, 1]),
    ("{P|한빛}과 {식당|한빛}", [0, 1]),
    ("{주식회사|한빛누리}와 {주식회사|한빛나리}", [0, 1]),
    ("{동|3}동 {호|3}호, {동|3}동", [0, 1, 0]),
    ("{계좌번호|110-234-567890}과 {전화번호|110-234-567890}", [0, 1]),
    ("{P|홍길준}({P|김철우})", [0, 1]),
    ("{P|홍길준}, {P|김철우}(이하 ‘원고들’)", [0, 1]),
    ("{주식회사|한빛}에게(이하 ‘{주식회사|나루}’라 한다)", [0, 1]),
    ("{주식회사|한빛}에게(이하 ‘{주식회사|한빛나루}’라 한다)", [0, 1]),
    ("{빌딩|한빛}빌딩은(이하 ‘{빌딩|나루}’라 한다)", [0, 1]),
    ("{빌딩|한빛}대리석(이하 ‘{빌딩|나루}’라 한다)", [0, 1]),
    ("{학원|한빛}학원(이하 ‘{병원|나루}병원’이라 한다)", [0, 1]),
    ("{학원|한빛}학원(이하 ‘{병원|나루} 병원’이라 한다)", [0, 1]),
    ("{빌딩|한빛}빌딩(이하 ‘빌딩’, 옆 건물은 {빌딩|나루}빌딩)", [0, 1]),
    ("{P|홍길준}식당(이하 ‘{P|김철우}’라 한다)", [0, 1]),
    ("{주식회사|한빛}(대표이사 {P|홍길준}, 이하 ‘{P|홍길준}’이라 한다)", [0, 1, 1]),
    ("{주식회사|한빛}(대표이사 홍길준, 이하 ‘{P|홍길준}’이라 한다)", [0, 1]),
    ("{주식회사|한빛} 주식회사(이하 ‘한빛’이라 한다)의 대표 {P|홍길준}", [0, 1]),
    ("{주식회사|한빛}(이하 ‘대표이사 {P|홍길준}’이라 한다)", [0, 1]),
    ("{주식회사|한빛}(이하 ‘{P|홍} 과장’이라 한다)", [0, 1]),
    ("{주식회사|한빛}(이하 {P|홍길준}이라 한다)", [0, 1]),
    ("{주식회사|한빛}({P|홍길준})", [0, 1]),
    ("{건물|한빛}건물(이하 ‘{P|홍길준} 건물’이라 한다)", [0, 1]),
    ("{계좌번호|abc-234}(이하 ‘{P|홍길준}’이라 한다)", [0, 1]),
    ("{P|홍길준}(이하 ‘{주식회사|한빛}’이라 한다)", [0, 1]),
]


@pytest.mark.parametrize(("marked", "numbers"), [*SAME, *DIFFERENT])
def test_who_is_who(marked, numbers):
    assert _numbers(marked.replace("{P|", f"{{{P}|")) == numbers


def test_no_mentions_no_entities():
    assert linking.entities("주문과 같이 판결한다.", []) == []


MENTIONS = st.lists(
    st.tuples(
        st.sampled_from([P, "외국인이름", "주식회사", "은행", "호", "계좌번호"]),
        st.sampled_from(
            ["홍길준", "홍 길 준", "길준", "홍", "㈜한빛", "한빛", "3", "JOHN", "洪吉俊", "-"]
        ),
        st.sampled_from([" ", " 과장 ", "(", ", ", "씨는 "]),
    ),
    max_size=20,
)


@given(MENTIONS)
def test_numbers_count_up_from_nought_and_repeat_themselves(mentions):
    marked = "".join(f"{{{label}|{surface}}}{after}" for label, surface, after in mentions)
    numbers = _numbers(marked)
    assert len(numbers) == len(mentions)
    firsts = list(dict.fromkeys(numbers))
    assert firsts == list(range(len(firsts)))
    assert numbers == _numbers(marked)


@given(MENTIONS)
def test_equal_label_and_surface_are_one_entity(mentions):
    plain = [(label, surface) for label, surface, _ in mentions if len(surface) > 2]
    marked = " ".join(f"{{{label}|{surface}}}" for label, surface in plain)
    number_of = {}
    for mention, number in zip(plain, _numbers(marked), strict=True):
        assert number_of.setdefault(mention, number) == number
