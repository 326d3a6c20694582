"""생년월일과 출생연도: dates that a cue makes a birth; events, cohorts and trees stay."""

from random import Random

import pytest

from thunder.identifiers import birth_date
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("피고인(1967. 2. 10.생)은", ["1967. 2. 10."]),
    ("(1967. 2. 10. 생)", ["1967. 2. 10."]),
    ("1967. 2. 10. 생으로서", ["1967. 2. 10."]),
    ("1967.2.10.생", ["1967.2.10."]),
    ("67. 2. 10.생", ["67. 2. 10."]),
    ("1967년 2월 10일생이다", ["1967년 2월 10일"]),
    ("1967-02-10생", ["1967-02-10"]),
    ("670210생", ["670210"]),
    ("1991. 8.생 여성", ["1991. 8."]),
    ("생년월일 1967-02-10", ["1967-02-10"]),
    ("생년월일: 19670210", ["19670210"]),
    ("생년월일이 670210인", ["670210"]),
    ("생년월일 : 남자, 1981. 1. 2.", ["1981. 1. 2."]),
    ("1967. 2. 10. 출생한 자", ["1967. 2. 10."]),
    ("1967. 2. 10. 출생하였다", ["1967. 2. 10."]),
    ("원고는 1951. 4. 3. 섬마을에서 출생하여", ["1951. 4. 3."]),
    ("1967. 2. 10. 서울에서 태어나", ["1967. 2. 10."]),
    ("(여, 1967. 2. 10.)", ["1967. 2. 10."]),
    ("홍길동(1967. 2. 10., 남)", ["1967. 2. 10."]),
    ("1967. 2.\n10.생", ["1967. 2.\n10."]),
    ("1990년생이고", ["1990년"]),
    ("95년생 친구", ["95년"]),
    ("03년생인 학생", ["03년"]),
    ("1935년 두메산골에서 출생하였다", ["1935년"]),
]
NEAR_MISSES = [
    "2010. 3. 5. 출생신고를 하였다",
    "2010. 3. 5. 출생증명서를 발급",
    "2010. 1. 1. 이후 출생한 아동",
    "2010. 3. 5. 생산된 물건",
    "2010. 3. 5. 생략",
    "2010. 3. 5. 생일파티",
    "2010. 3. 5. 생긴 일",
    "생년월일을 확인한 2010. 3. 5.",
    "(생년월일 1 생략)생",
    "생년월일 670210-1234567",
    "(여, 2010. 3. 5. 사망)",
    "(2010. 3. 5., 남편의 말)",
    "10년생 소나무",
    "2~3년생 묘목",
    "다년생 식물",
    "1956년생 이후의 직원",
    "1931년부터 1935년 사이에 섬에서 태어나",
    "1998년 나온 책에서, 태어나는 아이",
    "2010. 3. 5. 이웃에 대하여 그가 출생한 것처럼",
    "만 35세",
]
CARRIERS = [
    "피고인(남, {}생)은 무직이다.",
    "생년월일: {}",
    "원고는 {}생으로 학생이다.",
    "생년월일이 {}인 사람",
]


AFTER_NAMES = [
    ("홍길동(1967. 2. 10.)", "1967. 2. 10."),
    ("홍길동(1967년 2월 10일)", "1967년 2월 10일"),
    ("홍길동(1967년 2월 10일, 이하 ‘망인’이라 한다)", "1967년 2월 10일"),
    ("홍길동(1967. 2. 10., 국적 중국)", "1967. 2. 10."),
    ("홍길동(2010. 3. 5. 사망)", None),
    ("홍길동(2010. 3. 5., 제3회 기일)", None),
    ("홍길동(2010. 3. 5.자 진술)", None),
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in birth_date.find(text)]


@pytest.mark.parametrize(("text", "dates"), FOUND)
def test_finds_every_form(text: str, dates: list[str]) -> None:
    assert found(text) == dates


@pytest.mark.parametrize(("text", "date"), AFTER_NAMES)
def test_a_date_in_brackets_right_after_a_name(text: str, date: str | None) -> None:
    spans = birth_date.after_names(text, [len("홍길동")])
    assert [text[span.start : span.end] for span in spans] == ([date] if date else [])


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("seed", range(300))
def test_what_is_made_is_found_exactly(seed: int) -> None:
    rng = Random(f"birth_date/{seed}")
    made = made_up.birth_date(rng)
    assert found(rng.choice(CARRIERS).format(made)) == [made]


@pytest.mark.parametrize(
    ("text", "label"),
    [("1967. 2. 10.생", "생년월일"), ("1991. 8.생", "생년월일"), ("1990년생", "출생연도")],
)
def test_a_year_alone_is_another_label_and_less_sure(text: str, label: str) -> None:
    (span,) = birth_date.find(text)
    assert span.label == label
    assert (span.score < 0.8) == (label == "출생연도")
