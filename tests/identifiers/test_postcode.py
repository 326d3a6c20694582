"""우편번호: beside its cue or before a province, and not every five digits."""

from random import Random

import pytest

from thunder.identifiers import postcode
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("우편번호 06236", ["06236"]),
    ("우편번호: 135-080", ["135-080"]),
    ("우) 06236 서울", ["06236"]),
    ("(우) 06236 서울 강남구", ["06236"]),
    ("(우 06236)", ["06236"]),
    ("[우: 06236]", ["06236"]),
    ("주소(우) 06236", ["06236"]),
    ("(06236) 서울 강남구 테헤란로 1", ["06236"]),
    ("(135-080) 서울특별시 강남구", ["135-080"]),
    ("06236 서울 강남구 테헤란로 1", ["06236"]),
    ("우편번호\n06236", ["06236"]),
    ("〒06236", ["06236"]),
]
NEAR_MISSES = [
    "이 경우 12345원을",
    "증권(우) 50000주",
    "늑골(우) 12345",
    "우편번호부를 찾아서",
    "우편번호와 주소를 적어",
    "(12345)",
    "06236 강남구",
    "12,345 서울 강남구 ",
    "99999 서울 강남구 테헤란로",
    "우편번호 1 생략",
    "우 12345명",
    "(2019) 서울 강남구",
]
CARRIERS = [
    "우편번호 {}로 보냈다.",
    "주소: (우) {} 서울 강남구",
    "({}) 경기도 수원시 팔달구",
    "송달장소(우편번호: {})",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in postcode.find(text)]


@pytest.mark.parametrize(("text", "codes"), FOUND)
def test_finds_every_form(text: str, codes: list[str]) -> None:
    assert found(text) == codes


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("seed", range(300))
def test_what_is_made_is_found_exactly(seed: int) -> None:
    rng = Random(f"postcode/{seed}")
    made = made_up.postcode(rng)
    assert found(rng.choice(CARRIERS).format(made)) == [made]
