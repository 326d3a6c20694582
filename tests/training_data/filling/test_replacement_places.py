"""What is filled in fits its place: the address what is said around it, the person their sex."""

import re

import pytest

from thunder.taxonomy import gazetteer
from thunder.training_data.annotation import parse
from thunder.training_data.filling import fill
from thunder.training_data.lists import load
from thunder.training_data.mention_makers.names import FEMALE, MALE, _cohorts

SEEDS = [str(seed) for seed in range(12)]


def mark(label: str, placeholder: str = "B") -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def mentions(marked: str, seed: str) -> list[str]:
    annotated = parse(marked)
    text, spans = fill(annotated.text, annotated.spans, key=b"test", document_id=seed)
    return [text[span.start : span.end] for span in spans]


BELOW = mark("구아래주소")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "shape"),
    [
        (f"서울 강남구 {BELOW}동에 있는", r"[가-힣]+"),
        (f"경기 양평군 {mark('군아래주소')}리에 있는", r"(?:[가-힣]+[읍면] )?[가-힣]+"),
        (f"서울 강남구 {BELOW}번지에 있는", r"(?:[가-힣0-9]+ )+[0-9]+(?:-[0-9]+)?"),
        (f"서울 강남구 {BELOW}로 12에 있는", r"[가-힣0-9]+"),
        (f"서울 강남구 역삼동 {BELOW}에 있는", r"(?:산 )?[0-9]+(?:-[0-9]+)?(?:번지)?"),
        (f"서울 강남구 테헤란로 {BELOW}에 있는", r"[0-9]+(?:-[0-9]+)?"),
        (f"서울 강남구 {BELOW} 주민센터에서", r"[가-힣]+[0-9]*동"),
        (f"서울 강남구 {BELOW} 일대에서", r"[가-힣]+[0-9]*동"),
    ],
)
def test_an_address_is_as_deep_as_what_stands_behind_it_allows(marked, shape, seed):
    (address,) = mentions(marked, seed)
    assert re.fullmatch(shape, address)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("before", "districts"),
    [
        ("부산 진구 ", ["부산광역시 부산진구"]),  # as people say
        ("전북 고창에 있는 ", ["전북특별자치도 고창군"]),
        ("강남구 역삼동 12에서 나와 같은 구 ", ["서울특별시 강남구"]),  # said before
        ("피고인은 강남구에서 만나 그날 ", ["서울특별시 강남구"]),
    ],
)
def test_an_address_lies_where_the_text_says(before, districts, seed):
    (address,) = mentions(f"{before}{BELOW}에 있는", seed)
    known = {town for district in districts for town in gazetteer.below(district)}
    stems = tuple(re.sub(r"[0-9]*[동읍면가]$", "", town) for town in known)
    assert address.startswith(stems)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_address_goes_as_deep_as_its_label_where_nothing_is_said(seed):
    (address,) = mentions(f"피해자는 {BELOW}에 있는", seed)
    assert not re.search(r"(?:특별시|광역시|[가-힣]도|[가-힣]{2,}구) ", address)
    (whole,) = mentions(f"피해자는 {mark('주소')}에 있는", seed)
    assert re.search(r"[시군구] ", whole)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_division_lies_in_the_one_before_it(seed):
    (dong,) = mentions(f"울산 남구 {mark('행정동')} 소재", seed)
    assert dong in gazetteer.below("울산광역시 남구")
    (village,) = mentions(f"울주군 언양읍 {mark('행정리')} 소재", seed)
    assert village in gazetteer.villages("언양읍")


@pytest.mark.parametrize("seed", SEEDS)
def test_an_address_lies_in_a_district_that_was_filled_in_before_it(seed):
    district, address = mentions(f"피고인은 {mark('행정구', 'Y')} {BELOW}에 있는", seed)
    known = [full for full in gazetteer.district_names() if full.endswith(f" {district}")]
    towns = {town for full in known for town in gazetteer.below(full)}
    stems = tuple(re.sub(r"[0-9]*[동읍면가]$", "", town) for town in towns)
    assert address.startswith(stems)


def test_land_has_a_lot_and_no_house_number():
    for seed in range(60):
        for label in ("임야", "토지", "필지"):
            (place,) = mentions(f"경기 양평군 {mark(label)} 토지를", str(seed))
            assert not re.search(r"[로길] [0-9]", place)


_GIVEN = {
    sex: {name for cohort in _cohorts()[sex] for name in cohort.whole} for sex in (MALE, FEMALE)
}


@pytest.mark.parametrize(
    ("marked", "sex"),
    [
        ("B(남, 49세)", MALE),
        ("B(가명, 여, 20세)", FEMALE),
        ("피고인의 누나 B는", FEMALE),
        ("피고인의 남자친구인 B의", MALE),
        ("아들인 피해자 B은", MALE),
        ("여종업원 B의", FEMALE),
        ("처 소외 B와", FEMALE),
        ("B의 남편인", FEMALE),
        ("B의 처가 운영하는", MALE),
        ("B에게 다가가 그녀의 손목을", FEMALE),
        ("피해자 B을 끌어안고 옷을 들추어 브래지어 속으로 손을", FEMALE),
        ("피고인 B은 피해자의 치마를", ""),
        ("B의 처제(여, 20세)", ""),  # in-laws tell nothing of each other's sex here
        ("B에게 다가간 C를 보고 그녀의", ""),  # whose?
    ],
)
def test_a_person_is_of_the_sex_that_the_text_says(marked, sex):
    marked = marked.replace("B", mark("내국인이름"), 1)
    given = [mentions(marked, str(seed))[0][1:] for seed in range(60)]
    men = sum(name in _GIVEN[MALE] - _GIVEN[FEMALE] for name in given)
    women = sum(name in _GIVEN[FEMALE] - _GIVEN[MALE] for name in given)
    if sex:
        assert (women if sex == MALE else men) == 0 < (men if sex == MALE else women)
    else:
        assert men and women


def test_what_stands_behind_a_name_is_not_said_twice():
    for seed in SEEDS:
        (firm,) = mentions(f"피고인은 {mark('대리운전회사')} 대리운전 사업을", seed)
        assert not firm.endswith("대리운전")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "who"),
    [
        # in law reports a number has a role, and means nobody without it
        ("원고 {1}, 원고 {2}, 소외 {1}, 피고 {2}", "abcd"),
        ("원고 {1}과 피고 {1}은 원고 {1}에게", "aba"),
        ("원고 {1}, {2}는 소외 {2}에게, 원고 {2}는", "abcb"),
        ("피고(반소원고) {1}은 피고 {1}이다", "aa"),
        ("공동피고인 {1}과 피고인 {1}", "ab"),
    ],
)
def test_a_number_means_another_person_in_another_role(marked, who, seed):
    placed = re.sub("{([12])}", lambda match: mark("내국인이름", match[1]), marked)
    names = mentions(placed, seed)
    assert len(set(names)) == len(set(who))
    assert all((a == b) == (x == y) for a, x in zip(names, who, strict=True)
               for b, y in zip(names, who, strict=True))  # fmt: skip


def test_an_address_without_a_number_is_told_apart_by_its_district():
    hidden = mark("구아래주소", "주소 생략")
    one, other, again = mentions(
        f"서울 강남구 {hidden}에서 부산 중구 {hidden}로, 다시 서울 강남구 {hidden}에", "1"
    )
    assert one == again != other


def test_before_a_university_hospital_stands_the_name_of_a_university():
    universities = set(load().mentions("대학교"))
    for seed in SEEDS:
        (name,) = mentions(f"{mark('병원')}대학교병원에서", seed)
        assert {name, f"{name}대", f"{name}대학교"} & universities


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (mark("없는것"), "doc 7: unknown label '없는것'"),
        (" ".join(mark("세례명", f"B{at}") for at in range(2000)), "doc 7: no draw gave a new"),
    ],
)
def test_what_cannot_be_filled_names_the_document(marked, message):
    annotated = parse(marked)
    with pytest.raises(LookupError, match=message):
        fill(annotated.text, annotated.spans, key=b"test", document_id="doc 7")
