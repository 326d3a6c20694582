"""XLSX in, the same XLSX out: what is read, where masks land, what is left of secrets."""

import io
import random
import re

import pytest

from thunder.documents.segments import Action, Kind, Mask, Refused
from thunder.documents.xlsx import open as open_xlsx

from . import xlsx_files as x
from .canaries import Canaries, damaged, packed, parts_of, png
from .masking import masked_texts, masks, read_as_one, texts

RICH = "<r><t>김</t></r><r><rPr><b/></rPr><t>도윤 씨</t></r><rPh><t>소리</t></rPh>"


def _list() -> bytes:
    return x.xlsx(
        x.sheet(
            x.row(1, x.cell("A1", "0", "s"), x.cell("B1", "1", "s"), x.cell("C1", "2", "s")),
            x.row(2, x.cell("A2", "3", "s"), x.cell("B2", "9001011234567", style=2)),
            x.row(3, x.cell("A3", "4", "s"), x.cell("B3", "43897", style=1)),
            x.row(4, x.cell("A4", "3", "s"), x.inline("B4", "박서준의 집")),
            x.row(5, x.cell("A5", "박서준", "str", formula="A2"), x.cell("B5", "1.5")),
        ),
        x.strings("성명", "번호", "비고", "박서준", RICH),
    )


def test_cells_are_read_as_they_are_shown():
    document = open_xlsx(_list())
    assert read_as_one(document) == (
        "성명\t번호\t비고\n박서준\t900101-1234567\n김도윤 씨\t2020-03-07\n박서준\t박서준의 집\n"
        "박서준\t1.5\n목록\n"
    )
    assert {s.kind for s in document.segments} == {Kind.CELL, Kind.HEADER}
    assert document.written([], scrub=False).data == _list()


def test_masks_and_another_reader():
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    words = {"박서준": "A", "김도윤": "B", "900101-1234567": "(주민등록번호 1 생략)"}
    document = open_xlsx(_list())
    written = document.written(masks(document, words)).data
    assert texts(open_xlsx(written)) == masked_texts(document, words)
    sheet = openpyxl.load_workbook(io.BytesIO(written)).active
    assert [[c.value for c in row[:2]] for row in sheet.iter_rows()][1:] == [
        ["A", "(주민등록번호 1 생략)"],
        ["B 씨", sheet["B3"].value],
        ["A", "A의 집"],
        ["A", 1.5],
    ]
    content = b"".join(parts_of(written).values())
    for gone in ("박서준", "도윤", "9001011234567"):
        assert gone.encode() not in content


def test_a_string_that_cells_share_is_masked_where_the_mask_is():
    document = open_xlsx(_list())
    at = next(n for n, s in enumerate(document.segments) if s.text == "박서준")
    written = open_xlsx(document.written([Mask(at, 0, 3, "A")], scrub=False).data)
    assert texts(written)[at] == "A"
    assert texts(written).count("박서준") == texts(document).count("박서준") - 1


def test_a_masked_run_keeps_its_format():
    run = (
        '<r><t xml:space="preserve">B</t></r><r><rPr><b/></rPr><t xml:space="preserve"> 씨</t></r>'
    )
    document = open_xlsx(_list())
    data = parts_of(document.written(masks(document, {"김도윤": "B"})).data)
    assert f"<si>{run}</si>" in data["xl/sharedStrings.xml"].decode()
    twice = x.sheet(x.row(1, x.cell("A1", "0", "s"), x.cell("B1", "0", "s")))
    document = open_xlsx(x.xlsx(twice, x.strings(RICH)))
    data = parts_of(document.written([Mask(1, 0, 3, "B")]).data)
    assert (
        f'<c r="A1" s="0" t="s"><v>0</v></c><c r="B1" s="0" t="inlineStr"><is>{run}</is></c>'
    ) in data["xl/worksheets/sheet1.xml"].decode()
    assert "도윤".encode() in data["xl/sharedStrings.xml"]


def test_headers_are_read_without_their_codes():
    edge = '<headerFooter><oddHeader>&amp;L&amp;"굴림,보통"&amp;12김도윤&amp;C갑 &lt;을&amp;P'
    document = open_xlsx(x.xlsx(x.sheet(after=f"{edge}</oddHeader></headerFooter>")))
    assert texts(document)[:2] == ["김도윤", "갑 <을"]
    data = parts_of(document.written(masks(document, {"김도윤": "A"})).data)
    new = edge.replace("김도윤", "A").encode()
    assert new in data["xl/worksheets/sheet1.xml"]


def test_tables_follow_the_names_of_their_columns():
    table = x.part(
        "table",
        '<tableColumns count="2"><tableColumn id="1" name="박서준의 몫"/>'
        '<tableColumn id="2" name="번호"/></tableColumns>',
        'id="1" name="표" displayName="표" ref="B2:C3"',
    )
    data = x.xlsx(
        x.sheet(x.row(2, x.inline("B2", "박서준의 몫"), x.inline("C2", "번호"))),
        others={
            "xl/tables/table1.xml": table,
            "xl/worksheets/_rels/sheet1.xml.rels": x.relationships(
                ("t", "table", "../tables/table1.xml", "")
            ),
        },
    )
    document = open_xlsx(data)
    written = parts_of(document.written(masks(document, {"박서준": "A"})).data)
    assert 'id="1" name="A의 몫"' in written["xl/tables/table1.xml"].decode()
    assert 'id="2" name="번호"' in written["xl/tables/table1.xml"].decode()


def _of_two_sheets(first: str, second: str) -> bytes:
    """Return a workbook of two sheets, each with a table whose columns are called as they are."""
    names = f"""<table xmlns="{x._OFFICE}/spreadsheetml/2006/main" id="1" ref="A1:B1">
    <tableColumns><tableColumn id="1" name="{first}"/><tableColumn id="2" name="{second}"/>
    </tableColumns></table>"""
    data = x.xlsx(
        x.sheet(
            x.row(1, x.cell("A1", "0", "s"), x.cell("B1", "1", "s")),
            x.row(2, x.inline("A2", first)),
        ),
        x.strings(first, second),
        name=first,
        others={
            "xl/worksheets/sheet2.xml": x.sheet(x.row(1, x.inline("A1", second))),
            "xl/tables/table1.xml": names,
            "xl/worksheets/_rels/sheet1.xml.rels": x.relationships(
                ("t", "table", "../tables/table1.xml", "")
            ),
        },
        relations=(("rId9", "worksheet", "worksheets/sheet2.xml", ""),),
    )
    parts = parts_of(data)
    more = f'<sheet name="{second}" sheetId="2" r:id="rId9"/></sheets>'
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(b"</sheets>", more.encode())
    return packed(parts)


def _names(data: bytes) -> tuple[list[str], list[str]]:
    """Return what sheets are called, and the columns of a table."""
    parts = parts_of(data)
    return (
        re.findall(r'<sheet name="([^"]*)"', parts["xl/workbook.xml"].decode()),
        re.findall(r'<tableColumn id="\d" name="([^"]*)"', parts["xl/tables/table1.xml"].decode()),
    )


@pytest.mark.parametrize(
    ("first", "second", "after"),
    [
        ("강도윤", "강 도윤", ["A", "A "]),
        ("강도윤의 몫", "강 도윤의 몫", ["A의 몫", "A의 몫 "]),
        ("강도윤", "A", ["A ", "A"]),
        ("a", "강도윤", ["a", "A "]),
        ("강도윤", "이서연", ["A", "B"]),
    ],
)
def test_sheets_and_columns_that_become_equal_are_told_apart_by_a_blank(first, second, after):
    letters = {"강도윤": "A", "강 도윤": "A", "이서연": "B"}
    document = open_xlsx(_of_two_sheets(first, second))
    written = document.written(masks(document, letters)).data
    assert _names(written) == (after, after)
    assert [text.rstrip() for text in texts(open_xlsx(written))] == masked_texts(document, letters)
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.load_workbook(io.BytesIO(written))
    assert book.sheetnames == after
    assert [cell.value for cell in book.worksheets[0][1]] == after


@pytest.mark.parametrize("letter", ["A" * 32, "A/B", "A]"])
def test_a_sheet_that_no_program_takes_under_its_new_name_is_refused(letter):
    document = open_xlsx(x.xlsx(x.sheet(), name="강도윤"))
    with pytest.raises(Refused, match="시트의 이름") as refused:
        document.written(masks(document, {"강도윤": letter}))
    assert refused.value.part == "xl/workbook.xml"


def _hiding(secret: Canaries) -> bytes:
    after = (
        f'<sheetProtection password="{secret("password")}"/>'
        f'<autoFilter ref="A1:A2"><filterColumn colId="0"><filters><filter val="'
        f'{secret("filter")}"/></filters></filterColumn></autoFilter>'
        f'<conditionalFormatting><cfRule text="{secret("condition")}"/></conditionalFormatting>'
        f"<dataValidations><dataValidation><formula1>{secret('validation')}</formula1>"
        "</dataValidation></dataValidations>"
        f'<hyperlinks><hyperlink ref="A1" r:id="link" tooltip="{secret("tooltip")}"/></hyperlinks>'
        "<headerFooter><oddHeader>&amp;L머리&amp;R&amp;P</oddHeader></headerFooter>"
        '<legacyDrawing r:id="vml"/>'
        f"<extLst><ext>{secret('extension')}</ext></extLst>"
    )
    shared = x.strings(
        "김도윤", secret("string of no cell"), f"<t>글</t><rPh><t>{secret('sound')}</t></rPh>"
    )
    workbook = (
        f'<fileSharing userName="{secret("user")}"/><definedNames><definedName name='
        f'"{secret("defined name")}">1</definedName></definedNames>'
    )
    comments = x.part(
        "comments",
        f"<authors><author>{secret('author of a comment')}</author></authors><commentList>"
        '<comment ref="A1" authorId="0"><text><r><t>메모</t></r></text></comment></commentList>',
    )
    relations = x.relationships(
        ("link", "hyperlink", f"mailto:{secret('link')}", "External"),
        ("vml", "vmlDrawing", "../drawings/vmlDrawing1.vml", ""),
        ("c", "comments", "../comments1.xml", ""),
    )
    vml = (
        '<xml xmlns:v="urn:schemas-microsoft-com:vml"><v:shape alt="'
        f'{secret("alternative text")}"><v:textbox>{secret("text of a control")}</v:textbox>'
        "</v:shape></xml>"
    )
    return x.xlsx(
        x.sheet(
            f"<!-- {secret('comment of XML')} -->",
            x.row(1, x.cell("A1", "0", "s"), x.cell("B1", "2", "s")),
            x.row(2, x.cell("A2", "값", "str", formula=f'"{secret("formula")}"')),
            after=after,
        ),
        shared,
        workbook=workbook,
        others={
            "xl/comments1.xml": comments,
            "xl/worksheets/_rels/sheet1.xml.rels": relations,
            "xl/drawings/vmlDrawing1.vml": vml,
            "xl/threadedComments/threadedComment1.xml": f"<a>{secret('thread')}</a>",
            "xl/persons/person.xml": f"<a>{secret('person')}</a>",
            "xl/externalLinks/externalLink1.xml": f"<a>{secret('external link')}</a>",
            "xl/pivotCache/pivotCacheRecords1.xml": f"<a>{secret('pivot')}</a>",
            "xl/connections.xml": f"<a>{secret('connection')}</a>",
            "xl/printerSettings/printerSettings1.bin": secret("printer").encode("utf-16-le"),
            "xl/vbaProject.bin": secret("macro"),
            "xl/embeddings/a.docx": secret("embedded document"),
            "xl/media/image1.png": png(secret("picture")),
            "docProps/core.xml": f"<a>{secret('properties')}</a>",
            "docProps/app.xml": f"<a>{secret('names of sheets')}</a>",
            "customXml/item1.xml": f"<a>{secret('custom XML')}</a>",
            "odd/unknown.bin": secret("unknown part"),
        },
        relations=(("p", "person", "persons/person.xml", ""),),
    )


def test_no_secret_is_left_where_data_hides_and_each_place_is_named():
    secret = Canaries()
    data = _hiding(secret)
    assert set(secret.left_in(data)) == set(secret.places.values())
    document = open_xlsx(data)
    assert texts(document) == ["김도윤", "글", "값", "머리", "목록", "메모"]
    written = document.written(masks(document, {"김도윤": "A"}))
    assert secret.left_in(written.data) == []
    assert texts(open_xlsx(written.data)) == ["A", "글", "값", "머리", "목록", "메모"]
    done = {(one.part, one.action) for one in written.scrubbed}
    for part in (
        *("xl/threadedComments/threadedComment1.xml", "xl/persons/person.xml", "docProps/app.xml"),
        *("xl/externalLinks/externalLink1.xml", "xl/pivotCache/pivotCacheRecords1.xml"),
        *("xl/connections.xml", "xl/printerSettings/printerSettings1.bin", "xl/vbaProject.bin"),
        *("xl/embeddings/a.docx", "docProps/core.xml", "customXml/item1.xml", "odd/unknown.bin"),
    ):
        assert (part, Action.DROPPED) in done
    for part in ("workbook.xml", "worksheets/sheet1.xml", "sharedStrings.xml", "comments1.xml"):
        assert (f"xl/{part}", Action.CLEANED) in done
    reasons = " ".join(one.reason for one in written.scrubbed)
    for place in (
        *("수식", "정의된 이름", "하이퍼링크", "입력 제한", "조건부 서식", "거르개", "보호 암호"),
        *("소리 표기", "저장한 사람", "메모를 쓴", "대체 글", "컨트롤의 글", "쓰지 않는", "주석"),
    ):
        assert place in reasons
    assert open_xlsx(written.data).written([]).data == written.data


def test_another_reader_opens_what_was_cleaned():
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    data = open_xlsx(_hiding(Canaries())).written([]).data
    assert openpyxl.load_workbook(io.BytesIO(data)).active["A1"].value == "김도윤"
    assert b"person" not in b"".join(parts_of(data).values())


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"_xmlsignatures/sig1.xml": "<a/>"}, "전자서명"),
        ({"xl/worksheets/sheet1.xml": "<a"}, "깨졌습니다"),
    ],
)
def test_refused(others, reason):
    with pytest.raises(Refused, match=reason):
        open_xlsx(packed({**parts_of(_list()), **others}))


def test_what_is_no_xlsx_is_refused():
    with pytest.raises(Refused, match="XLSX가 아닙니다"):
        open_xlsx(packed({"xl/workbook.bin": ""}))
    with pytest.raises(Refused, match="없는 부분입니다"):
        open_xlsx(packed({"[Content_Types].xml": "<a/>", "xl/workbook.bin": ""}))
    with pytest.raises(Refused, match="본문이 어느 부분인지"):
        open_xlsx(packed({"[Content_Types].xml": "<a/>", "_rels/.rels": "<a/>"}))


@pytest.mark.parametrize("main", ["xl/workbook2.xml", "elsewhere/book.xml"])
def test_a_main_part_of_another_name_is_read_and_masked(main):
    data = x.xlsx(x.sheet(x.row(1, x.inline("A1", "김도윤"))), name="김도윤의 목록", main=main)
    document = open_xlsx(data)
    assert texts(document) == ["김도윤", "김도윤의 목록"]
    written = document.written(masks(document, {"김도윤": "A"}))
    assert texts(open_xlsx(written.data)) == ["A", "A의 목록"]


def test_damaged_it_is_read_or_refused():
    rng, data, refused = random.Random(13), _hiding(Canaries()), 0
    for _ in range(150):
        try:
            document = open_xlsx(damaged(data, rng))
            document.written(masks(document, {"김도윤": "A"}))
        except Refused:
            refused += 1
    assert 10 < refused < 150
