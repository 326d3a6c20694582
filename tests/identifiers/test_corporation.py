"""법인등록번호: 6-7, with a plain weighted check digit."""

from datetime import date, timedelta
from random import Random

import pytest

from thunder.identifiers import checks, corporation, resident
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("주식회사 한빛물산(110111-1234567)", ["110111-1234567"]),
    ("법인등록번호 110111-1234567", ["110111-1234567"]),
    ("법인등록번호: 1101111234567", ["1101111234567"]),
    ("법인등록번호 110111 - 1234567", ["110111 - 1234567"]),
    ("법인등록번호 110111- 1234567", ["110111- 1234567"]),
    ("법인등록번호 110111-*******", ["110111-*******"]),
    ("부동산등기용등록번호 200131-0000012", ["200131-0000012"]),
    ("종중(등록번호: 200131-0000012)", ["200131-0000012"]),
]
NEAR_MISSES = [
    "법인등록번호 1 생략",
    "000000-0000000",
    "등록번호 제4100302980000호",  # a trade mark
    "0110111-1234567",
    "110111-12345678",
    "110199-1234568",  # no such kind of body, no check digit, no cue
    "회사 1101111234567",  # unhyphenated and unnamed
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in corporation.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


def test_check_digit_is_the_plain_sum() -> None:
    # weights 1 and 2 in turn: 1+2+0+2+1+2+0+0+0+12+2+8 = 30, and no folding of the 12
    assert checks.corporation("110111000624") == "0"


def test_a_number_of_1911_is_a_company_and_not_a_centenarian() -> None:
    made = (made_up.corporation(Random(seed)) for seed in range(500))
    days = {date(2000, 1, 1) + timedelta(day) for day in range(366)}
    dates = {f"{day:%m%d}" for day in days}
    doubtful = [number for number in made if number[2:6] in dates]
    assert doubtful
    for number in doubtful:
        text = f"법인등록번호 {number}"
        assert [span.score for span in corporation.find(text)] == [0.99]
        assert all(span.score < 0.99 for span in resident.find(text))


def test_made_numbers_need_no_cue() -> None:
    rng = Random(1)
    made = [made_up.corporation(rng) for _ in range(2000)]
    assert all(found(f"({number})") == [number] for number in made)
