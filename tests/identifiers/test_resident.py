"""주민등록번호: every form in which a judgment carries one, and what only looks like one."""

from random import Random

import pytest

from thunder.identifiers import checks, resident
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("피고인 홍길동(561231-1234567)", ["561231-1234567"]),
    ("주민등록번호 561231-1234567, 무직", ["561231-1234567"]),
    ("561231-1234567", ["561231-1234567"]),
    ("홍길동의561231-2234567로", ["561231-2234567"]),
    ("성춘향 (030405-4123456)", ["030405-4123456"]),  # born in 2003
    ("심봉사(900101-9123456)", ["900101-9123456"]),  # born in 1890
    ("뺑덕(880229-0123456)", ["880229-0123456"]),  # born in 1888, a leap year
    ("이몽룡(201105-3987654)", ["201105-3987654"]),  # since 2020 there is no check digit
    ("561231 - 1234567", ["561231 - 1234567"]),
    ("561231- 1234567", ["561231- 1234567"]),
    ("561231--1234567", ["561231--1234567"]),
    ("561231-1******", ["561231-1******"]),
    ("561231-12*****", ["561231-12*****"]),
    ("주민등록번호 561231-*******", ["561231-*******"]),
    ("561231-1○○○○○○", ["561231-1○○○○○○"]),
    ("561231-1XXXXXX", ["561231-1XXXXXX"]),
    ("홍길동(561231-1)", ["561231-1"]),
    ("주민등록번호 561231-1", ["561231-1"]),
    ("주민등록번호 5612311234567로", ["5612311234567"]),
    ("갑은 5612311234567을 알려 주었다", ["5612311234567"]),
    ("주민등록번호 앞자리 561231을 말하였다", ["561231"]),
    ("주민등록번호: 561231", ["561231"]),
    ("주민번호 앞 6자리인 561231과", ["561231"]),
    ("주민등록번호 561231/1234567", ["561231/1234567"]),
    ("주민등록번호는 561231 1234567이다", ["561231 1234567"]),
    ("주민등록번호 561399-1234567", ["561399-1234567"]),  # mistyped: the cue suffices
    ("홍길동(561231-1234567), 성춘향(600101-2234567)", ["561231-1234567", "600101-2234567"]),
    ("561231-1234567,600101-2234567", ["561231-1234567", "600101-2234567"]),
    ("1.561231-1234567", ["561231-1234567"]),
]
NEAR_MISSES = [
    "주민등록번호 1 생략",
    "(주민등록번호 2 생략)",
    "000000-0000000",
    "주민등록번호 000000-0000000",
    "******-*******",
    "사건번호 2019고단561231",
    "561331-1234567",  # no thirteenth month
    "560230-1234567",  # no 30 February
    "0561231-1234567",  # seven digits in front
    "12-561231-1234567",
    "561231-12345678",
    "561231-1234567-12",
    "합계 561231원",
    "문서번호 561231-1호",
    "도면 561231-1, 561231-2",
    "561231 1234567",  # two numbers of a table
    "외국인등록번호 561231-5234567",  # a foreigner's is the other recogniser's
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in resident.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


def score(text: str) -> float:
    return next(resident.find(text)).score


def test_check_digit_and_cue_raise_the_score_and_never_veto() -> None:
    twelve = "561231123456"
    valid, last = checks.resident(twelve), "0123456789"
    wrong = last[(int(valid) + 1) % 10]
    plain, checked = score(f"{twelve[:6]}-{twelve[6:]}{wrong}"), score(f"561231-123456{valid}")
    assert 0.5 < plain < checked < score(f"주민등록번호 561231-123456{wrong}")


@pytest.mark.parametrize(("twelve", "digit"), [("900101123456", "8"), ("000101312345", "8")])
def test_check_digit_follows_the_published_weights(twelve: str, digit: str) -> None:
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    by_hand = (11 - sum(w * int(d) for w, d in zip(weights, twelve, strict=True)) % 11) % 10
    assert checks.resident(twelve) == str(by_hand)


def test_made_numbers_cover_all_centuries_and_need_no_cue() -> None:
    rng = Random(1)
    made = [made_up.resident(rng) for _ in range(3000)]
    assert all(found(f"갑({number})") == [number] for number in made)
    whole = [number for number in made if len(number) == 14]
    assert {number[7] for number in whole} == set("901234")
