"""The run's own files, a JSON object a line, that keep step with the outputs."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thunder.bulk.outputs import Partial, why


class Unwritable(Exception):
    """A file of the run's own (audit, mapping, page, standard output) could not be written."""

    def __init__(self, name: Path | str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


@contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Turn an OSError inside into an Unwritable that names *path*."""
    try:
        yield
    except OSError as error:
        raise Unwritable(path, " — ".join(why(error))) from None


def line(entry: dict[str, Any]) -> bytes:
    """Return *entry* as a line of JSON; bytes of a file's name that are no text are escaped."""
    return json.dumps(entry, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


class Log:
    """A file of the run's own, of JSON lines or text; without a path, what is added is dropped.

    It is begun aside, and put in its place before the first output is, so that no output stands
    without it. From then on it grows there. What was added for an output that did not come about
    is taken back. Every method raises Unwritable where the disk fails.
    """

    def __init__(self, path: Path | None, *, private: bool = False, replace: bool = False) -> None:
        self._name = str(path)
        self._kept = 0
        self._partial: Partial | None = None
        if path:
            with naming(path):
                self._partial = Partial(path, private=private, replace=replace, buffering=0)

    @property
    def is_kept(self) -> bool:
        """Whether what is added goes anywhere."""
        return self._partial is not None

    def add(self, *entries: dict[str, Any]) -> None:
        """Write *entries*, a line each, past the process's own memory: a kill loses none."""
        if self._partial:
            with naming(self._name):
                for entry in entries:
                    self._write(line(entry))

    def add_text(self, text: str) -> None:
        """Write *text*, likewise."""
        if self._partial:
            with naming(self._name):
                self._write(text.encode("utf-8", "backslashreplace"))

    def _write(self, content: bytes) -> None:
        assert self._partial
        left = memoryview(content)
        while left:
            written = self._partial.stream.write(left)
            left = left[written:]

    def secure(self) -> None:
        """Bring all that was added to the disk, and the file to its place."""
        if self._partial:
            with naming(self._name):
                self._partial.sync()
                if not self._partial.is_published():
                    self._partial.publish()

    def keep(self) -> None:
        """Let stand what was added until now."""
        if self._partial:
            self._kept = self._partial.stream.tell()

    def take_back(self) -> None:
        """Undo what was added since the last ``keep``."""
        if self._partial:
            with naming(self._name):
                os.ftruncate(self._partial.stream.fileno(), self._kept)
                self._partial.stream.seek(self._kept)

    def close(self) -> None:
        """Let go of the file; it vanishes unless it is in its place."""
        if self._partial:
            self._partial.close()
