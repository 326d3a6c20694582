"""Secrets that are put where data hides, and the search for what is left of them."""

import io
import random
import struct
import zipfile
import zlib

HANGUL = "가나다라마바사아자차카타파하"


class Canaries:
    """Words that stand nowhere else, each with the place that it was put in."""

    def __init__(self) -> None:
        self.places: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        number = len(self.places)
        word = "밀" + "".join(HANGUL[number // 14**i % 14] for i in range(2)) + f"비{number:03}"
        self.places[word] = place
        return word

    def left_in(self, data: bytes) -> list[str]:
        """Return the places whose secret is in the bytes of a ZIP or in one of its parts."""
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            parts = [data, *(package.read(name) for name in package.namelist())]
            parts.append("\n".join(package.namelist()).encode())
        return [
            place
            for word, place in self.places.items()
            for code in ("utf-8", "utf-16-le", "utf-16-be", "cp949")
            if any(word.encode(code) in part for part in parts)
        ]


def packed(parts: dict[str, bytes | str], *, stored: tuple[str, ...] = ("mimetype",)) -> bytes:
    """Return a ZIP of *parts* in their order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, content in parts.items():
            facts = zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6))
            facts.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            package.writestr(facts, content)
    return out.getvalue()


def parts_of(data: bytes) -> dict[str, bytes]:
    """Return the inflated parts of a ZIP."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def png(comment: str) -> bytes:
    """Return a picture that says *comment* in its metadata."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">L", len(content))
            + kind
            + content
            + struct.pack(">L", zlib.crc32(kind + content))
        )

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">2L5B", 1, 1, 8, 2, 0, 0, 0))
        + chunk(b"iTXt", b"Author\0\0\0\0\0" + comment.encode())
        + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0"))
        + chunk(b"IEND", b"")
        + comment.encode()
    )


def jpeg(comment: str) -> bytes:
    """Return a picture that is to be turned and that names somebody in EXIF and a comment."""
    from PIL import Image

    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x013B] = "canary"
    out = io.BytesIO()
    Image.new("RGB", (2, 3), "red").save(out, "JPEG", exif=exif.tobytes(), comment=comment.encode())
    return out.getvalue() + comment.encode()


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return the file with a few bytes of one of its parts changed, removed or doubled."""
    parts = parts_of(data)
    name = rng.choice([name for name in parts if parts[name]])
    content = bytearray(parts[name])
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(content) or 1)
        act = rng.randrange(3)
        if act == 0 and content:
            content[at] = rng.choice(b'<>&"/= \x00\xff9a')
        elif act == 1:
            del content[at : at + rng.randint(1, 40)]
        else:
            content[at:at] = content[at : at + rng.randint(1, 40)]
    return packed({**parts, name: bytes(content)})
