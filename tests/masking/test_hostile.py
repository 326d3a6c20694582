"""Texts made to be slow: time grows with their length, never with its square."""

import time

import pytest

from thunder.masking.deidentify import deidentify
from thunder.tagger.chosen_tagger import RULES_ALONE

from ..fake_tagger import FakeTagger
from ..growth import grows_evenly

UNITS = [
    *'()[]{}‘"<「【,.·:/-*&○1Aa가金 \n\t',
    *("()", "([{", "(가", "A ", "A,", "A-", "a@", "a.", "1-", "1.", "1, ", "제1조", "가나"),
    *(
        "주식회사동",
        "은행주식회사",
        "주식회사 ",
        "㈜",
        "외주식회사",
        "홍길동, ",
        "피고인 ",
        "원고 1 ",
    ),
    *(
        "생략",
        "(생략",
        "(이하 ‘",
        "이하 ",
        "101동 1203호 ",
        "1호, ",
        "서울 ",
        "동",
        "http://a.",
        "Co Ltd ",
    ),
    *("2019. 1. 1.", "가\u0301", "\u200b", "번지 ", "A1", "AB ", "계좌 1-"),
]
FEW = ["(", "A-", "주식회사동", "은행주식회사"]
TAGGER = FakeTagger({"가": ("내국인이름", 0.9), "A": ("주식회사", 0.3)}, masses={"(": 0.3})


def _seconds(text: str, *, tagged: bool) -> float:
    start = time.process_time()
    deidentify(text, tagger=TAGGER if tagged else RULES_ALONE)
    return time.process_time() - start


def _grows_evenly(unit: str, *, length: int, tagged: bool = False) -> bool:
    """Return whether four times the text takes about four times as long; the square is sixteen."""
    text = unit * (4 * length // len(unit))
    return grows_evenly(
        lambda size: deidentify(text[:size], tagger=TAGGER if tagged else RULES_ALONE),
        length, 4 * length, least=0.03,
    )  # fmt: skip


@pytest.mark.parametrize("unit", FEW)
def test_time_grows_with_the_length_of_a_hostile_text(unit):
    assert _grows_evenly(unit, length=1_500)


@pytest.mark.slow
@pytest.mark.parametrize("tagged", [False, True], ids=["rules", "tagger"])
@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_length_of_any_hostile_text(unit, tagged):
    assert _grows_evenly(unit, length=5_000, tagged=tagged)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["(", ")", "([{", "가나", "1", "A ", " ", "\n", ","])
def test_two_hundred_thousand_characters_of_nothing_are_done_in_seconds(unit):
    assert _seconds((unit * 200_000)[:200_000], tagged=False) < 60
