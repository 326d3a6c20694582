"""The lines of list and part files: UTF-8 in NFC, none blank, repeated or padded."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from thunder.settings.yamlfile import Problem
from thunder.training_data import messages as say

_HEADER = re.compile(r"#[ ]?(?P<key>[a-z]+):[ ]*(?P<value>.*)")
# Control, format (zero-width …), private use, lone surrogate, separators of lines.
_INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text file, and its number (from 1)."""

    number: int
    text: str

    @property
    def is_comment(self) -> bool:
        return self.text.startswith("#")

    @property
    def header(self) -> tuple[str, str]:
        """The key and value of a header line, empty for any other line."""
        match = _HEADER.fullmatch(self.text) if self.is_comment else None
        return (match["key"], match["value"].strip()) if match else ("", "")


def read_lines(path: Path) -> tuple[list[Line], list[Problem]]:
    """Return the lines of a list or part file, and what is wrong with any of them."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return [], [Problem(path, *_encoding(error))]
    except OSError as error:
        return [], [Problem(path, 1, say.CANNOT_BE_READ(why=error.strerror))]
    rows = text.removesuffix("\n").split("\n") if text else []
    lines = [Line(at, row.removesuffix("\r")) for at, row in enumerate(rows, 1)]
    problems = [Problem(path, line, message) for line, message in _wrong_lines(lines)]
    return lines, problems


def _encoding(error: UnicodeDecodeError) -> tuple[int, str]:
    line = error.object[: error.start].count(b"\n") + 1
    try:
        error.object.decode("cp949")
    except UnicodeDecodeError:
        return line, say.NOT_UTF8()
    return line, say.CP949()


def _wrong_lines(lines: Sequence[Line]) -> Iterator[tuple[int, str]]:
    first: dict[str, int] = {}
    for line in lines:
        if line.is_comment:
            if first:
                yield line.number, say.HEADER_BELOW()
            continue
        wrong = _wrong_with(line.text)
        if not wrong and line.text in first:
            wrong = say.ALREADY(text=line.text, line=first[line.text])
        if wrong:
            yield line.number, wrong
        first.setdefault(line.text, line.number)


def _wrong_with(text: str) -> str:
    if not text.strip():
        return say.BLANK()
    if text.isascii() and text.isprintable():
        return say.PADDED(text=text) if text != text.strip() else _spaces(text)
    if text != text.strip():
        return say.PADDED(text=text)
    if not unicodedata.is_normalized("NFC", text):
        return say.NOT_NFC(text=text)
    if any(unicodedata.category(char) in _INVISIBLE for char in text.replace("\t", "")):
        return say.INVISIBLE(text=repr(text))
    return _spaces(text)


def _spaces(text: str) -> str:
    return say.TWO_SPACES(text=text) if "  " in text else ""
