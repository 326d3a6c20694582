"""The page shows both texts whole, explains every change, and runs nothing of the judgment's."""

import base64
import hashlib
import re
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.bulk.marks import marks
from thunder.bulk.page import MOST_CHARACTERS, MOST_DOCUMENTS, Shown, render
from thunder.masking.audit import catalogue
from thunder.masking.doubts import Doubt
from thunder.masking.records import Deidentified, Kept
from thunder.text.spans import Span, replace_spans

KNOWN = catalogue("court")
TEXT = "주 문\n홍길동은 판사 김판사 앞에서\r\n<script>alert('홍길동')</script> & \"말\"했다."


def result(text: str = TEXT, *, kept=(), doubts=(), score: float = 0.9) -> Deidentified:
    spans = [
        Span(match.start(), match.end(), "내국인이름", score, "names:person")
        for match in re.finditer("홍길동", text)
    ]
    new_text, changes = replace_spans(text, spans, lambda _: "A")
    return Deidentified("1", text, new_text, tuple(changes), tuple(kept), tuple(doubts))


def page(*results: Deidentified) -> str:
    return render([Shown(f"{n}.txt", one) for n, one in enumerate(results)], KNOWN)


def column(html: str, name: str) -> str:
    """Return the text that a column shows."""
    cells = re.findall(rf'<td class="{name}">(.*?)</td>', html, re.DOTALL)
    return unescape("\n".join(re.sub("<[^>]*>", "", cell) for cell in cells))


def test_both_columns_show_their_text_line_by_line():
    html = page(result())
    assert column(html, "original") == TEXT.replace("\r", "")
    assert column(html, "result") == TEXT.replace("\r", "").replace("홍길동", "A")


@given(
    st.text(st.sampled_from("가 \n\r<&\"'홍길동\0"), max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=4),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=4),
)
def test_whatever_overlaps_no_character_is_lost_or_shown_twice(text, kept, doubts):
    text = f"홍길동{text}홍길동"
    one = result(
        text,
        kept=[Kept(Span(a, a + n, "법원"), "법원") for a, n in kept if a + n <= len(text)],
        doubts=[Doubt(a, a + n, "x", "보십시오.") for a, n in doubts if a + n <= len(text)],
    )
    shown = marks(one, KNOWN)
    assert all(a.end <= b.start and a.new_end <= b.new_start for a, b in pairwise(shown))
    visible = text.replace("\0", "\ufffd")
    html = page(one)
    assert without_line_ends(column(html, "original")) == without_line_ends(visible)
    changed = visible.replace("홍길동", "A")
    assert without_line_ends(column(html, "result")) == without_line_ends(changed)


def without_line_ends(text: str) -> str:
    return text.replace("\r", "").replace("\n", "")


def test_a_span_over_a_line_end_stays_in_one_row():
    text = "앞 홍길동 뒤\n끝 다음\n줄"
    span = Span(2, 9, "주소", 0.9, "rule:address")
    new_text, changes = replace_spans(text, [span], lambda _: "B")
    html = page(Deidentified("1", text, new_text, tuple(changes)))
    assert html.count("<tr") == 3
    assert column(html, "result") == "앞 B 다음\n줄"


def test_nothing_of_the_judgment_is_run():
    html = page(result())
    assert html.count("<script>") == 1
    assert "&lt;script&gt;" in html
    html = render([Shown("<img src=x onerror=alert(1)>", result('"><b> 홍길동'))], KNOWN)
    assert "<img" not in html
    assert "<b>" not in html


def test_the_page_may_load_nothing_and_run_only_its_own_script():
    html = page(result())
    policy = re.search('Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy.startswith("default-src 'none'")
    for tag in ("style", "script"):
        content = re.search(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not re.search(r"https?://|@import|url\(", html)


def test_a_change_says_its_kind_treatment_score_and_rule():
    html = page(result())
    mark = re.search('<span class="m change[^>]*>', html)[0]
    assert "인명 › 내국인이름 · 글자로 바꿈" in mark
    assert 'data-swap="홍길동 → A"' in mark
    assert 'data-score="0.90"' in mark
    assert 'data-source="names:person"' in mark
    assert 'tabindex="0"' in mark
    assert "aria-label=" in mark


def test_kept_spans_say_why_and_doubtful_ones_what_to_look_at():
    at = TEXT.index("김판사")
    one = result(
        kept=[Kept(Span(at, at + 3, "내국인이름"), "법관")],
        doubts=[
            Doubt(at, at + 3, "role", "판사가 맞는지 보십시오."),
            Doubt(0, 0, "x", "머리말이 없습니다."),
        ],
        score=0.5,
    )
    html = page(one)
    assert "남긴 정보: 내국인이름 (법관)" in html
    assert 'class="m kept doubt"' in html
    assert "<li>머리말이 없습니다.</li>" in html
    assert html.count('class="m change c0 u0 doubt"') == 4  # two mentions, before and after
    assert "확실하지 않지만 가렸습니다." in html


def test_doubtful_places_say_how_sure_and_whether_they_are_masked():
    at = TEXT.index("김판사")
    html = page(result(doubts=[Doubt(at, at + 3, "near", "아마 가릴 곳", 0.31)], score=0.42))
    near = re.search('<span class="m doubt"[^>]*>', html)[0]
    assert 'title="가리지 않은 곳 · 확신 0.31"' in near
    assert 'data-kind="near"' in near
    unsure = re.search('<span class="m change c0 u0 doubt"[^>]*>', html)[0]
    assert "글자로 바꿈 · 확신 0.42" in unsure
    assert 'data-kind="unsure"' in unsure
    assert "확신" not in re.search('<span class="m change[^>]*title="([^"]*)"', page(result()))[1]


def test_a_list_to_choose_from_only_where_there_are_several():
    assert "문서 찾기" not in page(result())
    assert "문서 찾기" in page(result(), result())


def test_the_page_says_that_it_must_not_leave_the_court():
    html = page(result())
    assert '<html lang="ko">' in html
    assert "법원 밖으로 내보내지 마십시오" in html


@pytest.mark.parametrize(
    "results",
    [
        [result("가")] * (MOST_DOCUMENTS + 1),
        [Deidentified("1", "가" * (MOST_CHARACTERS + 1), "가", ())],
    ],
)
def test_more_than_a_page_can_show_is_refused_with_advice(results):
    with pytest.raises(ValueError, match="--audit"):
        page(*results)


def test_each_subcategory_has_a_colour_and_neighbours_another_underline():
    html = page(result())
    hues = re.findall(r"\.c\d+ \{ --hue: (\d+); \}", html)
    assert len(hues) == len(set(hues)) == len(KNOWN.taxonomy.subcategories)
    assert {"u0", "u1", "u2", "u3"} <= set(re.findall(r"\.(u\d) \{", html))
