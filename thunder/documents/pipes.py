"""A pipe read as its bytes arrive: what is there is worked on before more has come."""

import os
from collections.abc import Iterator
from io import BufferedIOBase
from typing import BinaryIO

from thunder.workers import Waiting, has_come

_CHUNK = 1 << 16
_MOST_HELD = 1 << 20  # bytes without a line's end that are taken before they are asked for


class Arriving(BufferedIOBase, BinaryIO):
    """A stream that tells whether its next line is there already.

    It reads the descriptor of *stream* itself: nobody else may read it meanwhile.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._descriptor = stream.fileno()
        self._held = bytearray()
        self._given = self._searched = 0
        self._has_ended = False

    def waiting(self) -> Waiting | None:
        """Return what to wait for where neither a whole line nor the end has come yet."""
        while not self._has_ended and len(self._held) < _MOST_HELD and self._line_end() < 0:
            if not has_come(self._descriptor, within=0):
                return Waiting(self._descriptor)
            self._fill()
        return None

    def readline(self, most: int | None = -1, /) -> bytes:
        """Return the next line, or *most* bytes of it; b"" at the end."""
        limit = most if most is not None and most >= 0 else None
        while (end := self._line_end()) < 0 and not self._has_ended:
            if limit is not None and len(self._held) >= limit:
                break
            self._fill()
        whole = end + 1 if end >= 0 else len(self._held)
        return self._take(whole if limit is None else min(whole, limit))

    def read(self, most: int | None = -1, /) -> bytes:
        """Return *most* bytes, fewer only at the end; all there are without *most*."""
        limit = most if most is not None and most >= 0 else None
        while not self._has_ended and (limit is None or len(self._held) < limit):
            self._fill()
        return self._take(len(self._held) if limit is None else min(limit, len(self._held)))

    def peek(self, least: int) -> bytes:
        """Return what has come, *least* bytes of it or more where the end is not before; it stays.

        It does not wait for more than *least*.
        """
        while not self._has_ended and len(self._held) < least:
            self._fill()
        return bytes(self._held)

    def tell(self) -> int:
        """Return how many bytes were given."""
        return self._given

    def readable(self) -> bool:
        return True

    def _line_end(self) -> int:
        """Return where the first line of what is held ends, -1 where it does not."""
        end = self._held.find(b"\n", self._searched)
        self._searched = end if end >= 0 else len(self._held)
        return end

    def _fill(self) -> None:
        has_come(self._descriptor)  # also where the writer made the pipe one that does not block
        chunk = os.read(self._descriptor, _CHUNK)
        self._held += chunk
        self._has_ended = not chunk

    def _take(self, size: int) -> bytes:
        taken = bytes(self._held[:size])
        del self._held[:size]
        self._searched = max(0, self._searched - size)
        self._given += size
        return taken


def as_it_arrives(stream: BinaryIO) -> BinaryIO:
    """Return *stream*, read as its bytes arrive if it is a pipe, a socket or a terminal."""
    return stream if stream.seekable() else Arriving(stream)


def pauses(stream: BinaryIO) -> Iterator[Waiting]:
    """Yield a Waiting until the next line of *stream* is there; nothing for a file."""
    while isinstance(stream, Arriving) and (pause := stream.waiting()):
        yield pause
