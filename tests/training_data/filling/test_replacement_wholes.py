"""What readers of whole judgments found: one address one place, names of their day, one kind."""

import re

import pytest

from thunder.training_data.annotation import parse
from thunder.training_data.filling import facts, fill, prepare

SEEDS = [f"filled {number}" for number in range(20)]


def mark(label: str, placeholder: str = "B") -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def filled(marked: str, seed: str) -> tuple[str, list[str]]:
    read = parse(marked)
    text, spans = fill(read.text, read.spans, key=b"wholes", document_id=seed)
    return text, [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("before", "label", "behind"),
    [
        ("서울특별시 ", "시아래주소", "에 있는 ○○○○아파트에"),
        ("포항시 북구 흥해읍\n        ", "읍아래주소", " 전 514평을"),
    ],
)
def test_an_address_left_out_twice_before_one_thing_is_one_address(before, label, behind, seed):
    place = f"{before}{mark(label, '(주소 생략)')}{behind}"
    _, (one, other) = filled(f"2016. 9. 1. {place} 두고, 그 뒤 2018. 1. 26. {place} 두었다.", seed)
    assert one == other


@pytest.mark.parametrize("seed", SEEDS)
def test_before_a_metropolitan_city_stands_one(seed):
    _, (name,) = filled(f"원고는 {mark('행정시')}광역시에 주민등록을 두고", seed)
    assert name in {"부산", "대구", "인천", "광주", "대전", "울산"}


@pytest.mark.parametrize("seed", SEEDS)
def test_below_a_county_stands_a_village_before_its_lot(seed):
    text = (
        f"경기 양평군 {mark('토지', '(주소 1 생략)')} 토지 30평을, "
        f"경기 양평군 {mark('군아래주소', '(주소 2 생략)')} 토지 약 30평을 매수하였다."
    )
    _, (_, second) = filled(text, seed)
    assert re.match(r"[가-힣]+[읍면] ", second), second


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "table"),
    [
        (f"{mark('위원회')}업무상질병판정위원회의 심의결과에 따라", "parts/body_region.txt"),
        (f"이 법원의 {mark('협회')}학회장에 대한 진료기록감정촉탁결과", "parts/body_fields.txt"),
        (f"{mark('조합')}농지개량조합은 저수지를 축조하기 위하여", "parts/body_region.txt"),
    ],
)
def test_a_body_is_called_as_its_noun_asks(marked, table, seed):
    _, (name,) = filled(marked, seed)
    assert name in facts.lines(table)


@pytest.mark.parametrize(
    ("text", "provinces"),
    [
        ("대구지방법원 포항지원 2008. 5. 29. 선고 2007가단5593 판결", {"경북"}),
        ("서울중앙지방법원 2008. 5. 29. 선고", {"서울"}),
        ("대전고법 2016. 1. 15. 선고 2014나13479 판결", {"대전", "세종", "충남", "충북"}),
        ("대법원 2016. 1. 15. 선고", set()),
    ],
)
def test_a_judgment_that_says_no_place_is_of_its_court(text, provinces):
    assert facts.where(f"{text}\n우체국장인 원고가", len(text)).provinces == provinces


@pytest.mark.parametrize("seed", SEEDS)
def test_a_body_of_long_ago_has_no_name_of_today(seed):
    text = f"{mark('조합')}조합은 1955년경부터 저수지의 부지로 사용할 토지들을 매수하였다."
    _, (name,) = filled(text, seed)
    modern = {word for path, _ in facts.rows("manner_facts.tsv") for word in facts.lines(path)}
    assert not any(name.startswith(word) for word in modern if len(word) > 1), name


def test_who_acted_long_ago_was_born_before():
    text = "그 후 1970. 6. 19. 매립면허를 받아 1973년경 그 공사가 완공되었다. " + "가" * 120
    marked = f"{text} 소외 {mark('내국인이름')}에게 불하하였다."
    read = parse(marked)
    (group,) = prepare(read.text, read.spans).groups
    assert group.since == 1973
    assert group.born is not None and group.born < 1950
