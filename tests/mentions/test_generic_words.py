"""Words that stay readable whoever found them."""

from dataclasses import replace

import pytest

from thunder.mentions.generic_words import names_nobody, without_readable

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
    "sentence", ["신분증번호 [110101199003077758]인 사람", "끝자리가 [6027]인 선불폰은"]
)
def test_a_number_that_is_something_is_no_count(sentence):
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence, "관리번호")
    assert not names_nobody(text, span)


@pytest.mark.parametrize(
    ("sentence", "stays_readable"),
    [
        ("피고인은 [두 사람]을", True),
        ("그중 [한사람]이", True),
        ("원고는 [일천오백만원정]을", True),
        ("금액: [삼천오백만]원정", True),
        ("일금 [일천오백만원정]을", True),
        ("[일금 일천오백만원정]", True),
        ("피해자 [이천원]은", False),
        ("피해자 [이백만]은", False),
        ("피해자 [이만원정]은", False),
        ("상호 [좋은사람]에서", False),
    ],
)
def test_people_that_are_counted_and_sums_are_no_names(sentence, stays_readable):
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence)
    assert names_nobody(text, span) is stays_readable


@pytest.mark.parametrize(
    "sentence", ["2501호 [및] 127동", "301[호와] 302호", "12-3 [및] 12-4 토지"]
)
def test_what_joins_two_units_names_nothing(sentence):
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence, "필지")
    assert names_nobody(text, span)


@pytest.mark.parametrize("sentence", ["위 12-3[번지] 토지", "안산시 가람[동] 일대", "나루2[구역]"])
def test_a_unit_that_is_left_beside_its_number_stays_readable(sentence):
    text = sentence.replace("[", "").replace("]", "")
    assert without_readable(text, tagger(sentence, "필지")) == []


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("상호 '[단지]'인 주점을", "필지"),
        ("'[단지] 주식회사'의", "필지"),
        ("주식회사 [구역]의 대표이사", "필지"),
        ("가게 [단지]에서", "불특정회사명"),
    ],
)
def test_a_firm_may_be_called_like_a_unit(sentence, label):
    text = sentence.replace("[", "").replace("]", "")
    spans = tagger(sentence, label)
    assert without_readable(text, spans) == spans


def test_a_unit_of_an_address_stays_with_it():
    sentence = "위 [가람동 12-3번지] 토지"
    spans = tagger(sentence, "필지")
    assert without_readable(sentence.replace("[", "").replace("]", ""), spans) == spans


@pytest.mark.parametrize("finder", [tagger, named, repeat])
def test_a_plain_word_that_the_judgment_defines(finder):
    sentence = "[나래빌딩]으로 옮겼다(이하 ‘신사옥’이라 한다). [신사옥]에서"
    text = sentence.replace("[", "").replace("]", "")
    building, word = finder(sentence, "내국인이름")
    assert without_readable(text, [building, word]) == [building]


@pytest.mark.parametrize(
    "sentence",
    [
        "피고인 [전기원]은",
        "원고 [윤전공]은",
        "그날 [이사보]는",
        "피해자 [상무보]는",
        "[나]병원에서",
    ],
)
@pytest.mark.parametrize("finder", [tagger, named, repeat])
def test_a_party_may_be_called_like_an_office(sentence, finder):
    text = sentence.replace("[", "").replace("]", "")
    spans = finder(sentence)
    assert without_readable(text, spans) == spans


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


@pytest.mark.parametrize(
    ("sentence", "score", "stays_readable"),
    [
        ("순천에서 전남 [영암]에 있는", 0.1, True),
        ("강원도 [강릉]에 있는", 0.1, True),
        ("소외 [영암]에게", 0.5, False),
    ],
)
def test_towns_of_a_province_name_nobody(sentence, score, stays_readable):
    (span,) = tagger(sentence, "내국인이름", score)
    assert names_nobody(sentence.replace("[", "").replace("]", ""), span) is stays_readable


@pytest.mark.parametrize(
    ("sentence", "stays_readable"),
    [
        ("순천시 [가람로 790]에 있는 순천교도소에서", True),
        ("순천시 [가람로 790] 소재 순천교도소 3호실에서", True),
        ("서울 서초구 [나래로3길 14]에 있는 서울중앙지방법원 등기국에서", True),
        ("순천시 [가람로 790]에 있는 순천교도소에서 근무하는 피해자를", False),
        ("순천시 [가람로 790]에 있는 법원 앞 식당에서", False),
        ("순천시 [가람로 790]에 사는 피고인은 순천교도소에서", False),
    ],
)
@pytest.mark.parametrize("source", ["tagger", "rule:address"])
def test_the_seat_of_a_court_or_a_prison(sentence, stays_readable, source):
    text = sentence.replace("[", "").replace("]", "")
    spans = [replace(span, source=source) for span in tagger(sentence, "시아래주소")]
    assert without_readable(text, spans) == ([] if stays_readable else spans)


def test_what_the_recognisers_of_addresses_found_only_some_look_alikes_undo():
    spans = [
        replace(span, source="rule:address") for span in tagger("위 12-3[번지] 토지", "시아래주소")
    ]
    assert without_readable("위 12-3번지 토지", spans) == spans
