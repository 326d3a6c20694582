"""What a file is, told by its content and not by its name; and the module that opens it."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple, cast

from thunder.documents.encoding import HEAD
from thunder.documents.segments import Document, Refused

OPENERS = {
    "html": "thunder.documents.html",
    "hwpx": "thunder.documents.hwpx",
    "hwp": "thunder.documents.hwp",
    "docx": "thunder.documents.docx",
    "odt": "thunder.documents.odt",
    "xlsx": "thunder.documents.xlsx",
    "pdf": "thunder.documents.pdf",
}
"""Format → the module whose ``open`` reads it, imported only where one is met."""

SUFFIXES = {
    **dict.fromkeys(("html", "htm", "xhtml"), "html"),
    "hwpx": "hwpx",
    "hwp": "hwp",
    "docx": "docx",
    "odt": "odt",
    "xlsx": "xlsx",
    "pdf": "pdf",
}
"""Suffix → the format it promises; what is inside decides."""

NAMES = {
    "html": "HTML",
    "hwpx": "HWPX",
    "hwp": "HWP 5",
    "docx": "DOCX",
    "odt": "ODT",
    "xlsx": "XLSX",
    "pdf": "PDF",
}
"""Format → what people call it."""

EXTRA = "pip install 'thunder-deid[documents]'"

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TO_PDF = "그 프로그램에서 PDF나 새 형식으로 저장해 넣으십시오"
_BY_HANGUL = "한글에서 HWPX로 저장해 넣으십시오"
_BY_OFFICE = "새 형식(DOCX, XLSX)으로 저장해 넣으십시오"
_OPEN_AND_SAVE = "암호를 풀고 저장해 다시 넣으십시오"

_MAGIC = (
    (b"HWP Document File V", "HWP 3", _BY_HANGUL),
    (b"{\\rtf", "RTF", "DOCX로 저장해 넣으십시오"),
    (b"\x89PNG", "PNG 그림", "PDF로 만들어 --ocr로 읽으십시오"),
    (b"\xff\xd8\xff", "JPEG 그림", "PDF로 만들어 --ocr로 읽으십시오"),
    (b"II*\x00", "TIFF 그림", "PDF로 만들어 --ocr로 읽으십시오"),
    (b"MM\x00*", "TIFF 그림", "PDF로 만들어 --ocr로 읽으십시오"),
    (b"\x1f\x8b", "gzip", "풀어서 넣으십시오"),
    (b"\xfd7zXZ", "xz", "풀어서 넣으십시오"),
    (b"7z\xbc\xaf\x27\x1c", "7z", "풀어서 넣으십시오"),
    (b"Rar!\x1a\x07", "RAR", "풀어서 넣으십시오"),
    (b"ALZ\x01", "ALZ", "풀어서 넣으십시오"),
    (b"EGGA", "EGG", "풀어서 넣으십시오"),
    (b"PAR1", "Parquet", "이름을 .parquet로 바꾸십시오"),
    (b"SCDSA00", "문서 보안(DRM)이 걸린", "보안을 풀고 저장해 넣으십시오"),
    (b"<## NASCA DRM", "문서 보안(DRM)이 걸린", "보안을 풀고 저장해 넣으십시오"),
    (b"\x9b DRMONE", "문서 보안(DRM)이 걸린", "보안을 풀고 저장해 넣으십시오"),
)
"""First bytes, what that is, and what to do."""

_STREAMS = (
    ("EncryptedPackage", "암호가 걸린 DOCX, XLSX", _OPEN_AND_SAVE),
    ("EncryptionInfo", "암호가 걸린 DOCX, XLSX", _OPEN_AND_SAVE),
    ("WordDocument", "옛 워드 문서(DOC)", "DOCX로 저장해 넣으십시오"),
    ("Workbook", "옛 엑셀 문서(XLS)", "XLSX로 저장해 넣으십시오"),
    ("Book", "옛 엑셀 문서(XLS)", "XLSX로 저장해 넣으십시오"),
    ("PowerPoint Document", "옛 파워포인트 문서(PPT)", _TO_PDF),
    ("__properties_version1.0", "아웃룩 편지(MSG)", _TO_PDF),
    ("HwpSummaryInformation", "HWP", ""),
)
"""Name of an entry of a compound file, what the file is, and what to do."""

_MIMETYPES = {
    "application/hwp+zip": "hwpx",
    "application/haansofthwpx": "hwpx",
    "application/vnd.oasis.opendocument.text": "odt",
}
_ENTRIES = (
    ("word/document.xml", "docx"),
    ("xl/workbook.xml", "xlsx"),
    ("Contents/content.hpf", "hwpx"),
)
_MAIN_TYPES = (
    ("wordprocessingml.", "docx", ""),
    ("ms-word.", "docx", ""),
    ("spreadsheetml.", "xlsx", ""),
    ("ms-excel.sheet.binary.", "", "xl/workbook.bin"),
    ("ms-excel.", "xlsx", ""),
    ("presentationml.", "", "ppt/presentation.xml"),
    ("ms-powerpoint.", "", "ppt/presentation.xml"),
)
"""What a package of Office says its main part is; the format, or as what of the others it counts.

Word Online calls the main part word/document2.xml, and others may call it anything.
"""

_OTHER_ENTRIES = (
    ("ppt/presentation.xml", "파워포인트 문서(PPTX)", _TO_PDF),
    ("xl/workbook.bin", "이진 엑셀 문서(XLSB)", "XLSX로 저장해 넣으십시오"),
    ("index.xml", "애플 문서", _TO_PDF),
    ("Index/Document.iwa", "애플 문서", _TO_PDF),
)
_ATTRIBUTE = r"""\s%s\s*=\s*["']([^"']*)["']"""
_TARGET, _PART_NAME = re.compile(_ATTRIBUTE % "Target"), re.compile(_ATTRIBUTE % "PartName")
_CONTENT_TYPE = re.compile(_ATTRIBUTE % "ContentType")
_RELATIONSHIP = re.compile(r"<[^<>]*/relationships/officeDocument[\"'][^<>]*>")
_OVERRIDE = re.compile(r"<(?:\w+:)?Override\s[^<>]*>")
_HTML = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--.*?-->\s*+)*+<(?:!doctype\s++html|html|head|body|table|meta)\b",
    re.IGNORECASE | re.DOTALL,
)
_HWPML = re.compile(r"<HWPML\b")
_MOST_OF_A_LIST = 1 << 20  # bytes of a package's list of parts
_MOST_SECTORS = 1 << 12  # of a directory: it may run in a circle
_SECTORS_LISTED = 109
_NO_SECTOR = 0xFFFFFFFF


class Kind(NamedTuple):
    """What a file is: a format of OPENERS, or what else, and what to do then."""

    format: str
    name: str
    cure: str = ""


def detect(data: bytes) -> Kind:
    """Return what *data*, a whole file, is, by its content alone.

    ``format`` is "text" for what may be plain text, "" for what no module reads.
    """
    if data.startswith(_OLE):
        return _of_compound_file(data)
    if data.startswith(_ZIP):
        return _of_zip(data)
    for magic, name, cure in _MAGIC:
        if data.startswith(magic):
            return Kind("", name, cure)
    if b"%PDF-" in data[:1024]:
        return _known("pdf")
    return _of_text(data[:HEAD])


def is_paged(head: bytes) -> bool:
    """Return whether a file that begins with *head* is none of text or tables."""
    return head.startswith((_OLE, *_ZIP, b"%PDF-", b"HWP Document File V"))


def kind_named(format: str) -> str:
    """Return what people call *format*."""
    return NAMES.get(format, format)


def require_known(data: bytes, *, promised: str = "") -> str:
    """Return the format of *data*, a key of OPENERS; Refused for anything else, with what to do.

    What may be plain text is a page where *promised* says HTML.
    """
    kind = detect(data)
    if kind.format == "text" and promised == "html":
        return "html"
    if kind.format not in OPENERS:
        cure = kind.cure or "읽는 형식으로 저장해 넣으십시오"
        raise Refused("", f"{kind.name} 파일입니다", cure)
    return kind.format


def opener(format: str, *, ocr: bool = False) -> Callable[[bytes], Document]:
    """Return the function that opens a file of *format*; Refused where its libraries are missing.

    *ocr*: read scanned pages by optical character recognition, where the format may have some.
    """
    try:
        module = import_module(OPENERS[format])
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("thunder"):
            raise
        name = kind_named(format)
        raise Refused("", f"{name} 파일을 읽는 꾸러미가 없습니다({error.name})", EXTRA) from None
    opens = cast("Callable[..., Document]", module.open)
    if format == "pdf":
        return lambda data: opens(data, ocr=ocr)
    return opens


def _known(format: str) -> Kind:
    return Kind(format, kind_named(format))


def _of_zip(data: bytes) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = set(package.namelist())
            said = _head(package, "mimetype").strip()
            main = _main_type(package)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError):
        return Kind("", "깨진 ZIP(HWPX, DOCX …)", "원본을 다시 받으십시오")
    if said in _MIMETYPES:
        return _known(_MIMETYPES[said])
    for kind, format, entry in _MAIN_TYPES:
        if kind in main:
            if format:
                return _known(format)
            names.add(entry)
    for entry, format in _ENTRIES:
        if entry in names:
            return _known(format)
    for entry, name, cure in _OTHER_ENTRIES:
        if entry in names:
            return Kind("", name, cure)
    if said.startswith("application/vnd.oasis.opendocument."):
        return Kind("", "ODT가 아닌 오픈도큐먼트(ODS, ODP …)", "XLSX나 PDF로 저장해 넣으십시오")
    return Kind("", "ZIP", "풀어서 넣으십시오")


def _main_type(package: zipfile.ZipFile) -> str:
    """Return what a package of Office says its main part is, whatever that is called."""
    found = _RELATIONSHIP.search(_head(package, "_rels/.rels"))
    target = _TARGET.search(found[0]) if found else None
    if not target:
        return ""
    for override in _OVERRIDE.findall(_head(package, "[Content_Types].xml")):
        part, kind = _PART_NAME.search(override), _CONTENT_TYPE.search(override)
        if part and kind and part[1].lstrip("/") == target[1].lstrip("/"):
            return kind[1]
    return ""


def _head(package: zipfile.ZipFile, name: str) -> str:
    """Return how a member begins; "" where it is not there, or damaged."""
    with suppress(Exception), package.open(name) as member:
        return member.read(_MOST_OF_A_LIST).decode("utf-8", "replace")
    return ""


def _of_compound_file(data: bytes) -> Kind:
    names = set(_entries(data))
    if "FileHeader" in names:
        return _known("hwp")
    for entry, name, cure in _STREAMS:
        if any(found == entry or found == f"\x05{entry}" for found in names):
            return Kind("", name, cure)
    return Kind("", "HWP도 옛 오피스 문서도 아닌 복합", _BY_OFFICE)


def _entries(data: bytes) -> Iterator[str]:
    """Yield the names in the directory of a compound file, as far as it can be followed."""
    size = 1 << int.from_bytes(data[30:32], "little") if len(data) >= 512 else 0
    if size not in (512, 4096):
        return
    sector = int.from_bytes(data[48:52], "little")
    for _ in range(_MOST_SECTORS):
        at = (sector + 1) * size
        entries = data[at : at + size]
        if len(entries) < 128:
            return
        for start in range(0, size, 128):
            length = int.from_bytes(entries[start + 64 : start + 66], "little")
            if 2 <= length <= 64:
                yield entries[start : start + length - 2].decode("utf-16-le", "replace")
        sector = _next_sector(data, size, sector)


def _next_sector(data: bytes, size: int, sector: int) -> int:
    """Return which sector follows, by those parts of the table that the header itself lists."""
    slot, number = divmod(sector, size // 4)
    if slot >= _SECTORS_LISTED:
        return _NO_SECTOR
    held = int.from_bytes(data[76 + 4 * slot : 80 + 4 * slot], "little")
    at = (held + 1) * size + 4 * number
    return int.from_bytes(data[at : at + 4].ljust(4, b"\xff"), "little")


def _of_text(head: bytes) -> Kind:
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not marked and head.count(0) * 100 > len(head):
        return Kind("", "형식을 알 수 없는", "원본을 확인하고 읽는 형식으로 저장해 넣으십시오")
    text = head.decode("utf-16" if marked else "utf-8-sig", "replace")
    if _HTML.match(text):
        return _known("html")
    if _HWPML.search(text):
        return Kind("", "HWPML", _BY_HANGUL)
    if text.startswith("MIME-Version:") and "multipart/related" in text:
        return Kind("", "웹 보관(MHT)", "PDF로 저장해 넣으십시오")
    if "<?mso-application" in text or "schemas.microsoft.com/office/2006/xmlPackage" in text:
        return Kind("", "한 덩이 XML로 저장한 오피스", _BY_OFFICE)
    return Kind("text", "글(TXT)", "이름을 .txt로 바꾸거나 --format txt를 주십시오")
