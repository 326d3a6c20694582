"""``thunder deid`` on files with pages: what comes out, what is said, what is held back."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.documents.detecting import opener
from thunder.documents.html import HtmlDocument
from thunder.documents.segments import Document, Kind

from . import docx_files as d
from . import hwpx_files as h
from . import odt_files as o
from . import pdf_files as p
from . import xlsx_files as x
from .hwp_file import Hwp, paragraph, table
from .test_pdf_scans import needs_tesseract, scanned

NAME = "강도윤"
PAGE = f"""<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="author" content="{NAME}">
<title>판결</title></head><body><!-- {NAME} --><p>피고인 <b>강</b>도윤은 걸었다.</p>
<table><tr><th>성명</th><th>주소</th></tr><tr><td>{NAME}</td><td>서울 종로구</td></tr></table>
<img alt="그림" src="data:image/png;base64,Ym9keQ=="></body></html>
"""


def run(*words: object, stdin: bytes | str | None = None):
    words = ("deid", "--model", "none", *words)
    return CliRunner().invoke(app, list(map(str, words)), input=stdin)


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def of_kind(path: Path, kind: str) -> list[dict]:
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    return [entry for entry in entries if entry["record"] == kind]


@pytest.fixture
def page(tmp_path) -> Path:
    return write(tmp_path / "판결문.html", PAGE)


def test_one_document_in_the_same_document_out(tmp_path, page):
    out, audit, mapping = (tmp_path / name for name in ("out.html", "audit", "mapping"))
    done = run(page, "-o", out, "--audit", audit, "--mapping", mapping)
    assert done.exit_code == 0
    written = out.read_text()
    assert "<p>피고인 <b>A</b>은 걸었다.</p>" in written
    assert "<td>A</td><td>서울 종로구</td>" in written
    assert NAME not in written
    assert "author" not in written
    said = audit.read_text()
    assert NAME not in said
    [entry] = of_kind(audit, "document")
    assert entry["format"] == "html"
    parts = {one["part"]: one["action"] for one in entry["scrubbed"]}
    assert parts == {"meta": "dropped", "주석": "dropped", "data:": "kept"}
    assert entry["leak_scan"]["found"] == 0
    assert entry["leak_scan"]["wordings"] == 1
    [replaced] = of_kind(mapping, "replacement")
    assert (replaced["replacement"], replaced["originals"]) == ("A", [NAME])
    assert "그림 등 글로 읽지 못하는 곳 1개" in done.stderr


def test_what_a_file_is_counts_and_not_its_name(tmp_path):
    pdf = write(tmp_path / "a.html", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    done = run(pdf, "-o", tmp_path / "out.html")
    assert done.exit_code == 1
    assert "a.html: HWP도 옛 오피스 문서도 아닌 복합 파일입니다 — " in done.stderr
    assert not (tmp_path / "out.html").exists()
    done = run(write(tmp_path / "b.txt", b"HWP Document File V3.00 \x1a"), "-o", tmp_path / "o")
    assert "b.txt: HWP 3 파일입니다 — 한글에서 HWPX로 저장해 넣으십시오" in done.stderr
    part = write(tmp_path / "c.htm", f"피고인 {NAME}은 <b>걸었다</b>.")
    done = run(part)
    assert done.stdout == "피고인 A은 <b>걸었다</b>."


@pytest.mark.parametrize("workers", [1, 2])
def test_a_folder_of_texts_tables_and_documents_keeps_its_names(tmp_path, page, workers):
    inside = tmp_path / "in"
    write(inside / "a.txt", f"피고인 {NAME}은 걸었다.")
    write(inside / "b" / "c.html", PAGE)
    write(inside / "d.jsonl", json.dumps({"text": f"피고인 {NAME}은 걸었다."}))
    write(inside / "e.html", "<p> </p>")
    out = tmp_path / "out"
    done = run(inside, "-o", out, "--workers", workers)
    assert done.exit_code == 1
    assert "e.html: 본문이 비어 있습니다" in done.stderr
    names = sorted(str(one.relative_to(out)) for one in out.rglob("*.*"))
    assert names == ["a.txt", "b/c.html", "d.jsonl"]
    assert all(NAME not in (out / name).read_text() for name in names)


def test_documents_come_through_pipes(page):
    done = run("--format", "html", stdin=page.read_bytes())
    assert "<b>A</b>은" in done.stdout
    assert done.exit_code == 0


def test_lists_of_names_and_words_that_stay_count_in_documents(tmp_path, page):
    names = write(tmp_path / "names", "걸었다\t내국인이름\tZ\n")
    keep = write(tmp_path / "keep", f"{NAME}\n")
    done = run(page, "--names", names, "--keep", keep)
    assert "<b>강</b>도윤은 Z.</p>" in done.stdout


def test_the_page_shows_the_structure(tmp_path, page):
    shown = tmp_path / "shown.html"
    assert run(page, "-o", tmp_path / "out.html", "--html", shown).exit_code == 0
    html = shown.read_text()
    assert '<span class="part">표</span>' in html
    assert '<span class="edge">\t</span>' in html
    assert html.count('<tr><th scope="row">') == 5
    assert '<span class="part">설명</span>' in html


@pytest.mark.parametrize("workers", [1, 2])
def test_the_files_of_a_folder_are_one_case_where_that_is_asked(tmp_path, page, workers):
    inside = tmp_path / "in"
    write(inside / "1.html", f"<p>원고 이서연, 피고 {NAME}")
    write(inside / "2.html", f"<p>피고 {NAME}은 걸었다.")
    write(inside / "3.jsonl", json.dumps({"text": f"피고 {NAME}, 원고 이서연"}))
    write(inside / "다른 사건" / "1.html", f"<p>피고 {NAME}은 걸었다.")
    out, audit = tmp_path / "out", tmp_path / "audit"
    words = ("--case", "--workers", workers, "--audit", audit)
    assert run(inside, "-o", out, *words).exit_code == 0
    assert (out / "1.html").read_text() == "<p>원고 A, 피고 B"
    assert (out / "2.html").read_text() == "<p>피고 B은 걸었다."
    assert json.loads((out / "3.jsonl").read_text())["text"] == "피고 B, 원고 A"
    assert (out / "다른 사건" / "1.html").read_text() == "<p>피고 A은 걸었다."
    assert len(of_kind(audit, "document")) == len(of_kind(audit, "file")) == 4


def test_tables_whose_cells_name_files(tmp_path):
    inside = tmp_path / "in"
    write(inside / "가" / "1.html", f"<p>피고 {NAME}은 걸었다.")
    write(inside / "가" / "2.txt", f"피고 {NAME}은 걸었다.")
    write(tmp_path / "밖.txt", f"피고 {NAME}은 걸었다.")
    rows = [
        "번호,파일",
        "1,가/1.html",
        "2,./가/2.txt",
        "3,../밖.txt",
        "4,없다.hwp",
        "5,",
        "6,가/1.html",
    ]
    table = write(inside / "목록.csv", "\n".join(rows))
    out, audit = tmp_path / "out", tmp_path / "audit"
    done = run(table, "-o", out, "--file-column", "파일", "--audit", audit)
    assert done.exit_code == 1
    assert "목록.csv:4: 표가 있는 폴더 밖의 파일입니다" in done.stderr
    assert "목록.csv:5: 표에 적힌 파일이 없습니다" in done.stderr
    assert "목록.csv:6: 본문이 비어 있습니다" in done.stderr
    names = sorted(str(one.relative_to(out)) for one in out.rglob("*.*"))
    assert names == ["가/1.html", "가/2.txt"]
    assert (out / "가" / "1.html").read_text() == "<p>피고 A은 걸었다."
    assert len(of_kind(audit, "failure")) == 3
    one = write(inside / "하나.csv", "파일\n가/2.txt\n")
    assert run(one, "-o", tmp_path / "out2", "--file-column", "파일").exit_code == 0
    assert (tmp_path / "out2" / "가" / "2.txt").read_text() == "피고 A은 걸었다."
    assert run(table, "-o", tmp_path / "out3", "--file-column", "없는 열").exit_code == 1
    assert not (tmp_path / "out3").exists()


def every_format() -> dict[str, bytes]:
    """Return a small judgment in each format, its defendant's name over two runs in a cell."""
    first, name, cell = "피고인 강", "도윤은 걸었다.", ("성명", NAME)
    runs = h.paragraph(h.run(h.words(first)), h.run(h.words(name)))
    return {
        "html": f"<p><b>{first}</b>{name}<table><tr><td>성명<td>{NAME}</table>".encode(),
        "hwpx": h.hwpx(runs, h.paragraph(h.run(h.table(cell)))),
        "docx": d.docx(d.paragraph(d.words(first), d.words(name)), d.table(cell)),
        "xlsx": x.xlsx(
            x.sheet(
                x.row(1, x.inline("A1", first + name)),
                x.row(2, x.inline("A2", cell[0]), x.inline("B2", cell[1])),
            )
        ),
        "odt": o.odt(o.paragraph(first, name), o.table(cell)),
        "pdf": p.drawn(p.lines(first + name, " ".join(cell))),
        "hwp": Hwp([paragraph(first + name) + table(0, [list(cell)])]).made(),
    }


def said(document: Document) -> list[tuple[str, Kind]]:
    """Return what each segment says, without blanks: a PDF has none but gaps."""
    return [("".join(one.text.split()), one.kind) for one in document.segments]


@pytest.mark.parametrize("format", every_format())
def test_every_format_comes_back_as_itself(tmp_path, format):
    source = write(tmp_path / f"판결문.{format}", every_format()[format])
    before = opener(format)(source.read_bytes())
    assert "".join(one.text for one in before.segments).count(NAME) == 2
    out, audit = tmp_path / f"공개본.{format}", tmp_path / "audit"
    done = run(source, "-o", out, "--audit", audit)
    assert (done.exit_code, done.stderr.count("주의")) == (0, 0)
    after = opener(format)(out.read_bytes())
    assert said(after) == [(text.replace(NAME, "A"), kind) for text, kind in said(before)]
    assert of_kind(audit, "document")[0]["format"] == format
    assert NAME not in audit.read_text()


def test_one_case_in_every_format(tmp_path):
    inside, out = tmp_path / "in", tmp_path / "out"
    write(inside / "0.txt", "원고 이서연은 걸었다.")
    for format, data in every_format().items():
        write(inside / f"1.{format}", data)
    done = run(inside, "-o", out, "--case", "--audit", tmp_path / "audit")
    assert done.exit_code == 0
    for format in every_format():
        document = opener(format)((out / f"1.{format}").read_bytes())
        assert "피고인B은걸었다." in said(document)[0][0]


@pytest.mark.slow
@needs_tesseract
def test_a_scan_is_read_only_where_that_is_asked(tmp_path):
    source = write(tmp_path / "a.pdf", scanned(f"피고인 {NAME}은 걸었다.", "그리고 뛰었다."))
    done = run(source, "-o", tmp_path / "out.pdf")
    assert done.exit_code == 1
    assert "--ocr" in done.stderr
    done = run(source, "-o", tmp_path / "out.pdf", "--ocr")
    assert done.exit_code == 0
    assert "1쪽을 OCR로 읽었습니다" in done.stderr
    read = CliRunner().invoke(app, ["text", "--ocr", str(tmp_path / "out.pdf")]).stdout
    assert NAME not in "".join(read.split())
    assert "뛰었다" in "".join(read.split())


# --- the search for leaks ----------------------------------------------------------------------


def leaking(monkeypatch, change):
    """Let HTML be written as *change* makes of it: a format that does not do its work."""
    honest = HtmlDocument.written

    def written(self, masks, *, scrub=True):
        result = honest(self, masks, scrub=scrub)
        return type(result)(change(result.data), result.scrubbed)

    monkeypatch.setattr(HtmlDocument, "written", written)


LEAKS = {
    "in a place that is not read": (
        lambda data: data.replace(b"<body>", f"<body data-x='{NAME}'>".encode()),
        "결과의 문서에 가린 말이 남았습니다",
    ),
    "in a picture's data": (
        lambda data: data.replace(b"Ym9keQ==", b"6rCV64+E7Jyk"),
        "결과의 data:1에 가린 말이 남았습니다",
    ),
    "in its place": (
        lambda data: data.replace(b"<td>A</td>", f"<td>{NAME}</td>".encode()),
        "글이 정한 것과 다릅니다",
    ),
    "beside its place": (
        lambda data: data.replace(b"</table>", f"</table>{NAME}".encode()),
        "글이 정한 것과 다릅니다",
    ),
    "at its end": (
        lambda data: data.replace(b"</body>", f"<p>{NAME}</p>".encode()),
        "정하지 않은 글이 더 있습니다",
    ),
    "another word changed": (
        lambda data: data.replace("종로구".encode(), "중구".encode()),
        "글이 정한 것과 다릅니다",
    ),
    "no page any more": (lambda data: b"%PDF-", "다시 열지 못했습니다"),
}


@pytest.mark.parametrize("place", LEAKS)
def test_a_result_that_leaks_is_held_back(tmp_path, page, monkeypatch, place):
    change, reason = LEAKS[place]
    leaking(monkeypatch, change)
    other = write(tmp_path / "b.txt", f"피고인 {NAME}은 걸었다.")
    out, audit, mapping = (tmp_path / name for name in ("out", "audit", "mapping"))
    done = run(page, other, "-o", out, "--audit", audit, "--mapping", mapping)
    assert done.exit_code == 1
    assert "판결문.html: " in done.stderr
    assert reason in done.stderr
    assert [one.name for one in out.iterdir()] == ["b.txt"]
    assert len(of_kind(audit, "failure")) == 1
    assert NAME not in audit.read_text()
    assert NAME not in done.stderr
    assert len(of_kind(audit, "document")) == 1
    assert run(page).stdout == ""


def test_what_one_file_of_a_case_masks_is_looked_for_in_all(tmp_path, monkeypatch):
    inside = tmp_path / "in"
    write(inside / "1.html", f"<p>원고 이서연, 피고 {NAME}")
    write(inside / "2.html", "<body><p>원고 이서연은 걸었다.")
    write(inside / f"{NAME} 메모.txt", "날씨가 맑았다.")
    leaking(monkeypatch, lambda data: data.replace(b"<body>", f"<body data-x='{NAME}'>".encode()))
    done = run(inside, "-o", tmp_path / "out")
    assert "가린 말" not in done.stderr
    done = run(inside, "-o", tmp_path / "case", "--case", "--force")
    assert done.exit_code == 1
    assert "2.html: 결과의 문서에 가린 말이 남았습니다" in done.stderr
    assert f"{NAME} 메모.txt: 주의: 파일 이름에 가린 말이 그대로 있습니다" in done.stderr
    assert sorted(one.name for one in (tmp_path / "case").iterdir()) == [
        "1.html",
        f"{NAME} 메모.txt",
    ]


def test_a_word_that_another_file_of_the_case_keeps_by_decision_is_no_leak(tmp_path):
    inside = tmp_path / "in"
    write(inside / "1.html", f"<p>원고 이서연, 피고 {NAME}")
    write(inside / "2.html", f"<p>원고 이서연은 {NAME}거리를 걸었다.")
    done = run(inside, "-o", tmp_path / "case", "--case")
    assert done.exit_code == 0
    assert f"{NAME}거리" in (tmp_path / "case" / "2.html").read_text()
