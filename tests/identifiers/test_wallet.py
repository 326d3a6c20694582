"""비트코인개인지갑: addresses by form, checked or not, whole or broken; other strings by cue."""

from random import Random

import pytest

from thunder.identifiers import checks, wallet
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("지갑주소 1Kh67sD1VyRwQb1EMZdMD1mPuQNPtGUmQL로", ["1Kh67sD1VyRwQb1EMZdMD1mPuQNPtGUmQL"]),
    ("382ReeSmC49Nu55aEG63bRW67yUnhRdQDM로", ["382ReeSmC49Nu55aEG63bRW67yUnhRdQDM"]),
    (
        "지갑 1Kh67sD1VyRwQb1EMZdMD1mPuQNPtGUmQb",
        ["1Kh67sD1VyRwQb1EMZdMD1mPuQNPtGUmQb"],
    ),  # miscopied
    ("전자지갑 1HM48Q2R6J9X3L5M7Z82A4VTXP3JKLRI0 에", ["1HM48Q2R6J9X3L5M7Z82A4VTXP3JKLRI0"]),
    (
        "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq에",
        ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
    ),
    (
        "0xdAC17F958D2ee523a2206206994597C13D831ec7로",
        ["0xdAC17F958D2ee523a2206206994597C13D831ec7"],
    ),
    ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t 지갑", ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"]),
    ("리플 주소 rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh", ["rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh"]),
    ("개인지갑(a1b2c3d4e5f6g7h8i9j0k1l2m3n4)", ["a1b2c3d4e5f6g7h8i9j0k1l2m3n4"]),
    ("트랜잭션 해시 " + "e3b0c442" * 8, ["e3b0c442" * 8]),
    (
        "전자지갑(1Kh67sD1VyRwQb1\nEMZdMD1mPuQNPtGUmQL)으로",
        ["1Kh67sD1VyRwQb1\nEMZdMD1mPuQNPtGUmQL"],
    ),
    (
        "0xdAC17F958D2ee523a22\r\n06206994597C13D831ec7로",
        ["0xdAC17F958D2ee523a22\r\n06206994597C13D831ec7"],
    ),
    ("1Kh67sD1VyRwQb1EMZdMD1mPuQNPtGUmQL\nBitcoin을", ["1Kh67sD1VyRwQb1EMZdMD1mPuQNPtGUmQL"]),
]
NEAR_MISSES = [
    "지갑에서 현금 300,000원을 꺼내",
    "해시값은 ‘0123456789ABCDEF0123456789ABCDEF’이다",
    "파일의 SHA-256 해시값 " + "e3b0c442" * 8,
    "METHYLETHYLPROPYLBUTYLPENTANOL",
    "연도 2004200520062007200820092010",
    "550e8400-e29b-41d4-a716-446655440000",
    "(전자지갑 명칭 1 생략)",
    "지갑주소 1 생략",
    "비트코인 12.34567890개를",
    "카드번호 1234-5678-1234-5678",
    "관리번호 K1234567AB0120304050607",
    "지갑 MethylethylpropylbutylPentanol",
]
CARRIERS = [
    "피고인은 지갑주소 {}로 비트코인을 보냈다.",
    "가상자산 지갑({})에서",
    "전자지갑 주소는 {}이고",
    "주소: {}\n그 후 피고인은",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in wallet.find(text)]


@pytest.mark.parametrize(("text", "addresses"), FOUND)
def test_finds_every_form(text: str, addresses: list[str]) -> None:
    assert found(text) == addresses


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("seed", range(300))
def test_what_is_made_is_found_exactly(seed: int) -> None:
    rng = Random(f"wallet/{seed}")
    made = made_up.wallet(rng)
    assert found(rng.choice(CARRIERS).format(made)) == [made]


def test_a_check_raises_the_score_and_vetoes_nothing() -> None:
    right, wrong = "1Kh67sD1VyRwQb1EMZdMD1mPuQNPtGUmQL", "1Kh67sD1VyRwQb1EMZdMD1mPuQNPtGUmQb"
    assert checks.is_base58(right) and not checks.is_base58(wrong)
    scores = [span.score for text in (right, wrong) for span in wallet.find(text)]
    assert len(scores) == 2 and scores[0] > scores[1] > 0


@pytest.mark.parametrize("place", range(8, 30))
def test_a_line_may_end_anywhere_within(place: int) -> None:
    made = made_up.base58check(Random(place), 0)
    broken = made[:place] + "\n" + made[place:]
    assert found(f"지갑주소 {broken}로") == [broken]
