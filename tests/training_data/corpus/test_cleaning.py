"""What is taken out of a text, and which texts are left out, by reason."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.training_data.corpus.cleaning import clean
from thunder.training_data.corpus.settings import Cleaning

SENTENCE = "피고인은 2021. 3. 5. 피해자에게 상해를 가하였으므로 징역 6월에 처한다."
RULES = Cleaning(shortest=10)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (SENTENCE, SENTENCE),
        (f"  \n{SENTENCE}\n\n", SENTENCE),
        (unicodedata.normalize("NFD", SENTENCE), SENTENCE),
        (f"\ufeff{SENTENCE[:5]}\x00\u200b{SENTENCE[5:]}\x07", SENTENCE),
        (f"{SENTENCE}\r\n주문\r{SENTENCE}", f"{SENTENCE}\n주문\n{SENTENCE}"),
        (f"{SENTENCE}\n\n \n\n{SENTENCE}", f"{SENTENCE}\n\n{SENTENCE}"),
        (f"{SENTENCE}\n\n주문", f"{SENTENCE}\n\n주문"),  # one blank line stays
        (f"{SENTENCE}\n목차\n목차\n목차\n끝", f"{SENTENCE}\n목차\n끝"),
        (f"{SENTENCE}\n원고\n피고\n원고", f"{SENTENCE}\n원고\n피고\n원고"),  # no run of one line
        ("원고 ○○○ 외 2인(金甲洙, ｋｉｍ) ―  피고 A 주식회사", None),  # placeholders, hanja, widths
    ],
)
def test_what_is_taken_out(before, after):
    found = clean(before, RULES)
    assert not found.dropped
    assert found.text == (before if after is None else after)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n\t\u200b ", "empty"),
        ("주문.", "too short"),
        ("1,234 5,678 9,012 3,456 7,890 1,234 5,678 합계", "too few letters"),
        (SENTENCE.encode().decode("latin-1"), "mojibake"),
        (SENTENCE.encode("cp949").decode("latin-1"), "mojibake"),
        (SENTENCE.encode("cp949").decode("utf-8", "replace"), "mojibake"),
        ("\n".join(["메뉴 로그인 회원가입", "검색"] * 20), "repeated lines"),
        (f"{SENTENCE} Le défendeur a été condamné à Liège, où il naquit.", ""),
        (f"{SENTENCE}\n" * 2 + "가\n나\n다\n라\n마\n바\n사", ""),
    ],
)
def test_which_texts_are_left_out(text, reason):
    assert clean(text, RULES).dropped == reason


@given(st.text())
def test_cleaning_twice_changes_nothing_more_and_leaves_what_can_be_written(text):
    found = clean(text, Cleaning(shortest=1, letters=0.0, repeated_lines=1.0, replacement=1.0))
    if not found.dropped:
        assert unicodedata.is_normalized("NFC", found.text)
        assert "\r" not in found.text
        found.text.encode()
        again = clean(
            found.text, Cleaning(shortest=1, letters=0.0, repeated_lines=1.0, replacement=1.0)
        )
        assert again == found
