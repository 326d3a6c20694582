"""PDF: a secret in every hiding place known is in no part of the result, and each is named."""

import io
import random
import shutil
import subprocess

import pikepdf
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont as EmbeddedFont

from thunder.documents import pdf
from thunder.documents.pdf import embedding
from thunder.documents.segments import Action, Mask, Refused

from .pdf_files import drawn, lines, operators, saved, texts
from .test_pdf_editing import masked, seen

SECRET = "Zebulon"


def _jpeg() -> bytes:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x013B] = SECRET
    Image.new("RGB", (8, 8), (250, 250, 250)).save(out, "JPEG", exif=exif, comment=SECRET.encode())
    return out.getvalue()


def _canary() -> bytes:
    """Return a PDF that says the secret everywhere but in its visible text."""
    file = pikepdf.open(io.BytesIO(operators(b"")))
    page, root = file.pages[0].obj, file.Root
    secret = pikepdf.String(SECRET)

    def stream(data: bytes = SECRET.encode(), **keys):
        made = file.make_stream(data)
        for key, value in keys.items():
            made[f"/{key}"] = value
        return made

    def form(said: bytes = b"(Look) Tj", **keys):
        return stream(
            b"BT /F1 12 Tf 5 5 Td %s ET" % said, Type=Name.XObject, Subtype=Name.Form,
            BBox=[0, 0, 90, 30], Resources=Dictionary(Font=page.Resources.Font), **keys,
        )  # fmt: skip

    layer = file.make_indirect(Dictionary(Type=Name.OCG, Name=secret))
    action = Dictionary(S=Name.URI, URI=secret)
    page.Contents = file.make_stream(
        b"% " + SECRET.encode() + b"\n"
        b"/Span << /ActualText (Zebulon) /Alt (Zebulon) >> BDC "
        b"BT /F1 12 Tf 100 700 Td (Plain text.) Tj ET EMC "
        b"/P /MC1 BDC BT /F1 12 Tf 100 600 Td (More.) Tj ET EMC "
        b"BT 3 Tr /F1 12 Tf 100 650 Td (Zebulon) Tj 0 Tr ET "
        b"/OC /MC0 BDC BT /F1 12 Tf 100 500 Td (Zebulon) Tj ET 0 0 9 9 re f EMC "
        b"q 90 0 0 90 300 300 cm /I Do Q /G Do"
    )
    page.Resources.Properties = Dictionary(MC0=layer, MC1=Dictionary(ActualText=secret))
    picture = stream(
        _jpeg(), Subtype=Name.Image, Width=8, Height=8, BitsPerComponent=8,
        ColorSpace=Name.DeviceRGB, Metadata=stream(), Alternates=[Dictionary(Image=stream())],
    )  # fmt: skip
    picture.Filter = Name.DCTDecode
    page.Resources.XObject = Dictionary(
        I=picture,
        Unused=form(b"(Zebulon) Tj"),
        G=form(b"(Form.) Tj", PieceInfo=Dictionary(X=Dictionary(Private=secret)), OC=layer),
    )
    page.Annots = Array(
        file.make_indirect(Dictionary(Type=Name.Annot, Rect=[10, 10, 100, 40], **keys))
        for keys in [
            {"Subtype": Name.Text, "Contents": secret, "T": secret, "RC": secret},
            {"Subtype": Name.Link, "A": action},
            {"Subtype": Name.FreeText, "Contents": secret, "AP": Dictionary(N=form())},
            {"Subtype": Name.Stamp, "F": 2, "AP": Dictionary(N=form(b"(Zebulon) Tj"))},
            {"Subtype": Name.FileAttachment, "FS": Dictionary(EF=Dictionary(F=stream()))},
            {"Subtype": Name.Highlight, "Contents": secret, "Popup": Dictionary(Contents=secret)},
            {"Subtype": Name("/Zzz"), "Contents": secret},
            {
                "Subtype": Name.Widget, "FT": Name.Tx, "T": secret, "V": secret, "TU": secret,
                "AP": Dictionary(N=form(), R=form(b"(Zebulon) Tj")), "MK": Dictionary(CA=secret),
            },
        ]
    )  # fmt: skip
    page.Thumb, page.Metadata, page.AA = stream(), stream(), Dictionary(O=action)
    page.PieceInfo = Dictionary(X=Dictionary(Private=secret))
    page.VP = Array([Dictionary(Name=secret)])
    root.OCProperties = Dictionary(OCGs=[layer], D=Dictionary(OFF=[layer]))
    del page.Resources.XObject.G["/OC"]
    root.Outlines = Dictionary(First=file.make_indirect(Dictionary(Title=secret, A=action)))
    root.Names = Dictionary(
        JavaScript=Dictionary(Names=[secret, Dictionary(S=Name.JavaScript, JS=secret)]),
        EmbeddedFiles=Dictionary(Names=[secret, Dictionary(EF=Dictionary(F=stream()))]),
        Dests=Dictionary(Names=[secret, Array([page])]),
    )
    root.Dests = Dictionary({f"/{SECRET}": Array([page])})
    root.AcroForm = Dictionary(Fields=[page.Annots[7]], DA=secret)
    root.OpenAction, root.Metadata, root.PieceInfo = action, stream(), Dictionary(A=secret)
    root.StructTreeRoot = Dictionary(K=Dictionary(S=Name.P, Alt=secret, ActualText=secret))
    root.PageLabels = Dictionary(Nums=[0, Dictionary(P=secret)])
    root.OutputIntents = Array([Dictionary(Info=secret)])
    root.Unknown = secret
    page.Resources.Font.F1.Unknown = secret
    file.docinfo["/Author"] = SECRET
    file.trailer["/Odd"] = secret
    data = saved(file, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return data + b"\n% an earlier end\nstartxref\n0\n%%EOF\n" * 0


def test_the_canary_sings_before():
    said = b"".join(content for _, content in pdf.open(_canary()).strings())
    assert said.count(SECRET.encode()) > 40


def test_no_part_of_the_result_holds_the_secret():
    written = pdf.open(_canary()).written([], scrub=True)
    file = pikepdf.open(io.BytesIO(written.data))
    for item in [file.trailer, *file.objects]:
        if not isinstance(item, pikepdf.Stream):
            assert SECRET.encode() not in item.unparse(resolved=True)
            continue
        assert SECRET.encode() not in item.read_raw_bytes()
        if item.get("/Filter") != Name.DCTDecode:
            assert SECRET.encode() not in item.read_bytes()
        assert all(SECRET not in str(value) for value in dict(item).values())
    for name, content in pdf.open(written.data).strings():
        assert SECRET.encode() not in content, name
    assert SECRET.encode("utf-16-be") not in written.data
    assert seen(written.data).startswith("Plaintext.More.Form.Look")


@pytest.mark.parametrize(
    "part",
    [
        "Info", "Catalog Names", "Catalog Outlines", "Catalog Dests", "Catalog AcroForm",
        "Catalog Metadata", "Catalog StructTreeRoot", "Catalog OCProperties", "Catalog PageLabels",
        "Catalog OpenAction", "Catalog PieceInfo", "Catalog Unknown", "1쪽 Thumb", "1쪽 Annots",
        "1쪽 Metadata", "1쪽 PieceInfo", "1쪽 AA", "1쪽 Text", "1쪽 Link", "1쪽 FreeText",
        "1쪽 Stamp",
        "1쪽 FileAttachment", "1쪽 Highlight", "1쪽 Widget", "1쪽 Zzz", "Trailer Odd", "Image",
        "Image Metadata",
        "Image Alternates", "Form PieceInfo", "Resources", "Font Unknown", "1쪽",
    ],
)  # fmt: skip
def test_each_place_is_named_in_the_report(part):
    scrubbed = pdf.open(_canary()).written([], scrub=True).scrubbed
    assert any(one.part.removeprefix("Type1 ") == part or one.part == part for one in scrubbed) or (
        part == "Font Unknown" and any("Unknown" in one.part for one in scrubbed)
    )
    assert all(SECRET not in one.part + one.reason for one in scrubbed)


def test_pictures_stay_and_a_person_is_told():
    scrubbed = pdf.open(_canary()).written([], scrub=True).scrubbed
    kept = [one for one in scrubbed if one.action is Action.KEPT]
    assert [one.part for one in kept] == ["1쪽"]


def test_earlier_versions_are_not_in_the_result():
    data = drawn(lines(f"{SECRET} 갔다."))
    file = pikepdf.open(io.BytesIO(data))
    file.pages[0].obj.Contents = file.make_stream(b"")
    first = saved(file, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    assert SECRET not in str(pdf.open(first).segments)
    written = pdf.open(first + _update(first)).written([], scrub=True)
    assert any("증분" in one.reason for one in written.scrubbed)


def _update(data: bytes) -> bytes:
    """Return an update of *data* that changes nothing."""
    with pikepdf.open(io.BytesIO(data)) as file:
        size, root = int(file.trailer.Size), file.Root.objgen[0]
    last = int(data.rpartition(b"startxref")[2].split()[0])
    at = len(data)
    trailer = b"trailer\n<< /Size %d /Root %d 0 R /Prev %d >>\n" % (size, root, last)
    return b"xref\n0 1\n0000000000 65535 f \n" + trailer + b"startxref\n%d\n%%%%EOF\n" % at


# -- fonts


def _embedded(text: str, *, after: str = "이정") -> bytes:
    pdfmetrics.registerFont(EmbeddedFont("Letters", io.BytesIO(embedding.letters())))
    return drawn(lines(text, after, font="Letters"))


def test_a_font_keeps_nothing_of_a_masked_word():
    file = pikepdf.open(io.BytesIO(masked(_embedded("피고인 홍길동은 갔다."))))
    fonts = [item for item in file.objects if isinstance(item, Dictionary) and "/ToUnicode" in item]
    said = b"".join(font.ToUnicode.read_bytes() for font in fonts)
    for syllable in "홍길동":
        assert syllable.encode("utf-16-be").hex().upper().encode() not in said
    for syllable in "피고인은갔다":
        assert syllable.encode("utf-16-be").hex().upper().encode() in said
    programs = [
        item for item in file.objects if isinstance(item, pikepdf.Stream) and "/Length1" in item
    ]
    assert len(programs) == 2  # the text's and the letters'
    for program in programs:
        TTFont(io.BytesIO(program.read_bytes()))["glyf"].ensureDecompiled()


def test_order_and_number_of_glyphs_tell_nothing_of_the_name():
    """The same page with other names is the same file, but for a syllable that it says itself."""
    one, other = (
        pikepdf.open(io.BytesIO(masked(_embedded(f"피고인 {name}은 갔다."), letter="A")))
        for name in ("홍길동", "남궁민수")
    )
    here, there = (
        sorted(
            item.read_bytes()
            for item in file.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Type") is None
        )
        for file in (one, other)
    )
    assert here == there


def test_unmasked_text_in_a_renewed_font_reads_the_same():
    assert seen(masked(_embedded("피고인 홍길동은 갔다."))) == "피고인A은갔다.이정"


def programs_of(descriptor):
    return [key for key in descriptor if key.startswith("/FontFile")]


def test_other_programs_are_drawn_anew():
    """A CFF program's outlines stay, as TrueType."""
    glyphs = {}
    for name in [".notdef", "H", "o", "n", "g", "w", "e", "space"]:
        pen = T2CharStringPen(500, None)
        if name != "space":
            (
                pen.moveTo((50, 0)),
                pen.lineTo((450, 0)),
                pen.lineTo((250, 600 + ord(name[0]))),
                pen.closePath(),
            )
        glyphs[name] = pen.getCharString()
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap({ord(n): n for n in "Hongwe"})
    builder.setupCFF("Test", {}, glyphs, {})
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (500, 0)))
    builder.setupHorizontalHeader()
    builder.setupNameTable({})
    builder.setupOS2()
    builder.setupPost()
    out = io.BytesIO()
    builder.save(out)
    program = TTFont(io.BytesIO(out.getvalue())).reader["CFF "]
    file = pikepdf.open(io.BytesIO(operators(b"BT /F1 12 Tf 100 700 Td (Hong we) Tj ET")))
    font = file.pages[0].obj.Resources.Font.F1
    font.BaseFont = Name("/ABCDEF+Test")
    font.FirstChar, font.LastChar, font.Widths = 32, 126, Array([500] * 95)
    font.FontDescriptor = Dictionary(FontName=Name("/ABCDEF+Test"), Flags=32)
    font.FontDescriptor.FontFile3 = file.make_stream(program)
    font.FontDescriptor.FontFile3.Subtype = Name.Type1C
    result = pikepdf.open(io.BytesIO(masked(saved(file))))
    made = result.pages[0].Resources.Font.F1.DescendantFonts[0].FontDescriptor
    assert programs_of(made) == ["/FontFile2"]
    drawn_again = TTFont(io.BytesIO(made.FontFile2.read_bytes()))
    assert drawn_again["maxp"].numGlyphs == 1 + len(" ew")
    assert texts(pdf.open(masked(saved(file)))) == ["A we"]


# -- damage


def _samples():
    yield _canary()
    yield _embedded("피고인 홍길동은 갔다.")
    yield saved(pikepdf.open(io.BytesIO(_embedded("피고인 홍길동은"))), qdf=True)


def _damaged(seed: int, data: bytes) -> bytes:
    chance = random.Random(seed)
    out = bytearray(data)
    for _ in range(chance.choice([1, 3, 20])):
        at = chance.randrange(len(out))
        way = chance.randrange(4)
        if way == 0:
            out[at] = chance.randrange(256)
        elif way == 1:
            del out[at : at + chance.randrange(1, 40)]
        elif way == 2:
            out[at:at] = out[chance.randrange(len(out)) :][: chance.randrange(1, 60)]
        else:
            out[at : at + 4] = chance.choice([b"9999", b"-1 0", b"null", b">>]]", b"/AA "])
    return bytes(out)


def _survives(data: bytes) -> None:
    try:
        document = pdf.open(data)
        masks = [
            Mask(number, 0, max(1, len(segment.text) // 2), "A")
            for number, segment in enumerate(document.segments)
            if segment.text
        ]
        document.written(masks, scrub=True)
        list(document.strings())
    except Refused as error:
        assert error.cure


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_is_refused_or_read(seed):
    for data in _samples():
        _survives(_damaged(seed, data))


@pytest.mark.slow
def test_many_damaged_files_are_refused_or_read():
    samples = list(_samples())
    for seed in range(100, 2500):
        _survives(_damaged(seed, samples[seed % len(samples)]))


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler-utils")
def test_poppler_reads_the_scrubbed_file_without_a_word_of_complaint(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf.open(_canary()).written([], scrub=True).data)
    done = subprocess.run(["pdftotext", tmp_path / "a.pdf", "-"], capture_output=True, text=True)
    assert done.stderr == ""
    assert set(done.stdout.split()) == {"Plain", "text.", "More.", "Look", "Form."}
