import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.taxonomy import load
from thunder.text.spans import Span
from thunder.training_data.annotation import (
    Annotated,
    AnnotationError,
    parse,
    read_jsonl,
    read_text,
    serialise,
)


def said(text, **options):
    with pytest.raises(AnnotationError) as caught:
        parse(text, **options)
    assert str(caught.value) == "\n".join(map(str, caught.value.problems))
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("marked", "text", "spans"),
    [
        ("표시가 없는 글", "표시가 없는 글", []),
        ("", "", []),
        (
            "피해자 <<<내국인이름>>>B<<</내국인이름>>>(여, 49세)",
            "피해자 B(여, 49세)",
            [(4, 5, "내국인이름")],
        ),
        (
            "<<<아파트>>>C<<</아파트>>><<<동>>>D<<</동>>>동\r\n<<<앞 노상>>>E<<</앞 노상>>>",
            "CD동\r\nE",
            [(0, 1, "아파트"), (1, 2, "동"), (5, 6, "앞 노상")],
        ),
        ("<<<호>>> 101 <<</호>>>호", " 101 호", [(0, 5, "호")]),  # spaces belong to the mention
        ("<<<주소>>><주소><<</주소>>>", "<주소>", [(0, 4, "주소")]),  # as in released documents
        ("가<<나>>다 <<<호>>>>3<<</호>>>>", "가<<나>>다 >3>", [(8, 10, "호")]),
        ("<<<<호>>>3<<</호>>><<", "<3<<", [(1, 2, "호")]),  # a lone < beside a mark is text
        ("\U0001f600<<<호>>>\U0001f3e0\n3<<</호>>>", "\U0001f600\U0001f3e0\n3", [(1, 4, "호")]),
    ],
)
def test_marks_become_spans_and_back(marked, text, spans):
    annotated = parse(marked)
    assert annotated == Annotated(text, tuple(Span(*span) for span in spans))
    assert serialise(annotated) == marked
    assert serialise(text, annotated.spans) == marked


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("가 <<<호>>>3", ["1:3: <<<호>>> is never closed"]),
        ("가\n나 3<<</호>>>", ["2:4: <<</호>>> closes nothing"]),
        (
            "<<<호>>>3<<</동>>>",
            [
                "1:1: <<<호>>> is never closed",
                "1:9: <<</동>>> closes nothing; open is <<<호>>> of 1:1",
            ],
        ),
        ("<<<호>>><<</호>>>", ["1:1: <<<호>>> marks nothing"]),
        (
            "<<<동>>>1<<<호>>>3<<</호>>><<</동>>>",
            ["1:9: <<<호>>> opens inside <<<동>>> of 1:1"],
        ),
        (
            "<<<동>>>1<<<호>>>3<<</동>>>4<<</호>>>",
            [
                "1:9: <<<호>>> opens inside <<<동>>> of 1:1",
                "1:17: <<</동>>> crosses <<<호>>> of 1:9",
            ],
        ),
        # One mark left open does not spoil the good ones behind it.
        ("<<<동>>>1 <<<호>>>3<<</호>>>", ["1:1: <<<동>>> is never closed"]),
        ("가 <<<호>>", ["1:3: <<< is no whole mark"]),
        ("가 <<호>>>", ["1:6: >>> is no whole mark"]),
        ("<<<>>>", ["1:1: <<< is no whole mark", "1:4: >>> is no whole mark"]),
        ("<<<호>>>3<<</호>>> <<<", ["1:18: <<< is no whole mark"]),
        ("<<<호>>>3<<</호>>>\n<<</ 호>>", ["2:1: <<< is no whole mark"]),
    ],
)
def test_wrong_marks_are_told_by_place_and_mark(marked, found):
    assert said(marked) == found


def test_pieces_of_a_mark_that_meet_around_a_mention_are_told():
    # Without the marks the text would hold <<<, which serialise refuses.
    assert said("가<<<<<호>>><3<<</호>>>") == ["1:2: <<< is no whole mark"]


def test_labels_are_checked_where_a_taxonomy_is_given():
    marked = "<<<성명>>>B<<</성명>>> <<<앞 노상>>>C<<</앞 노상>>> <<<술집>>>D<<</술집>>>"
    assert len(parse(marked).spans) == 3
    assert said(marked, taxonomy=load()) == ["1:1: <<<성명>>> is not a label of the taxonomy"]


def test_canonical_names_replace_raw_ones_and_nothing_is_lost():
    marked = "<<<술집>>>B<<</술집>>> <<<앞 노상>>>C<<</앞 노상>>> <<<호>>>D<<</호>>>"
    annotated = parse(marked)
    assert [span.label for span in annotated.canonical(load()).spans] == ["주점", "앞 노상", "호"]
    assert annotated.canonical(load()).text == annotated.text
    with pytest.raises(LookupError):
        parse("<<<성명>>>B<<</성명>>>").canonical(load())


@pytest.mark.parametrize(
    ("before", "label"),
    [
        ("경산시 ", "시아래주소"),
        ("수원시 장안구 ", "구아래주소"),
        ("강원 고성군 ", "군아래주소"),
        ("고성군 간성읍 ", "읍아래주소"),
        ("고성군 죽왕면, ", "읍아래주소"),
        ("춘천시 석사동 ", "동아래주소"),
        ("경기도 ", "도아래주소"),
        ("그가 사는 ", "구아래주소"),  # nothing says which: the alias's own label
        ("", "구아래주소"),
        ("경산시에서 ", "구아래주소"),
    ],
)
def test_the_rest_of_an_address_is_named_by_the_division_before_it(before: str, label: str):
    annotated = parse(f"{before}<<<구이하주소>>>B<<</구이하주소>>>에 있는")
    assert [span.label for span in annotated.canonical(load()).spans] == [label]


def test_only_the_broad_name_is_read_by_its_place():
    annotated = parse("경산시 <<<구아래주소>>>B<<</구아래주소>>>")
    assert [span.label for span in annotated.canonical(load()).spans] == ["구아래주소"]


@pytest.mark.parametrize(
    "marked",
    [
        "<<<호>>>홍길동",
        "<<<호>>>홍길동<<</호>>> <<<동>>>",
        "<<<호>>>홍길동<<</동>>>",
        "<<<호>>홍길동<<</호>>>",
        "<<<동>>><<<호>>>홍길동<<</호>>><<</동>>>",
        "<<<피고인은 피해자가 자신을 무시한다는 이유로 격분하여 이웃에 사는 홍길동을>>>",
    ],
)
def test_no_mention_is_in_an_error(marked):
    assert "홍길동" not in "".join(said(marked, taxonomy=load()))


@pytest.mark.parametrize(
    ("text", "spans", "error"),
    [
        ("가나다", [Span(0, 2, "호"), Span(1, 3, "동")], "overlap"),
        ("가나다", [Span(2, 3, "호"), Span(0, 1, "동")], "unsorted"),
        ("가나다", [Span(2, 4, "호")], "beyond the text"),
        ("가<<<나", [], "the text itself holds <<< at character 1"),
        ("가나>>>", [Span(0, 1, "호")], "the text itself holds >>> at character 2"),
        ("가나다", [Span(0, 1, "")], "cannot stand in a mark"),
        ("가나다", [Span(0, 1, "호>")], "cannot stand in a mark"),
        ("가나다", [Span(0, 1, "<호")], "cannot stand in a mark"),
        ("가나다", [Span(0, 1, "/호")], "cannot stand in a mark"),
        ("가나다", [Span(0, 1, "호\n실")], "cannot stand in a mark"),
    ],
)
def test_what_cannot_be_marked_up_is_refused(text, spans, error):
    with pytest.raises(ValueError, match=error):
        serialise(text, spans)


# --- properties ---------------------------------------------------------------------------------

LABELS = st.sampled_from(["내국인이름", "호", "앞 노상", "(주)", "사회공헌·자선행사"])
TEXTS = st.text(alphabet=st.sampled_from("가나 B3<>/\n\r\u200b\U0001f600"), max_size=40).filter(
    lambda text: not re.search("<<<|>>>", text)
)


@st.composite
def annotations(draw, *, fewest=0):
    text = draw(TEXTS.filter(lambda text: len(text) >= 2 * fewest))
    places = st.lists(st.integers(0, len(text)), min_size=2 * fewest, max_size=8, unique=True).map(
        sorted
    )
    cuts = draw(places)
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return Annotated(text, tuple(Span(start, end, draw(LABELS)) for start, end in pairs))


@given(annotations())
def test_every_annotation_survives_the_mark_up(annotated):
    marked = serialise(annotated)
    assert parse(marked) == annotated
    assert serialise(parse(marked)) == marked


@given(annotations(fewest=1), st.data())
def test_any_single_deleted_mark_is_told(annotated, data):
    marked = serialise(annotated)
    whole = [m for span in annotated.spans for m in (f"<<<{span.label}>>>", f"<<</{span.label}>>>")]
    at = data.draw(st.integers(0, len(whole) - 1))
    start = 0
    for mark in whole[:at]:
        start = marked.index(mark, start) + len(mark)
    start = marked.index(whole[at], start)
    assert said(marked[:start] + marked[start + len(whole[at]) :])


@given(st.text(alphabet=st.sampled_from("<>/호 3"), max_size=60))
def test_what_parses_is_written_back_character_by_character(text):
    try:
        annotated = parse(text)
    except AnnotationError as error:
        assert error.problems
    else:
        assert serialise(annotated) == text


# --- files --------------------------------------------------------------------------------------


def lines(*records):
    return "".join(
        (record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)) + "\n"
        for record in records
    )


def test_good_and_bad_documents_of_a_file_come_in_order(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        lines(
            {"id": "1", "text": "<<<호>>>3<<</호>>>호", "more": 1},
            "",
            {"id": "2", "text": "<<<호>>>3"},
            {"id": "1", "text": "다시"},
            {"id": "3"},
            {"id": 4, "text": "글"},
            ["5", "글"],
            '{"id": "6", "text": "홍길동',
            '{"id": "7", "text": "\\ud800"}',
            "[" * 100_000,
        ).encode()
        + b'{"id": "8", "text": "\xff"}\n'
    )
    found = [
        (name, str(document) if isinstance(document, AnnotationError) else len(document.spans))
        for name, document in read_jsonl(path)
    ]
    assert found[:7] == [
        ("1", 1),
        ("2", "1:1: <<<호>>> is never closed"),
        ("1", "the id is used twice, again on line 4"),
        ("line 5", "line 5 has no text under 'text'"),
        ("line 6", "line 6 has no text under 'id'"),
        ("line 7", "line 7 is not a JSON object"),
        ("line 8", "line 8 is not JSON at column 21: Unterminated string starting at"),
    ]
    assert found[7][1].startswith("lone surrogate U+D800")
    assert found[8] == ("line 10", "line 10 is nested too deeply")
    assert found[9] == ("line 11", "line 11 is not UTF-8 at byte 22")
    assert len(found) == 10


def test_a_text_file_is_one_document(tmp_path):
    path = tmp_path / "판결.txt"
    path.write_bytes("<<<호>>>3<<</호>>>호\r\n".encode())
    assert list(read_text(path)) == [("판결", Annotated("3호\r\n", (Span(0, 1, "호"),)))]
    path.write_bytes(b"\xff")
    ((_, error),) = read_text(path)
    assert str(error) == "not UTF-8 at byte 1"
    path.write_text("<<<집>>>3<<</집>>>")
    ((_, error),) = read_text(path, taxonomy=load())
    assert str(error) == "1:1: <<<집>>> is not a label of the taxonomy"
