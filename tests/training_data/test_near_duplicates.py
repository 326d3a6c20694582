"""Near duplicates are found by what the texts say, whatever their order."""

import random
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.training_data import near_duplicates
from thunder.training_data.near_duplicates import band_keys, bands_for, jaccard, shingles

FACTS = (
    "피고인은 2021. 3. 5. 21:30경 서울 한빛구 새벽로 17에 있는 주점에서 피해자와 시비가 되어 "
    "주먹으로 피해자의 얼굴을 두 차례 때려 약 2주간의 치료가 필요한 상해를 가하였다. 이에 피고인은 "
    "피해자의 신고를 받고 출동한 경찰관에게 욕설을 하고 가슴을 밀쳐 폭행하였다."
)
OTHER = (
    "원고는 피고로부터 이 사건 토지를 매수하는 계약을 맺고 계약금을 지급하였으나, 피고가 잔금 "
    "지급일까지 소유권이전등기에 필요한 서류를 건네주지 아니하였으므로 계약을 해제한다고 주장한다."
)


def groups(documents: Iterable[tuple[str, str]], *, threshold: float = 0.8) -> dict[str, str]:
    ids, texts = zip(*documents, strict=True) if (documents := list(documents)) else ((), ())
    return near_duplicates.groups(ids, texts.__getitem__, threshold=threshold)


def words(seed: int, number: int = 300) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chr(chance.randrange(0xAC00, 0xD7A4)) for _ in range(3)) for _ in range(number)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (FACTS, FACTS, True),
        (FACTS, FACTS.replace(" ", "\n"), True),  # only the white space differs
        (FACTS, FACTS.replace("21:30경", "21:40경"), True),
        (FACTS, FACTS + " " + OTHER, False),  # half of it is something else
        (FACTS, OTHER, False),
        ("가", "가", True),
        ("가", "나", False),
        ("", "", True),
        ("", FACTS, False),
    ],
)
def test_what_counts_as_the_same_text(one, other, same):
    found = groups([("b", one), ("a", other)])
    assert found == ({"a": "a", "b": "a"} if same else {"a": "a", "b": "b"})


def test_decomposed_hangul_is_the_same_text():
    import unicodedata

    found = groups([("a", FACTS), ("b", unicodedata.normalize("NFD", FACTS))])
    assert found["b"] == "a"


def test_what_is_alike_by_way_of_another_is_one_group():
    chain = [words(1)]
    for step in range(4):  # each differs from the one before in 15 of 300 words
        chain.append([*words(10 + step, 15), *chain[-1][15:]])
        chain[-1] = chain[-1][15:] + chain[-1][:15]
    texts = [(str(at), " ".join(text)) for at, text in enumerate(chain)]
    first, last = (shingles(np.array([ord(c) for c in texts[at][1]])) for at in (0, -1))
    assert jaccard(np.unique(first), np.unique(last)) < 0.8
    assert set(groups(texts).values()) == {"0"}


@given(st.permutations(range(12)))
@settings(max_examples=10, deadline=None)
def test_the_order_of_the_documents_does_not_matter(order):
    texts = [(f"{at:02}", " ".join([*words(at % 5), str(at)])) for at in range(12)]
    found = groups([texts[at] for at in order])
    assert found == {f"{at:02}": f"{at % 5:02}" for at in range(12)}


def test_candidates_below_the_threshold_are_not_joined():
    base = words(3)
    texts = [(str(at), " ".join([*base[:240], *words(100 + at, 60)])) for at in range(30)]
    found = groups(texts)  # a Jaccard index near 0.66: many share a band
    assert found == {name: name for name, _ in texts}
    assert set(groups(texts, threshold=0.6).values()) == {"0"}


def test_thousands_of_identical_texts_take_no_squared_time():
    found = groups((f"{at:04}", FACTS) for at in range(3000))
    assert set(found.values()) == {"0000"}


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.95, 1.0])
def test_pairs_at_the_threshold_are_nearly_all_candidates(threshold):
    assert bands_for(threshold).recall(threshold) >= 0.995


def test_the_recall_that_is_promised_is_the_recall_that_is_measured():
    bands, chance = bands_for(0.8), np.random.Generator(np.random.Philox(key=1))
    pairs, found = 400, 0
    for _ in range(pairs):  # two sets of 900 with 800 in common: 0.8
        hashes = chance.integers(1 << 63, size=1000, dtype=np.uint64)
        keys = band_keys([hashes[:900], hashes[100:]], bands)
        found += bool((keys[0] == keys[1]).any())
    assert found / pairs > 0.98


@pytest.mark.parametrize("threshold", [0.0, 0.29, 1.01, -1.0])
def test_an_impossible_threshold_is_refused(threshold):
    with pytest.raises(ValueError, match=r"0\.3 to 1"):
        groups([], threshold=threshold)


def test_an_id_that_comes_twice_is_refused():
    with pytest.raises(ValueError, match="'a' comes twice"):
        groups([("a", FACTS), ("a", OTHER)])


def test_no_documents_are_no_groups():
    assert groups([]) == {}


@given(st.lists(st.integers(0, 30)), st.lists(st.integers(0, 30)))
def test_the_jaccard_index_is_that_of_the_sets(one, other):
    first, second = np.unique(np.array(one, np.uint32)), np.unique(np.array(other, np.uint32))
    both, any_ = set(one) & set(other), set(one) | set(other)
    assert jaccard(first, second) == (len(both) / len(any_) if any_ else 1.0)
