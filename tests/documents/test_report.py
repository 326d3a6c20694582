"""``--report``: what was dropped, cleaned and kept of each file; no secret is left anywhere."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.documents.detecting import opener
from thunder.documents.part_names import is_of_format

from . import hwpx_files as h
from . import (
    test_docx,
    test_html,
    test_hwp_writing,
    test_hwpx,
    test_odt,
    test_pdf_scrubbing,
    test_xlsx,
)
from .canaries import Canaries, packed
from .hwp_file import PASSWORD, Hwp, paragraph


def run(folder: Path, *words: object):
    words = ("deid", "--model", "none", "--force", folder / "in", "-o", folder / "out", *words)
    return CliRunner().invoke(app, [str(word) for word in words])


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def hiding(format: str) -> tuple[dict[str, bytes], list[str]]:
    """Return files with a secret in every place that a format hides one in, and the secrets."""
    packages = {"hwpx": test_hwpx, "docx": test_docx, "odt": test_odt, "xlsx": test_xlsx}
    if format in packages:
        secret = Canaries()
        return {"all": packages[format]._hiding(secret)}, list(secret.places)
    if format == "pdf":
        return {"all": test_pdf_scrubbing._canary()}, [test_pdf_scrubbing.SECRET]
    if format == "hwp":
        places = test_hwp_writing.HIDING_PLACES.values()
        files = {str(number): file.made() for number, (file, _) in enumerate(places)}
        return files, [test_hwp_writing.SECRET]
    pages = {
        str(number): f"<html><body>앞{said}".encode()
        for number, said in enumerate(test_html.PLACES.values())
    }
    return pages, [test_html.SECRET]


@pytest.mark.parametrize("format", ["hwpx", "hwp", "docx", "odt", "xlsx", "html", "pdf"])
def test_no_secret_is_left_and_each_place_is_reported(tmp_path, format):
    files, secrets = hiding(format)
    for name, data in files.items():
        write(tmp_path / "in" / f"{name}.{format}", data)
    report, audit = tmp_path / "report.md", tmp_path / "audit"
    done = run(tmp_path, "--report", report, "--audit", audit)
    assert "Traceback" not in done.stderr
    said = report.read_text()
    assert report.stat().st_mode & 0o777 == 0o600
    for name, data in files.items():
        out = tmp_path / "out" / f"{name}.{format}"
        parts = [
            out.read_bytes(),
            *(part for _, part in opener(format)(out.read_bytes()).strings()),
        ]
        codes = ("utf-8", "utf-16-le", "utf-16-be", "cp949")
        forms = [secret.encode(code) for secret in secrets for code in codes]
        assert not [form for form in forms if any(form in part for part in parts)]
        of_file = said.partition(f"\n## {name}.{format}\n")[2].partition("\n## ")[0]
        scrubbed = opener(format)(data).written([]).scrubbed
        assert scrubbed
        for one in scrubbed:
            line = next(line for line in of_file.splitlines() if f"`{one.part or '파일'}`:" in line
                        and line.startswith(f"- {DID[one.action]} "))  # fmt: skip
            assert one.reason in line
    for secret in secrets:
        assert secret not in audit.read_text() + done.stderr
    assert said.endswith(
        f"문서 {len(files)}건 가운데 {len(files)}건을 냈고 0건을 내지 않았습니다.\n"
    )


DID = {"dropped": "없앰", "cleaned": "고침", "kept": "남김"}


def test_names_of_parts_are_veiled_in_the_audit_and_readable_in_report_and_mapping(tmp_path):
    parts = h.parts(h.section(h.paragraph("글")))
    odd = {"BinData/강도윤.dat": b"?", "Custom/kang.png": b"?", "BinData/image870314.dat": b"?"}
    write(tmp_path / "in" / "a.hwpx", packed({**parts, "BinData/image1.dat": b"?", **odd}))
    broken = packed({**parts, "강도윤/section0.xml": b"12345"}, stored=("강도윤/section0.xml",))
    write(tmp_path / "in" / "b.hwpx", broken.replace(b"12345", b"12346"))
    paths = [tmp_path / name for name in ("report.md", "audit", "mapping")]
    report, audit, mapping = paths
    done = run(tmp_path, "--report", report, "--audit", audit, "--mapping", mapping)
    assert "b.hwpx: 강도윤/section0.xml: 내용이 적힌 길이나 검사값과 다릅니다" in done.stderr
    said = audit.read_text()
    assert "image1.dat" in said
    entries = [json.loads(line) for line in mapping.read_text().splitlines()]
    veiled = {one["name"]: one["hmac"] for one in entries if one["record"] == "name"}
    for name in (*odd, "강도윤/section0.xml"):
        assert name not in said
        assert veiled[name] in said
        assert f"`{name}`" in report.read_text()


def test_what_is_held_back_and_what_is_cut_off_is_reported(tmp_path):
    write(tmp_path / "in" / "a.hwp", Hwp([paragraph("글")], flags=PASSWORD).made())
    write(tmp_path / "in" / "b.txt", "피고인 강도윤은 걸었다.".encode())
    report = tmp_path / "report.md"
    assert run(tmp_path, "--report", report).exit_code == 1
    said = report.read_text()
    assert "## a.hwp\n\n**내지 않음** — `FileHeader`: 암호가 걸린 문서입니다 — " in said
    assert "강도윤" not in said
    assert said.endswith("문서 2건 가운데 1건을 냈고 1건을 내지 않았습니다.\n")
    report.unlink()
    assert run(tmp_path, "--report", tmp_path / "in" / "b.txt").exit_code == 2


@pytest.mark.parametrize(
    ("name", "is_plain"),
    [
        ("Contents/section0.xml", True),
        ("BinData/BIN0001.OLE/OlePres000", True),
        ("META-INF/container.rdf", True),
        ("word/media/image12.png", True),
        ("xl/worksheets/_rels/sheet1.xml.rels", True),
        ("[Content_Types].xml", True),
        ("\x05HwpSummaryInformation", True),
        ("3쪽 Annots", True),
        ("그 밖의 속성", True),
        ("<script>", True),
        ("", True),
        ("word/media/kim.png", False),
        ("BinData/강도윤.png", False),
        ("BinData/image870314.png", False),
        ("BinData/010-1234-5678.png", False),
        ("BinData/010.1234.5678.png", False),
        ("1쪽 Hong", False),
        ("word/mediaKim/image1.png", False),
    ],
)
def test_which_names_of_parts_name_nobody(name, is_plain):
    assert is_of_format(name) is is_plain
