"""Points to probabilities, reasons, and files that do not fit."""

import json
import math
from dataclasses import replace

import pytest

from thunder import taxonomy
from thunder.mentions.candidates import KINDS, NUMBERS, WORDS, Candidate, Evidence, candidates
from thunder.mentions.scorecard import (
    NAME,
    STATES,
    Card,
    Points,
    Scorecard,
    is_source,
    of_rules,
    raw,
    read,
    write,
)
from thunder.settings.resources import folder
from thunder.text.spans import Span

KNOWN = taxonomy.load()
MASS = Points(cuts=(0.1, 0.5), steps=(-2.0, 0.0, 3.0))


def _candidate(*, is_masked: bool = False, **features: float | str) -> Candidate:
    return Candidate(0, 2, "person", is_masked, features, ((0, 2),))


def _card(**features: Points) -> Scorecard:
    return Scorecard({("person", "readable"): Card(-1.0, features)}, 0.02)


@pytest.mark.parametrize(
    ("mass", "log_odds"), [(0.05, -3), (0.1, -1), (0.49, -1), (0.5, 2), (1.0, 2)]
)
def test_points_are_added_up(mass, log_odds):
    found = _card(mass=MASS).probability(_candidate(mass=mass))
    assert found == pytest.approx(1 / (1 + math.exp(-log_odds)))


def test_words_without_points_and_features_without_a_card_count_nothing():
    card = _card(**{"class": Points(words={"noun": -2.0})})
    assert card.probability(_candidate(**{"class": "person", "form": "Hangul"})) == pytest.approx(
        1 / (1 + math.e)
    )


def test_the_strongest_reason_stands_first():
    card = _card(mass=MASS, **{"class": Points(words={"noun": -4.0})})
    weighed = card.weigh(_candidate(mass=0.9, **{"class": "noun"}))
    assert [(one.feature, one.points) for one in weighed.reasons] == [("class", -4.0), ("mass", 3)]
    assert weighed.probability == card.probability(_candidate(mass=0.9, **{"class": "noun"}))


def test_without_a_card_the_finder_s_score_stands():
    masked = _candidate(is_masked=True, score=0.7, mass=0.1)
    assert _card(mass=MASS).probability(masked) == raw(masked) == 0.7


def test_what_is_written_is_read(tmp_path):
    card = _card(mass=MASS, label=Points(words={"1": 0.5, "none": 0.25}))
    least = {"person": 0.15, "body": 0.3}
    cards = {**card.cards, **{(kind, "masked"): Card(0.5, {"mass": MASS}) for kind in least}}
    card = replace(card, cards=cards, masked=least, certain={"name": 0.9})
    write(tmp_path / NAME, card)
    assert read(tmp_path, KNOWN) == card
    assert read(tmp_path / "nowhere", KNOWN) is None


BROKEN = [
    ({"format": 1}, "format"),
    ({"shown": 2}, "'shown'"),
    ({"masked": {"person": 1}}, "'masked'"),
    ({"masked": {"ship": 0.2}}, "'masked'"),
    ({"certain": {"ship": 0.2}}, "'certain'"),
    ({"certain": {"name": 0}}, "'certain'"),
    ({"masked": {"person": "much"}}, "masked, person"),
    ({"cards": [{"kind": "ship", "of": "readable", "base": 0, "features": {}}]}, "'ship'"),
    ({"features": {"colour": {"red": 1}}}, "colour: no candidate has such a feature"),
    ({"features": {"label": {"99999": 1}}}, "no label with the id 99999"),
    ({"features": {"label": {"성명": 1}}}, "no label with the id"),
    ({"features": {"source": {"rule:horoscope": 1}}}, "no recogniser 'rule:horoscope'"),
    ({"features": {"class": {"noun": "much"}}}, "'much' is no number"),
    ({"features": {"mass": {"cuts": [0.5, 0.1], "points": [1, 2, 3]}}}, "cuts rise"),
    ({"features": {"mass": {"cuts": [0.1], "points": [1]}}}, "one more of points"),
    ({"features": {"mass": {"cuts": [0.1]}}}, "'points' is missing"),
    ({"cards": 3}, "not iterable"),
    ({"masked": {"person": 0.15}}, "cards of kind 'person', 'masked' are missing"),
    ({"masked": {"body": 0.3}, "cards": []}, "cards of kind 'body', 'masked' are missing"),
]


@pytest.mark.parametrize(("wrong", "said"), BROKEN)
@pytest.mark.usefixtures("english")
def test_what_does_not_fit_is_refused_with_file_and_cure(tmp_path, wrong, said):
    features = wrong.pop("features", {})
    card = {"kind": "person", "of": "readable", "base": 0, "features": features}
    table = {"format": 2, "shown": 0.02, "masked": {}, "certain": {}, "cards": [card], **wrong}
    (tmp_path / NAME).write_text(json.dumps(table), encoding="utf-8")
    with pytest.raises(ValueError, match="thunder tagger scorecard") as error:
        read(tmp_path, KNOWN)
    assert str(tmp_path / NAME) in str(error.value)
    assert said in str(error.value)


@pytest.mark.usefixtures("english")
def test_a_broken_file_is_refused(tmp_path):
    for written, says in [("{", "line 1, character 2"), ("[]", "no JSON object")]:
        (tmp_path / NAME).write_text(written, encoding="utf-8")
        with pytest.raises(ValueError, match=NAME) as error:
            read(tmp_path, KNOWN)
        assert says in str(error.value)


def _shipped() -> list[str]:
    return sorted(path.parent.name for path in folder("finetune/taggers").glob(f"*/{NAME}"))


@pytest.mark.parametrize("name", _shipped())
def test_the_shipped_scorecards_fit_and_the_tagger_speaks_for_a_mention(name):
    card = read(folder("finetune/taggers") / name, KNOWN)
    assert card is not None


def test_the_rules_alone_have_one_in_the_taxonomy_for_each_kind_readable_and_masked():
    card = of_rules()
    assert card is not None
    assert set(card.cards) == {(kind, state) for kind in KINDS for state in STATES}
    assert not any("mass" in one.features for one in card.cards.values())


def test_without_a_tagger_as_many_places_of_a_rare_word_are_known():
    text = "다온누리가 왔다. 그날 다온누리를 보았다. 갈매재는 높다. 갈매재에서 보았다."
    find = Span(25, 28, "산", 0.5, "names:place")
    found = {
        text[one.start : one.end]: one for one in candidates(text, Evidence((find,)), masked=())
    }
    assert len(found["다온누리"].places) == 2
    assert len(found["갈매재"].places) == 2


def test_features_of_candidates_are_those_that_a_card_may_have():
    text = "피고인 라온은 다온을 보았다."
    mask = Span(4, 6, "내국인이름", 0.5, "names:person")
    find = Span(8, 10, "식당", 0.5, "names:place")
    for one in candidates(text, Evidence([mask, find]), masked=[mask]):
        assert set(one.features) <= NUMBERS | WORDS
        for name, value in one.features.items():
            assert isinstance(value, str) is (name in WORDS), name


def test_sources():
    assert is_source("rule:phone")
    assert is_source("names:trade_name:defined")
    assert not is_source("rule:nothing")
    assert not is_source("names:김도윤")
