"""계좌번호: by the banks' layouts and by cues."""

from random import Random

import pytest

from thunder.identifiers import account
from thunder.taxonomy.lexicon import account_layouts
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("신한은행 계좌(110-123-456789)로 송금", ["110-123-456789"]),
    ("국민은행 계좌(계좌번호: 123456-01-123456)", ["123456-01-123456"]),
    ("농협 계좌(301-0123-4567-81)", ["301-0123-4567-81"]),
    ("우리은행 1002-123-456789", ["1002-123-456789"]),
    ("하나은행 123-910123-45607", ["123-910123-45607"]),
    ("기업은행 123-456789-01-011", ["123-456789-01-011"]),
    ("카카오뱅크 3333-01-1234567", ["3333-01-1234567"]),
    ("토스뱅크 1000-1234-5678", ["1000-1234-5678"]),
    ("새마을금고 9002-1234-5678-9", ["9002-1234-5678-9"]),
    ("우체국 012345-01-234567", ["012345-01-234567"]),
    ("국민 123456-04-123456", ["123456-04-123456"]),
    ("110-123-456789", ["110-123-456789"]),
    ("계좌번호 11012345678901", ["11012345678901"]),
    ("농협은행 3010123456781로 입금", ["3010123456781"]),
    ("계좌번호 12345678", ["12345678"]),
    ("증권계좌(12345678-01)", ["12345678-01"]),
    ("계좌번호 110 123 456789", ["110 123 456789"]),
    ("계좌번호 110 - 123 - 456789", ["110 - 123 - 456789"]),
    ("계좌(123-***-456789)", ["123-***-456789"]),
    ("경남은행 계좌(612-21-*******)", ["612-21-*******"]),
    ("신한은행 11049705****", ["11049705****"]),
    ("123-45-678-9012345 계좌로", ["123-45-678-9012345"]),
    ("홍길동 명의의 계좌인 1-23-456-789012345로", ["1-23-456-789012345"]),
    ("계좌번호는 110-123-456789이다", ["110-123-456789"]),
    ("계좌번호 110-123-456789, 110-123-456790", ["110-123-456789", "110-123-456790"]),
    ("계좌번호 110-123-456789,110-123-456790", ["110-123-456789", "110-123-456790"]),
    ("예금계좌(예금주 홍길동, 110123456789)", ["110123456789"]),
]
NEAR_MISSES = [
    "계좌번호 1 생략",
    "(계좌번호 12 생략)",
    "***-****-****",
    "000-000-000000",
    "계좌로 2020. 3. 5. 송금",
    "계좌 20200305",
    "계좌로 1,234,567,890원을",
    "은행으로부터 2002-313353 출원",
    "입금 2015-12-09",
    "계좌이체 102015-12-09",
    "현대오일뱅크635870505320314",
    "보험증권번호 60680-173051",
    "공개특허공보 10-2019-0012345",
    "12679-08-000018U",
    "110123456789",  # unbroken, and nothing says account
    "은행(0.56%)019115112-28",  # a table's cells without their borders
    "■■은행 계좌(000000-00000004)",
    "피고의 발명의 2002-313353",
]


def found(text: str) -> list[str]:
    return sorted({text[span.start : span.end] for span in account.find(text)}, key=text.index)


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("bank", sorted(account_layouts()))
def test_every_layout_of_a_bank_is_found_beside_its_name(bank: str) -> None:
    for layout in account_layouts()[bank]:
        number = "-".join("1357924680135"[: int(size)] for size in layout.split("-"))
        assert found(f"{bank} 계좌 {number}으로") == [number]


def test_made_numbers_are_found_after_the_cue() -> None:
    rng = Random(1)
    made = [made_up.account(rng) for _ in range(4000)]
    missed = [number for number in made if found(f"계좌({number})로 송금") != [number]]
    assert missed == []
