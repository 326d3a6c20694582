"""What law reports add to a judgment: notes on numbers, ranges, headings, omissions of any kind."""

import pytest

from thunder.training_data.annotation import serialise
from thunder.training_data.placeholders import annotate
from thunder.training_data.placeholders.writing import written


def marked(text: str) -> list[tuple[str, str]]:
    found = annotate(text, id="test")
    return [(text[span.start : span.end], span.label) for span in found.spans]


NOTES = [  # a note right behind a number stands in the place of the name with it
    ("피고 2(대판:피고 1)에 대한 청구", ["2(대판:피고 1)"]),
    ("차남 소외 5(대법원판결의 소외인)가", ["5(대법원판결의 소외인)"]),
    (
        "피고인 4(대법원 판결문의 피고인 3)에 대하여",
        ["4(대법원 판결문의 피고인 3)"],
    ),
    (
        "원고 3(대법원 판결의 원고 4 및 항소심 판결의 원고 10)은",
        ["3(대법원 판결의 원고 4 및 항소심 판결의 원고 10)"],
    ),
    ("피해자 김○○(항소심: 피해자 2)를", ["김○○(항소심: 피해자 2)"]),
    ("소외 1(원심 공동피고인)은", ["1"]),  # the court's own words
    ("원고 1(대법원 2001. 2. 3. 선고 판결 참조)은", ["1"]),
]

HEADINGS = [
    (
        "【원고, 상고인】 파산채무자 ○○○ 주식회사의 파산관재인 원고 (소송대리인",
        [("○○○", "주식회사"), ("원고", "내국인이름")],
    ),
    (
        "【원고】 회생채무자 주식회사 ○○대부의 관리인 원고\n【피고】 피고 1 외 1인",
        [("○○", "대부업"), ("원고", "내국인이름"), ("피고 1", "내국인이름")],
    ),
]

OMISSIONS = [
    ("○○○ 그룹 (영문명 생략)과 협약을", "(영문명 생략)", "불특정회사명"),
    ("소외 3(영문명 2 생략)은", "영문명 2 생략", "영어이름"),
    ("소외 1(법명 생략)은 토지를 샀다", "(법명 생략)", "법명"),
    ("해군 (소속 1 생략)에서 복무하고", "(소속 1 생략)", "군부대"),
    ("(담당 업무 3 생략) 보고를", "(담당 업무 3 생략)", "직무"),
    ("(논문명 1 생략)이라는 논문", "(논문명 1 생략)", "서적"),
    ("(가상자산명 1 생략)을 팔았다", "(가상자산명 1 생략)", "가상화폐"),
    ("(지회명 생략) 지회의 반대로", "(지회명 생략)", "지회"),
    ("‘(위원회명 2 생략)’ 위원", "(위원회명 2 생략)", "위원회"),
    ("(날짜 1 생략)부터 일하였다", "(날짜 1 생략)", "날짜"),
    ("‘(상표 1 생략)’이라는 상표", "(상표 1 생략)", "불특정제품명"),
    ("인천           (이하 3 생략), 2층에 있는", "(이하 3 생략)", "시아래주소"),
    ("새벽아파트 102동 \n        (이하 생략)에서", "(이하 생략)", "호"),
    ("서산시 (지번 생략)마을 아파트 중", "(지번 생략)", "마을"),
    ("사조직인 ‘(이름 생략)회’를 설립", "(이름 생략)", "모임"),
    ("계좌(계좌번호 \n        생략, 이하 ‘이 사건 계좌’라 한다)", None, "계좌번호"),
    ("(상호 생략) 보도방 소속", "(상호 생략)", "소개소"),
    ("(시설명 일부 생략)어린이집을 운영한", "(시설명 일부 생략)", "어린이집"),
]

LEFT_OUT = [  # such a judgment is left out, with the reason
    ("피고인 4 주식회사(대법원판결의 피고인 3 주식회사)를", "note of the publisher"),
    ("피고인 3 (피고인 3, 4는 대법원 판결의 피고인 2, 3)은", "note of the publisher"),
    ("원고 3 내지 10은 항소하였다", "range of persons"),
    ("공소외 \n   2 내지 \n   공소외 6의 진술", "range of persons"),
    ("(선거명 생략)에 영향을 미치게 하려고", "omission unknown"),
    ("00건설 주식회사는", "zeros for names"),
    ("소외 3 주식회사(이하 ‘나래솜’이라고 한다)", "short name left"),
    ("소외 3 주식회사(이하 ‘피해회사’라고 한다)", None),
    ("공소외 3 회사(영문 명칭 2 생략)", "omission unknown"),
    ("원고(〈생년월일〉생)는", "omission unknown"),
    ("원고 2는 2 내지 3명과", None),
    ("원고 2는 소외 3, 4와 (별지 2 생략)", None),
    ("(단서 생략), (아래 표 생략), (각 호 1 생략)", None),
]


@pytest.mark.parametrize(("text", "surfaces"), NOTES)
def test_a_note_behind_a_number_is_marked_with_it(text: str, surfaces: list[str]) -> None:
    assert [surface for surface, _ in marked(text)] == surfaces


def test_a_file_calls_who_has_a_note_by_the_number_alone() -> None:
    text = "원고 3(항소심판결의 원고 2)은 원고 2의 형이다."
    assert serialise(written(annotate(text, id="test"))) == (
        "원고 <<<내국인이름>>>원고 3<<</내국인이름>>>은 "
        "원고 <<<내국인이름>>>원고 2<<</내국인이름>>>의 형이다."
    )


@pytest.mark.parametrize(("text", "expected"), HEADINGS)
def test_who_acts_for_a_party_is_named_in_the_heading(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert marked(text) == expected


@pytest.mark.parametrize(("text", "surface", "label"), OMISSIONS)
def test_what_is_left_out_is_known_by_its_word(text: str, surface: str | None, label: str) -> None:
    found = marked(text)
    assert (surface, label) in found or (surface is None and label in dict(found).values())


@pytest.mark.parametrize(("text", "reason"), LEFT_OUT)
def test_what_no_court_writes_is_a_doubt(text: str, reason: str | None) -> None:
    reasons = {doubt.reason for doubt in annotate(text, id="test").doubts}
    assert reasons == ({reason} if reason else set())
