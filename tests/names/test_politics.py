"""Political parties by their names, known to all; the 당 stays readable."""

import pytest

from thunder.names import listed, organisations

MASKED = [
    ("피고인은 한나라당 소속이다", "한나라"),
    ("새누리당원인 피고인은", "새누리"),
    ("국민의힘이 추천한 후보", "국민의힘"),
    ("통합진보당은 창당 이래", "통합진보"),
    ("국민의힘은 지방선거에서", "국민의힘"),
    ("국민의힘 의원들이", "국민의힘"),
    ("어느 국가나 민주당 당원은", "민주"),  # 가나 is a state, 국가나 none
    ("친박연대를 해산하는", "친박연대"),
    ("평화당 공천 후보로", "평화"),
    ("민주당 국회의원의 보좌관", "민주"),
    ("새정치민주연합 예비후보자", "새정치민주연합"),
]
READABLE = [
    "새로운미래를 연다",  # a word besides, and nothing near that parties do
    "새로운미래를 준비하는 치과의원에서",
    "우리당 직원들은 후보 상품을",
    "우리미래는 밝다고 대통령은",
    "국민의미래는 밝다고 의원은",
    "미래연합은 한의원을",
    "소나무당 1,000원씩 조합장 선거에서",
    "평화당의 정당한 이익",
    "국민의힘이 모여 대한민국을 만들었다",
    "미국 민주당의 강령",
    "태국 민주당 대표를",
    "조선노동당",
    "식당 종업원",
    "우리당번이 아니다",
]


@pytest.mark.parametrize(("text", "name"), MASKED)
def test_a_party_is_found_without_its_noun(text: str, name: str) -> None:
    (span,) = listed.parties(text)
    assert (text[span.start : span.end], span.label) == (name, "정당")
    assert name in {text[one.start : one.end] for one in organisations.find(text)}


@pytest.mark.parametrize("text", READABLE)
def test_what_is_no_party_of_the_country(text: str) -> None:
    assert not list(listed.parties(text))


def test_a_name_near_a_cue_is_a_party_in_the_whole_text() -> None:
    text = f"평화당 당원이 말하였다. {'원고는 다툰다. ' * 9}평화당은 넓다."
    assert len(list(listed.parties(text))) == 2
