"""Letters in the court's order, and numbered omissions."""

from itertools import islice

import pytest

from thunder.masking.lettering import Masked, assign
from thunder.text.letters import letters, letters_in
from thunder.text.spans import Span


def test_letters_go_on_after_z_and_after_zz():
    series = list(islice(letters(), 26 + 26 * 26 + 2))
    assert series[:3] == ["A", "B", "C"]
    assert series[25:29] == ["Z", "AA", "AB", "AC"]
    assert series[-3:] == ["ZZ", "AAA", "AAB"]
    assert len(set(series)) == len(series)


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("B형 간염", {"B"}),
        ("증인 A, Ｂ는", {"A", "B"}),
        ("LG 냉장고", {"LG"}),
        ("SM5 차량, CCTV 영상", {"SM"}),
        ("Kim은", set()),
        ("갑 제1호증", set()),
    ],
)
def test_letters_that_stand_alone_in_the_source_are_not_given_out(text, alone):
    assert letters_in(text) == alone


def _masked(text: str, *mentions: tuple[str, int, str]) -> list[Masked]:
    found, at = [], 0
    for mention, entity, omission in mentions:
        start = text.index(mention, at)
        at = start + len(mention)
        found.append(Masked(Span(start, at, "내국인이름"), entity, omission))
    return found


@pytest.mark.parametrize(
    ("text", "mentions", "replaced"),
    [
        (
            "홍길동과 성춘향, 다시 홍길동",
            [("홍길동", 0, ""), ("성춘향", 1, ""), ("홍길동", 0, "")],
            ["A", "B", "A"],
        ),
        ("A형 혈액의 홍길동", [("홍길동", 0, "")], ["B"]),
        ("계좌(110-12-1)로", [("110-12-1", 0, "계좌번호")], ["계좌번호 1 생략"]),
        ("110-12-1 계좌로", [("110-12-1", 0, "계좌번호")], ["(계좌번호 1 생략)"]),
        ("(계좌번호 : 110-12-1)", [("110-12-1", 0, "계좌번호")], ["계좌번호 1 생략"]),
        (
            "(여, 20세) 110-12-1 (남)",
            [("110-12-1", 0, "계좌번호")],
            ["(계좌번호 1 생략)"],
        ),
        (
            "12가3456, 110-12-1, 34나5678, 12가3456",
            [
                ("12가3456", 0, "차량번호"),
                ("110-12-1", 1, "계좌번호"),
                ("34나5678", 2, "차량번호"),
                ("12가3456", 0, "차량번호"),
            ],
            ["(차량번호 1 생략)", "(계좌번호 1 생략)", "(차량번호 2 생략)", "(차량번호 1 생략)"],
        ),
    ],
)
def test_replacements(text, mentions, replaced):
    assert assign(text, _masked(text, *mentions)) == replaced
