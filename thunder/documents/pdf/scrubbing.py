"""Where personal data hides in a PDF beside the text, and what is done there.

By lists: of the catalogue, the pages, forms, pictures and fonts only the entries below stay; what
an annotation looks like becomes part of its page where a reader of paper would see it, and the
annotation goes. Everything else is not written: qpdf writes what the pages still lead to.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name

from thunder.documents import pictures
from thunder.documents.pdf.content import matrix_of
from thunder.documents.pdf.parts import PICTURE_FILTERS
from thunder.documents.pdf.reading import CURE_AGAIN, Reader
from thunder.documents.segments import Action, Refused, Scrubbed

_CATALOGUE = {"/Type", "/Pages", "/Version", "/PageLayout", "/Lang"}
_TRAILER = {"/Root", "/Size", "/Prev", "/XRefStm", "/Type", "/W", "/Index", "/Length", "/Filter"}
_TRAILER |= {"/DecodeParms"}
_PAGE = {"/Type", "/Parent", "/Resources", "/MediaBox", "/CropBox", "/BleedBox", "/TrimBox"}
_PAGE |= {"/ArtBox", "/Contents", "/Rotate", "/Group", "/UserUnit"}
_PAGES = {"/Type", "/Parent", "/Kids", "/Count", "/Resources", "/MediaBox", "/CropBox", "/Rotate"}
_STREAM = {"/Length", "/Filter", "/DecodeParms"}
_FORM = _STREAM | {"/Type", "/Subtype", "/FormType", "/BBox", "/Matrix", "/Resources", "/Group"}
_PATTERN = _FORM | {"/PatternType", "/PaintType", "/TilingType", "/XStep", "/YStep"}
_PICTURE = _STREAM | {"/Type", "/Subtype", "/Width", "/Height", "/ColorSpace", "/Intent", "/Mask"}
_PICTURE |= {"/BitsPerComponent", "/ImageMask", "/Decode", "/Interpolate", "/SMask", "/Matte"}
_PICTURE |= {"/SMaskInData"}
_FONT = {"/Type", "/Subtype", "/BaseFont", "/FirstChar", "/LastChar", "/Widths", "/Encoding"}
_FONT |= {"/FontDescriptor", "/ToUnicode", "/DescendantFonts", "/CIDSystemInfo", "/DW", "/W"}
_FONT |= {"/DW2", "/W2", "/CIDToGIDMap", "/FontBBox", "/FontMatrix", "/CharProcs", "/Resources"}
_ANYWHERE = {"/Metadata", "/PieceInfo", "/LastModified", "/StructParent", "/StructParents", "/OC"}
_ANYWHERE |= {"/OPI", "/AF", "/AA", "/Alt", "/ActualText", "/E", "/Private", "/Properties"}
_SEEN_ON_PAPER = {"/Widget", "/FreeText", "/Stamp", "/Watermark", "/Line", "/Square", "/Circle"}
_SEEN_ON_PAPER |= {"/Polygon", "/PolyLine", "/Ink"}
_HIDDEN, _NO_VIEW = 2, 32

_WHY = {
    "/Outlines": "책갈피: 제목에 이름이 있을 수 있습니다",
    "/Names": "이름표(자바스크립트, 첨부 파일, 이름 붙은 자리)",
    "/Dests": "이름 붙은 자리",
    "/OpenAction": "열 때 하는 동작",
    "/AA": "동작",
    "/URI": "웹 주소",
    "/AcroForm": "양식의 값: 보이는 모습만 쪽에 남깁니다",
    "/Metadata": "메타데이터(XMP)",
    "/StructTreeRoot": "구조 나무와 대체 글",
    "/PieceInfo": "프로그램이 남긴 자료",
    "/OCProperties": "레이어",
    "/PageLabels": "쪽 이름",
    "/Thumb": "미리 보기 그림",
    "/Annots": "주석과 링크: 종이에 보일 모습만 쪽에 남깁니다",
    "/B": "글타래",
    "/Threads": "글타래",
    "/AF": "첨부 파일",
}


class Scrubber:
    """Takes out of one file what is not text that a reader of paper sees."""

    def __init__(self, pdf: pikepdf.Pdf, reader: Reader, data: bytes) -> None:
        self._pdf, self._reader, self._data = pdf, reader, data
        self._report: dict[tuple[str, Action, str], None] = {}

    def scrub(self) -> tuple[Scrubbed, ...]:
        """Clean the file; return what was done. Raises: Refused."""
        if self._data.count(b"startxref") > 1:
            self._say("파일", Action.DROPPED, "이전에 저장한 판(증분 저장)")
        trailer = self._pdf.trailer
        if "/Info" in trailer:
            del trailer["/Info"]
            self._say("Info", Action.DROPPED, "문서 정보(제목, 지은이, 프로그램, 시각)")
        for key in list(trailer.keys()):
            if key == "/ID":
                del trailer[key]
            elif key not in _TRAILER:
                del trailer[key]
                self._say(f"Trailer {key[1:]}", Action.DROPPED, "목록에 없는 항목")
        self._keep(self._pdf.Root, _CATALOGUE, "Catalog")
        for number, page in enumerate(self._pdf.pages):
            part = f"{number + 1}쪽"
            self._flatten(page, part)
            self._keep(page.obj, _PAGE, part)
        self._unused()
        self._objects()
        for number, count in sorted(self._reader.pictures.items()):
            if number not in self._reader.scans:
                self._say(
                    f"{number + 1}쪽",
                    Action.KEPT,
                    f"그림 {count}개: 도장·서명·얼굴·글이 보이는지 사람이 확인하십시오",
                )
        for number in self._reader.scans:
            self._say(
                f"{number + 1}쪽",
                Action.CLEANED,
                "스캔한 쪽을 새 그림으로 바꾸었습니다: 기계가 읽은 것이니 사람이 확인하십시오",
            )
        for number, said in sorted(self._reader.hidden.items()):
            self._say(f"{number + 1}쪽", Action.DROPPED, said)
        return tuple(Scrubbed(*key) for key in self._report)

    def _say(self, part: str, action: Action, reason: str) -> None:
        self._report[part, action, reason] = None

    def _keep(self, item: Any, allowed: set[str], part: str) -> None:
        for key in list(item.keys()):
            if key not in allowed:
                del item[key]
                self._say(f"{part} {key[1:]}", Action.DROPPED, _WHY.get(key, "목록에 없는 항목"))

    def _flatten(self, page: pikepdf.Page, part: str) -> None:
        """Make what annotations look like on paper a part of the page."""
        drawn: list[bytes] = []
        kinds: Counter[str] = Counter()
        for annotation in page.obj.get("/Annots", []):
            if not isinstance(annotation, Dictionary):
                continue
            kind = str(annotation.get("/Subtype", "/?"))
            look = _normal(annotation)
            hidden = int(annotation.get("/F", 0)) & (_HIDDEN | _NO_VIEW)
            if look is None or hidden or kind not in _SEEN_ON_PAPER or "/Rect" not in annotation:
                kinds[kind[1:]] += 1
                continue
            look.Type, look.Subtype = Name.XObject, Name.Form
            name = f"/ThunderLook{len(drawn)}"
            resources = page.obj.get("/Resources")
            if resources is None:
                resources = page.obj.Resources = Dictionary()
            forms = resources.get("/XObject")
            resources.XObject = Dictionary({**dict(forms or {}), name: look})
            drawn.append(b"q %s cm %s Do Q" % (_onto(annotation, look), name.encode()))
            self._say(f"{part} {kind[1:]}", Action.CLEANED, "주석을 쪽의 일부로 바꾸었습니다")
        for kind, count in kinds.items():
            self._say(f"{part} {kind}", Action.DROPPED, f"주석·링크 {count}개")
        if drawn:
            page.contents_add(b"q\n", prepend=True)
            page.contents_add(b"\nQ\n" + b"\n".join(drawn))
            self._reader.flattened.add(page.obj.objgen)

    def _unused(self) -> None:
        """Take forms and pictures out of resources that no stream draws."""
        drawn: dict[tuple[int, int], set[str]] = {}
        holders: dict[tuple[int, int], Any] = {}
        for stream in self._reader.streams:
            forms = stream.resources.get("/XObject")
            if not isinstance(forms, Dictionary):
                continue
            if not (forms.is_indirect or stream.resources.is_indirect):
                owner = stream.owner.objgen
            else:
                owner = forms.objgen if forms.is_indirect else stream.resources.objgen
            drawn.setdefault(owner, set()).update(stream.drawn)
            holders[owner] = forms
        for owner, forms in holders.items():
            for name in list(forms.keys()):
                if name not in drawn[owner] and not name.startswith("/ThunderLook"):
                    del forms[name]
                    self._say("Resources", Action.DROPPED, "쪽에 그려지지 않는 그림과 양식")

    def _objects(self) -> None:
        """Clean every object that the pages lead to."""
        waiting: list[Any] = [self._pdf.Root]
        seen: set[tuple[int, int]] = set()
        while waiting:
            item = waiting.pop()
            if not isinstance(item, (Dictionary, pikepdf.Stream, pikepdf.Array)):
                continue
            if item.is_indirect:
                if item.objgen in seen:
                    continue
                seen.add(item.objgen)
            if isinstance(item, pikepdf.Array):
                waiting += list(item)
                continue
            self._object(item)
            waiting += [value for key, value in item.items() if key != "/Parent"]

    def _object(self, item: Any) -> None:
        kind, subtype = str(item.get("/Type", "")), str(item.get("/Subtype", ""))
        allowed: set[str] | None = None
        if kind == "/Pages":
            allowed = _PAGES
        elif kind == "/Font":
            allowed = _FONT
        elif isinstance(item, pikepdf.Stream):
            if subtype == "/Form":
                allowed = _FORM
            elif subtype == "/Image":
                allowed = _PICTURE
                self._picture(item)
            elif "/PatternType" in item:
                allowed = _PATTERN
        for key in list(item.keys()):
            if key in _ANYWHERE or (allowed is not None and key not in allowed):
                if key not in ("/Name", "/StructParent", "/StructParents", "/Properties"):
                    part = subtype[1:] or kind[1:] or "개체"
                    self._say(
                        f"{part} {key[1:]}", Action.DROPPED, _WHY.get(key, "목록에 없는 항목")
                    )
                del item[key]

    def _picture(self, stream: Any) -> None:
        filters = stream.get("/Filter", [])
        names = [filters] if isinstance(filters, Name) else list(filters)
        if not names or str(names[-1]) not in PICTURE_FILTERS:
            return
        if len(names) > 1:
            return
        raw = bytes(stream.read_raw_bytes())
        if str(names[0]) == "/DCTDecode":
            try:
                clean = pictures.cleaned(raw)
            except pictures.Unknown:
                raise Refused("Image", "그림 자료가 손상되었습니다", CURE_AGAIN) from None
        elif str(names[0]) == "/JPXDecode":
            clean = _jpeg2000(raw)
        else:
            return
        if clean != raw:
            parameters = stream.get("/DecodeParms")
            stream.write(clean, filter=names[0], decode_parms=parameters)
            self._say("Image", Action.CLEANED, "그림의 메타데이터(EXIF, XMP)")


def _normal(annotation: Any) -> Any:
    """Return the form that an annotation looks like now; None where it has none."""
    looks = annotation.get("/AP")
    look = looks.get("/N") if isinstance(looks, Dictionary) else None
    if isinstance(look, Dictionary):
        look = look.get(str(annotation.get("/AS", "/Off")))
    return look if isinstance(look, pikepdf.Stream) else None


def _onto(annotation: Any, look: Any) -> bytes:
    """Return the matrix that lays an appearance onto its place. (ISO 32000-1, 12.5.5.)"""
    x0, y0, x1, y1 = (float(value) for value in annotation.Rect)
    a, b, c, d, e, f = matrix_of(look.get("/Matrix"))
    left, bottom, right, top = (float(value) for value in look.get("/BBox", [0, 0, 1, 1]))
    corners = [(x, y) for x in (left, right) for y in (bottom, top)]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    wide, high = (max(xs) - min(xs)) or 1.0, (max(ys) - min(ys)) or 1.0
    sx, sy = abs(x1 - x0) / wide, abs(y1 - y0) / high
    move = (min(x0, x1) - min(xs) * sx, min(y0, y1) - min(ys) * sy)
    return b"%.5f 0 0 %.5f %.5f %.5f" % (sx, sy, *move)


def _jpeg2000(data: bytes) -> bytes:
    """Return a JPEG 2000 file without boxes of metadata."""
    if data[:4] == b"\xff\x4f\xff\x51":  # a bare codestream
        return data
    return b"".join(box for kind, box in _boxes(data) if kind not in (b"uuid", b"xml ", b"uinf"))


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if length == 1:
            length = int.from_bytes(data[at + 8 : at + 16], "big")
        length = length or len(data) - at
        if length < 8:
            raise Refused("Image", "그림 자료가 손상되었습니다", CURE_AGAIN)
        yield data[at + 4 : at + 8], data[at : at + length]
        at += length
