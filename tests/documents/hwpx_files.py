"""HWPX files written by hand, with a text in every place that a text may stand in."""

from html import escape

from .canaries import packed

_SPACES = " ".join(
    f'xmlns:{prefix}="http://www.hancom.co.kr/hwpml/2011/{name}"'
    for prefix, name in {
        "hp": "paragraph",
        "hs": "section",
        "hh": "head",
        "hc": "core",
        "hm": "master-page",
        "ha": "app",
    }.items()
)
_SPACES += ' xmlns:opf="http://www.idpf.org/2007/opf/"'
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>'
CACHE = '<hp:linesegarray><hp:lineseg textpos="0" vertpos="0"/></hp:linesegarray>'


def run(content: str) -> str:
    return f'<hp:run charPrIDRef="0">{content}</hp:run>'


def words(text: str) -> str:
    return run(f"<hp:t>{escape(text, quote=False)}</hp:t>")


def paragraph(*runs: str) -> str:
    """Return a paragraph of runs; one that is no run is a text."""
    content = "".join(one if one.startswith("<") else words(one) for one in runs)
    return f'<hp:p id="0" paraPrIDRef="0" styleIDRef="0">{content}{CACHE}</hp:p>'


def sub_list(*paragraphs: str) -> str:
    return f'<hp:subList id="">{"".join(paragraphs)}</hp:subList>'


def table(*rows: tuple[str, ...]) -> str:
    cells = "".join(
        "<hp:tr>"
        + "".join(f'<hp:tc name="">{sub_list(paragraph(text))}</hp:tc>' for text in row)
        + "</hp:tr>"
        for row in rows
    )
    return run(f'<hp:tbl id="1" rowCnt="{len(rows)}">{cells}</hp:tbl>')


def control(content: str) -> str:
    return run(f"<hp:ctrl>{content}</hp:ctrl>")


def note(text: str) -> str:
    return control(f'<hp:footNote number="1">{sub_list(paragraph(text))}</hp:footNote>')


def header(text: str) -> str:
    return control(f'<hp:header id="1">{sub_list(paragraph(text))}</hp:header>')


def text_box(text: str, comment: str = "") -> str:
    return run(
        f'<hp:rect id="2" href=""><hp:drawText name="">{sub_list(paragraph(text))}</hp:drawText>'
        f"<hp:shapeComment>{comment}</hp:shapeComment></hp:rect>"
    )


def memo(text: str, author: str = "", shown: str = "") -> str:
    begin = control(
        '<hp:fieldBegin id="7" type="MEMO" name="" fieldid="9"><hp:parameters cnt="1">'
        f'<hp:stringParam name="Author">{author}</hp:stringParam></hp:parameters>'
        f"{sub_list(paragraph(text))}</hp:fieldBegin>"
    )
    end = control('<hp:fieldEnd beginIDRef="7" fieldid="9"/>')
    return begin + (words(shown) if shown else "") + end


def section(*paragraphs: str) -> str:
    return f"{_HEAD}<hs:sec {_SPACES}>{''.join(paragraphs)}</hs:sec>"


def parts(*sections: str, title: str = "", head: str = "", more: str = "") -> dict[str, str]:
    """Return the parts of a document: *more* are items of its list of parts."""
    items = "".join(
        f'<opf:item id="section{n}" href="Contents/section{n}.xml" media-type="application/xml"/>'
        for n in range(len(sections))
    )
    refs = "".join(f'<opf:itemref idref="section{n}"/>' for n in range(len(sections)))
    return {
        "mimetype": "application/hwp+zip",
        "version.xml": f'{_HEAD}<hv:HCFVersion xmlns:hv="http://www.hancom.co.kr/hwpml/2011/version"'
        ' tagetApplication="WORDPROCESSOR" major="5" minor="1" micro="0" buildNumber="1" os="1"'
        ' xmlVersion="1.4" application="Hancom Office Hangul" appVersion="9, 1, 1, 5656"/>',
        "Contents/header.xml": f'{_HEAD}<hh:head {_SPACES} version="1.4">{head}</hh:head>',
        **{f"Contents/section{n}.xml": content for n, content in enumerate(sections)},
        "Contents/content.hpf": f"{_HEAD}<opf:package {_SPACES}><opf:metadata>"
        f"<opf:title>{title}</opf:title><opf:language>ko</opf:language>"
        f'<opf:meta name="creator" content="text">{title}</opf:meta></opf:metadata><opf:manifest>'
        '<opf:item id="header" href="Contents/header.xml" media-type="application/xml"/>'
        f"{items}{more}</opf:manifest><opf:spine>"
        f'<opf:itemref idref="header"/>{refs}</opf:spine></opf:package>',
        "META-INF/container.xml": f"{_HEAD}<ocf:container"
        ' xmlns:ocf="urn:oasis:names:tc:opendocument:xmlns:container"><ocf:rootfiles>'
        '<ocf:rootfile full-path="Contents/content.hpf"'
        ' media-type="application/hwpml-package+xml"/>'
        '<ocf:rootfile full-path="Preview/PrvText.txt" media-type="text/plain"/>'
        "</ocf:rootfiles></ocf:container>",
    }


def hwpx(*paragraphs: str) -> bytes:
    """Return a document of one section."""
    return packed(dict(parts(section(*paragraphs))))
