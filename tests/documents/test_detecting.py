"""What a file is, told by what is in it: named in Korean, with what to do."""

import io
import struct
import sys
import zipfile

import pytest

from thunder.documents import detecting
from thunder.documents.detecting import OPENERS, detect, opener, require_known
from thunder.documents.segments import Refused

from . import docx_files as d
from . import xlsx_files as x


def package(*names: str, mimetype: str = "") -> bytes:
    """Return a ZIP with empty entries of these names."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as written:
        if mimetype:
            written.writestr("mimetype", mimetype)
        for name in names:
            written.writestr(name, b"")
    return stream.getvalue()


def compound(*names: str) -> bytes:
    """Return a compound file with nothing but a directory of these names."""
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<HHHHH", header, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into("<III", header, 44, 1, 1, 0)  # a sector of the table; the directory is at 1
    struct.pack_into("<109I", header, 76, 0, *[0xFFFFFFFF] * 108)
    sectors = -(-(len(names) + 1) // 4)
    follows = [0xFFFFFFFD, *range(2, 1 + sectors), 0xFFFFFFFE]
    table = struct.pack("<128I", *(follows + [0xFFFFFFFF] * (128 - len(follows))))
    entries = b""
    for name in ("Root Entry", *names):
        said = (name + "\0").encode("utf-16-le")
        entries += said.ljust(64, b"\0") + struct.pack("<H", len(said)) + bytes(62)
    return bytes(header) + table + entries.ljust(512 * sectors, b"\0")


KNOWN = [
    ("html", b"<!DOCTYPE html><p>"),
    ("html", "\ufeff\n<!-- 가 -->\n<HTML>".encode()),
    ("html", "<html><p>가".encode("utf-16")),
    ("html", b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN">'),
    ("hwpx", package("Contents/section0.xml", mimetype="application/hwp+zip")),
    ("hwpx", package("version.xml", "Contents/content.hpf")),
    ("docx", package("[Content_Types].xml", "word/document.xml")),
    ("docx", d.docx(d.paragraph("글"), main="word/document2.xml")),
    ("docx", d.docx(d.paragraph("글"), main="elsewhere/main.xml")),
    ("xlsx", x.xlsx(x.sheet(), main="xl/workbook3.xml")),
    ("xlsx", package("[Content_Types].xml", "xl/workbook.xml")),
    ("odt", package("content.xml", mimetype="application/vnd.oasis.opendocument.text")),
    ("hwp", compound("FileHeader", "DocInfo", "BodyText")),
    ("hwp", compound(*(f"Section{n}" for n in range(20)), "FileHeader")),
    ("pdf", b"%PDF-1.7\n"),
    ("pdf", b"\xef\xbb\xbf\r\n%PDF-1.4\n"),
    ("text", "피고인은 걸었다.".encode()),
    ("text", "피고인은 걸었다.".encode("cp949")),
    ("text", "피고인 <b>A</b>".encode()),
]


@pytest.mark.parametrize(("format", "data"), KNOWN)
def test_what_is_known_is_told_by_its_content(format, data):
    assert detect(data).format == format


OTHERS = [
    ("HWP 3", "HWPX", b"HWP Document File V3.00 \x1a\1\2\3\4\5" + bytes(200)),
    ("HWPML", "HWPX", b'<?xml version="1.0"?><HWPML Version="2.8">'),
    ("DOC", "DOCX", compound("WordDocument", "1Table")),
    ("XLS", "XLSX", compound("Workbook")),
    ("XLS", "XLSX", compound("Book")),
    ("PPT", "PDF", compound("PowerPoint Document")),
    ("암호", "암호를 풀고", compound("EncryptionInfo", "EncryptedPackage")),
    ("MSG", "PDF", compound("__properties_version1.0")),
    ("복합", "형식", compound("Something")),
    ("복합", "형식", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("RTF", "DOCX", b"{\\rtf1\\ansi"),
    ("PNG", "--ocr", b"\x89PNG\r\n"),
    ("JPEG", "--ocr", b"\xff\xd8\xff\xe0"),
    ("gzip", "풀어서", b"\x1f\x8b\x08"),
    ("ALZ", "풀어서", b"ALZ\x01\n"),
    ("보안", "보안을 풀고", b"SCDSA002"),
    ("PPTX", "PDF", package("ppt/presentation.xml")),
    ("PPTX", "PDF", d.docx(main="ppt/p2.xml", kind="presentationml.presentation.main+xml")),
    ("XLSB", "XLSX", package("xl/workbook.bin")),
    ("ODS", "XLSX", package(mimetype="application/vnd.oasis.opendocument.spreadsheet")),
    ("ZIP", "풀어서", package("a.txt")),
    ("깨진 ZIP", "원본", package("a.txt")[:-30]),
    ("MHT", "PDF", b"MIME-Version: 1.0\r\nContent-Type: multipart/related"),
    ("형식을 알 수 없는", "원본", bytes(range(64)) * 32),
    ("TXT", "--format txt", "피고인은 걸었다.".encode()),
]


@pytest.mark.parametrize(("name", "cure", "data"), OTHERS, ids=[one[0] for one in OTHERS])
def test_what_is_not_read_is_named_with_what_to_do(name, cure, data):
    with pytest.raises(Refused) as refused:
        require_known(data)
    assert name in refused.value.reason
    assert cure in refused.value.cure


def test_every_format_that_a_suffix_promises_is_opened_by_a_module():
    assert set(detecting.SUFFIXES.values()) == set(OPENERS)
    assert set(OPENERS) <= set(detecting.NAMES)


def test_without_the_extra_the_message_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(OPENERS, "docx", "thunder.documents.html")
    monkeypatch.setitem(sys.modules, "base64", None)
    monkeypatch.delitem(sys.modules, "thunder.documents.html", raising=False)
    with pytest.raises(Refused) as refused:
        opener("html")
    assert "pip install 'thunder-deid[documents]'" in str(refused.value)


@pytest.mark.parametrize("cut", [1, 7, 8, 100, 511, 512, 600, 1024, 1100])
def test_a_cut_file_is_named_too(cut):
    for data in (compound("FileHeader"), package("word/document.xml")):
        assert detect(data[:cut]).name


def test_a_directory_that_runs_in_a_circle_ends():
    data = bytearray(compound("a", "b", "c", "d"))
    struct.pack_into("<I", data, 512 + 4, 1)  # after sector 1 comes sector 1
    assert "복합" in detect(bytes(data)).name
