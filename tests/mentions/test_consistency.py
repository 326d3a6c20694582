"""A word that only a tagger marks, and mostly leaves readable, is no mention."""

from dataclasses import replace
from time import process_time

import pytest

from thunder.masking.deidentify import deidentify
from thunder.mentions.consistency import consistent
from thunder.text.spans import Span

from ..fake_tagger import FakeTagger
from ..found_spans import COMPANY, PERSON, doubtful, named, tagger


def likely(sentence, label):
    return tagger(sentence, label, score=0.7)


def repeated(sentence, label):
    return [replace(span, source="tagger:repeat") for span in tagger(sentence, label)]


@pytest.mark.parametrize(
    ("finder", "sentence", "label", "stays"),
    [
        # No more often marked than readable: rather a word of the judgment's.
        (likely, "[상이연금]을 신청하였다. 상이연금은 법이 정한다.", COMPANY, False),
        (likely, "[X-Y] 평면을 X-Y 평면으로", COMPANY, False),
        (tagger, "[다온테크]는 팔았다. 다온테크가 샀다.", COMPANY, True),  # quite sure
        (doubtful, "[닉네임]이 있다. 닉네임은, 닉네임의", PERSON, False),
        # A person has to be readable twice as often, and to be called what nobody is.
        (doubtful, "[닉네임]은 있다. 닉네임이 있다.", PERSON, True),
        (doubtful, "[홍길준]은 갔다. 홍길준이 홍길준을", PERSON, True),
        (likely, "[닉네임]은 갔다. 닉네임이 왔다. 닉네임도", PERSON, True),
        # With the noun behind it it is one word.
        (likely, "[온누리언론]노동조합의 장. 온누리언론노동조합은", COMPANY, False),
        (likely, "[온누리언론]노동조합의 장. 온누리언론은", COMPANY, True),
        # Elsewhere it is part of another word, or more often marked; or it is nowhere else.
        (likely, "[한빛]은 팔았다. 한빛나루는 샀다. 새한빛은", COMPANY, True),
        (likely, "[한빛]은 팔았다. [한빛]이 샀다. 한빛도", COMPANY, True),
        (likely, "[한빛]은 팔았다.", COMPANY, True),
        # A recogniser has a cue for what it saw; a number says nothing of what else it stands for.
        (named, "[한빛]은 팔았다. 한빛이 샀다.", COMPANY, True),
        (likely, "제[102동]에서. 102동은", COMPANY, True),
    ],
)
def test_what_stays(finder, sentence, label, stays):
    text = sentence.replace("[", "").replace("]", "")
    found = finder(sentence, label)
    assert consistent(text, found) == (found if stays else [])


class OnceTagger(FakeTagger):
    """Sees each of its words only where it stands first."""

    def spans(self, read):
        first = {}
        for span in super().spans(read):
            first.setdefault(read.folded.text[span.start : span.end], span)
        return list(first.values())


@pytest.mark.parametrize(
    ("word", "score", "is_masked"),
    [
        ("다온테크", 0.9, [True, True]),
        ("다온테크", 0.8, [True, True]),
        ("도면", 0.7, [False, False]),
    ],
)
def test_what_is_sure_once_is_masked_everywhere_and_a_common_word_nowhere(word, score, is_masked):
    text = f"{word}에 있다. 그 뒤 {word}만 남았다."
    found = deidentify(text, tagger=OnceTagger({word: (COMPANY, score)}))
    assert [word not in part for part in found.text.split(" 그 ")] == is_masked


def test_time_does_not_grow_with_the_words():
    words = [f"가나{chr(0xAC00 + number)}라" for number in range(4000)]
    text = " ".join(words * 2)
    spans = [Span(5 * at, 5 * at + 4, COMPANY, 0.7, "tagger") for at in range(len(words))]
    start = process_time()
    assert consistent(text, spans) == []
    assert process_time() - start < 5  # comparing each word with each took fifteen
