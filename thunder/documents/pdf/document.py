"""An opened PDF, as ``thunder.documents.segments.Document`` has it."""

import io
from collections.abc import Iterator, Sequence

from thunder.documents.pdf import reading, scans
from thunder.documents.pdf.editing import Editor
from thunder.documents.pdf.lines import Place, segments_of
from thunder.documents.pdf.parts import parts
from thunder.documents.pdf.scans import ScannedText
from thunder.documents.pdf.scrubbing import Scrubber
from thunder.documents.segments import Mask, Refused, Segment, Written


class PdfDocument:
    """See ``thunder.documents.segments.Document``."""

    format = "pdf"

    def __init__(self, data: bytes, *, ocr: bool = False) -> None:
        self._data, self._ocr = data, ocr
        self._written = False
        self.segments: Sequence[Segment]
        try:
            self._pdf = reading.opened(data)
            reading.check(self._pdf)
            self._reader = reading.Reader(self._pdf, ocr=ocr)
            self._reader.read()
            segments, places, self._edges = segments_of(self._reader.lines, self._reader.middles)
            entries: list[tuple[int, Segment, list[Place] | ScannedText]] = [
                (where[0].line.page, segment, where)
                for segment, where in zip(segments, places, strict=True)
            ]
            for page in self._reader.scans:
                entries += [(page, text.segment(), text) for text in scans.read(data, page)]
            entries.sort(key=lambda entry: entry[0])
            self.segments = [segment for _, segment, _ in entries]
            self._places = [place for _, _, place in entries]
        except (Refused, MemoryError):
            raise
        except Exception:  # whatever a damaged object leads to
            raise Refused("", "파일이 손상되었습니다", reading.CURE_AGAIN) from None

    @property
    def scanned(self) -> frozenset[str]:
        """The parts that are pictures, read by OCR alone: no second reading says quite the same."""
        return frozenset(f"{page + 1}쪽" for page in self._reader.scans)

    def written(self, masks: Sequence[Mask], *, scrub: bool = True) -> Written:
        """Return the file with *masks* in place."""
        if not masks and not scrub:
            return Written(self._data, ())
        if self._written:  # what was opened has been changed: begin again
            again = PdfDocument(self._data, ocr=self._ocr)
            return again.written(masks, scrub=scrub)
        self._written = True
        try:
            self._edit(masks, scrub)
            scrubbed = Scrubber(self._pdf, self._reader, self._data).scrub() if scrub else ()
            out = io.BytesIO()
            self._pdf.save(out, deterministic_id=True)
        except (Refused, MemoryError):
            raise
        except Exception:  # whatever a damaged object leads to
            raise Refused("", "파일을 쓸 수 없습니다", reading.CURE_AGAIN) from None
        return Written(out.getvalue(), scrubbed)

    def _edit(self, masks: Sequence[Mask], scrub: bool) -> None:
        drawn: dict[int, list[tuple[ScannedText, int, int, str]]] = {}
        shown: list[tuple[Mask, list[Place]]] = []
        for mask in masks:
            place = self._places[mask.segment]
            if isinstance(place, ScannedText):
                words = (place, mask.start, mask.end, mask.replacement)
                drawn.setdefault(place.page, []).append(words)
            else:
                shown.append((mask, place))
        editor = Editor(self._pdf, self._reader, self._edges)
        editor.plan(shown)
        editor.write(scrub=scrub)
        for page in self._reader.scans:
            scans.replace_page(self._pdf, self._data, page, drawn.get(page, []))

    def strings(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the inflated content of every part."""
        try:
            yield from parts(self._pdf, self._reader)
        except (Refused, MemoryError):
            raise
        except Exception:  # whatever a damaged object leads to
            raise Refused("", "파일이 손상되었습니다", reading.CURE_AGAIN) from None


def open(data: bytes, *, ocr: bool = False) -> PdfDocument:
    """Return the PDF in *data*.

    With *ocr*, pages that are pictures are read by Tesseract.

    Raises: Refused.
    """
    return PdfDocument(data, ocr=ocr)
