"""A file of ``taxonomy/patterns`` as it is read: phrases, labels, examples, and what is wrong."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode

from thunder.settings.messages import language
from thunder.settings.yamlfile import Reader, YamlFileError, line_of
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.grammar import Classes, PatternError, Piece, parsed, phrase, regex_of
from thunder.taxonomy.lexicon import classes_of, file_of
from thunder.taxonomy.own import working
from thunder.taxonomy.tables import meant

T = TypeVar("T")
F = TypeVar("F", bound="PatternFile")

MARKED = re.compile(r"\[([^\[\]]+)\]")
"""What an example marks."""

_REASON, _REASON_KO = "reason", "reason_ko"
_LABEL = re.compile(r"(?:from ([A-Z]), else )?([0-9]+) (.+)")


class Example(NamedTuple):
    """A sentence with its mention in [ ], on which a rule must fire (or must not)."""

    text: str
    line: int


class Reason(NamedTuple):
    """Why a row is there, in Korean and in English; a row that says one alone says it in both.

    As a string it is the one in the language of messages.
    """

    ko: str
    en: str

    def __str__(self) -> str:
        return self.en if language() == "en" else self.ko


class Label(NamedTuple):
    """A label by its name, the letter of the word that may give another, and how it is written."""

    ko: str
    letter: str
    written: str


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """What each entry of such a file says of itself: id, reason, wording, place, examples."""

    id: str
    reason: Reason
    written: str
    path: Path
    line: int
    examples: tuple[Example, ...]
    near_misses: tuple[Example, ...]


Told = tuple[str, Reason, str, Path, int, tuple[Example, ...], tuple[Example, ...]]
"""The fields of a ``Row``, before those of its kind."""

TOLD = ("id", "examples", "near_misses")
"""What every entry must say of itself, beside its reason."""


class PatternFile:
    """A file as it is read, with the classes that its patterns may name."""

    def __init__(self, path: Path, classes: Classes) -> None:
        self.reader = Reader(path)
        self.classes: dict[str, Sequence[str] | Piece] = dict(classes)
        self._labels = {label.id: label.ko for label in working()}
        names = ((name, label) for label in working() for name in (label.ko, *label.aliases))
        self._ids_of = {name: label.id for name, label in names}
        self._ids: set[str] = set()

    def items(
        self, key: str, *, required: Sequence[str], known: Sequence[str]
    ) -> Iterator[tuple[Node, Mapping[str, Node]]]:
        """Yield the entries of the list *key* that have what is *required*, each with its node.

        Each says why it is there, in English (reason), in Korean (reason_ko) or in both.
        """
        top = self.reader.mapping(self.reader.root, required=(key,), known=("phrases",))
        for name, node in self.reader.mapping(top.get("phrases")).items():
            shared = self.tried(node, partial(self._phrase, name, self.reader.text(node)))
            if shared is not None:
                self.classes[name] = shared
        for node in self.reader.sequence(top.get(key)):
            before = len(self.reader.problems)
            keys = [key.value for key, _ in node.value] if isinstance(node, MappingNode) else []
            why = _REASON_KO if any(key.startswith(f"{_REASON}_") for key in keys) else _REASON
            also = (*known, _REASON, _REASON_KO)
            values = self.reader.mapping(node, required=(*required, why), known=also)
            if len(self.reader.problems) == before:
                yield node, values

    def told(
        self,
        node: Node,
        values: Mapping[str, Node],
        *keys: str,
        once: bool = True,
        near: bool | None = True,
    ) -> Told:
        """Return what the entry *node* says of itself; it is written at those of *keys* it has.

        *once* and *near* are ``examples``' questions: of all its sentences, and of near misses.
        """
        text, examples = self.reader.text, self.examples(values["examples"], once=once)
        read = {key: text(values[key]) for key in keys if key in values}
        for key, what in read.items():
            at = values[key]
            if isinstance(at, ScalarNode) and not at.style and what[:1] + what[-1:] == "“”":
                self.reader.refuse(at, say.CURLY_QUOTES())
        written = " · ".join(f"{key}: {what}" for key, what in read.items())
        written = written if len(keys) > 1 else read.get(keys[0], "")
        missed = self.examples(values["near_misses"], marked=near, once=once)
        said = self.id(values["id"]), self.reason(values), written
        return (*said, self.reader.path, line_of(node), examples, missed)

    def _phrase(self, name: str, written: str) -> Piece:
        if name in self.classes:
            raise PatternError(say.CLASS_ALREADY(name=name))
        return phrase(written, self.classes)

    def id(self, node: Node) -> str:
        """Return the id; one that is given twice is a fault."""
        written = self.reader.text(node)
        if written in self._ids:
            self.reader.refuse(node, say.ID_TWICE(id=written))
        self._ids.add(written)
        return written

    def reason(self, values: Mapping[str, Node]) -> Reason:
        """Return why a row of *values* is there."""
        ko, en = (
            self.reader.text(values[one]) if one in values else "" for one in (_REASON_KO, _REASON)
        )
        return Reason(ko or en, en or ko)

    def label(self, node: Node) -> Label:
        """Return the label that is written with its id: its name may have been changed.

        A name that is another label's now, or nobody's, is refused: one of the two is a slip.
        """
        written = self.reader.text(node)
        read = _LABEL.fullmatch(written)
        if read is None:
            self.reader.refuse(node, say.NO_LABEL(written=written, meant=meant(written)))
            return Label("", "", "")
        if int(read[2]) not in self._labels:
            self.reader.refuse(node, say.NO_LABEL_ID(id=read[2]))
        elif (owner := self._ids_of.get(read[3])) != int(read[2]):
            called = self._labels[int(read[2])]
            if owner is None:
                self.reader.refuse(node, say.UNKNOWN_NAME(id=read[2], called=called, name=read[3]))
                return Label(called, read[1] or "", read[3])
            told = {"id": read[2], "called": called, "name": read[3], "owner": owner}
            self.reader.refuse(node, say.OTHER_LABEL(**told))
        return Label(self._labels.get(int(read[2]), ""), read[1] or "", read[3])

    def examples(
        self, node: Node, *, marked: bool | None = True, once: bool = False
    ) -> tuple[Example, ...]:
        """Return the sentences of *node*: each with a mention in [ ], without (False) or either.

        *once*: with one only, where what stands beside it is asked.
        """
        found = tuple(
            Example(self.reader.text(item), line_of(item)) for item in self.reader.sequence(node)
        )
        if not found:
            self.reader.refuse(node, say.TRIED_ON())
        for one in found:
            if marked is not None and marked != bool(MARKED.search(one.text)):
                self.reader.refuse(one.line, say.NEEDS_MENTION())
            elif once and len(MARKED.findall(one.text)) != 1:
                self.reader.refuse(one.line, say.MARKED_ONCE())
        return found

    def some(self, node: Node) -> str:
        """Return the expression for any of the alternatives of *node*, "" for a faulty one."""
        written = self.reader.text(node)
        return self.tried(node, lambda: regex_of(parsed(f"({written})", self.classes))) or ""

    def tried(self, node: Node, act: Callable[[], T]) -> T | None:
        """Return what *act* does; where a pattern is wrong, None, and a fault of *node*."""
        try:
            return act()
        except PatternError as error:
            self.reader.refuse(node, str(error))
            return None


def rows_of(
    kind: type[F],
    place: Path | None,
    name: str,
    read: Callable[[F, Node, Mapping[str, Node]], T | None],
    *,
    required: Sequence[str] = (),
    known: Sequence[str] = (),
) -> tuple[T, ...]:
    """Return what *read* makes of each entry of the file *name* of folder *place* (or in use).

    *kind* reads it; the list of them is called as the file is. None where *place* has no such file.
    YamlFileError names every fault with file, line and cure.
    """
    path = file_of(place, name)
    if place and not path.exists():
        return ()
    file = kind(path, classes_of(place))
    items = file.items(path.stem, required=(*TOLD, *required), known=known)
    found = [read(file, node, values) for node, values in items]
    if file.reader.problems:
        raise YamlFileError(file.reader.problems)
    return tuple(one for one in found if one is not None)
