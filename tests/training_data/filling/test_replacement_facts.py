"""Mentions agree with the world: stations with their city and line, exits, banks, flats, plates."""

import re

import pytest

from thunder.taxonomy.lexicon import account_layouts
from thunder.training_data.annotation import parse
from thunder.training_data.filling import facts, fill

SEEDS = range(30)


def filled(marked: str) -> list[str]:
    """Return a text filled thirty times."""
    read = parse(marked)
    return [fill(read.text, read.spans, key=b"facts", document_id=str(seed))[0] for seed in SEEDS]


def mark(label: str, name: str) -> str:
    return f"<<<{label}>>>{name}<<</{label}>>>"


def stations(city: str, district: str, line: str = "") -> set[str]:
    return {one.name for one in facts.stations_at(city, district, line)}


def test_a_station_lies_in_the_district_and_on_the_line_that_the_text_names():
    text = f"서울 강남구 역삼동에 있는 지하철 2호선 {mark('지하철역', 'B')}역 앞 도로에서"
    for one in filled(text):
        assert re.search("2호선 (.+?)역 앞", one)[1] in {"강남", "역삼", "선릉", "삼성"}
    busan = f"부산 해운대구 우동에 있는 {mark('지하철역', 'B')} 부근에서"
    for one in filled(busan):
        name = re.search("있는 (.+?)역 부근", one)[1]
        assert name in stations("부산", "해운대구")


def test_what_lies_at_a_station_lies_in_its_part_of_the_district():
    place, name = mark("구아래주소", "B"), mark("지하철역", "C")
    text = f"서울 강남구 {place}에 있는 지하철 2호선 {name}역 앞에서"
    for one in filled(text):
        address, name = re.search("강남구 (.+?)에 있는 지하철 2호선 (.+?)역 앞", one).groups()
        assert address.startswith(name)


def test_line_station_and_exit_agree_where_all_three_are_filled():
    text = (
        f"서울 송파구에 있는 지하철 {mark('호선', 'C')}호선 {mark('지하철역', 'B')}역 "
        f"{mark('번', 'D')}번 출구 앞에서"
    )
    known = facts.stations_by_name()
    for one in filled(text):
        line, name, way_out = re.search(r"([0-9])호선 (.+?)역 ([0-9]+)번 출구", one).groups()
        here = next(found for found in known[name] if found.district == "송파구")
        assert f"{line}호선" in here.lines
        assert 1 <= int(way_out) <= here.exits


@pytest.mark.parametrize(
    ("year", "never", "some"),
    [
        (2019, {"조흥", "주택", "토스", "카카오", "아이엠", "외환", "JP모간체이스"}, {"하나"}),
        (1996, {"카카오", "케이", "우리", "KEB하나", "BNK부산"}, {"조흥", "상업", "주택"}),
    ],
)
def test_a_bank_existed_in_the_year_that_the_text_says(year, never, some):
    text = f"피고인은 {year}. 3. 2. 피해자로부터 {mark('은행', 'B')}은행 계좌로 송금받았다."
    read = parse(text)
    drawn = {
        fill(read.text, read.spans, key=b"b", document_id=str(at))[0].split("로부터 ")[1]
        for at in range(150)
    }
    names = {one.split("은행")[0] for one in drawn}
    assert not names & never
    assert names & some


@pytest.mark.parametrize("bank", ["국민은행", "농협", "새마을금고", "우체국"])
def test_an_account_is_grouped_as_its_bank_groups_them(bank):
    layouts = account_layouts()[bank.removesuffix("은행")]
    for one in filled(f"피고인은 {bank} 계좌({mark('계좌번호', 'B')})로 송금받았다."):
        number = re.search(r"\(([0-9-]+)\)", one)[1]
        sizes = "-".join(str(len(piece)) for piece in number.split("-"))
        sums = {str(sum(map(int, layout.split("-")))) for layout in layouts}
        assert sizes in (layouts if "-" in sizes else sums)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("피고인은 서울 강남구 {구아래주소}에 산다.", "[0-9]번길"),
        ("대구 달서구 {구아래주소} 앞 노상에서 피해자를 만났다.", "[0-9]호 앞|번길"),
        ("광주 서구 {구아래주소}에 있는 우리은행에서 돈을 찾았다.", "산 ?[0-9]"),
        ("부천시 {시아래주소} 지하 1층에서", r"([가-힣]+동) [0-9-]+.*\(\1"),
        ("피고인은 {차량번호} 화물차를 몰았다.", "[1-6][0-9]?[0-9][가-힣] ?[0-9]{4}"),
        ("서울 관악구 {건물} 원룸 306호에서", "정밀|물산|전자|산업|테크"),
    ],
)
def test_what_cannot_stand_at_a_place_is_not_drawn_for_it(text, never):
    marked = re.sub(r"\{(.+)\}", lambda found: mark(found[1], "B"), text)
    assert not [one for one in filled(marked) if re.search(never, one)]


def test_every_bank_of_the_list_that_ended_has_its_years():
    for name in ("조흥", "한일", "상업", "서울", "외환", "한빛", "주택", "제일"):
        assert facts.years()[name].last < 2016
    assert facts.existed("누구도모르는", 1950)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (f"서울 중구 태평로에 있는 건물 3층 {mark('호', 'B')}호에서", r"3층 3(?:0[1-9]|1[0-2])호"),
        (f"건물 지하 1층 {mark('호', 'B')}호에서", r"지하 1층 B1(?:0[1-9]|1[0-2])호"),
        (f"한빛빌라 {mark('층', 'B')}층 복도에서", "빌라 [1-5]층"),
        (f"한빛빌딩 지하 {mark('층', 'B')}층 주점에서", "지하 [1-3]층"),
        (
            f"한빛아파트 {mark('동', 'B')}동 앞에서",
            r"아파트 (?:1[0-3]\d|20\d|[1-9가-라A-D])동",
        ),
        (f"'천국' 업소 {mark('실', 'B')}방 내에서", "업소 (?:[1-9]|[12][0-9]|30)방"),
    ],
)
def test_floors_flats_and_rooms_are_such_as_a_house_has(text, fits):
    for one in filled(text):
        assert re.search(fits, one), one


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (
            f"피해자가 운행하는 {mark('차량번호', 'B')} 택시에",
            r"[가-힣]{2} ?\d{2} ?[바사아자] ?\d{4} 택시",
        ),
        (
            f"피고인 소유의 {mark('차량번호', 'B')} 승용차를",
            r"\d ?[^바사아자배하허호] ?\d{4} 승용차",
        ),
    ],
)
def test_a_plate_is_of_the_kind_of_its_vehicle(text, fits):
    for one in filled(text):
        assert re.search(fits, one), one


def test_a_taxi_has_the_province_that_the_text_speaks_of():
    for one in filled(f"대구 달서구 감삼동에서 {mark('차량번호', 'B')} 택시에 타서"):
        assert re.search(r"에서 대구", one), one


@pytest.mark.parametrize(
    ("mention", "here", "elsewhere"),
    [
        ("김천근린", "인천", True),
        ("배산역 위브 리버", "대구", True),
        ("연신내 허브캐슬", "광주", True),
        ("동국대학교영광", "제주", True),
        ("영도현대썬앤빌", "부산", False),
        ("중앙슈퍼", "대구", False),
        ("나리", "서울", False),
    ],
)
def test_a_name_that_begins_with_a_place_says_where_it_lies(mention, here, elsewhere):
    assert facts.says_elsewhere(mention, frozenset({here})) is elsewhere
    assert not facts.says_elsewhere(mention, frozenset())


@pytest.mark.parametrize(
    ("text", "provinces", "district"),
    [
        ("서울 강남구 역삼동 12에서", {"서울"}, "강남구"),
        ("대구 중구 동인동에서", {"대구"}, "중구"),
        ("고양시 덕양구 화정동에서", {"경기"}, "고양시"),
        ("서울 시내에서", {"서울"}, ""),
        ("불상지에서", set(), ""),
    ],
)
def test_where_a_text_speaks_of(text, provinces, district):
    assert facts.where(text, len(text))[:2] == (provinces, district)


def test_a_shop_is_in_no_flat_and_a_nickname_is_no_bank():
    shop = f"대전 서구 {mark('구아래주소', 'B')}에 있는 '{mark('식당', 'C')}' 식당에서"
    assert not [one for one in filled(shop) if re.search(r"[0-9]호에 있는", one)]
    both = f"갑(일명 '{mark('닉네임', 'I')}')은 {mark('은행', 'I')}은행 계좌로 보냈다."
    for one in filled(both):
        called, bank = re.search("일명 '(.+?)'\\)은 (.+?)은행", one).groups()
        assert called != bank


def test_every_station_is_known_once_in_a_district_and_has_an_exit():
    assert len(facts.stations()) > 700
    assert all(one.exits >= 1 and one.lines for one in facts.stations())
    places = [(one.name, one.province, one.district) for one in facts.stations()]
    assert len(places) == len(set(places))
