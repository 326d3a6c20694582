"""All recognisers together: who wins, what a line break hides."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder import identifiers, taxonomy
from thunder.text.korean import fold
from thunder.text.spans import Span, require_disjoint
from thunder.training_data.mention_makers import identifiers as made_up

Found = list[tuple[str, str]]

CONFLICTS: list[tuple[str, Found]] = [
    # the cue that stands before a number names it
    ("계좌번호 110-123-456789", [("110-123-456789", "계좌번호")]),
    ("계좌번호 010-1234-5678", [("010-1234-5678", "계좌번호")]),
    ("법인등록번호 110111-1234567", [("110111-1234567", "법인등록번호")]),
    ("주민등록번호 110111-1234567", [("110111-1234567", "주민등록번호")]),
    ("사업자등록번호 123-45-67890", [("123-45-67890", "사업자등록번호")]),
    ("우리은행 계좌번호 123-45-67890", [("123-45-67890", "계좌번호")]),
    # without one the more specific form wins
    ("홍길동 561231-1234567", [("561231-1234567", "주민등록번호")]),
    ("왕소룡 850607-5123456", [("850607-5123456", "주민등록번호")]),
    ("010-1234-5678로 송금", [("010-1234-5678", "휴대폰번호")]),
    # what covers another hides it too
    ("hong01012345678@naver.com", [("hong01012345678@naver.com", "이메일주소")]),
    ("https://hanbit.kr/010-1234-5678", [("https://hanbit.kr/010-1234-5678", "URL")]),
    # several in one sentence
    (
        "홍길동(561231-1234567, 010-1234-5678)의 농협 계좌(301-0123-4567-81)",
        [
            ("561231-1234567", "주민등록번호"),
            ("010-1234-5678", "휴대폰번호"),
            ("301-0123-4567-81", "계좌번호"),
        ],
    ),
]
SILENT = [
    "서울중앙지방법원 2019노2100, 2023고단1234, 2020가합123456 판결",
    "2019고합123, 124(병합), 2020고합5(분리)",
    "대법원 1985. 3. 5. 선고 85다카971 판결",
    "법률 제6179호, 대통령령 제12345호, 고시 제2020-12호",
    "형법 제347조의2 제1항 제3호",
    "5,000만 원, 1,234,567원, 100달러",
    "2020. 3. 5. 02:00경, 2020-03-05, 20. 3. 5., 2020. 3.경",
    "갑 제1호증의 2, 을나 제6호증, 갑 제1, 3, 6호증, 증 제1호",
    "123.45㎡, 10km, 0.0021 ppm, 3,000주, 15%",
    "등록특허공보 제10-0686627호, 공개특허공보 제10-2019-0012345호",
    "(주민등록번호 1 생략), (계좌번호 2 생략), (차량번호 3 생략)",
    "000000-0000000, ******-*******, ***-****-****",
    "공2020상, 1234",
]
BROKEN: list[tuple[str, list[str]]] = [  # by the end of a line
    ("홍길동(561231-\n1234567)", ["561231-\n1234567"]),
    ("홍길동(5612\r\n31-1234567)", ["5612\r\n31-1234567"]),
    ("홍길동(561231-1\n234567)", ["561231-1\n234567"]),
    ("010-1234-\n  5678로", ["010-1234-\n  5678"]),
    ("계좌번호 110-123-45 \n6789로", ["110-123-45 \n6789"]),
    ("여권번호 M1234\n5678", ["M1234\n5678"]),
    # whole on its line: what follows is the next line's number
    ("전화번호 010-1234-5678\n1. 피고인은", ["010-1234-5678"]),
    ("계좌번호 110-123-456789\n12. 원고는", ["110-123-456789"]),
    ("계좌번호 110-123-456789\n300\n", ["110-123-456789"]),
    ("010-1234-5678\n010-2345-6789\n", ["010-1234-5678", "010-2345-6789"]),
    ("계좌번호 12345678901\n2. 피고인은", ["12345678901"]),
    ("충남 청양군 정산면 나래리 314\n2.마. 홍길동", ["정산면 나래리 314"]),
    ("충남 청양군 정산면 나래리 314\n2가. 홍길동", ["정산면 나래리 314"]),
]


def found(text: str) -> Found:
    return [(text[span.start : span.end], span.label) for span in identifiers.find(fold(text))]


@pytest.mark.parametrize(("text", "expected"), CONFLICTS)
def test_one_identifier_has_one_name(text: str, expected: Found) -> None:
    assert found(text) == expected


@pytest.mark.parametrize("text", SILENT)
def test_look_alikes_stay(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(("text", "numbers"), BROKEN)
def test_numbers_over_a_line_break(text: str, numbers: list[str]) -> None:
    assert [surface for surface, _ in found(text)] == numbers


def test_offsets_are_those_of_the_original() -> None:
    text = "가\u0301 \u200b홍길동（５６１２３１\u2212１２３４５６７）"
    (span,) = identifiers.find(fold(text))
    assert text[span.start : span.end] == "５６１２３１\u2212１２３４５６７"
    assert span.source == "rule:resident"


def test_names_are_unique_and_those_of_the_modules() -> None:
    names = [recogniser.NAME for recogniser in identifiers.RECOGNISERS]
    assert len(set(names)) == len(names)
    for recogniser, name in zip(identifiers.RECOGNISERS, names, strict=True):
        assert getattr(identifiers, name) is recogniser


@pytest.mark.parametrize("recogniser", identifiers.RECOGNISERS, ids=lambda each: each.NAME)
def test_made_identifiers_bear_labels_of_the_taxonomy(recogniser: identifiers.Recogniser) -> None:
    known = taxonomy.load()
    made = (getattr(made_up, recogniser.NAME)(Random(seed)) for seed in range(50))
    spans = [span for identifier in made for span in recogniser.find(f"번호 {identifier} 번호")]
    assert all(known.knows(span.label) for span in spans)


def test_equal_seeds_make_equal_identifiers() -> None:
    for recogniser in identifiers.RECOGNISERS:
        assert getattr(made_up, recogniser.NAME)(Random(7)) == getattr(made_up, recogniser.NAME)(
            Random(7)
        )


SCRAPS = st.sampled_from(
    [
        "561231-1234567", "010-1234-5678", "110-123-456789", "계좌번호 ", "주민등록번호 ",
        "M12345678", "2019노2100", "12가3456", "제1호", "각", "\n", "\r\n", "-", " ", "1", "*",
        "\u200b", "０", "ㅡ",
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(SCRAPS, st.text(max_size=4)), max_size=16).map("".join))
def test_spans_are_disjoint_sorted_and_within_the_text(text: str) -> None:
    spans = identifiers.find(fold(text))
    require_disjoint(spans, length=len(text))
    assert all(span.source.startswith("rule:") for span in spans)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9), st.sampled_from([0.5, 0.9, 0.99])))
)
def test_resolving_leaves_no_overlap_and_forgets_no_place(
    drawn: list[tuple[int, int, float]],
) -> None:
    source = "rule:account"
    hits = [Span(start, start + size, "계좌번호", sure, source) for start, size, sure in drawn]
    chosen = identifiers.resolved(hits)
    require_disjoint(chosen, length=40)
    assert all(any(hit.overlaps(kept) for kept in chosen) for hit in hits)


BORN = [  # in tables: the column or the cell before says what the date is
    ("| 성명 | 생년월일 |\n|---|---|\n| 홍길동 | 1961. 2. 14. |\n| 김영희 | 1979-11-03 |", 2),
    ("| 성별, 생년월일 | 남자, 1986. 8. 30. |", 1),
    ("생년월일\t1971. 2. 14.\n", 1),
    ("| 채권자 | 발생일 |\n| 홍길동 | 2018. 3. 5. |", 0),
    ("| 생년월일 | 입사일 |\n| 1988. 3. 4. | 2015. 3. 2. |", 1),
]


@pytest.mark.parametrize(("text", "number"), BORN)
def test_dates_of_birth_in_tables(text: str, number: int) -> None:
    assert [label for _, label in found(text)] == ["생년월일"] * number
