"""The lines of list and part files: UTF-8 in NFC, none blank, repeated or padded."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from thunder.settings.yamlfile import Problem

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
        return [], [Problem(path, 1, f"cannot be read: {error.strerror}")]
    rows = text.removesuffix("\n").split("\n") if text else []
    lines = [Line(at, row.removesuffix("\r")) for at, row in enumerate(rows, 1)]
    problems = [Problem(path, line, message) for line, message in _wrong_lines(lines)]
    return lines, problems


def _encoding(error: UnicodeDecodeError) -> tuple[int, str]:
    line = error.object[: error.start].count(b"\n") + 1
    try:
        error.object.decode("cp949")
    except UnicodeDecodeError:
        return line, "not UTF-8: save the file as UTF-8"
    return line, "not UTF-8 but CP949 (완성형): save the file as UTF-8"


def _wrong_lines(lines: Sequence[Line]) -> Iterator[tuple[int, str]]:
    first: dict[str, int] = {}
    for line in lines:
        if line.is_comment:
            if first:
                yield line.number, "a header line stands below a mention: move it to the top"
            continue
        wrong = _wrong_with(line.text)
        if not wrong and line.text in first:
            wrong = f"'{line.text}' is already on line {first[line.text]}"
        if wrong:
            yield line.number, wrong
        first.setdefault(line.text, line.number)


def _wrong_with(text: str) -> str:
    if not text.strip():
        return "the line is blank"
    if text.isascii() and text.isprintable():
        return f"'{text}' has spaces around it" if text != text.strip() else _spaces(text)
    if text != text.strip():
        return f"'{text}' has spaces around it"
    if not unicodedata.is_normalized("NFC", text):
        return f"'{text}' is not in Unicode's composed form (NFC)"
    if any(unicodedata.category(char) in _INVISIBLE for char in text.replace("\t", "")):
        return f"{text!r} holds an invisible character"
    return _spaces(text)


def _spaces(text: str) -> str:
    return f"'{text}' holds two spaces in a row" if "  " in text else ""
