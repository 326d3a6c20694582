"""What leaks: an entity is masked only if every mention of it is."""

import numpy as np
import pytest

from thunder.scoring.characters import Scored
from thunder.scoring.documents import gold_of
from thunder.scoring.masking import excess
from thunder.scoring.mentions import Entities, entity_recall, mentions
from thunder.text.spans import Span
from thunder.training_data.filling import IGNORED


def told(gold, predicted):
    scored = Scored(len(gold.text), gold.spans, tuple(predicted))
    return list(mentions(gold, scored, np.arange(len(gold.text), dtype=np.int32)))


@pytest.mark.parametrize(
    ("masked", "direct", "quasi"),
    [
        ((("홍길동", "내국인이름"), ("한빛", "은행"), ("김갑순", "내국인이름")), 2, 1),
        ((), 0, 0),
        # under another label a name is hidden all the same
        ((("홍길동", "은행"), ("한빛", "은행"), ("김갑순", "식당")), 2, 1),
        # one letter stays readable, in each mention
        ((("길동", "내국인이름"), ("한빛", "은행"), ("김갑순", "내국인이름")), 1, 1),
        # more than the mention hides it, too
        ((("홍길동은", "내국인이름"),), 1, 0),
    ],
)
def test_entities_masked_everywhere(gold, find, known, masked, direct, quasi):
    found = entity_recall(told(gold, find(gold.text, *masked)), known)
    assert found == {"direct": Entities(2, direct), "quasi": Entities(1, quasi)}


def test_one_readable_mention_gives_an_entity_away(gold, known):
    told_ = told(gold, gold.spans[1:])
    assert [one.whole for one in told_] == [False, True, True, True]
    assert entity_recall(told_, known)["direct"] == Entities(2, 1)
    assert (told_[0].surface, told_[0].leaked) == ("홍길동", 3)


def test_mentions_of_one_entity_may_be_worded_differently(known):
    text = "홍길동이 왔다. 길동은 갔다."
    spans = [Span(0, 3, "내국인이름"), Span(9, 11, "내국인이름")]
    apart = gold_of("1", "", text, spans)
    together = gold_of("1", "", text, spans, entities=["A", "A"])
    for document, expected in ((apart, Entities(2, 1)), (together, Entities(1, 0))):
        assert entity_recall(told(document, spans[:1]), known)["direct"] == expected


def test_another_document_with_the_same_name_changes_nothing(gold, known):
    other = gold_of("사건 2", "fraud", gold.text, gold.spans)
    alone = entity_recall(told(gold, gold.spans), known)["direct"]
    both = entity_recall([*told(gold, gold.spans), *told(other, ())], known)["direct"]
    assert (both.number, both.masked) == (2 * alone.number, alone.masked)


def test_spaces_leak_nothing_and_the_right_label_is_known():
    gold = gold_of("1", "", "홍 길 동 씨", [Span(0, 5, "내국인이름")])
    pieces = [Span(at, at + 1, "내국인이름") for at in (0, 2, 4)]
    (found,) = told(gold, pieces)
    assert (found.whole, found.exact, found.labelled) == (True, False, False)
    (found,) = told(gold, [Span(0, 6, "내국인이름")])
    assert (found.whole, found.exact, found.labelled) == (True, False, True)


def test_over_masking_is_counted_in_characters_that_should_stay(gold, find):
    masked = find(gold.text, ("서울 사람", "식당"), ("홍길동은", "내국인이름"))
    found = excess(gold, Scored(len(gold.text), gold.spans, masked))
    assert found.masked == len("서울사람") + 2 * len("은")
    assert found.beside == find(gold.text, ("서울 사람", "식당"))
    held = sum(map(len, gold.spans))
    assert found.stay == len(gold.text.replace(" ", "")) - held
    assert excess(gold, Scored(len(gold.text), gold.spans, gold.spans)).share == 0


def test_what_is_ignored_need_not_stay_and_need_not_go():
    gold = gold_of("1", "", "미래병원", [Span(0, 2, "병원"), Span(2, 4, IGNORED)])
    for predicted in ((Span(0, 2, "병원"),), (Span(0, 4, "병원"),)):
        assert excess(gold, Scored(4, gold.spans, predicted)).masked == 0
        assert [one.whole for one in told(gold, predicted)] == [True]
