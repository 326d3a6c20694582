"""What stands beside a word, or what it is, that speaks for a name (or against one).

A sign decides nothing by itself: the finders weigh it. ``taxonomy/patterns/signs.yaml`` holds the
words, in the language of the rules and with examples; ``thunder patterns check`` runs them.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.nodes import Node

from thunder.settings.yamlfile import Problem, YamlFileError, line_of
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.grammar import Classes, parsed, regex_of, word_pattern
from thunder.taxonomy.lexicon import classes_of, file_of
from thunder.taxonomy.pattern_file import Example, PatternFile
from thunder.text import lazy

SIGNS = "signs.yaml"
BEFORE, BEHIND, WORD = "before", "behind", "word"
_SIDES = (BEFORE, BEHIND, WORD)
_REQUIRED = ("id", "reason", "examples", "near_misses")
_REACH = 24


class Sign(NamedTuple):
    """One sign: on which side of a word it stands, and what it looks for."""

    id: str
    side: str
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    reason: str
    path: Path
    line: int
    examples: tuple[Example, ...]
    near_misses: tuple[Example, ...]

    def at(self, text: str, place: int) -> bool:
        """Return whether it stands right before *place* of folded *text*, or right behind it.

        A line break may stand between it and the word that it announces.
        """
        if self.side == BEHIND:
            found = self.pattern.match(text, place)
            return found is not None and not (self.unless and self.unless.match(text, place))
        least = max(0, place - _REACH)
        found = self.pattern.search(text, least, place)
        return found is not None and not (self.unless and self.unless.search(text, least, place))

    def fits(self, word: str) -> bool:
        """Return whether *word* as a whole is one of them."""
        found = self.pattern.fullmatch(word)
        return found is not None and not (self.unless and self.unless.fullmatch(word))

    def holds(self, text: str, start: int, end: int) -> bool:
        """Return whether the word of *text* from *start* to *end* has this sign."""
        if self.side == WORD:
            return self.fits(text[start:end])
        return self.at(text, start if self.side == BEFORE else end)


def sign(id_: str) -> Sign:
    """Return a sign of those in use; YamlFileError where the file lacks it."""
    found = signs_of().get(id_)
    if found is None:
        raise YamlFileError([Problem(file_of(None, SIGNS), 1, say.SIGN_MISSING(id=id_))])
    return found


@lru_cache(maxsize=4)
def signs_of(place: Path | None = None) -> Mapping[str, Sign]:
    """Return the signs of the folder *place* (or in use) by id, none where it has no file of them.

    YamlFileError names every fault with file, line and cure.
    """
    path = file_of(place, SIGNS)
    if not path.exists():
        return {}
    file = PatternFile(path, classes_of(place))
    items = file.items("signs", required=_REQUIRED, known=(*_SIDES, "unless"))
    found = [_sign(file, node, values) for node, values in items]
    if file.reader.problems:
        raise YamlFileError(file.reader.problems)
    return {one.id: one for one in found if one}


def _sign(file: PatternFile, node: Node, values: Mapping[str, Node]) -> Sign | None:
    sides = [side for side in _SIDES if side in values]
    if len(sides) != 1:
        file.reader.refuse(node, say.ONE_SIDE(sides=", ".join(_SIDES)))
        return None
    (side,) = sides
    given = {key: values[key] for key in (side, "unless") if key in values}
    pattern, unless = (
        file.tried(one, partial(_COMPILED[side], file.reader.text(one), file.classes))
        if (one := given.get(key))
        else None
        for key in (side, "unless")
    )
    examples, near = (file.examples(values[key], once=True) for key in ("examples", "near_misses"))
    if pattern is None:
        return None
    said = (file.reader.text(values["reason"]), file.reader.path, line_of(node), examples, near)
    return Sign(file.id(values["id"]), side, pattern, unless, *said)


def _before(written: str, known: Classes) -> re.Pattern[str]:
    return lazy.compile(rf"(?:{regex_of(parsed(written, known))})\n?\Z")


def _behind(written: str, known: Classes) -> re.Pattern[str]:
    return lazy.compile(regex_of(parsed(written, known)))


_COMPILED: Mapping[str, Callable[[str, Classes], re.Pattern[str]]] = {
    BEFORE: _before,
    BEHIND: _behind,
    WORD: word_pattern,
}
