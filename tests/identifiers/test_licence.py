"""운전면허번호: 2-2-6-2 by region, the older form with the region's name, others by the cue."""

from random import Random

import pytest

from thunder.identifiers import licence
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("자동차운전면허(11-82-123456-12)", ["11-82-123456-12"]),
    ("피고인은 28-19-012345-61을 제시하였다", ["28-19-012345-61"]),
    ("운전면허번호: 11 - 82 - 123456 - 12", ["11 - 82 - 123456 - 12"]),
    ("운전면허번호 서울 82-123456-12", ["서울 82-123456-12"]),
    ("갑(경기82-123456-12)", ["경기82-123456-12"]),
    ("면허번호 82-123456-12", ["82-123456-12"]),
    ("운전면허번호 118212345612", ["118212345612"]),
    ("운전면허번호 11-82-******-12", ["11-82-******-12"]),
    ("운전면허번호 11-82-1234**-12", ["11-82-1234**-12"]),
    ("의사면허(면허번호 제12345호)", ["12345"]),
]
NEAR_MISSES = [
    "면허번호 1 생략",
    "99-82-123456-12",  # no such region, no cue
    "82-123456-12",
    "11-82-123456-123",
    "2011-82-123456-12",
    "어업면허(면허번호 제11493호)",
    "2019년 운전면허를 취득하였다",
    "면허번호 2019. 3. 5. 발급",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in licence.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


def test_made_numbers_need_no_cue() -> None:
    rng = Random(1)
    made = [made_up.licence(rng) for _ in range(2000)]
    assert all(found(f"({number})") == [number] for number in made)
    assert any(not number[0].isdecimal() for number in made)
