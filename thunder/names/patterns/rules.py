"""The rules' files: read strictly, each fault with its file, its line and the cure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.nodes import Node

from thunder.identifiers.formats import Format, formats
from thunder.names.patterns.conditions import Condition, condition
from thunder.names.patterns.edges import EDGES, Edge, edges
from thunder.names.patterns.lookalikes import LOOKALIKES, Lookalike, lookalikes
from thunder.names.patterns.matching import Rule
from thunder.names.patterns.signs import SIGNS, Sign, signs_of
from thunder.settings.resources import all_in_taxonomy
from thunder.settings.yamlfile import Problem, YamlFileError
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.grammar import Part, Piece, Word, parsed, regex_of, triggered
from thunder.taxonomy.lexicon import CLASSES, FORMATS, PATTERNS, classes_of
from thunder.taxonomy.pattern_file import TOLD, PatternFile, Row
from thunder.text import lazy

_REQUIRED = (*TOLD, "find", "label", "score")
_KNOWN = (
    "where", "unless", "after", "not_after", "followed_by", "not_followed_by", "everywhere",
    "goes_on", "goes_back"
)  # fmt: skip
_OTHERS = frozenset({CLASSES, SIGNS, FORMATS, LOOKALIKES, EDGES})
"""Files of a folder that hold no rules."""
_ID = re.compile(r"[a-z][a-z0-9-]*")
_SCORE = re.compile(r"0\.[0-9]{1,3}|1\.0")


@dataclass(frozen=True, slots=True, eq=False)
class Described(Row):
    """A rule with what its file says of it."""

    rule: Rule
    label_name: str


class Patterns(NamedTuple):
    """All rules of a folder, their classes, and the signs, formats, look-alikes and edges."""

    described: tuple[Described, ...]
    classes: Mapping[str, tuple[str, ...]]
    signs: Mapping[str, Sign]
    formats: tuple[Format, ...] = ()
    lookalikes: tuple[Lookalike, ...] = ()
    edges: tuple[Edge, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(one.rule for one in self.described)


@lru_cache(maxsize=4)
def load(place: Path | None) -> Patterns:
    """Return the rules of *place*, a folder of YAML files; without one those in use.

    These are the shipped files, with those of a taxonomy of one's own laid over them by name.

    YamlFileError names every fault with file, line and cure: a broken rule stops what would read
    text with it, so that nothing passes unmasked because of it.
    """
    files = sorted(place.glob("*.yaml")) if place else all_in_taxonomy(PATTERNS, "*.yaml")
    problems: list[Problem] = []
    known = classes_of(place)
    found: list[Described] = []
    for path in files:
        if path.name not in _OTHERS:
            file = _File(path, known)
            found += file.rules()
            problems += file.reader.problems
    lines: dict[str, Described] = {}
    for one in found:
        first = lines.setdefault(one.rule.id, one)
        if first is not one:
            said = say.ID_TWICE_AT(id=one.rule.id, file=first.path.name, line=first.line)
            problems.append(Problem(one.path, one.line, said))
    if problems:
        raise YamlFileError(problems)
    beside = signs_of(place), formats(place), lookalikes(place), edges(place)
    return Patterns(tuple(found), known, *beside)


class _File(PatternFile):
    """One file of rules as it is read."""

    def __init__(self, path: Path, classes: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(path, classes)
        self._known: dict[tuple[str, str], Condition] = {}  # many rules ask the same of a word

    def rules(self) -> Iterator[Described]:
        for node, values in self.items("rules", required=_REQUIRED, known=_KNOWN):
            before = len(self.reader.problems)
            read = self._described(node, values)
            if read is not None and len(self.reader.problems) == before:
                yield read

    def _described(self, node: Node, values: Mapping[str, Node]) -> Described | None:
        reader = self.reader
        told = self.told(node, values, "find", once=False, near=None)
        written = reader.text(values["find"])
        parts = self.tried(values["find"], lambda: parsed(written, self.classes))
        if parts is None:
            return None
        letters = {one.letter for one in parts if isinstance(one, Word)}
        letters |= {one.group for one in parts if isinstance(one, Piece) and one.group}
        mentions = [_letter(one) for one in parts if one.masked]
        if len(mentions) != 1:
            reader.refuse(values["find"], say.MENTIONS(number=len(mentions)))
            return None
        variants = triggered(parts)
        if not variants:
            reader.refuse(values["find"], say.NO_TRIGGER())
        label = self.label(values["label"])
        if label.letter and label.letter not in letters:
            reader.refuse(values["label"], say.NO_SUCH_WORD(letter=label.letter))
        rule = Rule(
            id=told[0],
            variants=tuple(variants),
            mention=mentions[0],
            label=label.ko,
            label_from=label.letter,
            score=self._score(values["score"]),
            where=self._conditions(values.get("where"), letters),
            unless=self._conditions(values.get("unless"), letters),
            after=self._beside(values.get("after"), ends=True),
            not_after=self._beside(values.get("not_after"), ends=True),
            followed_by=self._beside(values.get("followed_by"), ends=False),
            not_followed_by=self._beside(values.get("not_followed_by"), ends=False),
            everywhere=reader.boolean(values.get("everywhere")),
            quoted=any(
                isinstance(one, Word) and one.kind == "quoted" for one in parts if one.masked
            ),
            goes_on=self._members(values.get("goes_on"), mentions[0]),
            goes_back=self._members(values.get("goes_back"), mentions[0], ends=True),
        )
        return Described(*told, rule, label.written)

    def id(self, node: Node) -> str:
        """Return the id; one that other files give, too, is a fault of all of them (``load``)."""
        written = self.reader.text(node)
        if not _ID.fullmatch(written):
            self.reader.refuse(node, say.BAD_ID(id=written))
        return written

    def _score(self, node: Node) -> float:
        value = str(node.value)
        if not _SCORE.fullmatch(value):
            self.reader.refuse(node, say.BAD_SCORE(value=value))
            return 0.0
        return float(value)

    def _conditions(self, node: Node | None, letters: set[str]) -> tuple[Condition, ...]:
        found = []
        for letter, tests in self.reader.mapping(node).items():
            if letter not in letters:
                self.reader.refuse(tests, say.NO_SUCH_WORD(letter=letter))
                continue
            for item in self.reader.sequence(tests):
                written = letter, self.reader.text(item)
                one = self._known.get(written)
                if one is None:
                    one = self.tried(item, partial(condition, *written, self.classes))
                if one is not None:
                    self._known[written] = one
                    found.append(one)
        return tuple(found)

    def _members(
        self, node: Node | None, mention: str, *, ends: bool = False
    ) -> re.Pattern[str] | None:
        """Return the expression for the next member of a list, which has a mention of its own."""
        if node is None:
            return None
        written = self.reader.text(node)
        parts = self.tried(node, lambda: parsed(written, self.classes))
        if parts is None:
            return None
        masked = [one.group for one in parts if isinstance(one, Piece) and one.masked]
        if masked != [mention] or any(isinstance(one, Word) for one in parts):
            self.reader.refuse(node, say.NO_MEMBER(letter=mention))
            return None
        return lazy.compile(f"(?:{regex_of(parts)})" + (r"\Z" if ends else ""))

    def _beside(self, node: Node | None, *, ends: bool) -> re.Pattern[str] | None:
        if node is None:
            return None
        regex = self.some(node)
        return lazy.compile(f"(?:{regex})" + (r"\Z" if ends else "")) if regex else None


def _letter(part: Part) -> str:
    return part.letter if isinstance(part, Word) else part.group
