"""Span-level scores: each case by hand, and strict matches against a plain count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.scoring import boundaries
from thunder.scoring.boundaries import Matches
from thunder.scoring.characters import Scored
from thunder.text.spans import Span
from thunder.training_data.filling import IGNORED

NAME, BANK = Span(0, 3, "내국인이름"), Span(10, 14, "은행")


def found(*predicted, gold=(NAME, BANK)):
    return boundaries.matches(Scored(40, gold, predicted))


@pytest.mark.parametrize(
    ("predicted", "strict", "exact", "partial", "type_"),
    [
        ((NAME, BANK), Matches(2), Matches(2), Matches(2), Matches(2)),
        ((), Matches(missed=2), Matches(missed=2), Matches(missed=2), Matches(missed=2)),
        # the label is wrong
        (
            (Span(0, 3, "외국인이름"), BANK),
            *(Matches(1, 1), Matches(2), Matches(2), Matches(1, 1)),
        ),
        # one character too many
        (
            (Span(0, 4, "내국인이름"), BANK),
            *(Matches(1, 1), Matches(1, 1), Matches(1, 0, 1), Matches(2)),
        ),
        # right beside the mention: no overlap
        (
            (Span(3, 5, "내국인이름"), BANK),
            *(Matches(1, missed=1, spurious=1),) * 4,
        ),
    ],
)
def test_schemes(predicted, strict, exact, partial, type_):
    assert list(found(*predicted).values()) == [strict, exact, partial, type_]


def test_scores_of_matches():
    counts = Matches(correct=3, incorrect=1, partial=2, missed=2, spurious=0)
    assert counts.precision == 4 / 6
    assert counts.recall == 4 / 8
    assert counts.f1 == pytest.approx(2 * (4 / 6) * 0.5 / (4 / 6 + 0.5))


def test_what_is_ignored_may_be_masked_or_not():
    gold = (Span(0, 3, "병원"), Span(3, 5, IGNORED))
    for predicted in ((Span(0, 3, "병원"),), (Span(0, 5, "병원"),)):
        assert found(*predicted, gold=gold)["strict"] == Matches(1)
    assert found(Span(3, 5, "병원"), gold=gold)["strict"] == Matches(missed=1)


PARTS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 4), st.sampled_from("가나")), max_size=6
)


def spans(parts):
    made, at = [], 0
    for gap, length, label in parts:
        made.append(Span(at + gap, at + gap + length, label))
        at += gap + length
    return tuple(made)


@given(PARTS, PARTS)
def test_strict_matches_are_the_spans_in_both(one, other):
    gold, predicted = spans(one), spans(other)
    counts = boundaries.matches(Scored(60, gold, predicted))
    assert counts["strict"].correct == len(set(gold) & set(predicted))
    for each in counts.values():
        assert each.correct + each.incorrect + each.partial + each.missed == len(gold)
        assert each.correct + each.incorrect + each.partial + each.spurious == len(predicted)
