"""카드번호: 4-4-4-4, 4-6-5, 4-6-4, unbroken, half hidden."""

from random import Random

import pytest

from thunder.identifiers import card, checks
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("신용카드(카드번호 4111-1111-1111-1111)", ["4111-1111-1111-1111"]),
    ("4111-1111-1111-1111", ["4111-1111-1111-1111"]),
    ("9410-1234-5678-9012", ["9410-1234-5678-9012"]),  # Luhn does not hold: never a veto
    ("4111 1111 1111 1111", ["4111 1111 1111 1111"]),
    ("4111 1111 1111 1111\n5555 5555 5555 4444", ["4111 1111 1111 1111", "5555 5555 5555 4444"]),
    ("카드번호 4111111111111111", ["4111111111111111"]),
    ("4111 - 1111 - 1111 - 1111", ["4111 - 1111 - 1111 - 1111"]),
    ("체크카드 4670-0850-****-****", ["4670-0850-****-****"]),
    ("법인카드(카드번호 5***-****-****-3008)", ["5***-****-****-3008"]),
    ("카드번호: 1234-56**-****-7890", ["1234-56**-****-7890"]),
    ("카드번호 411111******1111", ["411111******1111"]),
    ("아멕스 카드 3782-822463-10005", ["3782-822463-10005"]),
    ("카드 3056-930902-5904", ["3056-930902-5904"]),
]
NEAR_MISSES = [
    "카드번호 1 생략",
    "0000-0000-0000-0000",
    "****-****-****-****",
    "4111111111111111",  # sixteen digits without a cue: a table, an order number
    "2005 2004 2003 2002",
    "8100 8100 8090 8340 8150",
    "14111-1111-1111-1111",
    "4111-1111-1111-11111",
    "4111-1111-1111-1111-1",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in card.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("number", ["4111111111111111", "5555555555554444", "378282246310005"])
def test_check_digit_is_luhns(number: str) -> None:
    assert checks.CHECKS["luhn"](number)
    assert not checks.CHECKS["luhn"](number[:-1] + str((int(number[-1]) + 1) % 10))


def test_made_numbers_are_valid_and_need_no_cue() -> None:
    rng = Random(1)
    made = [made_up.card(rng) for _ in range(2000)]
    assert all(found(f"갑의 {number}을") == [number] for number in made)
    assert all(checks.CHECKS["luhn"](number.replace("-", "").replace(" ", "")) for number in made)
