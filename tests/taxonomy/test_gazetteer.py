"""The gazetteer of divisions and roads: whole, plain, and what it knows."""

import csv

import pytest

from thunder.settings.resources import folder
from thunder.taxonomy import gazetteer

FILES = ["divisions.tsv", "changes.tsv", "roads.tsv"]


@pytest.mark.parametrize(
    ("name", "level", "below"),
    [
        ("강남구", "구", "역삼동"),
        ("분당구", "구", "정자동"),
        ("성남시", "시", "정자동"),
        ("양평군", "군", "문호리"),
        ("서울특별시", "시", "역삼동"),
        ("부산직할시", "시", "중동"),
        ("세종시", "시", "조치원읍"),
        ("마산시", "시", "산호동"),
        ("북제주군", "군", "와산리"),
        ("아산시", "시", "배방면"),  # now 배방읍
    ],
)
def test_districts_know_what_lies_below(name: str, level: str, below: str) -> None:
    found = gazetteer.district(name)
    assert found is not None
    assert found.level == level
    assert below in found.names


@pytest.mark.parametrize(
    ("name", "level"), [("양평", "군"), ("서울", "시"), ("경기", "도"), ("경상남도", "도")]
)
def test_bare_names_of_districts(name: str, level: str) -> None:
    found = gazetteer.bare_district(name)
    assert found is not None
    assert found.level == level


@pytest.mark.parametrize("name", ["당시", "연구", "다시", "요구", "가나다구", ""])
def test_words_are_no_districts(name: str) -> None:
    assert gazetteer.district(name) is None
    assert gazetteer.bare_district(name) is None


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("테헤란로", "테헤란로"),
        ("테헤란로12길", "테헤란로"),
        ("경수대로508번길", "경수대로"),
        ("와룡로10안길", "와룡로"),
        ("문수7길", "문수#길"),
    ],
)
def test_roads_are_known_without_their_numbers(name: str, shape: str) -> None:
    assert gazetteer.road_shape(name) == shape


def test_roads_and_divisions() -> None:
    assert gazetteer.is_road("종로")
    assert gazetteer.is_road("문수7길")
    assert not gazetteer.is_road("상대적으로")
    assert gazetteer.is_division("문호리")
    assert not gazetteer.is_division("문호")
    assert "문호리" in gazetteer.villages("서종면")
    assert gazetteer.below("경기도 양평군")["서종면"]
    assert gazetteer.below("경기도 없는군") == {}


def test_every_district_of_today_is_known_by_its_last_name() -> None:
    names = gazetteer.district_names()
    assert len(names) > 240
    for name in names:
        found = gazetteer.district(name.split()[-1])
        assert found is not None
        assert found.names >= set(gazetteer.below(name))


@pytest.mark.parametrize("name", FILES)
def test_files_are_plain(name: str) -> None:
    text = (folder("taxonomy") / "gazetteer" / name).read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    assert text.endswith("\n") and "\r" not in text
    assert len({len(row) for row in rows}) == 1
    assert len({tuple(row) for row in rows}) == len(rows)
    assert all(cell == cell.strip() for row in rows for cell in row)


def test_changes_name_districts_of_today() -> None:
    path = folder("taxonomy") / "gazetteer" / "changes.tsv"
    today = {part for name in gazetteer.district_names() for part in name.split()}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            assert set(row["successors"].split(",")) <= today, row["name"]


def test_files_stay_small() -> None:
    sizes = [(folder("taxonomy") / "gazetteer" / name).stat().st_size for name in FILES]
    assert sum(sizes) < 600_000


@pytest.mark.parametrize(
    ("text", "below"),
    [
        ("서울 강남구 역삼동 12", "역삼동 12"),
        ("강남구", ""),
        ("성남시분당구야탑동12", "야탑동12"),
        ("이천시가람면가람로12", "가람면가람로12"),
        ("달성군00읍0리000", "00읍0리000"),
        ("경기 이천시가람동에", "가람동에"),
        ("남구로12", "남구로12"),
        ("고군로 12", "고군로 12"),
        ("시흥시장", "시흥시장"),
    ],
)
def test_an_address_goes_on_below_its_districts_with_or_without_spaces(text, below):
    assert text[gazetteer.below_districts(text, 0, len(text)) :] == below


def test_a_level_goes_on_from_what_a_court_masked_of_it():
    text = "서울 **구 가람동 12"
    assert text[gazetteer.below_districts(text, 5, len(text)) :] == "가람동 12"
