"""A scorecard learns what speaks for a mention, and is as sure as it is right."""

from random import Random

import numpy as np
import pytest

from thunder import taxonomy
from thunder.masking.deidentify import mentioned_in
from thunder.masking.records import Document
from thunder.mentions import scorecard
from thunder.mentions.candidates import Candidate
from thunder.scoring.documents import Gold
from thunder.scoring.verdicts import NOTHING, hash_of
from thunder.text.spans import IGNORED, Span
from thunder.training import scorecards
from thunder.training.scorecards import Example, examples_of, fit

from ..fake_tagger import FakeTagger

KNOWN = taxonomy.load()
PERSON = "내국인이름"
NAMES = ["라온", "다온", "나린", "마루", "가람", "보슬"]
WORDS = ["기록", "서류", "도로", "건물", "시장", "의자"]


def _golds(number: int) -> list[Gold]:
    """Return texts in which each name is a mention nine times in ten, and no other word is."""
    chance, found = Random(7), []
    for at in range(number):
        name, word = chance.choice(NAMES), chance.choice(WORDS)
        text = f"{word}에서 {name}에게 갔다."
        start = text.index(name)
        is_mention = chance.random() < 0.9
        spans = (Span(start, start + 2, PERSON),) if is_mention else ()
        found.append(Gold(f"d{at}", "", text, spans, ("a",) * len(spans), ("",) * len(spans)))
    return found


def _tagger() -> FakeTagger:
    return FakeTagger({}, masses=dict.fromkeys(NAMES, 0.1) | dict.fromkeys(WORDS, 0.01))


def examples(tagger: FakeTagger, golds: list[Gold], known: taxonomy.Taxonomy) -> list[Example]:
    documents = [Document(gold.text, gold.id) for gold in golds]
    found = mentioned_in(documents, tagger)  # type: ignore[arg-type]
    pairs = zip(golds, found, strict=True)
    return [one for gold, seen in pairs for one in examples_of(gold, *seen, known)]


def test_what_is_learnt_holds_on_other_documents():
    golds = _golds(400)
    card = fit(_tagger(), golds[:300], KNOWN)  # type: ignore[arg-type]
    found = [
        (card.probability(one.candidate), one) for one in examples(_tagger(), golds[300:], KNOWN)
    ]
    names = [chance for chance, one in found if one.candidate.features["mass"] > 0.05]
    assert np.mean(names) == pytest.approx(0.9, abs=0.08)
    assert max(chance for chance, one in found if one.candidate.features["mass"] < 0.05) < 0.1
    assert card.about["documents"] == 300


def test_what_counts_neither_way_is_no_example():
    text = "그는 라온에 갔다."
    gold = Gold("d", "", text, (Span(3, 5, IGNORED),), ("a",), ("",))
    assert list(examples(_tagger(), [gold], KNOWN)) == []


def test_of_partial_documents_no_mask_is_learnt_from():
    tagger = FakeTagger({"라온": (PERSON, 0.9)}, masses={"다온": 0.1, "서류": 0.01})
    text = "라온이 다온과 서류를 보았다."
    gold = Gold("d", "", text, (Span(4, 6, PERSON),), ("a",), ("",))
    card = fit(tagger, [], KNOWN, partial=[gold] * 3)  # type: ignore[arg-type]
    assert {state for _, state in card.cards} == {"readable"}


def test_of_a_kind_of_which_nothing_is_learnt_all_is_masked(tmp_path):
    tagger = FakeTagger({"라온": (PERSON, 0.9)}, masses={"다온": 0.1, "서류": 0.01})
    text = "라온이 다온과 서류를 보았다."
    gold = Gold("d", "", text, (Span(0, 2, PERSON), Span(4, 6, PERSON)), ("a", "b"), ("", ""))
    card = fit(tagger, [gold] * 3, KNOWN, masked=scorecards.MASKED)  # type: ignore[arg-type]
    assert card.masked == {}
    scorecard.write(tmp_path / scorecard.NAME, card)
    assert scorecard.read(tmp_path, KNOWN) is not None


def test_of_partial_documents_that_were_read_what_is_nothing_is_learnt_from():
    """A name beside the gold counts neither way, and nor does what nobody has judged."""
    text = "라온이 다온과 서류를 도로에서 보았다."
    words = {"라온": (PERSON, 0.9), "서류": (PERSON, 0.3), "도로": (PERSON, 0.3)}
    gold = Gold("d", "", text, (Span(0, 2, PERSON),), ("a",), ("",))
    verdicts = {("d", hash_of(gold, Span(8, 10, ""))): NOTHING}
    card = fit(FakeTagger(words), [], KNOWN, partial=[gold] * 40, verdicts=verdicts)  # type: ignore[arg-type]
    scores = card.cards["person", "masked"].features["score"]
    assert scores.of(0.9) > 0 > scores.of(0.3)
    assert card.about["candidates"] == 80


def test_readable_words_are_weighed_where_unlikely_masks_are_gone():
    golds = _golds(200)
    asked = FakeTagger({word: (PERSON, 0.3) for word in [*NAMES, *WORDS]})
    card = fit(asked, golds, KNOWN, masked={"person": 0.97})  # type: ignore[arg-type]
    assert {state for _, state in card.cards} == {"readable", "masked"}
    assert card.masked == {"person": 0.97}
    assert ("person", "readable") not in fit(asked, golds, KNOWN).cards  # type: ignore[arg-type]


def test_nothing_to_learn_from_is_said():
    with pytest.raises(ValueError, match="give others"):
        fit(_tagger(), [], KNOWN)  # type: ignore[arg-type]


def test_the_sum_is_a_probability_for_each_kind():
    """Points fitted too steeply on few candidates are made flatter by those not fitted on."""
    chance = np.random.default_rng(3)
    sums = chance.normal(0, 2, 4000)
    right = (chance.random(4000) < 1 / (1 + np.exp(-(0.5 * sums - 1)))).astype(float)
    slope, start = scorecards._scaling(sums, right)
    assert (slope, start) == (pytest.approx(0.5, abs=0.06), pytest.approx(-1, abs=0.1))


def test_a_word_seen_seldom_gets_no_points():
    some = [
        Example("d", Candidate(0, 2, "person", False, {"class": word}, ((0, 2),)), True, ((0, 2),))
        for word in ["noun"] * scorecards.LEAST + ["verb"] * (scorecards.LEAST - 1)
    ]
    table = scorecards._Table.of(some)
    assert set(table.words["class"]) == {"noun"}
