"""Folding with exact offsets, and the last sound of a word."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.text.korean import final_sound, fold, require_encodable
from thunder.text.spans import Span


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("０１０－１２３４", "010-1234"),
        ("010‐1234–5678—9", "010-1234-5678-9"),
        ("010ㅡ1234", "010-1234"),
        ("5\u200b6\u200d1\ufeff2", "5612"),
        ("서울\u00a0강남구\u3000역삼동", "서울 강남구 역삼동"),
        (unicodedata.normalize("NFD", "홍길동이"), "홍길동이"),
        ("e\u0301", "é"),
        ("٠١٢", "012"),
        ("첫 줄\r\n둘째 줄", "첫 줄\r\n둘째 줄"),
        ("👍🏽 ㈜한빛 洪吉東", "👍🏽 ㈜한빛 洪吉東"),
        ("홍\u00ad길동", "홍길동"),
        ("&#44608;&#xB3C4;윤", "김도윤"),
        ("%EA%B9%80%EB%8F%84윤, 10%EA", "김도윤, 10%EA"),
        ("N:=EA=B9=80;=EB=8F=84=EC=9C=A4, a=E1", "N:김;도윤, a=E1"),
        ("ㄱㅣㅁ도ㅇㅠㄴ ㅋㅋ ㅠㅠ", "김도윤 ㅋㅋ ㅠㅠ"),
        ("⓪①⓪-①②③④-⑤⑥⑦⑧, ① 원고 ② 피고", "010-1234-5678, ① 원고 ② 피고"),
        ("공일공 일이삼사 오육칠팔이다", "010 1234 5678이다"),
        ("공1공-1이3사-5육7팔로", "010-1234-5678로"),
        ("팔이공일공일-일이삼사오육칠", "820101-1234567"),
        ("八二〇一〇一-一二三四五六七이", "820101-1234567이"),
        ("零一零-三三八二-九零一五라고", "010-3382-9015라고"),
        ("010.三三八二.九零一五", "010.3382.9015"),
        ("一一〇-三三二-八八一〇二四라고", "110-332-881024라고"),
        ("1,155일-99일, 이사 사이 이일", "1,155일-99일, 이사 사이 이일"),
        ("0 1 0 - 1 2 3 4 - 5 6 7 8이다", "010-1234-5678이다"),
        ("점수는 2 3 - 4", "점수는 2 3 - 4"),
        ("전화 0-1-0-9-8-7-6-5-4-3-2로", "전화 01098765432로"),
    ],
)
def test_disguises_are_read_as_what_they_are(written, read):
    assert fold(written).text == read


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_span_of_the_plain_form_comes_back_to_the_same_characters(form):
    text = unicodedata.normalize(form, "피해자 홍길동은 ０１０‐１２３４‐５６７８로 전화했다")
    folded = fold(text)
    start = folded.text.index("홍길동")
    span = folded.original(Span(start, start + 3, "내국인이름"))
    assert unicodedata.normalize("NFC", text[span.start : span.end]) == "홍길동"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_every_plain_character_stands_somewhere_in_order(text):
    folded = fold(text)
    starts = folded.starts or range(len(folded.text))
    ends = folded.ends or range(1, len(folded.text) + 1)
    assert len(folded.text) == len(starts) == len(ends)
    pairs = list(zip(starts, ends, strict=True))
    assert all(0 <= start < end <= len(text) for start, end in pairs)
    assert pairs == sorted(pairs)


def test_line_breaks_within_a_number_can_be_taken_out():
    folded = fold("번호 561231-12\n34567 끝\n3. 다음")
    joined = folded.without_breaks_in_numbers()
    assert joined.text == "번호 561231-1234567 끝\n3. 다음"
    start = joined.text.index("561231")
    span = joined.original(Span(start, start + 14, "주민등록번호"))
    assert folded.text[span.start : span.end] == "561231-12\n34567"
    assert fold("1. 가\n2. 나").without_breaks_in_numbers().text == "1. 가\n2. 나"


def test_a_lone_surrogate_is_refused_with_its_place():
    with pytest.raises(ValueError, match="character 2"):
        require_encodable("가나\ud800")


@pytest.mark.parametrize(
    ("word", "final"),
    [
        ("홍길동", "ㅇ"), ("서울", "ㄹ"), ("A", ""), ("L", "ㄹ"), ("m", "ㅁ"), ("BN", "ㄴ"),
        ("R", "ㄹ"), ("F", ""), ("10", "ㅇ"), ("7", "ㄹ"), ("2", ""), ("3", "ㅁ"), ("'B'", ""),
        ("나리", ""), ("닭", "ㄺ"),
    ],
)  # fmt: skip
def test_last_sounds_as_they_are_read(word, final):
    assert final_sound(word) == final
