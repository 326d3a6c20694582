"""A line for each request and its answer: stopped and gone on, nothing is asked twice or lost."""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from thunder.settings.locks import lock

Entry = dict[str, Any]


def key_of(request: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) of a request: prompt, model, parameters and its number."""
    content = json.dumps(request, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


class Ledger:
    """The ledger in the file *path*, for one run at a time; a line that was cut off is taken off.

    ValueError where another run holds it, or a whole line of it is damaged.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path, self._lock = path, Lock()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._file = os.fdopen(descriptor, "r+b")
        try:
            lock(descriptor)
        except OSError:
            self._file.close()
            raise ValueError(f"{path}: another run writes it") from None
        self._answered: dict[str, Entry] = {}
        self._read()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __getitem__(self, key: str) -> Entry:
        return self._answered[key]

    def __contains__(self, key: str) -> bool:
        return key in self._answered

    def __len__(self) -> int:
        return len(self._answered)

    def entries(self) -> list[Entry]:
        """Return every answer, in the order in which they came."""
        return list(self._answered.values())

    def write(self, entry: Entry) -> None:
        """Keep an answer, on the disk before this returns; its ``key`` tells it from others."""
        line = json.dumps(entry, ensure_ascii=False).encode() + b"\n"
        with self._lock:
            self._file.write(line)
            self._file.flush()
            with suppress(OSError):  # what is no disk needs none
                os.fsync(self._file.fileno())
            self._answered[entry["key"]] = entry

    def _read(self) -> None:
        whole = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break
            try:
                entry = json.loads(line)
                self._answered[entry["key"]] = entry
            except (KeyError, TypeError, ValueError):
                self._file.close()
                raise ValueError(f"{self._path}: line {number} is damaged") from None
            whole += len(line)
        self._file.seek(whole)
        self._file.truncate()
