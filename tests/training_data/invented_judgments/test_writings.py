"""Invented writings that are no judgments: whole, labelled, varied, and what their kind says."""

import re
from collections import Counter

import pytest

from thunder.taxonomy import load
from thunder.training_data.annotation import parse, serialise
from thunder.training_data.diversity import OFTEN, legal_formulas, passage_shares
from thunder.training_data.invented_judgments import WRITINGS, family_of, judgment, writings

NUMBERS = range(100)


@pytest.fixture(scope="module")
def texts():
    return {kind: [judgment(kind, seed=2, number=n) for n in NUMBERS] for kind in WRITINGS}


@pytest.mark.parametrize("kind", WRITINGS)
def test_a_writing_is_whole_and_nothing_of_the_pieces_shows(texts, kind):
    taxonomy = load()
    assert family_of(kind) == "writings"
    for one in texts[kind]:
        assert re.search(r"[{}<>|§\\@\t]", one.text) is None, one.id
        assert re.search(r"\n\n\n| \n|\n ", one.text) is None, one.id
        back = parse(serialise(one.text, one.spans), taxonomy=taxonomy)
        assert (back.text, len(back.spans)) == (one.text, len(one.spans))
        assert len(one.spans) > 3, one.id


@pytest.mark.parametrize("kind", WRITINGS)
def test_one_letter_is_one_entity(texts, kind):
    for one in texts[kind]:
        labels = {}
        for span in one.spans:
            written = one.text[span.start : span.end]
            assert labels.setdefault(written, span.label) == span.label, (one.id, written)


@pytest.mark.parametrize("kind", WRITINGS)
def test_no_passage_of_eight_words_is_in_many_of_a_kind(texts, kind):
    shares = passage_shares([one.text for one in texts[kind]], formulas=legal_formulas())
    most, share = max(shares.items(), key=lambda row: row[1])
    assert share <= 1.5 * OFTEN, most  # of 100 texts; of 300 see benchmarks/diversity.py


def test_they_hold_most_labels_of_the_taxonomy(texts):
    found = Counter(span.label for kind in WRITINGS for one in texts[kind] for span in one.spans)
    assert len(found) > 700
    assert len(found) <= len(load())


@pytest.mark.parametrize(
    ("plain", "polite"),
    [
        ("빌려주었다.", "빌려주었습니다."),
        ("돈을 갚지 않는다.", "돈을 갚지 않습니다."),
        ("이웃이다. 말하였다.", "이웃입니다. 말하였습니다."),
        ("공제할 것이 아니다.", "공제할 것이 아닙니다."),
        ("증거가 없다.", "증거가 없습니다."),
        ("처벌을 원한다.", "처벌을 원합니다."),
        ("이미 공손합니다.", "이미 공손합니다."),
        ("다쳤다(이하 ‘이 사고’라 한다).", "다쳤습니다(이하 ‘이 사고’라 한다)."),
        ("바다가 보인다", "바다가 보인다"),
    ],
)
def test_what_is_written_to_a_court_ends_politely(plain, polite):
    assert writings.worded("petition", plain, ()) == (polite, ())
    assert writings.worded("news", plain, ()) == (plain, ())


def test_a_decision_has_parties_of_its_own(texts):
    assert writings.worded("decision", "원고는 피고에게, 피고인은", ())[0] == (
        "채권자는 채무자에게, 피고인은"
    )
    assert writings.worded("decision", "계좌를 살피고 있다", ())[0] == "계좌를 살피고 있다"
    for one in texts["decision"]:
        assert not re.search("(?<![가-힣])(?:원고|피고(?!인))", one.text), one.id


def test_the_same_writing_comes_on_every_machine():
    first = judgment("news", seed=7, number=3)
    assert first == judgment("news", seed=7, number=3)
    assert first.text != judgment("news", seed=8, number=3).text
