"""PDF in: text as a person reads it, and what is refused with a reason."""

import io
import zlib

import pikepdf
import pytest

from thunder.documents import pdf
from thunder.documents.pdf import reading
from thunder.documents.segments import Kind, Refused

from .pdf_files import MYEONGJO, drawn, lines, operators, saved, texts


def test_lines_become_segments_in_their_order():
    data = drawn(lines("판결", "피고인 홍길동은 갔다.", "Kim 씨"), lines("둘째 쪽"))
    document = pdf.open(data)
    assert texts(document) == ["판결", "피고인 홍길동은 갔다.", "Kim 씨", "둘째 쪽"]
    assert [segment.part for segment in document.segments] == ["1쪽", "1쪽", "1쪽", "2쪽"]


def test_nothing_asked_is_nothing_changed():
    data = drawn(lines("피고인 홍길동은 갔다."))
    assert pdf.open(data).written([], scrub=False).data == data


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("(Hong went.) Tj", "Hong went."),
        ("[(Hong) -300 (went.)] TJ", "Hong went."),
        ("[(Ho) 20 (ng) -20 ( went.)] TJ", "Hong went."),
        ("(Ho) Tj (ng) Tj", "Hong"),
        ("(went.) Tj -32 0 Td (Hong) Tj", "Hong went."),
        ("14 TL (Hong) Tj (went.) '", "Hong|went."),
        ('14 TL (Hong) Tj 1 1 (went.) "', "Hong|went."),
        ("(Name) Tj 200 0 Td (Hong) Tj", "Name|Hong"),
        ("(Hong) Tj 0 4 Td 6 Tf (1) Tj", "Hong1"),
        ("3 Tr (Hong) Tj", "Hong"),
        ("(Hong) Tj 0.2 0 Td (Hong) Tj", "Hong"),
    ],
)
def test_operators_that_show_text(content, said):
    content = content.replace(" 6 Tf", " /F1 6 Tf")
    data = operators(f"BT /F1 12 Tf 100 700 Td {content} ET".encode())
    assert "|".join(texts(pdf.open(data))) == said


def test_turned_text_is_read_along_its_direction():
    data = operators(b"BT /F1 12 Tf 0 1 -1 0 300 100 Tm (Hong) Tj ( went.) Tj ET")
    assert texts(pdf.open(data)) == ["Hong went."]


def test_cells_of_a_row_stay_apart():
    def table(canvas):
        for row, cells in enumerate([("성명", "주소"), ("홍길동", "서울"), ("김철수", "부산")]):
            for column, cell in enumerate(cells):
                canvas.drawString(72 + 120 * column, 700 - 20 * row, cell)

    segments = pdf.open(drawn(table)).segments
    assert {segment.kind for segment in segments} == {Kind.CELL}
    assert "".join(segment.text + segment.after for segment in segments) == (
        "성명\t주소\n홍길동\t서울\n김철수\t부산\n"
    )


FULL = "가나다라마바사아자차카타파하가나다라마바사아"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ([FULL, FULL, FULL[:-2] + "홍길", "동은 갔다."], "홍길\n동은 갔다."),
        ([FULL, FULL, FULL + " ", FULL[:-2] + "홍길", "동은 갔다."], "홍길동은 갔다."),
    ],
    ids=["a break that may be a space", "who writes spaces at breaks means none here"],
)
def test_a_full_line_goes_on_in_the_next(written, read):
    def page(canvas):
        for number, text in enumerate(written):
            canvas.drawString(72, 700 - 20 * number, text)

    document = pdf.open(drawn(page))
    assert len(document.segments) == 1
    assert document.segments[0].text.endswith(read)


def test_forms_patterns_and_appearances_are_read():
    file = pikepdf.open(io.BytesIO(operators(b"BT /F1 12 Tf 100 700 Td (Page) Tj ET /X Do")))
    page = file.pages[0].obj

    def form(text):
        stream = file.make_stream(b"BT /F1 12 Tf 50 50 Td (%s) Tj ET" % text)
        stream.Type, stream.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        stream.BBox = [0, 0, 200, 200]
        stream.Resources = page.Resources
        return stream

    drawn_form, unused, pattern, look = (form(t) for t in (b"Form", b"Unused", b"Tile", b"Look"))
    page.Resources.XObject = pikepdf.Dictionary(X=drawn_form, Y=unused)
    page.Resources.Pattern = pikepdf.Dictionary(P=pattern)
    page.Annots = [
        file.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Annot,
                Subtype=pikepdf.Name.FreeText,
                Rect=[0, 0, 100, 100],
                AP=pikepdf.Dictionary(N=look),
            )
        )
    ]
    assert sorted(texts(pdf.open(saved(file)))) == ["Form", "Look", "Page", "Tile", "Unused"]


def _encrypted(file):
    return saved(file, encryption=pikepdf.Encryption(owner="a", user="b"))


def _open_encrypted(file):
    return saved(file, encryption=pikepdf.Encryption(owner="a", user=""))


def _signed(file):
    file.Root.AcroForm = pikepdf.Dictionary(SigFlags=3, Fields=[])
    return saved(file)


def _signature_field(file):
    field = file.make_indirect(pikepdf.Dictionary(FT=pikepdf.Name.Sig))
    file.Root.AcroForm = pikepdf.Dictionary(Fields=[field])
    return saved(file)


def _xfa(file):
    file.Root.AcroForm = pikepdf.Dictionary(XFA=file.make_stream(b"<a/>"), Fields=[])
    return saved(file)


def _portfolio(file):
    file.Root.Collection = pikepdf.Dictionary()
    return saved(file)


def _truncated(file):
    data = saved(file)
    return data[: len(data) * 2 // 3]


def _no_map(file):
    font = file.pages[0].obj.Resources.Font.F1
    font.Subtype = pikepdf.Name.Type0
    font.Encoding = pikepdf.Name("/Identity-H")
    font.DescendantFonts = [
        pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.CIDFontType2)
    ]
    return saved(file)


def _bomb(file):
    data = zlib.compress(bytes(3 << 20), 9)
    file.pages[0].obj.Contents = pikepdf.Stream(file, data, Filter=pikepdf.Name.FlateDecode)
    return saved(file, compress_streams=False)


def _scan(file):
    picture = file.make_stream(bytes(100))
    picture.Subtype, picture.Width, picture.Height = pikepdf.Name.Image, 10, 10
    picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceGray, 8
    file.pages[0].obj.Resources.XObject = pikepdf.Dictionary(I=picture)
    file.pages[0].obj.Contents = file.make_stream(
        b"q 600 0 0 800 0 0 cm /I Do Q BT 3 Tr /F1 12 Tf 100 100 Td (Hong) Tj ET"
    )
    return saved(file)


def _curves(file):
    file.pages[0].obj.Contents = file.make_stream(b"0 0 m " + b"1 2 3 4 5 6 c " * 400 + b"f")
    return saved(file)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda file: b"PK\x03\x04", "PDF 파일이 아닙니다"),
        (_encrypted, "암호"),
        (_open_encrypted, "암호화"),
        (_signed, "전자서명"),
        (_signature_field, "전자서명"),
        (_xfa, "XFA"),
        (_portfolio, "포트폴리오"),
        (_truncated, "손상"),
        (_no_map, "1쪽: 글꼴에 문자표"),
        (_bomb, "너무 커지는"),
        (_scan, "1쪽: 스캔한 그림"),
        (_curves, "1쪽: 글자가 곡선"),
    ],
)
def test_refused_with_reason_and_cure(damage, reason, monkeypatch):
    monkeypatch.setattr(reading, "MOST_INFLATED", 1 << 20)
    file = pikepdf.open(io.BytesIO(operators(b"BT /F1 12 Tf 100 700 Td (Hong) Tj ET")))
    with pytest.raises(Refused) as refused:
        pdf.open(damage(file))
    assert reason in str(refused.value)
    assert refused.value.cure
    assert "Hong" not in str(refused.value)


def test_strings_hold_every_part():
    file = pikepdf.open(io.BytesIO(drawn(lines("피고인 홍길동"))))
    with file.open_metadata() as metadata:
        metadata["dc:title"] = "이비밀"
    file.docinfo["/Author"] = "김비밀"
    found = b"\n".join(content for _, content in pdf.open(saved(file)).strings()).decode(
        "utf-8", "replace"
    )
    assert all(word in found for word in ("홍길동", "김비밀", "이비밀"))
    assert MYEONGJO in found
