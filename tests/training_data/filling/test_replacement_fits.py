"""What is filled in fits the words around it: land, plates, families, what an organisation is."""

import re

import pytest

from thunder.taxonomy import gazetteer
from thunder.training_data.annotation import parse
from thunder.training_data.filling import fill
from thunder.training_data.mention_makers.names import FEMALE, MALE, _cohorts

SEEDS = [str(seed) for seed in range(10)]


def mark(label: str, placeholder: str = "B") -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def filled(marked: str, seed: str) -> tuple[str, list[str]]:
    annotated = parse(marked)
    text, spans = fill(annotated.text, annotated.spans, key=b"fits", document_id=seed)
    return text, [text[span.start : span.end] for span in spans]


LOT = r"(?:[가-힣0-9]+[동읍면리가] )*(?:산 ?)?[0-9]+(?:-[0-9]+)?"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "shape"),
    [
        (f"강릉시 {mark('주소')} 임야 1,786㎡를", LOT),
        (f"전남 해남군 {mark('주소')} 답 2,800㎡를", LOT),
        (f"부산 기장군 {mark('주소')} 650-2, 655 토지를", r"(?:[가-힣0-9]+[동읍면리가] ?)+"),
        (f"완주군 봉동읍 둔산리\n          {mark('필지')}번지", r"(?:산 ?)?[0-9]+(?:-[0-9]+)?"),
        (f"서울 성북구 정릉동  {mark('주소')}에", r"(?:산 ?)?[0-9]+(?:-[0-9]+)?(?:번지)?"),
        (
            f"{mark('주소')}에 살다가 대구 북구 학정동 {mark('주소')}에",
            r"(?:산 ?)?[0-9]+(?:-[0-9]+)?(?:번지)?",
        ),
    ],
)
def test_land_has_a_lot_as_deep_as_the_text_leaves_open(marked, shape, seed):
    assert re.fullmatch(shape, filled(marked, seed)[1][-1])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_county_lies_in_the_province_before_it(seed):
    _, (county,) = filled(f"대구 {mark('행정군')}에서", seed)
    assert county in ("군위군", "달성군")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_province_is_not_said_again_by_a_plate(seed):
    _, (plate,) = filled(f"제주 {mark('차량번호')} 차량을", seed)
    assert plate[0].isdigit()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_motorcycle_has_the_plate_of_a_district_in_its_province(seed):
    text, (plate,) = filled(f"오토바이{mark('차량번호', '(차량번호 생략)')}를 몰았다", seed)
    assert text == f"오토바이({plate})를 몰았다"  # brackets behind a word stay
    province, district = re.fullmatch(
        r"([가-힣]{2}) ?([가-힣]{2,5}?) ?[가-힣] ?[0-9]{4}", plate
    ).groups()
    begins = {
        "경북": "경상북",
        "경남": "경상남",
        "전남": "전라남",
        "충북": "충청북",
        "충남": "충청남",
    }
    within = [
        name
        for name in gazetteer.district_names()
        if name.startswith(begins.get(province, province))
    ]
    assert any(district in name for name in within)


@pytest.mark.parametrize(
    ("before", "surface", "expected"),
    [
        ("원고", "(생년월일 1 생략)", "원고({})생"),  # they belong to the text
        ("원고 ", "(생년월일 1 생략)", "원고 {}생"),
        ("원고(", "생년월일 생략", "원고({}생"),
    ],
)
def test_brackets_stay_right_behind_a_word(before, surface, expected):
    text, (birth,) = filled(f"{before}{mark('생년월일', surface)}생", "1")
    assert text == expected.format(birth)


def test_one_omission_is_one_mention_with_and_without_brackets():
    one, other = mark("차량번호", "(차량번호 1 생략)"), mark("차량번호", "차량번호 1 생략")
    _, mentions = filled(f"차량{one} 및 위 {other} 차량", "1")
    assert len(set(mentions)) == 1


# --- families -----------------------------------------------------------------------------------


def sexes(name: str) -> set[str]:
    """Return the sexes whose given names, of any generation, hold the syllables of *name*."""
    given = name[1:]
    return {
        cohort.sex
        for cohort in _cohorts()
        if given in cohort.whole
        or (given[0] in cohort.syllables.first and given[-1] in cohort.syllables.second)
    }


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (f"피고인 {mark('내국인이름')}는 피고인의 처를 때렸다.", [MALE]),
        (f"【피 고 인】 {mark('내국인이름')}\n피고인은 술에 취하여 자신의 남편에게", [FEMALE]),
        (f"원고 {mark('내국인이름', '2')}은 면담에서 본인의 남편이", [""]),  # whose, is not said
        (f"피고인 {mark('내국인이름')}와 피고인들의 처는", [""]),
    ],
)
def test_a_party_alone_in_its_part_has_the_sex_that_the_text_gives_the_part(marked, expected):
    from thunder.training_data.filling import prepare

    annotated = parse(marked)
    groups = prepare(annotated.text, annotated.spans).groups
    assert [group.gender for group in groups] == expected


@pytest.mark.parametrize(
    "marked",
    [
        f"【원 고】 {mark('내국인이름', 'A')}\n【피 고】 {mark('내국인이름', 'B')}\n"
        "원고와 피고는 2001. 3. 4. 혼인신고를 마친 법률상 부부이다.",
        f"원고 {mark('내국인이름', 'A')}\n"
        f"원고는 소외 {mark('내국인이름', '1')}와 1993. 4. 12. 혼인하였다가",
    ],
)
def test_a_couple_is_a_man_and_a_woman(marked):
    from thunder.training_data.filling import prepare

    annotated = parse(marked)
    groups = prepare(annotated.text, annotated.spans).groups
    assert {group.gender for group in groups} == {MALE, FEMALE}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kin", ["동생인", "친형인 피해자", "부친인 소외"])
def test_brothers_sisters_and_fathers_share_a_surname(kin, seed):
    one, other = mark("내국인이름", "A"), mark("내국인이름", "B")
    _, (first, second) = filled(f"피고인은 {one}의 {kin} {other}에게", seed)
    assert first[0] == second[0] and first != second


# --- organisations ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "shape"),
    [
        (f"피고 {mark('불특정회사명')} 동창회는", "피고 .+고 동창회는"),
        (f"피고 {mark('단체명')} 입주자대표회의는", "피고 .+아파트 입주자대표회의는"),
        (f"원고 {mark('단체명')}어촌계는", "원고 .+(?<!조합)어촌계는"),
    ],
)
def test_an_organisation_is_what_the_words_around_say(marked, shape, seed):
    assert re.fullmatch(shape, filled(marked, seed)[0])


def test_behind_a_medical_corporation_stands_the_name_of_one():
    texts = [filled(f"의료법인 {mark('불특정회사명')}이 운영하는", seed)[0] for seed in SEEDS]
    assert sum("의료재단이" in text for text in texts) > len(SEEDS) / 2  # some go by less
