"""A foreign name is a mention as a whole: its parts, initials, particles and readings."""

import pytest

from thunder.names.person_foreign import readings, whole
from thunder.text.spans import Span


def _grown(marked: str) -> list[str]:
    """Return what *marked* names whole, where parts of it in [ ] are known."""
    text, spans = "", []
    for at, piece in enumerate(marked.replace("]", "[").split("[")):
        if at % 2:
            spans.append(Span(len(text), len(text) + len(piece), "외국인이름", 0.9, "tagger"))
        text += piece
    return [text[one.start : one.end] for one in whole(text, spans)]


@pytest.mark.parametrize(
    ("marked", "names"),
    [
        ("피고인 [쵸르니 알렉세이] 보리소비치는 왔다", ["쵸르니 알렉세이 보리소비치"]),
        ("사건본인 [엥흐자르갈 바트]-에르데네의", ["엥흐자르갈 바트-에르데네"]),
        ("동포 김 [알렉산드라] 세르게예브나이고", ["김 알렉산드라 세르게예브나"]),
        ("국적 [마리셀] D. [빌라누에바]에게", ["마리셀 D. 빌라누에바"]),
        ("병사 [Delgadillo], R.의", ["Delgadillo, R."]),
        ("[Margarethe] v. [Lindqvist]와", ["Margarethe v. Lindqvist"]),
        ("위 [라온]과 마루에", ["라온"]),
        ("[드미트리]와 [파벨]은", ["드미트리", "파벨"]),
        ("[드미트리] 씨의 아파트 계약서", ["드미트리"]),
    ],
)
def test_a_foreign_name_takes_in_its_parts(marked: str, names: list[str]) -> None:
    assert _grown(marked) == names


def test_the_reading_of_a_name_in_other_letters() -> None:
    text = "성명란에는 HSU CHIA-LING(쉬자링, 대만)이라고, John Smith(미국, 34세)는 MD(굿즈)를"
    spans = [
        Span(at := text.index(name), at + len(name), "영어이름", 0.9, "tagger")
        for name in ("HSU CHIA-LING", "John Smith", "MD")
    ]
    assert [text[one.start : one.end] for one in readings(text, spans)] == ["쉬자링"]
