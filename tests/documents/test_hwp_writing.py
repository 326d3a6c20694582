"""HWP 5 written again: masks in the records, and every place where something may hide."""

import os
import random
import re
import struct
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.documents import hwp, hwpx
from thunder.documents.compound import Compound
from thunder.documents.hwp.records import OF_SECTIONS, inflated, records
from thunder.documents.segments import Action, Mask, Refused

from . import hwp_file as made
from .hwp_file import Hwp, control, field_start, listed, named, note, paragraph, record, string

SHARED = Path(os.environ.get("THUNDER_SHARED", "nowhere")) / "data" / "documents"


def payloads(data: bytes, section: int = 0) -> dict[int, list[bytes]]:
    """Return the payloads of a section's records by tag."""
    part = f"BodyText/Section{section}"
    content = inflated(Compound.read(data).streams[part], part).data
    found: dict[int, list[bytes]] = {}
    for tag, _, _, begin, end in records(content, part, OF_SECTIONS):
        found.setdefault(tag, []).append(content[begin:end])
    return found


def masked(*parts, masks: list[tuple[int, int, str]], **more) -> dict[int, list[bytes]]:
    """Return the records of a paragraph after masks."""
    opened = hwp.open(Hwp([paragraph(*parts, **more)]).made())
    return payloads(opened.written([Mask(0, *mask) for mask in masks], scrub=False).data)


@pytest.mark.parametrize(
    ("parts", "masks", "after"),
    [
        (("원고 홍길동은",), [(3, 6, "A")], ("원고 A은",)),
        (("홍길동, 김철수",), [(0, 3, "A"), (5, 8, "B")], ("A, B",)),
        (("홍길동",), [(0, 3, "갑을병정무기경")], ("갑을병정무기경",)),
        # A note called in the middle of a name, a link around it: they stay, behind the letter.
        (("홍", (17, b"fn  "), "길동은"), [(0, 3, "A")], ("A", (17, b"fn  "), "은")),
        (
            ((3, b"%hlk"), "홍길", (4, b"%hlk"), "동은"),
            [(0, 3, "A")],
            ((3, b"%hlk"), "A", (4, b"%hlk"), "은"),
        ),
        (("홍\t길동은",), [(0, 4, "A")], ("A은",)),
        (("홍\n길동은",), [(0, 4, "A")], ("A은",)),
        (("\U00020000홍길동\U00020001은",), [(1, 5, "\U00020002")], ("\U00020000\U00020002은",)),
    ],
    ids=str,
)
def test_masks_in_a_paragraph(parts, masks, after):
    assert masked(*parts, masks=masks)[67] == [made.units(*after)]


@pytest.mark.parametrize(
    ("what", "shapes", "after"),
    [
        ("one format", [(0, 1)], [(0, 1)]),
        ("the name in bold", [(0, 1), (3, 2), (6, 1)], [(0, 1), (3, 2), (4, 1)]),
        ("bold from the middle on", [(0, 1), (4, 2)], [(0, 1), (4, 2)]),
        ("three formats in the name", [(0, 1), (4, 2), (5, 3)], [(0, 1), (4, 3)]),
        ("a format behind it", [(0, 1), (7, 2)], [(0, 1), (5, 2)]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_replacement_has_the_format_of_the_first_letter(what, shapes, after):
    found = masked("원고 홍길동은", masks=[(3, 6, "A")], shapes=tuple(shapes))
    assert list(struct.iter_unpack("<II", found[68][0])) == after
    assert struct.unpack_from("<H", found[66][0], 12) == (len(after),)


def test_counts_and_ranges_are_mended():
    text, ranges = "원고 홍길동\t은", ((0, 2, 2 << 24), (3, 6, 2 << 24), (4, 5, 2 << 24))
    found = masked(text, masks=[(3, 7, "A")], ranges=ranges)
    count, controls = struct.unpack_from("<II", found[66][0])
    assert count == len("원고 A은") + 1
    assert controls == 0, "no tabulator is left"
    assert struct.unpack_from("<HHH", found[66][0], 12) == (1, 2, 1)
    assert list(struct.iter_unpack("<III", found[70][0])) == [(0, 2, 2 << 24), (3, 4, 2 << 24)]


LINES = "원고 홍길동은 2026년 서울에서 피고 김철수를 만났다."


@pytest.mark.parametrize(
    ("what", "text", "lines", "masks", "after"),
    [
        ("a name in line 1", LINES, (0, 14, 24), [(3, 6, "A")], [(0, 0), (12, 1), (22, 2)]),
        ("a name in line 2", LINES, (0, 14, 24), [(21, 24, "A")], [(0, 0), (14, 1), (22, 2)]),
        ("a name in each", LINES, (0, 14), [(3, 6, "A"), (21, 24, "B")], [(0, 0), (12, 1)]),
        ("a name that begins line 2", LINES, (0, 21), [(21, 24, "A")], [(0, 0), (21, 1)]),
        ("a name over the line's end", LINES, (0, 5, 14), [(3, 6, "A")], [(0, 0), (4, 1), (12, 2)]),
        ("more letters than before", LINES, (0, 14), [(3, 6, "(이름 생략)")], [(0, 0), (18, 1)]),
        ("a name of three lines", "가 홍길동은", (0, 3, 4), [(2, 5, "A")], [(0, 0), (3, 1)]),
        ("a name that ends the paragraph", "가 홍길동", (0, 3), [(2, 5, "A")], [(0, 0)]),
        ("the whole paragraph", LINES, (0, 14, 24), [(0, len(LINES), "A")], [(0, 0)]),
        ("nothing is left", "홍길동은", (0, 2), [(0, 4, "")], [(0, 0)]),
        ("nothing of line 1 is left", "홍길동은", (0, 3), [(0, 3, "")], [(0, 0)]),
        ("an empty line at the end", "홍길동은\n", (0, 5), [(0, 3, "A")], [(0, 0), (3, 1)]),
        ("the break before it is masked", "홍길동\n", (0, 4), [(0, 4, "A")], [(0, 0)]),
        (
            "a line that began behind the text",
            "홍길동은",
            (0, 2, 9),
            [(0, 2, "A")],
            [(0, 0), (1, 1)],
        ),
        (
            "a pair is a place of two",
            "\U00020000길동은 나",
            (0, 5),
            [(0, 3, "A")],
            [(0, 0), (2, 1)],
        ),
        ("no lines", "홍길동", (), [(0, 3, "A")], []),
    ],
    ids=lambda value: value if isinstance(value, str) and value != LINES else "",
)
def test_lines_begin_where_their_text_is_and_none_behind_it(what, text, lines, masks, after):
    """*after*: where each line begins, and which line of the source it was."""
    file = Hwp([paragraph(text, lines=lines) + paragraph("다음 문단", lines=(0, 3))])
    data = hwp.open(file.made()).written([Mask(0, *mask) for mask in masks], scrub=False).data
    of_source, _ = _lines_of_another_reader(file.made())
    touched, other = _lines_of_another_reader(data)
    rest_of = [rest for _, rest in of_source]
    assert touched == [(start, rest_of[number]) for start, number in after]
    assert [start for start, _ in other] == [0, 3]
    _texts_of_another_reader(data)


def test_an_emptied_hidden_comment_keeps_its_first_line():
    hidden = listed(2, paragraph("숨은 설명", level=2, lines=(0, 3)))
    file = Hwp([paragraph("본문", below=control(b"tcmt", 1, bytes(16), hidden))])
    lines = _lines_of_another_reader(hwp.open(file.made()).written([]).data)
    assert [[start for start, _ in one] for one in lines] == [[0], [0]]


def test_a_paragraph_that_is_emptied_has_no_text():
    found = masked("홍길동", masks=[(0, 3, "")])
    assert 67 not in found
    assert struct.unpack_from("<I", found[66][0]) == (1,)


def test_the_mark_of_a_list_s_last_paragraph_stays():
    section = bytearray(paragraph("홍길동"))
    struct.pack_into("<I", section, 4, 4 | 0x80000000)
    opened = hwp.open(Hwp([bytes(section)]).made())
    found = payloads(opened.written([Mask(0, 0, 3, "A")], scrub=False).data)
    assert struct.unpack_from("<I", found[66][0]) == (2 | 0x80000000,)


@pytest.mark.parametrize(
    "masks",
    [
        [Mask(0, 0, 9, "A")],
        [Mask(0, 1, 1, "A")],
        [Mask(9, 0, 1, "A")],
        [Mask(-1, 0, 1, "A")],
        [Mask(0, 1, 3, "A"), Mask(0, 2, 3, "B")],
        [Mask(0, 0, 1, "A\t")],
        [Mask(1, 0, 9, "A")],
    ],
    ids=str,
)
def test_masks_that_fit_nowhere_are_errors_of_the_caller(masks):
    opened = hwp.open(Hwp([paragraph("홍길동", below=_equation("x"))]).made())
    with pytest.raises(ValueError, match=r"mask|replacement"):
        opened.written(masks, scrub=False)


def _form(caption: str, name: str = "btn") -> bytes:
    item = f"Name:wstring:{len(name)}:{name} Caption:wstring:{len(caption)}:{caption} Value:int:1 "
    text = f"ButtonSet:set:{len(item)}:{item} "
    below = record(91, 2, b"tbp+tbp+" + struct.pack("<I", len(text)) + string(text))
    return control(b"form", 1, made.common(), below)


def _word_art(text: str, outline: bytes = b"", description: str = "") -> bytes:
    content = bytes(32) + string(text) + string("바탕") + string("굵게") + bytes(36)
    content += struct.pack("<I", len(outline) // 8) + outline
    below = record(76, 2, b"tat$tat$" + bytes(188)) + record(90, 3, content)
    return control(b"gso ", 1, made.common(description), below)


def _equation(script: str) -> bytes:
    return control(
        *(b"eqed", 1, made.common()),
        record(88, 2, bytes(4) + string(script) + bytes(12) + string("Equation Version 60")),
    )


def test_texts_in_other_records_are_masked_too():
    outline = "홍길동".encode("utf-16-le") + bytes(2)
    section = paragraph(
        "본문",
        below=_equation("rm 홍길동")
        + _word_art("홍길동", outline)
        + control(b"tdut", 1, string("홍길동") + string("원고 홍길동") + bytes(20))
        + _form("홍길동 동의함"),
    )
    opened = hwp.open(Hwp([section]).made())
    masks = [
        Mask(number, segment.text.index("홍길동"), segment.text.index("홍길동") + 3, "A")
        for number, segment in enumerate(opened.segments)
        if "홍길동" in segment.text
    ]
    assert len(masks) == 5
    result = opened.written(masks, scrub=False).data
    again = hwp.open(result)
    assert [segment.text for segment in again.segments] == [
        segment.text.replace("홍길동", "A") for segment in opened.segments
    ]
    assert not any("홍길동".encode("utf-16-le") in content for _, content in again.strings())


def _whole() -> Hwp:
    """Return a file with text in all places that pages show."""
    section = paragraph(
        *("본문의 강감찬과 ", (17, b"fn  "), "이순신은", (11, b"tbl "), (16, b"head")),
        shapes=((0, 1), (5, 2), (9, 3)),
        below=note(1, "각주의 강감찬")
        + made.table(1, [["성명", "이순신"], ["상대방", "강감찬"]], caption="표의 강감찬")
        + made.text_box(1, "글상자의 이순신")
        + note(1, "머리말의 강감찬", b"head")
        + record(93, 1, bytes(4))
        + listed(1, paragraph("메모의 이순신", level=1)),
    )
    streams = {"PrvText": "강감찬".encode("utf-16-le"), "BinData/BIN0001.png": b"not named"}
    return Hwp([section, paragraph("다음 구역의 이순신")], streams=streams)


def _masks(opened, replacements: dict[str, str]) -> list[Mask]:
    words = re.compile("|".join(replacements))
    return [
        Mask(number, *found.span(), replacements[found[0]])
        for number, segment in enumerate(opened.segments)
        for found in words.finditer(segment.text)
    ]


@pytest.mark.parametrize("flags", [0, made.COMPRESSED])
@pytest.mark.parametrize("scrub", [True, False])
def test_a_whole_file_is_masked_and_nothing_else_changes(flags, scrub):
    file = _whole()
    file.flags = flags
    opened = hwp.open(file.made())
    masks = _masks(opened, {"강감찬": "갑", "이순신": "(이름 생략)"})
    assert len(masks) == 10
    written = opened.written(masks, scrub=scrub)
    again = hwp.open(written.data)
    assert [(s.text, s.kind, s.part, s.after) for s in again.segments] == [
        *(
            (
                s.text.replace("강감찬", "갑").replace("이순신", "(이름 생략)"),
                *(s.kind, s.part, s.after),
            )
            for s in opened.segments
        )
    ]
    words = [word.encode("utf-16-le") for word in ("강감찬", "이순신")]
    left = {name for name, content in again.strings() if any(word in content for word in words)}
    assert left == (set() if scrub else {"PrvText"})


def test_without_masks_and_scrubbing_the_file_is_the_same():
    data = _whole().made() + bytes(100)
    assert hwp.open(data).written([], scrub=False).data == data


def test_streams_that_nothing_touches_are_the_same_bytes():
    before = _whole().parts()
    opened = hwp.open(_whole().made())
    last = len(opened.segments) - 1
    section = next(n for n, s in enumerate(opened.segments) if s.part == "BodyText/Section1")
    assert section != last
    after = Compound.read(opened.written([Mask(section, 0, 2, "A")], scrub=False).data).streams
    changed = {name for name, content in after.items() if before[name] != content}
    assert (after.keys(), changed) == (before.keys(), {"BodyText/Section1"})


def test_names_get_numbers_that_tell_them_apart_and_a_second_scrubbing_keeps_them():
    names = ["둘째", "첫째", "둘째"]
    below = b"".join(field_start(b"%clk", 1, "", named(2, name)) for name in names)
    below += control(b"bokm", 1, b"", named(2, "첫째"))
    once = hwp.open(Hwp([paragraph("본문", below=below)]).made()).written([]).data
    found = [payload[12:].decode("utf-16-le") for payload in payloads(once)[87]]
    assert found == ["필드 1", "필드 2", "필드 1", "책갈피 1"]
    assert hwp.open(once).written([]).data == once


def test_scrubbing_twice_changes_nothing():
    once = hwp.open(_whole().made()).written([]).data
    assert hwp.open(once).written([]).data == once


SECRET = "비밀칠칠"

PNG = b"\x89PNG\r\n\x1a\n"
PNG += struct.pack(">L4s13sL", 13, b"IHDR", struct.pack(">LLBBBBB", 1, 1, 8, 0, 0, 0, 0), 0)
PNG += struct.pack(">L4s", len(SECRET.encode()), b"tEXt") + SECRET.encode() + bytes(4)
PNG += struct.pack(">L4sL", 0, b"IEND", 0)


def _author(name: str) -> bytes:
    units = name.encode("utf-16-le")
    return struct.pack("<I", len(units) // 2) + units + bytes(4)


def _in_section(below: bytes) -> Hwp:
    return Hwp([paragraph("본문", (18, b"atno"), below=below)])


def _in_doc_info(tag: int, payload: bytes) -> Hwp:
    return Hwp([paragraph("본문")], doc_info=record(tag, 1, payload))


def _in_stream(name: str, content: bytes = SECRET.encode("utf-16-le")) -> Hwp:
    return Hwp([paragraph("본문")], streams={name: content})


def _in_bin_data(ending: str, content: bytes, kind: int) -> Hwp:
    file = Hwp([paragraph("본문")])
    file.doc_info = record(18, 1, struct.pack("<HH", kind, 1) + string(ending))
    file.streams = {f"BinData/BIN0001.{ending}": file.deflated(content)}
    return file


def _in_trailer() -> Hwp:
    file = Hwp([paragraph("본문")])
    file.streams = {"BodyText/Section0": file.deflated(paragraph("본문")) + SECRET.encode()}
    return file


def _in_header() -> Hwp:
    head = bytearray(Hwp([]).parts()["FileHeader"])
    head[60 : 60 + len(SECRET.encode())] = SECRET.encode()
    return _in_stream("FileHeader", bytes(head))


OBJECT = Compound({"Workbook": SECRET.encode("utf-16-le")}, {}).written()
HIDING_PLACES = {
    "the summary": (_in_stream("\x05HwpSummaryInformation"), "HwpSummaryInformation"),
    "the preview's text": (_in_stream("PrvText"), "PrvText"),
    "the preview's picture": (_in_stream("PrvImage"), "PrvImage"),
    "a linked document": (_in_stream("DocOptions/_LinkDoc"), "DocOptions/_LinkDoc"),
    "a script": (_in_stream("Scripts/DefaultJScript"), "Scripts/DefaultJScript"),
    "an earlier version": (_in_stream("DocHistory/VersionLog0"), "DocHistory/VersionLog0"),
    "an XML template": (_in_stream("XMLTemplate/Instance"), "XMLTemplate/Instance"),
    "a body for distribution": (_in_stream("ViewText/Section0"), "ViewText/Section0"),
    "sources": (_in_stream("Bibliography"), "Bibliography"),
    "a stream that nobody knows": (_in_stream("Whatever"), "Whatever"),
    "another stream of the body": (_in_stream("BodyText/Backup"), "BodyText/Backup"),
    "a picture that nothing shows": (_in_stream("BinData/BIN0009.png"), "BinData/BIN0009.png"),
    "a picture's metadata": (_in_bin_data("png", PNG, 1), "BinData/BIN0001.png"),
    "an embedded object": (
        _in_bin_data("OLE", struct.pack("<I", len(OBJECT)) + OBJECT, 2),
        "BinData/BIN0001.OLE",
    ),
    "bytes behind a stream": (_in_trailer(), "BodyText/Section0"),
    "the header's spare bytes": (_in_header(), "FileHeader"),
    "a linked picture's path": (
        _in_doc_info(18, bytes(2) + string(rf"C:\Users\{SECRET}\a.png") + string(SECRET)),
        "DocInfo",
    ),
    "a style's name": (_in_doc_info(26, string(SECRET) + string("") + bytes(12)), "DocInfo"),
    "who changed something": (_in_doc_info(97, _author(SECRET)), "DocInfo"),
    "memory in the settings": (
        _in_doc_info(32, b"\x38\0\0\0" + SECRET.encode().ljust(1028, b"\0")),
        "DocInfo",
    ),
    "settings of printing": (
        _in_doc_info(27, struct.pack("<HhHHH", 0x21C, 1, 0, 0x4000, 1) + string(SECRET)),
        "DocInfo",
    ),
    "a link's target": (
        _in_section(field_start(b"%hlk", 1, f"mailto\\:{SECRET}@example.com;2;0;0;")),
        "BodyText/Section0",
    ),
    "who wrote a memo": (
        _in_section(field_start(b"%%me", 1, f"MEMO/1/1/5/6/{SECRET}/\\;;")),
        "BodyText/Section0",
    ),
    "the guidance of a field": (
        _in_section(
            field_start(b"%clk", 1, f"Clickhere:set:30:Direction:wstring:4:{SECRET} Help:int:0  ")
        ),
        "BodyText/Section0",
    ),
    "a cross reference": (
        _in_section(field_start(b"%xrf", 1, f"?#{SECRET};1;2;")),
        "BodyText/Section0",
    ),
    "a field's name": (
        _in_section(field_start(b"%clk", 1, "", named(2, SECRET))),
        "BodyText/Section0",
    ),
    "a bookmark's name": (
        _in_section(control(b"bokm", 1, b"", named(2, SECRET))),
        "BodyText/Section0",
    ),
    "an object's data": (
        _in_section(control(b"gso ", 1, made.common(), record(87, 2, SECRET.encode()))),
        "BodyText/Section0",
    ),
    "a table's description": (
        _in_section(made.table(1, [["가"]], description=SECRET)),
        "BodyText/Section0",
    ),
    "a shape's description": (
        _in_section(made.text_box(1, "가", description=f"원본 그림의 이름: {SECRET}.bmp")),
        "BodyText/Section0",
    ),
    "a cell's name": (
        _in_section(
            control(
                *(b"tbl ", 1, made.common()),
                record(77, 2, bytes(22))
                + listed(
                    *(2, paragraph("가", level=2)),
                    rest=made.cell_head(
                        0, 0, bytes.fromhex("ff1b020100000000400100") + string(SECRET)
                    ),
                ),
            )
        ),
        "BodyText/Section0",
    ),
    "a hidden comment": (_in_section(note(1, SECRET, b"tcmt")), "BodyText/Section0"),
    "a table in a hidden comment": (
        _in_section(
            control(
                *(b"tcmt", 1, bytes(16)),
                listed(
                    *(2, paragraph((11, b"tbl "), level=2, below=made.table(3, [[SECRET]]))),
                ),
            )
        ),
        "BodyText/Section0",
    ),
    "an index mark": (
        _in_section(control(b"idxm", 1, string(SECRET) + string(SECRET) + bytes(4))),
        "BodyText/Section0",
    ),
    "a form's name": (_in_section(_form("동의함", SECRET)), "BodyText/Section0"),
    "a video's address": (
        _in_section(
            control(
                *(b"gso ", 1, made.common()),
                record(76, 2, bytes(196)) + record(98, 3, b"\1\0\0\0" + string(SECRET) + bytes(4)),
            )
        ),
        "BodyText/Section0",
    ),
    "a chart": (
        _in_section(
            control(
                *(b"gso ", 1, made.common()),
                record(76, 2, bytes(196)) + record(95, 3, SECRET.encode("utf-16-le")),
            )
        ),
        "BodyText/Section0",
    ),
}


def _holds(data: bytes) -> set[str]:
    """Return the parts of a file that hold the secret, in any writing."""
    forms = [SECRET.encode(code) for code in ("utf-8", "utf-16-le", "cp949")]
    parts = [("", data), *hwp.open(data).strings()]
    return {name for name, content in parts if any(form in content for form in forms)}


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_no_secret_is_left_where_it_hid_and_the_report_names_the_place(place):
    file, part = HIDING_PLACES[place]
    before = file.made()
    if place not in ("bytes behind a stream", "the header's spare bytes"):
        assert any(part in name for name in _holds(before)), "the secret is there before"
    opened = hwp.open(before)
    written = opened.written([])
    assert _holds(written.data) == set()
    assert [s.text for s in hwp.open(written.data).segments] == [s.text for s in opened.segments]
    done = [one for one in written.scrubbed if one.part == part and one.action != Action.KEPT]
    assert done, f"the report names {part}"
    assert all(one.reason and SECRET not in one.reason for one in written.scrubbed)


def test_marks_of_what_is_dropped_are_taken_out_of_the_header():
    file = _in_stream("DocHistory/VersionLog0")
    file.flags |= made.HISTORY | made.SCRIPT
    streams = Compound.read(hwp.open(file.made()).written([]).data).streams
    assert struct.unpack_from("<I", streams["FileHeader"], 36) == (made.COMPRESSED,)
    assert list(streams) == ["FileHeader", "DocInfo", "BodyText/Section0"] or set(streams) == {
        *("FileHeader", "DocInfo", "BodyText/Section0")
    }


def test_a_picture_stays_and_is_shown_to_a_person():
    bare = PNG[:33] + PNG[-12:]
    opened = hwp.open(_in_bin_data("png", bare, 1).made())
    written = opened.written([])
    before, after = (Compound.read(data).streams for data in (opened._data, written.data))
    assert after["BinData/BIN0001.png"] == before["BinData/BIN0001.png"]
    assert any(
        one.part == "BinData/BIN0001.png" and one.action == Action.KEPT for one in written.scrubbed
    )


@pytest.mark.parametrize(("kind", "what"), [(16, "inserted"), (17, "deleted")])
def test_words_that_are_tracked_are_refused(kind, what):
    section = paragraph("원고 홍길동", ranges=((0, 2, kind << 24),))
    with pytest.raises(Refused, match="변경 내용"):
        hwp.open(Hwp([section]).made())


def test_damage_at_random_places_is_refused_or_read_and_never_hangs():
    rng, began = random.Random(11), time.monotonic()
    parts = _whole().parts()
    section = inflated(parts["BodyText/Section0"], "").data
    for _ in range(400):
        data = bytearray(section)
        for _ in range(rng.randint(1, 5)):
            data[rng.randrange(len(data))] = rng.choice([0, 1, 11, 66, 67, 255, rng.randrange(256)])
        cut = bytes(data[: rng.choice([len(data), rng.randrange(len(data))])])
        file = _whole()
        file.sections[0] = cut
        try:
            opened = hwp.open(file.made())
            masks = [Mask(n, 0, 1, "A") for n, s in enumerate(opened.segments) if s.text][:3]
            written = opened.written(masks)
        except Refused as refusal:
            assert refusal.cure
            continue
        again = hwp.open(written.data)
        assert len(again.segments) == len(opened.segments)
        for mask in masks:
            assert again.segments[mask.segment].text.startswith("A")
    assert time.monotonic() - began < 30


_LETTERS = st.text(st.sampled_from("가나다 A1-\U00020000\ue000"), max_size=6)
_PIECES = st.lists(
    st.one_of(
        _LETTERS,
        st.sampled_from(["\t", "\n", "\x1e"]),
        st.sampled_from([(17, b"fn  "), (11, b"tbl "), (3, b"%hlk"), (4, b"%hlk")]),
    ),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(_PIECES, st.data())
def test_any_masks_change_what_they_cover_and_nothing_else(pieces, data):
    units_before = len(made.units(*pieces)) // 2
    lines = sorted(data.draw(st.sets(st.integers(1, units_before), max_size=4)))
    opened = hwp.open(Hwp([paragraph(*pieces, lines=(0, *lines))]).made())
    text = opened.segments[0].text
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    masks = [
        Mask(0, begin, end, data.draw(_LETTERS))
        for begin, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    for mask in reversed(masks):
        text = text[: mask.start] + mask.replacement + text[mask.end :]
    result = opened.written(masks, scrub=False).data
    assert hwp.open(result).segments[0].text == text
    found = payloads(result)
    controls = [piece for piece in pieces if not isinstance(piece, str)]
    left = found.get(67, [b""])[0]
    names = {name for _, name in controls}
    assert sum(left.count(name[::-1] + bytes(8)) for name in names) == len(controls)
    count = len(left) // 2 or 1
    assert struct.unpack_from("<I", found[66][0]) == (count,)
    starts = [start for start, *_ in struct.iter_unpack("<I8i", found[69][0])]
    assert struct.unpack_from("<H", found[66][0], 16) == (len(starts),)
    assert starts[0] == 0
    assert starts == sorted(set(starts)) or not masks
    assert starts[-1] < count or not masks


@pytest.mark.slow
def test_a_table_of_a_hundred_thousand_cells_takes_bounded_time_and_memory():
    rows = [[f"갑{row}", "서울특별시", "1,000원", "이순신"] * 2 for row in range(12_500)]
    section = paragraph((11, b"tbl "), below=made.table(1, rows))
    file = Hwp([section]).made()
    began = time.process_time()
    opened = hwp.open(file)
    masks = [Mask(n, 0, 3, "A") for n, s in enumerate(opened.segments) if s.text == "이순신"]
    written = opened.written(masks)
    letters = sum(len(segment.text) for segment in opened.segments)
    assert letters / (time.process_time() - began) > 100_000
    assert len(hwp.open(written.data).segments) == 100_001
    del opened, written
    tracemalloc.start()
    hwp.open(file).written(masks)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10 * len(section)


def _real() -> list[Path]:
    return sorted(SHARED.rglob("*.hwp")) if SHARED.is_dir() else []


def _lines_of_another_reader(data: bytes) -> list[list[tuple[int, bytes]]]:
    """Return of each paragraph where python-hwpx finds the lines to begin, and what it says more.

    Held against each paragraph's counts of units and of lines.
    """
    reader = pytest.importorskip("hwpx.hwp5.reader", reason="python-hwpx is the second reader")
    from hwpx.hwp5 import bodytext, records

    found = []
    for section in reader.read_hwp5(data).sections:
        for one in bodytext.iter_paragraphs(section.roots):
            cached = [child for child in one.record.children if child.tag == records.PARA_LINE_SEG]
            lines = [
                (struct.unpack_from("<I", child.payload, at)[0], child.payload[at + 4 : at + 36])
                for child in cached
                for at in range(0, len(child.payload), 36)
            ]
            assert all(len(rest) == 32 for _, rest in lines)
            assert one.line_seg_count == len(lines)
            found.append(lines)
    return found


def _texts_of_another_reader(data: bytes) -> list[str]:
    """Return the paragraphs' texts as python-hwpx reads them."""
    reader = pytest.importorskip("hwpx.hwp5.reader", reason="python-hwpx is the second reader")
    from hwpx.hwp5 import bodytext

    letters = {9: "\t", 10: "\n", 24: "-", 30: "\u00a0", 31: "\u3000"}
    texts = []
    for section in reader.read_hwp5(data).sections:
        assert section.level_jumps == 0
        for one in bodytext.iter_paragraphs(section.roots):
            assert one.malformed_controls == 0
            assert one.char_count == max(1, one.text_units)
            assert one.char_shape_count == len(one.char_shapes)
            assert one.char_shapes[0][0] == 0
            assert one.char_shapes[-1][0] < one.char_count
            texts.append("".join(c.text or letters.get(c.code, "") for c in one.chunks))
    return sorted(texts)


@pytest.mark.slow
@pytest.mark.skipif(not _real(), reason="real documents lie beside the checkout, if at all")
@pytest.mark.parametrize("path", _real(), ids=lambda path: path.stem)
def test_real_files(path):
    data = path.read_bytes()
    try:
        opened = hwp.open(data)
    except Refused as refusal:
        assert "배포용" in str(refusal)
        return
    own = [s.text for s, n in zip(opened.segments, _numbers(opened), strict=True) if n < 0]
    assert opened.written([], scrub=False).data == data
    assert _texts_of_another_reader(data) == sorted(own)
    rng = random.Random(5)
    words = [
        (number, *found.span())
        for number, segment in enumerate(opened.segments)
        for found in re.finditer(r"\w{1,4}", segment.text)
    ]
    picked = sorted(rng.sample(words, min(20, len(words))))
    masks = [Mask(*word, rng.choice(["A", "(생략)", "갑을병정무기"])) for word in picked]
    written = opened.written(masks).data
    again = hwp.open(written)
    expected = [segment.text for segment in opened.segments]
    for mask in reversed(masks):
        text = expected[mask.segment]
        expected[mask.segment] = text[: mask.start] + mask.replacement + text[mask.end :]
    assert [segment.text for segment in again.segments] == expected
    new = [s.text for s, n in zip(again.segments, _numbers(again), strict=True) if n < 0]
    assert _texts_of_another_reader(written) == sorted(new)
    had_lines = [bool(lines) for lines in _lines_of_another_reader(data)]
    assert [bool(lines) for lines in _lines_of_another_reader(written)] == had_lines
    assert again.written([]).data == written


def _pairs() -> list[Path]:
    return [path for path in _real() if path.with_suffix(".hwpx").exists()]


@pytest.mark.slow
@pytest.mark.skipif(not _pairs(), reason="real documents lie beside the checkout, if at all")
@pytest.mark.parametrize("path", _pairs(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_document_reads_the_same_in_both_formats_of_its_program(path):
    own = hwp.open(path.read_bytes())
    other = hwpx.open(path.with_suffix(".hwpx").read_bytes())
    if any(name.endswith(".OLE") for name in Compound.read(path.read_bytes()).streams):
        pytest.skip("charts are embedded objects here and parts of their own there")
    assert [(s.text, s.kind) for s in own.segments if s.text] == [
        (s.text, s.kind) for s in other.segments if s.text
    ]


def _numbers(opened) -> list[int]:
    """Return of each segment which string of its record it is; below zero a paragraph's text."""
    return [opened._sections._place(number)[2] for number in range(len(opened.segments))]
