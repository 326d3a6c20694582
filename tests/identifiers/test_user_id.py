"""아이디, 닉네임, 대화명: names beside their cue, and words and masks beside it."""

from random import Random

import pytest

from thunder.identifiers import user_id
from thunder.training_data.mention_makers import identifiers as made_up

FOUND = [
    ("아이디 'abc123'으로 접속", ["abc123"]),
    ("카카오톡 아이디(hong77)를 통해", ["hong77"]),
    ("‘sunny’라는 아이디를 쓰는", ["sunny"]),
    ("텔레그램 아이디 @foo_bar 에게", ["@foo_bar"]),
    ("텔레그램에서 @dal_bit77로 연락", ["@dal_bit77"]),
    ("위챗 ID: wx_dalbit88", ["wx_dalbit88"]),
    ("id: hong_77, pw: 미상", ["hong_77"]),
    ("ID는 hong77이고 PW는", ["hong77"]),
    ("hong77이라는 아이디로", ["hong77"]),
    ("sunny77 아이디로 접속", ["sunny77"]),
    ("Sunny77 아이디로 접속", ["Sunny77"]),
    ("트위터 계정(@moon_77)에", ["@moon_77"]),
    ("게임 계정 ‘dalbitgirl’에 대한", ["dalbitgirl"]),
    ("‘dalbit7788’ 계정을 통하여", ["dalbit7788"]),
    ("인스타그램 계정 ‘달빛소녀’로", ["달빛소녀"]),
    ("게임 아이디 ‘무적검객’을", ["무적검객"]),
    ("닉네임 '달빛소녀'를 사용", ["달빛소녀"]),
    ("성명불상자(닉네임 달빛)가", ["달빛"]),
    ("닉네임: 은하수", ["은하수"]),
    ("'철수짱'이라는 닉네임으로", ["철수짱"]),
    ("‘내 마음의 호수’라는 닉네임", ["내 마음의 호수"]),
    ("'달빛소녀'를 닉네임으로 쓰는", ["달빛소녀"]),
    ("닉네임을 ‘달빛’으로 바꾸고", ["달빛"]),
    ("필명 ‘달나라’로 쓴 글", ["달나라"]),
    ("대화명 “오빠”를 쓰는", ["오빠"]),
    ("대화명 ‘달빛’, ‘17E’, ‘은하’가", ["달빛", "17E", "은하"]),
    ("별명이 ‘불곰’인", ["불곰"]),
    ("회원인 아이디 ‘moon7(닉네임 달빛)’이", ["moon7", "달빛"]),
    ("아이디\n‘dalbit77’로", ["dalbit77"]),
]
NEAR_MISSES = [
    "아이디와 비밀번호를 알려주었다",
    "아이디를 도용하여 게임을",
    "위챗 아이디 'C'로",
    "닉네임 ‘○○○’, ‘△△’을",
    "‘(아이디 1 생략)’이라는 아이디로",
    "닉네임 ‘(닉네임 1 생략)’을",
    "아이디(ID)를 입력하여",
    "‘미지급금’ 계정에 적었다",
    "부채계정인 ‘선수금 계정’으로",
    "Google 계정과 SNS 계정",
    "Apple ID를 만들어",
    "단말기 ID:0012, 카드 ID:0034",
    "Study ID Number",
    "RFID Tag, COVID-19, HID",
    "아이디어 'abc'를 제공",
    "아이디 hong@example.com 으로",
    "아이디를 ‘네이버’에서 사고",
    "‘다음’의 아이디는",
    "피고인 1의 아이디에, 피고인 6의 대화명이다",
    "계정 1,234개",
    "‘아이디’로부터 “편지 한 통”을",
    "그 ‘아이디’에 든 ‘동전’으로",
    "특별명예퇴직",
    "quisquam Romanus ante id tempus",
    "닉네임 확인, 대화명 자료",
    "○○○@hanmail.net 이메일 계정",
]
CARRIERS = [
    "피고인은 아이디 ‘{}’로 접속하였다.",
    "카카오톡 아이디({})로 연락하였다.",
    "‘{}’라는 아이디를 쓰는 사람",
    "텔레그램 ID: {}, 비밀번호 미상",
]


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in user_id.find(text)]


@pytest.mark.parametrize(("text", "names"), FOUND)
def test_finds_every_form(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_stays_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("seed", range(300))
def test_what_is_made_is_found_exactly(seed: int) -> None:
    rng = Random(f"user_id/{seed}")
    made = made_up.user_id(rng)
    assert found(rng.choice(CARRIERS).format(made)) == [made]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("아이디 ‘dalbit77’", "아이디"),
        ("인스타그램 계정 ‘dalbit77’", "아이디"),
        ("닉네임 ‘달빛’", "닉네임"),
        ("대화명 ‘달빛’", "대화명"),
        ("별명 ‘달빛’", "별명"),
    ],
)
def test_the_cue_decides_the_label(text: str, label: str) -> None:
    assert [span.label for span in user_id.find(text)] == [label]
