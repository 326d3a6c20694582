"""The classes of words that rules and signs name in < >: ``taxonomy/patterns/classes.yaml``."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from thunder.settings.resources import in_taxonomy
from thunder.settings.yamlfile import Reader, YamlFileError

PATTERNS, CLASSES = "patterns", "classes.yaml"
_WORD_OF_CLASS = re.compile(r"[^<>(){}\[\]|?~*\n]+")


def file_of(place: Path | None, name: str) -> Path:
    """Return the file *name* of the folder *place*; without one the file in use."""
    return place / name if place else in_taxonomy(PATTERNS, name)


@lru_cache(maxsize=4)
def classes_of(place: Path | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return the words of each class of the folder *place* (or in use), by the class's name.

    YamlFileError names every fault with file, line and cure.
    """
    reader = Reader(file_of(place, CLASSES))
    found: dict[str, tuple[str, ...]] = {}
    for name, node in reader.mapping(reader.root).items():
        words: list[str] = []
        for item in reader.sequence(node):
            word = reader.text(item)
            if word.startswith("<") and word.endswith(">"):  # the words of a class above
                if word[1:-1] in found:
                    words += found[word[1:-1]]
                else:
                    reader.refuse(item, f"{word} is no class that stands above: write it there")
            elif word in words:
                reader.refuse(item, f"'{word}' stands twice in <{name}>: take one out")
            elif not _WORD_OF_CLASS.fullmatch(word):
                reader.refuse(item, f"'{word}' holds a sign of the patterns' language; words only")
            else:
                words.append(word)
        if not words:
            reader.refuse(node, f"the class <{name}> has no word")
        found[name] = tuple(dict.fromkeys(words))
    if reader.problems:
        raise YamlFileError(reader.problems)
    return found
