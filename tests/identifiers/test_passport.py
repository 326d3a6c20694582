"""여권번호: M12345678, M123A4567, and foreign ones by the cue."""

from random import Random

import pytest

from thunder.identifiers import passport
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("여권번호 M12345678", ["M12345678"]),
    ("여권(번호: S12345678)", ["S12345678"]),
    ("여권번호 M123A4567", ["M123A4567"]),
    ("위조된 여권(M123A4567)을 제시", ["M123A4567"]),
    ("여권번호 JR1234567", ["JR1234567"]),
    ("중국 여권(여권번호 E12345678)", ["E12345678"]),
    ("여권번호 123456789", ["123456789"]),
    ("여권번호 M1234****", ["M1234****"]),
    ("Passport No. M12345678", ["M12345678"]),
    ("갑의 M12345678을 적었다", ["M12345678"]),
    ("여권번호가 M12345678인 여권과 R87654321인 여권", ["M12345678", "R87654321"]),
]
NEAR_MISSES = [
    "여권번호 1 생략",
    "모델명 S12345678",  # no passport in sight
    "부품 M123A4567",
    "XM12345678",
    "M123456789",
    "M12345678A",
    "여권을 2019. 3. 5. 발급받았다",
    "계좌번호 123456789",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in passport.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


def test_made_numbers_are_found_beside_the_word() -> None:
    rng = Random(1)
    made = [made_up.passport(rng) for _ in range(2000)]
    assert all(found(f"여권({number})") == [number] for number in made)
    assert {number[0] for number in made} == set("MSRGD")
