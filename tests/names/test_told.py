"""What a sentence says of a word tells whether the word is somebody's name there."""

import pytest

from thunder import Deidentifier
from thunder.names.told import odds, of_persons
from thunder.taxonomy.lexicon import table


@pytest.fixture(scope="module")
def rules() -> Deidentifier:
    return Deidentifier(model="none")


@pytest.mark.parametrize(
    ("of_a_person", "of_a_thing"),
    [
        ("원고는 하루에게 돈을 빌려주었다.", "원고는 하루에 8시간 일하였다."),
        ("그 후 전화는 원고에게 연락하였다.", "피고인은 전화로 피해자를 속였다."),
        ("그 후 우산은 2001년 사망하였다.", "피고인은 우산으로 피해자를 찔렀다."),
        ("따라서 정답의 진술은 믿기 어렵다.", "수험생들은 정답을 고쳤다."),
    ],
)
def test_what_is_said_of_persons_speaks_for_a_name(of_a_person, of_a_thing):
    word = next(one for one in ("하루", "전화", "우산", "정답") if one in of_a_person)
    said = [
        odds(text, text.index(word), text.index(word) + 2) for text in (of_a_person, of_a_thing)
    ]
    assert said[0] > 0 > said[1]


def test_a_role_before_a_word_does_not_count():
    alone, behind = "그는 하루에게 보냈다.", "그는 피해자 하루에게 보냈다."
    assert odds(alone, 3, 5) == odds(behind, 7, 9)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "피고인 하루는 달아났다. 원고는 하루에게 돈을 빌려주었다. 하루는 갚지 않았다.",
            "피고인 A는 달아났다. 원고는 A에게 돈을 빌려주었다. A는 갚지 않았다.",
        ),
        (
            "피해자 고장(여, 41세)은 식당을 운영하였다. 고장은 피고인에게 돈을 주었다.",
            "피해자 A(여, 41세)은 식당을 운영하였다. A은 피고인에게 돈을 주었다.",
        ),
        (
            "피고인 하루는 달아났다. 원고는 하루에 8시간 일하였다.",
            "피고인 A는 달아났다. 원고는 하루에 8시간 일하였다.",
        ),
        ("원고 보험은 피고에게 돈을 빌려주었다.", "원고 A은 피고에게 돈을 빌려주었다."),
        ("원고 정도는 1990년 입사하였다.", "원고 A는 1990년 입사하였다."),
        ("피고인 사실은 인정된다.", "피고인 사실은 인정된다."),
        (
            "피고인 실제는 달아났다. 실제로 원고는 돈을 빌려주었다.",
            "피고인 A는 달아났다. 실제로 원고는 돈을 빌려주었다.",
        ),
        ("피고 1. 무지개, 2. 두루미, 3. 참깨.", "피고 1. A, 2. B, 3. C."),
        ("처 국화 3/7, 자 피리 2/7", "처 A 3/7, 자 B 2/7"),
        ("선정자 목록은 별지와 같다.", "선정자 목록은 별지와 같다."),
    ],
)
def test_a_name_that_is_a_word_is_masked_where_a_person_is_meant(rules, text, shown):
    assert rules.deidentify(text).text == shown


def test_the_commoner_a_word_is_the_more_has_to_be_said():
    rare, common = (
        "우산은 돈을 빌렸다. 우산은 돈을 빌렸다.",
        "이유는 있었다. 이유는 있었다.",
    )
    asked = "name behind a role"
    assert list(of_persons(rare, [(0, 2), (12, 14)], [], asked=asked)) == [(0, 2), (12, 14)]
    assert list(of_persons(common, [(0, 2), (12, 14)], [], asked=asked)) == []


def test_each_weight_of_the_table_stands_once():
    keys = [
        f"{place} {stem}"
        for place, _, stems in table("told_of_persons")
        for stem in stems.split(" ")
    ]
    assert len(keys) == len(set(keys))
