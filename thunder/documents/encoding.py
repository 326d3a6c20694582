"""Bytes to text and back without changing a byte: UTF-8, UTF-16 and CP949, by content."""

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

HEAD = 4096  # bytes that are enough to tell what a file is
_HWP_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_KINDS = (
    (b"%PDF-", "PDF"),
    (_HWP_OLE, "HWP 또는 옛 MS 오피스(DOC, XLS)"),
    (b"HWP Document File", "HWP 3"),
    (b"PK\x03\x04", "ZIP(DOCX, XLSX …)"),
    (b"PAR1", "Parquet"),
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ", "xz"),
    (b"7z\xbc\xaf", "7z"),
    (b"{\\rtf", "RTF"),
    (b"\x89PNG", "PNG 그림"),
    (b"\xff\xd8\xff", "JPEG 그림"),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HANGUL = re.compile("[가-힣]+")
_BAD_BYTES = re.compile("[\udc80-\udcff]")  # as "surrogateescape" shows them
_TO_TEXT = "글(.txt)로 바꾸어 다시 넣으십시오"
_PACKED = {"gzip", "xz", "7z"}


class Unreadable(ValueError):
    """Bytes that cannot be read as text: ``reason`` and ``advice`` are Korean sentences.

    ``part``: the part of the file, as its format names it, where it has some.
    """

    def __init__(self, reason: str, advice: str, part: str = "") -> None:
        super().__init__(f"{reason} — {advice}")
        self.reason, self.advice, self.part = reason, advice, part


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file's characters are written: the codec's name and the byte order mark before."""

    codec: str
    mark: bytes = b""

    def __str__(self) -> str:
        return self.codec.upper() + (" BOM" if self.mark else "")

    def encode(self, text: str) -> bytes:
        """Return *text* as bytes without the mark; Unreadable where the codec lacks a character.

        The character itself is not named: it may be part of a name.
        """
        try:
            return text.encode(self.codec)
        except UnicodeEncodeError as error:
            raise Unreadable(
                f"{error.start + 1}번째 글자를 {self}로 적을 수 없습니다",
                "파일을 UTF-8로 바꾸어 다시 넣으십시오",
            ) from None


def kind_of(head: bytes) -> str:
    """Return the Korean name of the binary format *head* begins with, "" if it may be text."""
    if head.startswith(b"PK\x03\x04") and b"hwp+zip" in head:
        return "HWPX"
    return next((kind for magic, kind in _KINDS if head.startswith(magic)), "")


def require_text(head: bytes) -> None:
    """Return nothing; raise Unreadable if *head*, the first bytes of a file, is not text's."""
    if kind := kind_of(head):
        advice = "압축을 풀어 다시 넣으십시오" if kind in _PACKED else _TO_TEXT
        raise Unreadable(f"{kind} 파일입니다", advice)
    if any(head.startswith(mark) for mark, _ in _MARKS):
        return
    nulls, odd = head.count(0), head[1::2].count(0)
    if nulls * 100 <= len(head):
        return
    if odd in (0, nulls):  # the high or low bytes of spaces and digits
        raise Unreadable("BOM이 없는 UTF-16으로 보입니다", "UTF-8로 저장하십시오")
    raise Unreadable("글이 아닌 파일입니다(NUL 바이트가 많습니다)", _TO_TEXT)


def recognise(chunks: Iterable[bytes]) -> Encoding:
    """Return how the text in *chunks* is written, of which the first holds at least HEAD bytes.

    A byte order mark decides; else UTF-8 if all of it is valid, else CP949 (of which EUC-KR
    is a part) if what comes out is Korean. Unreadable where nothing fits. Constant memory.
    """
    trial = _Trial()
    for number, chunk in enumerate(chunks):
        if not number:
            require_text(chunk[:HEAD])
            trial.begin(chunk)
        trial.feed(chunk)
    return trial.verdict()


def decode(raw: bytes) -> tuple[str, Encoding]:
    """Return the text of *raw*, without its mark, and how it was written."""
    encoding = recognise([raw])
    text = decode_as(raw[len(encoding.mark) :], encoding)
    return text, encoding


def decode_as(raw: bytes, encoding: Encoding) -> str:
    """Return *raw* decoded; each of the codecs gives the same bytes back.

    Unreadable where the bytes are damaged.
    """
    try:
        return raw.decode(encoding.codec)
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"{error.start + 1}번째 바이트를 {encoding}로 읽을 수 없습니다", "파일을 고치십시오"
        ) from None


class _Trial:
    """UTF-8 and CP949 tried side by side on a stream of bytes."""

    def __init__(self) -> None:
        self.marked: Encoding | None = None
        self.utf8 = codecs.getincrementaldecoder("utf-8")(errors="surrogateescape")
        self.cp949 = codecs.getincrementaldecoder("cp949")(errors="strict")
        self.damaged = self.beyond_ascii = self.read = 0
        self.first_damage = -1
        self.korean = self.foreign = 0
        self.is_cp949 = True

    def begin(self, chunk: bytes) -> None:
        for mark, codec in _MARKS:
            if chunk.startswith(mark):
                self.marked = Encoding(codec, mark)

    def feed(self, chunk: bytes, *, final: bool = False) -> None:
        if self.marked:
            return
        self._feed_utf8(self.utf8.decode(chunk, final))
        if self.is_cp949:
            try:
                self._feed_cp949(self.cp949.decode(chunk, final))
            except UnicodeDecodeError:
                self.is_cp949 = False

    def _feed_utf8(self, text: str) -> None:
        if not text.isascii():
            damage = _BAD_BYTES.findall(text)
            if damage and self.first_damage < 0:
                self.first_damage = self.read + text.index(damage[0])
            self.damaged += len(damage)
            self.beyond_ascii += _beyond_ascii(text) - len(damage)
        self.read += len(text)

    def _feed_cp949(self, text: str) -> None:
        korean = _everyday_hangul(text)
        self.korean += korean
        self.foreign += _beyond_ascii(text) - korean

    def verdict(self) -> Encoding:
        self.feed(b"", final=True)
        if self.marked:
            return self.marked
        if not self.damaged:
            return Encoding("utf-8")
        # A UTF-8 text with a few bad bytes also "decodes" as CP949, into rubbish.
        if self.damaged * 4 < self.beyond_ascii:
            raise Unreadable(
                f"UTF-8 글이 {self.first_damage + 1}번째 글자에서 깨졌습니다",
                "원본에서 다시 만드십시오",
            )
        if self.is_cp949 and self.korean >= self.foreign:
            return Encoding("cp949")
        raise Unreadable("글자 인코딩을 알 수 없습니다", "UTF-8로 저장하십시오")


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _everyday_hangul(text: str) -> int:
    """Return how many syllables of *text* are of the 2,350 that Korean mostly uses (KS X 1001).

    Other languages' bytes read as CP949 come out as rare syllables.
    """
    pairs = "".join(_HANGUL.findall(text)).encode("cp949")
    leads, trails = pairs[::2], pairs[1::2]
    return min(
        len(leads.translate(None, bytes(range(0xB0)))),
        len(trails.translate(None, bytes(range(0xA1)))),
    )
