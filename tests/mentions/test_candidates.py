"""What is collected of a stretch that may be a mention, and which wordings are candidates."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

from thunder.mentions.candidates import Candidate, Evidence, candidates, everything, kind_of
from thunder.tagger.readings import Reading
from thunder.text.spans import Span

from ..growth import grows_evenly

PERSON, SHOP = "내국인이름", "식당"


def _reading(text: str, **masses: float) -> Reading:
    """Return a reading of a token a character, with these words' masses."""
    places = np.arange(len(text), dtype=np.int32)
    reading = Reading.empty(places, places + 1)
    for word, mass in masses.items():
        for found in re.finditer(word, text):
            reading.mass[found.start() : found.end()] = mass
    return reading


def _words(text: str, found: Iterator[Candidate]) -> list[str]:
    return [text[one.start : one.end] for one in found if not one.is_masked]


def test_whole_words_without_particles_one_row_a_wording():
    text = "라온에서 다온을 보았다. 라온은 닫혀 있었다."
    evidence = Evidence((), (), _reading(text, 라온=0.2, 다온=0.1))
    found = list(candidates(text, evidence, masked=()))
    assert _words(text, iter(found)) == ["라온", "다온"]
    assert found[0].places == ((0, 2), (14, 16))
    assert found[0].features["places"] == 2


def test_the_likeliest_place_speaks_for_a_wording():
    text = "라온에서 보았다. 라온은 닫혀 있었다."
    reading = _reading(text)
    reading.mass[10:12] = 0.3
    (found,) = candidates(text, Evidence((), (), reading), masked=())
    assert (found.start, found.end) == (10, 12)
    assert found.features["mass"] == pytest.approx(0.3)


def test_what_is_masked_is_one_candidate_and_no_word_of_it_another():
    text = "피고인 김도윤은 라온에 갔다."
    mask = Span(4, 7, PERSON, 0.9, "names:person")
    evidence = Evidence((mask,), (), _reading(text, 김도윤=0.9, 라온=0.1))
    masked, readable = candidates(text, evidence, masked=[mask])
    assert (masked.start, masked.end, masked.kind, masked.is_masked) == (4, 7, "person", True)
    assert masked.features["source"] == "names:person"
    assert masked.features["before"] == "role: party"
    assert text[readable.start : readable.end] == "라온"


def test_what_was_proposed_and_dropped_stays_a_candidate_however_unlikely():
    text = "그는 별난 식당에 갔다."
    find = Span(3, 5, SHOP, 0.6, "names:organisation")
    (found,) = candidates(text, Evidence((find,), (), _reading(text)), masked=())
    assert (found.kind, found.features["source"]) == ("body", "names:organisation")
    assert found.features["score"] == 0.6
    assert str(found.features["noun"]).startswith("before")


def test_what_a_tagger_holds_for_nothing_is_a_candidate_only_where_one_asks():
    text = "그는 집에 갔다."
    evidence = Evidence((), (), _reading(text))
    assert list(candidates(text, evidence, masked=())) == []
    assert _words(text, everything(text, evidence, masked=())) == ["그는", "집에", "갔다"]


def test_without_a_tagger_rare_words_are_candidates():
    text = "그는 구르미에 가서 판결을 읽었다."
    assert "구르미" in _words(text, candidates(text, Evidence(()), masked=()))
    assert "판결" not in _words(text, candidates(text, Evidence(()), masked=()))


def test_a_wording_masked_elsewhere_says_so():
    text = "김도윤은 왔다. 김도윤이 갔다."
    mask = Span(0, 3, PERSON, 0.9, "names:person")
    evidence = Evidence((mask,), (), _reading(text))
    _, readable = candidates(text, evidence, masked=[mask])
    assert (readable.start, readable.features["elsewhere"]) == (9, "masked")


def test_a_court_s_letters_are_no_candidates():
    text = "피고인 A은 김○○에게 (계좌번호 1 생략)로 보냈다."
    found = candidates(text, Evidence((), (), _reading(text, **{"A": 0.4, "○": 0.4})), masked=())
    assert not {"A", "○○"} & set(_words(text, found))


def test_features_are_numbers_and_words_of_a_small_set():
    text = "피고인 김도윤은 ‘별난’ 라온에 갔다."
    evidence = Evidence((), (), _reading(text, 김도윤=0.4, 라온=0.2, 별난=0.3))
    for one in candidates(text, evidence, masked=()):
        assert not any(text[one.start : one.end] in str(value) for value in one.features.values())


@pytest.mark.parametrize(
    ("label", "kind"),
    [(PERSON, "person"), ("주식회사", "body"), ("행정동", "place"), ("계좌번호", "number")],
)
def test_kinds(label, kind):
    assert kind_of(label) == kind


def test_time_grows_with_the_length():
    def find(times: int) -> None:
        text = "라온에서 다온을 보았다. 나리는 " * times
        evidence = Evidence([Span(0, 2, SHOP, 0.5, "names:place")], (), _reading(text, 라온=0.2))
        list(candidates(text, evidence, masked=()))

    assert grows_evenly(find, 1_000, 8_000)
