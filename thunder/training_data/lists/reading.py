"""The files of ``replacement_lists/``, read strictly: every problem with its file and line."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from thunder.settings.yamlfile import Problem, Reader, YamlFileError
from thunder.training_data import mention_makers
from thunder.training_data import messages as say
from thunder.training_data.lists.lines import read_lines
from thunder.training_data.lists.parts import bare
from thunder.training_data.lists.rules import (
    Composition,
    Made,
    Numbers,
    Part,
    Pattern,
    Words,
    part_names,
    pattern_of,
)
from thunder.training_data.mention_makers.names import is_public_figure

_REQUIRED_HEADERS = ("source", "licence")
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # of a 128-bit congruential generator (PCG)
_RULE_KEYS = ("label", "source", "licence")


class ListsError(YamlFileError):
    """Everything wrong with the files read, a line each: ``file:line: what``."""


@dataclass(frozen=True)
class MentionList:
    """The mentions of a label, one by one; *complete* where they are all there are."""

    path: Path
    mentions: tuple[str, ...]
    lines: tuple[int, ...]
    complete: str = ""

    def at(self, number: int) -> str:
        """Return the mention that *number* (from 0) picks."""
        return self.mentions[number % len(self.mentions)]


@dataclass(frozen=True)
class ComposedRule:
    """Mentions put together from parts by the patterns of a rule file.

    *persons*: they are names of persons, and none is that of a public figure. *own* is how many
    words the rule itself gives, *without* the share of draws that use none of them, *shared* why
    that is right for its label.
    """

    path: Path
    composition: Composition
    line: int = 1
    persons: bool = False
    own: int = 0
    without: float = 0.0
    shared: str = ""

    def at(self, number: int) -> str:
        """Return the mention that *number* (from 0; 128 bits are plenty) picks."""
        mention = self.composition.at(number)
        while self.persons and is_public_figure(bare(mention)):
            number = (number * _MULTIPLIER + 1) % 2**128
            mention = self.composition.at(number)
        return mention


@dataclass(frozen=True)
class MadeRule:
    """Mentions made in Python by the maker that a rule file names."""

    path: Path
    make: Callable[[Random], str]
    line: int = 1

    def at(self, number: int) -> str:
        """Return the mention that *number* seeds."""
        return self.make(Random(number))


Source = MentionList | ComposedRule | MadeRule


def read(path: Path, *, root: Path) -> tuple[Source | None, list[Problem]]:
    """Return what the file of a label holds, None where that cannot be said, and its problems.

    *root* is the folder of all lists, in which a rule's part files are looked for.
    """
    return _read_rule(path, root) if path.suffix == ".yaml" else _read_list(path)


# --- lists --------------------------------------------------------------------------------------


def _read_list(path: Path) -> tuple[MentionList | None, list[Problem]]:
    lines, problems = read_lines(path)
    if problems and not lines:  # not to be read at all
        return None, problems
    headers = {key: line for line in lines if (key := line.header[0])}
    for key in _REQUIRED_HEADERS:
        if not any(line.header[0] == key and line.header[1] for line in lines):
            problems.append(Problem(path, 1, say.NO_HEADER(key=key)))
    complete = headers["world"].header[1] if "world" in headers else ""
    if "world" in headers and not complete.startswith("complete"):
        problems.append(Problem(path, headers["world"].number, say.WORLD()))
    found = [line for line in lines if not line.is_comment]
    if not found:
        problems.append(Problem(path, 1, say.NO_MENTION()))
        return None, problems
    mentions, numbers = tuple(line.text for line in found), tuple(line.number for line in found)
    return MentionList(path, mentions, numbers, complete), problems


# --- rules --------------------------------------------------------------------------------------


def _read_rule(path: Path, root: Path) -> tuple[Source | None, list[Problem]]:
    reader = Reader(path)
    if reader.root is None:
        return None, reader.problems
    made = isinstance(reader.root, MappingNode) and _has_key(reader.root, "maker")
    body = ("maker",) if made else ("parts", "patterns")
    known = ("note",) if made else ("note", "persons", "shared")
    found = reader.mapping(reader.root, required=(*_RULE_KEYS, *body), known=known)
    for key in ("source", "licence", "note"):
        reader.text(found.get(key))
    label = reader.text(found.get("label"))
    stem = unicodedata.normalize("NFC", path.stem)
    if label and label != stem:
        reader.refuse(found["label"], say.OTHER_LABEL(label=label, stem=stem))
    if made:
        maker = reader.text(found.get("maker"), choices=mention_makers.maker_names())
        if reader.problems:
            return None, reader.problems
        return MadeRule(path, mention_makers.maker(maker), _line(found["maker"])), []
    composition = _composition(reader, found, root)
    persons = reader.boolean(found.get("persons"))
    if reader.problems or composition is None:
        return None, reader.problems
    shared = reader.text(found.get("shared")) if "shared" in found else ""
    own, without = _own_words(reader, found)
    line = _line(found["patterns"])
    return ComposedRule(path, composition, line, persons, own, without, shared), []


def _own_words(reader: Reader, found: dict[str, Node]) -> tuple[int, float]:
    """Return how many words a rule gives itself, and the share of draws that use none of them."""
    parts = reader.mapping(found["parts"])
    own = {name: node for name, node in parts.items() if isinstance(node, SequenceNode)}
    written = [_weighted(reader, item) for item in reader.sequence(found["patterns"])]
    without = sum(weight for text, weight in written if not part_names(text) & own.keys())
    number = sum(len(node.value) for node in own.values())
    return number, without / sum(weight for _, weight in written)


def _has_key(node: MappingNode, key: str) -> bool:
    return any(name.value == key for name, _ in node.value if isinstance(name, ScalarNode))


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


def _composition(reader: Reader, found: dict[str, Node], root: Path) -> Composition | None:
    nodes = reader.mapping(found.get("parts"))
    parts = {name: _part(reader, name, node, root) for name, node in nodes.items()}
    known = {name: part for name, part in parts.items() if part is not None}
    items = reader.sequence(found.get("patterns"))
    if "patterns" in found and not items:
        reader.refuse(found["patterns"], say.EMPTY_LIST())
    written = [(item, *_weighted(reader, item)) for item in items]
    used = set().union(*(part_names(text) for _, text, _ in written))
    for name in nodes.keys() - used:
        reader.refuse(nodes[name], say.UNUSED_PART(name=name))
    patterns: list[Pattern] = []
    for item, text, weight in written:
        if not part_names(text) & (
            parts.keys() - known.keys()
        ):  # what a bad part would only repeat
            try:
                patterns.append(pattern_of(text, known, weight=weight))
            except ValueError as error:
                reader.refuse(item, str(error))
    return Composition(patterns) if patterns else None


def _weighted(reader: Reader, node: Node) -> tuple[str, int]:
    """Return the text of a pattern and its weight, 1 without."""
    if not isinstance(node, MappingNode):
        return reader.text(node), 1
    found = reader.mapping(node, required=("pattern",), known=("weight",))
    weight = reader.integer(found["weight"]) if "weight" in found else 1
    if weight < 1:
        reader.refuse(found["weight"], say.WEIGHT())
    return reader.text(found.get("pattern")), max(weight, 1)


def _part(reader: Reader, name: str, node: Node, root: Path) -> Part | None:
    if isinstance(node, SequenceNode):
        return _words(reader, name, node)
    if isinstance(node, MappingNode):
        return _made(reader, node) if _has_key(node, "maker") else _numbers(reader, node)
    return _part_of_file(reader, name, node, root)


def _words(reader: Reader, name: str, node: SequenceNode) -> Part | None:
    texts = reader.texts(node)
    if not texts:
        reader.refuse(node, say.PART_EMPTY(name=name))
        return None
    seen: set[str] = set()
    for item, text in zip(node.value, texts, strict=True):
        if text in seen:
            reader.refuse(item, say.GIVEN_TWICE(text=text))
        seen.add(text)
    return Words(tuple((text,) for text in texts))


def _numbers(reader: Reader, node: MappingNode) -> Part | None:
    found = reader.mapping(node, required=("from", "to"), known=("digits",))
    if not {"from", "to"} <= found.keys():
        return None
    digits = reader.integer(found["digits"]) if "digits" in found else 1
    try:
        return Numbers(reader.integer(found["from"]), reader.integer(found["to"]), digits)
    except ValueError as error:
        reader.refuse(node, str(error))
        return None


def _made(reader: Reader, node: MappingNode) -> Part | None:
    found = reader.mapping(node, required=("maker",))
    name = reader.text(found.get("maker"), choices=mention_makers.maker_names())
    return Made(mention_makers.maker(name)) if name in mention_makers.maker_names() else None


def _part_of_file(reader: Reader, name: str, node: Node, root: Path) -> Part | None:
    written = reader.text(node)
    if not written:
        return None
    inside = written.startswith("parts/") and ".." not in Path(written).parts
    path = root / written
    if not inside or not path.is_file():
        reader.refuse(node, say.UNKNOWN_PART_FILE(written=written, name=name, root=root))
        return None
    part, problems = read_part(path)
    reader.problems += problems
    return part


@lru_cache(maxsize=1024)
def _cached_part(path: Path, _changed: int) -> tuple[Part | None, tuple[Problem, ...]]:
    lines, problems = read_lines(path)
    items = [(line.number, tuple(line.text.split("\t"))) for line in lines if not line.is_comment]
    if not items:
        return None, (*problems, *([] if problems else [Problem(path, 1, say.EMPTY_PART())]))
    for number, columns in items:
        if len(columns) != len(items[0][1]):
            problems.append(
                Problem(path, number, say.COLUMNS(found=len(columns), wanted=len(items[0][1])))
            )
        if any(column != column.strip() or not column for column in columns):
            problems.append(Problem(path, number, say.EMPTY_COLUMN()))
    return Words(tuple(columns for _, columns in items)), tuple(problems)


def read_part(path: Path) -> tuple[Part | None, list[Problem]]:
    """Return the part of a file (an item a line, columns between tabs), and its problems."""
    part, problems = _cached_part(path, path.stat().st_mtime_ns)
    return (None if problems else part), list(problems)
