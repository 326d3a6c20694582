"""What a sample proves, against tables and against counting."""

from itertools import product

import pytest

from thunder.desk.evidence import Verdict, at_most, evidence, finite_upper, lower, plan, upper

# Documents read without a leak, and with one, so that the bound falls under a rate.
NEEDED = [(0, 59, 0.05), (0, 299, 0.01), (0, 598, 0.005), (0, 2995, 0.001)]
NEEDED += [(1, 93, 0.05), (1, 473, 0.01), (1, 947, 0.005), (1, 4742, 0.001)]


@pytest.mark.parametrize(("leaks", "read", "rate"), NEEDED)
def test_so_many_have_to_be_read(leaks, read, rate):
    assert upper(leaks, read) <= rate < upper(leaks, read - 1)


def test_of_a_finite_lot_fewer_have_to_be_read():
    assert finite_upper(0, 258, 1000) < 0.01 <= finite_upper(0, 257, 1000)
    assert finite_upper(0, 1000, 1000) == 0
    assert finite_upper(3, 1000, 1000) == 0.003


@pytest.mark.parametrize(("x", "n"), [(0, 1), (1, 3), (2, 7), (5, 9)])
def test_the_bound_is_where_so_few_become_improbable(x, n):
    assert at_most(x, n, upper(x, n)) == pytest.approx(0.05)
    counted = sum(  # all ways to leak
        upper(x, n) ** sum(way) * (1 - upper(x, n)) ** (n - sum(way))
        for way in product((0, 1), repeat=n)
        if sum(way) <= x
    )
    assert counted == pytest.approx(0.05)
    assert 1 - at_most(x - 1, n, lower(x, n)) == pytest.approx(0.05 if x else 1)


def test_who_has_read_nothing_has_proved_nothing():
    found = evidence([Verdict("quick", None, None, 100)], planted=0, caught=0)
    assert (found.quick.bound, found.read.bound, found.after_recall, found.all) == (1, 1, 1, 1)
    assert evidence([], planted=0, caught=0).all == 1


def test_strata_are_weighted_and_readers_miss_too():
    verdicts = [
        Verdict("quick", None, None, 900),
        Verdict("sampled", False, None, 59),
        Verdict("full", None, False, 30),
        Verdict("full", None, None, 11),
    ]
    found = evidence(verdicts, planted=20, caught=19)
    assert found.released == 1000
    assert found.quick.bound == pytest.approx(0.0495, abs=1e-4)
    assert found.read.lot == 100
    assert found.quick.lot == 959
    assert found.after_recall == pytest.approx(found.quick.bound / lower(19, 20))
    assert found.quick.bound < found.all < 0.2


def test_a_plan_accepts_good_lots_and_bad_ones_seldom():
    chances = [accepted for _, accepted in plan(299, 0)]
    assert chances == sorted(chances, reverse=True)
    assert dict(plan(299, 0))[0.01] == pytest.approx(0.0495, abs=1e-3)
