"""Warm-up over a share of the steps, then half a cosine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.training.schedule import learning_rate


@pytest.mark.parametrize(
    ("step", "rate"),
    [(0, 0.1), (4, 0.5), (9, 1.0), (10, 1.0), (55, 0.5), (99, 0.0003)],
)
def test_rates_of_a_hundred_steps(step, rate):
    found = learning_rate(step, steps=100, peak=1.0, warmup=0.1)
    assert found == pytest.approx(rate, abs=5e-5)


@given(st.integers(1, 500), st.floats(0, 0.9), st.floats(0, 1e-4))
def test_every_step_has_a_rate_between_floor_and_peak(steps, warmup, floor):
    rates = [
        learning_rate(step, steps=steps, peak=1e-3, warmup=warmup, floor=floor)
        for step in range(steps)
    ]
    top = rates.index(max(rates))
    assert max(rates) == pytest.approx(1e-3, rel=0.3 if steps < 5 else 1e-6)
    assert all(0 < rate <= 1e-3 for rate in rates)
    assert rates[:top] == sorted(rates[:top])
    assert rates[top:] == sorted(rates[top:], reverse=True)


@pytest.mark.parametrize("step", [-1, 10])
def test_a_step_outside_is_refused(step):
    with pytest.raises(ValueError, match="outside a schedule of 10 steps"):
        learning_rate(step, steps=10, peak=1.0)
