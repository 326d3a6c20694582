"""ODT files written by hand, with a text in every place that a text may stand in."""

from html import escape

from .canaries import packed

_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES = {
    "office": "office",
    "text": "text",
    "table": "table",
    "draw": "drawing",
    "style": "style",
    "svg": "svg-compatible",
    "meta": "meta",
    "script": "script",
    "form": "form",
}
_SPACES = " ".join(f'xmlns:{prefix}="{_OASIS}:{name}:1.0"' for prefix, name in _NAMES.items())
_SPACES += ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def words(text: str) -> str:
    return f'<text:span text:style-name="T1">{escape(text, quote=False)}</text:span>'


def paragraph(*runs: str) -> str:
    content = "".join(one if one.startswith("<") else words(one) for one in runs)
    return f'<text:p text:style-name="P1">{content}</text:p>'


def table(*rows: tuple[str, ...], name: str = "Table1") -> str:
    cells = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell>{paragraph(text)}</table:table-cell>" for text in row)
        + "</table:table-row>"
        for row in rows
    )
    return f'<table:table table:name="{name}">{cells}</table:table>'


def note(text: str) -> str:
    return (
        '<text:note text:id="n1"><text:note-citation>1</text:note-citation><text:note-body>'
        f"{paragraph(text)}</text:note-body></text:note>"
    )


def memo(text: str, author: str = "갑") -> str:
    return (
        f"<office:annotation><dc:creator>{author}</dc:creator><dc:date>2026-01-01</dc:date>"
        f"{paragraph(text)}</office:annotation>"
    )


def text_box(text: str, *, title: str = "", name: str = "") -> str:
    return (
        f'<draw:frame draw:name="{name}"><draw:text-box>{paragraph(text)}</draw:text-box>'
        f"<svg:title>{title}</svg:title></draw:frame>"
    )


def odt(
    *content: str,
    header: str = "",
    before: str = "",
    styles: str = "",
    others: dict[str, bytes | str] | None = None,
) -> bytes:
    """Return a document; *before* stands before its text, *others* are any other parts."""
    master = (
        '<office:master-styles><style:master-page style:name="Standard"><style:header>'
        f"{paragraph(header)}</style:header></style:master-page></office:master-styles>"
    )
    parts: dict[str, bytes | str] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"{_HEAD}<office:document-content {_SPACES}>{before}<office:body>"
        f"<office:text>{''.join(content)}</office:text></office:body></office:document-content>",
        "styles.xml": f"{_HEAD}<office:document-styles {_SPACES}>{styles}{master}"
        "</office:document-styles>",
        **(others or {}),
    }
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type=""/>'
        for name in ("/", *parts)
        if name != "mimetype"
    )
    parts["META-INF/manifest.xml"] = (
        f'{_HEAD}<manifest:manifest xmlns:manifest="{_OASIS}:manifest:1.0">{entries}'
        "</manifest:manifest>"
    )
    return packed(parts)
