"""Where the taxonomy's own files name a label: policies, cues and homonyms, kept in step."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from thunder.editing import messages as say
from thunder.editing.draft import Draft
from thunder.settings import resources
from thunder.settings.yamlblocks import (
    Steps,
    child,
    keys_of,
    lines_of_pair,
    node_at,
    replaced,
    scalar,
)
from thunder.settings.yamlfile import Problem, YamlFileError, line_of, set_in_text

TREATMENT, ROLE, CUE, HOMONYM = "treatment", "role", "cue", "homonym"
_CUES = ("organisations", "places")


class Reference(NamedTuple):
    """One place that names a label, a key or a value; *steps* lead to what holds it."""

    path: Path
    kind: str
    steps: Steps
    node: Node

    @property
    def line(self) -> int:
        return line_of(self.node)


def find(draft: Draft, name: str) -> Iterator[Reference]:
    """Yield every place that names the label *name*; a role's name of a category is none."""
    taxonomy = draft.start.taxonomy
    groups = {*(one.ko for one in taxonomy.categories), *(one.ko for one in taxonomy.subcategories)}
    for path in sorted((draft.folder / "policy").glob("*.yaml")):
        yield from _keys(draft, path, ("treatments",), TREATMENT, name)
        if name not in groups:
            yield from _roles(draft, path, name)
    cues = draft.folder / "cues" / "descriptors.yaml"
    for section in _CUES if cues.is_file() else ():
        yield from _keys(draft, cues, (section,), CUE, name)
    yield from _homonyms(draft, name)


def refuse_homonym(draft: Draft, name: str) -> None:
    """Raise YamlFileError where the released annotations use *name* for another label."""
    path = draft.folder / "unmapped.yaml"
    for item in node_at(draft.text(path), ("homonyms",)).value:
        node = dict((key.value, value) for key, value in item.value)["name"]
        if node.value == name:
            message = say.HOMONYM(name=name)
            raise YamlFileError([Problem(path, line_of(node), message)])


def require_same_treatment(draft: Draft, one: str, other: str) -> None:
    """Raise YamlFileError where a policy treats one of two labels unlike the other."""
    problems = []
    for path in sorted((draft.folder / "policy").glob("*.yaml")):
        holder = _at(draft, path, ("treatments",))
        values = {key: child(holder, key).value for key in keys_of(holder)}
        if values.get(one) != values.get(other):
            message = say.TREATS_DIFFERENTLY(one=one, other=other)
            problems.append(Problem(path, line_of(holder) if holder else 1, message))
    if problems:
        raise YamlFileError(problems)


def refuse_any(draft: Draft, name: str) -> None:
    """Raise YamlFileError where *name* is in use, and so cannot go without a successor."""
    problems = [Problem(one.path, one.line, say.NAMES_IT(name=name)) for one in find(draft, name)]
    if problems:
        raise YamlFileError(problems)


def rename(draft: Draft, old: str, new: str) -> None:
    """Have every place that names *old* name *new*; what stands for both is brought together."""
    while found := next(find(draft, old), None):
        text = draft.text(found.path)
        if found.kind == HOMONYM or not _stands_beside(text, found, new):
            draft.change(found.path, replaced(text, found.node, new))
        elif found.kind == ROLE:
            names = [item.value for item in node_at(text, found.steps).value if item.value != old]
            *above, key = found.steps
            draft.change(found.path, set_in_text(text, above, str(key), names))
        else:
            draft.change(found.path, _brought_together(text, found, new))


def copy(draft: Draft, name: str, others: Sequence[str]) -> None:
    """Have every policy treat *others* as it treats *name*, and know them in the same roles.

    Cues stay as they are: which label a noun stands for, only a person can tell.
    """
    for found in list(find(draft, name)):
        text = draft.text(found.path)
        if found.kind == TREATMENT:
            draft.change(found.path, _with_treatments(text, found, others))
        elif found.kind == ROLE:
            names = [item.value for item in node_at(text, found.steps).value]
            *above, key = found.steps
            draft.change(found.path, set_in_text(text, above, str(key), [*names, *others]))


def in_code(folder: Path, name: str) -> list[str]:
    """Return where the library itself names a label, as ``file:line``; of the shipped folder only.

    An alias goes on working there, a name that is gone does not.
    """
    if folder.resolve() != resources.folder("taxonomy").resolve():
        return []
    package = Path(resources.__file__).parents[1]
    return [
        f"{path}:{number}"
        for path in sorted(package.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if f'"{name}"' in line
    ]


def _with_treatments(text: str, found: Reference, others: Sequence[str]) -> str:
    holder = node_at(text, found.steps)
    if isinstance(holder, MappingNode) and holder.flow_style:
        message = say.IN_BRACKETS()
        raise YamlFileError([Problem(found.path, found.line, message)])
    first, last = lines_of_pair(text, found.node, child(holder, found.node.value))
    lines = text.splitlines(keepends=True)
    line = lines[first]
    indent = line[: len(line) - len(line.lstrip(" "))]
    value = child(holder, found.node.value).value
    end = "\r\n" if line.endswith("\r\n") else "\n"
    copies = [f"{indent}{scalar(other)}: {value}{end}" for other in others]
    return "".join(lines[:last] + copies + lines[last:])


def _keys(draft: Draft, path: Path, steps: Steps, kind: str, name: str) -> Iterator[Reference]:
    key = keys_of(_at(draft, path, steps)).get(name)
    if key is not None:
        yield Reference(path, kind, steps, key)


def _roles(draft: Draft, path: Path, name: str) -> Iterator[Reference]:
    roles = _at(draft, path, ("roles",))
    for at in range(len(roles.value) if isinstance(roles, SequenceNode) else 0):
        steps: Steps = ("roles", at, "labels")
        for item in node_at(draft.text(path), steps).value:
            if item.value == name:
                yield Reference(path, ROLE, steps, item)


def _homonyms(draft: Draft, name: str) -> Iterator[Reference]:
    path = draft.folder / "unmapped.yaml"
    homonyms = node_at(draft.text(path), ("homonyms",))
    for at in range(len(homonyms.value)):
        steps: Steps = ("homonyms", at, "label")
        node = node_at(draft.text(path), steps)
        if node.value == name:
            yield Reference(path, HOMONYM, steps, node)


def _at(draft: Draft, path: Path, steps: Steps) -> Node | None:
    try:
        return node_at(draft.text(path), steps)
    except LookupError:
        return None


def _stands_beside(text: str, found: Reference, name: str) -> bool:
    holder = node_at(text, found.steps)
    if isinstance(holder, MappingNode):
        return name in keys_of(holder)
    return any(isinstance(item, ScalarNode) and item.value == name for item in holder.value)


def _brought_together(text: str, found: Reference, name: str) -> str:
    """Return *text* without the key that *found* is, its value added to that of *name*."""
    holder = node_at(text, found.steps)
    pairs = {key.value: (key, value) for key, value in holder.value}
    (key, value), (_, other) = pairs[found.node.value], pairs[name]
    if isinstance(holder, MappingNode) and holder.flow_style:
        message = say.BESIDE_IN_BRACKETS(name=name)
        raise YamlFileError([Problem(found.path, found.line, message)])
    if isinstance(value, ScalarNode):
        return _without_lines(text, key, value)
    if not (isinstance(value, SequenceNode) and value.flow_style and other.flow_style):
        message = say.CANNOT_ADD(name=name)
        raise YamlFileError([Problem(found.path, found.line, message)])
    inner = text[value.start_mark.index + 1 : value.end_mark.index - 1].strip()
    if other.start_mark.index > key.start_mark.index:
        return _without_lines(_with_inner(text, other, inner), key, value)
    return _with_inner(_without_lines(text, key, value), other, inner)


def _with_inner(text: str, other: Node, inner: str) -> str:
    end = other.end_mark.index - 1
    comma = ", " if other.value else ""
    return f"{text[:end].rstrip()}{comma}{inner}{text[end:]}"


def _without_lines(text: str, key: Node, value: Node) -> str:
    first, last = lines_of_pair(text, key, value)
    lines = text.splitlines(keepends=True)
    return "".join(lines[:first] + lines[last:])
