"""What a language model wrote is taken, or dropped for a reason that quotes nothing."""

import json

import pytest

from thunder.training.synthesis import marks, running

from .written import DRAFT, FIRST, LAST, SECOND, mark

FIND = running._rules()
ALLOWED = {"내국인이름", "은행", "병원", "유지:판사", "유지:검사"}


@pytest.mark.parametrize(
    ("answer", "finish", "reason"),
    [
        ('{"text": "글', "length", "cut off"),
        ('{"text": "글"}', "content_filter", "cut off"),
        ('{"text": "글', "stop", "no json"),
        ("글만 씁니다.", "stop", "no json"),
        ('["글"]', "stop", "no json"),
        ('{"text": 7}', "stop", "no json"),
        ('{"text": ""}', "stop", "no json"),
        ('{"글": "글"}', "stop", "no json"),
        ('{"text": "글", "note": "덧붙임"}', "stop", "no json"),
        ("[" * 100_000, "stop", "no json"),
        (json.dumps({"text": "글\x07글"}), "stop", "control"),
        ('{"text": "글\\ud800"}', "stop", "control"),
        (json.dumps({"text": "글\ue000"}), "stop", "control"),
    ],
)
def test_an_answer_that_has_not_the_form_is_dropped(answer, finish, reason):
    with pytest.raises(marks.Dropped, match=f"^{reason}$"):
        marks.fields(answer, finish, required={"text": str})
    assert reason in marks.REASONS


def test_line_ends_within_a_text_are_taken():
    """Servers held to a grammar write them unescaped, which JSON forbids."""
    found = marks.fields('{"text": "한 줄\n두 줄\r\n"}', "stop", required={"text": str})
    assert found == {"text": "한 줄\n두 줄"}


@pytest.mark.parametrize("text", [FIRST, SECOND, LAST])
def test_marks_that_are_as_asked_for_are_taken(text):
    found = marks.checked(text, allowed=ALLOWED, wanted=["내국인이름"], length=800, find=FIND)
    assert [span.label for span in found.spans]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (FIRST.replace("<<</내국인이름>>>", "", 1), "marks"),
        (FIRST.replace("<<</내국인이름>>>", "<<</은행>>>", 1), "marks"),
        (FIRST.replace("저는", "저는 <<<내국인이름>>><<</내국인이름>>>", 1), "marks"),
        (FIRST.replace("<<<", "<<", 1), "marks"),
        (FIRST[:150] + mark("내국인이름", "A"), "short"),
        (FIRST + mark("치킨집", "E"), "label"),
        (FIRST + mark("내국인이름", "김도윤"), "placeholder"),
        (FIRST + mark("유지:판사", "최한결"), "placeholder"),
        (FIRST + mark("유지:판사", "Q"), "placeholder"),
        (DRAFT, "wanted"),
        (SECOND.replace(mark("은행", "C"), "그"), "lost"),
        (SECOND.replace("C", "K"), "lost"),
        (SECOND + " 피고인 김도윤은 갔다.", "outside"),
        (SECOND + " 계좌번호 110-482-660153", "outside"),
        (SECOND + " 연락처는 010-0482-1196이다.", "outside"),
    ],
)
def test_marks_that_are_not_are_dropped(text, reason):
    before = marks.read(SECOND) if reason in ("lost", "outside") else None
    with pytest.raises(marks.Dropped, match=f"^{reason}$"):
        marks.checked(
            text, allowed=ALLOWED, wanted=["내국인이름"], length=800, find=FIND, before=before
        )
    assert reason in marks.REASONS


@pytest.mark.parametrize(
    ("text", "reason"),
    [(DRAFT + " 피고인 김도윤은 갔다.", "outside"), (FIRST, "label"), (DRAFT[:90], "short")],
)
def test_a_draft_holds_no_marks_and_no_names(text, reason):
    assert marks.unmarked(DRAFT, length=800, find=FIND) == DRAFT
    with pytest.raises(marks.Dropped, match=f"^{reason}$"):
        marks.unmarked(text, length=800, find=FIND)
