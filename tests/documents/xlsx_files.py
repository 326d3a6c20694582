"""XLSX files written by hand, with a text in every place that a text may stand in."""

import posixpath
from html import escape

from .canaries import packed

_OFFICE = "http://schemas.openxmlformats.org"
_MAIN = f'xmlns="{_OFFICE}/spreadsheetml/2006/main"'
_MAIN += f' xmlns:r="{_OFFICE}/officeDocument/2006/relationships"'
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def cell(address: str, value: str, kind: str = "", style: int = 0, formula: str = "") -> str:
    formula = f"<f>{formula}</f>" if formula else ""
    kind = f' t="{kind}"' if kind else ""
    return f'<c r="{address}" s="{style}"{kind}>{formula}<v>{escape(value)}</v></c>'


def inline(address: str, text: str) -> str:
    return f'<c r="{address}" t="inlineStr"><is><t>{escape(text)}</t></is></c>'


def row(number: int, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def sheet(*rows: str, after: str = "", before: str = "") -> str:
    data = f"<sheetData>{''.join(rows)}</sheetData>"
    return f"{_HEAD}<worksheet {_MAIN}>{before}{data}{after}</worksheet>"


def strings(*texts: str) -> str:
    items = "".join(
        f"<si>{text if text.startswith('<') else f'<t>{escape(text)}</t>'}</si>" for text in texts
    )
    return f"{_HEAD}<sst {_MAIN}>{items}</sst>"


def relationships(*relations: tuple[str, str, str, str]) -> str:
    """Return a part of relationships: id, type, target, "External" or ""."""
    content = "".join(
        f'<Relationship Id="{own}" Type="{_OFFICE}/officeDocument/2006/relationships/{kind}"'
        f' Target="{target}"' + (f' TargetMode="{mode}"/>' if mode else "/>")
        for own, kind, target, mode in relations
    )
    space = f"{_OFFICE}/package/2006/relationships"
    return f'{_HEAD}<Relationships xmlns="{space}">{content}</Relationships>'


def part(element: str, content: str, attributes: str = "") -> str:
    return f"{_HEAD}<{element} {_MAIN} {attributes}>{content}</{element}>"


STYLES = part(
    "styleSheet",
    '<numFmts><numFmt numFmtId="164" formatCode="000000\\-0000000"/></numFmts>'
    '<fonts count="1"><font/></fonts><fills count="1"><fill><patternFill/></fill></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
)


def xlsx(
    first_sheet: str,
    shared: str = "",
    *,
    name: str = "목록",
    workbook: str = "",
    others: dict[str, bytes | str] | None = None,
    relations: tuple[tuple[str, str, str, str], ...] = (),
    main: str = "xl/workbook.xml",
) -> bytes:
    """Return a workbook of one sheet; *workbook* is what else its main part, *main*, holds."""
    space = f"{_OFFICE}/package/2006/content-types"
    overrides = {main: "sheet.main", "xl/worksheets/sheet1.xml": "worksheet"}
    overrides |= {"xl/sharedStrings.xml": "sharedStrings", "xl/styles.xml": "styles"}
    types = "".join(
        f'<Override PartName="/{part}" ContentType="{_KIND}.{kind}+xml"/>'
        for part, kind in overrides.items()
    )
    folder = "" if main.startswith("xl/") else "/xl/"
    sheets = f'<sheets><sheet name="{name}" sheetId="1" r:id="rId1"/></sheets>'
    return packed(
        {
            "[Content_Types].xml": f'{_HEAD}<Types xmlns="{space}"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{types}</Types>',
            "_rels/.rels": relationships(("rId1", "officeDocument", main, "")),
            main: part("workbook", sheets + workbook),
            "/_rels/".join(posixpath.split(main)) + ".rels": relationships(
                ("rId1", "worksheet", f"{folder}worksheets/sheet1.xml", ""),
                ("rId2", "sharedStrings", f"{folder}sharedStrings.xml", ""),
                ("rId3", "styles", f"{folder}styles.xml", ""),
                *relations,
            ),
            "xl/worksheets/sheet1.xml": first_sheet,
            "xl/sharedStrings.xml": shared or strings(),
            "xl/styles.xml": STYLES,
            **(others or {}),
        }
    )
