"""Names left in a masked judgment: private ones are doubts, those of the court are none."""

import pytest

from thunder.training_data.placeholders import annotate
from thunder.training_data.placeholders.unmasked import COMPANY_LEFT, OFFICER_MASKED, PERSON_LEFT


def reasons(text: str) -> list[str]:
    return [doubt.reason for doubt in annotate(text, id="test").doubts]


@pytest.mark.parametrize(
    "text",
    [
        "판사 홍새벽(재판장) 김노을 이바다",
        "【검    사】 홍새벽(기소), 김노을(공판)",
        "【원고】 원고 1 (소송대리인 법무법인 새벽 담당변호사 홍노을)",
        "【변 호 인】 변호사 홍새벽",
        "서울중앙지방법원 2020. 1. 3. 선고 2019가합123 판결, 국민연금공단",
        "안양시장의 처분",
        "파산자 주식회사 ○○○의 파산관재인",
        "소외 1은 이를 모두 재단법인 □□학원에",
    ],
)
def test_judges_prosecutors_counsel_and_public_bodies_may_stay(text: str) -> None:
    assert reasons(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("피해자 홍길동(남, 40세)을 때렸다. 원고 1", [PERSON_LEFT]),
        ("주식회사 나리테크는 원고 1에게", [COMPANY_LEFT]),
        ("판사 A", [OFFICER_MASKED]),
    ],
)
def test_other_names_are_doubts(text: str, expected: list[str]) -> None:
    assert reasons(text) == expected


def test_open_companies_become_spans_on_demand_at_every_place() -> None:
    text = "주식회사 나리테크(이하 ‘나리테크’라 한다)는 원고 1에게, 나리테크의 직원은"
    found = annotate(text, id="test", companies=True)
    assert [text[span.start : span.end] for span in found.spans] == ["나리테크"] * 2 + [
        "1",
        "나리테크",
    ]
    assert len(set(found.entities)) == 2
