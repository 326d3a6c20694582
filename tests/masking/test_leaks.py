"""The search for masked wordings in all that a written file holds."""

import random
import time

import pytest

from thunder.masking import leaks
from thunder.masking.leaks import Leak
from thunder.masking.records import Deidentified
from thunder.text.spans import Span, replace_spans

NAME = "강도윤"
MANY = [f"이름{number}번째" for number in range(100)]


def found(content: bytes | str, *wordings: str, said: str = "") -> bool:
    raw = content.encode() if isinstance(content, str) else content
    parts = [("앞", b"\0" * 9), ("부분", raw)]
    answers = []
    for sought in (list(wordings), [*MANY, *wordings]):  # few and many are searched otherwise
        answers.append(list(leaks.find(sought, parts, {"부분": [said]})))
    assert answers[0] == answers[1]
    assert answers[0] in ([], [Leak("부분", 1)])
    return bool(answers[0])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "cp949"])
@pytest.mark.parametrize("before", [b"", b"\xff\xd8\xff\x00\x01", "말".encode("utf-16-le")])
@pytest.mark.parametrize("wording", [NAME, "서울 중구 5-1", "Hong Gildong", "01023456789"])
def test_a_wording_is_found_in_every_encoding(encoding, before, wording):
    assert found(before + wording.encode(encoding) + b"\xff\xfe", wording)


@pytest.mark.parametrize(
    ("content", "wording", "is_leak"),
    [
        (f"제목\n{NAME}의 소장", NAME, True),
        ("강 도윤", NAME, False),  # the second reading sees it
        ("휴먼명조\n맑은 고딕", "맑은고", False),
        ("전화 01023456789", "01023456789", True),
        ("4101023456789", "01023456789", False),  # a piece of another number
        ("KBSX", "KBS", False),
        ("KBS방송", "KBS", True),
        ("3KBS", "KBS", True),
        ("폭\n59528\n높이", "59528", False),  # a number of the format
        ("우편번호 59528", "59528", True),
        ("id\n110123456789\n", "110123456789", True),
    ],
)
def test_words_and_numbers_count_as_wholes(content, wording, is_leak):
    assert found(content, wording) is is_leak
    if is_leak:
        assert found(b"\xff\0" + content.encode("utf-16-le"), wording)


@pytest.mark.parametrize(
    ("content", "is_leak"),
    [
        ("글꼴\nHY신명조\n한양신명조\n굴림체", False),
        ("글꼴\nHY신명조\n신명조", True),
        ("글꼴\n신명조", True),
        ("글꼴\n상호 HY신명조 대표", True),
    ],
)
def test_a_piece_of_a_known_fonts_name_is_no_leak(content, is_leak):
    assert found(content, "신명조") is is_leak
    raw = b"\xff\0" + content.replace("상호 HY", "상호 ").encode("utf-16-le")
    assert found(raw, "신명조") is is_leak


def test_what_the_decided_text_says_is_no_leak():
    assert not found(f"판사 {NAME}", NAME, said=f"판사 {NAME}")
    assert found(f"판사 {NAME}\n{NAME}", NAME, said=f"판사 {NAME}")
    assert not found(f"\xff판사 {NAME}".encode("utf-16-le"), NAME, said=f"판사 {NAME}")


def result(text: str, *masked: str) -> Deidentified:
    spans = sorted(
        Span(text.index(one), text.index(one) + len(one), "내국인이름") for one in masked
    )
    new, changes = replace_spans(text, spans, lambda _: "A")
    return Deidentified("", text, new, tuple(changes))


def test_which_wordings_are_looked_for():
    text = "강도윤 김씨 101 12345 주식회사 강도윤상사 KBS - - -"
    masked = ("강도윤", "김씨", "101", "12345", "강도윤상사", "KBS", "- - -")
    assert leaks.wordings(result(text, *masked[:4], "주식회사 강도윤상사", "KBS", "- - -")) == [
        "KBS",
        "강도윤",
        "12345",
    ]


def test_long_numbers_are_looked_for_as_cells_hold_them():
    text = "전화 010-2345-6789, 2020-03-07"
    sought = leaks.wordings(result(text, "010-2345-6789", "2020-03-07"))
    assert sought == ["2020-03-07", "01023456789", "010-2345-6789"]


def test_many_wordings_in_big_parts_take_seconds():
    chance = random.Random(3)
    sought = ["".join(chance.choices("가나다라마바사아자차카타파하", k=4)) for _ in range(2000)]
    text = "".join(chance.choices("거너더러머버서어저처커터퍼허", k=400_000)).encode()
    begun = time.process_time()
    parts = [("글", text), ("그림", chance.randbytes(4_000_000)), ("끝", sought[7].encode())]
    assert [leak.part for leak in leaks.find(sought, parts, {})] == ["끝"]
    assert time.process_time() - begun < 6
