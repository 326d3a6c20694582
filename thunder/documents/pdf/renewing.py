"""Embedded fonts without the glyphs, widths and map entries that only masked words needed.

What stays is numbered by character, so that neither a hole nor the order in which the text first
used its letters tells anything of what stood in a gap. Outlines stay as they are: a TrueType
program is cut by its tables, a CFF or Type 1 program is drawn anew as TrueType.
"""

import io
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import pikepdf
from fontTools import agl
from fontTools.cffLib import CFFFontSet
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.t1Lib import T1Font
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name

from thunder.documents.pdf.embedding import compose, cut_program, unicode_cmap
from thunder.documents.pdf.fonts import Font
from thunder.documents.pdf.reading import CURE_AGAIN, inflated
from thunder.documents.segments import Refused

FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_LOOK = ("/Flags", "/FontBBox", "/ItalicAngle", "/Ascent", "/Descent", "/CapHeight", "/StemV")


def file_of(font: Font) -> tuple[int, int] | None:
    """Return which object is the font's program; None for one that is not embedded."""
    for key in FILES:
        if font.descriptor is not None and key in font.descriptor:
            found: tuple[int, int] = font.descriptor[key].objgen
            return found
    return None


def renew(pdf: pikepdf.Pdf, font: Font, used: Sequence[bytes]) -> Mapping[bytes, bytes]:
    """Leave in *font* what the codes *used* need; return the new code of each.

    Raises: Refused for a program that cannot be cut.
    """
    order = sorted(used, key=lambda code: (font.text[code], code))
    if font.subtype == "/Type3":
        return _renew_type3(pdf, font, order)
    if file_of(font) is None:
        _narrow(pdf, font, used)
        return {}
    try:
        program = _program(font, order)
    except (Refused, MemoryError):
        raise
    except Exception:  # whatever a damaged program leads to
        raise Refused(font_name(font), "글꼴에서 가린 글자를 뺄 수 없습니다", CURE_AGAIN) from None
    assert font.descriptor is not None
    look: dict[str, Any] = {key: font.descriptor[key] for key in _LOOK if key in font.descriptor}
    look["/Flags"] = int(look.get("/Flags", 4)) & ~32 | 4
    widths = [float(font.width[code]) * (1 if font.vertical else 1000) for code in order]
    texts = [font.text[code] for code in order]
    name = font_name(font)
    vertical = font.vertical
    for dictionary in font.copies or [font.dictionary]:
        compose(
            pdf, dictionary, name, program, [] if vertical else widths, texts,
            look=look, vertical=vertical,
        )  # fmt: skip
    return {code: at.to_bytes(2, "big") for at, code in enumerate(order, 1)}


def font_name(font: Font) -> str:
    """Return the font's name without the mark of a subset."""
    return str(font.dictionary.get("/BaseFont", "/Font"))[1:].rpartition("+")[2] or "Font"


def _program(font: Font, order: Sequence[bytes]) -> bytes:
    assert font.descriptor is not None
    if "/FontFile2" in font.descriptor:
        source = TTFont(io.BytesIO(inflated(font.descriptor.FontFile2)), lazy=True)
        if "glyf" in source:
            return cut_program(source, [_truetype_glyph(font, source, code) for code in order])
    if "/FontFile3" in font.descriptor:
        data = inflated(font.descriptor.FontFile3)
        if data[:4] == b"OTTO":
            data = TTFont(io.BytesIO(data)).reader["CFF "]
        elif data[:4] in (b"\0\1\0\0", b"true"):
            source = TTFont(io.BytesIO(data), lazy=True)
            return cut_program(source, [_truetype_glyph(font, source, code) for code in order])
        return _drawn_cff(font, data, order)
    return _drawn_type1(font, inflated(font.descriptor.FontFile), order)


def _truetype_glyph(font: Font, source: TTFont, code: bytes) -> int:
    """Return the number of the glyph that *code* shows. (ISO 32000-1, 9.6.6.4 and 9.7.4.2.)"""
    if font.composite:
        return font.glyph_of(font.cid(code))
    value = int.from_bytes(code, "big")
    tables = {(t.platformID, t.platEncID): t.cmap for t in source["cmap"].tables}
    name = font.glyph_name(code)
    wanted: list[str | None] = []
    if name:
        said = agl.toUnicode(name)
        for key in ((3, 1), (0, 3), (0, 1), (3, 10), (0, 4)):
            wanted.append(tables.get(key, {}).get(ord(said)) if len(said) == 1 else None)
    for key in ((3, 0), (1, 0)):
        for char in (0xF000 + value, value):
            wanted.append(tables.get(key, {}).get(char))
    wanted.append(name)
    numbers = source.getReverseGlyphMap()
    for glyph in wanted:
        if glyph in numbers:
            return int(numbers[glyph])
    return 0


def _drawn_cff(font: Font, data: bytes, order: Sequence[bytes]) -> bytes:
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(data), None)
    top = fonts[0]
    strings = top.CharStrings
    names = top.charset
    matrix = getattr(top, "FontMatrix", None) or [0.001]
    keyed = hasattr(top, "ROS")

    def glyph(code: bytes) -> str:
        if font.composite:
            cid = font.cid(code)
            if keyed:
                return f"cid{cid:05d}"
            return str(names[cid]) if cid < len(names) else ".notdef"
        name = font.glyph_name(code)
        if name in strings:
            return name
        encoding = top.Encoding
        value = int.from_bytes(code, "big")
        return str(encoding[value]) if isinstance(encoding, list) else ".notdef"

    chosen = [glyph(code) for code in order]
    # Neither is a dictionary with a method for that.
    outlines = [strings[name] if name in strings else None for name in chosen]  # noqa: SIM401
    return _drawn(outlines, float(matrix[0]))


def _drawn_type1(font: Font, data: bytes, order: Sequence[bytes]) -> bytes:
    with tempfile.NamedTemporaryFile(suffix=".pfa") as file:
        file.write(data)
        file.flush()
        source = T1Font(file.name)
    source.parse()
    glyphs = source.getGlyphSet()
    encoding = source.font.get("Encoding")

    def glyph(code: bytes) -> str:
        name = font.glyph_name(code)
        if name in glyphs:
            return name
        return str(encoding[code[0]]) if isinstance(encoding, list) else ".notdef"

    chosen = [glyph(code) for code in order]
    matrix = source.font.get("FontMatrix") or [0.001]
    # Neither is a dictionary with a method for that.
    outlines = [glyphs[name] if name in glyphs else None for name in chosen]  # noqa: SIM401
    return _drawn(outlines, float(matrix[0]))


def _drawn(outlines: Sequence[Any], unit: float) -> bytes:
    """Return a TrueType program of *outlines*, glyphs 1, 2 … in their order."""
    names = [".notdef", *(f"g{at}" for at in range(1, len(outlines) + 1))]
    scale = unit * 1000
    drawn = {}
    for name, outline in zip(names, [None, *outlines], strict=True):
        pen = TTGlyphPen(None)
        if outline is not None:
            quadratic = Cu2QuPen(pen, 0.5, reverse_direction=True)
            outline.draw(TransformPen(quadratic, (scale, 0, 0, scale, 0, 0)))
        drawn[name] = pen.glyph()
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupGlyf(drawn)
    builder.setupHorizontalMetrics(
        {name: (1000, drawn[name].xMin if drawn[name].numberOfContours else 0) for name in names}
    )
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupMaxp()
    builder.font["head"].created = builder.font["head"].modified = 2_082_844_800
    builder.font.recalcTimestamp = False
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def _renew_type3(pdf: pikepdf.Pdf, font: Font, order: Sequence[bytes]) -> Mapping[bytes, bytes]:
    """Number the glyphs of a Type 3 font anew."""
    if len(order) > 255:
        raise Refused("Type3", "글꼴에서 가린 글자를 뺄 수 없습니다", CURE_AGAIN)
    dictionary = font.dictionary
    scale = float(dictionary.FontMatrix[0])
    procs = dictionary.get("/CharProcs", Dictionary())
    kept, widths = Dictionary(), []
    for at, code in enumerate(order, 1):
        proc = procs.get(f"/{font.glyph_name(code)}")
        if proc is not None:
            kept[f"/g{at}"] = proc
        widths.append(round(float(font.width[code]) / scale, 4))
    names = [Name(f"/g{at}") for at in range(1, len(order) + 1)]
    texts = [font.text[code] for code in order]
    for one in font.copies or [dictionary]:
        one.CharProcs = kept
        one.Encoding = Dictionary(Type=Name.Encoding, Differences=Array([1, *names]))
        one.FirstChar, one.LastChar, one.Widths = 1, len(order), Array(widths)
        if "/ToUnicode" in one:
            one.ToUnicode.write(unicode_cmap(list(enumerate(texts, 1)), 1))
        else:
            one.ToUnicode = pdf.make_stream(unicode_cmap(list(enumerate(texts, 1)), 1))
    return {code: bytes([at]) for at, code in enumerate(order, 1)}


def _narrow(pdf: pikepdf.Pdf, font: Font, used: Sequence[bytes]) -> None:
    """Leave widths and map entries of the codes *used* in a font that is not embedded."""
    values = sorted({int.from_bytes(code, "big"): code for code in used}.items())
    for one in font.copies or [font.dictionary]:
        if "/ToUnicode" in one:
            length = 2 if font.composite else 1
            entries = [(value, font.text[code]) for value, code in values]
            one.ToUnicode = pdf.make_stream(unicode_cmap(entries, length))
        if font.composite:
            if "/W" in font.descendant:
                cids = sorted({font.cid(code): code for code in used}.items())
                font.descendant.W = Array(
                    item
                    for cid, code in cids
                    for item in (cid, Array([round(float(font.width[code]) * 1000, 3)]))
                )
        elif "/Widths" in one and values:
            first, last = values[0][0], values[-1][0]
            kept = dict(values)
            one.FirstChar, one.LastChar = first, last
            one.Widths = Array(
                round(float(font.width[kept[value]]) * 1000, 3) if value in kept else 0
                for value in range(first, last + 1)
            )
