"""An invented judgment as office programs themselves write it, with a name in every place."""

# Where each name stands, and nowhere else but in the body.
NAMES = {
    "강도윤": "body",
    "이서연": "table",
    "박준호": "note",
    "최민서": "header",
    "정하늘": "text box",
    "한지우": "memo",
}
BODY = (
    "주문",
    "피고인을 징역 6개월에 처한다. 다만 이 판결 확정일부터 1년간 위 형의 집행을 유예한다.",
    "범죄사실",
)
LAST = (
    "위 사람들은 2026. 1. 5. 서울 종로구에서 만나 물품 대금의 지급을 미루기로 서로 약속하였고, "
    "그 약속에 따라 대금은 석 달 뒤에 모두 치러졌으며, 이를 다투는 사람은 아무도 없었다."
)
_SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "style": "style",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "svg": "svg-compatible",
        "fo": "xsl-fo-compatible",
        "meta": "meta",
    }.items()
)
_SPACES += ' xmlns:dc="http://purl.org/dc/elements/1.1/"'


def _flat(kind: str, styles: str, master: str, content: str) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {_SPACES} office:version="1.3"'
        f' office:mimetype="application/vnd.oasis.opendocument.{kind}">'
        "<office:meta><dc:title>강도윤 사건</dc:title><dc:creator>최민서</dc:creator></office:meta>"
        '<office:font-face-decls><style:font-face style:name="K" svg:font-family="NanumMyeongjo"/>'
        f"</office:font-face-decls>{styles}{master}<office:body>{content}</office:body>"
        "</office:document>"
    )


_FONT = 'style:font-name="K" style:font-name-asian="K" fo:font-size="11pt"'
_FONT += ' style:font-size-asian="11pt"'


def writer_source() -> str:
    """Return a judgment for Writer (flat ODT)."""
    styles = (
        '<office:styles><style:default-style style:family="paragraph">'
        f'<style:text-properties {_FONT} fo:language="ko" style:language-asian="ko"/>'
        "</style:default-style></office:styles>"
    )
    automatic = (
        '<office:automatic-styles><style:style style:name="B" style:family="text">'
        '<style:text-properties fo:font-weight="bold" style:font-weight-asian="bold"/>'
        '</style:style><style:style style:name="P" style:family="paragraph">'
        '<style:paragraph-properties fo:break-before="page"/></style:style>'
        '<style:style style:name="T" style:family="table">'
        '<style:table-properties style:width="14cm" table:align="left"/></style:style>'
        '<style:style style:name="C" style:family="table-column">'
        '<style:table-column-properties style:column-width="7cm"/></style:style>'
        '<style:style style:name="D" style:family="table-cell">'
        '<style:table-cell-properties fo:border="0.5pt solid #000000" fo:padding="0.1cm"/>'
        '</style:style><style:page-layout style:name="L"><style:page-layout-properties'
        ' fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2.5cm"/><style:header-style/>'
        "</style:page-layout></office:automatic-styles>"
    )
    master = (
        '<office:master-styles><style:master-page style:name="Standard"'
        ' style:page-layout-name="L"><style:header><text:p>작성자 최민서</text:p></style:header>'
        "</style:master-page></office:master-styles>"
    )
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell table:style-name="D"><text:p>{cell}</text:p></table:table-cell>'
            for cell in row
        )
        + "</table:table-row>"
        for row in (("성명", "주소"), ("이서연", "서울 종로구"))
    )
    box = (
        '<draw:frame text:anchor-type="paragraph" svg:x="10cm" svg:y="0cm" svg:width="5cm"'
        ' svg:height="1.2cm" draw:z-index="1"><draw:text-box><text:p>증인 정하늘</text:p>'
        "</draw:text-box></draw:frame>"
    )
    memo = (
        "<office:annotation><dc:creator>한지우</dc:creator><dc:date>2026-01-05T00:00:00</dc:date>"
        "<text:p>한지우 확인</text:p></office:annotation>"
    )
    note = (
        '<text:note text:id="n1" text:note-class="footnote"><text:note-citation>1'
        "</text:note-citation><text:note-body><text:p>목격자 박준호의 진술.</text:p>"
        "</text:note-body></text:note>"
    )
    content = (
        "<office:text>"
        f"<text:p>{BODY[0]}</text:p><text:p>{BODY[1]}</text:p><text:p>{BODY[2]}{box}</text:p>"
        f'<text:p>피고인 <text:span text:style-name="B">강</text:span>도윤은 걸었다.{note}</text:p>'
        f"<text:p>다음 표와 같다.{memo}</text:p>"
        '<table:table table:name="표" table:style-name="T"><table:table-column'
        f' table:style-name="C" table:number-columns-repeated="2"/>{cells}</table:table>'
        f'<text:p>{LAST}</text:p><text:p text:style-name="P">이상</text:p></office:text>'
    )
    return _flat("text", styles + automatic, master, content)


def calc_source() -> str:
    """Return a list of offences for Calc (flat ODS)."""
    styles = (
        '<office:styles><style:default-style style:family="table-cell">'
        f"<style:text-properties {_FONT}/></style:default-style></office:styles>"
        '<office:automatic-styles><style:style style:name="C" style:family="table-column">'
        '<style:table-column-properties style:column-width="4cm"/></style:style>'
        '<style:page-layout style:name="L"><style:header-style/></style:page-layout>'
        "</office:automatic-styles>"
    )
    master = (
        '<office:master-styles><style:master-page style:name="Default"'
        ' style:page-layout-name="L"><style:header><text:p>작성자 최민서</text:p></style:header>'
        "</style:master-page></office:master-styles>"
    )
    rows = (
        ("번호", "성명", "주소"),
        ("1", "강도윤", "서울 종로구"),
        ("2", "이서연", "서울 중구"),
        ("3", "강도윤", "서울 종로구"),
    )
    memo = "<office:annotation><text:p>한지우 확인</text:p></office:annotation>"
    cells = "".join(
        "<table:table-row>"
        + "".join(
            '<table:table-cell office:value-type="string">'
            + (memo if cell == "이서연" else "")
            + f"<text:p>{cell}</text:p></table:table-cell>"
            for cell in row
        )
        + "</table:table-row>"
        for row in rows
    )
    content = (
        '<office:spreadsheet><table:table table:name="목록"><table:table-column'
        f' table:style-name="C" table:number-columns-repeated="3"/>{cells}</table:table>'
        "</office:spreadsheet>"
    )
    return _flat("spreadsheet", styles, master, content)


_PARAGRAPHS = "http://www.hancom.co.kr/hwpml/2011/paragraph"
_BOX = f"""<hp:drawText xmlns:hp="{_PARAGRAPHS}" lastWidth="14400" name="" editable="0">
<hp:subList id="" textDirection="HORIZONTAL" lineWrap="BREAK" vertAlign="CENTER" linkListIDRef="0"
 linkListNextIDRef="0" textWidth="0" textHeight="0" hasTextRef="0" hasNumRef="0">
<hp:p id="0" paraPrIDRef="0" styleIDRef="0" pageBreak="0" columnBreak="0" merged="0">
<hp:run charPrIDRef="0"><hp:t>증인 정하늘</hp:t></hp:run></hp:p></hp:subList>
<hp:textMargin left="283" right="283" top="283" bottom="283"/></hp:drawText>"""


def hwpx() -> bytes:
    """Return the judgment as python-hwpx writes it."""
    from hwpx import HwpxDocument
    from lxml import etree

    document = HwpxDocument.new()
    document.page.set_header(text="작성자 최민서")
    for text in BODY:
        document.add_paragraph(text)
    charged = document.add_paragraph("피고인 강")
    charged.add_run("도윤은 걸었다.", char_pr_id_ref=document.styles.ensure_run(bold=True))
    document.notes.add_footnote("목격자 박준호의 진술.", charged)
    document.notes.add_memo(
        "한지우 확인", anchor=document.add_paragraph("다음 표와 같다."), author="한지우"
    )
    table = document.add_table(2, 2, height=5000)
    for row, cells in enumerate((("성명", "주소"), ("이서연", "서울 종로구"))):
        for column, text in enumerate(cells):
            table.set_cell_text(row, column, text)
    box = document.shapes.add_rectangle(width=14400, height=3600)
    box.element.find(f"{{{_PARAGRAPHS}}}shadow").addnext(etree.fromstring(_BOX.replace("\n", "")))
    document.add_paragraph(LAST)
    document.add_paragraph("이상", pageBreak="1")
    return document.to_bytes()
