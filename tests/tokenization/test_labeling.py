"""Spans become token labels and come back; every scheme, every odd token."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.taxonomy import load
from thunder.text.spans import Span
from thunder.tokenization.labeling import (
    IGNORE,
    OUTSIDE,
    SCHEMES,
    classes,
    labels_from_spans,
)

from ..labels_read_back import spans_from_labels

TAXONOMY = load()
NAME, BANK, FLAT = (TAXONOMY.label(name).id for name in ("내국인이름", "은행", "호"))


def labels(places, spans, scheme="classes"):
    starts, ends = np.array(places, dtype=np.int32).reshape(-1, 2).T
    given = [Span(*span) for span in spans]
    return labels_from_spans(starts, ends, given, taxonomy=TAXONOMY, scheme=scheme).tolist()


def spans(numbers, places, scheme="classes"):
    starts, ends = np.array(places, dtype=np.int32).reshape(-1, 2).T
    found = spans_from_labels(
        np.array(numbers, dtype=np.int16), starts, ends, taxonomy=TAXONOMY, scheme=scheme
    )
    return [(span.start, span.end, span.label) for span in found]


def test_the_paper_has_730_classes_and_bio_twice_as_many_but_one():
    assert classes(TAXONOMY) == 730
    assert classes(TAXONOMY, scheme="bio") == 1459


@pytest.mark.parametrize(
    ("places", "mentions", "expected"),
    [
        # 피고인 홍길동은: the space before a name is not in its token's place
        ([(0, 3), (4, 5), (5, 7), (7, 8)], [(4, 7, "내국인이름")], [0, NAME, NAME, 0]),
        # a token that takes the particle along still has the label
        ([(0, 3), (4, 8)], [(4, 7, "내국인이름")], [0, NAME]),
        # so does one that takes the word before it along
        ([(0, 7), (7, 8)], [(4, 7, "내국인이름")], [NAME, 0]),
        # a token over two mentions has the first one's
        ([(0, 2), (2, 4)], [(0, 3, "은행"), (3, 4, "호")], [BANK, BANK]),
        # ... unless the first is ignored
        ([(0, 2), (2, 4)], [(0, 3, ""), (3, 4, "호")], [IGNORE, FLAT]),
        # 충주미래|병원: the noun is neither right nor wrong
        ([(0, 4), (4, 6), (6, 8)], [(0, 4, "은행"), (4, 6, "")], [BANK, IGNORE, 0]),
        # the bytes of one rare character share its place
        ([(0, 1), (1, 2), (1, 2), (1, 2)], [(1, 2, "내국인이름")], [0, NAME, NAME, NAME]),
        # a token that stands for no character is not asked for
        ([(0, 0), (0, 2), (2, 2), (2, 4)], [(0, 4, "은행")], [IGNORE, BANK, IGNORE, BANK]),
        ([(0, 2)], [], [OUTSIDE]),
        ([], [(0, 4, "은행")], []),
    ],
)
def test_a_token_that_overlaps_a_mention_at_all_has_its_label(places, mentions, expected):
    assert labels(places, mentions) == expected


@pytest.mark.parametrize(
    ("places", "mentions", "expected"),
    [
        ([(0, 2), (2, 3), (3, 4)], [(0, 3, "은행")], [2 * BANK - 1, 2 * BANK, 0]),
        # two of one label side by side stay two
        ([(0, 2), (2, 4)], [(0, 2, "호"), (2, 4, "호")], [2 * FLAT - 1, 2 * FLAT - 1]),
        ([(0, 0), (0, 2), (1, 1), (2, 4)], [(0, 4, "호")], [-100, 2 * FLAT - 1, -100, 2 * FLAT]),
        ([(0, 1), (0, 1), (0, 1)], [(0, 1, "호")], [2 * FLAT - 1, 2 * FLAT, 2 * FLAT]),
        ([(0, 4), (4, 6)], [(0, 4, "호"), (4, 6, "")], [2 * FLAT - 1, IGNORE]),
        # a token over two mentions begins the first; the second begins with its own first token
        ([(0, 3), (3, 4)], [(0, 2, "호"), (2, 4, "은행")], [2 * FLAT - 1, 2 * BANK - 1]),
    ],
)
def test_bio_says_where_a_mention_begins(places, mentions, expected):
    assert labels(places, mentions, "bio") == expected


@pytest.mark.parametrize(
    ("numbers", "places", "expected"),
    [
        ([0, NAME, NAME, 0], [(0, 3), (4, 5), (5, 7), (7, 8)], [(4, 7, "내국인이름")]),
        # one label over a space is one mention: addresses have spaces
        ([NAME, NAME], [(0, 2), (3, 5)], [(0, 5, "내국인이름")]),
        ([NAME, BANK], [(0, 2), (2, 5)], [(0, 2, "내국인이름"), (2, 5, "은행")]),
        (
            [NAME, IGNORE, NAME],
            [(0, 2), (2, 3), (3, 5)],
            [(0, 2, "내국인이름"), (3, 5, "내국인이름")],
        ),
        # tokens that stand nowhere cut nothing in two
        ([NAME, IGNORE, NAME], [(0, 2), (2, 2), (2, 5)], [(0, 5, "내국인이름")]),
        # one byte of a character is enough to mask it
        ([0, NAME, 0], [(0, 1), (1, 2), (1, 2)], [(1, 2, "내국인이름")]),
        ([0, 0, NAME], [(0, 1), (1, 2), (1, 2)], [(1, 2, "내국인이름")]),
        ([], [], []),
        ([IGNORE], [(0, 0)], []),
    ],
)
def test_labels_become_spans(numbers, places, expected):
    assert spans(numbers, places) == expected


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([2 * FLAT - 1, 2 * FLAT - 1], [(0, 2, "호"), (2, 4, "호")]),
        ([2 * FLAT - 1, 2 * FLAT], [(0, 4, "호")]),
        ([0, 2 * FLAT], [(2, 4, "호")]),
        ([2 * BANK, 2 * FLAT], [(0, 2, "은행"), (2, 4, "호")]),
    ],
)
def test_bio_becomes_spans(numbers, expected):
    assert spans(numbers, [(0, 2), (2, 4)], "bio") == expected


def test_what_is_wrong_is_refused():
    with pytest.raises(ValueError, match="unknown scheme 'iob'; known are classes, bio"):
        labels([(0, 2)], [], "iob")
    with pytest.raises(LookupError, match="unknown label '없는것'"):
        labels([(0, 2)], [(0, 1, "없는것")])
    with pytest.raises(ValueError, match="overlap"):
        labels([(0, 2)], [(0, 2, "호"), (1, 3, "호")])
    with pytest.raises(LookupError, match="30000"):
        spans([30000], [(0, 2)])


GAPS = st.integers(min_value=0, max_value=2)
TOKENS = st.tuples(GAPS, st.integers(1, 4), st.sampled_from(["", "호", "은행", "내국인이름", "O"]))


@given(st.lists(TOKENS, max_size=12), st.sampled_from(SCHEMES))
def test_spans_that_end_with_tokens_come_back_as_they_were(tokens, scheme):
    """But with classes, where two of one label stand side by side: those become one."""
    places, mentions, at = [], [], 0
    for gap, length, label in tokens:
        places.append((at + gap, at + gap + length))
        at = places[-1][1]
        if label not in ("", "O"):
            mentions.append((*places[-1], label))
    back = spans(labels(places, mentions, scheme), places, scheme)
    if scheme == "bio":
        assert back == mentions
    assert {at for start, end, _ in mentions for at in range(start, end)} <= {
        at for start, end, _ in back for at in range(start, end)
    }
    assert {label for *_, label in back} == {label for *_, label in mentions}


EDGES = st.lists(st.integers(0, 40), unique=True, min_size=2, max_size=12).map(sorted)


@given(EDGES, EDGES, st.sampled_from(SCHEMES))
def test_no_character_of_a_mention_is_lost_wherever_tokens_end(cuts, edges, scheme):
    places = list(zip([0, *cuts], [*cuts, 41], strict=True))
    places = [(start, end) for start, end in places if start < end]
    mentions = [(a, b, "호") for a, b in zip(edges[::2], edges[1::2], strict=False)]
    back = spans(labels(places, mentions, scheme), places, scheme)
    covered = {at for start, end, _ in back for at in range(start, end)}
    assert {at for start, end, _ in mentions for at in range(start, end)} <= covered
    assert [span[:2] for span in back] == sorted(span[:2] for span in back)
