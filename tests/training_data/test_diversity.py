"""The measures of a corpus, on texts small enough to count by hand."""

import math

import pytest

from thunder.training_data import diversity
from thunder.training_data.diversity import measure, passage_shares, self_bleu


def words(text):
    return text.split()


@pytest.mark.parametrize(
    ("texts", "n", "share"),
    [
        (["가 나 다", "가 나 라"], 1, 4 / 6),
        (["가 나 다", "가 나 라"], 2, 3 / 4),
        (["가 가 가 가"], 1, 1 / 4),
        (["가 나"], 3, 0.0),  # no run of three words
        ([], 1, 0.0),
    ],
)
def test_distinct_is_the_share_of_different_runs(texts, n, share):
    assert diversity.distinct([text.split() for text in texts], n=n) == pytest.approx(share)


@pytest.mark.parametrize(
    ("one", "other", "bits"),
    [
        ("가 나", "가 나", 0.0),
        ("가 가 나 나", "나 가", 0.0),  # frequencies count, not sizes
        ("가 나", "다 라", 1.0),
        # p = (1, 0), q = (1/2, 1/2): half of log2(4/3) and half of log2(2/3)/2 + log2(2)/2
        ("가", "가 나", (math.log2(4 / 3) + (math.log2(2 / 3) + 1) / 2) / 2),
    ],
)
def test_divergence_lies_between_the_same_words_and_others(one, other, bits):
    assert diversity.divergence([one.split()], [other.split()]) == pytest.approx(bits)
    assert diversity.divergence([other.split()], [one.split()]) == pytest.approx(bits)


def test_self_bleu_of_copies_is_one_and_of_strangers_nothing():
    same = words("가 나 다 라 마")
    assert self_bleu([same, same, same]) == pytest.approx(1.0)
    assert self_bleu([words("가 나 다 라"), words("마 바 사 아")]) == 0.0


def test_self_bleu_by_hand():
    # 가 나 다 라 against 가 나 마 라: 3 of 4 words, (1+1)/(3+1), (0+1)/(2+1), (0+1)/(1+1).
    expected = (3 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** (1 / 4)
    assert self_bleu([words("가 나 다 라"), words("가 나 마 라")]) == pytest.approx(expected)


def test_self_bleu_clips_by_the_others_and_never_by_itself():
    # 가 가 가 가 may take one 가 from the other text, not four from its own.
    texts = [words("가 가 가 가"), words("가 나 다 라")]
    first = (1 / 4 * 1 / 4 * 1 / 3 * 1 / 2) ** (1 / 4)
    second = (1 / 4 * 1 / 4 * 1 / 3 * 1 / 2) ** (1 / 4)
    assert self_bleu(texts) == pytest.approx((first + second) / 2)


def test_a_short_text_pays_for_its_shortness():
    long, short = words("가 나 다 라 마 바 사 아"), words("가 나 다 라")
    assert self_bleu([short, long]) < self_bleu([short, short])


def test_a_passage_is_counted_once_a_document():
    shares = passage_shares(["가 나 가 나", "가 나", "다 라", "라 다"], length=2)
    assert shares["가 나"] == 0.5
    assert shares["나 가"] == 0.25


def test_formulas_of_law_are_no_passages_and_none_runs_across_them():
    texts = ["가 소송비용은 피고가 부담한다. 나", "다 소송비용은 원고가 부담한다. 라"]
    shares = passage_shares(texts, formulas=["소송비용은 …가 부담한다."], length=2)
    assert shares == {}
    assert passage_shares(texts, length=2)["소송비용은 피고가"] == 0.5


def test_a_gap_in_a_formula_stays_within_its_line():
    text = "소송비용은 이것은\n다른 문장이고 피고가 부담한다."
    assert passage_shares([text], formulas=["소송비용은 …가 부담한다."], length=3)


def test_measure_lists_what_is_in_more_than_one_document_of_twenty():
    passage = "하나 둘 셋 넷 다섯 여섯 일곱 여덟"
    texts = [passage, passage, *(f"{number} 가 나 다 라 마 바 사" for number in range(18))]
    found = measure(texts)
    assert found.most_repeated == pytest.approx(0.1)
    assert [one.passage for one in found.repeated] == [passage]
    assert found.divergence is None
    assert measure(texts, reference=texts).divergence == 0.0


@pytest.mark.parametrize("texts", [[], ["한 문서"], ["", " \n", "한 문서"]])
def test_a_corpus_of_one_document_is_refused(texts):
    with pytest.raises(ValueError, match="at least two documents"):
        measure(texts)


def test_the_listed_formulas_are_few_and_start_with_no_remark():
    formulas = diversity.legal_formulas()
    assert 20 < len(formulas) < 120
    assert not [formula for formula in formulas if formula.startswith("#")]
