"""Small files of HWP 5, written by hand: what a test needs, and nothing of a real document."""

import struct
import zlib
from dataclasses import dataclass, field

from thunder.documents.compound import Compound, Storage

TABLE, NOTE, FIELD, FIELD_END, BOX = 11, 17, 3, 4, 11
COMPRESSED, PASSWORD, DISTRIBUTION, SCRIPT, DRM, HISTORY, SIGNED = 1, 2, 4, 8, 16, 64, 128


def record(tag: int, level: int, payload: bytes = b"") -> bytes:
    """Return a record."""
    size = len(payload)
    if size < 0xFFF:
        return struct.pack("<I", tag | level << 10 | size << 20) + payload
    return struct.pack("<II", tag | level << 10 | 0xFFF << 20, size) + payload


def string(text: str) -> bytes:
    """Return a counted string."""
    return struct.pack("<H", len(text.encode("utf-16-le")) // 2) + text.encode("utf-16-le")


def units(*parts: str | tuple[int, bytes]) -> bytes:
    """Return the text of a paragraph: letters, and controls as (code, name)."""
    out = b""
    for part in parts:
        if isinstance(part, str):
            tab = struct.pack("<H6HH", 9, *[0] * 6, 9)
            out += tab.join(piece.encode("utf-16-le") for piece in part.split("\t"))
        else:
            code, name = part
            out += struct.pack("<H", code) + name[::-1].ljust(12, b"\0") + struct.pack("<H", code)
    return out + "\r".encode("utf-16-le")


def paragraph(
    *parts: str | tuple[int, bytes],
    level: int = 0,
    shapes: tuple[tuple[int, int], ...] = ((0, 0),),
    ranges: tuple[tuple[int, int, int], ...] = (),
    lines: tuple[int, ...] = (0,),
    below: bytes = b"",
) -> bytes:
    """Return the records of a paragraph and of what hangs in it."""
    text = units(*parts)
    controls = 0
    for part in parts:
        if not isinstance(part, str):
            controls |= 1 << part[0]
        elif "\t" in part:
            controls |= 1 << 9
    head = struct.pack(
        *("<IIHBBHHHIH", len(text) // 2, controls, 0, 0, 0),
        *(len(shapes), len(ranges), len(lines), 0, 0),
    )
    out = record(66, level, head)
    if len(text) > 2:
        out += record(67, level + 1, text)
    out += record(68, level + 1, b"".join(struct.pack("<II", *pair) for pair in shapes))
    line = b"".join(
        struct.pack("<I8i", start, 1000 * n, 1000, 1000, 850, 600, 0, 42520, 393216)
        for n, start in enumerate(lines)
    )
    out += record(69, level + 1, line)
    if ranges:
        out += record(70, level + 1, b"".join(struct.pack("<III", *one) for one in ranges))
    return out + below


def control(name: bytes, level: int, rest: bytes = b"", below: bytes = b"") -> bytes:
    """Return a control's header and what belongs to it."""
    return record(71, level, name[::-1] + rest) + below


def listed(level: int, *paragraphs: bytes, rest: bytes = b"") -> bytes:
    """Return a list of paragraphs with its header."""
    head = struct.pack("<HIH", len(paragraphs), 0, 0) + rest
    return record(72, level, head) + b"".join(paragraphs)


def cell_head(column: int, row: int, name: bytes = bytes(9)) -> bytes:
    """Return what a cell's header says behind its count: its place, its size, its name."""
    return struct.pack("<4H2I4hHI", column, row, 1, 1, 5000, 500, *[141] * 4, 1, 5000) + name


def common(description: str = "") -> bytes:
    """Return what tables and shapes say of their place, and their description."""
    return struct.pack("<IiiIIi4hIi", 0, 0, 0, 5000, 500, 0, *[0] * 4, 7, 0) + string(description)


def table(level: int, rows: list[list[str]], caption: str = "", description: str = "") -> bytes:
    """Return a table's control."""
    below = []
    if caption:
        below.append(listed(level + 1, paragraph(caption, level=level + 1), rest=bytes(22)))
    grid = struct.pack("<IHHH4H", 0, len(rows), len(rows[0]), 0, *[0] * 4)
    grid += b"".join(struct.pack("<H", len(row)) for row in rows) + struct.pack("<HH", 1, 0)
    below.append(record(77, level + 1, grid))
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            made = paragraph(text, level=level + 1)
            below.append(listed(level + 1, made, rest=cell_head(column, row)))
    return control(b"tbl ", level, common(description), b"".join(below))


def text_box(level: int, *texts: str, description: str = "") -> bytes:
    """Return a rectangle with text in it."""
    made = listed(level + 2, *(paragraph(text, level=level + 2) for text in texts))
    below = record(76, level + 1, b"cer$cer$" + bytes(188)) + made
    below += record(79, level + 2, bytes(33))
    return control(b"gso ", level, common(description), below)


def note(level: int, text: str, name: bytes = b"fn  ") -> bytes:
    """Return a note, a header, a footer or a hidden comment."""
    return control(name, level, bytes(16), listed(level + 1, paragraph(text, level=level + 1)))


def field_start(name: bytes, level: int, command: str, below: bytes = b"") -> bytes:
    """Return a field's control."""
    return control(name, level, bytes(5) + string(command) + bytes(8), below)


def named(level: int, name: str) -> bytes:
    """Return the record that names a bookmark or a field."""
    return record(87, level, bytes.fromhex("1b020100000000400100") + string(name))


@dataclass
class Hwp:
    """A file in the making."""

    sections: list[bytes]
    doc_info: bytes = b""
    streams: dict[str, bytes] = field(default_factory=dict)
    flags: int = COMPRESSED
    version: int = 0x05010100

    def deflated(self, data: bytes) -> bytes:
        if not self.flags & COMPRESSED:
            return data
        deflate = zlib.compressobj(wbits=-15)
        packed = deflate.compress(data) + deflate.flush()
        return packed + struct.pack("<II", zlib.crc32(data), len(data))

    def parts(self) -> dict[str, bytes]:
        """Return the streams, compressed as the file says."""
        head = b"HWP Document File".ljust(32, b"\0")
        head += struct.pack("<III", self.version, self.flags, 0) + struct.pack("<I", 4)
        info = record(16, 0, struct.pack("<7H3I", len(self.sections), *[1] * 6, 0, 0, 0))
        info += record(17, 0, bytes(72)) + self.doc_info
        made = {"FileHeader": head.ljust(256, b"\0"), "DocInfo": self.deflated(info)}
        for number, section in enumerate(self.sections):
            made[f"BodyText/Section{number}"] = self.deflated(section)
        return made | self.streams

    def made(self) -> bytes:
        """Return the file."""
        return Compound(self.parts(), {"": Storage(), "BodyText": Storage()}).written()
