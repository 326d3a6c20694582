"""The order of samples: a permutation, and shares kept at every moment."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.training_data.corpus.order import Permutation, Schedule


@given(st.integers(1, 700), st.integers())
@settings(max_examples=60, deadline=None)
def test_every_number_comes_once(size, seed):
    order = Permutation(size, seed)
    assert sorted(map(order, range(size))) == list(range(size))


def test_another_key_is_another_order():
    orders = [tuple(map(Permutation(1000, *key), range(1000))) for key in ((1, 0), (1, 1), (2, 0))]
    for first, second in ((0, 1), (0, 2), (1, 2)):
        same = sum(a == b for a, b in zip(orders[first], orders[second], strict=True))
        assert same < 10  # one, on average, in two random orders


def test_the_order_is_not_seen_in_neighbours():
    """Rows that stood together come far apart: their distances are those of chance."""
    size = 4096
    found = [Permutation(size, 3)(at) for at in range(size)]
    far = sum(abs(a - b) for a, b in pairwise(found)) / (size - 1)
    assert far == pytest.approx(size / 3, rel=0.05)
    counts = Counter((at * 16 // size, to * 16 // size) for at, to in enumerate(found))
    expected = size / 256
    assert (
        sum((counts[a, b] - expected) ** 2 / expected for a in range(16) for b in range(16)) < 330
    )


def test_the_order_is_fixed():
    """A change here would change every resumed run."""
    assert [Permutation(1000, "seed", 1)(at) for at in range(5)] == ORDER


ORDER = [199, 948, 74, 3, 807]


@pytest.mark.parametrize("number", [-1, 10, 10**9])
def test_numbers_outside_are_refused(number):
    with pytest.raises(IndexError):
        Permutation(10, 1)(number)


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=9), st.integers(1, 3000))
@settings(max_examples=50, deadline=None)
def test_shares_are_kept_at_every_moment_and_no_sample_is_skipped(weights, samples):
    schedule, total = Schedule(weights), sum(weights)
    came = [0] * len(weights)
    for number in range(samples):
        source, before = schedule(number)
        assert before == came[source]
        came[source] += 1
    for source, weight in enumerate(weights):
        assert abs(came[source] - samples * weight / total) <= 4


def test_a_far_sample_is_found_at_once():
    schedule = Schedule([22, 38])
    source, before = schedule(10**15)
    assert before == pytest.approx(10**15 * (22 if source == 0 else 38) / 60, rel=1e-9)


@pytest.mark.parametrize("weights", [[], [0, 0], [-1, 2]])
def test_weights_that_mean_nothing_are_refused(weights):
    with pytest.raises(ValueError, match="weights"):
        Schedule(weights)


def test_a_weight_of_0_never_comes():
    schedule = Schedule([1, 0, 1, 0])
    assert {schedule(number)[0] for number in range(100)} == {0, 2}
