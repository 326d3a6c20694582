"""What a flattened table ran into a mention is no part of it, and a number is whole."""

import pytest

from thunder.masking.deidentify import deidentify
from thunder.mentions.trimming import without_sum
from thunder.tagger.chosen_tagger import RULES_ALONE

from ..found_spans import COMPANY, tagger


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("4,275,[000소외 나래스튜디오] 회사", "나래스튜디오"),
        ("124,589,[780나래화학]", "나래화학"),
        ("298,[9132.5112C&L테크]", "C&L테크"),
        ("9. [22.제2-1소외 나래전자]", "나래전자"),
        ("4-3, [5-2소외 나래전자]", "나래전자"),
        ("삼영550.[55점]㈜", None),
        # Digits of the name, a list without spaces.
        ("또는 [365열린나래]의원", "365열린나래"),
        ("1.[11번나래]", "11번나래"),
        ("가,[7777나래]", "7777나래"),
        ("[소외 나래전자]", "소외 나래전자"),  # trimming takes the role off
    ],
)
def test_the_sum_before_a_name(sentence: str, left: str | None) -> None:
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence, COMPANY)
    found = without_sum(text, span)
    assert (text[found.start : found.end] if found else None) == left


def test_a_number_is_no_name_after_a_sum() -> None:
    (span,) = tagger("3,[000123456]", "계좌번호")
    assert without_sum("3,000123456", span) == span


def test_a_case_number_names_no_firm() -> None:
    text = "중앙2020부해1234 유한회사 나래푸드 부당해고 구제 사건"
    assert deidentify(text, tagger=RULES_ALONE).text.startswith("중앙2020부해1234 유한회사 ")


@pytest.mark.parametrize(
    ("sentence", "masked"),
    [
        ("휴대전화 010-1234-2012. 3. 4. 해지", "휴대전화 (전화번호 1 생략). 3. 4. 해지"),
        ("주민등록번호 801231-1231999. 5. 24.", "주민등록번호 (주민등록번호 1 생략). 5. 24."),
    ],
)
def test_a_number_has_the_digits_of_its_form(sentence, masked):
    assert deidentify(sentence, tagger=RULES_ALONE).text == masked
