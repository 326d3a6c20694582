"""What holds for any text: nothing changes, spans are disjoint, the mark-up reads back."""

from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.taxonomy import load as load_taxonomy
from thunder.text.spans import require_disjoint
from thunder.training_data.annotation import parse, serialise
from thunder.training_data.placeholders import annotate
from thunder.training_data.placeholders.writing import written

from ...growth import grows_evenly

PIECES = st.sampled_from(
    [
        *(
            "원고 1",
            "소외 2 주식회사",
            "피고인",
            "○○",
            "김○○",
            "□",
            "A",
            "B씨",
            "RA",
            "甲",
            "(주소 1 생략)",
        ),
        *(
            "(생략)",
            "생략)",
            "(",
            ")",
            "은 ",
            "에게 ",
            "서울 강남구 ",
            "'",
            "‘",
            " 식당",
            "동 ",
            "호 ",
            "\n",
        ),
        *(
            "【원고】 ",
            ", ",
            "1",
            "2 ",
            "회사",
            "주식회사 ",
            "B형 간염",
            "\r\n",
            "e\u0301",
            "😀",
            "각",
            "ｱ",
        ),
    ]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=25).map("".join).filter(str.strip)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_spans_are_disjoint_labelled_and_read_back(text: str) -> None:
    found = annotate(text, id="any")
    assert found.text == text
    assert len(found.entities) == len(found.spans)
    require_disjoint(found.spans, length=len(text))
    marked = written(found)
    again = parse(serialise(marked), taxonomy=load_taxonomy())
    assert (again.text, [(one.start, one.end, one.label) for one in again.spans]) == (
        marked.text,
        [(one.start, one.end, one.label) for one in marked.spans],
    )


@settings(max_examples=80, deadline=None)
@given(TEXTS)
def test_outside_the_marks_a_file_holds_the_text_as_it_came(text: str) -> None:
    found = annotate(text, id="any")
    assert _outside(found.text, found.spans) == _outside(written(found).text, written(found).spans)


@settings(max_examples=50, deadline=None)
@given(TEXTS)
def test_equal_placeholders_of_a_file_are_one_entity(text: str) -> None:
    found, marked = annotate(text, id="any"), written(annotate(text, id="any"))
    names: dict[str, set[str]] = {}
    for span, entity in zip(marked.spans, found.entities, strict=True):
        names.setdefault(marked.text[span.start : span.end], set()).add(entity)
    assert all(len(entities) == 1 for entities in names.values())


def test_time_grows_with_the_text_and_no_faster() -> None:
    once = "원고 1, 2 및 A(여, 30세)는 ○○동 (주소 1 생략)에서 'B' 식당을 ○○○와 " * 40
    assert grows_evenly(lambda times: annotate(once * times, id="timed"), 4, 16, slack=2.5)


def _outside(text: str, spans: object) -> list[str]:
    pieces, done = [], 0
    for span in spans:  # type: ignore[attr-defined]
        pieces.append(text[done : span.start])
        done = span.end
    return [*pieces, text[done:]]
