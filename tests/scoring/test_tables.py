"""Tables as people and spreadsheets read them."""

import csv
from io import StringIO

import pytest

from thunder.scoring.bootstrap import Interval
from thunder.scoring.figures import Spread
from thunder.scoring.tables import Table, csv_of, markdown, save_csv, shown


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "–"),
        (0.5, "0.5000"),
        (12345, "12,345"),
        (Spread(0.98, None), "0.9800"),
        (Spread(0.98, 0.001), "0.9800 ± 0.0010"),
        (Interval(0.1, 0.2), "0.1000 … 0.2000"),
        ("은행", "은행"),
    ],
)
def test_cells(cell, text):
    assert shown(cell) == text


TABLE = Table(
    "t",
    "제목",
    "What it means.",
    ("label", "F1", "95 %", "n"),
    (("은|행", Spread(0.5, 0.1), Interval(0.4, 0.6), 1000), ("병원", None, None, 2)),
)


def test_markdown():
    text = markdown([TABLE], title="Report")
    assert "| 은\\|행 | 0.5000 ± 0.1000 | 0.4000 … 0.6000 | 1,000 |" in text
    assert "| 병원 | – | – | 2 |" in text
    assert "What it means." in text


def test_long_tables_are_cut_in_markdown_alone():
    rows = tuple((f"label {at}", at) for at in range(100))
    text = markdown([Table("t", "T", "N", ("label", "n"), rows, True)], title="R")
    assert "label 59 " in text and "label 60 " not in text
    assert "40 more rows" in text


def test_csv_has_all_digits_and_a_column_for_each_number(tmp_path):
    lines = list(csv.reader(StringIO(csv_of(TABLE))))
    assert lines == [
        ["label", "F1", "F1 sd", "95 % low", "95 % high", "n"],
        ["은|행", "0.5", "0.1", "0.4", "0.6", "1000"],
        ["병원", "", "", "", "", "2"],
    ]
    (path,) = save_csv(tmp_path, [TABLE])
    assert path.read_bytes().startswith("\ufefflabel".encode())
