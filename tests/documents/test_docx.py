"""DOCX in, the same DOCX out: what is read, where masks land, what is left of secrets."""

import io
import random

import pytest

from thunder.documents.docx import open as open_docx
from thunder.documents.segments import Action, Kind, Refused

from . import docx_files as d
from .canaries import Canaries, damaged, packed, parts_of, png
from .masking import masked_texts, masks, read_as_one, texts


def _judgment() -> bytes:
    return d.docx(
        d.paragraph("판 결"),
        d.paragraph("피고인 김도", "윤은 ", d.note_mark(2), "돈을 받았다."),
        d.table(("성명", "주소"), ("박서준", "서울 강남구")),
        d.paragraph(d.text_box("증인 이하늘"), "끝"),
        stories={
            "footnotes": d.note(2, "김도윤의 별명이다."),
            "header": d.paragraph("서울중앙지방법원"),
            "comments": d.comment("최지우 확인할 것"),
        },
    )


def test_read_in_the_order_of_a_reader():
    document = open_docx(_judgment())
    assert [(s.kind, s.text) for s in document.segments] == [
        (Kind.BODY, "판 결"),
        (Kind.BODY, "피고인 김도윤은 돈을 받았다."),
        (Kind.NOTE, "김도윤의 별명이다."),
        (Kind.CELL, "성명"),
        (Kind.CELL, "주소"),
        (Kind.CELL, "박서준"),
        (Kind.CELL, "서울 강남구"),
        (Kind.BODY, "끝"),
        (Kind.HEADER, "서울중앙지방법원"),
        (Kind.TEXT_BOX, "증인 이하늘"),
        (Kind.MEMO, "최지우 확인할 것"),
    ]
    assert "성명\t주소\n박서준\t서울 강남구\n" in read_as_one(document)
    assert document.written([], scrub=False).data == _judgment()


def test_masks_land_in_every_kind_of_place_and_another_reader_sees_them():
    word = pytest.importorskip("docx", reason="python-docx is not installed")
    words = {"김도윤": "A", "박서준": "B", "최지우": "C", "이하늘": "D"}
    document = open_docx(_judgment())
    written = document.written(masks(document, words)).data
    assert texts(open_docx(written)) == masked_texts(document, words)
    theirs = word.Document(io.BytesIO(written))
    assert [p.text for p in theirs.paragraphs] == ["판 결", "피고인 A은 돈을 받았다.", "끝"]
    assert [c.text for row in theirs.tables[0].rows for c in row.cells][2] == "B"


@pytest.mark.parametrize(
    ("content", "text", "word", "then"),
    [
        ("<w:r><w:t>김</w:t><w:t>도윤 씨</w:t></w:r>", "김도윤 씨", "김도윤", 'preserve"> 씨'),
        ("<w:r><w:t>김</w:t><w:br/><w:t>도윤</w:t></w:r>", "김\n도윤", "김\n도윤", "A</w:t><w:t"),
        ("<w:r><w:tab/></w:r>", "\t", "\t", "<w:r><w:t>A</w:t></w:r>"),
        ("<w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>김</w:t></w:r>", "김", "김", "A</w:t>"),
        ("<w:ins><w:r><w:t>김</w:t></w:r></w:ins>", "김", "김", "A</w:t>"),
    ],
    ids=range(5),
)  # fmt: skip
def test_masks_in_marked_up_text(content, text, word, then):
    document = open_docx(d.docx(f"<w:p>{content}</w:p>"))
    assert texts(document) == [text]
    data = document.written(masks(document, {word: "A"}), scrub=False).data
    assert then in parts_of(data)["word/document.xml"].decode()
    assert texts(open_docx(data)) == [text.replace(word, "A")]


def _hiding(secret: Canaries) -> bytes:
    deleted = (
        f'<w:del w:author="{secret("author of a change")}"><w:r><w:delText>{secret("deleted")}'
        "</w:delText></w:r></w:del>"
        f'<w:moveFrom w:author="x">{d.words(secret("moved away"))}</w:moveFrom>'
        f'<w:ins w:author="{secret("author of new words")}">{d.words("새")}</w:ins>'
    )
    control = (
        f'<w:sdt><w:sdtPr><w:alias w:val="{secret("name of a control")}"/>'
        f'<w:tag w:val="{secret("tag of a control")}"/>'
        f'<w:dataBinding w:xpath="{secret("binding")}"/>'
        f'<w:dropDownList><w:listItem w:displayText="{secret("item shown")}" w:value="'
        f'{secret("item")}"/></w:dropDownList></w:sdtPr><w:sdtContent>{d.words("값")}'
        "</w:sdtContent></w:sdt>"
    )
    link = (
        f'<w:hyperlink r:id="link1" w:anchor="{secret("anchor")}" w:tooltip="{secret("tooltip")}">'
        f"{d.words('링크')}</w:hyperlink>"
    )
    ole = '<w:r><w:object><o:OLEObject Type="Embed" r:id="ole1"/></w:object></w:r>'
    field = d.field(f' HYPERLINK "mailto:{secret("field")}" ', "주소")
    simple = (
        f'<w:fldSimple w:instr=" AUTHOR {secret("simple field")} ">{d.words("이름")}</w:fldSimple>'
    )
    return d.docx(
        f"<!-- {secret('comment of XML')} -->",
        d.paragraph("김도윤", deleted, link, field, simple, d.field(" PAGE ", "1")),
        d.paragraph(f'<w:bookmarkStart w:id="1" w:name="{secret("bookmark")}"/>', control, ole),
        d.paragraph(d.text_box("상자", description=secret("picture's file name"), link="link2")),
        f'<w:p w:rsidR="00{secret("rsid")}"/>',
        stories={
            "comments": d.comment("메모", secret("author of a comment")),
            "settings": f'<w:attachedTemplate r:id="x"/><w:docVars><w:docVar w:name="a" w:val="'
            f'{secret("variable")}"/></w:docVars><w:mailMerge><w:query w:val="{secret("merge")}"/>'
            "</w:mailMerge>",
            "styles": f'<w:style w:customStyle="1" w:styleId="{secret("style id")}"><w:name w:val='
            f'"{secret("style")}"/><w:aliases w:val="{secret("alias")}"/></w:style>',
        },
        others={
            "docProps/core.xml": f"<a>{secret('properties')}</a>",
            "docProps/thumbnail.jpeg": secret("thumbnail"),
            "customXml/item1.xml": f"<a>{secret('custom XML')}</a>",
            "word/people.xml": f"<a>{secret('people')}</a>",
            "word/glossary/document.xml": f"<a>{secret('building blocks')}</a>",
            "word/vbaProject.bin": secret("macro"),
            "word/embeddings/ole1.bin": secret("embedded document"),
            "word/media/image1.png": png(secret("picture")),
            "word/media/image2.emf": secret("drawing").encode("utf-16-le"),
            "word/fonts/font1.odttf": secret("font"),
            "odd/unknown.bin": secret("unknown part"),
        },
        relations=(
            ("link1", "hyperlink", f"mailto:{secret('target of a link')}", "External"),
            ("link2", "hyperlink", f"http://{secret('target of a picture')}", "External"),
            ("ole1", "oleObject", "embeddings/ole1.bin", ""),
            ("g", "glossaryDocument", "glossary/document.xml", ""),
            ("i", "image", "media/image1.png", ""),
        ),
    )


def test_no_secret_is_left_where_data_hides_and_each_place_is_named():
    secret = Canaries()
    data = _hiding(secret)
    assert set(secret.left_in(data)) == set(secret.places.values())
    document = open_docx(data)
    assert texts(document) == ["김도윤새링크주소이름1", "값", "상자", "메모"]
    written = document.written(masks(document, {"김도윤": "A"}))
    assert secret.left_in(written.data) == []
    assert texts(open_docx(written.data)) == ["A새링크주소이름1", "값", "상자", "메모"]
    done = {(one.part, one.action) for one in written.scrubbed}
    for part in (
        *("docProps/core.xml", "docProps/thumbnail.jpeg", "customXml/item1.xml", "word/people.xml"),
        *("word/glossary/document.xml", "word/vbaProject.bin", "word/embeddings/ole1.bin"),
        *("word/fonts/font1.odttf", "odd/unknown.bin", "word/media/image2.emf"),
    ):
        assert (part, Action.DROPPED) in done
    for part in ("document", "comments", "settings", "styles", "_rels/document"):
        end = ".xml.rels" if "rels" in part else ".xml"
        assert (f"word/{part}{end}", Action.CLEANED) in done
    reasons = " ".join(one.reason for one in written.scrubbed)
    for place in (
        *(
            "지운 글",
            "옮긴 글",
            "변경 추적",
            "하이퍼링크",
            "필드의 명령",
            "책갈피",
            "콘텐츠 컨트롤",
        ),
        *("대체 글", "편집한 때", "문서 변수", "편지 병합", "서식 이름", "작성자", "주석"),
    ):
        assert place in reasons
    assert open_docx(written.data).written([]).data == written.data


@pytest.mark.parametrize("main", ["word/document2.xml", "elsewhere/main.xml"])
def test_a_main_part_of_another_name_is_read_and_masked(main):
    word = pytest.importorskip("docx", reason="python-docx is not installed")
    document = open_docx(d.docx(d.paragraph("김도윤"), d.table(("글", "김도윤")), main=main))
    assert texts(document) == ["김도윤", "글", "김도윤"]
    written = document.written(masks(document, {"김도윤": "A"}))
    assert main in parts_of(written.data)
    theirs = word.Document(io.BytesIO(written.data))
    assert [paragraph.text for paragraph in theirs.paragraphs] == ["A"]
    assert [cell.text for cell in theirs.tables[0].rows[0].cells] == ["글", "A"]


def test_fields_of_page_numbers_stay_alive():
    document = open_docx(d.docx(d.paragraph(d.field(" PAGE  \\* MERGEFORMAT ", "1"))))
    assert b"instrText" in parts_of(document.written([]).data)["word/document.xml"]


def test_nothing_refers_to_a_part_that_is_gone():
    word = pytest.importorskip("docx", reason="python-docx is not installed")
    data = open_docx(_hiding(Canaries())).written([]).data
    assert b"ole1" not in b"".join(parts_of(data).values())
    assert b"glossary" not in b"".join(parts_of(data).values())
    word.Document(io.BytesIO(data))


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"_xmlsignatures/sig1.xml": "<a/>"}, "전자서명"),
        ({"word/afchunk.mht": "x"}, "끼워진"),
        ({"word/header1.xml": "<a"}, "깨졌습니다"),
    ],
)
def test_refused(others, reason):
    with pytest.raises(Refused, match=reason):
        open_docx(d.docx(d.paragraph("글"), others=others))


def test_what_is_no_docx_is_refused():
    with pytest.raises(Refused, match="DOCX가 아닙니다"):
        open_docx(packed({"a": "b"}))
    with pytest.raises(Refused, match="암호"):
        open_docx(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))


def test_damaged_it_is_read_or_refused():
    rng, data, refused = random.Random(5), _hiding(Canaries()), 0
    for _ in range(120):
        try:
            document = open_docx(damaged(data, rng))
            document.written(masks(document, {"김도윤": "A"}))
        except Refused:
            refused += 1
    assert 10 < refused < 120
