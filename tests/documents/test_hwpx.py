"""HWPX in, the same HWPX out: what is read, where masks land, what is left of secrets."""

import io
import os
import random
from collections import Counter
from pathlib import Path

import pytest

from thunder.documents.hwpx import open as open_hwpx
from thunder.documents.segments import Action, Kind, Mask, Refused

from . import hwpx_files as h
from .canaries import Canaries, damaged, jpeg, packed, parts_of, png
from .masking import masked_texts, masks, read_as_one, texts

SHARED = Path(os.environ.get("THUNDER_SHARED", "nowhere"))
REAL = sorted((SHARED / "data/documents").rglob("*.hwpx"))


def _judgment() -> bytes:
    return h.hwpx(
        h.paragraph(h.header("서울중앙지방법원"), "판 결"),
        h.paragraph("피고인 김도", "윤은 ", h.note("김도윤의 별명이다."), "돈을 받았다."),
        h.paragraph(h.table(("성명", "주소"), ("박서준", "서울 강남구"))),
        h.paragraph("범죄", h.memo("최지우 확인할 것", shown="사실")),
        h.paragraph(h.text_box("증인 이하늘"), "끝"),
    )


def test_read_in_the_order_of_a_reader():
    document = open_hwpx(_judgment())
    assert [(s.kind, s.text) for s in document.segments] == [
        (Kind.BODY, "판 결"),
        (Kind.BODY, "피고인 김도윤은 돈을 받았다."),
        (Kind.NOTE, "김도윤의 별명이다."),
        (Kind.CELL, "성명"),
        (Kind.CELL, "주소"),
        (Kind.CELL, "박서준"),
        (Kind.CELL, "서울 강남구"),
        (Kind.BODY, "범죄사실"),
        (Kind.BODY, "끝"),
        (Kind.HEADER, "서울중앙지방법원"),
        (Kind.TEXT_BOX, "증인 이하늘"),
        (Kind.MEMO, "최지우 확인할 것"),
    ]
    assert "성명\t주소\n박서준\t서울 강남구\n" in read_as_one(document)


def test_unchanged_it_is_the_same_file():
    data = _judgment()
    assert open_hwpx(data).written([], scrub=False).data == data


def test_masks_land_in_every_kind_of_place():
    words = {"김도윤": "A", "박서준": "B", "최지우": "C", "이하늘": "D", "강남구": "강남구 E"}
    document = open_hwpx(_judgment())
    written = open_hwpx(document.written(masks(document, words)).data)
    assert texts(written) == masked_texts(document, words)


def test_the_first_run_takes_the_replacement_and_only_its_paragraph_loses_its_cache():
    document = open_hwpx(h.hwpx(h.paragraph("피고인 김", "도", "윤은"), h.paragraph("끝")))
    data = document.written(masks(document, {"김도윤": "A"}), scrub=False).data
    old = h.section(h.paragraph("피고인 김", "도", "윤은"), h.paragraph("끝"))
    new = h.section(h.paragraph("피고인 A", "", "은"), h.paragraph("끝")).replace(h.CACHE, "", 1)
    assert parts_of(data)["Contents/section0.xml"].decode() == new
    assert old.count(h.CACHE) == 2


@pytest.mark.parametrize(
    ("content", "text", "word", "then"),
    [
        ("갑 &amp; 김&#xB3C4;윤 &lt;", "갑 & 김도윤 <", "김도윤", "갑 &amp; A&lt;B &lt;"),
        ("<![CDATA[&lt;김도윤]]>", "&lt;김도윤", "김도윤", "<![CDATA[&lt;]]>A&lt;B<![CDATA[]]>"),
        ("<![CDATA[<김도윤>]]>", "<김도윤>", "김도윤", "<![CDATA[<]]>A&lt;B<![CDATA[>]]>"),
        ("김<hp:lineBreak/>도윤", "김\n도윤", "김\n도윤", "<hp:t>A&lt;B</hp:t>"),
        ("<hp:tab/>김도윤", "\t김도윤", "\t김도윤", "<hp:t>A&lt;B</hp:t>"),
        ("김<hp:fwSpace/><hp:tab/>", "김\u3000\t", "\u3000\t", "<hp:t>김A&lt;B</hp:t>"),
        ("김<hp:markpenBegin/>도<hp:markpenEnd/>윤", "김도윤", "김도윤", "A&lt;B<hp:mark"),
        ("김</hp:t><hp:t/><hp:t>도윤", "김도윤", "도윤", "<hp:t>A&lt;B</hp:t>"),
        ("김</hp:t><hp:compose composeText='도'/><hp:t>윤", "김도윤", "도윤", "'A&lt;B'/><hp:t></"),
    ],
)  # fmt: skip
def test_masks_in_marked_up_text(content, text, word, then):
    document = open_hwpx(h.hwpx(h.paragraph(h.run(f"<hp:t>{content}</hp:t>"))))
    assert texts(document) == [text]
    data = document.written(masks(document, {word: "A<B"}), scrub=False).data
    assert then in parts_of(data)["Contents/section0.xml"].decode()
    assert texts(open_hwpx(data)) == [text.replace(word, "A<B")]


def test_other_texts_that_a_page_shows_are_read():
    shown = (
        '<hp:textart text="글맵시"/><hp:equation><hp:script>x over y</hp:script></hp:equation>'
        "<hp:dutmal><hp:mainText>본말</hp:mainText><hp:subText>덧말</hp:subText></hp:dutmal>"
        '<hp:btn caption="단추"/><hp:edit><hp:text>입력</hp:text></hp:edit>'
        '<hp:comboBox selectedValue="둘"><hp:listItem displayText="하나" value="둘"/></hp:comboBox>'
    )
    document = open_hwpx(h.hwpx(h.paragraph(h.run(shown))))
    said = {"글맵시", "x over y", "본말", "덧말", "단추", "입력", "하나", "둘"}
    assert set(texts(document)) == said
    written = document.written(masks(document, dict.fromkeys(said, "가")), scrub=False)
    assert set(texts(open_hwpx(written.data))) == {"가"}


@pytest.mark.parametrize(
    "mask", [Mask(0, 0, 9, "A"), Mask(0, 1, 1, "A"), Mask(0, 0, 1, "\0")], ids=range(3)
)
def test_masks_that_cannot_be_are_an_error(mask):
    with pytest.raises(ValueError):
        open_hwpx(h.hwpx(h.paragraph("김도윤"))).written([mask])


def _hiding(secret: Canaries) -> bytes:
    """Return a document with a secret in every place that no page shows."""
    field = (
        f'<hp:fieldBegin id="3" type="HYPERLINK" name="{secret("field name")}" metaTag='
        f'"{secret("meta tag")}"><hp:parameters><hp:stringParam name="Command">'
        f"{secret('field command')}</hp:stringParam></hp:parameters></hp:fieldBegin>"
    )
    deleted = (
        f'<hp:t>남은 <hp:deleteBegin Id="1" TcId="1"/>{secret("deleted words")}'
        '<hp:deleteEnd Id="1" TcId="1"/>글</hp:t>'
    )
    odd = (
        f'<hp:bookmark name="{secret("bookmark")}"/><hp:indexmark><hp:firstKey>'
        f"{secret('index mark')}</hp:firstKey></hp:indexmark><hp:hiddenComment>"
        f"{h.sub_list(h.paragraph(secret('hidden comment')))}</hp:hiddenComment>"
    )
    ole = '<hp:ole binaryItemIDRef="ole1"><hp:shapeComment/></hp:ole>'
    named_cell = h.table(("칸",)).replace('<hp:tc name=""', f'<hp:tc name="{secret("cell name")}"')
    section = h.section(
        f"<!-- {secret('comment of XML')} -->",
        h.paragraph("김도윤", h.control(field), h.run(deleted), h.control(odd)),
        h.paragraph(h.text_box("상자", secret("picture's file name")), h.run(ole), named_cell),
        h.paragraph(h.memo("메모", secret("memo's author"))),
    )
    head = (
        '<hh:trackChanges><hh:trackChange type="Delete" date="2026"/></hh:trackChanges>'
        f'<hh:trackChangeAuthors><hh:trackChangeAuthor name="{secret("author of changes")}"/>'
        f'</hh:trackChangeAuthors><hh:style id="9" name="{secret("style")}" engName=""/>'
        f"<hh:metaTag>{secret('meta tag of the head')}</hh:metaTag>"
    )
    items = "".join(
        f'<opf:item id="{own}" href="{href}" media-type="{kind}"/>'
        for own, href, kind in (
            ("ole1", "BinData/ole1.ole", "application/ole"),
            ("image1", "BinData/image1.png", "image/png"),
            ("image2", "BinData/image2.jpg", "image/jpeg"),
            ("script", "Scripts/headerScripts.js", "application/x-javascript"),
        )
    )
    inner = h.parts(section, title=secret("title"), head=head, more=items)
    setting = (
        '<ha:HWPApplicationSetting xmlns:ha="http://www.hancom.co.kr/hwpml/2011/app"'
        ' xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0">'
        f'<config:config-item config:name="Printer" config:type="string">{secret("printer")}'
        "</config:config-item></ha:HWPApplicationSetting>"
    )
    return packed(
        {
            **inner,
            "settings.xml": setting,
            "Preview/PrvText.txt": secret("preview").encode("utf-16-le"),
            "Preview/PrvImage.png": png(secret("preview's picture")),
            "DocHistory/VersionLog0.xml": secret("earlier version"),
            "Scripts/headerScripts.js": secret("script").encode("utf-16-le"),
            "BinData/ole1.ole": secret("embedded document"),
            "BinData/image1.png": png(secret("picture")),
            "BinData/image2.jpg": jpeg(secret("photograph")),
            "BinData/drawing.emf": secret("drawing").encode("utf-16-le"),
            "Custom/unknown.dat": secret("unknown part"),
            f"{secret('name of a part')}.dat": "x",
        }
    )


def test_no_secret_is_left_where_data_hides_and_each_place_is_named():
    secret = Canaries()
    data = _hiding(secret)
    assert set(secret.left_in(data)) == set(secret.places.values())
    document = open_hwpx(data)
    assert texts(document) == ["김도윤남은 글", "칸", "상자", "메모"]
    written = document.written(masks(document, {"김도윤": "A"}))
    assert secret.left_in(written.data) == []
    assert texts(open_hwpx(written.data)) == ["A남은 글", "칸", "상자", "메모"]
    done = {(one.part, one.action) for one in written.scrubbed}
    assert done >= {
        ("Preview/PrvText.txt", Action.DROPPED),
        ("Preview/PrvImage.png", Action.DROPPED),
        ("DocHistory/VersionLog0.xml", Action.DROPPED),
        ("Scripts/headerScripts.js", Action.DROPPED),
        ("BinData/ole1.ole", Action.DROPPED),
        ("BinData/drawing.emf", Action.DROPPED),
        ("Custom/unknown.dat", Action.DROPPED),
        ("BinData/image1.png", Action.CLEANED),
        ("BinData/image2.jpg", Action.CLEANED),
        ("Contents/content.hpf", Action.CLEANED),
        ("settings.xml", Action.CLEANED),
    }
    reasons = " ".join(one.reason for one in written.scrubbed if "section" in one.part)
    for place in (
        *("필드의 이름", "필드의 명령", "지운 글", "책갈피", "찾아보기", "숨은 설명"),
        *("개체 설명", "셀 필드", "메타", "주석"),
    ):
        assert place in reasons
    head = " ".join(one.reason for one in written.scrubbed if "header" in one.part)
    assert "변경 추적" in head and "서식 이름" in head
    assert not [one for one in written.scrubbed for word in secret.places if word in one.reason]


def test_nothing_refers_to_a_part_that_is_gone():
    written = parts_of(open_hwpx(_hiding(Canaries())).written([]).data)
    for name in ("Contents/content.hpf", "META-INF/container.xml", "Contents/section0.xml"):
        for gone in (b"Preview/", b"Scripts/", b"ole1", b'"script"'):
            assert gone not in written[name]


def test_what_is_cleaned_once_stays_as_it_is():
    once = open_hwpx(_hiding(Canaries())).written([]).data
    assert open_hwpx(once).written([]).data == once


def test_a_photograph_keeps_how_it_is_turned():
    from PIL import Image

    written = parts_of(open_hwpx(_hiding(Canaries())).written([]).data)
    with Image.open(io.BytesIO(written["BinData/image2.jpg"])) as picture:
        assert dict(picture.getexif()) == {0x0112: 6}


def test_strings_are_those_of_texts_and_attributes():
    document = open_hwpx(h.hwpx(h.paragraph("김&도윤")))
    strings = dict(document.strings())
    assert "김&도윤".encode() in strings["Contents/section0.xml"].splitlines()
    assert b"linesegarray" not in strings["Contents/section0.xml"]
    assert strings["mimetype"] == b"application/hwp+zip"


ENCRYPTED = (
    '<odf:manifest xmlns:odf="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><odf:file-entry>'
    "<odf:encryption-data/></odf:file-entry></odf:manifest>"
)


@pytest.mark.parametrize(
    ("change", "part", "reason"),
    [
        ({"META-INF/manifest.xml": ENCRYPTED}, "META-INF/manifest.xml", "암호"),
        ({"META-INF/documentsignatures.xml": "<a/>"}, "META-INF/documentsignatures.xml", "서명"),
        ({"Contents/section0.xml": b"\x8f\x01\x02"}, "Contents/section0.xml", "깨졌습니다"),
        ({"Contents/header.xml": "<a>"}, "Contents/header.xml", "깨졌습니다"),
        ({"mimetype": None}, "", "HWPX가 아닙니다"),
    ],
)  # fmt: skip
def test_refused(change, part, reason):
    parts = {**h.parts(h.section(h.paragraph("글"))), **change}
    with pytest.raises(Refused, match=reason) as raised:
        open_hwpx(packed({name: one for name, one in parts.items() if one is not None}))
    assert raised.value.part == part


def test_a_needed_part_that_nobody_knows_is_refused():
    parts = h.parts(h.section(h.paragraph("글")))
    parts["Contents/content.hpf"] = parts["Contents/content.hpf"].replace("section0.xml", "x.bin")
    parts["Contents/x.bin"] = "?"
    with pytest.raises(Refused, match="무엇인지 모르는"):
        open_hwpx(packed(dict(parts)))


def test_elements_that_stand_in_each_other_are_not_made_a_damaged_file_of():
    twice = f"<hp:linesegarray>{h.CACHE}</hp:linesegarray>"
    parts = h.parts(h.section(h.paragraph("김도윤")).replace(h.CACHE, twice))
    document = open_hwpx(packed(dict(parts)))
    with pytest.raises(Refused, match="뒤섞여"):
        document.written(masks(document, {"김도윤": "A"}))


def test_damaged_it_is_read_or_refused():
    rng, data, refused = random.Random(11), _hiding(Canaries()), 0
    for _ in range(150):
        try:
            document = open_hwpx(damaged(data, rng))
            document.written(masks(document, {"김도윤": "A"}))
        except Refused:
            refused += 1
    assert 30 < refused < 150


def _theirs(data: bytes) -> Counter[str]:
    from hwpx import TextExtractor

    with TextExtractor(io.BytesIO(data)) as reader:
        return Counter(_bare(p.text()) for p in reader.iter_document_paragraphs())


def _bare(text: str) -> str:
    return "".join(text.split())


def test_an_independent_reader_sees_the_masks():
    pytest.importorskip("hwpx", reason="python-hwpx is not installed")
    words = {"김도윤": "A", "박서준": "B", "최지우": "C", "이하늘": "D"}
    document = open_hwpx(_judgment())
    before = _theirs(_judgment())
    after = _theirs(document.written(masks(document, words)).data)

    def masked(text: str) -> str:
        for word, replacement in words.items():
            text = text.replace(word, replacement)
        return text

    assert after == Counter(masked(text) for text in before.elements())


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="no real documents in THUNDER_SHARED")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_files(path):
    pytest.importorskip("hwpx", reason="python-hwpx is not installed")
    data = path.read_bytes()
    document = open_hwpx(data)
    assert document.written([], scrub=False).data == data
    ours, theirs = Counter(map(_bare, texts(document))), _theirs(data)
    if not any(b"deleteBegin" in part for part in parts_of(data).values()):
        unread = theirs - ours
        composed = any(b"composeText" in part for part in parts_of(data).values())
        assert set(unread) <= {""} or composed
    words = sorted({w for text in texts(document) for w in text.split() if len(w) > 2})
    picked = random.Random(3).sample(words, min(20, len(words)))
    replacements = dict(zip(picked, map(chr, range(65, 91)), strict=False))
    chosen, last = [], (-1, 0)
    for mask in masks(document, replacements):
        if (mask.segment, mask.start) >= last:
            chosen.append(mask)
            last = (mask.segment, mask.end)
    expected = texts(document)
    for mask in reversed(chosen):
        text = expected[mask.segment]
        expected[mask.segment] = text[: mask.start] + mask.replacement + text[mask.end :]
    written = document.written(chosen).data
    assert texts(open_hwpx(written)) == expected
    again = _theirs(written)
    if not set(theirs - ours) - {""}:
        assert not set(again - Counter(map(_bare, expected))) - {""}
