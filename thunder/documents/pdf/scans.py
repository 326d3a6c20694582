"""Pages that are pictures of text: read by Tesseract, written as pictures with boxes over words.

What is written is the page as it is drawn, with no text behind it. Tesseract's places of single
characters are off by whole syllables now and then: so a box covers each of its words that a mask
touches, reaches on to the gaps in the ink around it, and says the word anew, with the letter in
it. How wide the word was, a picture cannot hide.
"""

import html
import io
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageDraw, ImageFont

from thunder.documents.pdf.embedding import letters
from thunder.documents.segments import Kind, Refused, Segment

LANGUAGES = "kor+eng"
ONE_COLUMN = "4"
"""How Tesseract takes a page apart: by its own choice it left whole lines of short pages out."""
RESOLUTION = 300
MOST_PIXELS = 40_000_000
SECONDS = 300
"""A page that takes longer is refused: five to nine seconds are usual."""
_PADDED = 0.15
_DARK = 180
_CURE = "tesseract-ocr와 tesseract-ocr-kor를 설치하십시오"
_TAG = re.compile(
    r"<(?:p|div|span) class='(ocr_par|ocr_line|ocr_header|ocr_textfloat|ocr_caption|"
    r"ocrx_word|ocrx_cinfo)'[^>]*? title=(['\"])(?:x_)?bbox(?:es)? "
    r"(\d+) (\d+) (\d+) (\d+).*?\2[^>]*>([^<]*)"
)

Box = tuple[int, int, int, int]


@dataclass(slots=True)
class ScannedText:
    """A paragraph of a scanned page: for each character its word's box and its line's, or None."""

    page: int
    text: str = ""
    boxes: list[tuple[Box, Box] | None] = field(default_factory=list)

    def segment(self) -> Segment:
        """Return it as a segment of the document."""
        return Segment(self.text, Kind.BODY, f"{self.page + 1}쪽")


def picture_of(data: bytes, page: int) -> tuple[Image.Image, float, float]:
    """Return a page as it is drawn, and its width and height in points."""
    with pypdfium2.PdfDocument(data) as document:
        drawn = document[page]
        width, height = drawn.get_size()
        scale = min(RESOLUTION / 72, (MOST_PIXELS / max(width * height, 1)) ** 0.5)
        return drawn.render(scale=scale).to_pil().convert("RGB"), width, height


def read(data: bytes, page: int) -> list[ScannedText]:
    """Return what Tesseract reads on a page, a paragraph each. Raises: Refused."""
    part = f"{page + 1}쪽"
    program = shutil.which("tesseract")
    if program is None:
        raise Refused(part, "글자를 읽을 Tesseract가 없습니다", _CURE)
    picture, _, _ = picture_of(data, page)
    out = io.BytesIO()
    picture.convert("L").save(out, "PNG", dpi=(RESOLUTION, RESOLUTION), compress_level=1)
    command = [program, "stdin", "stdout", "-l", LANGUAGES, "--psm", ONE_COLUMN]
    command += ["-c", "hocr_char_boxes=1", "hocr"]
    try:
        # Its threads wait for each other: one is faster, and leaves the others to other workers.
        done = subprocess.run(
            command,
            input=out.getvalue(),
            capture_output=True,
            timeout=SECONDS,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except subprocess.TimeoutExpired:
        raise Refused(part, "글자를 읽는 데 너무 오래 걸립니다", "쪽을 나누십시오") from None
    if done.returncode:
        raise Refused(part, "Tesseract가 한국어를 읽지 못했습니다", _CURE)
    return paragraphs(done.stdout.decode("utf-8", "replace"), page)


def paragraphs(hocr: str, page: int) -> list[ScannedText]:
    """Return the paragraphs in Tesseract's answer."""
    found: list[ScannedText] = []
    line: Box = (0, 0, 0, 0)
    last: Box | None = None
    for kind, _, *numbers, said in _TAG.findall(hocr):
        left, top, right, bottom = (int(number) for number in numbers)
        box = (left, top, right, bottom)
        if kind == "ocr_par":
            found.append(ScannedText(page))
        elif kind == "ocrx_word":
            # Tesseract cuts Korean words where there is hardly a gap.
            if last is not None and left - last[2] > 0.3 * (line[3] - line[1]) and found[-1].text:
                found[-1].text += " "
                found[-1].boxes.append(None)
            last = box
        elif kind == "ocrx_cinfo":
            for char in html.unescape(said).strip():
                found[-1].text += char
                found[-1].boxes.append((last or box, line))
        else:
            line, last = box, None
            if found and found[-1].text:
                found[-1].text += "\n"
                found[-1].boxes.append(None)
    return [text for text in found if text.text.strip()]


def replace_page(
    pdf: pikepdf.Pdf,
    data: bytes,
    number: int,
    masks: Sequence[tuple[ScannedText, int, int, str]],
) -> None:
    """Make page *number* a picture of itself with *masks* in it: (paragraph, start, end, words)."""
    picture, width, height = picture_of(data, number)
    ink = np.asarray(picture.convert("L")) < _DARK
    draw = ImageDraw.Draw(picture)
    for text in {id(mask[0]): mask[0] for mask in masks}.values():
        for word, said in _words(text, [mask[1:] for mask in masks if mask[0] is text]):
            box = _box(word, ink)
            draw.rectangle(box, fill="white", outline="black")
            _write(draw, box, said)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=85)
    image = pdf.make_stream(out.getvalue())
    image.Type, image.Subtype, image.Filter = Name.XObject, Name.Image, Name.DCTDecode
    image.Width, image.Height, image.BitsPerComponent = picture.width, picture.height, 8
    image.ColorSpace = Name.DeviceRGB
    page: Any = pdf.pages[number].obj
    for key in list(page.keys()):
        if key not in ("/Type", "/Parent"):
            del page[key]
    page.MediaBox = Array([0, 0, round(width, 2), round(height, 2)])
    page.Resources = Dictionary(XObject=Dictionary(I=image))
    page.Contents = pdf.make_stream(b"q %.2f 0 0 %.2f 0 0 cm /I Do Q" % (width, height))


def _words(text: ScannedText, masks: Sequence[tuple[int, int, str]]) -> Iterator[tuple[Box, str]]:
    """Yield the places of the words that *masks* touch, and what they say now."""
    now = list(text.text)
    touched: set[tuple[Box, Box]] = set()
    for start, end, replacement in masks:
        touched |= {place for place in text.boxes[start:end] if place is not None}
        now[start:end] = [replacement, *[""] * (end - start - 1)]
    group: list[Box] = []
    said, line = "", (0, 0, 0, 0)
    for place, char in zip([*text.boxes, None], [*now, "\n"], strict=True):
        if place is not None and place in touched and (not group or place[1] == line):
            group.append(place[0])
            line = place[1]
            said += char
        elif place is None and char != "\n":
            said += char if group else ""
        elif group:
            yield _band(text, group, line), said.strip()
            group, said = [], ""
            if place is not None and place in touched:
                group, said, line = [place[0]], char, place[1]
    if group:
        yield _band(text, group, line), said.strip()


def _band(text: ScannedText, words: Sequence[Box], line: Box) -> Box:
    """Return where *words* stand, as high as the words of their line usually are."""
    beside = {place[0] for place in text.boxes if place is not None and place[1] == line}
    top = median(box[1] for box in beside)
    bottom = median(box[3] for box in beside)
    return min(box[0] for box in words), int(top), max(box[2] for box in words), int(bottom)


def _box(word: Box, ink: Any) -> Box:
    """Return what covers *word* to the gaps in the ink around it."""
    high = max(word[3] - word[1], 4)
    pad = round(_PADDED * high) + 1
    top, bottom = max(word[1] - pad, 0), min(word[3] + pad, ink.shape[0] - 1)
    columns = ink[top : bottom + 1].sum(axis=0)
    reach = round(0.35 * high)
    left, right = word[0], min(word[2], ink.shape[1] - 1)
    while left > 0 and word[0] - left < reach and columns[left]:
        left -= 1
    while right < ink.shape[1] - 1 and right - word[2] < reach and columns[right]:
        right += 1
    return left, top, right, bottom


def _write(draw: Any, box: Box, words: str) -> None:
    if not words:
        return
    wide, high = box[2] - box[0], box[3] - box[1]
    size = max(round(0.75 * high), 6)
    font = ImageFont.truetype(io.BytesIO(letters()), size)
    length = font.getlength(words)
    if length > 0.94 * wide:
        font = ImageFont.truetype(io.BytesIO(letters()), max(int(size * 0.94 * wide / length), 4))
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    draw.text(middle, words, fill="black", font=font, anchor="mm")
