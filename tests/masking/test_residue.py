"""What was masked is found wherever else it stands, in all its forms, and chance hits are rare."""

import json
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.masking.records import Deidentified
from thunder.masking.residue import Sought, sought
from thunder.text.spans import Span, replace_spans


@pytest.mark.parametrize(
    ("mention", "text"),
    [
        ("강도윤", "강도윤"),
        ("강도윤", "피고인강도윤의 주장"),
        ("강도윤", "강 도윤"),
        ("강도윤", "강  도 윤은"),
        ("강 도윤", "강도윤"),
        ("강도윤", unicodedata.normalize("NFD", "강도윤")),
        ("강도윤", "강\u200b도윤"),
        ("강도윤", json.dumps({"이름": ["강도윤"]})),  # \uac15…
        ("강도윤", json.dumps({"이름": "강\n도윤"}, ensure_ascii=False)),
        ("강도윤", "2019고합1_강도윤.txt"),
        ("강산", "강산"),
        ("강산", "원고 강산은 졌다"),
        ("강산", "강산에게서"),
        ("강산", "강산씨"),
        ("강산", "강 산"),
        ("강산", "out/강산_판결"),
        ("金道恩", "金道恩"),
        ("Kim Doyun", "KIM DOYUN"),
        ("Kim Doyun", "kim-doyun.txt"),
        ("010-2345-6789", "01023456789"),
        ("010-2345-6789", "０１０ ２３４５ ６７８９"),
        ("010-2345-6789", "tel:010.2345.6789"),
        ("010-2345-6789", "010-****-6789"),
        ("010-2345-6789", "010-23**-67**"),
        ("010-2345-6789", "010-○○○○-6789"),
        ("670203-1234567", "670203-1******"),
        ("670203-1234567", "670203-*******"),
        ("1967. 2. 3.", "1967-02-03"),
        ("1967년 2월 3일", "670203-2******"),
        ("1967. 2. 3.", "19670203"),
        ("1967. 2. 3.", "1967년 2월 3일생"),
        ("1967. 2. 3.", "1967년 02월 03일"),
        ("1967. 2. 3.", "67년2월3일"),
        ("1967년 2월 3일", "1967.2.3."),
        ("670203-1234567", "670203"),
        ("670203-1234567", "1967-02-03"),
        ("010203-3234567", "2001년 2월 3일"),
        ("010-2345-6789", "+82-10-2345-6789"),
        ("010-2345-6789", "1023456789"),
        ("강도윤", "https://example.com/%EA%B0%95%EB%8F%84%EC%9C%A4"),
        ("강도윤", "<td>&#44053;&#46020;&#50980;</td>"),
        ("강도윤", "100% 강도윤 & 홍길동"),
        ("12가3456", "12가 3456"),
        ("gildong12@example.com", "GILDONG12@example.com"),
    ],
)
def test_what_was_masked_is_found_in_all_its_forms(mention, text):
    assert Sought([mention]).is_in(text)


@pytest.mark.parametrize(
    ("mention", "text"),
    [
        ("강산", "금수강산"),
        ("강산", "강산성 용액"),
        ("강산", "한강 산책로"),
        ("이수정", "높이 수정"),
        ("이수정", "이 수정안"),
        ("김", "김"),
        ("A", "A"),
        ("Kim", "Kimchi"),
        ("kim", "kim1985"),
        ("101", "101호"),
        ("12-3", "2012-3"),
        ("010-2345-6789", "1010-2345-6789"),
        ("010-2345-6789", "010-****-6780"),
        ("010-2345-6789", "010-****-****"),
        ("010-2345-6789", "***"),
        ("670203-1234567", "680203-1******"),
        ("1967. 2. 3.", "1967-12-03"),
        ("1967. 2. 3.", "1967년 2월 23일"),
        ("670203-1234567", "670204"),
        ("010203-3234567", "1901년 2월 3일"),
    ],
)
def test_what_only_looks_like_it_is_not(mention, text):
    assert not Sought([mention]).is_in(text)


def test_the_places_are_named():
    places = {"file": "a.txt", 1: "강도윤", 2: "아무도", "path": "out/강 도윤/a.txt"}
    assert Sought(["강도윤"]).places(places) == [1, "path"]
    assert Sought(["강도윤"]).places({1: "강", 2: "도윤"}) == []  # two cells are no name
    assert not Sought(["김", "12"])


def masked(text: str, mention: str, replacement: str) -> Deidentified:
    span = Span(text.index(mention), text.index(mention) + len(mention), "내국인이름")
    new_text, changes = replace_spans(text, [span], lambda _: replacement)
    return Deidentified("1", text, new_text, tuple(changes))


@pytest.mark.parametrize(
    ("mention", "replacement"),
    [("강산은", "A는"), ("강산이", "A가"), ("강산으", "A"), ("강산", "A")],
)
def test_a_particle_that_was_agreed_with_the_letter_is_not_looked_for(mention, replacement):
    result = masked("원고 강산은 강산이 강산으로", mention, replacement)
    assert sought(result).is_in("강산")


SEPARATORS = st.text(st.sampled_from(" -._\u3000"), max_size=3)


@given(st.sampled_from(["강도윤", "남궁라온", "010-2345-6789", "670203-1234567"]), st.data())
def test_spaces_and_hyphens_hide_nothing(mention, data):
    letters = [char for char in mention if char.isalnum()]
    text = "".join(letter + data.draw(SEPARATORS) for letter in letters)
    assert Sought([mention]).is_in(f"성명: {text}\n")


@given(st.integers(0, 10), st.integers(1, 7))
def test_stars_hide_no_number_of_which_four_digits_are_left(start, length):
    number = "01023456789"
    hidden = number[:start] + "*" * len(number[start : start + length]) + number[start + length :]
    assert Sought([number]).is_in(hidden)


@pytest.mark.parametrize(
    "text",
    [
        "강 " * 100_000,
        "강산" * 100_000,
        "1-" * 100_000,
        "1*" * 100_000,
        " " * 200_000,
        "\\u" * 100_000,
    ],
)
def test_time_is_linear_whatever_the_text(text):
    mentions = Sought(["강도윤", "강산", "1111111", "1*1*1"])
    start = time.process_time()
    mentions.is_in(text)
    assert time.process_time() - start < 5
