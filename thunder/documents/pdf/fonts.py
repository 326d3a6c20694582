"""What the codes of a PDF's strings say, and how far each of them moves the pen.

Unicode comes from the font's ToUnicode map, else from its encoding's glyph names, else from the
font program itself; a code of which none of the three knows anything raises Undecodable.
(ISO 32000-1, 9.6 to 9.10.)
"""

import io
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import pikepdf
import pypdfium2
from fontTools.agl import UV2AGL, toUnicode
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib import TTFont

MOST_ENTRIES = 300_000
"""Of one map from codes: more than all of Unicode's assigned characters need."""

_BLOCK = re.compile(rb"begin(codespacerange|bfchar|bfrange|cidchar|cidrange)(.*?)end\1", re.DOTALL)
_TOKEN = re.compile(rb"<([0-9A-Fa-f\s]*)>|(-?\d+)|(\[)|(\])")
_UNTOLD = {"\0", "\ufffd", "\uffff", "\ufffe"}
# Predefined CMaps: by Python's codec of the same character set.
_CODECS = {"KSC-EUC": "cp949", "KSCms-UHC": "cp949", "KSCms-UHC-HW": "cp949"}
_CODECS |= {"UniKS-UTF16": "utf-16-be", "UniKS-UCS2": "utf-16-be", "UniJIS-UTF16": "utf-16-be"}
_CODECS |= {"UniJIS-UCS2": "utf-16-be", "UniGB-UTF16": "utf-16-be", "UniGB-UCS2": "utf-16-be"}
_CODECS |= {"UniCNS-UTF16": "utf-16-be", "UniCNS-UCS2": "utf-16-be"}
_CODECS |= {"90ms-RKSJ": "cp932", "GBK-EUC": "gbk", "ETen-B5": "big5"}


class Undecodable(ValueError):
    """A code that says no character: nobody could tell whether a name stands there."""


class Unusable(ValueError):
    """A font or a map that cannot be read."""


class Lookup(dict[bytes, Any]):
    """A dictionary that works a missing value out and keeps it."""

    def __init__(self, work_out: Callable[[bytes], Any]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, code: bytes) -> Any:
        value = self[code] = self._work_out(code)
        return value


class Font:
    """A font as a page names it: codes, their characters, their widths.

    ``text[code]`` is a string of one or more characters, ``width[code]`` the advance in text
    space units for size 1; ``vertical`` says that the pen moves down.
    """

    def __init__(self, dictionary: Any, inflated: Callable[[Any], bytes]) -> None:
        if not isinstance(dictionary, pikepdf.Dictionary):
            raise Unusable("no dictionary")
        self.dictionary: Any = dictionary
        self.descendant: Any = dictionary
        self.copies: list[Any] = []
        self._inflated = inflated
        self.subtype = str(dictionary.get("/Subtype", ""))
        self.composite = self.subtype == "/Type0"
        self.vertical = False
        self.text = Lookup(self._text_of)
        self.width = Lookup(self._width_of)
        self._lengths: tuple[int, ...] = (1,)
        self._to_unicode: dict[int, str] = {}
        if isinstance(dictionary.get("/ToUnicode"), pikepdf.Stream):
            self._to_unicode = dict(unicode_map(inflated(dictionary.ToUnicode)))
        if self.composite:
            self._open_composite()
        else:
            self._names = self._encoding_names()
        descriptor = self.descendant.get("/FontDescriptor")
        self.descriptor = descriptor if isinstance(descriptor, pikepdf.Dictionary) else None
        self.em, self.flipped = self._height()
        self._widths = self._cid_widths() if self.composite else self._simple_widths()

    def _height(self) -> tuple[float, bool]:
        """Return how high an em is at size 1, and whether the glyphs stand on their heads."""
        if self.subtype != "/Type3":
            return 1.0, False
        scale = float(self.dictionary.FontMatrix[3])
        box = [float(value) for value in self.dictionary.get("/FontBBox", [0, 0, 0, 0])]
        return abs(box[3] - box[1]) * abs(scale) or 1.0, scale < 0

    def codes(self, data: bytes) -> list[bytes]:
        """Return *data* cut into codes."""
        if self._lengths == (1,):
            return [data[at : at + 1] for at in range(len(data))]
        if self._lengths == (2,):
            return [data[at : at + 2] for at in range(0, len(data), 2)]
        return list(self._cut(data))

    # -- composite fonts

    def _open_composite(self) -> None:
        fonts = self.dictionary.get("/DescendantFonts")
        if not isinstance(fonts, pikepdf.Array) or not len(fonts):
            raise Unusable("no descendant")
        self.descendant = fonts[0]
        if not isinstance(self.descendant, pikepdf.Dictionary):
            raise Unusable("no descendant")
        encoding = self.dictionary.get("/Encoding")
        self._codec = ""
        self._cids: dict[int, int] | None = None
        self._lengths = (2,)
        self._ranges: list[tuple[bytes, bytes]] = []
        if isinstance(encoding, pikepdf.Stream):
            data = self._inflated(encoding)
            if encoding.get("/UseCMap") is not None and "Identity" not in str(
                encoding.get("/UseCMap")
            ):
                raise Unusable("UseCMap")
            self._cids, self._ranges = cid_map(data)
            self._lengths = tuple(sorted({len(low) for low, _ in self._ranges})) or (2,)
            self.vertical = int(encoding.get("/WMode", 0)) == 1
            return
        name = str(encoding)[1:]
        stem, _, ending = name.rpartition("-")
        self.vertical = ending == "V"
        if stem == "Identity":
            return
        if stem not in _CODECS:
            raise Unusable(name)
        self._codec = _CODECS[stem]
        self._half_width = stem.endswith("-HW")
        if self._codec != "utf-16-be":
            self._lengths = (1, 2)

    def _cut(self, data: bytes) -> Iterator[bytes]:
        at = 0
        while at < len(data):
            if self._ranges:
                step = next(
                    (
                        len(low)
                        for low, high in self._ranges
                        if len(data) - at >= len(low)
                        and all(
                            a <= b <= c
                            for a, b, c in zip(low, data[at : at + len(low)], high, strict=True)
                        )
                    ),
                    self._lengths[0],
                )
            else:
                lead = data[at]
                step = 1 if lead < 0x81 or (self._codec == "cp932" and 0xA0 <= lead <= 0xDF) else 2
            yield data[at : at + step]
            at += step

    def cid(self, code: bytes) -> int:
        """Return the number of the glyph in its collection."""
        value = int.from_bytes(code, "big")
        if self._cids is not None:
            return self._cids.get(value, 0)
        if self._codec:
            said = self._decoded(code)
            if len(said) == 1 and " " <= said <= "~":  # Adobe-Korea1: 1 to 95, half width at 8094
                return ord(said) - 31 + (8093 if self._half_width else 0)
            return 0xFFFF + value
        return value

    def glyph_name(self, code: bytes) -> str:
        """Return what the encoding of a simple font calls the glyph; "" where it says nothing."""
        value = int.from_bytes(code, "big")
        if value in self._names:
            return self._names[value]
        if not self._codepage:
            return ""
        return str(UV2AGL.get(ord(code.decode(self._codepage, "ignore") or "•"), ""))

    def _decoded(self, code: bytes) -> str:
        try:
            return code.decode(self._codec)
        except UnicodeDecodeError:
            return ""

    def _cid_widths(self) -> dict[int, float]:
        found: dict[int, float] = {}
        self._default = float(self.descendant.get("/DW", 1000))
        if self.vertical:
            self._default = float(self.descendant.get("/DW2", [880, -1000])[1])
        table = list(self.descendant.get("/W2" if self.vertical else "/W", []))
        step = 3 if self.vertical else 1
        at = 0
        while at + 1 < len(table):
            first = int(table[at])
            if isinstance(table[at + 1], pikepdf.Array):
                row = [float(value) for value in table[at + 1]][::step]
                found.update(enumerate(row, first))
                at += 2
            elif at + 2 < len(table):
                last = int(table[at + 1])
                if last - first > 0x10FFFF or len(found) > MOST_ENTRIES:
                    raise Unusable("W")
                found.update(dict.fromkeys(range(first, last + 1), float(table[at + 2])))
                at += 2 + step
            else:
                break
        return found

    # -- simple fonts

    def _encoding_names(self) -> dict[int, str]:
        """Return the glyph name of each code that the encoding names."""
        encoding = self.dictionary.get("/Encoding")
        base: Any = encoding
        differences: Any = None
        if isinstance(encoding, pikepdf.Dictionary):
            base, differences = encoding.get("/BaseEncoding"), encoding.get("/Differences")
        names: dict[int, str] = {}
        self._symbolic = _plain_name(self.dictionary) in {"Symbol", "ZapfDingbats"}
        descriptor = self.dictionary.get("/FontDescriptor")
        embedded = isinstance(descriptor, pikepdf.Dictionary) and any(
            key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3")
        )
        self._codepage = {"/WinAnsiEncoding": "cp1252", "/MacRomanEncoding": "mac_roman"}.get(
            str(base), ""
        )
        if base is None and not embedded and self.subtype != "/Type3" and not self._symbolic:
            base = "/StandardEncoding"
        if str(base) == "/StandardEncoding":
            names = {at: name for at, name in enumerate(StandardEncoding) if name != ".notdef"}
        at = 0
        for item in differences if isinstance(differences, pikepdf.Array) else ():
            if isinstance(item, pikepdf.Name):
                names[at] = str(item)[1:]
                at += 1
            else:
                at = int(item)
        return names

    def _simple_widths(self) -> dict[int, float]:
        first = int(self.dictionary.get("/FirstChar", 0))
        missing = float(self.descriptor.get("/MissingWidth", 0)) if self.descriptor else 0.0
        self._default = missing
        listed = self.dictionary.get("/Widths")
        if isinstance(listed, pikepdf.Array):
            scale = 1.0
            if self.subtype == "/Type3":
                scale = float(self.dictionary.FontMatrix[0]) * 1000
            return {first + at: float(width) * scale for at, width in enumerate(listed)}
        return _standard_widths(_plain_name(self.dictionary))

    # -- codes

    def _text_of(self, code: bytes) -> str:
        value = int.from_bytes(code, "big")
        said = self._to_unicode.get(value, "")
        if not said or said in _UNTOLD:
            said = self._from_encoding(code, value)
        if not said or said in _UNTOLD:
            said = self._from_program(code, value)
        if not said or said in _UNTOLD:
            raise Undecodable
        return "".join(" " if char < " " or char == "\xa0" else char for char in said)

    def _from_encoding(self, code: bytes, value: int) -> str:
        if self.composite:
            return self._decoded(code) if self._codec else ""
        if value in self._names:
            return str(toUnicode(self._names[value]))
        if self._codepage:
            return code.decode(self._codepage, "ignore") or "•"
        if self._symbolic:
            return chr(0xF000 + value)
        return ""

    def _from_program(self, code: bytes, value: int) -> str:
        """Return what the font file's own tables say, or a space for a glyph without ink."""
        program = self._program
        if program is None:
            return ""
        names = program.getGlyphOrder()
        if self.composite:
            at = self.glyph_of(self.cid(code))
            name = names[at] if at < len(names) else ".notdef"
        else:
            tables = {
                (t.platformID, t.platEncID): t.cmap
                for t in (program["cmap"].tables if "cmap" in program else ())
            }
            symbols, mac = tables.get((3, 0), {}), tables.get((1, 0), {})
            name = symbols.get(0xF000 + value) or symbols.get(value) or mac.get(value, ".notdef")
        if name == ".notdef":
            return ""
        best = program.getBestCmap() if "cmap" in program else None
        for char, glyph in (best or {}).items():
            if glyph == name:
                return chr(char)
        if "glyf" in program and not program["glyf"][name].numberOfContours:
            return " "
        return ""

    def glyph_of(self, cid: int) -> int:
        """Return the number of the glyph in a TrueType program."""
        table = self.descendant.get("/CIDToGIDMap")
        if isinstance(table, pikepdf.Stream):
            data = self._inflated(table)
            return int.from_bytes(data[2 * cid : 2 * cid + 2], "big")
        return cid

    @cached_property
    def _program(self) -> TTFont | None:
        stream = self.descriptor.get("/FontFile2") if self.descriptor else None
        if not isinstance(stream, pikepdf.Stream):
            return None
        try:
            return TTFont(io.BytesIO(self._inflated(stream)), lazy=True)
        except Exception:  # a damaged program tells nothing, and the code stays undecodable
            return None

    def _width_of(self, code: bytes) -> float:
        at = self.cid(code) if self.composite else int.from_bytes(code, "big")
        return float(self._widths.get(at, self._default)) / 1000


def _plain_name(dictionary: Any) -> str:
    return str(dictionary.get("/BaseFont", "/"))[1:].rpartition("+")[2]


def _standard_widths(name: str) -> dict[int, float]:
    """Return the widths of one of the 14 fonts that every reader has."""
    document = pypdfium2.PdfDocument.new()
    try:
        font = pypdfium2.raw.FPDFText_LoadStandardFont(document.raw, name.encode())
        if not font:
            font = pypdfium2.raw.FPDFText_LoadStandardFont(document.raw, b"Helvetica")
        width = pypdfium2.raw.c_float()
        found = {}
        for code in range(256):
            pypdfium2.raw.FPDFFont_GetGlyphWidth(font, code, 1000.0, width)
            found[code] = float(width.value)
        pypdfium2.raw.FPDFFont_Close(font)
        return found
    finally:
        document.close()


def _blocks(data: bytes) -> Iterator[tuple[bytes, list[Any]]]:
    """Yield the kind of each block of a CMap and what it lists, lists within it as lists."""
    for kind, body in _BLOCK.findall(data):
        items: list[Any] = []
        inner: list[Any] | None = None
        for string, number, opened, closed in _TOKEN.findall(body):
            if opened:
                inner = []
            elif closed:
                items.append(inner or [])
                inner = None
            else:
                item: Any = int(number) if number else _bytes(string)
                (items if inner is None else inner).append(item)
        yield kind, items


def _bytes(digits: bytes) -> bytes:
    digits = b"".join(digits.split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


def unicode_map(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield (code, characters) of a ToUnicode CMap."""
    count = 0
    for kind, items in _blocks(data):
        if kind == b"bfchar":
            for code, said in zip(items[::2], items[1::2], strict=False):
                if isinstance(code, bytes) and isinstance(said, bytes):
                    yield int.from_bytes(code, "big"), said.decode("utf-16-be", "ignore")
        elif kind == b"bfrange":
            for low, high, said in zip(items[::3], items[1::3], items[2::3], strict=False):
                if not isinstance(low, bytes) or not isinstance(high, bytes):
                    continue
                first, last = int.from_bytes(low, "big"), int.from_bytes(high, "big")
                count += max(last - first, 0)
                if count > MOST_ENTRIES:
                    raise Unusable("ToUnicode")
                if isinstance(said, list):
                    for code, one in zip(range(first, last + 1), said, strict=False):
                        if isinstance(one, bytes):
                            yield code, one.decode("utf-16-be", "ignore")
                elif isinstance(said, bytes) and said:
                    start, width = int.from_bytes(said, "big"), len(said)
                    for code in range(first, last + 1):
                        value = start + code - first
                        if value < 1 << (8 * width):
                            yield code, value.to_bytes(width, "big").decode("utf-16-be", "ignore")


def cid_map(data: bytes) -> tuple[dict[int, int], list[tuple[bytes, bytes]]]:
    """Return which glyph each code of an encoding CMap means, and the ranges its codes lie in."""
    cids: dict[int, int] = {}
    ranges: list[tuple[bytes, bytes]] = []
    for kind, items in _blocks(data):
        if kind == b"codespacerange":
            pairs = zip(items[::2], items[1::2], strict=False)
            ranges += [(low, high) for low, high in pairs if low and len(low) == len(high)]
        elif kind == b"cidchar":
            cids.update(
                (int.from_bytes(code, "big"), cid)
                for code, cid in zip(items[::2], items[1::2], strict=False)
            )
        elif kind == b"cidrange":
            for low, high, cid in zip(items[::3], items[1::3], items[2::3], strict=False):
                first, last = int.from_bytes(low, "big"), int.from_bytes(high, "big")
                if last - first + len(cids) > MOST_ENTRIES:
                    raise Unusable("CMap")
                cids.update(
                    zip(range(first, last + 1), range(cid, cid + last - first + 1), strict=True)
                )
    return cids, ranges
