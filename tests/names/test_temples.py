"""Temples by their denomination, their abbot or their halls; posts and monks are none."""

import pytest

from thunder.names import temples

MASKED = [
    ("【원고】 대한불교조계종 나루사 (소송대리인 변호사 1인)", ["나루사"]),
    ("한국불교태고종 나루사는 세워졌고, 원고는 나루사의 재산을 승계하였다.", ["나루사", "나루사"]),
    ("‘재단법인 대한불교 진각종 나루암’이라는 이름으로", ["나루암"]),
    ("조계종 제25교구 본사 나루사와 그 말사인 다솜사에", ["나루사", "다솜사"]),
    ("대한불교조계종나루사가 산 땅", ["나루사"]),
    ("그는 나루사 주지로서 나루사에 살았다.", ["나루사", "나루사"]),
    ("나루사의 대웅전을 고쳤다.", ["나루사"]),
]
READABLE = [
    "대한불교조계종 법무사",
    "조계종 변호사에게",
    "조계종 회사와 조계종 본사가",
    "대한불교조계종은 나루사를 모른다.",
    "본사 주지와 당해 사찰의 주지",
    "혜원선사 주지",
    "업종 나루사에게",
    "피고 회사는 주지하는 바와 같이",
    "조계종 ○○사의 주지",
]


@pytest.mark.parametrize(("text", "names"), MASKED)
def test_a_temple_is_found_wherever_it_stands(text: str, names: list[str]) -> None:
    found = sorted(temples.find(text))
    assert [text[one.start : one.end] for one in found] == names
    assert {one.label for one in found} == {"사찰"}


@pytest.mark.parametrize("text", READABLE)
def test_what_is_no_temple(text: str) -> None:
    assert not list(temples.find(text))
