"""이메일주소: plain, spaced, disguised and broken addresses, and signs that are none."""

from random import Random

import pytest

from thunder.identifiers import email
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("hong@example.com으로 보냈다", ["hong@example.com"]),
    ("hong.gd@naver.com, kim_77@hanmail.net을", ["hong.gd@naver.com", "kim_77@hanmail.net"]),
    ("“HONG@NAVER.COM”이라는", ["HONG@NAVER.COM"]),
    ("메일은 hong@example.co.kr.", ["hong@example.co.kr"]),
    ("이메일:hong+test@sub.example.co.kr로", ["hong+test@sub.example.co.kr"]),
    ("홍길동@한국.kr 으로", ["홍길동@한국.kr"]),
    ("홍길동(hong@한글.한국)에게", ["hong@한글.한국"]),
    ("hong @ naver.com 로", ["hong @ naver.com"]),
    ("hong@naver. com으로", ["hong@naver. com"]),
    ("hong(at)naver.com, hong[at]daum.net", ["hong(at)naver.com", "hong[at]daum.net"]),
    ("hong골뱅이naver.com", ["hong골뱅이naver.com"]),
    ("hong77 골뱅이 네이버 닷컴으로", ["hong77 골뱅이 네이버 닷컴"]),
    ("hong77골뱅이naver점com", ["hong77골뱅이naver점com"]),
    ("hong77 골뱅이 nalaesom 닷 컴으로", ["hong77 골뱅이 nalaesom 닷 컴"]),
    ("hong@naver 로 보냈다", ["hong@naver"]),
    ("hong@company.museum", ["hong@company.museum"]),
    ("hong@exam\nple.com으로", ["hong@exam\nple.com"]),
    ("hong@example.c\nom으로", ["hong@example.c\nom"]),
    ("hong@example.co\nm으로", ["hong@example.co\nm"]),
    ("hong\n@example.com에", ["hong\n@example.com"]),
    ("hong@\r\nexample.com에", ["hong@\r\nexample.com"]),
    ("hong@naver.\ncom에", ["hong@naver.\ncom"]),
    ("hong_\ngildong@naver.com", ["hong_\ngildong@naver.com"]),
    ("2. 판단.\nhong@naver.com\n3. 결론", ["hong@naver.com"]),
]
NEAR_MISSES = [
    "***@naver.com",
    "ho**@naver.com, ab***c@daum.net",
    "○○○@daum.net",
    "(이메일주소 1 생략)@hanmail.net",
    "Copyright@2003 by",
    "30천주*@1,230원",
    "아버지@어머니",
    "각주 5)@참조",
    "텔레그램 @dalbit_77",
    "사건 10@5.5",
    "을지로 골뱅이 다음 날",
    "골뱅이무침 naver 검색",
    "이메일 1 생략",
    "전자우편(e-mail) 주소",
    "A 골뱅이 다음 B",
]
CARRIERS = [
    "피고인은 {}으로 파일을 보냈다.",
    "이메일 주소({})로 접속하여",
    "‘{}’라는 계정을",
    "연락처: {}, 주소 미상",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in email.find(text)]


@pytest.mark.parametrize(("text", "addresses"), FOUND)
def test_finds_every_form(text: str, addresses: list[str]) -> None:
    assert found(text) == addresses


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("seed", range(300))
def test_what_is_made_is_found_exactly(seed: int) -> None:
    rng = Random(f"email/{seed}")
    made = made_up.email(rng)
    assert found(rng.choice(CARRIERS).format(made)) == [made]
