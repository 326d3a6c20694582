"""The paper's figures as they are printed: all of them, and consistent with themselves."""

from collections import Counter

import pytest

from thunder.scoring import paper_figures
from thunder.scoring.paper_figures import MODELS, beside, printed
from thunder.training_data.datasets import paper


def test_every_table_is_whole():
    rows = printed()
    assert Counter(one.table for one in rows) == {
        **dict.fromkeys(("2a", "2b"), 10),
        **dict.fromkeys(("H.1", "H.2", "H.3", "H.4"), 50),
    }
    cases = {row.case_type for row in paper.TABLE_1}
    for table in ("H.1", "H.2", "H.3", "H.4"):
        found = {(one.case_type, one.model) for one in rows if one.table == table}
        assert found == {(case, model) for case in cases for model in MODELS}


def test_f1_is_what_precision_and_recall_give():
    for one in printed():  # means of three runs, so not to the last digit
        both = 2 * one.precision * one.recall / (one.precision + one.recall)
        assert one.f1 == pytest.approx(both, abs=0.0004 if one.f1 != 0.877 else 0.001), one


@pytest.mark.parametrize(
    ("case", "small", "large"),  # 370M and 1.5B, binary and by label
    [
        ("Violence", (0.967, 0.905), (0.983, 0.931)),
        ("Property theft & deception", (0.975, 0.923), (0.987, 0.923)),
        ("Sexual misconduct", (0.968, 0.890), (0.982, 0.880)),
    ],
)
def test_the_figures_to_reach(case, small, large):
    binary, micro = beside("binary", case), beside("micro", case)
    assert (binary[0], micro[0]) == pytest.approx(small, abs=0.0006)
    assert (binary[2], micro[2]) == pytest.approx(large, abs=0.0006)


def test_a_case_type_that_the_paper_does_not_have_has_no_figures():
    assert set(beside("binary", "Civil")) == {None}
    assert {table.name for table in paper_figures.tables()} >= {"paper-2a", "paper-H.4"}
