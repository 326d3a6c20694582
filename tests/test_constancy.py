"""A word that only a tagger marks, and mostly leaves readable, is no mention."""

import pytest

from thunder.constancy import constant
from thunder.deidentify import deidentify

from .fake_tagger import FakeTagger
from .found_spans import COMPANY, PERSON, doubtful, named, tagger


@pytest.mark.parametrize(
    ("finder", "sentence", "label", "stays"),
    [
        # No more often marked than readable: rather a word of the judgment's.
        (tagger, "[상이연금]을 신청하였다. 상이연금은 법이 정한다.", COMPANY, False),
        (tagger, "[X-Y] 평면을 X-Y 평면으로", COMPANY, False),
        (doubtful, "[노환]으로 숨졌다. 노환이다. 노환에 따른", PERSON, False),
        # A person has to be readable twice as often, and one it is sure of stays.
        (doubtful, "[나래]는 갔다. 나래가 왔다.", PERSON, True),
        (tagger, "[나래]는 갔다. 나래가 왔다. 나래도", PERSON, True),
        # Elsewhere it is part of another word, or more often marked; or it is nowhere else.
        (tagger, "[한빛]은 팔았다. 한빛나루는 샀다. 새한빛은", COMPANY, True),
        (tagger, "[한빛]은 팔았다. [한빛]이 샀다. 한빛도", COMPANY, True),
        (tagger, "[한빛]은 팔았다.", COMPANY, True),
        # A recogniser has a cue for what it saw; a number says nothing of what else it stands for.
        (named, "[한빛]은 팔았다. 한빛이 샀다.", COMPANY, True),
        (tagger, "제[102동]에서. 102동은", COMPANY, True),
    ],
)
def test_what_stays(finder, sentence, label, stays):
    text = sentence.replace("[", "").replace("]", "")
    found = finder(sentence, label)
    assert constant(text, found) == (found if stays else [])


def test_what_is_sure_once_is_masked_everywhere():
    text = "다온테크는 팔았다. 그 뒤 다온테크가 다시 샀고, 다온테크로 갔다."
    found = deidentify(text, tagger=FakeTagger({"다온테크": (COMPANY, 0.9)}))
    assert found.text == "A는 팔았다. 그 뒤 A가 다시 샀고, A로 갔다."
