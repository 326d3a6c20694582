"""A mention ends where the next column of a flattened table begins, or a date."""

import pytest

from thunder.masking.deidentify import deidentify
from thunder.mentions.flattened_tables import columns, without_sum, without_year
from thunder.tagger.chosen_tagger import RULES_ALONE

from ..found_spans import ADDRESS, COMPANY, PERSON, tagger


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


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("[역삼동 12-3답62충남 부여군]", ["역삼동 12-3", "충남 부여군"]),
        ("[나래리 87-8답78.516.5고대면 항곡리 12]", ["나래리 87-8", "고대면 항곡리 12"]),
        ("[감암리519전전9771],333", ["감암리519"]),
        ("[역삼동268-12대]4,138㎡", ["역삼동268-12"]),
        ("[역삼동268-12토지]에", ["역삼동268-12"]),
        ("[서둔동 86-29자필서명304]소외", ["서둔동 86-29"]),
        ("[나래동 산 127일단지2](17필지)", ["나래동 산 127"]),
        ("[상봉암동지장246소외] 홍길준", ["상봉암동"]),
        ("[옥천리 76-49 나래타운286소외] 홍길준", ["옥천리 76-49 나래타운"]),
        ("[1641-113서울] 관악구", ["1641-113", "서울"]),
        ("[유촌로 38-3대전광역시] 서부", ["유촌로 38-3", "대전광역시"]),
        ("~ [26경북 안동시 천리길 38]", ["경북 안동시 천리길 38"]),
        ("~ [9수서동 644], 율현동", ["수서동 644"]),
        # The lot itself, and names of buildings that begin as a kind of land does.
        ("[토성동4가 14-38원고] 홍길준", ["토성동4가 14-38"]),
        ("[역삼동12소외] 홍길준", ["역삼동12"]),
        ("[역삼동 12-3대림아파트]", ["역삼동 12-3대림아파트"]),
        ("[역삼동 12-3전원빌라]", ["역삼동 12-3전원빌라"]),
        ("[역삼동 12-3]", ["역삼동 12-3"]),
        ("[101동 1203호]", ["101동 1203호"]),
    ],
)
def test_the_columns_beside_an_address(sentence: str, left: list[str]) -> None:
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence, ADDRESS)
    assert [text[one.start : one.end] for one in columns(text, span)] == left


def test_a_case_number_names_no_firm() -> None:
    text = "중앙2020부해1234 유한회사 나래푸드 부당해고 구제 사건"
    assert deidentify(text, tagger=RULES_ALONE).text.startswith("중앙2020부해1234 유한회사 ")


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
