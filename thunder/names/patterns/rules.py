"""The rules' files: read strictly, each fault with its file, its line and the cure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from ruamel.yaml.nodes import Node

from thunder.identifiers.formats import Format, formats
from thunder.names.patterns.conditions import Condition, condition
from thunder.names.patterns.matching import Rule
from thunder.names.patterns.signs import SIGNS, Example, Sign, signs_of
from thunder.settings.resources import all_in_taxonomy
from thunder.settings.yamlfile import Problem, Reader, YamlFileError, line_of
from thunder.taxonomy import Taxonomy
from thunder.taxonomy.grammar import (
    Classes,
    Part,
    PatternError,
    Piece,
    Word,
    parsed,
    phrase,
    regex_of,
    triggered,
)
from thunder.taxonomy.lexicon import CLASSES, FORMATS, PATTERNS, classes_of
from thunder.taxonomy.own import working as load_taxonomy

T = TypeVar("T")

_REQUIRED = ("id", "find", "label", "score", "reason", "examples", "near_misses")
_KNOWN = (
    "where", "unless", "after", "not_after", "followed_by", "not_followed_by", "everywhere"
)  # fmt: skip
_ID = re.compile(r"[a-z][a-z0-9-]*")
_LABEL = re.compile(r"(?:from ([A-Z]), else )?([0-9]+) (.+)")
_SCORE = re.compile(r"0\.[0-9]{1,3}|1\.0")


class Described(NamedTuple):
    """A rule with what its file says of it."""

    rule: Rule
    path: Path
    line: int
    reason: str
    written: str
    label_name: str
    examples: tuple[Example, ...]
    near_misses: tuple[Example, ...]


class Patterns(NamedTuple):
    """All rules of a folder, their classes of words, the signs and the formats beside them."""

    described: tuple[Described, ...]
    classes: Mapping[str, tuple[str, ...]]
    signs: Mapping[str, Sign]
    formats: tuple[Format, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(one.rule for one in self.described)


@lru_cache(maxsize=4)
def load(place: Path | None = None) -> Patterns:
    """Return the rules of *place*, a folder of YAML files; without one those in use.

    These are the shipped files, with those of a taxonomy of one's own laid over them by name.

    YamlFileError names every fault with file, line and cure: a broken rule stops what would read
    text with it, so that nothing passes unmasked because of it.
    """
    files = sorted(place.glob("*.yaml")) if place else all_in_taxonomy(PATTERNS, "*.yaml")
    taxonomy = load_taxonomy()
    problems: list[Problem] = []
    known = classes_of(place)
    found: list[Described] = []
    for path in files:
        if path.name not in (CLASSES, SIGNS, FORMATS):
            found += _File(Reader(path), known, taxonomy, problems).rules()
    lines: dict[str, Described] = {}
    for one in found:
        first = lines.setdefault(one.rule.id, one)
        if first is not one:
            said = f"the id '{one.rule.id}' is given twice, first at {first.path.name}:{first.line}"
            problems.append(Problem(one.path, one.line, f"{said}: choose another"))
    if problems:
        raise YamlFileError(problems)
    return Patterns(tuple(found), known, signs_of(place), formats(place))


class _File:
    """One file of rules as it is read; what is wrong goes to *problems*."""

    def __init__(
        self,
        reader: Reader,
        classes: Classes,
        taxonomy: Taxonomy,
        problems: list[Problem],
    ) -> None:
        self._reader, self._taxonomy = reader, taxonomy
        self._classes: dict[str, Sequence[str] | Piece] = dict(classes)
        self._problems = problems

    def rules(self) -> Iterator[Described]:
        reader = self._reader
        top = reader.mapping(reader.root, required=("rules",), known=("phrases",))
        for name, node in reader.mapping(top.get("phrases")).items():
            if name in self._classes:
                reader.refuse(node, f"<{name}> is a class already: choose another name")
            shared = self._tried(node, partial(phrase, reader.text(node), self._classes))
            if shared is not None:
                self._classes[name] = shared
        for node in reader.sequence(top.get("rules")):
            before = len(reader.problems)
            values = reader.mapping(node, required=_REQUIRED, known=_KNOWN)
            read = self._described(node, values) if len(reader.problems) == before else None
            if read is not None and len(reader.problems) == before:
                yield read
        self._problems += reader.problems

    def _described(self, node: Node, values: Mapping[str, Node]) -> Described | None:
        reader = self._reader
        id_ = reader.text(values["id"])
        if not _ID.fullmatch(id_):
            reader.refuse(values["id"], f"the id '{id_}' is not small letters, digits and hyphens")
        written = reader.text(values["find"])
        parts = self._tried(values["find"], lambda: parsed(written, self._classes))
        if parts is None:
            return None
        letters = {one.letter for one in parts if isinstance(one, Word)}
        letters |= {one.group for one in parts if isinstance(one, Piece) and one.group}
        mentions = [_letter(one) for one in parts if one.masked]
        if len(mentions) != 1:
            reader.refuse(values["find"], f"{len(mentions)} mentions: a rule marks one, [X:name]")
            return None
        variants = triggered(parts)
        if not variants:
            reader.refuse(
                values["find"],
                "no word of it must stand in the text: write one, or a class, without '?'",
            )
        label, source, name = self._label(values["label"], letters)
        rule = Rule(
            id=id_,
            variants=tuple(variants),
            mention=mentions[0],
            label=label,
            label_from=source,
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
        )
        examples, near = (self._examples(values[key]) for key in ("examples", "near_misses"))
        for example in examples:
            if len(re.findall(r"\[[^\[\]]+\]", example.text)) == 0:
                reader.refuse(example.line, "an example has the mention in square brackets: [한빛]")
        for key in ("examples", "near_misses"):
            if not reader.sequence(values[key]):
                reader.refuse(values[key], f"{key} is empty: write a sentence")
        reason = reader.text(values["reason"])
        line = line_of(node)
        return Described(rule, reader.path, line, reason, written, name, examples, near)

    def _label(self, node: Node, letters: set[str]) -> tuple[str, str, str]:
        """Return the label, the letter that gives another, and the name as it is written."""
        written = self._reader.text(node)
        read = _LABEL.fullmatch(written)
        if read is None:
            self._reader.refuse(
                node,
                f"'{written}' is no label: write its id and name (353 은행)",
            )
            return "", "", ""
        known = {label.id: label.ko for label in self._taxonomy}
        if int(read[2]) not in known:
            self._reader.refuse(node, f"the taxonomy has no label with the id {read[2]}")
        if read[1] and read[1] not in letters:
            self._reader.refuse(node, f"no word of the pattern is called {read[1]}")
        return known.get(int(read[2]), ""), read[1] or "", read[3]

    def _score(self, node: Node) -> float:
        value = str(node.value)
        if not _SCORE.fullmatch(value):
            self._reader.refuse(node, f"'{value}': a score lies between 0 and 1, such as 0.7")
            return 0.0
        return float(value)

    def _conditions(self, node: Node | None, letters: set[str]) -> tuple[Condition, ...]:
        found = []
        for letter, tests in self._reader.mapping(node).items():
            if letter not in letters:
                self._reader.refuse(tests, f"no word of the pattern is called {letter}")
                continue
            for item in self._reader.sequence(tests):
                written = self._reader.text(item)
                one = self._tried(item, partial(condition, letter, written, self._classes))
                if one is not None:
                    found.append(one)
        return tuple(found)

    def _beside(self, node: Node | None, *, ends: bool) -> re.Pattern[str] | None:
        if node is None:
            return None
        written = self._reader.text(node)
        regex = self._tried(node, lambda: regex_of(parsed(f"({written})", self._classes)))
        return re.compile(f"(?:{regex})" + (r"\Z" if ends else "")) if regex else None

    def _examples(self, node: Node) -> tuple[Example, ...]:
        items = self._reader.sequence(node)
        return tuple(Example(self._reader.text(item), line_of(item)) for item in items)

    def _tried(self, node: Node, act: Callable[[], T]) -> T | None:
        try:
            return act()
        except PatternError as error:
            self._reader.refuse(node, str(error))
            return None


def _letter(part: Part) -> str:
    return part.letter if isinstance(part, Word) else part.group
