"""Values that fit the words on both sides, and land that lies beside other land."""

import re

import pytest

from thunder.training_data.annotation import parse
from thunder.training_data.filling import facts, fill

SEEDS = [str(seed) for seed in range(8)]


def filled(marked: str, seed: str) -> tuple[str, list[str]]:
    """Return a text with marks like <동아래주소|A> filled, and what the marks became."""
    read = parse(re.sub(r"<([가-힣]+)\|([^>]+)>", r"<<<\1>>>\2<<</\1>>>", marked))
    text, spans = fill(read.text, read.spans, key=b"beside", document_id=seed)
    return text, [text[span.start : span.end] for span in spans]


# What must be found in the text once its marks are filled.
FITS = [
    ("구리시 교문동 <동아래주소|○○○>-7 등 9필의 토지", r"교문동 (?:산 ?)?[0-9]+-7 등"),
    ("구리시 교문동에 있는 아파트 <호|(동. 호수 생략)>호를", r"[0-9]동 [0-9]+호를"),
    ("공군 제<군부대|○○>전투비행단장이", "공군 제[0-9]+전투비행단장이"),
    ("해군 <군부대|○○>함대 사령관이", "해군 제[0-9]+함대 사령관이"),
    ("용인시 <시아래주소|(주소 1 생략)><아파트|○○>아파트에서", "[^ ] [^ ]+아파트에서"),
    (
        "2002. 5. 1. 서울 <차량번호|(차량번호 생략)> 승용차를",
        r"서울 [0-9]{1,2}[가-힣] ?[0-9]{4} 승",
    ),
    (
        "2010. 5. 1. <차량번호|(차량번호 생략)> 승용차를",
        r"(?<![0-9])[0-9]{1,2} ?[가-힣] ?[0-9]{4} 승",
    ),
    ("피고인의 휴대전화(<휴대폰번호|B>)는 2019. 3. 4.", r"\(010\)?[-. ]?[0-9]"),
    ("강릉시 <시아래주소|(주소 생략)>아파트 지하주차장", "[0-9] [가-힣A-Z]{2,}아파트 지하"),
    (
        "1911. 9. 15. 경기 안성군 <군아래주소|(지번 생략)> 답 507평을",
        "안성군 [가-힣0-9]+[읍면] [가-힣]+리",
    ),
    ("대전 유성구 <구아래주소|(지번 생략)> 토지 69평과 그 지상 3층 건물", "유성구 (?!.*산 ?[0-9])"),
    (
        "2015. 3. 2. 원고 갑[<날짜|(날짜 1 생략)> 퇴직]은",
        r"\[2015\. [0-9]{1,2}\. [0-9]{1,2}\. 퇴직",
    ),
    ("원고는 2015. <날짜|(날짜 1 생략)> 퇴직하였다.", r"2015\. [0-9]{1,2}\. [0-9]{1,2}\. 퇴직"),
    (
        "서울 중구 <행정동|○○>동1가 104 대 12㎡를",
        "중구 (?:봉래|회현|명|남산|저|필|장충|광희|인현|만리)동1가",
    ),
    (
        "2017. 3. 10. 대표자(<생년월일|(생년월일 생략)>생)는",
        r"\(19[5-8][0-9]\. [0-9]+\. [0-9]+\.생",
    ),
    ("2019. 4. 4. 피해자 갑(1세, <생년월일|(생년월일 1 생략)> 출생)을", r"1세, 2018\. "),
    ("2011. 9. 30. 소유자 갑(<주민등록번호|B>)에게", r"\([3-9][0-9]{5}-?[12][0-9]{6}\)"),
    (
        "경주시 산내면 <읍아래주소|(이하 생략)> 외 10필지의",
        "산내면 (?:감산|내칠|내일|대현|신원|외칠|우라|의곡|일부)리",
    ),
    ("2004. 2. 5. 어음번호 <어음번호|(어음번호 1 생략)>, 액면금", r"어음번호 (?![0-9]{20})"),
    ("괴산경찰서 <지구대|□□>지구대에서", ""),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("marked", "wanted"), FITS)
def test_what_is_filled_in_fits_the_words_on_both_sides(marked, wanted, seed):
    text, _ = filled(marked, seed)
    assert re.search(wanted, text), text
    assert "호호" not in text
    assert "고속도로고속도로" not in text


@pytest.mark.parametrize("seed", SEEDS)
def test_a_road_before_expressway_is_an_expressway(seed):
    assert filled("<도로|○○>고속도로에서", seed)[1][0] in facts.lines("parts/expressways.txt")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_medical_school_is_of_a_university_that_has_one(seed):
    (name,) = filled("<대학교|B>대학교 의과대학 부속병원의 진단서", seed)[1]
    assert name in facts.lines("parts/universities_of_medicine.txt")


@pytest.mark.parametrize(
    ("marked", "listed"),
    [
        ("근로복지공단 <병원|○○ 2>병원에서 우측 대퇴골 수술을", "labour_hospitals"),
        ("아나운서 <대학교|○○>여대 이상은", "universities_of_women"),
        ("사망시까지 <공사및공단|○○○○○○>공단 산하 요양기관에서", "public_agencies"),
        ("피고 <공사및공단|○○○○>공사가 시행한", "public_corporations"),
        ("<불특정회사명|○○>포탈이라는 인터넷 정보검색 사이트", "online_names"),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_noun_beside_a_mark_asks_for_names_that_bear_it(marked, listed, seed):
    assert filled(marked, seed)[1][0] in facts.lines(f"parts/{listed}.txt")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_firm_abroad_has_a_name_in_latin_letters(seed):
    (name,) = filled("단말기의 MPU는 미국 공소외 <불특정회사명|공소외 2> 회사의 칩이다.", seed)[1]
    assert name in facts.lines("parts/business_latin.txt")


@pytest.mark.parametrize("seed", SEEDS)
def test_physicians_are_of_a_body_of_physicians(seed):
    (name,) = filled("<협회|○○○○>협회 의사의 소견은", seed)[1]
    assert name in facts.lines("parts/body_physicians.txt")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_station_of_the_police_lies_in_the_district_of_the_police(seed):
    (branch,) = filled("청주지방법원. 괴산경찰서 <지구대|□□>지구대에서", seed)[1]
    assert branch in facts.names_at(facts.Where(frozenset({"충북"}), "괴산군"))
    police, branch = filled("<경찰서|○○>경찰서 <지구대|□□>지구대에서", seed)[1]
    full = facts.district_of(police)
    where = (
        facts.Where(frozenset({facts.short(full.split()[0])}), full.split()[1]) if full else None
    )
    assert where is None or branch in facts.names_at(where)


LOT = "<시아래주소|(주소 1 생략)>", "<시아래주소|(주소 2 생략)>"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_said_elsewhere_of_the_place_and_the_thing_counts(seed):
    marked = "서울고법 2017. 8. 1. 선고. <공원|○○>근린공원은 2006. 11. 23. 서대문구고시 제1호로"
    _, (park, *_) = filled(marked, seed)
    here = facts.Where(frozenset({"서울"}), "서대문구")
    assert not facts.says_elsewhere(park, here.provinces)
    (branch, *_) = filled("직영하는 음식점인 <지점|(지점명 1 생략)>에 공급하여", seed)[1]
    assert " " not in branch
    _, (firm, *_) = filled("<불특정회사명|○○> 공사현장에서", seed)
    assert firm not in facts.lines("parts/public_corporations.txt")
    text, _ = filled("소외 회사의 <공사및공단|○○○○○○>공단 지사장에 대한", seed)
    assert "공사공단" not in text


# Marks of land that lie in one 동·리.
TOGETHER = [
    f"정읍시 {LOT[0]} 토지는 <주소|(주소 2 생략)> 내지 <주소|(주소 3 생략)> 토지로 분할되었다.",
    f"구리시 {LOT[0]} 지상 2층 건물이 구리시 {LOT[1]} 구거 4,327㎡를",
    f"구리시 {LOT[0]} 임야와 인접한 구리시 {LOT[1]} 대지의 공시지가",
    f"관악구 {LOT[0]} 일대 120㎡, 이를 포함한 관악구 {LOT[1]} 일대 537㎡",
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("marked", TOGETHER)
def test_land_that_is_told_together_lies_together(marked, seed):
    text, lots = filled(marked, seed)
    divisions = {re.sub(" ?(?:산 ?)?[0-9]+(?:-[0-9]+)?(?:번지)?$", "", lot) for lot in lots}
    assert len(divisions) == 1, text
    assert not re.search(r"[0-9]호 (?:대지|토지|구거)", text)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_city_beside_districts_of_seoul_is_of_the_province_around_it(seed):
    _, (_, city) = filled("서울 송파구 <행정동|△△>동 및 <행정시|□□>시 일원에서", seed)
    assert city in facts.names_at(facts.Where(frozenset({"경기"}), ""))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tariff_is_of_the_year_of_its_contract(seed):
    text, _ = filled("원고는 1995. 7. 24. 개인연금저축 <보험상품|(보험명 생략)> 계약을", seed)
    assert text.count("연금") == len(["개인연금저축", "its name"])
    assert not re.search(r"\([0-9]{4}\)", text)
