"""Names that stay readable, by the forms in which courts write them."""

import pytest

from thunder.scoring.documents import Prediction, gold_of
from thunder.scoring.evaluation import evaluate
from thunder.scoring.readable import readable, table
from thunder.text.spans import Span


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("판사 홍길동", "judges", ["홍길동"]),
        ("판    사    홍길동", "judges", ["홍길동"]),
        ("재판장 판사 홍길동\n판사 김갑순", "judges", ["홍길동", "김갑순"]),
        ("대법관 홍길동(재판장) 김갑순(주심) 이을수", "judges", ["홍길동", "김갑순", "이을수"]),
        ("대법관의 일치된 의견으로 주문과 같이 판결한다.", "judges", []),
        ("【검    사】 홍길동(기소), 김갑순(공판)", "prosecutors", ["홍길동", "김갑순"]),
        ("검사의 항소를 기각한다.", "prosecutors", []),
        ("소송대리인 변호사 홍길동, 김갑순", "counsel", ["홍길동", "김갑순"]),
        ("(소송대리인 변호사 홍길동 외 2인)", "counsel", ["홍길동"]),
        ("피고인 홍길동은 변호사 김갑순을 찾아갔다.", "counsel", []),  # no heading
        ("【변 호 인】 법무법인(유한) 새봄 담당변호사 홍길동", "firms", ["새봄"]),
        ("【변 호 인】 법무법인(유한) 새봄 담당변호사 홍길동", "counsel", ["홍길동"]),
        ("서울중앙지방법원 2020고단1", "courts", ["서울중앙지방법원"]),
        ("수원지방법원 안산지원에서", "courts", ["수원지방법원 안산지원"]),
        ("서울강서경찰서장에 대한 사실조회", "agencies", ["서울강서경찰서장"]),
        ("【피고, 피항소인】 강진군수 (소송대리인 변호사 홍길동)", "agencies", ["강진군수"]),
        ("피    고 서울특별시 영등포구청장\n", "agencies", ["영등포구청장"]),
        ("그는 중앙시장에 갔다.", "agencies", []),
    ],
)
def test_names_of_a_kind(text, kind, names):
    assert [text[one.start : one.end] for one in readable(text) if one.kind == kind] == names


def test_a_masked_judge_is_counted_and_a_gold_mention_is_not_asked(known, tokenizer):
    text = "피고인 김갑순\n판사 홍길동\n판사 이을수"
    at = text.index("홍길동")
    gold = gold_of("1", "", text, [Span(4, 7, "내국인이름")])
    said = Prediction("1", (Span(4, 7, "내국인이름"), Span(at, at + 2, "내국인이름")), (), True)
    found = evaluate([gold], {"ours": {"a": {"1": said}}}, tokenizer=tokenizer, taxonomy=known)
    (row,) = table(found).rows
    assert row[:2] == ("judges", "ours")
    assert row[2].mean == pytest.approx(2 / 6)
    assert row[3:] == (2, 1, 6, 2)
