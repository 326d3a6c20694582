"""YAML text edited by the line: items put in and taken out, everything else as it was."""

from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from thunder.settings import yaml_messages as say
from thunder.settings.yamlfile import compose, line_of, round_trip

Steps = Sequence[str | int]
Value = str | int | Sequence[str]


def node_at(text: str, steps: Iterable[str | int]) -> Node:
    """Return the node that *steps* lead to; LookupError where there is none."""
    node = compose(text)
    for step in steps:
        node = child(node, step)
    if node is None:
        raise LookupError("the text holds nothing")
    return node


def child(node: Node | None, step: str | int) -> Node:
    """Return the value of a key, or an item by its place; LookupError where there is none."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if key.value == step:
                found: Node = value
                return found
    if isinstance(node, SequenceNode) and isinstance(step, int):
        item: Node = node.value[step]
        return item
    raise LookupError(f"there is no '{step}'")


def keys_of(node: Node | None) -> dict[str, Node]:
    """Return the nodes of a mapping's keys by what they say, none for another node."""
    if not isinstance(node, MappingNode):
        return {}
    return {key.value: key for key, _ in node.value}


def replaced(text: str, node: Node, value: str) -> str:
    """Return *text* with the scalar *node* saying *value*, quoted where YAML asks for it."""
    return text[: node.start_mark.index] + scalar(value) + text[node.end_mark.index :]


def number_replaced(text: str, steps: Steps, number: int) -> str:
    """Return *text* with a whole number as the value at *steps*."""
    node = node_at(text, steps)
    return text[: node.start_mark.index] + str(number) + text[node.end_mark.index :]


def without_item(text: str, steps: Steps) -> tuple[str, list[str]]:
    """Return *text* without the list item at *steps*, and its lines from its own indent on.

    Comments right above it, at its indent, are of the item; all others stay.
    """
    node = node_at(text, steps)
    first, last = _lines_of(text, node)
    lines = text.splitlines(keepends=True)
    indent = _indent(lines[first])
    while first and lines[first - 1].startswith(f"{indent}#"):
        first -= 1
    taken = [line.removeprefix(indent).rstrip("\r\n") for line in lines[first:last]]
    return "".join(lines[:first] + lines[last:]), taken


def with_item(text: str, steps: Steps, item: Sequence[str]) -> str:
    """Return *text* with the lines of *item* in the list at *steps*: at its end.

    *item* begins with ``- ``. Where *steps* end in a number, it stands behind that item.
    """
    *above, at = steps
    parent = node_at(text, above if isinstance(at, int) else steps)
    if not isinstance(parent, SequenceNode):
        raise ValueError(say.LINE_NO_LIST(line=line_of(parent)))
    if not parent.value:
        return _first_item(text, parent, item)
    if parent.flow_style:
        raise ValueError(say.LIST_OF_LINES(line=line_of(parent)))
    first, last = _lines_of(text, parent.value[at if isinstance(at, int) else -1])
    lines = text.splitlines(keepends=True)
    indent, end = _indent(lines[first]), _line_end(text)
    if not lines[last - 1].endswith("\n"):
        lines[last - 1] += end
    return "".join(lines[:last] + [_indented(indent, line) + end for line in item] + lines[last:])


def item_lines(values: Mapping[str, Value]) -> list[str]:
    """Return a list item of keys and values as lines, the first with ``- ``; lists in brackets."""
    data = CommentedMap()
    for key, value in values.items():
        data[key] = value if isinstance(value, str | int) else flow(value)
    lines = dumped(data).splitlines()
    return [("  " if at else "- ") + line for at, line in enumerate(lines)]


def scalar(value: str) -> str:
    """Return *value* as YAML writes it."""
    return dumped({"k": value}).removeprefix("k: ").rstrip("\n")


def flow(values: Iterable[str]) -> CommentedSeq:
    """Return a list that is written in brackets."""
    sequence = CommentedSeq(values)
    sequence.fa.set_flow_style()
    return sequence


def dumped(data: object) -> str:
    """Return *data* as block YAML in the layout of the taxonomy's files."""
    out = StringIO()
    round_trip().dump(data, out)
    return out.getvalue()


def lines_of_pair(text: str, key: Node, value: Node) -> tuple[int, int]:
    """Return the first line of a key and the line behind its value, both from 0."""
    return int(key.start_mark.line), _last_line(value) + 1


def _first_item(text: str, parent: Node, item: Sequence[str]) -> str:
    end = _line_end(text)
    line = text.splitlines()[parent.start_mark.line]
    indent = _indent(line) + "  "
    block = end.join(_indented(indent, part) for part in item)
    before = text[: parent.start_mark.index].rstrip(" ")
    behind = text[parent.end_mark.index :]
    if behind.strip(" ")[:1] not in ("", "\r", "\n"):
        raise ValueError(say.MORE_BEHIND(line=line_of(parent)))
    return f"{before}{end}{block}{behind if behind.strip(' ') else end}"


def _lines_of(text: str, node: Node) -> tuple[int, int]:
    first = int(node.start_mark.line)
    line = text.splitlines()[first]
    if not line.lstrip(" ").startswith("- "):
        raise ValueError(say.NO_DASH(line=first + 1))
    return first, _last_line(node) + 1


def _last_line(node: Node) -> int:
    """Return the line on which the last word of *node* stands: comments behind it are not its."""
    if isinstance(node, MappingNode | SequenceNode) and node.value and not node.flow_style:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    mark = node.end_mark
    return int(mark.line if mark.column else mark.line - 1)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def _indented(indent: str, line: str) -> str:
    return indent + line if line else line


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
