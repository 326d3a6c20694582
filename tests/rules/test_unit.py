"""Building and unit numbers: the number is marked, 동 and 호 stay; statutes are left alone."""

import unicodedata
from random import Random

import pytest

from thunder.korean import fold
from thunder.rules import unit

FOUND = [
    ("한빛아파트 101동 1203호에서", [("101", "동"), ("1203", "호")]),
    ("한빛아파트 제101동 제1203호", [("101", "동"), ("1203", "호")]),
    ("나래빌라 가동 201호", [("가", "동"), ("201", "호")]),
    ("나래빌라 가동 제201호", [("가", "동"), ("201", "호")]),
    ("A동 302호에 거주하는", [("A", "동"), ("302", "호")]),
    ("에이동 101호를 임차하였다", [("에이", "동"), ("101", "호")]),
    ("3동 201호 피고인의 집", [("3", "동"), ("201", "호")]),
    ("101동 12층 1203호", [("101", "동"), ("1203", "호")]),
    ("제101동 제12층 제1203호", [("101", "동"), ("1203", "호")]),
    ("한빛빌딩 지하 101호", [("101", "호")]),
    ("한빛빌딩 3층 302호에 있는", [("302", "호")]),
    ("한빛빌딩 제3층 제302호", [("302", "호")]),
    ("새롬고시원 101호실에서", [("101", "호")]),
    ("한빛병원 808호 병실에서", [("808", "호")]),
    ("별빛모텔 203호에 투숙하여", [("203", "호")]),
    ("호텔나래 909호로 오도록", [("909", "호")]),
    ("이 사건 건물 501호, 601호와 701호", [("501", "호"), ("601", "호"), ("701", "호")]),
    ("D동 401, 402, 403호", [("D", "동"), ("401", "호"), ("402", "호"), ("403", "호")]),
    ("제1층 제101호 내지 제105호", [("101", "호"), ("105", "호")]),
    ("서울 강남구 테헤란로 123, 1203호", [("1203", "호")]),
    ("역삼동 1389-24, 807호에 있는", [("807", "호")]),
    ("한빛아파트 113동 엘리베이터에서", [("113", "동")]),
    ("한빛아파트 가동 앞 노상", [("가", "동")]),
    ("위 아파트 7동 현관에서", [("7", "동")]),
    ("한빛아파트 나동 3~4라인에서", [("나", "동")]),
    ("역삼동 76-20 소재 405호 사무실", [("405", "호")]),
    ("한빛아파트 101-1203", [("101-1203", "호")]),
    ("한빛상가 B101호", [("B101", "호")]),
    ("지하층 제비01호", [("비01", "호")]),
    ("302호에 거주하는 피해자", [("302", "호")]),
    ("한빛빌라 201호에서 나와 위 603호로 갔다", [("201", "호"), ("603", "호")]),
    ("한빛아파트 B동 302호, 위 B동 옥상", [("B", "동"), ("302", "호"), ("B", "동")]),
]

NEAR_MISSES = [
    "관세율표상의 품목번호 8541호 또는 8542호로 신고하였고, 위 8541호는",
    "서울특별시 고시 제2020-12호",
    "법률 제6179호로 개정되기 전의 것",
    "갑 제1호증, 을 제101호증의 2",
    "제3조 제1항 제3호, 같은 조 제12호",
    "별지 1호 서식, 별표 제2호",
    "지하철 2호선 강남역, 국도 3호, 태풍 12호",
    "공무원 2호봉, 엘리베이터 3호기, 객차 2호차",
    "서관 514호 법정에서",
    "서울중앙지방법원 512호에서",
    "서울고등검찰청 318호 검사실",
    "서울남부교도소 5동 3실",
    "서울구치소 제10동 1807호",
    "건설교통부령 제206호, 대통령령 제18034호",
    "2018타채5087호, 2019카합85호",
    "접수 제1257호로 마친 근저당권설정등기",
    "주택 386호를 공공임대로 공급하였다",
    "비닐하우스 26동, 창고 1동과 건물 8동 및 부지",
    "총 120동을 지었다",
    "공장 가동 중단, 설비 가동 시간",
    "한빛식당 2호점을 열었다",
    "헬기 512호, 예인선 삼호 3호",
    "「제1호」의 저작물",
    "장해등급 제5급 8호",
    "서울 강남구 역삼1동 앞",
    "1층 2호실",
    "안전보장이사회 결의 1373호",
    "베트남 화폐 3,000동",
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_numbers_of_buildings_and_units(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(text[s.start : s.end], s.label) for s in unit.find(text)] == expected


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_what_is_no_unit_stays(text: str) -> None:
    assert [text[s.start : s.end] for s in unit.find(text)] == []


@pytest.mark.parametrize("form", ["NFC", "NFD", "full-width"])
def test_made_units_are_found_after_an_apartment(form: str) -> None:
    for seed in range(500):
        rng = Random(seed)
        made = unit.make(rng)
        block, _, house = made.removesuffix("호").partition("동 ")
        text = f"피고인은 한빛아파트 {made}에서 300만 원을 훔쳤다."
        if form == "NFD":
            text = unicodedata.normalize("NFD", text)
        if form == "full-width":
            text = text.translate({code: code + 0xFEE0 for code in map(ord, "0123456789")})
        folded = fold(text)
        found = [folded.text[s.start : s.end] for s in unit.find(folded.text)]
        assert found == [block.removeprefix("제"), house.removeprefix("제")], seed
        for span in unit.find(folded.text):
            original = folded.original(span)
            piece = unicodedata.normalize("NFKC", text[original.start : original.end])
            assert piece == folded.text[span.start : span.end]


def test_long_lists_take_linear_time() -> None:
    text = "한빛건물 101호, " + "102호, " * 5000
    assert sum(1 for _ in unit.find(text)) == 5001
