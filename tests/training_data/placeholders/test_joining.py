"""Which mentions are one person, company or place; and how a file says so."""

import pytest

from thunder.training_data.annotation import parse, serialise
from thunder.training_data.placeholders import annotate
from thunder.training_data.placeholders.writing import written


def groups(text: str) -> list[list[str]]:
    found = annotate(text, id="test")
    surfaces: dict[str, list[str]] = {}
    for span, entity in zip(found.spans, found.entities, strict=True):
        surfaces.setdefault(entity, []).append(text[span.start : span.end])
    return list(surfaces.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("원고 1과 소외 1은 원고 1의 집에서", [["1", "1"], ["1"]]),
        ("소외 2 주식회사는 망하였다. 소외 2 회사의 채권자", [["2", "2"]]),
        ("A 주식회사(이하 'A'라 한다)는", [["A", "A"]]),
        ("주식회사 ○○○(이하 ‘소외 2 회사’라 한다)는", [["○○○", "2"]]),
        ("원고 3(항소심판결의 원고 2)과 원고 2", [["3(항소심판결의 원고 2)"], ["2"]]),
        ("피고인 3은 부인한다. 상피고인 3과 공모하여", [["3", "3"]]),
        ("제1심 공동피고인 2와 피고인 2는", [["2"], ["2"]]),
        ("○○동에 있는 ○○병원", [["○○"], ["○○"]]),
        (
            "○○시는 주식회사 ○○건축사무소(이하 ‘○○’이라 한다)와 계약하였고, ○○은 ○○시에",
            [["○○", "○○"], ["○○", "○○", "○○"]],
        ),
        (
            "공소외 1에게 말하였다. 공소외 1 회사의 주식, 공소외 1의 진술",
            [["1", "1"], ["1"]],
        ),
        (  # a lawyer is no firm
            "소외 7 회사와 결성하였다. 소외 2나 변호사 소외 7도 말하였다. 소외 7 회사는",
            [["7", "7"], ["2"], ["7"]],
        ),
        (  # what the last of a list says, all of it is
            "공소외 1 회사의 거래처, 공소외 1, 공소외 3 등의 진술",
            [["1"], ["1"], ["3"]],
        ),
        (
            "주식회사 ◇◇◇(변경 전 상호: ☆☆☆ 주식회사, 이하 ‘소외 3 회사’라 한다)과 소외 3 회사",
            [["◇◇◇", "3", "3"], ["☆☆☆"]],
        ),
        (
            "원고 1, 원고 10(이하 ‘원고 1 등’이라고 한다)은",
            [["1", "1"], ["10"]],
        ),
        ("서울시 ○○구에 있는 ○○보건소에서", [["○○", "○○"]]),
        ("㈜△△개발과 △△개발이 연대하여, △△개발에게", [["△△", "△△", "△△"]]),
        ("○○동에 있는 ○○은행과 ○○동", [["○○", "○○"], ["○○"]]),
    ],
)
def test_mentions_of_one_entity_are_joined(text: str, expected: list[list[str]]) -> None:
    assert groups(text) == expected


def test_a_file_tells_persons_of_one_number_apart_within_the_marks() -> None:
    found = annotate("원고 1은 소외 1에게", id="test")
    assert serialise(written(found)) == (
        "원고 <<<내국인이름>>>원고 1<<</내국인이름>>>은 "
        "소외 <<<내국인이름>>>소외 1<<</내국인이름>>>에게"
    )


def test_a_placeholder_that_tells_its_entity_is_written_as_it_stands() -> None:
    text = "피해자 B(여, 21세)는 서울 강남구 C에 있는 집에"
    assert parse(serialise(written(annotate(text, id="test")))).text == text
