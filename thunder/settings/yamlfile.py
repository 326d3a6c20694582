"""YAML that people edit: read strictly, with the line of everything wrong, and edited in place."""

import os
import re
import tempfile
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.tag import Tag

from thunder.settings import yaml_messages as say

_TEXT, _INTEGER, _BOOLEAN = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "bool"))
# Control, format (zero-width …), private use, lone surrogate; not Cn: that changes with Python.
_INVISIBLE = ("Cc", "Cf", "Co", "Cs")
_LOOKED_THROUGH = 3_000_000  # characters, to find where a fault begins: some two seconds


class Problem(NamedTuple):
    """One thing wrong in a file, and its line (from 1)."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class YamlFileError(ValueError):
    """All that is wrong with the files read, a line each: ``file:line: what``."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))


class Reader:
    """The nodes of one file, read by kind, and everything wrong with them in ``problems``.

    Each method returns an empty value for a node of another kind, so that one reading finds
    all problems of a file. ``root`` is None where the file cannot be read as YAML at all.
    """

    def __init__(self, path: Path, *, text: str | None = None) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.is_broken = False  # no text, or no YAML: what it should hold is not known
        self.root: Node | None = None
        try:
            text = path.read_bytes().decode("utf-8-sig") if text is None else text
            self.root = compose(text)
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            self.is_broken = True
            self.refuse(line, say.NOT_UTF8())
        except OSError as error:
            self.refuse(1, say.UNREADABLE(why=error.strerror))
        except YAMLError as error:
            self.is_broken = True
            self.refuse(*_line_and_reason(error, text or ""))
        else:
            if self.root is None:
                self.refuse(1, say.EMPTY_FILE())

    def refuse(self, at: Node | int, message: str) -> None:
        """Note *message* as a problem at a node or a line (from 1)."""
        line = at if isinstance(at, int) else line_of(at)
        self.problems.append(Problem(self.path, line, message))

    def mapping(
        self, node: Node | None, *, required: Collection[str] = (), known: Collection[str] = ()
    ) -> dict[str, Node]:
        """Return the values of a mapping by key.

        A repeated key, a missing *required* one, and one that is neither required nor *known*
        are problems; without both, any key may stand.
        """
        if node is None:
            return {}
        if not isinstance(node, MappingNode):
            self.refuse(node, say.NO_MAPPING(kind=_kind(node)))
            return {}
        found: dict[str, Node] = {}
        unknown: dict[str, Node] = {}
        for key_node, value in node.value:
            key = self.text(key_node)
            if key in found:
                self.refuse(key_node, say.KEY_TWICE(key=key))
            elif (required or known) and key not in required and key not in known:
                unknown[key] = key_node
            found[key] = value
        missing = [key for key in required if key not in found]
        for key, key_node in unknown.items():
            meant = get_close_matches(key, missing, n=1, cutoff=0.5)
            if meant:
                missing.remove(meant[0])
                self.refuse(key_node, say.KEY_MISSPELT(key=key, meant=meant[0]))
            else:
                choices = ", ".join((*required, *known))
                self.refuse(key_node, say.UNKNOWN_KEY(key=key, choices=choices))
        for key in missing:
            self.refuse(node, say.KEY_MISSING(key=key))
        return found

    def sequence(self, node: Node | None) -> list[Node]:
        """Return the items of a list."""
        if node is None:
            return []
        if not isinstance(node, SequenceNode):
            self.refuse(node, say.NO_LIST(kind=_kind(node)))
            return []
        return list(node.value)

    def text(self, node: Node | None, *, choices: Collection[str] = ()) -> str:
        """Return a text: not empty, in NFC, without spaces around it, one of *choices* if given."""
        if node is None:
            return ""
        if not isinstance(node, ScalarNode) or node.tag != _TEXT:
            self.refuse(node, say.NO_TEXT(kind=_kind(node)))
            return ""
        value: str = node.value
        wrong = _wrong_with(value)
        if wrong:
            self.refuse(node, f"{value!r} {wrong}")
        elif choices and value not in choices:
            self.refuse(node, say.UNKNOWN_VALUE(value=value, choices=", ".join(choices)))
        return value

    def texts(self, node: Node | None) -> list[str]:
        """Return a list of texts."""
        return [self.text(item) for item in self.sequence(node)]

    def integer(self, node: Node | None) -> int:
        """Return a whole number from 0 in plain decimal digits, 0 for anything else."""
        if node is None:
            return 0
        plain = isinstance(node, ScalarNode) and node.tag == _INTEGER
        if not plain or not (node.value.isascii() and node.value.isdecimal()):
            self.refuse(node, say.NO_NUMBER(kind=_kind(node)))
            return 0
        return int(node.value)

    def boolean(self, node: Node | None) -> bool:
        """Return true or false, False for anything else."""
        if node is None:
            return False
        if not isinstance(node, ScalarNode) or node.tag != _BOOLEAN:
            self.refuse(node, say.NO_BOOLEAN(kind=_kind(node)))
            return False
        return bool(node.value.lower() == "true")


def decoded(path: Path, content: bytes) -> str:
    """Return what a file says in UTF-8; YamlFileError names the first line that is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise YamlFileError([Problem(path, line, _other_encoding(content))]) from None


def _other_encoding(content: bytes) -> str:
    try:
        content.decode("cp949")
    except UnicodeDecodeError:
        return say.NOT_UTF8()
    return say.CP949()


def line_of(node: Node) -> int:
    """Return the line, from 1, on which *node* begins."""
    return int(node.start_mark.line) + 1


def set_in_text(
    text: str,
    steps: Iterable[str | int],
    key: str,
    value: str | list[str],
    *,
    order: Sequence[str] = (),
) -> str:
    """Return the YAML *text* with *key* set, and every other line as it was.

    *steps* lead from the top to the mapping that holds the key; a *value* of "" or [] takes the
    key out, and a new key stands before those behind it in *order*. Comments, order and quotes
    survive (ruamel round trip). ValueError where more than one line would change.
    """
    line_end = "\r\n" if "\r\n" in text else "\n"
    yaml = round_trip()
    data = yaml.load(text.replace(line_end, "\n"))
    _require_same(text, _dumped(yaml, data, line_end))
    target = data
    for step in steps:
        target = target[step]
    _set(target, key, value, order)
    changed = _dumped(yaml, data, line_end)
    _require_one_line(text, changed)
    return changed


def write_atomically(path: Path, text: str) -> None:
    """Return once *path* holds *text*: readers see the old file or the new one, never half."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def plain(text: str) -> Any:
    """Return what YAML *text* that ships with the package holds: dicts, lists, texts, numbers.

    YAMLError or ValueError for anything else. What people edit is read by a ``Reader``.
    """
    return _value(compose(text))


def _value(node: Node | None) -> Any:
    if isinstance(node, MappingNode):
        return {_value(key): _value(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [_value(item) for item in node.value]
    if isinstance(node, ScalarNode):
        if node.ctag is VersionedResolver.DEFAULT_SCALAR_TAG or node.tag == _TEXT:
            return node.value
        if node.tag == _INTEGER:
            return int(node.value)
        if node.tag == _BOOLEAN:
            return node.value.lower() == "true"
    raise ValueError(f"a text, a number, true or false are read here, not {node}")


def compose(text: str) -> Node | None:
    """Return the nodes of YAML *text*, None for an empty one; YAMLError for what is no YAML."""
    node: Node | None = _safe().compose(text)
    return node


def _safe() -> YAML:
    yaml = YAML(typ="safe")
    yaml.Resolver = _Resolver
    return yaml


class _Resolver(VersionedResolver):
    """What a plain scalar is by YAML 1.2, told by its first character.

    ruamel.yaml asks three times for every scalar which version of YAML a file is in: half the time
    of reading it.
    """

    def resolve(self, kind: type[Node], value: str, implicit: tuple[bool, bool]) -> Tag:
        """Return the tag of a node that has none of its own."""
        if kind is ScalarNode and implicit[0]:
            for tag, pattern in _plain_scalars().get(value[:1], ()):
                if pattern.match(value):
                    return tag
        return _TAGS[kind]


_TAGS = {
    ScalarNode: VersionedResolver.DEFAULT_SCALAR_TAG,
    SequenceNode: VersionedResolver.DEFAULT_SEQUENCE_TAG,
    MappingNode: VersionedResolver.DEFAULT_MAPPING_TAG,
}


@lru_cache
def _plain_scalars() -> dict[str, list[tuple[Tag, re.Pattern[str]]]]:
    """Return what a scalar may be, and how that is written, by its first character."""
    known = VersionedResolver(version=(1, 2)).versioned_resolver
    return {
        first or "": [(Tag(suffix=tag), pattern) for tag, pattern in kinds]
        for first, kinds in known.items()
    }


def _line_and_reason(error: YAMLError, text: str) -> tuple[int, str]:
    """Return the line, from 1, on which what is no YAML begins, and what is wrong there."""
    if isinstance(error, MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        seen, reason = (mark.line + 1 if mark else 1), error.problem or error.context or ""
    else:  # a character that YAML does not take, by its place or one behind it
        seen, reason = text.count("\n", 0, getattr(error, "position", 0)) + 1, str(error)
    begun = getattr(error, "context_mark", None)
    quoted = begun and "quoted scalar" in (getattr(error, "context", "") or "")
    line = _first_wrong(text, begun.line + 1 if begun and quoted else seen)
    why = next((one for words, one in say.YAML_FAULTS if words in reason), None)
    if line < seen and _has_open_quote(text.splitlines()[line - 1]):
        why = say.OPEN_QUOTE
    if _UNQUOTED.search(text.splitlines()[line - 1] if text else ""):
        why = say.NEEDS_QUOTES
    said = why(sign="}" if "'}'" in reason else "]") if why else reason.partition("\n")[0]
    told = line < seen and isinstance(error, MarkedYAMLError)
    return line, say.NOT_YAML(why=said) + (say.SEEN_AT(line=seen) if told else "")


_UNQUOTED = re.compile(r""": (?:\[[^]"']*\]|\{[^}"']*\}) *[^ #,\]}]""")
"""A value that begins with a bracket, goes on behind it, and stands in no quotes."""


def _has_open_quote(line: str) -> bool:
    return line.count('"') % 2 == 1 or line.count("'") % 2 == 1


def _first_wrong(text: str, seen: int) -> int:
    """Return the first of the lines from which on all that is above a line is no YAML.

    A quote that is not closed is noticed lines or pages below, at the next quote or the end.
    """
    lines = text.splitlines(keepends=True)
    line, left = min(seen, len(lines)), _LOOKED_THROUGH
    while line > 1:
        above = "".join(lines[: line - 1])
        left -= len(above)
        if left < 0:
            return seen
        try:
            compose(above)
        except YAMLError:
            line -= 1
        else:
            break
    return line


def _kind(node: Node) -> str:
    if isinstance(node, ScalarNode):
        return say.AN_EMPTY_VALUE() if node.value == "" else repr(node.value)
    return say.A_LIST() if isinstance(node, SequenceNode) else say.A_MAPPING()


def _wrong_with(value: str) -> str:
    if not value:
        return say.IS_EMPTY()
    if value != value.strip():
        return say.HAS_SPACES()
    if not unicodedata.is_normalized("NFC", value):
        return say.NOT_NFC()
    if not value.isprintable() and any(unicodedata.category(char) in _INVISIBLE for char in value):
        return say.INVISIBLE()
    return ""


def round_trip() -> YAML:
    """Return a reader and writer that keeps comments, order, quotes and the files' indents."""
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 1_000_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _dumped(yaml: YAML, data: object, line_end: str) -> str:
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue().replace("\n", line_end)


def _require_same(text: str, dumped: str) -> None:
    if text == dumped:
        return
    old, new = text.split("\n"), dumped.split("\n")
    line = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old) - 1)
    raise ValueError(say.LAID_OUT(line=line + 1, new=new[min(line, len(new) - 1)]))


def _require_one_line(old: str, new: str) -> None:
    before, after = old.split("\n"), new.split("\n")
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    # One line changed, added or taken out: the rest behind it is the same.
    added = len(after) - len(before)
    rest = before[same + (added <= 0) :]
    if abs(added) > 1 or rest != after[same + (added >= 0) :]:
        raise ValueError(say.MORE_LINES(line=same + 1))


def _set(target: CommentedMap, key: str, value: str | list[str], order: Sequence[str]) -> None:
    if not value:
        target.pop(key, None)
    elif key in target and isinstance(value, list):
        target[key][:] = value
    elif key in target:
        target[key] = value
    else:
        later = order[order.index(key) + 1 :] if key in order else ()
        at = next((i for i, other in enumerate(target) if other in later), len(target))
        target.insert(at, key, _flow(value) if isinstance(value, list) else value)


def _flow(values: list[str]) -> CommentedSeq:
    sequence = CommentedSeq(values)
    sequence.fa.set_flow_style()
    return sequence
