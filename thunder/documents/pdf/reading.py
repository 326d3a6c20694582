"""A PDF opened: its pages' text as segments, and what it may not hold."""

import io
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf

from thunder.documents.pdf.content import (
    Draw,
    Matrix,
    Seen,
    matrix_of,
    times,
    walk,
)
from thunder.documents.pdf.fonts import Font, Undecodable, Unusable
from thunder.documents.pdf.lines import Line, Lines, runs_of
from thunder.documents.segments import Kind, Refused

MOST_PAGES = 20_000
MOST_INFLATED = 256 << 20
"""Bytes of one stream. A page of text takes some ten thousand."""
MOST_STREAMS = 200_000
SCAN_AREA = 0.5
SCAN_LETTERS = 200
"""A page with fewer letters than this under a picture of half its size is a scan."""
SCAN_CURVES = 300
"""A page without text and with more curves than this shows letters drawn as outlines."""

NO_UNICODE = "글꼴에 문자표(ToUnicode)가 없어 글자를 알 수 없습니다"
CURE_OCR = "글자를 그림에서 읽으려면 --ocr을 주십시오"
CURE_AGAIN = "원본 프로그램에서 PDF를 다시 만드십시오"

pikepdf.settings.set_qpdf_limits(
    flate_max_memory=MOST_INFLATED,
    run_length_max_memory=MOST_INFLATED,
    parser_max_errors=15,
)


@dataclass(slots=True)
class Stream:
    """A content stream: a page's, a form's, a pattern's. ``owner`` holds its resources."""

    owner: Any
    resources: Any
    matrix: Matrix
    page: int
    is_page: bool
    scan: bool = False
    fonts: set[Font] = field(default_factory=set)
    named: dict[str, Font] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    codes: dict[Font, Counter[bytes]] = field(default_factory=dict)
    off: set[int] = field(default_factory=set)
    unseen: set[int] = field(default_factory=set)
    """Operators that show what nobody sees: invisible text, layers that are off."""


def opened(data: bytes) -> pikepdf.Pdf:
    """Return the file's objects.

    Raises: Refused.
    """
    if b"%PDF-" not in data[:1024]:
        raise Refused("", "PDF 파일이 아닙니다", "파일 형식을 확인하십시오")
    try:
        pdf = pikepdf.open(io.BytesIO(data), attempt_recovery=False)
    except pikepdf.PasswordError:
        raise Refused("", "암호가 걸린 PDF입니다", "암호를 푼 파일을 주십시오") from None
    except Exception:  # qpdf's and Python's errors alike mean that it cannot be read
        raise Refused("", "파일이 손상되었습니다", CURE_AGAIN) from None
    if pdf.is_encrypted:
        raise Refused("", "암호화된 PDF입니다", "암호화를 푼 파일을 주십시오")
    return pdf


def check(pdf: pikepdf.Pdf) -> None:
    """Refuse forms that this cannot answer for: signed, XFA, or larger than any document."""
    root = pdf.Root
    form = root.get("/AcroForm")
    if isinstance(form, pikepdf.Dictionary):
        if "/XFA" in form:
            raise Refused("AcroForm", "XFA 양식입니다", "인쇄하여 보통 PDF로 만드십시오")
        signed = int(form.get("/SigFlags", 0)) & 1 or any(
            str(field.get("/FT", "")) == "/Sig" for field in _fields(form)
        )
        if signed:
            raise _signed("AcroForm")
    if "/Perms" in root:
        raise _signed("Perms")
    if str(root.get("/Collection", "")) or "/Collection" in root:
        raise Refused("Collection", "PDF 포트폴리오입니다", "안에 든 파일을 따로 주십시오")
    if len(pdf.pages) > MOST_PAGES:
        raise Refused("", f"쪽수가 {MOST_PAGES:,}쪽을 넘습니다", "파일을 나누십시오")


def _signed(part: str) -> Refused:
    return Refused(
        part,
        "전자서명된 PDF입니다: 고치면 서명이 깨집니다",
        "서명 없는 사본을 주십시오",
    )


def _fields(form: Any) -> Iterator[Any]:
    waiting = list(form.get("/Fields", []))
    seen: set[tuple[int, int]] = set()
    while waiting:
        field = waiting.pop()
        if not isinstance(field, pikepdf.Dictionary) or field.objgen in seen:
            continue
        if field.is_indirect:
            seen.add(field.objgen)
        yield field
        waiting += list(field.get("/Kids", []))


class Reader:
    """Reads the pages of one file; each stream once."""

    def __init__(self, pdf: pikepdf.Pdf, *, ocr: bool) -> None:
        self.pdf, self._ocr = pdf, ocr
        self.streams: list[Stream] = []
        self.lines: list[Line] = []
        self.scans: list[int] = []
        self.middles: list[float] = []
        self.pictures: dict[int, int] = {}
        self._fonts: dict[Any, Font] = {}
        self._done: set[tuple[int, int]] = set()
        self.hidden: dict[int, str] = {}
        self.flattened: set[tuple[int, int]] = set()
        self._off = _layers_off(pdf)

    def read(self) -> None:
        """Read every page. Raises: Refused."""
        for number, page in enumerate(self.pdf.pages):
            part = f"{number + 1}쪽"
            try:
                self._page(number, page.obj)
            except (Refused, MemoryError):
                raise
            except Undecodable:
                raise Refused(part, NO_UNICODE, CURE_OCR) from None
            except Exception:  # whatever a damaged object leads to
                raise Refused(part, "내용을 읽을 수 없습니다", CURE_AGAIN) from None
            if self.pdf.get_warnings():
                raise Refused(part, "파일이 손상되었습니다", CURE_AGAIN)

    # -- one page

    def _page(self, number: int, page: Any) -> None:
        lines, streams = len(self.lines), len(self.streams)
        seen = Seen()
        self._area = 0.0
        fonts_missing = False
        size = _page_area(page)
        box = [float(value) for value in page.get("/MediaBox", [0, 0, 612, 792])]
        self.middles.append((box[0] + box[2]) / 2)
        resources = page.get("/Resources", pikepdf.Dictionary())
        try:
            self._stream(Stream(page, resources, matrix_of(None), number, True), seen, Kind.BODY)
            for annotation in page.get("/Annots", []):
                for form in appearances(annotation):
                    self._form(form, None, matrix_of(None), number, seen, Kind.TEXT_BOX)
        except Undecodable:
            if not self._ocr:
                raise
            fonts_missing = True
        found = self.lines[lines:]
        letters = sum(len(t.strip()) for line in found for t, run in line.pieces if _shown(run))
        for matrix in seen.inline_pictures:
            self._area = max(self._area, abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        drawn = not letters and seen.curves > SCAN_CURVES
        if fonts_missing or drawn or (self._area > SCAN_AREA * size and letters < SCAN_LETTERS):
            if not self._ocr:
                said = "글자가 곡선으로 그려진 쪽입니다" if drawn else "스캔한 그림입니다"
                raise Refused(f"{number + 1}쪽", said, CURE_OCR)
            del self.lines[lines:]
            for stream in self.streams[streams:]:
                stream.scan = True
            self.scans.append(number)

    def _stream(self, stream: Stream, seen: Seen, kind: Kind) -> None:
        if len(self.streams) > MOST_STREAMS:
            raise Refused("", "내용이 너무 많습니다", "파일을 나누십시오")
        at = len(self.streams)
        self.streams.append(stream)
        lines = Lines(stream.page, at, kind)
        place = len(self.lines)
        instructions = self.instructions(stream)
        off = stream.off = self._layers(stream, instructions) if self._off else set()
        for item in walk(
            instructions,
            lambda name: self.font(stream, name),
            stream.matrix,
            seen,
            lambda name: self.state_font(stream, name),
        ):
            if isinstance(item, Draw):
                if item.index in off:
                    stream.unseen.add(item.index)
                else:
                    stream.drawn.add(item.name)
                self._drawn(stream, item, seen, kind)
                continue
            if item.state.mode == 3 or item.index in off:
                stream.unseen.add(item.index)
                reason = "레이어" if item.index in off else "보이지 않게 그린 글자"
                self.hidden[stream.page] = reason
            for run in runs_of(item, at):
                lines.add(run)
            font = item.state.font
            assert font is not None
            count = stream.codes.setdefault(font, Counter())
            for element in item.elements:
                if isinstance(element, list):
                    count.update(element)
        self.lines[place:place] = lines.finished()
        self._others(stream, seen, kind)

    def instructions(self, stream: Stream) -> Any:
        """Return what the stream says, operator by operator."""
        contents = stream.owner.get("/Contents") if stream.is_page else stream.owner
        if contents is None:
            return []
        total = 0
        for one in contents if isinstance(contents, pikepdf.Array) else [contents]:
            if not isinstance(one, pikepdf.Stream):
                raise ValueError("no stream")
            total += bounded(one)
            if total > MOST_INFLATED:
                raise Refused("", "풀면 너무 커지는 자료가 있습니다", CURE_AGAIN)
        owner = pikepdf.Page(stream.owner) if stream.is_page else stream.owner
        return pikepdf.parse_content_stream(owner)

    def _layers(self, stream: Stream, instructions: Any) -> set[int]:
        """Return the operators that stand in a layer which is off."""
        found: set[int] = set()
        open_marks: list[bool] = []
        for index, instruction in enumerate(instructions):
            operator = str(instruction.operator)
            if operator in ("BMC", "BDC"):
                layer = None
                if operator == "BDC" and str(instruction.operands[0]) == "/OC":
                    layer = _resource(stream, "/Properties", str(instruction.operands[1]))
                open_marks.append(self.is_off(layer))
            elif operator == "EMC" and open_marks:
                open_marks.pop()
            elif any(open_marks):
                found.add(index)
            elif operator == "Do":
                drawn = _resource(stream, "/XObject", str(instruction.operands[0]))
                if isinstance(drawn, pikepdf.Stream) and self.is_off(drawn.get("/OC")):
                    found.add(index)
        return found

    def is_off(self, layer: Any) -> bool:
        """Return whether a layer, or a membership of layers, is not shown."""
        if not isinstance(layer, pikepdf.Dictionary):
            return False
        groups = layer.get("/OCGs")
        if groups is None:
            return layer.objgen in self._off
        members = list(groups) if isinstance(groups, pikepdf.Array) else [groups]
        return bool(members) and all(one.objgen in self._off for one in members)

    def _drawn(self, stream: Stream, item: Draw, seen: Seen, kind: Kind) -> None:
        drawn = _resource(stream, "/XObject", item.name)
        if not isinstance(drawn, pikepdf.Stream):
            return
        subtype = str(drawn.get("/Subtype", ""))
        if subtype == "/Form":
            self._form(drawn, stream, item.ctm, stream.page, seen, kind)
        elif subtype == "/Image":
            a, b, c, d, _, _ = item.ctm
            self._area = max(self._area, abs(a * d - b * c))
            self.pictures[stream.page] = self.pictures.get(stream.page, 0) + 1
        else:
            raise Refused(
                f"{stream.page + 1}쪽", "알 수 없는 종류의 그림(XObject)이 있습니다", CURE_AGAIN
            )

    def _form(
        self,
        form: Any,
        around: Stream | None,
        ctm: Matrix,
        page: int,
        seen: Seen,
        kind: Kind,
    ) -> None:
        if form.objgen in self._done:
            return
        self._done.add(form.objgen)
        resources = form.get("/Resources")
        if resources is None:
            resources = around.resources if around else pikepdf.Dictionary()
        matrix = times(matrix_of(form.get("/Matrix")), ctm)
        self._stream(Stream(form, resources, matrix, page, False), seen, kind)

    def _others(self, stream: Stream, seen: Seen, kind: Kind) -> None:
        """Read what the resources name without the stream drawing it: patterns, masks, the rest."""
        resources = stream.resources
        patterns = dict(resources.get("/Pattern", {})).values()
        groups = [
            state.SMask.get("/G")
            for state in dict(resources.get("/ExtGState", {})).values()
            if isinstance(state.get("/SMask"), pikepdf.Dictionary)
        ]
        forms = [
            drawn
            for drawn in dict(resources.get("/XObject", {})).values()
            if isinstance(drawn, pikepdf.Stream) and drawn.get("/Subtype") == "/Form"
        ]
        for form in [*patterns, *groups, *forms]:
            if isinstance(form, pikepdf.Stream):
                self._form(form, stream, stream.matrix, stream.page, seen, kind)

    # -- fonts

    def font(self, stream: Stream, name: str) -> Font:
        """Return the font that *name* means in *stream*."""
        font = stream.named.get(name)
        if font is None:
            font = stream.named[name] = self._font(_resource(stream, "/Font", name))
            stream.fonts.add(font)
        return font

    def state_font(self, stream: Stream, name: str) -> tuple[Font, float] | None:
        """Return the font that a graphics state sets, if it does."""
        state = _resource(stream, "/ExtGState", name)
        told = state.get("/Font") if isinstance(state, pikepdf.Dictionary) else None
        if told is None:
            return None
        font = self._font(told[0])
        stream.fonts.add(font)
        return font, float(told[1])

    def _font(self, dictionary: Any) -> Font:
        if not isinstance(dictionary, pikepdf.Dictionary):
            raise ValueError("no font")
        key = dictionary.objgen if dictionary.is_indirect else dictionary.unparse()
        font = self._fonts.get(key)
        if font is None:
            try:
                font = Font(dictionary, inflated)
            except Unusable:
                raise Undecodable from None
            if font.subtype == "/Type3":
                self._plain_letters(font)
            self._fonts[key] = font
        if not dictionary.is_indirect:
            font.copies.append(dictionary)
        return font

    def _plain_letters(self, font: Font) -> None:
        """Refuse a Type 3 font whose glyphs show text in their turn."""
        for glyph in dict(font.dictionary.get("/CharProcs", {})).values():
            bounded(glyph)
            for instruction in pikepdf.parse_content_stream(glyph):
                if str(instruction.operator) in ("Tj", "TJ", "'", '"'):
                    raise Refused("Type3", "글자 그림 안에 다른 글자가 들어 있습니다", CURE_AGAIN)


def _layers_off(pdf: pikepdf.Pdf) -> set[tuple[int, int]]:
    properties = pdf.Root.get("/OCProperties")
    if not isinstance(properties, pikepdf.Dictionary):
        return set()
    usual = properties.get("/D", pikepdf.Dictionary())
    off = {layer.objgen for layer in usual.get("/OFF", [])}
    if str(usual.get("/BaseState", "")) == "/OFF":
        off |= {layer.objgen for layer in properties.get("/OCGs", [])}
        off -= {layer.objgen for layer in usual.get("/ON", [])}
    return off


def appearances(annotation: Any) -> Iterator[Any]:
    """Yield the forms that an annotation looks like."""
    if not isinstance(annotation, pikepdf.Dictionary):
        return
    looks = annotation.get("/AP")
    for look in dict(looks).values() if isinstance(looks, pikepdf.Dictionary) else ():
        if isinstance(look, pikepdf.Stream):
            yield look
        elif isinstance(look, pikepdf.Dictionary):
            yield from (one for one in dict(look).values() if isinstance(one, pikepdf.Stream))


def _shown(run: Any) -> bool:
    return run is not None and not run.hidden


def _page_area(page: Any) -> float:
    box = [float(value) for value in page.get("/MediaBox", [0, 0, 612, 792])]
    return abs((box[2] - box[0]) * (box[3] - box[1])) or 1.0


def _resource(stream: Stream, kind: str, name: str) -> Any:
    group = stream.resources.get(kind)
    return group.get(name) if isinstance(group, pikepdf.Dictionary) else None


def inflated(stream: Any) -> bytes:
    """Return the content of a stream. Raises: Refused for one that grows beyond all bounds."""
    bounded(stream)
    return bytes(stream.read_bytes())


def bounded(stream: Any) -> int:
    """Return how many bytes a stream's content has at least; a bomb is refused before it is one."""
    filters = stream.get("/Filter", [])
    names = [str(filters)] if isinstance(filters, pikepdf.Name) else [str(one) for one in filters]
    data = bytes(stream.read_raw_bytes())
    for name in names:
        if name not in ("/FlateDecode", "/Fl"):
            break
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(data, MOST_INFLATED + 1)
        if len(data) > MOST_INFLATED:
            raise Refused("", "풀면 너무 커지는 자료가 있습니다", CURE_AGAIN)
    return len(data)
