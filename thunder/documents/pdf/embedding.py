"""Fonts made anew: a subset that shows what stays, numbered by character and by nothing else.

A subset that a program made numbers its glyphs in the order in which the text needed them, so
that holes and order tell how many letters stood in a gap, and which. Here they are sorted.
"""

import io
import lzma
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import pikepdf
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.reorderGlyphs import reorderGlyphs
from pikepdf import Array, Dictionary, Name

_TABLES = {"head", "hhea", "hmtx", "maxp", "loca", "glyf", "cvt ", "fpgm", "prep"}


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
    font = TTFont(io.BytesIO(letters()))
    cmap = font.getBestCmap()
    program, widths = renumbered(font, [cmap[ord(char)] for char in wanted])
    made = Dictionary(Type=Name.Font)
    compose(pdf, made, "ThunderLetters", program, widths, wanted)
    codes = {char: at.to_bytes(2, "big") for at, char in enumerate(wanted, 1)}
    return pdf.make_indirect(made), codes


def renumbered(font: TTFont, names: Sequence[str]) -> tuple[bytes, list[float]]:
    """Return a TrueType program of *names* alone, glyphs 1, 2 … in their order, and their widths.

    A glyph that stands twice in *names* is there twice.
    """
    options = subset.Options()
    options.hinting = options.notdef_outline = True
    options.glyph_names = True
    options.recommended_glyphs = False
    options.layout_features = []
    options.name_IDs = []
    options.drop_tables += list(set(font.keys()) - _TABLES)
    options.drop_tables += ["GSUB", "GPOS", "GDEF"]
    cutter = subset.Subsetter(options)
    cutter.populate(glyphs=set(names) | {".notdef", font.getGlyphOrder()[0]})
    for tag in list(font.keys()):
        if tag not in _TABLES and tag != "GlyphOrder":
            del font[tag]
    cutter.subset(font)
    glyphs, metrics = font["glyf"], font["hmtx"].metrics
    upem = font["head"].unitsPerEm
    first = font.getGlyphOrder()[0]
    order = [first]
    for name in names:
        if name in order:  # two codes, one glyph
            twin = f"{name}.twin{len(order)}"
            glyphs.glyphs[twin], metrics[twin] = glyphs[name], metrics[name]
            glyphs.glyphOrder.append(twin)
            name = twin
        order.append(name)
    order += [name for name in font.getGlyphOrder() if name not in set(order)]  # parts of others
    known = font.getGlyphOrder()
    extra = [name for name in order if name not in set(known)]
    if extra:
        font.setGlyphOrder(list(known) + extra)
        glyphs.glyphOrder = list(font.getGlyphOrder())
        font["maxp"].numGlyphs = len(font.getGlyphOrder())
    reorderGlyphs(font, order)
    font.recalcTimestamp = False
    font["head"].created = font["head"].modified = 2_082_844_800  # 1970
    out = io.BytesIO()
    font.save(out)
    widths = [metrics[name][0] * 1000 / upem for name in order[1 : len(names) + 1]]
    return out.getvalue(), widths


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
        W=Array([1, Array([round(width, 3) for width in widths])]),
        CIDToGIDMap=Name.Identity,
    )
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
