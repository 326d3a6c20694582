"""Bytes to lines of text: of a file, recognised whole first; of a pipe, as they arrive."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import deque
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from typing import BinaryIO, Protocol

from thunder.documents.encoding import HEAD, Encoding, Unreadable, recognise, require_text
from thunder.documents.pipes import Arriving, pauses
from thunder.workers import Waiting

_CHUNK = 1 << 20
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Lines(Protocol):
    """Lines of text, their ends kept: \\n, \\r or both."""

    encoding: Encoding

    def pauses(self) -> Iterator[Waiting]:
        """Yield a Waiting until the next line is there."""

    def read(self) -> str:
        """Return the next line, or as much as may be held of it, "" at the end; or Unreadable."""

    def encode(self, text: str) -> bytes:
        """Return *text* as the input was written; Unreadable where it has no such character."""

    def tell(self) -> int:
        """Return how many bytes were read of the stream."""

    def go_to(self, start: int) -> None:
        """Read on at the byte *start* of a file."""

    def close(self) -> None:
        """Let go of the stream."""


def lines_of(stream: BinaryIO, *, longest: int, told: Encoding | None = None) -> Lines:
    """Return the lines of *stream*, of which *longest* characters are held at once.

    Unreadable where they are no text. UTF-16 out of a pipe is read whole first. *told*: how a file
    is written, where that is known.
    """
    if not isinstance(stream, Arriving):
        return _FileLines(stream if stream.seekable() else BytesIO(stream.read()), longest, told)
    if stream.peek(2).startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _FileLines(BytesIO(stream.read()), longest, told)
    return _PipeLines(stream, longest)


class _FileLines:
    def __init__(self, stream: BinaryIO, longest: int, told: Encoding | None) -> None:
        self._stream, self._longest = stream, longest
        self.encoding = told or recognise(iter(lambda: stream.read(_CHUNK), b""))
        stream.seek(len(self.encoding.mark))
        self._text = TextIOWrapper(stream, self.encoding.codec, newline="")

    def pauses(self) -> Iterator[Waiting]:
        return iter(())

    def read(self) -> str:
        try:
            return self._text.readline(self._longest)
        except UnicodeDecodeError:
            raise _damaged() from None

    def encode(self, text: str) -> bytes:
        return self.encoding.encode(text)

    def tell(self) -> int:
        return self._stream.tell()

    def go_to(self, start: int) -> None:
        self._text.detach()
        self._stream.seek(start)
        self._text = TextIOWrapper(self._stream, self.encoding.codec, newline="")

    def close(self) -> None:
        self._text.detach()


class _PipeLines:
    """Nobody sees the end of a pipe: the first line beyond ASCII tells how it is written.

    Text written beyond ASCII before any was read settles it, too: for UTF-8.
    """

    def __init__(self, stream: Arriving, longest: int) -> None:
        self._stream, self._longest = stream, longest
        self._waiting: deque[str] = deque()
        self._is_settled = False
        self.encoding = Encoding("utf-8")
        require_text(stream.peek(1)[:HEAD])
        if stream.peek(3).startswith(BOM_UTF8):
            stream.read(3)
            self.encoding, self._is_settled = Encoding("utf-8", BOM_UTF8), True

    def pauses(self) -> Iterator[Waiting]:
        return iter(()) if self._waiting else pauses(self._stream)

    def read(self) -> str:
        if not self._waiting:
            raw = self._stream.readline(4 * self._longest)
            if len(raw) == 4 * self._longest and not raw.endswith(b"\n"):
                raise Unreadable("행이 너무 깁니다", "나누거나 --max-characters를 늘리십시오")
            self._waiting.extend(_LINE.findall(self._decoded(raw)))
        return self._waiting.popleft() if self._waiting else ""

    def encode(self, text: str) -> bytes:
        self._is_settled = self._is_settled or not text.isascii()
        return self.encoding.encode(text)

    def tell(self) -> int:
        return self._stream.tell()

    def go_to(self, start: int) -> None:
        raise ValueError("a pipe is read in order")

    def close(self) -> None:
        self._waiting.clear()

    def _decoded(self, raw: bytes) -> str:
        if not (self._is_settled or raw.isascii()):
            self.encoding = recognise([raw])
            self._is_settled = True
        try:
            return raw.decode(self.encoding.codec)
        except UnicodeDecodeError:
            raise _damaged() from None


def _damaged() -> Unreadable:
    return Unreadable("글자가 깨졌습니다", "파일을 UTF-8로 다시 저장하십시오")
