"""``thunder deid`` on a folder of bad files: each is named with its part, the rest goes on.

A table a format: what is wrong with a file, the part that is named, and the sentence. Nothing is
written of what is refused; what may be dropped is, and the report says so.
"""

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.documents.compound import Compound
from thunder.documents.pdf import reading

from . import docx_files as d
from . import hwp_file as w
from . import hwpx_files as h
from . import odt_files as o
from . import pdf_files as p
from . import test_pdf_reading as bad_pdf
from . import xlsx_files as x
from .canaries import packed, parts_of
from .test_hwpx import ENCRYPTED

NAME = "강도윤"
TEXT = f"피고인 {NAME}은 걸었다."
LOCKED = Compound({"EncryptionInfo": bytes(5000), "EncryptedPackage": bytes(5000)}, {}).written()
SCAN = ("1쪽", "스캔한 그림")

MAIN = {
    "hwpx": "Contents/section0.xml",
    "docx": "word/document.xml",
    "odt": "content.xml",
    "xlsx": "xl/worksheets/sheet1.xml",
}
MACROS = {
    "hwpx": "Scripts/headerScripts.js",
    "docx": "word/vbaProject.bin",
    "odt": "Basic/Standard/Module1.xml",
    "xlsx": "xl/vbaProject.bin",
}
SIGNATURES = {
    "hwpx": "META-INF/documentsignatures.xml",
    "docx": "_xmlsignatures/sig1.xml",
    "odt": "META-INF/documentsignatures.xml",
    "xlsx": "_xmlsignatures/sig1.xml",
}


def good(format: str) -> bytes:
    return {
        "hwpx": lambda: h.hwpx(h.paragraph(TEXT)),
        "docx": lambda: d.docx(d.paragraph(TEXT)),
        "odt": lambda: o.odt(o.paragraph(TEXT)),
        "xlsx": lambda: x.xlsx(x.sheet(x.row(1, x.inline("A1", TEXT)))),
        "hwp": lambda: w.Hwp([w.paragraph(TEXT)]).made(),
        "pdf": lambda: p.drawn(p.lines(TEXT)),
        "html": lambda: f"<html><body><p>{TEXT}</p></body></html>".encode(),
    }[format]()


def of_package(format: str) -> dict[str, tuple[bytes, str, str]]:
    """Return what may be wrong with a ZIP of parts: the file, the part, the sentence."""
    parts, main = parts_of(good(format)), MAIN[format]
    content = parts[main]
    body = content[content.index(b">", content.index(b"?>") + 2) + 1 :]

    def but(**changed: bytes) -> bytes:
        return packed({**parts, **changed})

    def told(content: bytes) -> bytes:
        return packed({**parts, main: content})

    deep = content.replace(body, b"<a>" * 1_000_000 + b"</a>" * 1_000_000 + body)
    entity = b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;&b;">]>'
    outside = b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'
    head = content[: content.index(b"?>") + 2]
    damaged = bytearray(packed(parts, stored=tuple(parts)))
    damaged[bytes(damaged).index(TEXT.encode()) + 3] ^= 1
    encrypted = packed({**parts, "META-INF/manifest.xml": ENCRYPTED})
    rows = {
        "signed": (but(**{SIGNATURES[format]: b"<a/>"}), SIGNATURES[format], "전자서명"),
        "cut": (packed(parts)[:-30], "", "깨진 ZIP"),
        "damaged": (bytes(damaged), main, "검사값과 다릅니다"),
        "a stream cut": (told(content[: len(content) // 2]), main, "줄에서 깨졌습니다"),
        "a bomb": (but(**{"bomb.xml": bytes(80 << 20)}), "bomb.xml", "압축 폭탄"),
        "a way out": (but(**{"../up.xml": b"1"}), "../up.xml", "밖을 가리킵니다"),
        "entities": (told(head + entity + content[len(head) :]), main, "DTD"),
        "a file from outside": (told(head + outside + content[len(head) :]), main, "DTD"),
        "a million elements in each other": (told(deep), main, "겹쳐"),
        "another encoding": (told(content.decode().encode("utf-16")), main, "UTF-8이 아닌"),
        "no part of text": (packed({n: c for n, c in parts.items() if n != main}), "*", ""),
    }
    if format in ("hwpx", "odt"):
        rows["locked"] = (encrypted, "META-INF/manifest.xml", "암호")
    else:
        rows["locked"] = (LOCKED, "", "암호가 걸린 DOCX, XLSX 파일입니다")
    return rows


def of_hwp() -> dict[str, tuple[bytes, str, str]]:
    def made(section: bytes = w.paragraph(TEXT), flags: int = w.COMPRESSED, **more: bytes) -> bytes:
        return w.Hwp([section], flags=flags, streams=more).made()

    section = "BodyText/Section0"
    whole = made()
    return {
        "locked": (made(flags=w.PASSWORD), "FileHeader", "암호"),
        "for distribution": (made(flags=w.DISTRIBUTION), "FileHeader", "배포용"),
        "signed": (made(flags=w.SIGNED), "FileHeader", "전자 서명"),
        "with rights": (made(flags=w.DRM), "FileHeader", "DRM"),
        "cut": (whole[: len(whole) // 2], "*", ""),
        "a stream cut": (made(w.paragraph(TEXT)[:-1]), section, "끝을 넘습니다"),
        "a damaged stream": (made(DocInfo=b"\xff" * 40), "DocInfo", "압축이 풀리지"),
        "a bomb": (made(bytes(200_000_000)), section, "지나치게 커집니다"),
        "a record nobody knows": (
            made(w.paragraph(TEXT) + w.record(1000, 0)),
            section,
            "모르는 레코드",
        ),
        "records in each other": (
            made(b"".join(w.record(66, level, bytes(24)) for level in range(200))),
            section,
            "너무 깊",
        ),
        "tracked": (
            made(w.paragraph(TEXT, ranges=((0, 2, 17 << 24),))),
            section,
            "변경 내용",
        ),
        "HWP 3": (b"HWP Document File V3.00 \x1a\1\2\3\4\5" + bytes(500), "", "HWP 3 파일입니다"),
    }


def of_pdf() -> dict[str, tuple[bytes, str, str]]:
    def file(damage: Callable[[pikepdf.Pdf], bytes]) -> bytes:
        data = p.operators(b"BT /F1 12 Tf 100 700 Td (Hong) Tj ET")
        return damage(pikepdf.open(io.BytesIO(data)))

    return {
        "locked": (file(bad_pdf._encrypted), "", "암호"),
        "locked against changes": (file(bad_pdf._open_encrypted), "", "암호화"),
        "signed": (file(bad_pdf._signed), "*", "전자서명"),
        "cut": (file(bad_pdf._truncated), "", "손상"),
        "a bomb": (file(bad_pdf._bomb), "*", "너무 커지는"),
        "a form of XFA": (file(bad_pdf._xfa), "*", "XFA"),
        "files in a file": (file(bad_pdf._portfolio), "*", "포트폴리오"),
        "no letters": (file(bad_pdf._no_map), "1쪽", "글꼴에 문자표"),
        "a scan": (file(bad_pdf._scan), *SCAN),
        "arrays in each other": (
            p.operators(b"[" * 200_000 + b"]" * 200_000),
            "1쪽",
            "손상",
        ),
        "pages in a circle": (file(_circle), "", "손상"),
        "curves": (file(bad_pdf._curves), "1쪽", "글자가 곡선"),
    }


def _circle(file: pikepdf.Pdf) -> bytes:
    file.Root.Pages.Kids.append(file.Root.Pages)
    return p.saved(file)


def of_html() -> dict[str, tuple[bytes, str, str]]:
    said = TEXT.encode()
    return {
        "damaged letters": (b"<html><p>" + said[:-3] + b"\xff\xfe\xff", "문서", "UTF-8"),
        "no text": (b"<html><p> </p>", "", "본문이 비어 있습니다"),
        "binary": (bytes(range(256)) * 20, "문서", "글자 인코딩을 알 수 없습니다"),
    }


BAD: dict[str, dict[str, tuple[bytes, str, str]]] = {}


def table(format: str) -> dict[str, tuple[bytes, str, str]]:
    if format not in BAD:
        own = {"hwp": of_hwp, "pdf": of_pdf, "html": of_html}
        BAD[format] = own[format]() if format in own else of_package(format)
    return BAD[format]


def run(folder: Path, *words: object):
    words = ("deid", "--model", "none", folder / "in", "-o", folder / "out", *words)
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.mark.parametrize("format", ["hwpx", "hwp", "docx", "odt", "xlsx", "pdf", "html"])
def test_what_is_bad_is_refused_by_name_and_the_rest_goes_on(tmp_path, format, monkeypatch):
    if format == "pdf":
        monkeypatch.setattr(reading, "MOST_INFLATED", 1 << 20)
    inside = tmp_path / "in"
    inside.mkdir()
    rows = table(format)
    for number, (data, _, _) in enumerate(rows.values()):
        (inside / f"{number}.{format}").write_bytes(data)
    (inside / f"a.{format}").write_bytes(good(format))
    (inside / "z.txt").write_text(TEXT)
    audit, report = tmp_path / "audit", tmp_path / "report"
    done = run(tmp_path, "--audit", audit, "--report", report)
    assert done.exit_code == 1
    assert "Traceback" not in done.stderr
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == [f"a.{format}", "z.txt"]
    said = {line.partition(": ")[0]: line for line in done.stderr.splitlines() if " — " in line}
    for number, (what, (_, part, reason)) in enumerate(rows.items()):
        line = said.get(f"{number}.{format}", "")
        assert line, what
        assert line.startswith(f"{number}.{format}: " + (f"{part}: " if part not in "*" else ""))
        assert reason in line, what
        assert line.rpartition(" — ")[2], f"{what}: what to do"
        assert f"## {number}.{format}\n\n**내지 않음**" in report.read_text()
    for written in (done.stderr, audit.read_text(), report.read_text()):
        assert NAME not in written


@pytest.mark.parametrize("format", ["hwpx", "docx", "odt", "xlsx"])
def test_what_nobody_knows_and_macros_are_dropped(tmp_path, format):
    (tmp_path / "in").mkdir()
    odd, macro = "Odd/unknown.bin", MACROS[format]
    parts = {**parts_of(good(format)), odd: TEXT.encode(), macro: f"<a>{TEXT}</a>"}
    (tmp_path / "in" / f"a.{format}").write_bytes(packed(parts))
    report = tmp_path / "report"
    done = run(tmp_path, "--report", report)
    assert done.exit_code == 0
    left = parts_of((tmp_path / "out" / f"a.{format}").read_bytes())
    assert set(parts) - set(left) == {odd, macro}
    assert f"- 없앰 `{odd}`: 모르는 부분" in report.read_text()
    assert f"- 없앰 `{macro}`: " in report.read_text()


def interleaved() -> bytes:
    """Return an HWPX in which what a mask takes out stands twice in one paragraph."""
    twice = f"<hp:linesegarray>{h.CACHE}</hp:linesegarray>"
    return packed(dict(h.parts(h.section(h.paragraph(TEXT)).replace(h.CACHE, twice))))


@pytest.mark.parametrize(
    ("name", "data", "letter", "part", "reason"),
    [
        ("a.hwpx", interleaved(), "", "Contents/section0.xml", "요소가 뒤섞여 있어"),
        (
            *("a.xlsx", x.xlsx(x.sheet(), name=NAME)),
            *("A" * 32, "xl/workbook.xml", "시트의 이름이 될 수 없습니다"),
        ),
        ("a.pdf", good("pdf"), "𓀀", "", "글꼴이 없습니다"),
        ("a.html", f"<meta charset=euc-kr><p>{TEXT}".encode("cp949"), "𓀀", "문서", "CP949로 적을"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused_by_name(tmp_path, name, data, letter, part, reason):
    inside, names = tmp_path / "in", tmp_path / "names"
    inside.mkdir()
    (inside / name).write_bytes(data)
    (inside / "z.txt").write_text(TEXT)
    names.write_text(f"{NAME}\t내국인이름\t{letter}\n")
    done = run(tmp_path, "--names", names)
    assert done.exit_code == 1
    assert f"{name}: " + (f"{part}: " if part else "") in done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["z.txt"]
    alone = CliRunner().invoke(
        app, ["deid", "--model", "none", "--names", str(names), str(inside / name)]
    )
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert NAME not in done.stderr + alone.stderr
