"""The same mention everywhere: what is found again, and what it yields to."""

import pytest

from thunder.tagger.repeats import SOURCE, with_repeats
from thunder.text.spans import Span

NAME, ACCOUNT, COMPANY = "내국인이름", "계좌번호", "주식회사"


def _spans(text, *found):
    places = [(text.index(surface, at), surface, *rest) for surface, *rest, at in found]
    return [
        Span(start, start + len(surface), label, score, "tagger")
        for start, surface, label, score in places
    ]


def _masked(text, spans):
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "found", "masked"),
    [
        ("하지진은 갔다. 하지진이 왔다.", [("하지진", NAME, 0.9, 0)], ["하지진", "하지진"]),
        ("하지진은 갔다. 하 지 진이 왔다.", [("하지진", NAME, 0.9, 0)], ["하지진", "하 지 진"]),
        # a doubtful syllable of the second one does not keep the whole name from being masked
        (
            "하지진은 갔다. 하지진이 왔다.",
            [("하지진", NAME, 0.9, 0), ("진", NAME, 0.05, 10)],
            ["하지진", "하지진"],
        ),
        # a sure one stands as it was found
        (
            "하지진은 갔다. 하지진상사가 왔다.",
            [("하지진", NAME, 0.9, 0), ("하지진상사", COMPANY, 0.9, 9)],
            ["하지진", "하지진상사"],
        ),
        (
            "계좌 110-234-567890으로, 또 110-234-567890으로",
            [("110-234-567890", ACCOUNT, 0.9, 0)],
            ["110-234-567890", "110-234-567890"],
        ),
        # a doubtful mention is not looked for elsewhere
        ("하지진은 갔다. 하지진이 왔다.", [("하지진", NAME, 0.4, 0)], ["하지진"]),
    ],
)
def test_repeats(text, found, masked):
    spans = with_repeats(text, _spans(text, *found))
    assert _masked(text, spans) == masked


def test_a_repeat_says_that_it_is_one():
    text = "하지진은 갔다. 하지진이 왔다."
    spans = with_repeats(text, _spans(text, ("하지진", NAME, 0.9, 0)))
    assert [span.source for span in spans] == ["tagger", SOURCE]
    assert spans[1].score < spans[0].score
