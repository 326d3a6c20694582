"""특허번호: international applications and publications; Korean publications are the tagger's."""

import pytest

from thunder.identifiers import patent

FOUND = [
    ("국제공개공보 WO 91/12345호(을 4호증)에", ["WO 91/12345호"]),
    ("국제공개특허 WO 2004/123456 A1에", ["WO 2004/123456"]),
    ("WO2004-123456호와 WO2004123456은", ["WO2004-123456호", "WO2004123456"]),
    ("국제출원번호: PCT/KR2004/123456, PCT/US91/12345", ["PCT/KR2004/123456", "PCT/US91/12345"]),
]
NEAR_MISSES = [
    "WTO 협정 91/12345",
    "TWO 91/12345",
    "WO 91/123",
    "WO 협정 2004년",
    "특허협력조약(PCT) 제31조",
    "2004/123456",
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_international_numbers(text: str, expected: list[str]) -> None:
    assert [text[s.start : s.end] for s in patent.find(text)] == expected


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_what_is_no_number_of_a_patent_stays(text: str) -> None:
    assert list(patent.find(text)) == []
