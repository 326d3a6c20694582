"""군번: beside the word, in a list, or beside a rank."""

from random import Random

import pytest

from thunder.identifiers import military
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("군번 17-76012345", ["17-76012345"]),
    ("군번: 95-12345인 소위", ["95-12345"]),
    ("군번은 05-123456이다", ["05-123456"]),
    ("군번(17-76012345)", ["17-76012345"]),
    ("군번 12345678을 받았다", ["12345678"]),
    ("군번 제12345호", ["12345"]),
    ("군번이 ‘17-76012345’로", ["17-76012345"]),
    ("(군번 17-76012345, 17-76012346)", ["17-76012345", "17-76012346"]),
    ("육군 상병 홍길동(17-76012345)은", ["17-76012345"]),
    ("17-76012345(군번)", ["17-76012345"]),
    ("군번\n17-76012345", ["17-76012345"]),
    ("군번 17 - 76012345", ["17 - 76012345"]),
]
NEAR_MISSES = [
    "군번을 부여받은 2010. 3. 5.",
    "군번 2010. 3. 5. 부여",
    "군번 없는 영웅의 군번줄",
    "(군번 1 생략)",
    "군번이 ‘(군번 2 생략)’으로",
    "군번 △△-○○○○",
    "군번 17-7601****",
    "홍길동(17-76012345)은",
    "상병 진단서(2010. 3. 5.)",
    "하사 홍길동(02-123-4567)",
    "군번 1개",
    "중사 3명, 12-3456789",
]
CARRIERS = [
    "피고인(군번 {})은 2019. 3. 5. 입대하였다.",
    "군번은 {}이다.",
    "군번: {}, 계급: 상병",
    "육군 병장 홍길동({})은",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in military.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("seed", range(300))
def test_what_is_made_is_found_exactly(seed: int) -> None:
    rng = Random(f"military/{seed}")
    made = made_up.military(rng)
    assert found(rng.choice(CARRIERS).format(made)) == [made]
