"""Token-level scores against the paper's definitions (Appendix F), counted by hand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.scoring import tokens
from thunder.scoring.characters import Counts
from thunder.text.spans import Span
from thunder.tokenization.labeling import labels_from_spans

NAME, BANK, ANY = 5, 7, -100


def counted(gold, said):
    return tokens.confusion(np.array(gold, np.int16), np.array(said, np.int16))


@pytest.mark.parametrize(
    ("gold", "said", "binary", "micro"),
    [
        ([0, NAME, NAME], [0, NAME, NAME], Counts(2, 0, 0), Counts(2, 0, 0)),
        ([0, NAME, NAME], [0, 0, 0], Counts(0, 0, 2), Counts(0, 0, 2)),
        ([0, 0, NAME], [NAME, 0, NAME], Counts(1, 1, 0), Counts(1, 1, 0)),
        # another label: masked all the same, but a miss of the one and a false alarm of the other
        ([0, NAME, NAME], [0, NAME, BANK], Counts(2, 0, 0), Counts(1, 1, 1)),
        ([0, NAME, NAME, BANK, 0], [NAME, NAME, BANK, 0, 0], Counts(2, 1, 1), Counts(1, 2, 2)),
        # nobody is asked: neither right nor wrong
        ([ANY, NAME, ANY], [NAME, NAME, 0], Counts(1, 0, 0), Counts(1, 0, 0)),
        ([0, 0], [0, 0], Counts(), Counts()),
    ],
)
def test_binary_and_micro_counts(gold, said, binary, micro):
    found = counted(gold, said)
    assert tokens.binary(found) == binary
    assert tokens.micro(found, tokens.same) == micro


def test_micro_scores_are_those_of_appendix_f():
    # Two of three said are right, two of four there are found: P 2/3, R 1/2, F1 4/7.
    found = counted([NAME, NAME, BANK, BANK, 0], [NAME, NAME, 0, 0, BANK])
    counts = tokens.micro(found, tokens.same)
    assert (counts.precision, counts.recall) == (2 / 3, 1 / 2)
    assert counts.f1 == pytest.approx(4 / 7)


ROW = st.lists(
    st.tuples(st.sampled_from([ANY, 0, 3, 5, 7]), st.sampled_from([0, 3, 5, 7])), max_size=30
)


def textbook(pairs):
    """Count each class by itself, as the formulas say, and add up."""
    asked = [(gold, said) for gold, said in pairs if gold != ANY]
    total = Counter()
    for one in (3, 5, 7):
        total["tp"] += sum(gold == one and said == one for gold, said in asked)
        total["fp"] += sum(gold != one and said == one for gold, said in asked)
        total["fn"] += sum(gold == one and said != one for gold, said in asked)
    return Counts(total["tp"], total["fp"], total["fn"])


@given(ROW)
def test_micro_counts_are_the_sums_of_each_class(pairs):
    found = counted([gold for gold, _ in pairs], [said for _, said in pairs])
    assert tokens.micro(found, tokens.same) == textbook(pairs)
    thousands = tokens.by_thousand(*(np.array([p[at] for p in pairs], np.int16) for at in (0, 1)))
    assert tokens.added(thousands.values()) == found


@given(ROW)
def test_a_coarser_tier_is_never_harder(pairs):
    found = counted([gold for gold, _ in pairs], [said for _, said in pairs])
    fine, coarse = (tokens.micro(found, group) for group in (tokens.same, lambda label: label < 6))
    assert fine.hits <= coarse.hits <= tokens.binary(found).hits


def test_rows_of_different_length_are_refused():
    with pytest.raises(ValueError, match="2 gold tokens, 1 predicted"):
        counted([0, 0], [0])


def test_tokens_of_a_text(gold, tokenizer, known):
    cut = tokens.tokenised(gold, tokenizer, known)
    perfect = tokens.confusion(cut.labels, tokens.predicted_labels(cut, gold.spans, known))
    number = int((cut.labels > 0).sum())
    assert number >= len(gold.spans)
    assert tokens.micro(perfect, tokens.same) == Counts(hits=number)
    nothing = tokens.confusion(cut.labels, tokens.predicted_labels(cut, (), known))
    assert tokens.binary(nothing) == Counts(missed=number)


def test_nothing_falls_off_a_long_document(tokenizer, known):
    from thunder.scoring.documents import gold_of

    text = "그는 갔다. " * 2000 + "홍길동"
    span = Span(len(text) - 3, len(text), "내국인이름")
    cut = tokens.tokenised(gold_of("1", "", text, [span]), tokenizer, known)
    assert len(cut.labels) > 4096
    said = tokens.predicted_labels(cut, (), known)
    thousands = tokens.by_thousand(cut.labels, said)
    assert {at for at, found in thousands.items() if found} == {max(thousands)}


CUT = (np.array([0, 2, 5], np.int32), np.array([2, 5, 6], np.int32))  # 가나 | 다라마 | 바


@pytest.mark.parametrize(
    ("gold", "said", "binary", "micro"),
    [
        # 나다라 of 가나다라마바: the first two tokens lie half in it, and are its tokens whole
        ([(1, 4, "내국인이름")], [(1, 4, "내국인이름")], Counts(2, 0, 0), Counts(2, 0, 0)),
        # found by its second half alone: one token of two is missed
        ([(1, 4, "내국인이름")], [(3, 4, "내국인이름")], Counts(1, 0, 1), Counts(1, 0, 1)),
        # 다라마바 as a bank: one token missed, one found under another label, one too many
        ([(1, 4, "내국인이름")], [(2, 6, "은행")], Counts(1, 1, 1), Counts(0, 2, 2)),
        # a token that lies in two mentions is the first one's: 나 a name, 다 a bank
        (
            [(1, 2, "내국인이름"), (2, 3, "은행")],
            [(0, 3, "은행")],
            Counts(2, 0, 0),
            Counts(1, 1, 1),
        ),
        # half a token that need not be right or wrong, and what is found there: counted nowhere
        ([(1, 2, ""), (5, 6, "은행")], [(0, 1, "은행"), (5, 6, "은행")], Counts(1), Counts(1)),
    ],
)
def test_a_token_that_lies_half_in_a_mention_is_its_token(known, gold, said, binary, micro):
    labels = labels_from_spans(*CUT, [Span(*one) for one in gold], taxonomy=known)
    cut = tokens.Tokenised(*CUT, labels)
    predicted = tokens.predicted_labels(cut, tuple(Span(*one) for one in said), known)
    found = tokens.confusion(labels, predicted)
    assert tokens.binary(found) == binary
    assert tokens.micro(found, tokens.same) == micro
