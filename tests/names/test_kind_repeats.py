"""A name found before a noun that says what it is, is found before it again."""

import pytest

from thunder.names import kind_repeats
from thunder.text.spans import Span


def _again(marked, label, score):
    start, end = marked.index("{"), marked.index("}") - 1
    text = marked.replace("{", "").replace("}", "")
    first = Span(start, end, label, score, "names:organisation")
    found = kind_repeats.find(text, [first], source="names:repeat")
    return [text[max(0, one.start - 2) : one.end + 2] for one in found if one.start != start]


@pytest.mark.parametrize(
    ("marked", "label", "score", "found"),
    [
        ("다른 {조양}은행 계좌와 피고인의 조양은행 예금계좌", "은행", 0.65, ["의 조양은행"]),
        ("{강남}역에서(취급점 : 강남역)", "지하철역", 0.95, [": 강남역)"]),
        ("{나래}아파트 앞(나래아파트 건)", "아파트", 0.8, ["앞(나래아파"]),
        ("{다온나래}지점장은 다온나래지점에서", "지점", 0.9, ["은 다온나래지점"]),
        ("{제온}동의 업무를 제온동장으로서", "행정동", 0.4, ["를 제온동장"]),
        # The noun cut short, of schools.
        ("{나래}초등학교와 나래초 교사, 나래초에서", "초등학교", 0.9, ["와 나래초 ", ", 나래초에"]),
        ("{나래}대학교와 나래대의 돈", "대학교", 0.9, ["와 나래대의"]),
        ("{나래}은행과 나래초에", "은행", 0.9, []),
        # A space before the noun, and a legal form.
        ("{한빛} 교회와 피고 한빛 교회의", "교회", 0.5, ["고 한빛 교"]),
        ("{한빛}교회와 피고 한빛 교회의", "교회", 0.6, ["고 한빛 교"]),
        ("{한빛} 교회와 피고 한빛 교회의", "교회", 0.3, []),
        ("{한빛} 건설과 한빛 건설의", "건설업체", 0.6, []),  # a noun of all kinds
        ("{한빛} 동사무소와 한빛 동사무소의", "행정동", 0.9, []),
        ("소외 {남아} 주식회사와 피해자 남아 주식회사의", "주식회사", 0.9, ["자 남아 주"]),
        ("소외 {남아} 주식회사와 피해자 남아를", "주식회사", 0.9, []),
        # Another noun, or none: the word may mean something else.
        ("{조양}은행 계좌와 조양산업, 조양에서", "은행", 0.95, []),
        ("{강남}역에서 강남으로", "지하철역", 0.95, []),
        ("{조양}은행과 새조양은행", "은행", 0.95, []),
        # A plain word before a noun of all kinds, and what hardly anybody saw.
        ("{수혜}회사와 수혜회사가", "불특정회사명", 0.6, []),
        ("{조양}은행과 조양은행이", "은행", 0.2, []),
        # Persons have no noun, and numbers are the rules'.
        ("{홍길}동은 홍길동이", "내국인이름", 0.9, []),
        ("{110-23}동과 110-23동", "계좌번호", 0.9, []),
    ],
)
def test_what_is_found_again(marked, label, score, found):
    assert _again(marked, label, score) == found


def test_a_repeat_is_less_sure_and_says_so():
    text = "조양은행과 조양은행"
    (_, again) = kind_repeats.find(text, [Span(0, 2, "은행", 0.8, "tagger")], source="names:repeat")
    assert (again.start, again.end, again.score, again.source) == (6, 8, 0.76, "names:repeat")
