"""An opened PDF, as ``thunder.documents.segments.Document`` has it."""

from collections.abc import Iterator, Sequence

from thunder.documents.pdf import reading
from thunder.documents.pdf.lines import segments_of
from thunder.documents.pdf.parts import parts
from thunder.documents.segments import Mask, Refused, Segment, Written


class PdfDocument:
    """See ``thunder.documents.segments.Document``."""

    format = "pdf"

    def __init__(self, data: bytes, *, ocr: bool = False) -> None:
        self._data = data
        self._pdf = reading.opened(data)
        reading.check(self._pdf)
        self._reader = reading.Reader(self._pdf, ocr=ocr)
        self._reader.read()
        self.segments: Sequence[Segment]
        self.segments, self._places, self._edges = segments_of(self._reader.lines)

    def written(self, masks: Sequence[Mask], *, scrub: bool = True) -> Written:
        """Return the file with *masks* in place."""
        if not masks and not scrub:
            return Written(self._data, ())
        raise Refused("", "PDF를 고쳐 쓰는 기능이 없습니다", "글자만 꺼내 쓰십시오")

    def strings(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the inflated content of every part."""
        return parts(self._pdf, self._reader)


def open(data: bytes, *, ocr: bool = False) -> PdfDocument:
    """Return the PDF in *data*.

    With *ocr*, pages that are pictures are read by Tesseract.

    Raises: Refused.
    """
    return PdfDocument(data, ocr=ocr)
