"""Masked files, drawn by foreign programs beside what they were made from.

A judgment has a name in its body (over two runs), a table, a note, its header, a text box and a
memo. The command masks it; then each program that opens the format draws both. The pages are as
many, every line is the old one with its letters in place of the names, and no word of the other
lines has moved.
"""

import json
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.documents.compound import Compound

from . import drawing, office_files
from .drawing import Pages
from .office_files import NAMES
from .test_pdf_scans import needs_tesseract

pytestmark = pytest.mark.slow

TOLERANCE = 0.6  # points: a fifth of a millimetre
HEIGHT = 6.0  # points: half a line


def masked(folder: Path, source: Path, *options: str) -> tuple[Path, dict[str, str]]:
    """Return the file that the command makes of *source*, and the letter of each name."""
    names, out, mapping = folder / "names.tsv", folder / f"out{source.suffix}", folder / "mapping"
    names.write_text("".join(f"{name}\t내국인이름\n" for name in NAMES))
    words = ("deid", "--model", "none", "--names", names, source, "-o", out, "--mapping", mapping)
    done = CliRunner().invoke(app, [*map(str, words), *options])
    assert done.exit_code == 0, done.stderr
    letters = {}
    for line in mapping.read_text().splitlines():
        entry = json.loads(line)
        if entry["record"] == "replacement":
            letters |= {original: entry["replacement"] for original in entry["originals"]}
    return out, letters


def assert_drawn_alike(before: Pages, after: Pages, letters: dict[str, str]) -> None:
    """Hold the pages of a masked file against those of its source."""

    def after_masking(text: str) -> str:
        for name, letter in letters.items():
            text = text.replace(name, letter)
        return text

    shown = "".join(line.text for page in before for line in page)
    assert len(before) == len(after) > 0
    for name in NAMES:
        assert name not in "".join(line.text for page in after for line in page)
    assert sum(name in shown for name in NAMES) >= 2, "the program shows too little of the file"
    for old, new in zip(before, after, strict=True):
        said = "".join(line.text for line in new)
        expected = [after_masking(line.text) for line in old]
        assert Counter(said) == Counter("".join(expected))
        assert all(text in said for text in expected)
        there = [word for line in new for word in line.words]
        masked_lines = [line for line in old if after_masking(line.text) != line.text]
        moving = [place for line in masked_lines for place in line.words]
        for line in old:
            for word, x, y in line.words:
                # A raised or bold word may be read as a line of its own: it moves with its line.
                if any(left <= x and abs(y - base) <= HEIGHT for _, left, base in moving):
                    continue
                assert any(
                    word == other and abs(x - left) <= TOLERANCE and abs(y - base) <= TOLERANCE
                    for other, left, base in there
                ), f"{word!r} has moved from {x:.1f}, {y:.1f}"


def assert_nothing_left(path: Path) -> None:
    """Look for the names in every part of a ZIP."""
    with zipfile.ZipFile(path) as package:
        for part in package.namelist():
            content = package.read(part)
            for name in NAMES:
                for code in ("utf-8", "utf-16-le", "cp949"):
                    assert name.encode(code) not in content, part


def written(folder: Path, kind: str) -> Path:
    """Return the judgment, or the list, as LibreOffice writes it in a format."""
    source = folder / ("list.fods" if kind == "xlsx" else "judgment.fodt")
    sheet = source.suffix == ".fods"
    source.write_text(office_files.calc_source() if sheet else office_files.writer_source())
    [made] = drawing.office(kind, folder, source)
    return made


def judgment_for_hangul(folder: Path, kind: str) -> Path:
    """Return the judgment as python-hwpx writes it, or as @rhwp/core makes HWP of that."""
    pytest.importorskip("hwpx", reason="needs python-hwpx, which writes the judgment")
    source = folder / "judgment.hwpx"
    source.write_bytes(office_files.hwpx())
    if kind == "hwp":
        drawing.rhwp("--hwp", source, source.with_suffix(".hwp"))
        source = source.with_suffix(".hwp")
        made = Compound.read(source.read_bytes())
        # A stream that only @rhwp/core knows: with it, objects stand where they stand in HWPX.
        del made.streams["RhwpHwpxOrigin"]
        source.write_bytes(Compound(made.streams, made.storages).written())
    return source


@pytest.mark.parametrize("kind", ["docx", "odt", "xlsx", "html"])
def test_libreoffice_draws_what_it_drew(tmp_path, kind):
    source = written(tmp_path, kind)
    out, letters = masked(tmp_path, source)
    before, after = drawing.by_libreoffice(source, out)
    assert_drawn_alike(before, after, letters)
    if kind != "html":
        assert_nothing_left(out)


@pytest.mark.parametrize("reader", [drawing.by_poppler, drawing.by_pdfium])
def test_two_programs_draw_a_pdf_as_it_was(tmp_path, reader: Callable[[Path], Pages]):
    source = written(tmp_path, "pdf")
    out, letters = masked(tmp_path, source)
    assert_drawn_alike(reader(source), reader(out), letters)


@pytest.mark.parametrize("kind", ["hwpx", "hwp"])
def test_rhwp_draws_what_it_drew(tmp_path, kind):
    source = judgment_for_hangul(tmp_path, kind)
    out, letters = masked(tmp_path, source)
    assert set(letters) == set(NAMES)
    before, after = drawing.by_rhwp(source, out)
    assert_drawn_alike(before, after, letters)
    assert drawing.bold_by_rhwp(source) == "도윤은걸었다."
    assert drawing.bold_by_rhwp(out) == "은걸었다."


def test_chromium_draws_a_page_as_it_did(tmp_path):
    source = written(tmp_path, "html")
    out, letters = masked(tmp_path, source)
    before, after = drawing.by_chromium(source), drawing.by_chromium(out)
    assert_drawn_alike(before, after, letters)


@pytest.mark.parametrize("kind", ["hwpx", "hwp"])
def test_a_second_program_reads_what_is_left(tmp_path, kind):
    """python-hwpx opens both: letters, no names, the other words."""
    readers = pytest.importorskip("hwpx", reason="needs python-hwpx")
    source = judgment_for_hangul(tmp_path, kind)
    out, letters = masked(tmp_path, source)
    with readers.HwpxDocument.open(out) as document:
        said = document.text.plain()
    for name in NAMES:
        assert name not in said
    assert f"피고인 {letters['강도윤']}은 걸었다." in said
    assert office_files.LAST in said


@needs_tesseract
def test_tesseract_reads_no_name_on_a_masked_scan(tmp_path):
    images = pytest.importorskip("PIL.Image")
    source, scan = written(tmp_path, "pdf"), tmp_path / "scan.pdf"
    drawn, *_ = drawing.pictures(source, 200)
    with images.open(drawn) as picture:
        picture.save(scan, "PDF", resolution=200)
    out, _ = masked(tmp_path, scan, "--ocr")
    before, after = drawing.by_tesseract(scan), drawing.by_tesseract(out)
    found = [name for name in NAMES if name in before]
    assert len(found) >= 3, "too little is read of the scan"
    for name in found:
        assert name not in after
        assert name[1:] not in after
    assert "집행을유예한다" in before
    assert "집행을유예한다" in after
