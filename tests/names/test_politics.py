"""Political parties by their names, known to all; the 당 stays readable."""

import pytest

from thunder.names import organisations, politics

MASKED = [
    ("피고인은 한나라당 소속이다", "한나라"),
    ("새누리당원인 피고인은", "새누리"),
    ("국민의힘이 추천한 후보", "국민의힘"),
    ("통합진보당은 창당 이래", "통합진보"),
    ("친박연대를 해산하는", "친박연대"),
    ("평화당 공천 후보로", "평화"),
    ("민주당 국회의원의 보좌관", "민주"),
    ("새정치민주연합 예비후보자", "새정치민주연합"),
]
READABLE = [
    "새로운미래를 연다",  # a word besides, and nothing near that parties do
    "미국 민주당의 강령",
    "조선노동당",
    "식당 종업원",
    "우리당번이 아니다",
]


@pytest.mark.parametrize(("text", "name"), MASKED)
def test_a_party_is_found_without_its_noun(text: str, name: str) -> None:
    (span,) = politics.find(text)
    assert (text[span.start : span.end], span.label) == (name, "정당")
    assert name in {text[one.start : one.end] for one in organisations.find(text)}


@pytest.mark.parametrize("text", READABLE)
def test_what_is_no_party_of_the_country(text: str) -> None:
    assert not list(politics.find(text))
