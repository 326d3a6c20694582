"""Marks without a number: which of them are one thing and which are many; sentences invented."""

import re

import pytest

from thunder.training_data.annotation import parse
from thunder.training_data.filling import fill

SEEDS = [str(seed) for seed in range(6)]
ACCOUNT, PLATE = "<계좌번호|(계좌번호 생략)>", "<차량번호|(자동차등록번호 생략)>"
LOT = "<구아래주소|(지번 생략)>"

# A sentence with marks, and a letter for what each of them stands for.
TABLE = [
    # accounts are their holders' at their banks
    (
        f"소외 <내국인이름|소외 1>의 우리은행 예금계좌({ACCOUNT})로, 소외 <내국인이름|소외 2>의 "
        f"우리은행 예금계좌({ACCOUNT})로 보냈고, 위 {ACCOUNT} 계좌에서",
        "aXbYY",
    ),
    (f"피고인의 하나은행 계좌{ACCOUNT}로 받은 돈을 피고인의 농협 계좌{ACCOUNT}로", "XY"),
    (f"피고인의 하나은행 계좌{ACCOUNT}로 받았다. 피고인의 계좌{ACCOUNT}에서 찾았다.", "XX"),
    # plates by their region and vehicle
    (f"서울 {PLATE} 마티즈 승용차와 광주 {PLATE} 그랜져 승용차의", "XY"),
    (f"서울 {PLATE} 마티즈 승용차를 타고, 위 서울 {PLATE} 번호판을", "XX"),
    (
        f"서울({PLATE}) 마티즈 승용차와 광주({PLATE}) 그랜져 승용차를, 위 서울({PLATE}) 번호판",
        "XYX",
    ),
    # addresses by the place that is named, not by the words before it
    (
        f"담장과 연접한 울산 중구 교동 {LOT} 대지와 위 {LOT} 대지 사이, 울산 중구 교동 {LOT} 대지",
        "XXX",
    ),
    (f"울산 중구 교동 {LOT} 대지 및 그 지상 주택(이하 ‘{LOT} 부동산’이라 한다)", "XX"),
    (f"서울 강남구 역삼동 {LOT}, {LOT}, {LOT} 각 토지", "XYZ"),
    (
        "춘천시 <행정동|○○>동 <동아래주소|○○○>-7은 길이다. 원고는 농사를 지었다. "
        "다만 <행정동|○○>동 <동아래주소|○○○>-9는 밭이다.",
        "aXaX",
    ),
    (
        "구리시 <행정동|○○>동(이하‘<행정동|○○>동’이라 한다) <동아래주소|○○○>-7등 9필의 토지 중 "
        "<행정동|○○>동 <동아래주소|○○○>-9는",
        "aaXaX",
    ),
    (
        "부산 <시아래주소|(주소 생략)>에 있는 자신이 운영하던 ‘<불특정회사명|○○○>’에서 만났고, "
        "부산 <시아래주소|(주소 생략)> 소재 <불특정회사명|○○○>에서",
        "XaXa",
    ),
    (
        "김포시 감정동 <동아래주소|△△△-◇> 대 9㎡와 같은 동 <동아래주소|△△△-□> 도로 2㎡, 김포시 "
        "감정동 <동아래주소|△△△-◇>",
        "XYX",
    ),
    # persons with a surname shown
    ("피해자 <내국인이름|이OO>과 피해자 <내국인이름|이○○>을 위하여", "XX"),
    (
        "종원 <내국인이름|정○○>, <내국인이름|정○○>과 망 <내국인이름|정○○>, 위 <내국인이름|정○○>",
        "XYZX",
    ),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("marked", "same"), TABLE)
def test_what_is_one_is_told_by_the_words_around(marked, same, seed):
    read = parse(re.sub(r"<([가-힣]+)\|([^>]+)>", r"<<<\1>>>\2<<</\1>>>", marked))
    text, spans = fill(read.text, read.spans, key=b"one", document_id=seed)
    values = [text[span.start : span.end] for span in spans]
    assert len(values) == len(same)
    for value, one in zip(values, same, strict=True):
        expected = values[same.index(one)]
        assert value == expected, text
    assert len(set(values)) == len(set(same)), text
