"""Fonts made anew: a subset that shows what stays, numbered by character and by nothing else.

A subset that a program made numbers its glyphs in the order in which the text needed them, so
that holes and order tell how many letters stood in a gap, and which. Here they are sorted.
"""

import io
import lzma
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import pikepdf
from fontTools.ttLib import TTFont
from fontTools.ttLib.sfnt import SFNTWriter
from pikepdf import Array, Dictionary, Name


@cache
def letters() -> bytes:
    """Return the font that replacements are drawn in."""
    packed = files("thunder.documents.pdf").joinpath("letters.ttf.xz").read_bytes()
    return lzma.decompress(packed)


@cache
def _letters_font() -> TTFont:
    return TTFont(io.BytesIO(letters()), lazy=True)


@cache
def letter_width(char: str) -> float | None:
    """Return how wide *char* is in that font at size 1; None where it lacks it."""
    font = _letters_font()
    name = font.getBestCmap().get(ord(char))
    return None if name is None else font["hmtx"][name][0] / font["head"].unitsPerEm


def letters_font(pdf: pikepdf.Pdf, chars: Iterable[str]) -> tuple[Any, dict[str, bytes]]:
    """Return the font for replacements that need *chars*, and the code of each of them."""
    wanted = sorted(set(chars))
    font = _letters_font()
    cmap = font.getBestCmap()
    numbers = font.getReverseGlyphMap()
    program = cut_program(font, [numbers[cmap[ord(char)]] for char in wanted])
    widths = [1000 * (letter_width(char) or 0.0) for char in wanted]
    made = Dictionary(Type=Name.Font)
    compose(pdf, made, "ThunderLetters", program, widths, wanted)
    codes = {char: at.to_bytes(2, "big") for at, char in enumerate(wanted, 1)}
    return pdf.make_indirect(made), codes


def cut_program(font: TTFont, glyphs: Sequence[int]) -> bytes:
    """Return a TrueType program of *glyphs* alone, numbered 1, 2 … in their order."""
    glyf, loca, upright = font.reader["glyf"], font["loca"], font["hmtx"].metrics
    names = font.getGlyphOrder()
    places = loca.locations

    def outline(glyph: int) -> bytes:
        if glyph + 1 >= len(places):
            return b""
        return bytes(glyf[places[glyph] : places[glyph + 1]])

    sources = [0, *glyphs]
    numbers: dict[int, int] = {}
    made: list[bytes] = []
    at = 0
    while at < len(sources):
        data = bytearray(outline(sources[at]))
        if len(data) > 10 and data[0] & 0x80:  # made of other glyphs
            for place, part in _components(data):
                if part not in numbers:
                    numbers[part] = len(sources)
                    sources.append(part)
                data[place : place + 2] = numbers[part].to_bytes(2, "big")
        made.append(bytes(data) + b"\0" * (-len(data) % 4))
        at += 1
    metrics = [
        upright.get(names[glyph], (0, 0)) if glyph < len(names) else (0, 0) for glyph in sources
    ]
    offsets = [0]
    for one in made:
        offsets.append(offsets[-1] + len(one))
    head, hhea = bytearray(font.reader["head"]), bytearray(font.reader["hhea"])
    maxp = bytearray(font.reader["maxp"])
    head[8:12] = bytes(4)  # the sum over all: the writer works it out
    head[20:36] = (2_082_844_800).to_bytes(8, "big") * 2  # made in 1970
    head[50:52] = b"\0\1"
    hhea[34:36] = len(sources).to_bytes(2, "big")
    maxp[4:6] = len(sources).to_bytes(2, "big")
    tables = {
        "head": bytes(head),
        "hhea": bytes(hhea),
        "maxp": bytes(maxp),
        "hmtx": b"".join(struct.pack(">Hh", width, bearing) for width, bearing in metrics),
        "loca": struct.pack(f">{len(offsets)}L", *offsets),
        "glyf": b"".join(made) or b"\0",
    }
    tables |= {tag: font.reader[tag] for tag in ("cvt ", "fpgm", "prep") if tag in font.reader}
    out = io.BytesIO()
    writer = SFNTWriter(out, len(tables))
    for tag in sorted(tables):
        writer[tag] = tables[tag]
    writer.close()
    return out.getvalue()


def _components(data: bytearray) -> Iterator[tuple[int, int]]:
    """Yield where a glyph made of others names each of them, and its number."""
    at, more = 10, True
    while more:
        flags, part = struct.unpack_from(">HH", data, at)
        yield at + 2, part
        at += 8 if flags & 1 else 6
        at += 2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0
        more = bool(flags & 0x20)


def compose(
    pdf: pikepdf.Pdf,
    dictionary: Any,
    name: str,
    program: bytes,
    widths: Sequence[float],
    texts: Sequence[str],
    *,
    look: Mapping[str, Any] | None = None,
    vertical: bool = False,
) -> None:
    """Make *dictionary* the font whose codes 1, 2 … say *texts*, with glyphs of the same numbers.

    *look* are the entries of the descriptor that say how the font looks.
    """
    stream = pdf.make_stream(program)
    stream.Length1 = len(program)
    full = f"/AAAAAA+{name}"
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name(full),
        Flags=4,
        FontBBox=[0, -300, 1000, 1000],
        ItalicAngle=0,
        Ascent=800,
        Descent=-200,
        CapHeight=700,
        StemV=80,
    )
    for key, value in (look or {}).items():
        descriptor[key] = value
    descriptor.FontFile2 = stream
    descendant = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name(full),
        CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
        DW=1000,
        CIDToGIDMap=Name.Identity,
    )
    if widths:
        descendant.W = Array([1, Array([round(width, 3) for width in widths])])
    for key in list(dictionary.keys()):
        del dictionary[key]
    dictionary.Type = Name.Font
    dictionary.Subtype = Name.Type0
    dictionary.BaseFont = Name(full)
    dictionary.Encoding = Name("/Identity-V" if vertical else "/Identity-H")
    dictionary.DescendantFonts = Array([pdf.make_indirect(descendant)])
    dictionary.ToUnicode = pdf.make_stream(unicode_cmap(list(enumerate(texts, 1)), 2))


def unicode_cmap(entries: Sequence[tuple[int, str]], length: int) -> bytes:
    """Return the ToUnicode map of *entries*: (code, text), codes of *length* bytes."""
    digits = 2 * length
    out = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
        f"1 begincodespacerange <{'0' * digits}> <{'F' * digits}> endcodespacerange",
    ]
    for at in range(0, len(entries), 100):
        block = entries[at : at + 100]
        out.append(f"{len(block)} beginbfchar")
        out += [
            f"<{code:0{digits}X}> <{text.encode('utf-16-be').hex().upper()}>"
            for code, text in block
        ]
        out.append("endbfchar")
    out.append("endcmap CMapName currentdict /CMap defineresource pop end end")
    return "\n".join(out).encode()
