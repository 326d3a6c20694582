"""선박번호와 어선번호: IMO, MMSI, certificates; a kind of tanker is no number."""

from random import Random

import pytest

from thunder.identifiers import checks, vessel
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("IMO 9074729", ["9074729"]),
    ("IMO 번호: 9074729호", ["9074729"]),
    ("IMO No. 9074728인 선박", ["9074728"]),  # a wrong check digit hides nothing
    ("MMSI 440123456", ["440123456"]),
    ("어선번호 1234567-6123456", ["1234567-6123456"]),
    ("연안자망 어선 길동호(1234567-6123456, 7.9톤)", ["1234567-6123456"]),
    ("선박번호 : 9506038-6210004", ["9506038-6210004"]),
    ("선박번호 BSR-123456", ["BSR-123456"]),
    ("어선번호는 ‘1234567’이다", ["1234567"]),
    ("어선번호 2315-204-1187654-3", ["2315-204-1187654-3"]),
    ("2315-204-1187654-3", ["2315-204-1187654-3"]),
    ("어선번호 1234567 - 6123456", ["1234567 - 6123456"]),
]
NEAR_MISSES = [
    "IMO Ⅱ Type의 선박",
    "IMO 규정 제12조",
    "TIMO 9074729",
    "선박번호 0000000-0000000",
    "(선박번호 1 생략)",
    "선박번호가 부여되지 않은",
    "1234567-6123456",
    "소외 1234567-0000000",
    "법인등록번호 110111-1234567",
    "어선 3척, 2010. 3. 5.",
    "어업면허 제1234567호",
    "IMO 12345678",
]
CARRIERS = [
    "어선번호 {}인 길동호를 팔았다.",
    "선장은 어선({})에 탔다.",
    "선박번호는 {}이다.",
    "길동호(선박번호 {}, 7.9톤)",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in vessel.find(text)]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_finds_every_form(text: str, numbers: list[str]) -> None:
    assert found(text) == numbers


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("seed", range(300))
def test_what_is_made_is_found_exactly(seed: int) -> None:
    rng = Random(f"vessel/{seed}")
    made = made_up.vessel(rng)
    assert found(rng.choice(CARRIERS).format(made)) == [made]


@pytest.mark.parametrize("seed", range(300))
def test_made_imo_numbers_are_found_and_checked(seed: int) -> None:
    number = made_up.imo(Random(seed))
    (span,) = vessel.find(f"화물선(IMO {number})")
    assert span.label == "선박번호" and span.score > 0.95
    assert checks.CHECKS["imo"](number)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("어선번호 1234567-6123456", "어선"),
        ("선박번호 1234567-6123456", "선박번호"),
        ("근해통발어선 길동호(1234567-6123456)", "어선"),
        ("화물선 길동호(1234567-6123456)", "선박번호"),
    ],
)
def test_the_cue_decides_the_label(text: str, label: str) -> None:
    assert [span.label for span in vessel.find(text)] == [label]
