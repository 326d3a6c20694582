"""Scores by characters, mentions and documents; equality of two maskings up to the letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.scoring import (
    FORM,
    SPELLING,
    Counts,
    Masking,
    Mentions,
    Scored,
    beside,
    measure,
    same_up_to_letters,
)
from thunder.text.spans import Span
from thunder.training_data.filling import IGNORED

GOLD = (Span(0, 3, "내국인이름"), Span(10, 14, "은행"))


def scored(*predicted: Span, gold: tuple[Span, ...] = GOLD) -> Scored:
    return Scored(40, gold, predicted)


@pytest.mark.parametrize(
    ("predicted", "binary", "mentions", "clean"),
    [
        (GOLD, Counts(7, 0, 0), Mentions(2, 2, 2), 1),
        ((), Counts(0, 0, 7), Mentions(2, 0, 0), 0),
        ((Span(0, 2, "내국인이름"),), Counts(2, 0, 5), Mentions(2, 0, 0), 0),
        # one character too many: whole, not exact, no leak
        ((Span(0, 4, "내국인이름"), Span(10, 14, "은행")), Counts(7, 1, 0), Mentions(2, 2, 1), 1),
        # a wrong label still hides
        ((Span(0, 3, "식당"), Span(10, 14, "은행")), Counts(7, 0, 0), Mentions(2, 2, 2), 1),
        # two spans side by side hide a mention whole
        (
            (Span(0, 1, "내국인이름"), Span(1, 3, "내국인이름"), Span(10, 14, "은행")),
            Counts(7, 0, 0),
            Mentions(2, 2, 1),
            1,
        ),
        ((*GOLD, Span(20, 25, "식당")), Counts(7, 5, 0), Mentions(2, 2, 2), 1),
    ],
)
def test_characters_mentions_and_documents(predicted, binary, mentions, clean):
    report = measure([scored(*predicted)])
    assert report.binary == binary
    assert report.all_mentions == mentions
    assert (report.documents, report.clean) == (1, clean)


def test_a_label_is_right_or_wrong_and_a_group_may_be_right_all_the_same():
    document = scored(Span(0, 3, "외국인이름"), Span(10, 14, "은행"))
    by_label = measure([document])
    assert by_label.by_group["내국인이름"] == Counts(missed=3)
    assert by_label.by_group["외국인이름"] == Counts(extra=3)
    assert by_label.covered["내국인이름"] == Counts(hits=3)
    assert by_label.typed == Counts(4, 3, 3)
    by_tier = measure([document], group=lambda label: label[-2:])
    assert by_tier.by_group == {"이름": Counts(3), "은행": Counts(4)}


@pytest.mark.parametrize("masked", [(), (Span(3, 5, "병원"),), (Span(0, 5, "병원"),)])
def test_what_is_ignored_is_neither_hit_nor_miss(masked):
    gold = (Span(0, 3, "병원"), Span(3, 5, IGNORED))
    report = measure([scored(*masked, gold=gold)])
    assert report.binary.extra == 0
    assert report.binary.hits + report.binary.missed == 3
    assert report.all_mentions.exact == report.all_mentions.whole


def test_scores_are_the_textbook_ones():
    counts = Counts(hits=6, extra=2, missed=4)
    assert (counts.precision, counts.recall) == (0.75, 0.6)
    assert counts.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert Counts() + counts == counts


def test_spans_that_overlap_are_refused():
    with pytest.raises(ValueError, match="overlap"):
        Scored(10, (), (Span(0, 3, "호"), Span(2, 4, "호")))


SPANS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 4), st.sampled_from("가나다")), max_size=6
)


def _spans(parts) -> tuple[Span, ...]:
    spans, at = [], 0
    for gap, length, label in parts:
        spans.append(Span(at + gap, at + gap + length, label))
        at += gap + length
    return tuple(spans)


@given(SPANS, SPANS)
def test_every_character_is_counted_once(gold_parts, predicted_parts):
    gold, predicted = _spans(gold_parts), _spans(predicted_parts)
    report = measure([Scored(60, gold, predicted)])
    assert report.binary.hits + report.binary.missed == sum(map(len, gold))
    assert report.binary.hits + report.binary.extra == sum(map(len, predicted))
    assert report.typed.hits <= report.binary.hits
    assert measure([Scored(60, gold, gold)]).typed == Counts(sum(map(len, gold)))


@given(SPANS, SPANS)
def test_documents_add_up(one, other):
    first, second = (Scored(60, _spans(parts), ()) for parts in (one, other))
    both = measure([first, second])
    assert both.binary == measure([first]).binary + measure([second]).binary


# --- the round trip -----------------------------------------------------------------------------

B, C, D = Span(0, 3, "내국인이름"), Span(10, 14, "은행"), Span(20, 23, "내국인이름")
ACCOUNT = Span(30, 40, "계좌번호")
COURT = (Masking(B, "B"), Masking(C, "C"), Masking(D, "B"), Masking(ACCOUNT, "계좌번호 1 생략"))


def kinds(*ours: Masking, court: tuple[Masking, ...] = COURT) -> list[tuple[str, str]]:
    return [(found.kind, found.label) for found in same_up_to_letters(court, ours)]


ACCOUNT_AS_COURT = Masking(ACCOUNT, "계좌번호 1 생략")


@pytest.mark.parametrize(
    ("written", "differences"),
    [
        (("B", "C", "B", "계좌번호 1 생략"), []),
        (("A", "B", "A", "계좌번호 1 생략"), []),
        (("AA", "X", "AA", "계좌번호 4 생략"), []),
        (("A", "B", "C", "계좌번호 1 생략"), [("split", "내국인이름")]),
        (("A", "A", "A", "계좌번호 1 생략"), [("merged", "은행")]),
        (("A", "B", "A", "D"), [(FORM, "계좌번호")]),
        (("A", "B", "A", "전화번호 1 생략"), [(FORM, "계좌번호")]),
        (("A", "B", "A", "(계좌번호 1 생략)"), [(SPELLING, "계좌번호")]),
        (("A", "B", "A", "계좌번호1 생략"), [(SPELLING, "계좌번호")]),
        (("A", "(은행 1 생략)", "A", "계좌번호 1 생략"), [(FORM, "은행")]),
    ],
)
def test_letters_and_numbers_may_be_renamed_but_one_to_one(written, differences):
    ours = (Masking(m.span, w) for m, w in zip(COURT, written, strict=True))
    assert kinds(*ours) == differences


@pytest.mark.parametrize(
    ("ours", "differences"),
    [
        ((Masking(B, "A"), Masking(C, "B"), ACCOUNT_AS_COURT), [("missed", "내국인이름")]),
        (
            (
                Masking(B, "A"),
                Masking(C, "B"),
                Masking(Span(20, 24, "내국인이름"), "A"),
                ACCOUNT_AS_COURT,
            ),
            [("boundary", "내국인이름")],
        ),
        (
            (
                *(Masking(B, "A"), Masking(C, "B"), Masking(Span(16, 18, "식당"), "C")),
                *(Masking(D, "A"), ACCOUNT_AS_COURT),
            ),
            [("extra", "식당")],
        ),
        # one span of ours over two of theirs
        (
            (Masking(Span(0, 14, "식당"), "A"), Masking(D, "B"), ACCOUNT_AS_COURT),
            [("boundary", "내국인이름"), ("boundary", "은행")],
        ),
    ],
)
def test_what_is_masked_must_be_the_same(ours, differences):
    assert kinds(*ours) == differences


@pytest.mark.parametrize("ours", [(), (Span(3, 5, "병원"),), (Span(4, 5, "병원"),)])
def test_what_is_free_may_be_masked_or_not(ours):
    court = (Masking(Span(0, 3, "병원"), "B"), Masking(Span(3, 5, IGNORED), ""))
    exact = Masking(Span(0, 3, "병원"), "A")
    assert kinds(exact, *(Masking(span, "X") for span in ours), court=court) == []
    assert kinds(Masking(Span(0, 5, "병원"), "A"), court=court) == []


def test_a_filler_letter_that_stands_for_two_entities_is_no_difference():
    court = (Masking(B, "RA", "person"), Masking(C, "RA", "name"))
    assert kinds(Masking(B, "A"), Masking(C, "B"), court=court) == []


@given(st.permutations("ABCD"))
def test_any_renaming_of_letters_is_the_same_text(letters):
    spans = [Span(place * 5, place * 5 + 2, "내국인이름") for place in range(8)]
    theirs = tuple(Masking(span, "BCDE"[place % 4]) for place, span in enumerate(spans))
    ours = (Masking(span, letters[place % 4]) for place, span in enumerate(spans))
    assert kinds(*ours, court=theirs) == []


def test_a_span_that_touches_no_mention_stands_beside_them():
    document = scored(Span(0, 3, "내국인이름"), Span(10, 13, "은행"), Span(20, 22, "식당"))
    assert beside(document) == [Span(20, 22, "식당")]
