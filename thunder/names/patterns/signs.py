"""What stands beside a word, or what it is, that speaks for a name (or against one).

A sign decides nothing by itself: the finders weigh it, or read on from the words that it names by
letters. ``taxonomy/patterns/signs.yaml`` holds the signs, in the language of the rules and with
examples; ``thunder patterns check`` runs them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from ruamel.yaml.nodes import Node

from thunder.settings.yamlfile import Problem, YamlFileError
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.grammar import (
    UNKNOWN_WIDTH,
    Classes,
    Piece,
    parsed,
    regex_of,
    required_literals,
    triggered,
    width_of,
    word_pattern,
)
from thunder.taxonomy.lexicon import file_of
from thunder.taxonomy.pattern_file import PatternFile, Row, rows_of
from thunder.text import lazy

SIGNS = "signs.yaml"
BEFORE, BEHIND, WORD, STRETCH = "before", "behind", "word", "stretch"
_SIDES = (BEFORE, BEHIND, WORD, STRETCH)
_REACH = 24
"""Code points before a word in which a sign may begin at least; more where it may be longer."""


@dataclass(frozen=True, slots=True, eq=False)
class Sign(Row):
    """One sign: on which side of a word it stands, and what it looks for.

    A stretch stands anywhere; ``unless`` says what must not stand before it.
    """

    side: str
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    reach: int

    def match(self, text: str, place: int) -> re.Match[str] | None:
        """Return what stands right before *place* of folded *text*, or right behind it, or None.

        The words that it names by a letter are its groups. A line break may stand between what
        stands before and the word that it announces.
        """
        if self.side == BEFORE:
            least = max(0, place - self.reach)
            found = self.pattern.search(text, least, place)
            return None if self.unless and self.unless.search(text, least, place) else found
        found = self.pattern.match(text, place)
        return None if found and self.unless and self.unless.match(text, place) else found

    def at(self, text: str, place: int) -> bool:
        """Return whether it stands right before *place* of folded *text*, or right behind it."""
        return self.match(text, place) is not None

    def fits(self, word: str) -> bool:
        """Return whether *word* as a whole is one of them."""
        found = self.pattern.fullmatch(word)
        return found is not None and not (self.unless and self.unless.fullmatch(word))

    def all(self, text: str, *where: int) -> Iterator[re.Match[str]]:
        """Yield the stretches of *text*, or of a part of it, that it finds, in order."""
        return self.pattern.finditer(text, *where)

    def holds(self, text: str, start: int, end: int) -> bool:
        """Return whether the word of *text* from *start* to *end* has this sign, or is found."""
        if self.side == WORD:
            return self.fits(text[start:end])
        if self.side == STRETCH:
            group = "X" if "X" in self.pattern.groupindex else 0
            return (start, end) in {found.span(group) for found in self.all(text)}
        return self.at(text, start if self.side == BEFORE else end)


def sign(id_: str) -> Sign:
    """Return a sign of those in use; YamlFileError where the file lacks it."""
    found = signs_of(None).get(id_)
    if found is None:
        raise YamlFileError([Problem(file_of(None, SIGNS), 1, say.SIGN_MISSING(id=id_))])
    return found


@lru_cache(maxsize=4)
def signs_of(place: Path | None) -> Mapping[str, Sign]:
    """Return the signs of the folder *place* (or in use) by id, none where it has no file of them.

    YamlFileError names every fault with file, line and cure.
    """
    found = rows_of(PatternFile, place, SIGNS, _sign, known=(*_SIDES, "unless"))
    return {one.id: one for one in found}


def _sign(file: PatternFile, node: Node, values: Mapping[str, Node]) -> Sign | None:
    sides = [side for side in _SIDES if side in values]
    if len(sides) != 1:
        file.reader.refuse(node, say.ONE_SIDE(sides=", ".join(_SIDES)))
        return None
    (side,) = sides
    given = {key: values[key] for key in (side, "unless") if key in values}
    told = file.told(node, values, side, "unless")
    read = {
        key: file.tried(one, partial(_COMPILED[side], file.reader.text(one), file.classes))
        for key, one in given.items()
        if key == side or side != STRETCH
    }
    pattern, reach = read[side] or (None, 0)
    if pattern is None:
        return None
    unless, _ = read.get("unless") or (None, 0)
    if side == STRETCH and "unless" in values:
        pattern = _apart(file, values["unless"], pattern)
    return Sign(*told, side, pattern, unless, reach)


_Read = tuple[re.Pattern[str], int]
"""An expression, and how many code points it may cover."""


def _before(written: str, known: Classes) -> _Read:
    parts = parsed(written, known)
    width = width_of(parts)
    reach = max(_REACH, width + 1) if width < UNKNOWN_WIDTH else _REACH
    return lazy.compile(rf"(?:{regex_of(parts)})\n?\Z"), reach


def _behind(written: str, known: Classes) -> _Read:
    return lazy.compile(regex_of(parsed(written, known))), 0


def _word(written: str, known: Classes) -> _Read:
    return word_pattern(written, known), 0


def _stretch(written: str, known: Classes) -> _Read:
    parts = parsed(written, known)
    words = [required_literals(some[at]) for some, at in triggered(parts)]
    needs = sorted({word for one in words for word in one}) if all(words) else ()
    return lazy.compile(regex_of(parts), needs=needs), 0


def _apart(file: PatternFile, node: Node, pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return *pattern* where none of what *node* says stands right before it."""
    parts = file.tried(node, lambda: parsed(f"({file.reader.text(node)})", file.classes)) or ()
    choices = [one for part in parts if isinstance(part, Piece) for one in part.choices]
    apart = "".join(f"(?<!{regex_of(one)})" for one in choices)
    try:
        re.compile(apart)
    except re.error as error:
        file.reader.refuse(node, say.BEFORE_OF_ONE_WIDTH(why=error))
        return pattern
    needs = getattr(pattern, "needs", ())
    return lazy.compile(f"{apart}(?:{pattern.pattern})", needs=needs)


_COMPILED: Mapping[str, Callable[[str, Classes], _Read]] = {
    BEFORE: _before,
    BEHIND: _behind,
    WORD: _word,
    STRETCH: _stretch,
}
