"""Ages in brackets."""

import pytest

from thunder.identifiers import age


@pytest.mark.parametrize(
    ("text", "ages"),
    [
        ("피해자 홍길동(여, 46세)", ["46"]),
        ("성춘향(17세, 여)과 이몽룡(남, 8세)", ["17", "8"]),
        ("홍길동(가명, 여, 만 12세)", ["12"]),
        ("홍길동(49세)", ["49"]),
        ("만 19세 미만의 아동", []),
        ("(2019. 5. 3.)", []),
        ("(부가가치세 10세대)", []),
        ("(2020세대)", []),
    ],
)
def test_ages(text, ages):
    assert [text[span.start : span.end] for span in age.find(text)] == ages
