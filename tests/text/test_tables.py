"""Which cells stand below a head of a table that is written as lines."""

import pytest

from thunder.text import tables

from ..growth import grows_evenly

TABLES = [
    # The text, the head that is asked for, and the cells below it.
    ("| 순번 | 성명 |\n|---|---|\n| 1 | 홍길동 |\n| 2 | 김영희 |", "성명", ["홍길동", "김영희"]),
    ("순번\t성 명(나이)\n1\t홍길동\n2\t\n3\t김영희\n", "성명", ["홍길동", "김영희"]),
    ("성명 │ 주소\n홍길동 │ 서울\n", "성명", ["홍길동"]),
    ("| 성명 |\n\n| 홍길동 |", "성명", []),  # another table
    (
        "| 성명 | 주소 |\n| 홍길동 | 서울 |\n| 주소 | 성명 |\n| 부산 | 김영희 |",
        "성명",
        ["홍길동", "김영희"],
    ),
    ("| 성명 | 주소 |\n| 홍길동 |\n", "주소", []),  # a row that is too short
    ("성명은 홍길동이다.", "성명", []),
]


@pytest.mark.parametrize(("text", "head", "below"), TABLES)
def test_the_cells_below_a_head(text, head, below):
    found = tables.below(text, lambda word: word == head)
    assert [text[cell.start : cell.end] for cell in found] == below


@pytest.mark.parametrize("piece", ["\t", "| 성명 ", "| 성명 |\n| 홍길동 |\n", "성명\t\n"])
def test_time_is_linear(piece):
    def read(times):
        text = piece * times
        return [*tables.below(text, "성명".__eq__), *tables.behind(text, "성명".__eq__)]

    assert grows_evenly(read, 5_000, 40_000)
