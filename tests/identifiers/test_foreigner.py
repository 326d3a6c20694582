"""외국인등록번호, 국내거소신고번호: 5 to 8 after the date of birth."""

from random import Random

import pytest

from thunder.identifiers import foreigner
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("왕밍(850607-5123456)", ["850607-5123456"]),
    ("외국인등록번호 850607-6123456", ["850607-6123456"]),
    ("국내거소신고번호: 030405-7123456", ["030405-7123456"]),
    ("응우옌(030405-8123456)", ["030405-8123456"]),
    ("850607 - 5123456", ["850607 - 5123456"]),
    ("850607-5******", ["850607-5******"]),
    ("왕밍(850607-5)", ["850607-5"]),
    ("외국인등록번호 8506075123456", ["8506075123456"]),
    ("외국인인 갑의 8506075123456을", ["8506075123456"]),
    ("외국인등록번호 851399-5123456", ["851399-5123456"]),
]
NEAR_MISSES = [
    "850607-1123456",  # a citizen's
    "851307-5123456",
    "수입신고번호 2015.12.14.1204115501895MBUILDING",
    "0850607-5123456",
    "등록번호 제0623008호",
    "지분 10.6308278045838",
    "850607-51234567",
    "도면 850607-5, 850607-6",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in foreigner.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


def test_made_numbers_cover_both_centuries_and_need_no_cue() -> None:
    rng = Random(1)
    made = [made_up.foreigner(rng) for _ in range(3000)]
    assert all(found(f"갑({number})") == [number] for number in made)
    assert {number[7] for number in made if len(number) == 14} == set("5678")
