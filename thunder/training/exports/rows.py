"""A graph for one row of tokens without padding: what a tagger that reads window by window needs.

A processor's cache holds one window, and a window is full, or alone. Then the mask says nothing:
what follows from a mask of ones is reckoned here, what it would choose or multiply falls away, and
with one row the first two axes change places without anything being moved. The scores
are those of the graph with the mask; the last bits of a sum may differ.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, ValueInfoProto, helper, numpy_helper

MASK = "attention_mask"
_ONE_ROW = "one.row"
_OF_ELEMENTS: dict[str, Callable[..., Any]] = {
    "Equal": np.equal,
    "Greater": np.greater,
    "Not": np.logical_not,
    "And": np.logical_and,
}
_SWAPPED = [1, 0, 2, 3]  # heads before rows, or rows before heads


def without_mask(path: Path) -> None:
    """Write the ONNX file *path* anew for one row without padding; it takes no mask any more."""
    model = onnx.load(path)
    graph = model.graph
    known = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    names = _chosen(graph.node, known)
    for node in graph.node:
        node.input[:] = [_followed(name, names) for name in node.input]
    nodes = _needed(graph.node, [one.name for one in graph.output])
    used = {name for node in nodes for name in node.input}
    stored = [one for one in graph.initializer if one.name in used]
    stored.append(numpy_helper.from_array(np.array([1], np.int64), _ONE_ROW))
    inputs = [one for one in graph.input if one.name in used]
    for one in (*inputs, *graph.output):
        _require_one_row(one)
    del graph.node[:], graph.initializer[:], graph.input[:], graph.value_info[:]
    graph.node.extend(nodes)
    graph.initializer.extend(stored)
    graph.input.extend(inputs)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _chosen(nodes: Sequence[NodeProto], known: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """Return which value stands for another where the mask is all ones and there is one row."""
    ones: dict[str, Any] = {MASK: np.int64(1)}  # values that are the same everywhere
    names: dict[str, str] = {}
    for node in nodes:
        given, made = list(node.input), node.output[0]
        if node.op_type == "Shape" and given[0] == MASK:
            names[made] = _ONE_ROW
        elif node.op_type == "Transpose" and _order(node) == _SWAPPED:
            names[made] = given[0]
        elif node.op_type == "Where" and given[0] in ones:
            names[made] = given[1 if ones[given[0]] else 2]
        elif node.op_type == "Mul" and given[1] in ones and ones[given[1]] == 1:
            names[made] = given[0]
        elif (value := _same_everywhere(node, ones, known)) is not None:
            ones[made] = value
    return names


def _same_everywhere(
    node: NodeProto, ones: Mapping[str, Any], known: Mapping[str, NDArray[Any]]
) -> Any:
    """Return what every element of a node's result is, where that follows from the mask."""
    if node.input[0] not in ones:
        return None
    if node.op_type == "Unsqueeze":
        return ones[node.input[0]]
    if node.op_type == "Cast":
        return helper.tensor_dtype_to_np_dtype(node.attribute[0].i).type(ones[node.input[0]])
    values = [ones.get(name, known.get(name)) for name in node.input]
    if node.op_type in _OF_ELEMENTS and all(one is not None and one.ndim == 0 for one in values):
        return _OF_ELEMENTS[node.op_type](*values)
    return None


def _order(node: NodeProto) -> list[int]:
    return next((list(one.ints) for one in node.attribute if one.name == "perm"), [])


def _followed(name: str, names: Mapping[str, str]) -> str:
    while name in names:
        name = names[name]
    return name


def _needed(nodes: Sequence[NodeProto], wanted: Sequence[str]) -> list[NodeProto]:
    """Return the nodes that *wanted* values come from, in their order."""
    needed, kept = set(wanted), []
    for node in reversed(nodes):
        if needed.intersection(node.output):
            needed.update(node.input)
            kept.append(node)
    return kept[::-1]


def _require_one_row(value: ValueInfoProto) -> None:
    rows = value.type.tensor_type.shape.dim[0]
    rows.Clear()
    rows.dim_value = 1
