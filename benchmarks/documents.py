"""How fast, and in how much memory, documents are read, masked and written on one core.

The documents are invented: judgments of ordinary density (a paragraph of some ninety characters in
two runs, a name in every one), a judgment of 500 pages and a table of 100,000 cells, in each
format. The engine takes no part: masks stand on the invented names. Each measurement runs in a
fresh process, as processor time, so that other work on the machine counts as little as can be; its
memory is what the process grew by from before the file is opened. Prints Markdown.
"""

import argparse
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import _environment  # noqa: F401
from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

NAMES = ("김도윤", "박서준")
SENTENCE = (
    "피고인 김도윤은 2020. 3. 7. 02:00경 서울 강남구에 있는 피해자 박서준의 집에 들어가 ",
    "시가 1,000,000원 상당의 노트북 1대를 가지고 나와 이를 절취하였다.",
)
ROW = ("박서준", "2020. 3. 7.", "서울 강남구", "노트북 1대", "1,000,000원")
PAGE = 20  # paragraphs
SIZES = {"judgment": 2_000, "500 pages": 500 * PAGE, "100,000 cells": 100_000 // len(ROW)}


def hwpx(size: int, *, is_table: bool) -> bytes:
    from tests.documents import hwpx_files as h

    if is_table:
        return h.hwpx(h.paragraph(h.table(*[ROW] * size)))
    return h.hwpx(*[h.paragraph(*SENTENCE)] * size)


def docx(size: int, *, is_table: bool) -> bytes:
    from tests.documents import docx_files as d

    content = d.table(*[ROW] * size) if is_table else d.paragraph(*SENTENCE) * size
    for bare, as_written in (
        ("<w:p>", '<w:p w:rsidR="00A77B3E" w:rsidRDefault="00A77B3E">'),
        ("<w:tc>", '<w:tc><w:tcPr><w:tcW w:w="1803" w:type="dxa"/></w:tcPr>'),
        ("<w:r>", '<w:r><w:rPr><w:rFonts w:hint="eastAsia"/></w:rPr>'),
    ):  # as Word writes them
        content = content.replace(bare, as_written)
    return d.docx(content)


def odt(size: int, *, is_table: bool) -> bytes:
    from tests.documents import odt_files as o

    return o.odt(o.table(*[ROW] * size) if is_table else o.paragraph(*SENTENCE) * size)


def xlsx(size: int, *, is_table: bool) -> bytes:
    from tests.documents import xlsx_files as x

    cells = ROW if is_table else ("".join(SENTENCE),)
    rows = [
        x.row(n, *(x.cell(f"{'ABCDE'[at]}{n}", str(at), "s") for at in range(len(cells))))
        for n in range(1, size + 1)
    ]
    return x.xlsx(x.sheet(*rows), x.strings(*cells))


def pdf(size: int, *, is_table: bool) -> bytes:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    from tests.documents.pdf_files import drawn
    from thunder.documents.pdf.embedding import letters

    pdfmetrics.registerFont(TTFont("Letters", io.BytesIO(letters())))
    rows = [ROW] if is_table else [("".join(SENTENCE)[:45],), ("".join(SENTENCE)[45:],)]
    rows = rows * size

    def page(first: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.setFont("Letters", 10)
            for at, row in enumerate(rows[first : first + 2 * PAGE]):
                for column, cell in enumerate(row):
                    canvas.drawString(60 + 100 * column, 790 - 18 * at, cell)

        return draw

    return drawn(*[page(first) for first in range(0, len(rows), 2 * PAGE)])


def hwp(size: int, *, is_table: bool) -> bytes:
    from tests.documents import hwp_file as w

    if is_table:
        table = w.table(1, [list(ROW)] * size)
        return w.Hwp([w.paragraph((w.TABLE, b"tbl "), below=table)]).made()
    shapes = ((0, 0), (len(SENTENCE[0]), 1))
    return w.Hwp([w.paragraph(*SENTENCE, shapes=shapes) * size]).made()


FORMATS: dict[str, Callable[..., bytes]] = {
    "hwpx": hwpx,
    "hwp": hwp,
    "pdf": pdf,
    "docx": docx,
    "odt": odt,
    "xlsx": xlsx,
}


def measure(format: str, name: str) -> dict[str, float]:
    """Return characters, seconds and bytes of one document, read from standard input."""
    from thunder.documents.segments import Mask

    module = import_module(f"thunder.documents.{format}")
    data = sys.stdin.buffer.read()
    module.open(FORMATS[format](1, is_table=False)).written([])  # what is loaded once
    before, start = _peak(), time.process_time()
    document = module.open(data)
    characters = sum(len(segment.text) for segment in document.segments)
    opened = time.process_time()
    masks = sorted(
        Mask(number, at, at + len(word), "A")
        for number, segment in enumerate(document.segments)
        for word in NAMES
        for at in range(len(segment.text))
        if segment.text.startswith(word, at)
    )
    asked = time.process_time()
    written = document.written(masks)
    finished = time.process_time()
    memory = _peak() - before
    parts = _parts(data) if format not in ("hwp", "pdf") else list(document.strings())
    # A PDF's parts are pages: it is read as a whole.
    largest = (sum if format == "pdf" else max)(len(part) for _, part in parts)
    for _, part in module.open(written.data).strings():
        if any(word.encode(code) in part for word in NAMES for code in ("utf-8", "utf-16-le")):
            raise SystemExit(f"{format}: a name is left")
    seconds = opened - start + finished - asked
    return {
        "characters": characters,
        "open": opened - start,
        "write": finished - asked,
        "rate": characters / seconds,
        "largest": largest / 2**20,
        "memory": memory / 2**20,
    }


def _parts(data: bytes) -> list[tuple[str, bytes]]:
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return [(name, package.read(name)) for name in package.namelist()]


def _peak() -> int:
    """Return the most memory that this process has held, in bytes (Linux)."""
    facts = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(facts.split("VmHWM:")[1].split()[0]) * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("formats", nargs="*", help=f"of {', '.join(FORMATS)}; all if none is given")
    parser.add_argument("--one", nargs=2, metavar=("FORMAT", "SIZE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(*arguments.one)))
        return
    print(
        "| format | document | characters | open s | write s | characters/s | part MiB | × memory |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for format in arguments.formats or FORMATS:
        for name, size in SIZES.items():
            data = FORMATS[format](size, is_table=name.endswith("cells"))
            command = [sys.executable, __file__, "--one", format, name]
            done = subprocess.run(command, input=data, capture_output=True, check=True)
            one = json.loads(done.stdout)
            print(
                f"| {format} | {name} | {one['characters']:,} | {one['open']:.2f} |"
                f" {one['write']:.2f} | {one['rate']:,.0f} | {one['largest']:.1f} |"
                f" {one['memory'] / one['largest']:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
