"""The records of a stream of HWP 5, and the streams they come in.

Source: Hancom, 한글 문서 파일 형식 5.0 (revision 1.3), and files in use where they differ.
A record is a header of four bytes (tag, level, size), eight where it is large, and a payload. What
belongs to a record follows it, one level deeper.
"""

import zlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from struct import Struct

from thunder.documents.segments import Refused

_BEGIN = 0x10
DOCUMENT_PROPERTIES = _BEGIN
ID_MAPPINGS = _BEGIN + 1
BIN_DATA = _BEGIN + 2
FACE_NAME = _BEGIN + 3
BORDER_FILL = _BEGIN + 4
CHAR_SHAPE = _BEGIN + 5
TAB_DEF = _BEGIN + 6
NUMBERING = _BEGIN + 7
BULLET = _BEGIN + 8
PARA_SHAPE = _BEGIN + 9
STYLE = _BEGIN + 10
DOC_DATA = _BEGIN + 11
COMPATIBLE_DOCUMENT = _BEGIN + 14
LAYOUT_COMPATIBILITY = _BEGIN + 15
TRACK_SETTINGS = _BEGIN + 16
PARA_HEADER = _BEGIN + 50
PARA_TEXT = _BEGIN + 51
PARA_CHAR_SHAPE = _BEGIN + 52
PARA_LINE_SEG = _BEGIN + 53
PARA_RANGE_TAG = _BEGIN + 54
CTRL_HEADER = _BEGIN + 55
LIST_HEADER = _BEGIN + 56
PAGE_DEF = _BEGIN + 57
FOOTNOTE_SHAPE = _BEGIN + 58
PAGE_BORDER_FILL = _BEGIN + 59
SHAPE_COMPONENT = _BEGIN + 60
TABLE = _BEGIN + 61
CONTAINER = _BEGIN + 70  # line, rectangle … container: 62 to 70
CTRL_DATA = _BEGIN + 71
EQUATION = _BEGIN + 72
TEXT_ART = _BEGIN + 74
FORM_OBJECT = _BEGIN + 75
MEMO_SHAPE = _BEGIN + 76
MEMO_LIST = _BEGIN + 77
FORBIDDEN_CHAR = _BEGIN + 78
CHART_DATA = _BEGIN + 79
TRACK_CHANGE = _BEGIN + 80
TRACK_CHANGE_AUTHOR = _BEGIN + 81
VIDEO_DATA = _BEGIN + 82
SHAPE_COMPONENT_UNKNOWN = _BEGIN + 99

OF_DOC_INFO = frozenset(range(DOCUMENT_PROPERTIES, DOC_DATA + 1)) | {
    *(COMPATIBLE_DOCUMENT, LAYOUT_COMPATIBILITY, TRACK_SETTINGS),
    *(MEMO_SHAPE, FORBIDDEN_CHAR, TRACK_CHANGE, TRACK_CHANGE_AUTHOR),
}
OF_SECTIONS = frozenset(range(PARA_HEADER, EQUATION + 1)) | {
    *(TEXT_ART, FORM_OBJECT, MEMO_SHAPE, MEMO_LIST, FORBIDDEN_CHAR, CHART_DATA, VIDEO_DATA),
    SHAPE_COMPONENT_UNKNOWN,
}

_MOST_RECORDS = 4_000_000  # of a stream
_DEEPEST = 128  # levels: some sixty tables within each other
_MOST_BYTES = 1 << 28  # of a stream, inflated
_BOMB_BYTES, _BOMB_RATIO = 1 << 26, 200  # more than both is no document
_LONG = 0xFFF  # in a header: the size follows

_WORD = Struct("<I")
_TRAILER = Struct("<II")
_SAVE_AGAIN = "한글에서 열어 다시 저장하십시오"


def damaged(part: str, what: str) -> Refused:
    """Return the refusal of a part that is broken in the way *what* says."""
    return Refused(part, f"HWP 문서가 깨졌습니다: {what}", _SAVE_AGAIN)


def records(
    data: bytes, part: str, known: frozenset[int]
) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield tag, level, beginning of the header, and of the payload beginning and end, of each.

    Refused for a record that runs over the end, lies too deep, has a tag that is not *known*, or
    for too many of them.
    """
    unpack, end, at, count = _WORD.unpack_from, len(data), 0, 0
    while at < end:
        if at + 4 > end:
            raise damaged(part, "레코드의 머리가 잘렸습니다")
        (header,) = unpack(data, at)
        tag, level, size, body = header & 0x3FF, header >> 10 & 0x3FF, header >> 20, at + 4
        if size == _LONG:
            if body + 4 > end:
                raise damaged(part, "레코드의 머리가 잘렸습니다")
            (size,) = unpack(data, body)
            body += 4
        after = body + size
        if after > end:
            raise damaged(part, "레코드가 스트림의 끝을 넘습니다")
        if level > _DEEPEST:
            raise Refused(part, f"표나 글상자가 너무 깊습니다({level}단계)", _SAVE_AGAIN)
        if tag not in known:
            raise Refused(
                part, f"모르는 레코드(태그 {tag})가 있습니다", "HWPX로 다시 저장하여 처리하십시오"
            )
        count += 1
        if count > _MOST_RECORDS:
            raise Refused(part, "레코드가 너무 많습니다", "문서를 나누어 저장하십시오")
        yield tag, level, at, body, after
        at = after


def size_of(data: bytes, at: int) -> tuple[int, int]:
    """Return where the payload of the record at *at* begins, and where it ends."""
    size = _WORD.unpack_from(data, at)[0] >> 20
    if size == _LONG:
        return at + 8, at + 8 + int(_WORD.unpack_from(data, at + 4)[0])
    return at + 4, at + 4 + size


def packed(tag: int, level: int, payload: bytes) -> bytes:
    """Return a record's bytes."""
    if len(payload) < _LONG:
        return _WORD.pack(tag | level << 10 | len(payload) << 20) + payload
    return _WORD.pack(tag | level << 10 | _LONG << 20) + _WORD.pack(len(payload)) + payload


def replaced(data: bytes, payloads: Mapping[int, bytes | None]) -> bytes:
    """Return *data* with other payloads for the records that begin at these places.

    None takes the record out; all bytes of other records stay.
    """
    out, view, done = bytearray(), memoryview(data), 0
    for at in sorted(payloads):
        payload, (_, end) = payloads[at], size_of(data, at)
        out += view[done:at]
        if payload is not None:
            header = _WORD.unpack_from(data, at)[0]
            out += packed(header & 0x3FF, header >> 10 & 0x3FF, payload)
        done = end
    out += view[done:]
    return bytes(out)


@dataclass(frozen=True, slots=True)
class Stream:
    """An inflated stream and what stood behind its compressed bytes."""

    data: bytes
    compressed: bool
    trailer: bytes = b""

    @property
    def is_plain(self) -> bool:
        """Whether behind the compressed bytes stands nothing but a checksum and the length."""
        if not self.trailer:
            return True
        if len(self.trailer) != _TRAILER.size:
            return False
        checksum, length = _TRAILER.unpack(self.trailer)
        return length == len(self.data) & 0xFFFFFFFF and checksum in (0, zlib.crc32(self.data))

    def holding(self, data: bytes) -> bytes:
        """Return the bytes of the stream with other content, in the way it was written."""
        if not self.compressed:
            return data
        deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
        content = deflate.compress(data) + deflate.flush()
        if not self.trailer:
            return content
        checksum = 0 if self.trailer[:4] == bytes(4) else zlib.crc32(data)
        return content + _TRAILER.pack(checksum, len(data) & 0xFFFFFFFF)


def inflated(data: bytes, part: str) -> Stream:
    """Return the content of a stream that raw deflate compressed.

    Refused where it is cut short, is no deflate, or inflates beyond measure.
    """
    inflate = zlib.decompressobj(-15)
    most = min(_MOST_BYTES, max(_BOMB_BYTES, len(data) * _BOMB_RATIO))
    try:
        content = inflate.decompress(data, most)
        if not inflate.eof and len(content) < most:
            content += inflate.flush()
    except zlib.error:
        raise damaged(part, "압축이 풀리지 않습니다") from None
    if not inflate.eof:
        if len(content) >= most:
            raise Refused(part, "압축을 풀면 지나치게 커집니다", "문서가 맞는지 확인하십시오")
        raise damaged(part, "압축된 스트림이 잘렸습니다")
    return Stream(content, True, inflate.unused_data)


def units_of(payload: bytes) -> str:
    """Return UTF-16 units as one character each, halves of pairs too."""
    text = payload.decode("utf-16-le", "surrogatepass")
    if 2 * len(text) == len(payload):
        return text
    return "".join(map(chr, array("H", payload)))


def joined(units: str) -> str:
    """Return the text of *units*: pairs joined, U+FFFD for a half that stands alone."""
    if units.isascii():
        return units
    try:
        units.encode()
        return units
    except UnicodeEncodeError:
        return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def word_string(payload: bytes, at: int, part: str) -> tuple[str, int]:
    """Return the string at *at* (a count of units, then they), and where it ends."""
    if at + 2 > len(payload):
        raise damaged(part, "글자열이 잘렸습니다")
    end = at + 2 + 2 * int.from_bytes(payload[at : at + 2], "little")
    if end > len(payload):
        raise damaged(part, "글자열이 잘렸습니다")
    return joined(units_of(payload[at + 2 : end])), end


def packed_string(text: str) -> bytes:
    """Return *text* as a count of units and the units.

    Raises:
        ValueError: it has more than 65,535 units.
    """
    units = text.encode("utf-16-le")
    if len(units) > 2 * 0xFFFF:
        raise ValueError("a string of HWP has at most 65,535 units")
    return (len(units) // 2).to_bytes(2, "little") + units
