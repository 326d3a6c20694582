"""What readers of filled judgments found wrong: nouns, places, families, numbers."""

import re
from random import Random

import pytest

from thunder.taxonomy import gazetteer
from thunder.training_data.annotation import parse
from thunder.training_data.filling import NOUN, facts, fill
from thunder.training_data.filling.things import OTHER_KIND
from thunder.training_data.mention_makers.addresses import detail, road
from thunder.training_data.mention_makers.names import FEMALE, MALE, _cohorts

SEEDS = [str(seed) for seed in range(25)]
NAME = "내국인이름"


def mark(label: str, placeholder: str = "B") -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def filled(marked: str, seed: str) -> str:
    read = parse(marked)
    return fill(read.text, read.spans, key=b"readers", document_id=seed)[0]


@pytest.mark.parametrize(
    ("label", "before", "after", "noun"),
    [
        ("소방서", "부산 중구 소재 ", "에서 근무하는", "소방서"),
        ("노래방", "제주시에 있는 ", "내에서", "노래"),
        ("공원", "양평군 ", " 내 전기사용", "공원"),
        ("은행", "피고인 명의의 ", " 계좌로", "은행"),
        ("교회", "", "의 신도", "교회"),
    ],
)
def test_no_institution_stands_there_without_its_noun(label, before, after, noun):
    read = parse(f"{before}{mark(label)}{after}")
    for seed in SEEDS:
        text, spans = fill(read.text, read.spans, key=b"n", document_id=seed)
        name = text.removeprefix(before).removesuffix(after)
        assert noun in name or OTHER_KIND.search(name) or name[-2:] in ("가요", "클럽", "타운"), (
            text
        )
        core, *nouns = spans
        if nouns:  # courts leave it readable: neither right nor wrong
            assert nouns[0].source == NOUN
            assert nouns[0].start == core.end


def test_a_noun_outside_is_not_said_twice():
    for seed in SEEDS:
        text = filled(f"달성군에 있는 {mark('공인중개사')}부동산에서", seed)
        assert not re.search("(?:사무소|중개|중개사|부동산|사무실)부동산", text)
        assert "영업소그룹" not in filled(f"{mark('불특정회사명')}그룹 회장의", seed)


@pytest.mark.parametrize(
    ("text", "provinces"),
    [
        (f"부산 중구에 있는 {mark('소방서')} 앞에서", {"부산"}),
        (f"김포시에 있는 {mark('우체국')}우체국 앞에서", {"경기"}),
        (f"서울 강남구에서 {mark('경찰서')} 소속 경찰관", {"서울"}),
    ],
)
def test_an_office_is_of_the_place_that_the_text_says(text, provinces):
    for seed in SEEDS:
        one = filled(text, seed)
        name = re.search(r"(?:에 있는|에서) (\S+?)(?:소방서|우체국|경찰서|(?= 앞| 소속))", one)[1]
        assert not facts.says_elsewhere(name, frozenset(provinces)), one


def test_a_post_office_lies_where_an_address_was_filled_in():
    for seed in SEEDS:
        one = filled(f"{mark('주소', 'X')}에 있는 {mark('우체국', 'Y')}우체국 앞에서", seed)
        address, office = re.fullmatch(r"(.+)에 있는 (\S+)우체국 앞에서", one).groups()
        assert not facts.says_elsewhere(office, facts.where(f"{address} ", len(address)).provinces)


@pytest.mark.parametrize(
    ("text", "filling", "provinces"),
    [
        ("대구 중구에서 그 차를", (), {"대구"}),
        ("그 차를 타고 가던 중 서울 강서구 화곡동에서", (), {"서울"}),  # said behind
        ("서울에서 B로 가서 그 차를", ((6, "충청남도 보령시 신산길 263"),), {"충남"}),
        ("B에서 서울 강남구로 가서 그 차를", ((0, "충청남도 보령시 신산길 263"),), {"서울"}),
        ("그 차를", (), set()),
    ],
)
def test_where_a_text_is_by_then(text, filling, provinces):
    assert facts.where(text, text.index("그 차"), filling).provinces == provinces


@pytest.mark.parametrize(
    ("text", "plate"),
    [
        (
            f"{mark('차량번호')} 택시에 손님을 태우고 서울 강서구",
            r"서울 ?3\d ?[바사아자] ?\d{4} 택시",
        ),
        (f"인천 서구에서 {mark('차량번호')} 버스에", r"인천 ?7\d ?[바사아자] ?\d{4} 버스"),
    ],
)
def test_the_plate_of_a_taxi_or_bus_says_its_class(text, plate):
    for seed in SEEDS:
        assert re.search(plate, filled(text, seed))


@pytest.mark.parametrize(
    ("house", "number"),
    [
        ("한빛아파트 ", r"\d{3,4}"),
        ("동신빌라 ", r"\d{3}"),
        ("별빛모텔 ", r"\d{3}"),
        ("한빛오피스텔 ", r"\d{3,4}"),
    ],
)
def test_the_number_of_a_flat_says_its_floor(house, number):
    for seed in SEEDS:
        assert re.fullmatch(rf"{house}{number}호에서", filled(f"{house}{mark('호')}호에서", seed))


@pytest.mark.parametrize(
    ("name", "year", "existed"),
    [
        ("농협중앙회", 2010, True),
        ("농협중앙회", 2014, False),
        ("NH농협", 2014, True),
        ("외환", 2016, False),
        ("중국건설은행 대흥지점", 2012, False),  # people hold no accounts there
        ("신협중앙회", 2012, False),
    ],
)
def test_which_bank_has_accounts_in_a_year(name, year, existed):
    assert facts.existed(name, year) is existed


# --- families -----------------------------------------------------------------------------------

_WHOLE = {sex: {name for one in _cohorts()[sex] for name in one.whole} for sex in (MALE, FEMALE)}


def is_of(sex: str, name: str) -> bool:
    return name[1:] not in _WHOLE[FEMALE if sex == MALE else MALE] - _WHOLE[sex]


@pytest.mark.parametrize(
    ("text", "sexes", "share"),
    [
        ("B은 C의 오빠이고, 다투었다.", {"B": MALE}, True),
        ("피해자 B은 피해자 C의 여동생이다.", {"B": FEMALE}, True),
        ("B(남, 60세)의 아들인 C를", {"B": MALE, "C": MALE}, True),
        ("C(여, 43세)은 B의 배우자이다.", {"B": MALE, "C": FEMALE}, False),
        ("B은 C의 남편으로서", {"B": MALE, "C": FEMALE}, False),
        ("B은 C의 딸이고, C(남)는", {"B": FEMALE, "C": MALE}, True),
    ],
)
def test_a_family_is_of_the_sexes_and_surnames_that_the_text_says(text, sexes, share):
    read = parse(re.sub("[BC]", lambda letter: mark(NAME, letter[0]), text))
    letters = [read.text[span.start : span.end] for span in read.spans]
    for seed in SEEDS:
        whole, spans = fill(read.text, read.spans, key=b"family", document_id=seed)
        names = {letter: whole[s.start : s.end] for letter, s in zip(letters, spans, strict=True)}
        assert all(is_of(sex, names[letter]) for letter, sex in sexes.items()), whole
        if share:
            assert names["B"][0] == names["C"][0], whole


def test_a_coined_road_has_the_whole_name_of_a_short_place():
    for seed in range(60):
        assert road(Random(seed), "남동", abroad=0.0).startswith("남동")
        assert not road(Random(seed), "음리", abroad=0.0).endswith("대로")


@pytest.mark.parametrize(
    ("mention", "here", "elsewhere"),
    [
        ("함덕", "강원", True),
        ("함덕", "제주", False),
        ("물치", "강원", False),
        ("나리", "강원", False),  # no village alone
    ],
)
def test_a_harbour_lies_where_its_village_does(mention, here, elsewhere):
    assert facts.says_elsewhere(mention, frozenset({here}), villages=True) is elsewhere


def test_a_district_that_is_no_more_is_of_its_city():
    for seed in SEEDS:
        address = filled(f"부천시 원미구 {mark('구아래주소')}에", seed).split()[2]
        towns = gazetteer.below("경기도 부천시")
        assert address.startswith(tuple(re.sub("[0-9가]*동$", "", town) for town in towns))


def test_a_coin_singing_room_is_not_said_twice():
    for seed in SEEDS:
        text = filled(f"2층에 있는 '{mark('노래방')} 동전노래연습장' 계산대", seed)
        assert "노래방 동전" not in text


@pytest.mark.parametrize(
    ("marked", "oldest"), [(f"{mark(NAME)}(여, 2○세)를", 1990), (f"피고인의 딸 {mark(NAME)}", 1990)]
)
def test_a_name_is_of_its_generation(marked, oldest):
    young = {n for one in _cohorts()[FEMALE] if one.last_year >= oldest for n in one.whole}
    old = {n for one in _cohorts()[FEMALE] if one.last_year < 1970 for n in one.whole} - young
    for seed in SEEDS:
        read = parse(marked)
        text, (span,) = fill(read.text, read.spans, key=b"age", document_id=seed)
        assert text[span.start + 1 : span.end] not in old


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        (f"피해자(여, {mark('나이', '2○')}세)가", r"여, 2\d세"),
        (f"㈜{mark('저축은행', 'E')}의 대리인", r"㈜[^은]*(?:은행|뱅크)의"),
        (f"북구 {mark('건물', 'B')} 관리실에서", r"북구 (?!\S*(?<!상)회 관리실).+ 관리실"),
    ],
)
def test_what_is_left_of_a_word_is_kept(text, shape):
    for seed in SEEDS:
        one = filled(text, seed)
        assert re.search(shape, one), one
        assert "저축저축" not in one


def test_what_lies_on_a_floor_is_no_flat():
    for seed in SEEDS:
        text = filled(f"청주시 청원구 {mark('구아래주소')}, 2층에 있는 식당", seed)
        assert "호, 2층" not in text


def test_an_office_building_has_no_blocks_and_stands_in_no_village():
    for seed in range(4000):
        for town in ("신하리", "역삼동"):
            text = detail(Random(seed), town)
            assert not re.search(r"(?:빌딩|타워) \S*동 ", text)
            assert town != "신하리" or not re.search("빌딩|타워", text)


@pytest.mark.parametrize(
    ("mention", "text", "elsewhere"),
    [
        ("망원메디컬", "서울 강동구 ", True),
        ("망원메디컬", "서울 마포구 ", False),
        ("갈현부영", "서울 도봉구 ", True),
        ("신사하이츠", "서울 도봉구 ", False),  # 관악, 은평 and 강남 have one
        ("서대문독립", "서울 마포구 ", True),
        ("한빛", "서울 도봉구 ", False),
        ("망원메디컬", "서울에서 ", False),  # nothing is said of the district
    ],
)
def test_a_name_of_one_district_stands_in_no_other(mention, text, elsewhere):
    assert facts.says_another_district(mention, facts.where(text, len(text))) is elsewhere


def test_between_je_and_ho_stands_a_number():
    for seed in SEEDS:
        assert re.search(
            r"행 제\d+호 전동차", filled(f"오이도행 제{mark('열차번호')}호 전동차", seed)
        )


def test_what_was_in_brackets_stands_apart_from_the_word_before():
    for seed in SEEDS[:8]:
        text = filled(f"피고의 주거지{mark('구아래주소', '(주소 1 생략)')}에서", seed)
        assert text.startswith("피고의 주거지 ")


def test_a_name_that_goes_on_behind_its_mark_ends_in_no_trade():
    for seed in SEEDS:
        name = filled(f"주식회사 {mark('주식회사', '○○')}에프씨의 대표", seed)[5:].split("에프씨")[
            0
        ]
        assert not name.endswith(("건설", "산업", "제작소", "물산", "전자")), name


@pytest.mark.parametrize(
    "told",
    [
        "{A} 토지는 2012. 2. 3. {A} 전 1,401㎡와 {B} 전 592㎡로 분할되었다",
        "{A} 임야에서 분할된 {B} 임야",
        "{A} 임야 4,329평(이하 ‘이 사건 임야’라 한다)에서 분할된 {B} 임야 3,226㎡",
        "{A} 토지에서 {B} 토지가 분할되어",
        "{A} 임야 477㎡(이하 ‘토지’라 한다)는 {B} 임야 1,408㎡에서 2000. 11. 7. 분할",
        "{A} 임야는 용인시 {A} 임야 9단보(이후 8㎡, 이하 ‘토지’라 한다) 및 {B} 임야로 분할",
    ],
)
def test_a_lot_that_was_divided_off_bears_the_number_of_the_whole(told):
    marks = {one: mark("필지", f"(지번 {n} 생략)") for n, one in enumerate("AB", 1)}
    for seed in SEEDS[:8]:
        text = filled(f"용인시 양지면 제일리 {told.format(**marks)}", seed)
        whole = re.search(r"제일리 ((?:산 ?)?[0-9]+)(?:-[0-9]+)? ", text)[1]
        assert re.findall(rf"(?<![0-9]){whole}-[0-9]+", text), text


def test_what_was_bought_has_a_number():
    for seed in SEEDS:
        text = filled(f"청주시 상당구 {mark('구아래주소', '(주소 1 생략)')}을 7,200만 원에", seed)
        assert re.search("상당구 .*[0-9].*[을를] 7,200", text), text


def test_who_married_long_ago_was_born_before():
    for seed in SEEDS[:8]:
        text = filled(
            f"원고({mark('생년월일', '생년월일 생략')})는 1958. 2.경 결혼식을 올리고", seed
        )
        assert int(text.partition("(")[2][:4]) <= 1940


def test_children_of_a_case_were_born_lately_and_a_level_is_not_said_twice():
    born = mark("생년월일", "생년월일 생략")
    for seed in SEEDS[:8]:
        text = filled(f"2009. 1. 1. 별거하던 중 사건본인 {mark(NAME)}({born})을", seed)
        assert 1990 <= int(text.partition("(")[2][:4]) <= 2008
        assert "군군" not in filled(f"대한양돈협회 {mark('행정군', '○○')}군지부장", seed)
