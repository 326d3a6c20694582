"""Words that stay readable whoever found them."""

import pytest

from thunder.mentions.nameless import names_nobody, without_readable

from ..found_spans import named, repeat, tagger

UNIVERSITY = "대학교"


@pytest.mark.parametrize(
    ("sentence", "stays_readable"),
    [
        ("【피    고】 [안성]시장 (소송대리인 홍길준)", True),
        ("【피고, 항소인】\n          [강진]군수", True),
        ("【원고】 홍길준 【피고】 나래 주식회사 [안성]시장은", False),  # not the one who is sued
        ("피고인은 [안성]시장으로서", False),  # of a criminal case: the accused
        ("【피고】 [나래]시장", False),  # no district
    ],
)
@pytest.mark.parametrize("finder", [tagger, named, repeat])
def test_the_town_of_its_head_who_is_sued(sentence, stays_readable, finder):
    text = sentence.replace("[", "").replace("]", "")
    spans = finder(sentence, UNIVERSITY)
    assert without_readable(text, spans) == ([] if stays_readable else spans)


def test_a_division_is_what_it_is_called():
    spans = tagger("【피고】 [안성]시장", "행정시")
    assert without_readable("【피고】 안성시장", spans) == spans


@pytest.mark.parametrize("sentence", ["홍길준 외 [5인]은", "홍길준 외 [12]인", "제[18]대 국회"])
def test_a_count_names_nobody(sentence):
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence)
    assert names_nobody(text, span)


@pytest.mark.parametrize(
    ("sentence", "stays_readable"),
    [
        ("[창원3]공장의", True),
        ("[A-1동] 공장 및", True),
        ("[나래3]공장의", False),
        ("[한빛]공장의", False),
    ],
)
def test_a_factory_called_by_its_town_and_a_number(sentence, stays_readable):
    text = sentence.replace("[", "").replace("]", "")
    spans = named(sentence, "공장")
    assert without_readable(text, spans) == ([] if stays_readable else spans)
