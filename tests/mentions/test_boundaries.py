"""A mention gets the edges that its name has where it stands free."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.masking.deidentify import deidentify
from thunder.mentions.boundaries import anchored
from thunder.text.spans import Span

from ..fake_tagger import FakeTagger
from ..found_spans import COMPANY, PERSON

_MARK, _EMPTY = re.compile(r"\{([^{}]+)\}"), re.compile(r"\{\}")


def _found(marked, label, score=0.9):
    """Return a text in which mentions stood as {mention}, and their spans."""
    text, spans, done = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[done : match.start()]
        spans.append(Span(len(text), len(text) + len(match[1]), label, score, "tagger"))
        text += match[1]
        done = match.end()
    return text + marked[done:], spans


FREE = "{다온건설}은 {다온건설}의 "  # where the name stands between spaces
EDGES = [
    # A word right before it was taken for a part of it: one that is a word by itself.
    (FREE + "피고{는다온건설}과", COMPANY, "다온건설"),
    (FREE + "{계속 다온건설}에서", COMPANY, "다온건설"),
    ("{다온나래}은행은 {다온나래}은행의 {나래다온나래}은행과", COMPANY, "나래다온나래"),
    (FREE + "{나래다온건설}에서", COMPANY, "나래다온건설"),
    (FREE + "{나래 다온건설}에서", COMPANY, "나래 다온건설"),
    (FREE + "{진천 다온건설}에서", COMPANY, "진천 다온건설"),
    ("{홍길준}은 수탁{자홍길준}과", PERSON, "홍길준"),
    # So was one right behind it.
    ("{홍길준}은 원고 {홍길준이}사", PERSON, "홍길준"),
    (FREE + "{다온건설산업}의", COMPANY, "다온건설산업"),
    # It was cut: the rest goes with it, but for what may stay readable.
    (FREE + "나래와 {다온}건설의", COMPANY, "다온"),
    ("{다온케어개발}은 {다온케어개}발의", COMPANY, "다온케어개발"),
    ("{다온케어개발}은 원고{가다온케어}개발로부터", COMPANY, "다온케어개발"),
    ("{나래다온케어}는 나래{다온케어}의", COMPANY, "나래다온케어"),
    ("{다온케어대학}은 {다온케어}대학의", COMPANY, "다온케어"),
    ("{다온나래동}은 {다온나래}동의", COMPANY, "다온나래"),
    ("{사건나래가온}은행은 {사건나래가온}은행의 사건{나래가온}은행납부증명서", COMPANY, "나래가온"),
    # In a quotation of which all is a mention elsewhere, a piece is made whole.
    ("‘{나래별 동맹}’은 ‘나래별 {동맹}’의", COMPANY, "나래별 동맹"),
    ("‘{나래별 동맹}’은 ‘나래{별 동}맹’의", COMPANY, "나래별 동맹"),
    ("‘{나래별 동맹}’은 ‘나래{별} 동맹과 {나래}’의", COMPANY, "나래"),
    ("‘{다온은행}’은 ‘{다온}은행’의", COMPANY, "다온"),
    # What would go with it is a name, or more than a word.
    ("{홍길준}은 {홍길준}과 {홍길준이사김철우}는", PERSON, "홍길준이사김철우"),
    ("{홍길준}은 {홍길준}과 {김철우와홍길준}은", PERSON, "김철우와홍길준"),
    (FREE + "{나루상사와다온건설}은", COMPANY, "나루상사와다온건설"),
    (FREE + "{다온건설대표김철우}는", COMPANY, "다온건설대표김철우"),
    ("{마리아}는 {마리아}가 {마리아나}는", "외국인이름", "마리아나"),
    # Nothing says so: the name never stands free, or is too short.
    ("{지위가다온건설}에", COMPANY, "지위가다온건설"),
    ("{다온}은 {지위가다온}에", COMPANY, "지위가다온"),
    ("새{다온건설}은 {지위가다온건설}에", COMPANY, "지위가다온건설"),
]


@pytest.mark.parametrize(("marked", "label", "last"), EDGES)
def test_the_edges_of_a_mention(marked, label, last):
    text, spans = _found(marked, label)
    found = anchored(text, spans)[-1]
    assert text[found.start : found.end] == last


@pytest.mark.parametrize(
    ("marked", "label", "count"),
    [
        ("{다온}{농원}의", COMPANY, 1),
        ("{다온}{농원}{탄광}의", COMPANY, 1),
        ("{다온} {농원}의", COMPANY, 2),
        ("{홍길준}{김철우}는", PERSON, 2),
        ("{다온케어개발}은 {다온케}{어개발}의", COMPANY, 2),  # the free one, and one of two pieces
    ],
)
def test_things_that_meet_within_a_word_are_one(marked, label, count):
    assert len(anchored(*_found(marked, label))) == count


def test_a_number_stays_as_it_is():
    text, spans = _found("{다온건설}은 계좌 {110-다온건설}로", "계좌번호")
    assert anchored(text, spans) == spans


def test_a_name_has_one_letter_wherever_words_are_glued_to_it():
    text = (
        "다온케어개발은 피고이다. 다온케어개발은 사업주체를다온케어개발로 하고, "
        "원고가다온케어개발에 팔았다."
    )
    tagger = FakeTagger(
        {
            "다온케어개발": (COMPANY, 0.9),
            "를다온케어개발": (COMPANY, 0.9),
            "가다온케어개발": (COMPANY, 0.9),
        }
    )
    assert deidentify(text, tagger=tagger).text == (
        "A은 피고이다. A은 사업주체를A로 하고, 원고가A에 팔았다."
    )


@given(
    st.lists(st.sampled_from(["다온건설", "지위가", " ", "이", "홍길준", "{", "}"])).map("".join)
)
def test_mentions_stay_disjoint_and_sorted_and_cover_what_they_name(marked):
    text, spans = _found(_EMPTY.sub("", marked), COMPANY)
    found = anchored(text, spans)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert all(0 <= span.start < span.end <= len(text) for span in found)
