"""One scorecard says which finds are mentions; of what is certain it is not asked."""

from dataclasses import replace
from time import process_time

import pytest

from thunder import taxonomy
from thunder.masking.deidentify import deidentify, mentioned_in
from thunder.mentions.candidates import Evidence
from thunder.mentions.finding import weigh
from thunder.mentions.scorecard import Card, Points, Scorecard, read
from thunder.mentions.weighing import likely
from thunder.settings.resources import folder
from thunder.tagger.chosen_tagger import DEFAULT
from thunder.text.spans import Span

from ..fake_tagger import FakeTagger
from ..found_spans import COMPANY, PERSON, company, named, repeat, rule, tagger

SCORE = Points(cuts=(0.2, 0.5), steps=(-3.0, 0.0, 3.0))
"""By the finder's score: below .2 hardly (.05), below .5 as like as not, then rather (.95)."""

CARD = Scorecard(
    {(kind, "masked"): Card(0.0, {"score": SCORE}) for kind in ("person", "body", "place")},
    0.02,
    {"person": 0.15, "body": 0.6, "place": 0.6},
    certain={"name": 0.95, "person": 0.7},
)
CERTAIN_OF_NAME, CERTAIN_OF_PERSON = CARD.certain["name"], CARD.certain["person"]


SHIPPED = read(folder("finetune") / "taggers" / DEFAULT, taxonomy.load())


def found(sentence, finders):
    text = sentence.replace("[", "").replace("]", "")
    return text, sorted(span for finder, marked, score in finders for span in finder(marked, score))


def by_tagger(sentence, score, label=PERSON):
    return tagger(sentence, label, score)


def body(sentence, score):
    return tagger(sentence, COMPANY, score)


def person(sentence, score):
    return named(sentence, PERSON, score)


def identifier(sentence, score):
    return rule(sentence)


def again(sentence, score):
    return repeat(sentence)


@pytest.mark.parametrize(
    ("sentence", "finders", "left"),
    [
        # What the card gives less than it asks of the kind goes; of a person it asks less.
        ("어제 [한빛]에서", [by_tagger], "한빛"),
        ("어제 [한빛]에서", [body], ""),
        # A recogniser that is not certain is weighed as well …
        ("어제 [한빛]에서", [company], ""),
        # … but an identifier is known by its form.
        ("계좌 [110-482-660153]으로", [identifier], "110-482-660153"),
    ],
)
def test_what_is_hardly_a_mention_goes(sentence, finders, left):
    text, spans = found(sentence, [(finder, sentence, 0.3) for finder in finders])
    kept = likely(text, spans, Evidence(spans), CARD)
    assert " ".join(text[span.start : span.end] for span in kept) == left


@pytest.mark.parametrize(
    ("finder", "score", "stays"),
    [
        (company, CERTAIN_OF_NAME, True),  # announced as a firm: any word may be its name
        (company, CERTAIN_OF_NAME - 0.5, False),
        (person, CERTAIN_OF_NAME, True),
        (person, 0.1, False),
        (by_tagger, 0.1, False),
        (by_tagger, 0.3, True),
        (again, 0.1, True),
    ],
)
def test_what_a_recogniser_is_certain_of_stays_and_the_rest_is_weighed(finder, score, stays):
    sentence = "어제 [한빛]에서 보았다"
    text, spans = found(sentence, [(finder, sentence, score)])
    assert likely(text, spans, Evidence(spans), CARD) == (spans if stays else [])


def test_a_person_of_whom_a_tagger_is_sure_is_one_whatever_word_it_is():
    sure = {("person", "masked"): Card(-9.0, {}), ("body", "masked"): Card(-9.0, {})}
    card = Scorecard(sure, 0.02, CARD.masked, certain=CARD.certain)
    for label, score, stays in [
        (PERSON, CERTAIN_OF_PERSON, True),
        (PERSON, CERTAIN_OF_PERSON - 0.1, False),
        (COMPANY, 0.99, False),
    ]:
        text, spans = found("원고는 [문의]와", [(body, "원고는 [문의]와", score)])
        spans = [replace(span, label=label) for span in spans]
        assert likely(text, spans, Evidence((), spans), card) == (spans if stays else [])


def test_a_word_is_a_mention_everywhere_or_nowhere():
    text = "한빛은 갔다. 그 뒤 한빛이 왔다. 다온은 남았다."
    seen = [(0, 0.9), (text.index("한빛이"), 0.3), (text.index("다온"), 0.3)]
    spans = [Span(at, at + 2, COMPANY, score, "tagger") for at, score in seen]
    kept = likely(text, spans, Evidence((), spans), CARD)
    assert [text[span.start : span.end] for span in kept] == ["한빛", "한빛"]


@pytest.mark.parametrize(
    ("text", "again", "stays"),
    [
        ("강다온은 갔다. 강 다 온이 왔다.", "강 다 온", True),  # however it is spaced
        ("강다온은 갔다. 강다\n온이 왔다.", "강다\n온", True),
        ("강다온은 갔다. 다온이 왔다.", "다온", True),  # a part of it
        ("강다온은 갔다. 라온이 왔다.", "라온", False),
    ],
)
def test_a_repeat_stands_where_what_it_repeats_does(text, again, stays):
    never = Scorecard(
        {("person", "masked"): Card(-9.0, {})}, 0.02, CARD.masked, certain=CARD.certain
    )
    first = Span(0, 3, PERSON, CERTAIN_OF_NAME, "names:person")
    at = text.rindex(again)
    second = Span(at, at + len(again), PERSON, 0.9, "names:repeat")
    kept = likely(text, [first, second], Evidence([first]), never)
    assert kept == ([first, second] if stays else [first])


@pytest.mark.parametrize(
    ("seen", "label", "stays"),
    [
        ("다온", PERSON, True),
        ("다온", COMPANY, False),  # no person
        ("강다", PERSON, False),  # no given name
    ],
)
def test_a_given_name_that_a_tagger_doubts_stands_where_its_person_does(seen, label, stays):
    never = {(kind, "masked"): Card(-9.0, {}) for kind in ("person", "body")}
    card = Scorecard(never, 0.02, CARD.masked, certain=CARD.certain)
    text = f"강다온은 갔다. 어제 {seen}도 갔다."
    first = Span(0, 3, PERSON, CERTAIN_OF_NAME, "names:person")
    at = text.rindex(seen)
    second = Span(at, at + 2, label, 0.2, "tagger")
    kept = likely(text, [first, second], Evidence([first], [second]), card)
    assert kept == ([first, second] if stays else [first])


def test_a_card_that_asks_nothing_lets_all_pass():
    sentence = "어제 [한빛]에서"
    text, spans = found(sentence, [(body, sentence, 0.01)])
    assert likely(text, spans, Evidence(spans), Scorecard(CARD.cards, 0.02)) == spans


def test_who_wants_more_gets_all_that_is_not_quite_unlikely():
    more = CARD.asking_less()
    assert set(more.masked.values()) == {CARD.shown}
    sentence = "어제 [한빛]에서"
    text, spans = found(sentence, [(body, sentence, 0.1)])
    assert likely(text, spans, Evidence(spans), more) == spans
    assert Scorecard(CARD.cards, 0.02, {"person": 0.01}).asking_less().masked == {"person": 0.01}


def test_what_stays_readable_is_shown_to_a_person():
    asked = FakeTagger({"한빛": (COMPANY, 0.3)})
    readable = Card(0.0, {})
    asked.scorecard = Scorecard(
        {**CARD.cards, ("body", "readable"): readable}, CARD.shown, CARD.masked
    )
    result = deidentify("어제 한빛에서 보았다.", tagger=asked)
    assert result.text == "어제 한빛에서 보았다."
    assert [(doubt.kind, doubt.start, doubt.end) for doubt in result.doubts] == [("near", 3, 5)]
    asked.scorecard = asked.scorecard.asking_less()
    assert deidentify("어제 한빛에서 보았다.", tagger=asked).text == "어제 A에서 보았다."


@pytest.mark.parametrize(
    ("sentence", "label", "score", "stays"),
    [
        # Signs, plain words, ends of words that a tagger hardly sees …
        ("서 울 [한] 빛", PERSON, 0.4, False),
        ("피고인 [명의]의 계좌", COMPANY, 0.2, False),
        ("피고가 [진심]으로 바라", PERSON, 0.4, False),
        ("그 해결의 [기미]나 결말", PERSON, 0.15, False),
        ("기간제 [관제석]에서", PERSON, 0.15, False),
        ("임원의 선임[ㆍ연임]은", PERSON, 0.15, False),
        # … but not what looks like a name, nor a plain word that it is surer of.
        ("피해자 [김다온]이", PERSON, 0.3, True),
        ("피해자 [정범]이", PERSON, 0.7, True),
        ("주점 ‘[달무리]’에서", COMPANY, 0.4, True),
        ("그 [한빛테크]에 입사하여", COMPANY, 0.4, True),
    ],
)
def test_what_the_scorecard_that_ships_holds_for_a_mention(sentence, label, score, stays):
    text, spans = found(sentence, [(body, sentence, score)])
    word = text[spans[0].start : spans[0].end]
    asked = FakeTagger({word: (label, score)})
    asked.scorecard = SHIPPED
    ((_, mentioned),) = mentioned_in([(" ", text)], asked)
    masked = {text[span.start : span.end] for span in mentioned.mentions}
    assert (word.strip("ㆍ") in masked) is stays


def test_time_does_not_grow_with_the_words():
    words = [f"가나{chr(0xAC00 + number)}라" for number in range(4000)]
    text = " ".join(words * 2)
    spans = [Span(5 * at, 5 * at + 4, COMPANY, 0.3, "tagger") for at in range(len(words))]
    start = process_time()
    assert likely(text, spans, Evidence((), spans), CARD) == []
    assert process_time() - start < 5  # comparing each word with each took fifteen


def test_what_goes_frees_the_place_where_a_name_is_repeated():
    text = "후배인 염태정이 왔다. 위 태정의 집에서 잤다."
    name = Span(4, 7, PERSON, CERTAIN_OF_NAME, "names:person")
    at = text.index("태정의")
    wrong = Span(at, at + 3, PERSON, 0.2, "tagger")
    never = Scorecard(
        {("person", "masked"): Card(-9.0, {})}, 0.02, CARD.masked, certain=CARD.certain
    )
    kept = weigh(text, [name, wrong], Evidence([name], [wrong]), never)
    assert [text[span.start : span.end] for span in kept] == ["염태정", "태정"]
