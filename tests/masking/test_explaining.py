"""Why something is masked or stays readable, in words, without a word of the text."""

from dataclasses import replace

import pytest

from thunder.masking import doubts
from thunder.masking.audit import catalogue, result_entry
from thunder.masking.deidentify import deidentify
from thunder.masking.explaining import _FEATURES, explained, sentence
from thunder.mentions.candidates import NUMBERS, WORDS
from thunder.mentions.scorecard import Card, Points, Scorecard
from thunder.settings import messages
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.text.spans import Span

from ..fake_tagger import FakeTagger

PERSON = "내국인이름"
MASS = Points(cuts=(0.1, 0.5), steps=(-3.0, 0.0, 3.0))


class Carded(FakeTagger):
    """A fake tagger with a scorecard for persons and bodies."""

    scorecard = Scorecard(  # type: ignore[assignment]
        {
            (kind, state): Card(0.0, {"mass": MASS})
            for kind in ("person", "body")
            for state in ("readable", "masked")
        },
        0.02,
    )


TEXT = "다온은 라온과 마루에 갔다. 판사 김도윤은 웃었다."
SEEN = {"다온": (PERSON, 0.9), "김도윤": (PERSON, 0.9)}
TAGGER = Carded(SEEN, masses={"라온": 0.3, "마루": 0.05})


def test_every_feature_has_words():
    assert set(_FEATURES) == NUMBERS | WORDS


def test_masks_words_and_what_the_rule_keeps_are_explained():
    told = {TEXT[one.start : one.end]: one for one in explained(TEXT, TAGGER)}  # type: ignore[arg-type]
    assert told["다온"].is_masked
    assert told["다온"].probability == pytest.approx(0.953, abs=0.001)
    assert "찾은 규칙 tagger" in told["다온"].sentence
    assert "태거가 읽은 확률 0.9(+3.0)" in told["다온"].sentence
    assert not told["라온"].is_masked and not told["라온"].is_proposed
    assert "아무도 제안하지 않음" in told["라온"].sentence
    assert "기준에 따라 남김: 법관" in told["김도윤"].sentence


def test_what_was_found_and_is_no_mention_is_explained_as_it_was_weighed():
    asked = Carded({"마루": (PERSON, 0.3)})
    asked.scorecard = replace(Carded.scorecard, masked={"person": 0.6})  # type: ignore[type-var]
    told = {TEXT[one.start : one.end]: one for one in explained(TEXT, asked)}  # type: ignore[arg-type]
    assert not told["마루"].is_masked and told["마루"].is_proposed
    assert "확률이 0.60에 못 미쳐 버려짐" in told["마루"].sentence
    assert f"가릴 정보일 확률 {told['마루'].probability:.2f}" in told["마루"].sentence
    assert told["마루"].probability < 0.6


def test_the_rules_alone_say_who_found_it():
    told = {TEXT[one.start : one.end]: one for one in explained(TEXT, RULES_ALONE)}
    assert "제안한 규칙 names:person" in told["김도윤"].sentence


def test_it_is_said_in_english_too():
    messages.choose("en")
    try:
        said = sentence(Span(0, 2, PERSON, 0.9, "rule:phone"))
    finally:
        messages.choose("ko")
    assert said == "found by rule:phone"


def test_an_audit_says_why_and_quotes_nothing():
    result = deidentify(TEXT, tagger=TAGGER)  # type: ignore[arg-type]
    (change,) = result_entry(result, catalogue("court"))["changes"]
    assert change["probability"] == pytest.approx(0.953, abs=0.001)
    assert "가릴 정보일 확률 0.95" in change["why"]
    assert not any(word in change["why"] for word in ("다온", "라온", "마루", "김도윤"))


def test_doubts_are_ordered_by_their_probability_one_row_a_wording():
    text = "라온과 마루에 갔다. 라온은 닫혀 있었다."
    tagger = Carded({}, masses={"라온": 0.3, "마루": 0.6})
    found = deidentify(text, tagger=tagger).doubts  # type: ignore[arg-type]
    assert [(text[one.start : one.end], one.score) for one in found] == [
        ("마루", pytest.approx(0.953, abs=0.001)),
        ("라온", 0.5),
    ]
    assert found[1].places == ((0, 2), (12, 14))


def test_a_name_that_is_a_word_is_doubted_where_it_stays_readable_ordered_and_explained():
    text = (
        "피고인 이자, 주민등록번호 820101-1234567\n라온은 이자를 갚았다. 이자 50만 원이다. "
        "피고인 이자는 웃었다."
    )
    tagger = Carded({}, masses={"라온": 0.6, "이자": 0.05})
    result = deidentify(text, tagger=tagger)  # type: ignore[arg-type]
    assert result.text.count("이자") == 2
    shown = [(one.kind, text[one.start : one.end], len(one.places)) for one in result.doubts]
    assert shown[1:] == [("near", "라온", 1), ("open", "이자", 2)]  # one row, in its turn
    entry = result_entry(result, catalogue("court"))["doubts"][2]
    assert entry["score"] == pytest.approx(0.0474, abs=0.001)
    assert "흔히 쓰는 낱말이기도" in entry["message"]
    assert "가릴 정보일 확률 0.05; 태거가 읽은 확률 0.05(-3.0)" in entry["why"]
    assert "이자" not in entry["why"] + entry["message"]


def test_the_rules_alone_weigh_masks_by_a_scorecard_of_their_own_and_words_that_are_asked():
    text = "피고인 김민준은 그날 다온누리를 보았다."
    result = deidentify(text, tagger=RULES_ALONE)
    (mask,) = result.changes
    why = result.why(mask.span)
    assert why is not None and why.probability > 0.9
    entry = result_entry(result, catalogue("court"))
    assert "가릴 정보일 확률" in entry["changes"][0]["why"]
    told = {text[one.start : one.end]: one.sentence for one in explained(text, RULES_ALONE)}
    assert "가릴 정보일 확률" in told["다온누리"]


def test_without_a_scorecard_what_is_masked_and_open_comes_first(monkeypatch):
    monkeypatch.setattr(doubts, "of_rules", lambda: None)
    text = "피고인 이자, 주민등록번호 820101-1234567\n이자를 갚았다."
    (doubt,) = deidentify(text, tagger=RULES_ALONE).doubts
    assert (doubt.kind, doubt.score, doubt.reasons) == ("open", None, ())
