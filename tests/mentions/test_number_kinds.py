"""The village before a lot is part of its address."""

import pytest

from thunder.mentions.number_kinds import with_villages

from ..found_spans import tagger


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("위 역삼동 [123]을", ["역삼동 123"]),
        ("위 문호리\n   [12-3]을", ["문호리\n   12-3"]),
        ("위 나람동 [123] 토지에", ["나람동 123"]),  # no division, but land
        ("위 나람동 [123]을", []),
        ("위 같은 동 [123] 토지에", []),
        ("위 공장동 [123] 건물에", []),
        ("위 [역삼동] [123]을", []),
    ],
)
def test_lots_with_the_villages_before_them(sentence: str, left: list[str]) -> None:
    text = sentence.replace("[", "").replace("]", "")
    found = list(with_villages(text, tagger(sentence, "필지")))
    assert [text[span.start : span.end] for span in found] == left
