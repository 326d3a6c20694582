"""Telling two corpora apart, on texts small enough to see why."""

import numpy as np
import pytest

from thunder.training_data.telling_apart import (
    area,
    copied,
    endings_divergence,
    longest_shared,
    particles_divergence,
    told_apart,
)

NAMES = ("도윤", "서준", "하은", "지호", "예린", "민재", "수아", "현우", "채원", "건우")


def texts(ending):
    return [
        f"{name}은 {number}일 {NAMES[number - 1]}을 만났{ending}"
        for number, name in enumerate(NAMES, 1)
    ]


def test_texts_that_end_otherwise_are_told_apart_by_how_they_end():
    found = told_apart(texts("다."), texts("습니다."))
    assert found.auc == 1.0
    assert any("습니" in one for one in found.second)
    assert not any("습니" in one for one in found.first)


def test_texts_of_one_hand_are_not_told_apart():
    rng = np.random.default_rng(3)
    words = [f"{a}{b}" for a in "가나다라마바" for b in "사아자차카타"]
    drawn = [" ".join(rng.choice(words, 40)) for _ in range(120)]
    assert 0.3 < told_apart(drawn[:60], drawn[60:]).auc < 0.7


@pytest.mark.parametrize(
    ("scores", "positive", "expected"),
    [
        ([1, 2, 3, 4], [0, 0, 1, 1], 1.0),
        ([4, 3, 2, 1], [0, 0, 1, 1], 0.0),
        ([1, 1, 1, 1], [0, 1, 0, 1], 0.5),  # the same score is half right
        ([1, 2, 3, 4], [0, 1, 0, 1], 0.75),
    ],
)
def test_the_area_counts_pairs_in_order(scores, positive, expected):
    assert area(np.float32(scores), np.float32(positive)) == expected


def test_a_handful_of_texts_is_refused():
    with pytest.raises(ValueError, match="5 texts of either corpus"):
        told_apart(texts("다.")[:4], texts("다."))


def test_the_longest_shared_passage_counts_words_in_a_row():
    known = ["하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉", "가 나"]
    made = ["둘 셋 넷 없다 다섯 여섯", "하나 둘 셋 넷 다섯 여섯 일곱 여덟", "모두 새롭다", ""]
    assert longest_shared(made, known) == [3, 8, 0, 0]
    assert copied([3, 8, 0, 0]) == 0.25
    assert longest_shared(made, known, formulas=["셋 넷"]) == [2, 4, 0, 0]
    assert longest_shared(made, []) == [0, 0, 0, 0]


def test_endings_and_particles_are_held_against_each_other():
    plain, polite = ["그는 갔다. 나도 갔다."], ["그는 갔습니다. 나도 갔습니다."]
    assert endings_divergence(plain, plain) == 0.0
    assert endings_divergence(plain, polite) == 1.0
    assert endings_divergence(plain, ["끝이 없다"]) is None
    assert particles_divergence(plain, polite) == 0.0
    assert particles_divergence(["내가 너를"], ["나는 너에게 집에"]) == 1.0
