"""Invented PDFs: a page from lines, a font of the reader's own or one that is embedded."""

import io
from collections.abc import Callable, Sequence

import pikepdf
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

MYEONGJO = "HYSMyeongJo-Medium"
pdfmetrics.registerFont(UnicodeCIDFont(MYEONGJO))


def drawn(*pages: Callable[[Canvas], None]) -> bytes:
    """Return the PDF that *pages* draw."""
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=1, invariant=1)
    for page in pages:
        canvas.setFont(MYEONGJO, 12)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def lines(
    *texts: str, font: str = MYEONGJO, left: float = 72, top: float = 760, step: float = 20
) -> Callable[[Canvas], None]:
    """Return what draws *texts* under each other."""

    def page(canvas: Canvas) -> None:
        canvas.setFont(font, 12)
        for number, text in enumerate(texts):
            canvas.drawString(left, top - step * number, text)

    return page


def operators(content: bytes, *, fonts: str = "") -> bytes:
    """Return a PDF of one page with *content*, in /F1, a font of every reader."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(600, 800))
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type1,
        BaseFont=pikepdf.Name.Helvetica,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )
    page.obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=pdf.make_indirect(font)))
    page.obj.Contents = pdf.make_stream(content)
    return saved(pdf)


def saved(pdf: pikepdf.Pdf, **options: object) -> bytes:
    """Return *pdf* as bytes."""
    out = io.BytesIO()
    pdf.save(out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def texts(document: object) -> Sequence[str]:
    """Return the texts of a document's segments."""
    return [segment.text for segment in document.segments]  # type: ignore[attr-defined]
