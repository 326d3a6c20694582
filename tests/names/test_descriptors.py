"""The lists a lawyer edits are whole, and words are read by them: noun, name, particle."""

import csv
import time
import unicodedata

import pytest
from ruamel.yaml import YAML

from thunder import taxonomy
from thunder.names import organisations
from thunder.names.chunks import is_inflected, is_placeholder, name_length, stem_length
from thunder.names.descriptors import lexicon, outside_noun, read
from thunder.names.well_known import is_known, is_station, look_up
from thunder.settings.resources import folder

CUES = folder("taxonomy") / "cues" / "descriptors.yaml"
GAZETTEER = folder("taxonomy") / "gazetteer"


@pytest.fixture(scope="module")
def data() -> dict:
    return YAML(typ="safe").load(CUES.read_text(encoding="utf-8"))


def labels() -> set[str]:
    return {label.ko for label in taxonomy.load()}


def written(data: dict) -> list[str]:
    return [
        noun
        for section in ("organisations", "places")
        for nouns in data[section].values()
        for noun in nouns
    ]


def test_every_label_is_in_the_taxonomy(data: dict) -> None:
    used = {*data["organisations"], *data["places"]}
    assert used <= labels()


def test_every_noun_has_one_label(data: dict) -> None:
    nouns = written(data)
    assert len(nouns) == len(set(nouns))
    assert len(nouns) > 700


@pytest.mark.parametrize("key", ["inside", "common", "vague", "joined", "kinds"])
def test_what_is_said_of_nouns_is_said_of_known_ones(data: dict, key: str) -> None:
    assert set(data[key]) <= set(written(data))


@pytest.mark.parametrize(
    "key", ["inside", "common", "vague", "joined", "outside", "never", "apart", "plain", "whole"]
)
def test_no_word_is_listed_twice(data: dict, key: str) -> None:
    words = data[key]
    assert sorted(set(words)) == sorted(words)


def test_every_word_is_plain_text(data: dict) -> None:
    words = [*written(data), *data["never"], *data["apart"], *data["plain"]]
    words += [word for kinds in data["kinds"].values() for word in kinds]
    for word in words:
        assert isinstance(word, str)
        assert word == word.strip() != ""
        assert unicodedata.is_normalized("NFC", word)


def rows(name: str) -> list[dict[str, str]]:
    with (GAZETTEER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_known_names_have_known_labels_and_uses() -> None:
    entries = rows("companies.tsv")
    assert {row["label"].split(" ", 1)[1] for row in entries} <= labels()
    assert {row["when"] for row in entries} == {
        "alone",
        "bank",
        "bank's",
        "account",
        "latin",
        "brand",
    }
    names = [row["name"] for row in entries]
    assert len(names) == len(set(names))
    assert all(name == unicodedata.normalize("NFC", name).strip() != "" for name in names)


def test_the_stations_are_written_without_their_noun() -> None:
    names = [row["name"] for row in rows("stations.tsv")]
    assert len(names) == len(set(names)) > 1000
    assert is_station("강남") and is_station("남한산성입구") and not is_station("내")


@pytest.mark.parametrize(
    ("word", "name", "noun"),
    [
        ("나룻터식당에서", "나룻터", "식당"),
        ("나룻터식당앞에서", "나룻터", "식당"),
        ("국민은행으로부터", "국민", "은행"),
        ("국민은행계좌로", "국민", "은행"),
        ("국민은행강남지점에서", "국민", "은행"),
        ("국민은행빌딩은", "국민은행", "빌딩"),
        ("서담대학교병원의", "서담", "대학교병원"),
        ("달무리유흥주점이라는", "달무리", "유흥주점"),
        ("이노메디카공인중개사사무소라는", "이노메디카", "공인중개사사무소"),
        ("가온신용협동조합의", "가온", "신용협동조합"),
        ("병원장은", "", "병원"),
        ("종합병원에서", "", "종합병원"),
        ("사무장병원을", "", "병원"),
        ("방가네연립을", "방가네", "연립"),
        ("다세대연립을", "", "연립"),
        ("연립주택을", "", "연립주택"),
        ("새솔연합주택조합과", "새솔", "연합주택조합"),
        ("시중은행의", "", "은행"),
        ("인근식당에서", "", "식당"),
        ("이사건건물을", "", "건물"),
        ("2층건물", "", "건물"),
        ("B은행", "", "은행"),
        ("식당", "", "식당"),
    ],
)
def test_a_word_is_read_as_name_and_noun(word: str, name: str, noun: str) -> None:
    reading = read(word)
    assert reading is not None
    assert (word[: reading.name_end], reading.descriptor.noun) == (name, noun)


@pytest.mark.parametrize(
    "word", ["은행원", "식당가에", "역사적인", "학원법", "문제점", "피고인은", "있다", ""]
)
def test_a_word_without_a_descriptor_at_its_end_is_not_read(word: str) -> None:
    assert read(word) is None


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("한울테크로부터", "한울테크"),
        ("한울은", "한울"),
        ("나래는", "나래"),
        ("나래은", "나래은"),  # 은 does not follow a vowel: it belongs to the name
        ("두레와의", "두레"),
        ("솔빛이라는", "솔빛"),
        ("도담마을", "도담마을"),
        ("가온에서는", "가온"),
        ("한울", "한울"),
    ],
)
def test_a_particle_is_cut_where_it_agrees(word: str, stem: str) -> None:
    assert word[: stem_length(word)] == stem


def test_the_rest_of_the_text_decides_on_a_doubtful_last_syllable() -> None:
    assert name_length("미소도가 미소도를", "미소도") == 3
    assert name_length("미소도 갔다. 미소가 왔다.", "미소도") == 2


@pytest.mark.parametrize("word", ["새로운", "운영하는", "피고인의", "은행에서", "신축한", "함께"])
def test_an_inflected_word_is_no_name(word: str) -> None:
    assert is_inflected(word)


@pytest.mark.parametrize("word", ["나루그린", "가온누림", "도담마을", "한울테라", "별나래"])
def test_a_bare_noun_is_not_inflected(word: str) -> None:
    assert not is_inflected(word)


@pytest.mark.parametrize(
    "word", ["A", "AB", "C1", "RA", "OO", "101호", "제2층", "12", "지하1층", "가동"]
)
def test_a_courts_letter_or_a_number_is_a_placeholder(word: str) -> None:
    assert is_placeholder(word)


@pytest.mark.parametrize("word", ["나리", "한울테라", "제일", "옥타비아"])
def test_a_name_is_no_placeholder(word: str) -> None:
    assert not is_placeholder(word)


def test_a_known_name_is_looked_up_with_its_particle_or_branch() -> None:
    assert look_up("스타벅스에서") == look_up("스타벅스강남점에서")
    assert look_up("스타벅스러운") is None
    assert look_up("CU") is None and is_known("CU")


def test_a_name_joined_to_a_noun_has_the_kinds_of_that_noun_only() -> None:
    nouns = lexicon().nouns
    assert "시중" in nouns["은행"].kinds
    assert "시중" not in nouns["병원"].kinds


@pytest.mark.parametrize(
    "text",
    [
        "가" * 100_000,
        "은행" * 50_000,
        "한울 " * 30_000,
        "(주)" * 30_000,
        "‘" * 50_000,
        "에 있는 " * 20_000,
        "1" * 100_000,
        "A·" * 50_000,
        "식당 " * 30_000,
        "한울역 3번 출구 " * 10_000,
        "‘ \n " * 30_000,
        "‘가’라는 제목의 " * 10_000,
        "나레 엘엘씨(A Co., Ltd" * 10_000,
        "나레, 엘엘씨(" + "A Co., Ltd" * 10_000,
        "엘엘씨(" + "A" * 100_000,
        "코퍼레이션" * 20_000,
    ],
    ids=lambda text: text[:8],
)
def test_time_is_linear_in_the_length(text: str) -> None:
    start = time.process_time()
    list(organisations.find(text))
    list(organisations.places(text))
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("word", "at"),
    [
        ("한빛대학원에서", 2),
        ("한빛정형외과의원은", 2),
        ("한빛그룹의", 2),
        ("의학전문대학원", None),  # a kind
        ("한빛연구소", None),  # firms are called so
        ("한빛학원사", None),
    ],
)
def test_which_nouns_no_name_ends_in(word: str, at: int | None) -> None:
    assert outside_noun(word) == at
