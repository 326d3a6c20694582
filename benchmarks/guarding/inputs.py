"""The documents both sides read: sentences of tests, public judgments, and filled ones."""

import ast
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from thunder.settings.data import Data
from thunder.training_data.corpus.reading import files_in, opened

_HANGUL = re.compile("[가-힣ㄱ-ㅎㅏ-ㅣ]")
_MARK = re.compile(r"<<</?[^<>\n]+>>>")
_LEAST = 6  # characters of a sentence worth reading

Row = dict[str, Any]


class Set(NamedTuple):
    """Inputs by name, how they are read (``worker.WAYS``), and how many of them; None for all."""

    source: str
    way: str
    usual: int | None
    quick: int | None
    fillings: int = 1

    @property
    def name(self) -> str:
        return f"{self.source}-{self.way}"


SETS = (
    Set("tests", "rules", None, None),
    Set("tests", "strict", None, None),
    Set("tests", "tagger", None, 1500),
    Set("public", "rules", 1500, 150),
    Set("public", "tagger", 40, 8),
    Set("facts", "rules", None, 397, 3),
    Set("facts", "tagger", None, 60),
    Set("whole", "rules", None, 150, 3),
    Set("whole", "tagger", 120, 12),
)


def sentences(root: Path) -> Iterator[Row]:
    """Yield every string with Hangul in the tests of a checkout, once, and their text files."""
    seen: set[str] = set()
    for path in sorted((root / "tests").rglob("*")):
        place = path.relative_to(root).as_posix()
        if path.suffix == ".txt":
            strings = [(0, path.read_text(encoding="utf-8"))]
        elif path.suffix == ".py":
            strings = sorted(set(strings_of(path.read_text(encoding="utf-8"))))
        else:
            continue
        for line, text in strings:
            if text not in seen:
                seen.add(text)
                yield {"id": f"{place}:{line}:{_digest(text)[:6]}", "text": text}


def strings_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and value of each string literal in Python *source* that may be a sentence."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if len(text) >= _LEAST and _HANGUL.search(text):
                yield node.lineno, text


def public(data: Data) -> Iterator[Row]:
    """Yield every public judgment: the annotated ones without their marks, then the whole ones.

    Some ids of the files come twice, so each has its file and line before it.
    """
    annotated = data.path("annotated")
    for path in (annotated, *files_in(data.path("judgments"))):
        with io.TextIOWrapper(opened(path), encoding="utf-8") as lines:
            for number, row in enumerate(map(json.loads, lines), 1):
                text = _MARK.sub("", row["text"]) if path == annotated else row["text"]
                yield {"id": f"{path.stem.split('.')[0]}:{number}:{row['id']}", "text": text}


def filled(gold: Path, *, fillings: int) -> Iterator[Row]:
    """Yield the filled judgments of a gold file, of so many of its fillings."""
    with gold.open() as lines:
        for row in map(json.loads, lines):
            if row["filling"] < fillings:
                yield {"id": row["id"], "text": row["text"]}


def sample(rows: Iterable[Row], number: int | None) -> list[Row]:
    """Return *number* of *rows* in their order, those of the smallest hashes; None for all."""
    everything = list(rows)
    if number is None or number >= len(everything):
        return everything
    keys = [_digest(f"{row['id']}\0{row['text']}") for row in everything]
    last = sorted(keys)[number - 1]
    return [row for row, key in zip(everything, keys, strict=True) if key <= last]


def write(rows: Iterable[Row], folder: Path, name: str) -> Path:
    """Return the file of *rows* in *folder*, named by what is in it."""
    content = "".join(json.dumps(row) + "\n" for row in rows)
    path = folder / f"{name}-{_digest(content)[:12]}.jsonl"
    path.write_text(content)
    return path


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
