"""What looks like an identifier and is none, and what no look-alike may reach into."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.identifiers.lookalikes import shields
from thunder.text.korean import fold
from thunder.training_data.mention_makers import identifiers as made_up

SHIELDED = [
    # case numbers
    ("서울중앙지방법원 2019노2100 판결", ["2019노2100"]),
    ("2023고단1234 사건", ["2023고단1234"]),
    ("2020가합512345", ["2020가합512345"]),
    ("2020 가합 512345", ["2020 가합 512345"]),
    ("2018재나12", ["2018재나12"]),
    ("2018준재다34", ["2018준재다34"]),
    ("헌법재판소 2015헌바123 결정", ["2015헌바123"]),
    ("2019고합123, 124(병합)", ["2019고합123, 124(병합)"]),
    ("2019다12345, 12352", ["2019다12345, 12352"]),
    ("4290민상461", ["4290민상461"]),
    ("선고 85다카971 판결", ["85다카971"]),
    ("대법원 1985. 3. 5. 선고 85다1234 판결", ["1985. 3. 5.", "85다1234 판결", "선고 85다1234"]),
    ("99다12345 전원합의체 판결", ["99다12345 전원합의체 판결"]),
    ("2019형제12345호", ["2019형제12345"]),
    ("조심 2019서1234", ["2019서1234"]),
    # statutes and articles
    ("제128조 제2항", ["제128조 제2항", "제2항"]),
    ("형법 제347조의2", ["제347조의2"]),
    ("제3조 제1항 제2호", ["제1항 제2호", "제3조 제1항 제2호"]),
    ("법률 제6179호", ["법률 제6179호"]),
    ("대통령령 제12345호", ["통령령 제12345호"]),
    ("고시 제2020-12호", ["고시 제2020-12호", "제2020-12호"]),
    ("등록특허공보 제10-0686627호", ["공보 제10-0686627호", "특허공보 제10-0686627호"]),
    # sums
    ("5,000만 원을", ["5,000만 원"]),
    ("1,234,567원", ["1,234,567원"]),
    ("500원", ["500원"]),
    ("100달러", ["100달러"]),
    ("$12,000", ["$12,000", "12,000"]),
    # dates and times
    ("2020. 3. 5.에", ["2020. 3. 5."]),
    ("2020년 3월 5일", ["2020년 3월 5일"]),
    ("2020-03-05", ["2020-03-05"]),
    ("20. 3. 5.경", ["20. 3. 5."]),
    ("2020. 3.경", ["2020. 3."]),
    ("02:00경", ["02:00경"]),
    ("그 달 30일 127동", ["그 달 30일"]),
    ("같은 달28.나래군", ["같은 달28."]),
    # exhibits
    ("갑 제1호증의 2", ["갑 제1호증의 2"]),
    ("을나 제6호증", ["을나 제6호증"]),
    ("갑 제1, 3, 6호증", ["갑 제1, 3, 6호증"]),
    ("증 제1호", ["증 제1호"]),
    # measures, reports, notes
    ("123.45㎡", ["123.45", "123.45㎡"]),
    ("10km", ["10km"]),
    ("0.0021 ppm", ["0.0021", "0.0021 ppm"]),
    ("3,000주", ["3,000", "3,000주"]),
    ("15%", ["15%"]),
    ("공2020상, 1234", ["공2020상, 1234"]),
    ("판례집 30-1, 123", ["판례집 30-1, 123"]),
    ("(주3)", ["(주3)"]),
]
FREE = [  # what a shield must not touch
    "제203호",  # a room
    "101동 2003호 15",
    "12가3456",
    "85다1234",  # a plate where no judgment is cited
    "02-123-4567",
    "5678 원고는",
    "010-1234-5678 원고",
    "01012345678원고",
    "12주3456",
    "110-123-456789",
    "2011년 2층",
]


@pytest.mark.parametrize(("text", "surfaces"), SHIELDED)
def test_shields_the_look_alike(text: str, surfaces: list[str]) -> None:
    assert sorted(surface for _, _, surface in shields(text)) == sorted(surfaces)


@pytest.mark.parametrize("text", FREE)
def test_leaves_identifiers_open(text: str) -> None:
    assert shields(text) == []


@given(st.text(alphabet="0123456789-., 원만조항호제갑의년월일고합다가()\n", max_size=60))
def test_shields_are_in_order_and_give_their_surface(text: str) -> None:
    found = shields(text)
    assert found == sorted(found)
    assert all(text[start:end] == surface for start, end, surface in found)


# Of others a part may look like something else: a lot like a date, an age like any number.
_DISTINCT = (
    *("account", "business", "card", "corporation", "licence", "military"),
    *("passport", "patent", "phone", "plate", "vessel"),
)


@pytest.mark.parametrize("kind", _DISTINCT)
@pytest.mark.parametrize(
    "around",
    [
        "{}, 2019고단12",
        "2019고합1, {}",
        "갑 제1호증의 2, {}",
        "2020. 3. {}",
        "300만 원, {}",
        "{} 원고",
    ],
)
def test_no_shield_reaches_into_what_stands_beside_it(kind: str, around: str) -> None:
    for seed in range(200):
        identifier = fold(getattr(made_up, kind)(Random(seed))).text
        text, start = around.replace("{}", identifier), around.index("{}")
        end = start + len(identifier)
        reached = [cover for cover in shields(text) if cover[0] < end and start < cover[1]]
        assert reached == [], identifier
