"""What runs into the beginning of a name stays readable, and nothing of the name does."""

import pytest

from thunder.names.lost_spaces import name_start


@pytest.mark.parametrize(
    ("found", "name"),
    [
        ("원고한빛누리", "한빛누리"),
        ("원고는한빛누리", "한빛누리"),
        ("원고와NR건설", "NR건설"),
        ("피고보조참가인 한빛누리", "한빛누리"),
        ("000소외 나래빛", "나래빛"),
        ("5-1소외 나래빛", "나래빛"),
        ("또는NR건설", "NR건설"),
        ("승계하는NR그룹", "NR그룹"),
        ("이해관계인들은NR및NRS건설", "NRS건설"),
        ("원고와NR및NRS건설", "NRS건설"),
        # A syllable that may be the name's stays, and so do names before Latin letters.
        ("원고가스나라", "가스나라"),
        ("원고와이드넷", "와이드넷"),
        ("원고는개발", "는개발"),
        ("원고지문구", "원고지문구"),
        ("소외계층지원센터", "소외계층지원센터"),
        ("한빛은NR", "한빛은NR"),
        ("참된F&B", "참된F&B"),
        ("하나NR카드", "하나NR카드"),
        ("한빛누리", "한빛누리"),
        ("원고들", "원고들"),
        ("7소리", "7소리"),
    ],
)
def test_where_a_name_begins(found: str, name: str) -> None:
    assert found[name_start(found, 0, len(found)) :] == name


@pytest.mark.parametrize(
    ("found", "elsewhere", "name"),
    [
        ("원고가스나라", "가스나라의 대표이다. 가스나라는", "가스나라"),
        ("소외가나안식품", "가나안식품과 나안식품은", "가나안식품"),
        ("피고이수건설", "이수건설은 수건설의", "이수건설"),
    ],
)
def test_a_syllable_that_may_belong_to_the_name_stays(found, elsewhere, name):
    assert found[name_start(f"{found} {elsewhere}", 0, len(found)) :] == name


@pytest.mark.parametrize(
    ("before", "found"),
    [("원고 ", "피고건설"), ("주식회사 ", "소외나루"), ("㈜", "원고한빛"), ("피고 ", "소외가나")],
)
def test_a_name_behind_a_role_or_its_form_is_whole(before: str, found: str) -> None:
    start, end = len(before), len(before) + len(found)
    assert name_start(before + found, start, end) == start


def test_a_role_apart_is_no_part_of_the_name() -> None:
    assert name_start("원고 피고보조참가인 한빛", 3, 14) == 11
