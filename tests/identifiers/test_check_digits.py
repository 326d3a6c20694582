"""Our check digits are python-stdnum's, over numbers drawn at random, where it has them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import imo, luhn
from stdnum.kr import rrn

from thunder.identifiers import checks


@pytest.mark.parametrize(
    ("ours", "theirs", "size"),
    [
        (checks.resident, rrn.calc_check_digit, 12),
        (checks.luhn, luhn.calc_check_digit, 15),
        (checks.luhn, luhn.calc_check_digit, 14),
        (checks.imo, imo.calc_check_digit, 6),
    ],
    ids=["resident", "card", "card of 15", "ship"],
)
def test_they_are_the_library_s(ours, theirs, size):
    @settings(max_examples=300, deadline=None)
    @given(st.text("0123456789", min_size=size, max_size=size))
    def agree(number):
        assert ours(number) == theirs(number)

    agree()
