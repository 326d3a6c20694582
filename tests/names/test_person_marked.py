"""Names of which a syllable is hidden, or that the sign for a line's end cuts in two."""

import pytest

from thunder.names.person_marked import find


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("‘윤○혁 전 지점장’이라고 적었다", "윤○혁"),
        ("수취인 정*란의 주소", "정*란"),
        ("입금자명이 유X준으로 표시된", "유X준"),
        ("“사장 서ㅇ욱 태도가", "서ㅇ욱"),
        (r"“보낸 사람: 구\n본석”으로", r"구\n본석"),
        ("표 안에 추영<br>선이라고 적힌", "추영<br>선"),
        (r"수임인 ‘제갈-\n현우’는", r"제갈-\n현우"),
    ],
)
def test_a_name_half_hidden_is_one(text: str, name: str) -> None:
    """What is left of it says who is meant."""
    assert [text[span.start : span.end] for span in find(text)] == [name]


@pytest.mark.parametrize("text", ["안○동에서", "김○○는", r"합계\n금액", "표 3×4의"])
def test_what_is_no_name(text: str) -> None:
    """Villages, a court's own marks and words beside a line's end."""
    assert list(find(text)) == []
