"""What stands beside a unit in a list is a unit, whoever found the one; years and lots are none."""

import pytest

from thunder.identifiers.unit_lists import neighbours

from ..found_spans import tagger


@pytest.mark.parametrize(
    ("sentence", "further"),
    [
        ("B101, [B102], 2401, 1301 및 3601 중 지분", ["B101", "2401", "1301", "3601"]),
        ("상가[B101]~B103호, 114~119호, 201호 및301호", ["B103", "114", "119", "201", "301"]),
        ("지하 1층, 1601, [1602], 1701 중", ["1601", "1701"]),
        ("‘101호’, ‘[102]호’와 ‘103호’", ["101", "103"]),
        ("제1층 제101호 및 제7층 [제701]호", ["101"]),
        ("[101]호와 102호는", ["102"]),
        # Sums, years, lots, exhibits, short numbers and headings of the tariff.
        ("[101]호, 500,000원", []),
        ("[101]호, 2003. 5. 7.", []),
        ("역삼동 123, [101]호", []),
        ("[101]호, 갑 제102호증", []),
        ("[101]호, 제3호, 제5호", []),
        ("[101]호는 102호", []),
        ("품목번호 8541호 또는 [8542]호", []),
    ],
)
def test_units_beside_a_unit(sentence: str, further: list[str]) -> None:
    text = sentence.replace("[", "").replace("]", "")
    found = sorted(neighbours(text, tagger(sentence, "호")))
    assert [text[span.start : span.end] for span in found] == further


def test_long_lists_take_linear_time() -> None:
    sentence = "[101]호, " + ", ".join(f"{number}호" for number in range(200, 5000))
    text = sentence.replace("[", "").replace("]", "")
    assert sum(1 for _ in neighbours(text, tagger(sentence, "호"))) == 4800
