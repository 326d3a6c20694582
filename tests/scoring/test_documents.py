"""Gold by the rule: what the rule keeps readable counts neither way."""

import pytest

from thunder.scoring.documents import gold_of
from thunder.taxonomy import load
from thunder.text.spans import IGNORED, Span

ADDRESS, PERSON, FLOOR = "구아래주소", "내국인이름", "층"

RULED = [
    # A mention, its label, what the rule keeps of it and what it wants masked.
    ("서울 강남구 역삼동 12-3", ADDRESS, "서울 강남구 ", "역삼동 12-3"),
    ("경기도 성남시 분당구 가온로 5", ADDRESS, "경기도 성남시 분당구 ", "가온로 5"),
    ("역삼동 12-3", ADDRESS, "", "역삼동 12-3"),
    ("서울 강남구", ADDRESS, "서울 강남구", ""),
    ("서울 강남구", PERSON, "", "서울 강남구"),
    ("3층", FLOOR, "3층", ""),
    ("나래경찰서", "경찰서", "나래경찰서", ""),
    ("기업은행", "은행", "기업은행", ""),
    ("나래은행", "은행", "", "나래은행"),
]


@pytest.mark.parametrize(("mention", "label", "kept", "masked"), RULED)
def test_what_the_rule_keeps_of_a_mention(mention, label, kept, masked):
    gold = gold_of("1", "", f"위 {mention}에", [Span(2, 2 + len(mention), label)], written=["A"])
    ruled = gold.with_kept_ignored(load())
    parts = {one.label == IGNORED: ruled.text[one.start : one.end] for one in ruled.spans}
    assert parts == {free: part for free, part in ((True, kept), (False, masked)) if part}
    assert len(ruled.entities) == len(ruled.written) == len(ruled.spans)
    assert ruled.with_kept_ignored(load()) == ruled


@pytest.mark.parametrize(
    ("before", "after", "asked"),
    [
        ("서울 ", "구 역삼동 12", False),
        ("서울 ", "구역삼동 12", False),
        ("서울 ", "구 나래로 12", False),
        ("부산 ", "구의 암 발생률", True),
        ("", "구 전체에", True),
    ],
)
def test_the_district_of_an_address_is_not_asked_for(before, after, asked):
    span = Span(len(before), len(before) + 2, "행정구")
    (part,) = gold_of("1", "", f"{before}강남{after}", [span]).with_kept_ignored(load()).spans
    assert (part.label != IGNORED) is asked
