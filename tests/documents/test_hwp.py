"""HWP 5: what a person reads in it, in which order, and what is refused."""

import pytest

from thunder.documents import hwp
from thunder.documents.segments import Kind, Refused

from . import hwp_file as made
from .hwp_file import Hwp, control, listed, note, paragraph, record, string, table


def read(*sections: bytes, **more) -> list[tuple[str, Kind, str]]:
    """Return the segments of a file with these sections."""
    opened = hwp.open(Hwp(list(sections), **more).made())
    return [(segment.text, segment.kind, segment.after) for segment in opened.segments]


def texts(*sections: bytes) -> list[str]:
    return [text for text, _, _ in read(*sections)]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (("원고 홍길동은",), "원고 홍길동은"),
        (("",), ""),
        (("가\t나",), "가\t나"),
        (("가\n나",), "가\n나"),
        (("가\x1e나\x1f다\x18라",), "가\u00a0나\u3000다-라"),
        (("홍", (made.NOTE, b"fn  "), "길동"), "홍길동"),
        (((made.FIELD, b"%hlk"), "주소", (made.FIELD_END, b"%hlk"), "에서"), "주소에서"),
        (("옛글 \U00020000자",), "옛글 \U00020000자"),
        (("",), ""),
    ],
    ids=str,
)
def test_the_text_of_a_paragraph(parts, text):
    assert texts(paragraph(*parts)) == [text]


def test_half_a_pair_is_one_unknown_letter():
    section = paragraph("가나다").replace("나".encode("utf-16-le"), b"\x00\xd8")
    assert texts(section) == ["가\ufffd다"]


def test_what_pages_show_is_read_in_the_order_of_a_reader():
    section = paragraph(
        *("본문 하나", (made.NOTE, b"fn  "), (11, b"tbl "), (11, b"gso "), (16, b"head")),
        below=note(1, "각주")
        + table(1, [["성명", "주소"], ["갑", "을"]], caption="표 1")
        + made.text_box(1, "글상자")
        + note(1, "머리말", b"head")
        + note(1, "꼬리말", b"foot")
        + note(1, "숨은 설명", b"tcmt")
        + record(93, 1, bytes(4))
        + listed(1, paragraph("메모", level=1)),
    ) + paragraph("본문 둘")
    assert read(section, paragraph("다음 구역")) == [
        ("본문 하나", Kind.BODY, "\n"),
        ("각주", Kind.NOTE, "\n"),
        ("표 1", Kind.CAPTION, "\n"),
        ("성명", Kind.CELL, "\t"),
        ("주소", Kind.CELL, "\n"),
        ("갑", Kind.CELL, "\t"),
        ("을", Kind.CELL, "\n"),
        ("본문 둘", Kind.BODY, "\n"),
        ("다음 구역", Kind.BODY, "\n"),
        ("머리말", Kind.HEADER, "\n"),
        ("꼬리말", Kind.FOOTER, "\n"),
        ("글상자", Kind.TEXT_BOX, "\n"),
        ("메모", Kind.MEMO, "\n"),
    ]


def test_tables_in_tables_stay_in_their_place():
    inner = paragraph("앞", (11, b"tbl "), level=2, below=table(3, [["ㄱ", "ㄴ"]]))
    outer = control(
        *(b"tbl ", 1, made.common()),
        record(77, 2, bytes(22))
        + listed(2, inner, rest=made.cell_head(0, 0))
        + listed(2, paragraph("뒤", level=2), rest=made.cell_head(1, 0)),
    )
    section = paragraph((11, b"tbl "), below=outer)
    assert [(text, after) for text, _, after in read(section)] == [
        *(("", "\n"), ("앞", "\n"), ("ㄱ", "\t"), ("ㄴ", "\t"), ("뒤", "\n"))
    ]


def test_equations_word_art_ruby_and_forms_are_read():
    art = made.common(), bytes(32) + string("글맵시") + string("바탕") + string("굵게") + bytes(40)
    form = "ButtonSet:set:{}:{} "
    item = "Name:wstring:3:btn Caption:wstring:3:동의함 Value:int:1 "
    text = form.format(len(item), item)
    section = paragraph(
        "본문",
        below=control(
            *(b"eqed", 1, made.common()),
            record(88, 2, bytes(4) + string("x over y") + bytes(12)),
        )
        + control(b"gso ", 1, art[0], record(76, 2, bytes(196)) + record(90, 3, art[1]))
        + control(b"tdut", 1, string("본말") + string("덧말") + bytes(20))
        + control(
            *(b"form", 1, made.common()),
            record(91, 2, b"tbp+tbp+" + bytes([len(text), 0, 0, 0]) + string(text)),
        ),
    )
    expected = {"본문", "x over y", "본말", "덧말", "동의함", "글맵시"}
    assert set(texts(section)) == expected


def test_files_are_read_compressed_or_not():
    assert read(paragraph("가"), flags=0) == read(paragraph("가"), flags=made.COMPRESSED)


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (made.PASSWORD, "암호"),
        (made.DISTRIBUTION, "배포용"),
        (made.DRM, "DRM"),
        (made.SIGNED, "전자 서명"),
        (1 << 8, "인증서"),
        (1 << 10, "인증서"),
        (1 << 13, "개인정보 보안"),
    ],
)
def test_locked_files_are_refused(flags, reason):
    with pytest.raises(Refused, match=reason) as refusal:
        hwp.open(Hwp([paragraph("가")], flags=flags).made())
    assert refusal.value.part == "FileHeader"
    assert refusal.value.cure


def _streams(**streams: bytes) -> bytes:
    return Hwp([paragraph("가")], streams=streams).made()


def _section(content: bytes) -> bytes:
    return Hwp([content]).made()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "HWP 문서가 아니"),
        (b"HWP Document File V3.00 \x1a\1\2\3\4\5" + bytes(500), "HWP 3.x"),
        (b"PK\3\4" + bytes(500), "ZIP"),
        (made.Compound({"WordDocument": bytes(5000)}, {}).written(), "HWP 문서가 아닙니다"),
        (_streams(FileHeader=bytes(256)), "파일 머리"),
        (Hwp([paragraph("가")], version=0x06000000).made(), "6판"),
        (_streams(DocInfo=b"\xff" * 40), "압축이 풀리지"),
        (_streams(DocInfo=b""), "잘렸습니다"),
        (
            Hwp(
                [paragraph("가")],
                flags=made.COMPRESSED | 1 << 14,
                streams={"ViewText/Section0": b""},
            ).made(),
            "변경 내용",
        ),
        (Hwp([]).made(), "구역이 빠졌"),
        (_streams(**{"BodyText/Section2": b""}), "구역이 빠졌"),
        (_section(paragraph("가")[:-1]), "끝을 넘습니다"),
        (_section(paragraph("가") + b"\0\0"), "머리가 잘렸"),
        (_section(record(66, 0, bytes(10))), "문단의 머리"),
        (_section(record(67, 0, bytes(10))), "문단 밖"),
        (_section(paragraph("가") + record(71, 5, b"cces")), "건너뜁니다"),
        (_section(paragraph("가") + record(1000, 0, b"")), "모르는 레코드"),
        (_section(paragraph("가") + record(71, 1, b"????")), "모르는 컨트롤"),
        (_section(paragraph("가", (11, b"tbl ")).replace(b" lbt", b"\x0b\0  ")[:-10]), "끝을"),
        (_section(b"".join(record(66, n, bytes(24)) for n in range(200))), "너무 깊"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_whole_hwp_5_is_refused_with_a_cure(data, reason):
    with pytest.raises(Refused, match=reason) as refusal:
        hwp.open(data)
    assert refusal.value.cure


def test_a_control_that_is_not_whole_is_refused():
    text = made.units("가", (11, b"tbl "))
    section = paragraph("가", (11, b"tbl ")).replace(text, text[:-4] + b"\x0c\0\r\0")
    with pytest.raises(Refused, match="제어 문자"):
        hwp.open(Hwp([section]).made())


def test_a_stream_that_inflates_beyond_measure_is_refused():
    bomb = Hwp([bytes(200_000_000)]).made()
    assert len(bomb) < 300_000
    with pytest.raises(Refused, match="지나치게 커집니다"):
        hwp.open(bomb)
