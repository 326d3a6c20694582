"""DOCX files written by hand, with a text in every place that a text may stand in."""

import posixpath
from html import escape

from .canaries import packed

_OFFICE = "http://schemas.openxmlformats.org"
_SPACES = " ".join(
    f'xmlns:{prefix}="{space}"'
    for prefix, space in {
        "w": f"{_OFFICE}/wordprocessingml/2006/main",
        "r": f"{_OFFICE}/officeDocument/2006/relationships",
        "a": f"{_OFFICE}/drawingml/2006/main",
        "wp": f"{_OFFICE}/drawingml/2006/wordprocessingDrawing",
        "mc": f"{_OFFICE}/markup-compatibility/2006",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
    }.items()
)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_FORMATS = "application/vnd.openxmlformats-officedocument."
_MAIN = f"{_FORMATS}wordprocessingml"
KINDS = {
    "header": ("header", f"{_MAIN}.header+xml"),
    "footer": ("footer", f"{_MAIN}.footer+xml"),
    "footnotes": ("footnotes", f"{_MAIN}.footnotes+xml"),
    "comments": ("comments", f"{_MAIN}.comments+xml"),
    "settings": ("settings", f"{_MAIN}.settings+xml"),
    "styles": ("styles", f"{_MAIN}.styles+xml"),
}


def words(text: str, *, marks: str = "") -> str:
    """Return a run; one whose text needs its blanks says so."""
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<w:r>{marks}<w:t{space}>{escape(text, quote=False)}</w:t></w:r>"


def paragraph(*runs: str) -> str:
    return "<w:p>" + "".join(r if r.startswith("<") else words(r) for r in runs) + "</w:p>"


def table(*rows: tuple[str, ...]) -> str:
    cells = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in row) + "</w:tr>"
        for row in rows
    )
    return f"<w:tbl>{cells}</w:tbl>"


def note_mark(number: int) -> str:
    return f'<w:r><w:footnoteReference w:id="{number}"/></w:r>'


def note(number: int, text: str) -> str:
    return f'<w:footnote w:id="{number}">{paragraph(text)}</w:footnote>'


def comment(text: str, author: str = "갑") -> str:
    return (
        f'<w:comment w:id="1" w:author="{author}" w:initials="{author}" w:date="2026-01-01">'
        f"{paragraph(text)}</w:comment>"
    )


def text_box(text: str, *, description: str = "", link: str = "") -> str:
    click = f'<a:hlinkClick r:id="{link}"/>' if link else ""
    content = f"<w:txbxContent>{paragraph(text)}</w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline>'
        f'<wp:docPr id="1" name="글상자" descr="{description}">{click}</wp:docPr>'
        f"<wps:txbx>{content}</wps:txbx></wp:inline></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{content}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )


def field(command: str, shown: str) -> str:
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f"<w:r><w:instrText>{escape(command)}</w:instrText></w:r>"
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        f'{words(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def part(element: str, content: str) -> str:
    return f"{_HEAD}<w:{element} {_SPACES}>{content}</w:{element}>"


def docx(
    *content: str,
    stories: dict[str, str] | None = None,
    others: dict[str, bytes | str] | None = None,
    relations: tuple[tuple[str, str, str, str], ...] = (),
    main: str = "word/document.xml",
    kind: str = "wordprocessingml.document.main+xml",
) -> bytes:
    """Return a document: *stories* are its header, footnotes …, *others* any other parts.

    *relations* are of the body: id, type, target, "External" or ""; *main* is what the body's part
    is called, *kind* what it is said to be.
    """
    stories = stories or {}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{KINDS[name][1]}"/>'
        for name in stories
    )
    own = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/officeDocument/2006/relationships/'
        f'{KINDS[name][0]}" Target="{name}.xml"/>'
        for n, name in enumerate(stories)
    )
    own += "".join(
        f'<Relationship Id="{i}" Type="{_OFFICE}/officeDocument/2006/relationships/{kind}"'
        f' Target="{target}"' + (f' TargetMode="{mode}"/>' if mode else "/>")
        for i, kind, target, mode in relations
    )
    space = f"{_OFFICE}/package/2006"
    return packed(
        {
            "[Content_Types].xml": f'{_HEAD}<Types xmlns="{space}/content-types">'
            '<Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="png" ContentType="image/png"/>'
            '<Default Extension="bin" ContentType="application/octet-stream"/>'
            f'<Override PartName="/{main}" ContentType="{_FORMATS}{kind}"/>'
            f"{overrides}</Types>",
            "_rels/.rels": f'{_HEAD}<Relationships xmlns="{space}/relationships"><Relationship '
            f'Id="rId1" Type="{_OFFICE}/officeDocument/2006/relationships/officeDocument"'
            f' Target="{main}"/></Relationships>',
            main: part("document", f"<w:body>{''.join(content)}<w:sectPr/></w:body>"),
            "/_rels/".join(posixpath.split(main))
            + ".rels": f'{_HEAD}<Relationships xmlns="{space}/relationships">{own}</Relationships>',
            **{
                f"word/{name}.xml": part({"header": "hdr", "footer": "ftr"}.get(name, name), text)
                for name, text in stories.items()
            },
            **(others or {}),
        }
    )
