"""PDF: pages with text, read by the fonts' own maps.

``open`` reads every string that a page, a form, a pattern or an annotation shows; a page that is
a picture of text (a scan, letters drawn as curves, a font that does not say its characters) is
refused unless OCR is asked for, and then
written as a picture. Needs the extra ``documents``.
"""

from thunder.documents.pdf.document import PdfDocument, open

__all__ = ["PdfDocument", "open"]
