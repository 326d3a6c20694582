"""What foreign programs draw of a file: the words of each page with their places."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

RHWP = "@rhwp/core@0.8.6"


@dataclass
class Line:
    """Words that stand beside each other: each with its left edge and its base, in points."""

    words: list[tuple[str, float, float]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The line without blanks: programs differ in what they call one."""
        return "".join("".join(word.split()) for word, _, _ in self.words)


Pages = list[list[Line]]


def need(*programs: str) -> None:
    """Skip a test where one of *programs* is missing."""
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"needs {program}")


def run(*words: object, timeout: float = 180) -> str:
    """Return what a command prints."""
    done = subprocess.run(
        list(map(str, words)), capture_output=True, text=True, timeout=timeout, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def office(kind: str, folder: Path, *sources: Path) -> list[Path]:
    """Let LibreOffice write *sources* as *kind* into *folder*."""
    need("soffice")
    profile = (folder / ".profile").absolute().as_uri()
    run(
        *("soffice", f"-env:UserInstallation={profile}", "--headless"),
        *("--convert-to", kind, "--outdir", folder, *sources),
    )
    return [folder / f"{one.stem}.{kind.partition(':')[0]}" for one in sources]


def by_poppler(path: Path) -> Pages:
    """Return what Poppler draws of a PDF."""
    need("pdftotext")
    found = ElementTree.fromstring(run("pdftotext", "-bbox-layout", path, "-"))
    space = "{http://www.w3.org/1999/xhtml}"
    return [
        [
            Line(
                [
                    (word.text or "", float(word.get("xMin", 0)), float(word.get("yMax", 0)))
                    for word in line.iter(f"{space}word")
                ]
            )
            for line in page.iter(f"{space}line")
        ]
        for page in found.iter(f"{space}page")
    ]


def by_pdfium(path: Path) -> Pages:
    """Return what PDFium draws of a PDF."""
    import pypdfium2

    pages = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            text = page.get_textpage()
            letters = []
            for index in range(text.count_chars()):
                letter = text.get_text_range(index, 1)
                left, bottom, right, _ = text.get_charbox(index, loose=True)
                letters.append((letter, left, -bottom, right - left))
            pages.append(_lines(letters))
    return pages


def by_libreoffice(*paths: Path) -> list[Pages]:
    """Return what LibreOffice draws of files, as Poppler reads its PDFs."""
    folder = paths[0].parent / "drawn"
    folder.mkdir(exist_ok=True)
    return [by_poppler(made) for made in office("pdf", folder, *paths)]


def by_chromium(path: Path) -> Pages:
    """Return what Chromium prints of a page of HTML, as Poppler reads it."""
    need("chromium")
    made = path.with_suffix(".chromium.pdf")
    run(
        *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"),
        *(f"--print-to-pdf={made}", f"--user-data-dir={path.parent / '.chromium'}", path.as_uri()),
    )
    return by_poppler(made)


def pictures(path: Path, resolution: int) -> list[Path]:
    """Return the pages of a PDF as Poppler draws them."""
    need("pdftoppm")
    stem = path.with_name(f"{path.stem}-page")
    run("pdftoppm", "-r", resolution, "-gray", "-png", path, stem)
    return sorted(path.parent.glob(f"{stem.name}-*.png"))


def by_tesseract(path: Path) -> str:
    """Return what Tesseract reads on the pages of a PDF, without blanks."""
    need("tesseract")
    read = [run("tesseract", one, "-", "-l", "kor", "--psm", "6") for one in pictures(path, 200)]
    return "".join("".join(read).split())


@cache
def _rhwp() -> Path:
    """Return the folder in which @rhwp/core is installed: $THUNDER_RHWP, or one in the cache."""
    need("node", "npm")
    given = os.environ.get("THUNDER_RHWP")
    folder = Path(given) if given else Path.home() / ".cache" / "thunder-deid-tests"
    if not (folder / "node_modules" / "@rhwp" / "core").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), RHWP],
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        if done.returncode:
            pytest.skip(f"needs {RHWP} from npm")
    return folder


def rhwp(*words: object) -> str:
    """Return what draw_hwp.mjs prints."""
    return run("node", Path(__file__).with_name("draw_hwp.mjs"), _rhwp(), *words)


def by_rhwp(*paths: Path) -> list[Pages]:
    """Return what @rhwp/core draws of HWP and HWPX files: a letter for each word."""
    letter = re.compile(
        r'<text (?:x="([-\d.]+)" y="([-\d.]+)"|transform="translate\(([-\d.]+),([-\d.]+)\)[^"]*")'
        r'[^>]*? font-size="([\d.]+)"[^>]*>([^<]*)</text>'
    )
    drawn = []
    for pages in json.loads(rhwp(*paths)):
        drawn.append([])
        for svg in pages:
            found = []
            for x, y, moved_x, moved_y, size, text in letter.findall(svg):
                found.append((text, float(x or moved_x), float(y or moved_y), float(size)))
            assert len(found) == svg.count("<text "), "a text is drawn in a way not known here"
            drawn[-1].append(_lines(found))
    return drawn


def bold_by_rhwp(path: Path) -> str:
    """Return the letters that @rhwp/core draws bold in a file, without blanks."""
    [pages] = json.loads(rhwp(path))
    bold = re.findall(r'<text [^>]*font-weight="bold"[^>]*>([^<]*)</text>', "".join(pages))
    return "".join("".join(bold).split())


def _lines(letters: Iterable[tuple[str, float, float, float]]) -> list[Line]:
    """Return letters (with left edge, base and width) that follow each other, raised ones too."""
    lines: list[Line] = []
    last = end = base = 0.0
    for letter, left, at, width in letters:
        if not letter.strip():
            continue
        if not lines or abs(at - base) > 6 or not last < left < end + 3 * max(width, 4):
            lines.append(Line())
        lines[-1].words.append((letter, left, at))
        last, end, base = left, left + width, at
    return lines
