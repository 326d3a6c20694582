"""The table of ordinary words: what is counted, what is added, what stays as it is."""

import json
import lzma
import subprocess
import sys
from pathlib import Path

import build_ordinary_words as script
import pytest

SCRIPT = Path(script.__file__)
TABLE = "# 낱말\n# alone\tbefore a particle\twords\n2\t0\t점심\n1\t3\t김치\n"


@pytest.mark.parametrize(
    ("number", "level"),
    [(0, 0), (2, 0), (3, 1), (4, 1), (5, 2), (6, 2), (12, 3), (48, 5), (12_000, 13)],
)
def test_a_level_is_twice_as_many_judgments(number, level):
    assert script.level(number, 15_000) == level


def test_a_word_counts_once_a_judgment_alone_and_before_particles():
    number, runs = script.counted(["창고는 넓다. 창고는 크다.", "창고", "창고의"])
    assert number == 3
    assert (runs["창고는"], runs["창고"]) == (1, 1)
    levels = script.levels_of(number, runs)
    assert levels["창고"] == (script.level(1, 3), script.level(2, 3))


@pytest.mark.parametrize(
    ("word", "levels", "added"),
    [
        ("점포", (1, 0), True),  # a noun
        ("친한", (5, 0), True),  # another short word, and a common one
        ("친한", (1, 0), False),
        ("대성건설", (3, 3), False),  # two nouns: a firm may be called so
        ("재현", (2, 4), False),  # people are called so
        ("철근", (5, 4), True),  # which hardly anybody is, common as the word is
        ("강릉", (5, 5), False),  # a place
        ("담양군", (5, 5), False),
        ("청담", (3, 0), False),  # a station
        ("거리", (7, 8), True),  # a village, and an ordinary word first
        ("김밥", (5, 5), False),  # begins like a surname: the table had its say
    ],
)
def test_what_may_be_a_name_is_not_added(word, levels, added):
    assert script.is_added(word, levels) == added


def test_the_table_keeps_what_it_has_and_says_how_many_came(tmp_path):
    table, judgments = tmp_path / "words.tsv", tmp_path / "judgments.jsonl.xz"
    table.write_text(TABLE, encoding="utf-8")
    rows = [{"text": "철근과 점심"}, {"text": "철근을 공급하였다."}]
    judgments.write_bytes(lzma.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    command = [sys.executable, SCRIPT, table, judgments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 words kept" in done.stdout and "(2 judgments)" in done.stdout
    comments, words = script.read(table)
    assert comments == TABLE.splitlines()[:2]
    assert (words["점심"], words["김치"]) == ((2, 0), (1, 3))
    assert words["철근"][1] == script.level(2, 2)
    before = table.read_bytes()
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert table.read_bytes() == before
