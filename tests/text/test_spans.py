"""Spans, their algebra, and replacement that changes nothing else."""

from itertools import combinations, compress, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.text.spans import Span, heaviest, replace_spans, require_disjoint

ANY_TEXT = st.text(max_size=60)


@st.composite
def text_with_spans(draw):
    text = draw(ANY_TEXT)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return text, [Span(start, end, "내국인이름") for start, end in pairs if start < end]


@pytest.mark.parametrize(("start", "end"), [(3, 3), (4, 2), (-1, 2)])
def test_a_span_is_never_empty_or_backwards(start, end):
    with pytest.raises(ValueError, match="0 <= start < end"):
        Span(start, end, "은행")


def test_a_score_lies_between_0_and_1():
    with pytest.raises(ValueError, match="between 0 and 1"):
        Span(0, 1, "은행", score=1.2)


@pytest.mark.parametrize(
    ("spans", "length", "problem"),
    [
        ([(0, 3), (2, 4)], 9, "overlap"),
        ([(5, 6), (1, 2)], 9, "unsorted"),
        ([(0, 10)], 9, "beyond"),
    ],
)
def test_spans_that_do_not_fit_are_refused_by_their_offsets(spans, length, problem):
    with pytest.raises(ValueError, match=problem):
        require_disjoint([Span(start, end, "은행") for start, end in spans], length=length)


@given(text_with_spans())
def test_outside_the_spans_not_one_character_changes(example):
    text, spans = example
    new, changes = replace_spans(text, spans, lambda span: "A" * (span.start % 3))
    restored, last = [], 0
    for change in changes:
        restored += [new[last : change.new_start], text[change.span.start : change.span.end]]
        assert new[change.new_start : change.new_end] == change.replacement
        last = change.new_end
    assert "".join([*restored, new[last:]]) == text


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6), st.integers(0, 9)), max_size=8))
def test_of_overlapping_spans_those_are_kept_that_weigh_most_together(drawn):
    spans = [Span(start, start + size, "은행", score / 10) for start, size, score in drawn]
    chosen = heaviest(spans, weight=weight)
    require_disjoint(chosen, length=40)
    assert all(any(span.overlaps(other) for other in chosen) for span in spans)
    assert sum(map(weight, chosen)) == max(
        sum(map(weight, some)) for some in subsets(spans) if are_disjoint(some)
    )


def weight(span: Span) -> int:
    return 1 + round(10 * span.score)


def subsets(spans: list[Span]) -> list[list[Span]]:
    return [list(compress(spans, bits)) for bits in product((0, 1), repeat=len(spans))]


def are_disjoint(spans: list[Span]) -> bool:
    return not any(one.overlaps(other) for one, other in combinations(spans, 2))


@pytest.mark.parametrize(
    ("finds", "chosen"),
    [
        ([(0, 4, 0.9), (2, 6, 0.8)], [(0, 4)]),  # the surer
        ([(0, 4, 0.9), (2, 7, 0.9)], [(2, 7)]),  # of two as sure the longer, then the earlier
        ([(0, 4, 0.9), (2, 6, 0.9)], [(0, 4)]),
        ([(0, 2, 0.9), (1, 4, 0.94), (3, 5, 0.9)], [(0, 2), (3, 5)]),  # 9 + 9 to 15.7
        ([(0, 2, 0.8), (1, 4, 0.94), (3, 5, 0.8)], [(1, 4)]),  # 4 + 4 to 15.7
    ],
)
def test_odds_add_up(finds, chosen):
    spans = [Span(*place, "은행", score) for *place, score in finds]
    assert [(one.start, one.end) for one in heaviest(spans)] == chosen
