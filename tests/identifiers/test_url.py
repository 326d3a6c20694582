"""인터넷주소: whole, bare, disguised and broken URLs without their particles, and look-alikes."""

from random import Random

import pytest

from thunder.identifiers import url
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("https://blog.example.com/hong_gd에 게시하였다", ["https://blog.example.com/hong_gd"]),
    (
        "주소는 http://www.example.co.kr/view.php?no=12&page=3입니다",
        ["http://www.example.co.kr/view.php?no=12&page=3"],
    ),
    ("www.example.com이라는 사이트", ["www.example.com"]),
    ("WWW.EXAMPLE.COM에", ["WWW.EXAMPLE.COM"]),
    ("인터넷 사이트(example.com)에", ["example.com"]),
    ("도메인 ‘dalbit.shop’을", ["dalbit.shop"]),
    ("홈페이지 dalbit.tv에", ["dalbit.tv"]),
    ("피고인은 한국.kr에 접속하여", ["한국.kr"]),
    ("www.달빛.kr 라는", ["www.달빛.kr"]),
    ("달빛상회.한국 사이트에", ["달빛상회.한국"]),
    ("https://example.org/wiki/대한민국에서 확인", ["https://example.org/wiki/대한민국"]),
    ("https://example.org/wiki/국가 참조", ["https://example.org/wiki/국가"]),
    ("http://example.com/intl/에서", ["http://example.com/intl/"]),
    ("https://example.org/Foo_(bar)에", ["https://example.org/Foo_(bar)"]),
    ("(https://example.com/o/gAbCdEf1)에서", ["https://example.com/o/gAbCdEf1"]),
    (
        "https://example.com/a, https://example.com/b.",
        ["https://example.com/a", "https://example.com/b"],
    ),
    ("hxxps://dalbit-shop[.]com/login 에", ["hxxps://dalbit-shop[.]com/login"]),
    ("http[:]//dalbit(.)kr/x", ["http[:]//dalbit(.)kr/x"]),
    ("t.me/dalbit_77 로 초대", ["t.me/dalbit_77"]),
    ("인스타그램(instagram.com/hong.gd)을", ["instagram.com/hong.gd"]),
    ("http://211.34.56.78:8080/admin", ["http://211.34.56.78:8080/admin"]),
    ("www. example.com을 개설", ["www. example.com"]),
    ("www.exam\nple.com에서", ["www.exam\nple.com"]),
    ("https://blog.example.com/\nhong123에 글을", ["https://blog.example.com/\nhong123"]),
    ("https://www.example.\r\ncom에 접속", ["https://www.example.\r\ncom"]),
    ("http://example.com/view\n?no=12를", ["http://example.com/view\n?no=12"]),
    ("http://example.com/\n2. 판단", ["http://example.com/"]),
    ("http://example.com/abc.\n피고인은", ["http://example.com/abc"]),
    ("http://example.com/(이하 생략)", ["http://example.com/"]),  # what the court has left
]
NEAR_MISSES = [
    "파일 a.txt와 판결문.hwp",
    "이탈리아의 Rossi S.p.A.는",
    "별표 No.1 참조",
    "e.g. 3.5배",
    "i.e. 1.2.3.",
    "Samsung Electronics Co., Ltd.",
    "hong@example.com으로",
    "mailto:hong@example.com",
    "사이트 ‘○○○.com’에",
    "http://www.○○○.com",
    "https://■■example.com라는",
    "(인터넷주소 1 생략)",
    "판단하였다.한국에서",
    "HTTP 방식에 의한 전송",
    "WWW에 접속",
    "금리는 2.kr",
    "IP 주소 192.168.0.1",
    "2010.3.5.12 접속",
    "소외 1.co라는 말",
    "3.5.me",
]
CARRIERS = [
    "인터넷 사이트({})에 글을 올렸다.",
    "피고인은 {} 에 접속하였다.",
    "주소 ‘{}’를 알려 주었다.",
    "링크: {}\n그 후 피고인은",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in url.find(text)]


@pytest.mark.parametrize(("text", "addresses"), FOUND)
def test_finds_every_form(text: str, addresses: list[str]) -> None:
    assert found(text) == addresses


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("seed", range(300))
def test_what_is_made_is_found_exactly(seed: int) -> None:
    rng = Random(f"url/{seed}")
    made = made_up.url(rng)
    assert found(rng.choice(CARRIERS).format(made)) == [made]
