"""Names of parts of files: those that a format gives tell nobody; any other may be a person's."""

import re
from functools import lru_cache
from pathlib import Path

from thunder.documents import cleaning

_RULES = ("hwpx", "hwp", "docx", "xlsx", "odt")
_CLASS = re.compile(r"\[[^]]*\]")
_PIECE = re.compile(r"META-INF|[^\W\d_]+|\d+|\W|_")
_BETWEEN = frozenset("/._[] :<>\x05")
_MOST_DIGITS = 4


@lru_cache(maxsize=4096)
def is_of_format(name: str) -> bool:
    """Return whether *name* is made of the formats' own words and of short numbers alone."""
    before = ""
    for piece in _PIECE.findall(name):
        if piece.isdigit():
            if len(piece) > _MOST_DIGITS or before.isdigit() or before in (".", "-"):
                return False
        elif piece not in _BETWEEN and piece not in _words():
            return False
        before = piece
    return True


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    from ruamel.yaml import YAML

    path = Path(__file__).with_name("part_words.yaml")
    words: set[str] = set(YAML(typ="safe").load(path.read_text(encoding="utf-8")))
    for format in _RULES:
        for rule in cleaning.load(format).parts:
            words.update(re.findall(r"[^\W\d_]{2,}", _CLASS.sub(" ", rule.match)))
    return frozenset(words)
