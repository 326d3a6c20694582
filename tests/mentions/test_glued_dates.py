"""A mention ends before a date that was glued to it."""

import pytest

from thunder.masking.deidentify import deidentify
from thunder.mentions.glued_dates import without_year
from thunder.tagger.chosen_tagger import RULES_ALONE

from ..found_spans import PERSON, tagger


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("역삼동 [12-341997]. 12. 14.", "12-34"),
        ("[역삼동 8002004].  9.  5.", "역삼동 800"),
        ("㈜[나래종합이2011]. 5. 24.", "나래종합"),
        ("㈜[나래전자가 2011]. 5. 24.", "나래전자"),
        ("㈜[한아이2011]. 5. 24.", "한아이"),  # 이 stands after consonants only
        ("[6 62012.] 3. 28.", "6 6"),  # with the full stop of the date
        # No date follows, or there is nothing but its year.
        ("[역삼동 12-341997], 12", "역삼동 12-341997"),
        ("[역삼동 12-341997]. 13. 40.", "역삼동 12-341997"),
        ("[1997]. 12. 14.생", "1997"),
        ("[한빛2000]. 그는", "한빛2000"),
    ],
)
def test_the_year_of_a_date_after_a_mention(sentence: str, left: str) -> None:
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence)
    found = without_year(text, span)
    assert text[found.start : found.end] == left


@pytest.mark.parametrize(
    ("sentence", "masked"),
    [
        ("휴대전화 010-1234-2012. 3. 4. 해지", "휴대전화 (전화번호 1 생략). 3. 4. 해지"),
        ("주민등록번호 801231-1231999. 5. 24.", "주민등록번호 (주민등록번호 1 생략). 5. 24."),
    ],
)
def test_a_number_has_the_digits_of_its_form(sentence, masked):
    assert deidentify(sentence, tagger=RULES_ALONE).text == masked


def test_a_name_of_three_syllables_keeps_its_last():
    (span,) = tagger("소유자 [김정은2011]. 5. 24. 매수", PERSON)
    assert len(without_year("소유자 김정은2011. 5. 24. 매수", span)) == 3
