"""ODT in, the same ODT out: what is read, where masks land, what is left of secrets."""

import io
import random

import pytest

from thunder.documents.odt import open as open_odt
from thunder.documents.segments import Action, Kind, Refused

from . import odt_files as o
from .canaries import Canaries, damaged, packed, parts_of, png
from .masking import masked_texts, masks, read_as_one, texts


def _judgment() -> bytes:
    return o.odt(
        o.paragraph("판 결"),
        o.paragraph("피고인 김도", "윤은 ", o.note("김도윤의 별명이다."), "돈을 받았다."),
        o.table(("성명", "주소"), ("박서준", "서울 강남구")),
        o.paragraph("범죄", o.memo("최지우 확인할 것"), "사실", o.text_box("증인 이하늘")),
        header="서울중앙지방법원",
    )


def test_read_in_the_order_of_a_reader():
    document = open_odt(_judgment())
    assert [(s.kind, s.text) for s in document.segments] == [
        (Kind.BODY, "판 결"),
        (Kind.BODY, "피고인 김도윤은 돈을 받았다."),
        (Kind.NOTE, "김도윤의 별명이다."),
        (Kind.CELL, "성명"),
        (Kind.CELL, "주소"),
        (Kind.CELL, "박서준"),
        (Kind.CELL, "서울 강남구"),
        (Kind.BODY, "범죄사실"),
        (Kind.HEADER, "서울중앙지방법원"),
        (Kind.TEXT_BOX, "증인 이하늘"),
        (Kind.MEMO, "최지우 확인할 것"),
    ]
    assert "성명\t주소\n박서준\t서울 강남구\n" in read_as_one(document)
    assert document.written([], scrub=False).data == _judgment()


def test_masks_land_in_every_kind_of_place_and_another_reader_sees_them():
    opendocument = pytest.importorskip("odf.opendocument", reason="odfpy is not installed")
    from odf import teletype, text

    words = {"김도윤": "A", "박서준": "B", "최지우": "C", "이하늘": "D"}
    document = open_odt(_judgment())
    written = document.written(masks(document, words)).data
    assert texts(open_odt(written)) == masked_texts(document, words)
    theirs = opendocument.load(io.BytesIO(written)).getElementsByType(text.P)
    said = [teletype.extractText(one) for one in theirs]
    assert "B" in said and "서울 강남구" in said
    assert not [word for word in words if word in "\n".join(said)]


@pytest.mark.parametrize(
    ("content", "text", "word", "then"),
    [
        ('김<text:s text:c="2"/>도윤', "김  도윤", "김  도윤", '<text:p text:style-name="P1">A</'),
        ("김<text:line-break/>도윤", "김\n도윤", "김\n도윤", "A"),
        ("<text:tab/>김\n도윤", "\t김 도윤", "김 도윤", "<text:tab/>A"),
        (
            "<text:author-name>김</text:author-name>도윤",
            "김도윤",
            "김도윤",
            ">A</text:author-name>",
        ),
    ],
    ids=range(4),
)
def test_masks_in_marked_up_text(content, text, word, then):
    document = open_odt(o.odt(f'<text:p text:style-name="P1">{content}</text:p>'))
    assert texts(document) == [text]
    data = document.written(masks(document, {word: "A"}), scrub=False).data
    assert then in parts_of(data)["content.xml"].decode()
    assert texts(open_odt(data)) == [text.replace(word, "A")]


def _hiding(secret: Canaries) -> bytes:
    changes = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>'
        f"<office:change-info><dc:creator>{secret('author of a change')}</dc:creator>"
        "</office:change-info>"
        f"{o.paragraph(secret('deleted'))}</text:deletion></text:changed-region>"
        "</text:tracked-changes>"
    )
    link = (
        f'<text:a xlink:href="mailto:{secret("link")}" office:title="{secret("tooltip")}">'
        "링크</text:a>"
    )
    fields = (
        f'<text:user-field-get text:name="{secret("name of a field")}">필드</text:user-field-get>'
        f'<text:hidden-text text:string-value="{secret("hidden text")}"></text:hidden-text>'
        f'<text:bookmark text:name="{secret("bookmark")}"/><text:change text:change-id="c1"/>'
        f'<text:alphabetical-index-mark text:string-value="{secret("index mark")}"/>'
    )
    picture = (
        f'<draw:frame draw:name="{secret("name of a picture")}"><draw:image '
        f'xlink:href="file:///home/{secret("path of a picture")}.png"/><svg:desc>'
        f"{secret('alternative text')}</svg:desc></draw:frame>"
    )
    formula = (
        '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image '
        'xlink:href="./ObjectReplacements/Object 1"/></draw:frame>'
    )
    cell = o.table(("칸",), name=secret("name of a table")).replace(
        "<table:table-cell>",
        f'<table:table-cell office:value-type="string" office:string-value="{secret("cell value")}"'
        f' table:formula="of:={secret("formula")}">',
    )
    style = secret("style")
    return o.odt(
        f"<!-- {secret('comment of XML')} -->",
        f'<text:user-field-decls><text:user-field-decl text:name="x" office:string-value="'
        f'{secret("user field")}"/></text:user-field-decls>',
        f"<office:forms><form:text form:name='{secret('form')}'/></office:forms>",
        changes,
        o.paragraph("김도윤", link, fields, picture, formula),
        cell,
        f'<text:section text:name="{secret("name of a section")}"><text:section-source '
        f'xlink:href="{secret("path of a section")}"/>{o.paragraph("구역")}</text:section>',
        f'<text:p text:style-name="{style}">{o.text_box("상자", title=secret("title"))}</text:p>',
        o.paragraph(o.memo("메모", secret("author of a memo"))),
        before=f"<office:scripts><script:x>{secret('script')}</script:x></office:scripts>",
        styles=f'<office:styles><style:style style:name="{style}" style:display-name="{style}"/>'
        "</office:styles>",
        others={
            "meta.xml": f"<a>{secret('meta')}</a>",
            "settings.xml": f"<a>{secret('settings')}</a>",
            "manifest.rdf": f"<a>{secret('rdf')}</a>",
            "Thumbnails/thumbnail.png": png(secret("thumbnail")),
            "Pictures/1.png": png(secret("picture")),
            "Object 1/content.xml": f"<a>{secret('embedded object')}</a>",
            "ObjectReplacements/Object 1": secret("replacement"),
            "Basic/Standard/Module1.xml": f"<a>{secret('macro')}</a>",
            "Versions/Version1": secret("earlier version"),
            "Fonts/f.ttf": secret("font"),
            "odd/unknown.bin": secret("unknown part"),
        },
    )


def test_no_secret_is_left_where_data_hides_and_each_place_is_named():
    secret = Canaries()
    data = _hiding(secret)
    assert set(secret.left_in(data)) == set(secret.places.values())
    document = open_odt(data)
    assert texts(document) == ["김도윤링크필드", "칸", "구역", "상자", "메모"]
    written = document.written(masks(document, {"김도윤": "A"}))
    assert secret.left_in(written.data) == []
    assert texts(open_odt(written.data)) == ["A링크필드", "칸", "구역", "상자", "메모"]
    done = {(one.part, one.action) for one in written.scrubbed}
    for part in (
        *("meta.xml", "settings.xml", "manifest.rdf", "Thumbnails/thumbnail.png"),
        *("Object 1/content.xml", "ObjectReplacements/Object 1", "Basic/Standard/Module1.xml"),
        *("Versions/Version1", "Fonts/f.ttf", "odd/unknown.bin"),
    ):
        assert (part, Action.DROPPED) in done
    for part in ("content.xml", "styles.xml", "Pictures/1.png"):
        assert (part, Action.CLEANED) in done
    reasons = " ".join(one.reason for one in written.scrubbed)
    for place in (
        *(
            "변경 추적",
            "하이퍼링크",
            "필드",
            "책갈피",
            "대체 글",
            "바깥을 가리키던",
            "끼워 넣은 개체",
        ),
        *(
            "칸에 저장된",
            "수식",
            "표의 이름",
            "구역의 이름",
            "서식 이름",
            "작성자",
            "주석",
            "매크로",
        ),
    ):
        assert place in reasons
    assert open_odt(written.data).written([]).data == written.data


def test_nothing_refers_to_a_part_that_is_gone():
    written = parts_of(open_odt(_hiding(Canaries())).written([]).data)
    assert b"Object" not in written["META-INF/manifest.xml"] + written["content.xml"]
    assert b"meta.xml" not in written["META-INF/manifest.xml"]


_ENCRYPTED = (
    '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry>'
    "<m:encryption-data/></m:file-entry></m:manifest>"
)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"META-INF/documentsignatures.xml": "<a/>"}, "전자서명"),
        ({"META-INF/manifest.xml": _ENCRYPTED}, "암호"),
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, "ODT가 아닙니다"),
        ({"content.xml": "<a"}, "깨졌습니다"),
    ],
)
def test_refused(change, reason):
    with pytest.raises(Refused, match=reason):
        open_odt(packed({**parts_of(_judgment()), **change}))


def test_damaged_it_is_read_or_refused():
    rng, data, refused = random.Random(9), _hiding(Canaries()), 0
    for _ in range(120):
        try:
            document = open_odt(damaged(data, rng))
            document.written(masks(document, {"김도윤": "A"}))
        except Refused:
            refused += 1
    assert 10 < refused < 120
