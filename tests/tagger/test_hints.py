"""What a network is told: the recognisers' finds, a number for each token, in every window."""

import numpy as np
import pytest

from thunder.tagger import hints
from thunder.tagger.tagger import Tagger
from thunder.text.spans import Span

from .invented import KNOWN, TOKENIZER, Neighbours, manifest, tagger

TEXT = "피고인 김도윤은 010-1234-5678로 전화하였다."
NAME, PHONE = Span(4, 7, "내국인이름", 0.9, "names:x"), Span(9, 22, "휴대폰번호", 1.0, "rule:phone")


def told(spans: list[Span], text: str = TEXT) -> dict[str, set[int]]:
    """Return the hints of the tokens that touch each word of *text*."""
    _, starts, ends = TOKENIZER.encode(text)
    made = hints.hints(starts, ends, spans, taxonomy=KNOWN)
    words = {word: text.index(word) for word in text.split()}
    return {
        word: set(made[(starts < at + len(word)) & (ends > at)].tolist())
        for word, at in words.items()
    }


def test_a_token_is_told_the_label_and_how_sure_the_recogniser_was():
    found = told([NAME, PHONE])
    person, phone = KNOWN.label("내국인이름").id, KNOWN.label(PHONE.label).id
    assert found["피고인"] == {0} and found["전화하였다."] == {0}
    assert 3 * (person - 1) + 2 in found["김도윤은"]
    assert 3 * (phone - 1) + 3 in found["010-1234-5678로"]


@pytest.mark.parametrize(("score", "grade"), [(0.1, 0), (0.75, 1), (0.96, 1), (0.97, 2), (1.0, 2)])
def test_three_grades(score, grade):
    span = Span(4, 7, "내국인이름", score, "names:x")
    assert 1 + 3 * (KNOWN.label("내국인이름").id - 1) + grade in told([span])["김도윤은"]


def test_every_hint_has_a_number_below_that_of_all():
    last = KNOWN.by_id(KNOWN.classes - 1)
    (most,) = told([Span(4, 8, last.ko, 1.0)])["김도윤은"]
    assert most == hints.number(KNOWN) - 1


def test_a_label_that_the_taxonomy_does_not_know_is_no_hint():
    assert told([Span(4, 7, "없는이름표", 1.0)])["김도윤은"] == {0}


def test_of_finds_that_overlap_the_surest_is_told_then_the_longest():
    place, person = KNOWN.label("주소").id, KNOWN.label("내국인이름").id
    rivals = [Span(0, 7, "주소", 0.5), Span(4, 7, "내국인이름", 0.9), Span(4, 6, "주소", 0.8)]
    for spans in (rivals, rivals[::-1]):
        found = told(spans)
        assert found["피고인"] == {3 * (place - 1) + 1}
        assert 3 * (person - 1) + 2 in found["김도윤은"]
        assert 3 * (place - 1) + 2 not in found["김도윤은"]


def test_raw_finds_are_told_as_they_come_and_settled_ones_with_their_repeats():
    text = "피고인 김도윤은 왔다. 그 뒤 김도윤이 갔다."
    finds = [Span(4, 7, "내국인이름", 0.9, "names:x"), Span(5, 7, "내국인이름", 0.6, "names:y")]
    assert hints.told(text, finds, "raw") == finds
    assert [span.start for span in hints.told(text, finds, "settled")] == [4, 17]


class Told(Neighbours):
    """A model that masks what it is told of, with the label told."""

    hints = hints.number(KNOWN)

    def __call__(self, batch, /):
        _, mask_BS, hints_BS = batch
        labels_BS = np.where(hints_BS > 0, (hints_BS + 2) // 3, 0)
        assert (labels_BS[mask_BS == 0] == 0).all()
        return 9 * (labels_BS[..., None] == np.arange(self.classes)).astype(np.float32)


@pytest.mark.parametrize("length", [16, 32, 512])
def test_the_finds_reach_their_tokens_in_every_window(length):
    text = "원고는 2021. 3. 2. 피고에게 돈을 빌려주었다. " * 9 + TEXT
    found = _tagged(tagger(Told(1), length=length, overlap=6), text)
    assert found["010-1234-5678"] == PHONE.label and found["김도윤"] == "내국인이름"


def _tagged(one: Tagger, text: str) -> dict[str, str]:
    return {text[span.start : span.end]: span.label for span in one.tag(text)}


def test_what_was_found_is_handed_on_and_nobody_asks_again():
    one, other = tagger(Told(1), length=32, overlap=8), tagger(Neighbours(1), length=32, overlap=8)
    (read,), (plain,) = one.read_all([TEXT]), other.read_all([TEXT])
    assert PHONE.start in {span.start for span in read.named} and plain.named is None


def test_a_model_of_another_number_of_hints_is_refused():
    class Other(Told):
        hints = 12

    with pytest.raises(ValueError, match="knows 12 hints, and 730 classes"):
        Tagger(TOKENIZER, Other(1), manifest=manifest(), taxonomy=KNOWN)
