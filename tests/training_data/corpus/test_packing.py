"""Packing: every token in one row, no row too long, little padding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.training_data.corpus.packing import FRAME, cut, packed, plan


def documents(lengths):
    tokens = np.array(lengths, dtype=np.int64)
    return np.cumsum(tokens) - tokens, tokens


@given(st.lists(st.integers(1, 500), max_size=80), st.integers(8, 128))
@settings(deadline=None)
def test_every_token_stands_in_one_row_and_rows_hold_what_they_can(lengths, length):
    starts, tokens = documents(lengths)
    found = plan(iter([(0, starts, tokens)]), length=length)
    covered = np.zeros(sum(lengths), dtype=int)
    for segment in found.segments:
        covered[segment["start"] : segment["start"] + segment["tokens"]] += 1
    assert (covered == 1).all()
    assert found.rows[-1] == len(found.segments)
    for first, last in zip(found.rows, found.rows[1:], strict=False):
        inside = found.segments["tokens"][first:last].astype(int) + FRAME
        assert 0 < inside.sum() <= length


@given(st.lists(st.integers(1, 500), max_size=80), st.integers(8, 128))
@settings(deadline=None)
def test_no_piece_crosses_a_document_and_only_its_last_is_short(lengths, length):
    starts, tokens = documents(lengths)
    found = cut(starts, tokens, length=length)
    ends = set((starts + tokens).tolist())
    for start, size in zip(found.start, found.tokens, strict=True):
        document = np.searchsorted(starts, start, side="right") - 1
        assert start + size <= starts[document] + tokens[document]
        assert size == length - FRAME or start + size in ends


@given(st.lists(st.integers(1, 60), min_size=1, max_size=200))
@settings(deadline=None)
def test_no_more_rows_than_best_fit_decreasing_one_by_one(lengths):
    sizes = sorted((size + FRAME for size in lengths), reverse=True)
    rooms: list[int] = []
    for size in sizes:
        fitting = [at for at, room in enumerate(rooms) if room >= size]
        if fitting:
            rooms[min(fitting, key=lambda at: rooms[at])] -= size
        else:
            rooms.append(64 - size)
    found = packed(np.array(lengths, dtype=np.int64), length=64)
    assert found.max() + 1 <= len(rooms)


@pytest.mark.parametrize("length", [512, 2048])
def test_padding_is_under_2_percent_for_documents_of_any_size(length):
    chance = np.random.Generator(np.random.Philox(key=1))
    tokens = chance.lognormal(5.5, 1.2, size=20_000).astype(np.int64) + 1
    starts = np.cumsum(tokens) - tokens
    found = plan(iter([(0, starts, tokens)]), length=length)
    filled = tokens.sum() + FRAME * len(found.segments)
    assert 1 - filled / ((len(found.rows) - 1) * length) < 0.005


def test_a_source_without_documents_has_no_rows():
    assert plan(iter([]), length=64).rows.tolist() == [0]
    empty = np.zeros(0, dtype=np.int64)
    assert plan(iter([(0, empty, empty)]), length=64).rows.tolist() == [0]


@pytest.mark.parametrize("length", [512, 2048])
@pytest.mark.parametrize("share", [0.55, 0.4, 0.3])
def test_documents_that_fit_badly_are_poured_together(length, share):
    """All documents a bit over a half, a third or a quarter of a row: whole ones would waste it."""
    chance = np.random.Generator(np.random.Philox(key=2))
    tokens = (length * (share + 0.02 * chance.random(3000))).astype(np.int64)
    starts = np.cumsum(tokens) - tokens
    found = plan(iter([(0, starts, tokens)]), length=length)
    filled = tokens.sum() + FRAME * len(found.segments)
    assert 1 - filled / ((len(found.rows) - 1) * length) < 0.02
    assert found.segments["tokens"].min() >= 16
    assert len(found.segments) < 2 * len(tokens)
