"""Pictures without what they say beside their pixels: places, times, devices, authors."""

import struct
import warnings
import zlib
from io import BytesIO

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNKS = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"pHYs"}
_PNG_CHUNKS |= {b"sBIT", b"bKGD", b"acTL", b"fcTL", b"fdAT"}
_JPEG_KEPT = {0xE0, 0xEE}  # JFIF, and what Adobe says of colours
_ORIENTATION = 0x0112


class Unknown(ValueError):
    """The bytes are no picture whose parts are known."""


def cleaned(data: bytes) -> bytes:
    """Return the picture without metadata, its pixels the same; Unknown for any other bytes.

    PNG, JPEG and GIF lose chunks and segments that are not needed to draw them (a JPEG keeps
    its orientation), BMP what stands behind it, TIFF is written anew without loss.
    """
    try:
        if data.startswith(_PNG):
            return _png(data)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return _gif(data)
        if data.startswith(b"BM"):
            size = struct.unpack_from("<L", data, 2)[0]
            return data[:size] if 14 < size <= len(data) else data
        if data[:4] in (b"II*\0", b"MM\0*"):
            return _tiff(data)
    except (struct.error, IndexError):
        raise Unknown("damaged") from None
    raise Unknown("no known kind of picture")


def blank(name: str) -> bytes:
    """Return an empty picture in the place of *name*: of its kind if that is EMF or WMF, or PNG."""
    ending = name.rpartition(".")[2].lower()
    if ending == "emf":
        box, size = (0, 0, 1, 1) * 2, (1, 1, 1, 1)
        head = struct.pack(
            "<2L8l4L2H3L4l", 1, 88, *box, 0x464D4520, 0x10000, 108, 2, 1, 0, *(0,) * 3, *size
        )
        return head + struct.pack("<5L", 14, 20, 0, 16, 20)
    if ending == "wmf":
        return struct.pack("<3HLHLH", 1, 9, 0x300, 12, 0, 3, 0) + struct.pack("<LH", 3, 0)
    chunks = (
        (b"IHDR", struct.pack(">2L5B", 1, 1, 8, 6, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes(5))),
        (b"IEND", b""),
    )
    return _PNG + b"".join(
        struct.pack(">L", len(content))
        + kind
        + content
        + struct.pack(">L", zlib.crc32(kind + content))
        for kind, content in chunks
    )


def _png(data: bytes) -> bytes:
    out, at, kind = [_PNG], len(_PNG), b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">L4s", data, at)
        end = at + 12 + length
        if end > len(data):
            raise Unknown("truncated")
        if kind in _PNG_CHUNKS:
            out.append(data[at:end])
        at = end
    return b"".join(out)


def _jpeg(data: bytes) -> bytes:
    out, at = [data[:2], _orientation(data)], 2
    while True:
        if data[at] != 0xFF:
            raise Unknown("damaged")
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xD9:
            return b"".join((*out, data[at : at + 2]))
        end = at + 2 + struct.unpack_from(">H", data, at + 2)[0]
        if not (0xE0 <= marker <= 0xEF or marker == 0xFE) or marker in _JPEG_KEPT:
            if marker == 0xE0:
                out.insert(1, data[at:end])
            else:
                out.append(data[at:end])
        at = end
        if marker == 0xDA:  # what is drawn: until the next marker that no byte stuffing hides
            while True:
                at = data.find(b"\xff", at)
                if at < 0 or at + 1 >= len(data):
                    raise Unknown("truncated")
                if data[at + 1] != 0 and not 0xD0 <= data[at + 1] <= 0xD7:
                    break
                at += 2
            out.append(data[end:at])


def _orientation(data: bytes) -> bytes:
    """Return a segment that says how the picture is turned, b"" where it stands upright."""
    from PIL import Image

    try:
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(data)) as picture:
            turned = picture.getexif().get(_ORIENTATION, 1)
    except Exception:  # whatever is wrong with what is left out, the rest is read on its own
        return b""
    if turned not in range(2, 9):
        return b""
    exif = Image.Exif()
    exif[_ORIENTATION] = turned
    content = exif.tobytes()
    if not content.startswith(b"Exif\0\0"):
        content = b"Exif\0\0" + content
    return b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content


def _gif(data: bytes) -> bytes:
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    out = [data[:at]]
    while data[at] != 0x3B:
        start, is_kept = at, True
        if data[at] == 0x21:
            label = data[at + 1]
            is_loop = data[at + 2 : at + 14] == b"\x0bNETSCAPE2.0"
            is_kept = label == 0xF9 or (label == 0xFF and is_loop)
            at += 2
        elif data[at] == 0x2C:
            packed = data[at + 9]
            at += 10 + (3 << (packed & 7) + 1 if packed & 0x80 else 0) + 1
        else:
            raise Unknown("damaged")
        while data[at]:
            at += 1 + data[at]
        at += 1
        if is_kept:
            out.append(data[start:at])
    return b"".join((*out, b";"))


def _tiff(data: bytes) -> bytes:
    from PIL import Image

    try:
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(data)) as picture:
            picture.load()
            out = BytesIO()
            bare = Image.frombytes(picture.mode, picture.size, picture.tobytes())
            bare.save(out, "TIFF", compression="tiff_deflate")
            return out.getvalue()
    except Exception as error:  # a picture that its library cannot read
        raise Unknown("unreadable") from error
