"""Scanned pages: refused unless asked for; then read by Tesseract and written as pictures."""

import io
import re
import shutil
import subprocess

import numpy as np
import pikepdf
import pypdfium2
import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from thunder.documents import pdf
from thunder.documents.pdf import embedding, scans
from thunder.documents.segments import Action, Mask, Refused

from .pdf_files import drawn, lines


def _has_korean() -> bool:
    if not shutil.which("tesseract"):
        return False
    done = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True)
    return "kor" in done.stdout.split()


needs_tesseract = pytest.mark.skipif(not _has_korean(), reason="needs tesseract-ocr-kor")

HOCR = """
<p class='ocr_par' id='par_1_1' lang='kor' title="bbox 10 10 300 80">
 <span class='ocr_line' id='line_1_1' title="bbox 10 10 300 40; baseline 0 -5; x_size 30">
  <span class='ocrx_word' id='word_1_1' title='bbox 10 10 90 40; x_wconf 96'>
   <span class='ocrx_cinfo' title='x_bboxes 10 10 30 40; x_conf 99'>피</span>
   <span class='ocrx_cinfo' title='x_bboxes 35 10 60 40; x_conf 99'>고</span>
   <span class='ocrx_cinfo' title='x_bboxes 65 10 90 40; x_conf 99'>인</span></span>
  <span class='ocrx_word' id='word_1_2' title='bbox 110 10 160 40; x_wconf 96'>
   <span class='ocrx_cinfo' title='x_bboxes 110 10 130 40; x_conf 99'>홍</span>
   <span class='ocrx_cinfo' title='x_bboxes 135 10 160 40; x_conf 99'>길</span></span>
  <span class='ocrx_word' id='word_1_3' title='bbox 162 10 200 40; x_wconf 96'>
   <span class='ocrx_cinfo' title='x_bboxes 162 10 180 40; x_conf 99'>동</span>
   <span class='ocrx_cinfo' title='x_bboxes 182 10 200 40; x_conf 99'>&lt;</span></span>
 </span>
 <span class='ocr_line' id='line_1_2' title="bbox 10 50 300 80; baseline 0 -5">
  <span class='ocrx_word' id='word_1_4' title='bbox 10 50 60 80; x_wconf 96'>
   <span class='ocrx_cinfo' title='x_bboxes 10 50 60 80; x_conf 99'>A</span></span>
 </span>
</p>
"""


def test_words_are_joined_where_no_gap_is_and_lines_stay_lines():
    (text,) = scans.paragraphs(HOCR, 0)
    assert text.text == "피고인 홍길동<\nA"
    assert len(text.boxes) == len(text.text)
    assert text.boxes[4] == ((110, 10, 160, 40), (10, 10, 300, 40))


@pytest.mark.parametrize(
    ("masks", "words"),
    [
        ([(4, 7, "A")], [((110, 10, 200, 40), "A<")]),
        ([(4, 6, "A")], [((110, 10, 160, 40), "A")]),
        (
            [(0, 1, "A"), (8 + 1, 9 + 1, "B")],
            [((10, 10, 90, 40), "A고인"), ((10, 50, 60, 80), "B")],
        ),
        ([(4, 10, "A")], [((110, 10, 200, 40), "A"), ((10, 50, 60, 80), "")]),
    ],
    ids=["over two words", "one word", "a part of a word", "over two lines"],
)
def test_a_box_covers_whole_words_and_says_what_stays(masks, words):
    (text,) = scans.paragraphs(HOCR, 0)
    assert list(scans._words(text, masks)) == words


def test_a_box_reaches_to_the_gap_in_the_ink():
    ink = np.zeros((60, 300), dtype=bool)
    ink[15:35, 105:206] = True
    left, top, right, bottom = scans._box((110, 10, 200, 40), ink)
    assert left <= 104
    assert right >= 206
    assert top < 10 < 40 < bottom


def scanned(*texts: str) -> bytes:
    """Return a PDF whose only page is a picture of *texts*, with a hidden text of its own."""
    pdfmetrics.registerFont(TTFont("Letters", io.BytesIO(embedding.letters())))
    page = pypdfium2.PdfDocument(drawn(lines(*texts, font="Letters", step=40)))[0]
    width, height = page.get_size()
    picture = page.render(scale=200 / 72).to_pil()
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(width, height))
    canvas.drawImage(ImageReader(picture), 0, 0, width, height)
    hidden = canvas.beginText(72, 700)
    hidden.setTextRenderMode(3)
    hidden.textOut("Hong Gildong")
    canvas.drawText(hidden)
    canvas.save()
    return out.getvalue()


def test_a_scan_is_refused_with_the_cure():
    with pytest.raises(Refused, match="--ocr"):
        pdf.open(scanned("피고인 홍길동은 다투었다."))


def test_without_tesseract_the_cure_says_what_to_install(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(Refused, match="tesseract-ocr-kor"):
        pdf.open(scanned("피고인 홍길동은 다투었다."), ocr=True)


@needs_tesseract
def test_a_scanned_page_becomes_a_picture_without_the_name():
    data = scanned("피고인 홍길동은 다투었다.", "증인 김철수는 보았다.")
    document = pdf.open(data, ocr=True)
    masks = [
        Mask(number, found.start(), found.end(), "A")
        for number, segment in enumerate(document.segments)
        for found in re.finditer(r"홍\s?길\s?동", segment.text)
    ]
    assert len(masks) == 1
    written = document.written(masks)
    again = "".join(
        re.sub(r"\s", "", segment.text) for segment in pdf.open(written.data, ocr=True).segments
    )
    assert "홍길" not in again
    assert "길동" not in again
    assert "김철수" in again
    assert any(one.action is Action.CLEANED and "스캔" in one.reason for one in written.scrubbed)
    file = pikepdf.open(io.BytesIO(written.data))
    assert b"Tj" not in file.pages[0].Contents.read_bytes()
    assert "/Font" not in file.pages[0].Resources
    assert not pypdfium2.PdfDocument(written.data)[0].get_textpage().count_chars()
