"""Every part of a PDF and what it holds, for the search for leaks."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pikepdf

from thunder.documents.pdf.reading import Reader, bounded

PICTURE_FILTERS = {"/DCTDecode", "/JPXDecode", "/JBIG2Decode", "/CCITTFaxDecode"}


def parts(pdf: pikepdf.Pdf, reader: Reader) -> Iterator[tuple[str, bytes]]:
    """Yield each page's text as it is shown, then each object's strings and its content.

    The content of a picture is its file as it lies there, with what a camera wrote into it.
    """
    pages: dict[int, list[str]] = defaultdict(list)
    for line in reader.lines:
        pages[line.page].append(line.text)
    for page, texts in pages.items():
        yield f"{page + 1}쪽", "\n".join(texts).encode()
    shown = {
        one.objgen
        for stream in reader.streams
        for one in _contents(stream.owner, stream.is_page)
        if one.is_indirect
    }
    for item in [pdf.trailer, *pdf.objects]:
        name = f"개체 {item.objgen[0]}" if item.is_indirect else "trailer"
        said = "\n".join(_said(item, is_root=True))
        if said:
            yield name, said.encode("utf-8", "surrogatepass")
        if isinstance(item, pikepdf.Stream) and item.objgen not in shown:
            yield f"{name} 자료", content(item)


def content(stream: Any) -> bytes:
    """Return a stream's content; a picture's as it is stored."""
    filters = stream.get("/Filter", [])
    names = [filters] if isinstance(filters, pikepdf.Name) else list(filters)
    if any(str(name) in PICTURE_FILTERS for name in names):
        return bytes(stream.read_raw_bytes())
    bounded(stream)
    return bytes(stream.read_bytes())


def _contents(owner: Any, is_page: bool) -> Iterator[Any]:
    if not is_page:
        yield owner
        return
    contents = owner.get("/Contents")
    yield from (
        contents if isinstance(contents, pikepdf.Array) else [contents] * (contents is not None)
    )


def _said(item: Any, *, is_root: bool = False) -> Iterator[str]:
    """Yield the strings and names in an object, without following it to others."""
    waiting = [(item, is_root)]
    while waiting:
        one, root = waiting.pop()
        if not isinstance(one, pikepdf.Object):
            continue
        if one.is_indirect and not root:
            continue
        if isinstance(one, pikepdf.String):
            yield str(one)
        elif isinstance(one, pikepdf.Name):
            yield str(one)[1:]
        elif isinstance(one, pikepdf.Array):
            waiting += [(inner, False) for inner in one]
        elif isinstance(one, (pikepdf.Dictionary, pikepdf.Stream)):
            for key, value in one.items():
                yield key[1:]
                waiting.append((value, False))
