"""사업자등록번호: 3-2-5."""

from random import Random

import pytest

from thunder.identifiers import business, checks
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("사업자등록번호 123-45-67890", ["123-45-67890"]),
    ("한빛상회(123-45-67890)", ["123-45-67890"]),
    ("사업자등록번호: 1234567890", ["1234567890"]),
    ("사업자번호 123 - 45 - 67890", ["123 - 45 - 67890"]),
    ("사업자등록번호 123-45-*****", ["123-45-*****"]),
    ("고유번호 111-82-01234", ["111-82-01234"]),
    ("사업자등록(등록번호 : 123-45-67890)", ["123-45-67890"]),
    ("123-45-67890,124-46-67891", ["123-45-67890", "124-46-67891"]),
]
NEAR_MISSES = [
    "사업자등록번호 1 생략",
    "000-00-00000",
    "***-**-*****",
    "1123-45-67890",
    "123-45-678901",
    "123-45-67890-12",
    "12679-08-000018U",
    "1234567890",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in business.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("number", ["220-81-62517", "120-81-47521", "124-81-00998"])
def test_check_digit_of_numbers_that_companies_print_on_their_pages(number: str) -> None:
    digits = number.replace("-", "")
    assert checks.business(digits[:9]) == digits[9]


def test_made_numbers_need_no_cue() -> None:
    rng = Random(1)
    made = [made_up.business(rng) for _ in range(2000)]
    assert all(found(f"({number})") == [number] for number in made)
