"""Masks in a PDF: the word is gone, the letter stands there, nothing tells how long it was."""

import io
import re
import shutil
import subprocess

import pikepdf
import pypdfium2
import pytest

from thunder.documents import pdf
from thunder.documents.pdf import embedding
from thunder.documents.segments import Mask, Refused

from .pdf_files import drawn, operators, saved, texts

LETTERS = {"홍길동": "A", "김철수": "B", "남궁민수": "C", "Hong": "A"}
NAMES = re.compile("|".join(r"\s*".join(name) for name in LETTERS))


def masked(data: bytes, *, scrub: bool = False, letter: str = "") -> bytes:
    """Return *data* with a letter for each name."""
    document = pdf.open(data)
    masks = [
        Mask(number, found.start(), found.end(), letter or LETTERS[re.sub(r"\s", "", found[0])])
        for number, segment in enumerate(document.segments)
        for found in NAMES.finditer(segment.text)
    ]
    assert masks
    return document.written(masks, scrub=scrub).data


def stream_of(data: bytes) -> bytes:
    """Return what the first page's stream says."""
    with pikepdf.open(io.BytesIO(data)) as file:
        return file.pages[0].Contents.read_bytes()


def seen(data: bytes) -> str:
    """Return what an independent reader reads, without the breaks between words."""
    file = pypdfium2.PdfDocument(data)
    said = "".join(page.get_textpage().get_text_bounded() for page in file)
    return re.sub(r"\s", "", said)


def places(data: bytes) -> dict[str, tuple[float, float]]:
    """Return where each character of the first page stands, from left to right."""
    page = pypdfium2.PdfDocument(data)[0].get_textpage()
    found = {}
    for at in range(page.count_chars()):
        char = page.get_text_range(at, 1)
        left, _, right, _ = page.get_charbox(at)
        found.setdefault(char, (round(left, 1), round(right, 1)))
    return found


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("(Mr Hong went.) Tj", "MrAwent."),
        ("[(Mr H) 20 (ong) -20 ( went.)] TJ", "MrAwent."),
        ("[(Mr) -300 (Hong) -300 (went.)] TJ", "MrAwent."),
        ("(Mr Ho) Tj (ng) Tj ( went.) Tj", "MrAwent."),
        ("(Mr ) Tj 16 0 Td (Hong) Tj 34 0 Td (went.) Tj 0 -14 Td (Then.) Tj", "MrAwent.Then."),
        ("14 TL (Mr Hong) Tj (Hong went.) '", "MrAAwent."),
        ('14 TL (Mr Hong) Tj 1 1 (Hong went.) "', "MrAAwent."),
        ("[(Name) -9000 (Hong) -9000 (Seoul)] TJ", "NameASeoul"),
        ("3 Tr (Mr Hong went.) Tj", "MrAwent."),
        ("2 Tc 3 Tw (Mr Hong went.) Tj 0 Tc (Then.) Tj", "MrAwent.Then."),
        ("80 Tz (Mr Hong went.) Tj", "MrAwent."),
        ("(Mr ) Tj 4 Ts (Ho) Tj 0 Ts (ng went.) Tj", "MrAwent."),
    ],
)
def test_codes_of_a_masked_word_go_and_the_rest_stays(content, said):
    data = masked(operators(f"BT /F1 12 Tf 100 700 Td {content} ET".encode()))
    assert seen(data) == said
    raw = stream_of(data)
    assert b"Hong" not in raw


@pytest.mark.parametrize("alignment", ["left", "middle", "right", "both"])
@pytest.mark.parametrize("way", ["letters spaced", "spaces", "words"])
def test_two_names_of_different_length_leave_the_same_page(alignment, way):
    """Who stands there, of two or of four syllables, moves nothing on the page."""

    left, width = 97.64, 400.0  # in the middle of the page

    def page(name):
        words = ["피고인", f"{name}은", "저녁에다투던중에", "이웃사람을때렸다."]
        if alignment == "both":
            words[2] = "어느늦은저녁거리에서또다투던중에"

        def draw(canvas):
            for row in range(6):
                line = (
                    words
                    if row == 4
                    else [
                        "가나다라마바사아자차카타",
                        "마바사아자차카",
                        "자차카타파하",
                        "파하가나다라마",
                    ]
                )
                plain = canvas.stringWidth(" ".join(line))
                gap = canvas.stringWidth(" ")
                at = left
                if row != 4 or alignment == "both":
                    gap += (width - plain) / 3
                else:
                    at += {"left": 0.0, "middle": 0.5, "right": 1.0}[alignment] * (width - plain)
                if way == "words":
                    for word in line:
                        canvas.drawString(at, 700 - 20 * row, word)
                        at += canvas.stringWidth(word) + gap
                    continue
                text = canvas.beginText(at, 700 - 20 * row)
                extra = gap - canvas.stringWidth(" ")
                if way == "spaces":
                    for word in line[:-1]:
                        text.textOut(word + " ")
                        text.moveCursor(canvas.stringWidth(word) + gap, 0)
                    text.textOut(line[-1])
                else:
                    text.setCharSpace(extra * 3 / (len(" ".join(line)) - 1))
                    text.textOut(" ".join(line))
                canvas.drawText(text)

        return drawn(draw)

    one, other = (stream_of(masked(page(name), letter="A")) for name in ("홍길동", "남궁민수"))
    numbers = re.compile(rb"-?[0-9]+\.?[0-9]*")
    assert numbers.sub(b"0", one) == numbers.sub(b"0", other)
    for here, there in zip(numbers.findall(one), numbers.findall(other), strict=True):
        assert float(here) == pytest.approx(float(there), abs=0.02)


def test_a_name_over_two_lines_is_one_letter():
    full = "가나다라마바사아자차카타파하가나다라마바사아"
    other = full[::-1]  # a reader without a Korean font takes two equal lines for one

    def page(canvas):
        for number, text in enumerate([full, other, full[:-2] + "홍길", "동은 갔다."]):
            canvas.drawString(72, 700 - 20 * number, text)

    data = masked(drawn(page))
    assert seen(data) == full + other + full[:-2] + "A은갔다."
    assert "홍" not in seen(data)


def test_a_word_drawn_twice_to_look_bold_goes_twice():
    data = masked(operators(b"BT /F1 12 Tf 100 700 Td (Hong went) Tj 0.3 0 Td (Hong went) Tj ET"))
    raw = stream_of(data)
    assert b"Hong" not in raw
    assert raw.count(b" went") == 2


def test_forms_and_appearances_are_edited():
    file = pikepdf.open(io.BytesIO(operators(b"/X Do")))
    page = file.pages[0].obj

    def form():
        stream = file.make_stream(b"BT /F1 12 Tf 50 50 Td (Mr Hong) Tj ET")
        stream.Type, stream.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        stream.BBox, stream.Resources = [0, 0, 200, 200], page.Resources
        return stream

    page.Resources.XObject = pikepdf.Dictionary(X=form(), Y=form())
    page.Annots = [pikepdf.Dictionary(Subtype=pikepdf.Name.Stamp, AP=pikepdf.Dictionary(N=form()))]
    data = masked(saved(file))
    assert texts(pdf.open(data)) == ["Mr A"] * 3


def test_what_stands_beside_is_never_written_over():
    data = operators(b"BT /F1 12 Tf 100 700 Td (Hong) Tj 60 0 Td (Seoul) Tj ET")
    document = pdf.open(data)
    out = document.written([Mask(0, 0, 4, "(주민등록번호 1 생략)")], scrub=False).data
    at = places(out)
    assert at[")"][1] < at["S"][0]


def test_turned_text_stays_on_its_line():
    data = masked(operators(b"BT /F1 12 Tf 0 1 -1 0 300 100 Tm (Mr Hong) Tj ( went.) Tj ET"))
    assert texts(pdf.open(data)) == ["Mr A went."]


def test_a_letter_without_a_glyph_is_refused():
    document = pdf.open(operators(b"BT /F1 12 Tf 100 700 Td (Hong) Tj ET"))
    with pytest.raises(Refused, match="글꼴"):
        document.written([Mask(0, 0, 4, "𓀀")], scrub=False)


def test_written_twice_is_the_same():
    document = pdf.open(operators(b"BT /F1 12 Tf 100 700 Td (Mr Hong) Tj ET"))
    masks = [Mask(0, 3, 7, "A")]
    assert document.written(masks).data == document.written(masks).data


def test_letters_have_every_syllable_of_the_standard():
    assert all(embedding.letter_width(char) for char in "AZaz09()가힝생략○")


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler-utils")
def test_another_reader_reads_the_same(tmp_path):
    data = masked(operators(b"BT /F1 12 Tf 100 700 Td (Mr Hong went to Seoul.) Tj ET"))
    (tmp_path / "a.pdf").write_bytes(data)
    done = subprocess.run(["pdftotext", tmp_path / "a.pdf", "-"], capture_output=True, text=True)
    assert done.stdout.split() == ["Mr", "A", "went", "to", "Seoul."]


def test_glyphs_of_a_type_3_font_go_and_the_rest_is_numbered_anew():
    file = pikepdf.open(io.BytesIO(operators(b"BT /F1 12 Tf 100 700 Td (Mr Hong we) Tj ET")))
    letters = "Mr Hongwe"
    glyph = b"600 0 0 0 500 700 d1 0 0 %d 700 re f"
    font = file.pages[0].obj.Resources.Font.F1
    font.Subtype, font.FontMatrix = pikepdf.Name.Type3, [0.001, 0, 0, 0.001, 0, 0]
    font.FontBBox = [0, -200, 1000, 800]
    font.CharProcs = pikepdf.Dictionary(
        {f"/x{ord(char)}": file.make_stream(glyph % (100 + ord(char))) for char in set(letters)}
    )
    names = [pikepdf.Name(f"/x{code}") for code in range(32, 127)]
    font.Encoding = pikepdf.Dictionary(Differences=[32, *names])
    font.FirstChar, font.LastChar, font.Widths = 32, 126, [600] * 95
    entries = [(code, chr(code)) for code in range(32, 127)]
    font.ToUnicode = file.make_stream(embedding.unicode_cmap(entries, 1))
    data = masked(saved(file))
    assert texts(pdf.open(data)) == ["Mr A we"]
    result = pikepdf.open(io.BytesIO(data))
    made = result.pages[0].Resources.Font.F1
    assert sorted(made.CharProcs.keys()) == [f"/g{at}" for at in range(1, 1 + len(set("Mr we")))]
    outlines = b"".join(proc.read_bytes() for proc in made.CharProcs.values())
    assert b" %d 700 re" % (100 + ord("H")) not in outlines


def test_vertical_text_is_read_down_and_masked():
    file = pikepdf.open(
        io.BytesIO(operators(b"BT /F1 12 Tf 300 700 Td <D53C0020D64DAE38B3D9C740> Tj ET"))
    )
    font = file.pages[0].obj.Resources.Font.F1
    font.Subtype, font.Encoding = pikepdf.Name.Type0, pikepdf.Name("/UniKS-UCS2-V")
    font.DescendantFonts = [
        pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.CIDFontType0,
            BaseFont=pikepdf.Name("/HYSMyeongJo-Medium"),
            CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Korea1", Supplement=1),
        )
    ]  # fmt: skip
    document = pdf.open(saved(file))
    assert texts(document) == ["피 홍길동은"]
    # Without a Korean font on the machine the reader sees the letter only: the codes tell the rest.
    data = masked(saved(file))
    assert "A" in seen(data)
    assert re.findall(rb"<([0-9a-f]{4,})> Tj", stream_of(data)) == [b"d53c0020", b"0001", b"c740"]


def test_an_underline_of_a_masked_word_goes_and_the_border_of_a_cell_stays():
    content = b"""BT /F1 12 Tf 100 700 Td (Mr Hong went.) Tj ET
        100 698 16 0.5 re f 118 698 m 148 698 l S 118 698 30 0.5 re f
        q 101 697 40 20 re W n Q 90 690 200 24 re S"""
    raw = stream_of(masked(operators(content)))
    assert raw.count(b" re") == 3
    assert b"118 698" not in raw
    assert b"90 690 200 24 re" in raw
