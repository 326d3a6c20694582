"""휴대폰번호 and 전화번호."""

from random import Random

import pytest

from thunder.identifiers import phone
from thunder.training_data.mention_makers import identifiers as made_up

MOBILE, LAND = "휴대폰번호", "전화번호"
FOUND = [
    ("휴대전화(010-1234-5678)로", [("010-1234-5678", MOBILE)]),
    ("010-1234-5678로 전화하여", [("010-1234-5678", MOBILE)]),
    ("01012345678", [("01012345678", MOBILE)]),
    ("010.1234.5678", [("010.1234.5678", MOBILE)]),
    ("010 1234 5678", [("010 1234 5678", MOBILE)]),
    ("010)1234-5678", [("010)1234-5678", MOBILE)]),
    ("(010)1234-5678", [("(010)1234-5678", MOBILE)]),
    ("010 - 1234 - 5678", [("010 - 1234 - 5678", MOBILE)]),
    ("010-12345678", [("010-12345678", MOBILE)]),
    ("0101234-5678", [("0101234-5678", MOBILE)]),
    ("011-234-5678", [("011-234-5678", MOBILE)]),
    ("016-9234-5678", [("016-9234-5678", MOBILE)]),
    ("휴대폰 0112345678", [("0112345678", MOBILE)]),
    ("010-****-5678", [("010-****-5678", MOBILE)]),
    ("010-1234-****", [("010-1234-****", MOBILE)]),
    ("+82-10-1234-5678", [("+82-10-1234-5678", MOBILE)]),
    ("+82 10 1234 5678", [("+82 10 1234 5678", MOBILE)]),
    ("82-10-1234-5678", [("82-10-1234-5678", MOBILE)]),
    ("+82-2-123-4567", [("+82-2-123-4567", LAND)]),
    ("010-1234-5678,010-2345-6789", [("010-1234-5678", MOBILE), ("010-2345-6789", MOBILE)]),
    ("02-123-4567", [("02-123-4567", LAND)]),
    ("02)1234-5678", [("02)1234-5678", LAND)]),
    ("(02) 123-4567", [("(02) 123-4567", LAND)]),
    ("전화번호 02 123 4567", [("02 123 4567", LAND)]),
    ("전화 0212345678", [("0212345678", LAND)]),
    ("031-123-4567", [("031-123-4567", LAND)]),
    ("064-1234-5678", [("064-1234-5678", LAND)]),
    ("070-1234-5678", [("070-1234-5678", LAND)]),
    ("0505-123-4567", [("0505-123-4567", LAND)]),
    ("050-1234-5678", [("050-1234-5678", LAND)]),
    ("080-123-4567", [("080-123-4567", LAND)]),
    ("FAX: 0303-1234-5678", [("0303-1234-5678", LAND)]),
    ("고객센터 1588-1234", [("1588-1234", LAND)]),
    ("1577-0001", [("1577-0001", LAND)]),
    ("전화번호 : 584-1234", [("584-1234", LAND)]),
    ("전화번호 +86-138-1234-5678", [("+86-138-1234-5678", LAND)]),
    ("2.010-1234-5678", [("010-1234-5678", MOBILE)]),
]
NEAR_MISSES = [
    "전화번호 1 생략",
    "***-****-****",
    "010-****-****",
    "2010-1234-5678",
    "110-010-1234-5678",
    "010-1234-56789",
    "01012345678901",
    "1588-1599",  # pages, years
    "1991-1992년",
    "영장번호 2023-6737",
    "갑 제1호증 102-123-4567",
    "제1588-1234호",
    "584-1234",
    "0.02-123",
    "02 123 4567",  # three cells of a table
    "1,016,923",
]


def found(text: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.label) for span in phone.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[tuple[str, str]]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


def test_made_numbers_need_no_cue() -> None:
    rng = Random(1)
    made = [made_up.phone(rng) for _ in range(4000)]
    missed = [
        number for number in made if [each for each, _ in found(f"갑의 {number}을")] != [number]
    ]
    assert missed == []
    labels = {label for number in made for _, label in found(f"갑의 {number}을")}
    assert labels == {MOBILE, LAND}
