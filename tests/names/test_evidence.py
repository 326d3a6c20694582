"""What shows a name weighs what the table says; a table that lacks a row is refused."""

from pathlib import Path

import pytest

from thunder.names import evidence
from thunder.settings.yamlfile import YamlFileError
from thunder.taxonomy import tables

SHIPPED = Path(tables.__file__).parents[2] / "taxonomy" / "cues" / "name_evidence.tsv"

SUFFICES = [
    (["announced clearly"], "common noun", True),  # 역삼동에 있는 나래 식당
    (["announced somewhat", "unfamiliar"], "common noun", True),
    (["announced somewhat"], "common noun", False),
    (["announced clearly", "used as a name"], "vague noun", True),
    (["announced clearly"], "vague noun", False),
    (["used as a name"], "apart", True),
    ([], "apart", False),
    ([], "joined", True),  # 나래식당
]


@pytest.mark.parametrize(("shown", "asked", "holds"), SUFFICES)
def test_what_speaks_for_a_name_is_added_up(shown, asked, holds):
    assert evidence.suffices(shown, asked=asked) is holds


def test_clearer_evidence_is_surer():
    rising = ["before its noun", "announced somewhat", "announced clearly"]
    scores = [evidence.score(one) for one in rising]
    assert scores == sorted(scores)
    assert evidence.score("short form of one") > evidence.score("short form of several")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("score: signature", "the row 'score: signature' is missing"),
        ("score: signature\t9\t판사 홍길동", "the weight of 'score: signature' lies above 0"),
    ],
)
def test_a_table_that_lacks_a_row_is_refused(tmp_path, monkeypatch, wrong, says):
    own = tmp_path / "name_evidence.tsv"
    rows = SHIPPED.read_text("utf-8").splitlines()
    kept = [row for row in rows if not row.startswith("score: signature\t")]
    own.write_text("\n".join([*kept, *([wrong] if "\t" in wrong else [])]) + "\n", "utf-8")
    monkeypatch.setattr(tables, "file_of", lambda name: own)
    evidence.weights.cache_clear()
    try:
        with pytest.raises(YamlFileError, match=says):
            evidence.weights()
    finally:
        evidence.weights.cache_clear()
