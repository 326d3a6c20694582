"""Every token is answered for once, by the window in which it stands most centrally."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.tagger.windows import windows


@given(st.data())
def test_nothing_is_unread_and_nothing_answered_twice(data):
    size = data.draw(st.integers(1, 40))
    overlap = data.draw(st.integers(0, size // 2))
    tokens = data.draw(st.integers(0, 300))
    found = windows(tokens, size=size, overlap=overlap)
    answered = [token for one in found for token in range(one.first, one.last)]
    assert answered == list(range(tokens))
    for one in found:
        assert one.start <= one.first < one.last <= one.end <= tokens
        assert one.end - one.start == min(size, tokens)


@given(st.data())
def test_a_token_is_taken_from_where_it_is_most_central(data):
    size = data.draw(st.integers(2, 24))
    overlap = data.draw(st.integers(0, size // 2))
    tokens = data.draw(st.integers(1, 200))
    found = windows(tokens, size=size, overlap=overlap)

    def context(one, token):
        before = tokens if one.start == 0 else token - one.start + 1
        after = tokens if one.end == tokens else one.end - token
        return min(before, after)

    for one in found:
        for token in range(one.first, one.last):
            best = max(context(w, token) for w in found if w.start <= token < w.end)
            assert context(one, token) >= best - 1  # an even overlap has no middle token


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (8, 5), (8, -1)])
def test_windows_that_cannot_be_are_refused(size, overlap):
    with pytest.raises(ValueError, match="windows need"):
        windows(20, size=size, overlap=overlap)
