"""Temples by their denomination, their abbot or their halls, wherever they then stand."""

import pytest

from thunder import Deidentifier

MASKED = [
    "한국불교태고종 나루사는 세워졌고, 원고는 나루사의 재산을 승계하였다.",
    "조계종 제25교구 본사 나루사와 그 말사인 다솜사에 갔다. 다솜사는 나루사의 말사이다.",
    "그는 나루사 주지로서 나루사에 살았다.",
]
READABLE = ["대한불교조계종은 나루사를 모른다.", "조계종 회사와 조계종 본사가 다툰다."]


@pytest.mark.parametrize("text", MASKED)
def test_a_temple_is_masked_wherever_it_stands(text: str) -> None:
    masked = Deidentifier(model="none").deidentify(text).text
    assert "나루사" not in masked
    assert "다솜사" not in masked


@pytest.mark.parametrize("text", READABLE)
def test_what_is_no_temple(text: str) -> None:
    assert Deidentifier(model="none").deidentify(text).text == text
