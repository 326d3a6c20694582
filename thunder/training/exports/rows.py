"""A graph for one row of tokens without padding: what a tagger that reads window by window needs.

A processor's cache holds one window, and a window is full, or alone. Then the mask says nothing:
what follows from a mask of ones is reckoned here, and what it would choose or multiply falls away.
An axis that is known to have the length 1 may stand anywhere: to move it moves no number, so that
such a transpose becomes a new shape of the same numbers. The scores are those of the graph with the
mask; the last bits of a sum may differ.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    helper,
    numpy_helper,
)

from thunder.tagger.onnx_model import INPUTS

_IDS, _MASK = INPUTS[:2]
_ROWS = "batch"  # what the export calls the axis of rows
_ONE_ROW = "one.row"
_OF_ELEMENTS: dict[str, Callable[..., Any]] = {
    "Equal": np.equal,
    "Greater": np.greater,
    "Not": np.logical_not,
    "And": np.logical_and,
}

Shape = tuple[int | str, ...]
"""Lengths of axes as far as they are known: a number, or a name for the same number."""


class Nodes(NamedTuple):
    """Nodes in their order, and constants that they take."""

    nodes: list[NodeProto]
    stored: list[TensorProto]


def without_mask(path: Path) -> None:
    """Write the ONNX file *path* anew for one row without padding; it takes no mask any more.

    ValueError where a result still hangs on the mask.
    """
    model = onnx.load(path)
    graph = model.graph
    _measured_by_ids(graph.node)
    shapes = _shapes(model)
    known = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    names = _chosen(graph.node, known, shapes)
    for node in graph.node:
        node.input[:] = [_followed(name, names) for name in node.input]
    _keep(graph, *_simpler(graph.node, shapes))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _measured_by_ids(nodes: Iterable[NodeProto]) -> None:
    """Have numbers of rows and tokens taken from the ids, which are shaped as the mask is."""
    for node in nodes:
        if node.op_type == "Shape" and node.input[0] == _MASK:
            node.input[0] = _IDS


def _shapes(model: ModelProto) -> dict[str, Shape]:
    """Return the shapes of all values that have a known number of axes, with one row."""
    graph = onnx.shape_inference.infer_shapes(model).graph
    found = {one.name: tuple(one.dims) for one in graph.initializer}
    for one in (*graph.value_info, *graph.input, *graph.output):
        if one.type.tensor_type.HasField("shape"):
            found[one.name] = tuple(map(_length, one.type.tensor_type.shape.dim))
    return found


def _length(axis: Any) -> int | str:
    if axis.HasField("dim_value"):
        return int(axis.dim_value)
    return 1 if axis.dim_param == _ROWS else str(axis.dim_param)


def _chosen(
    nodes: Sequence[NodeProto],
    known: Mapping[str, NDArray[Any]],
    shapes: Mapping[str, Shape],
) -> dict[str, str]:
    """Return which value stands for another where the mask is all ones and there is one row."""
    same: dict[str, Any] = {_MASK: np.int64(1)}  # values that are the same everywhere
    names: dict[str, str] = {}
    for node in nodes:
        given, made = list(node.input), node.output[0]
        other = ""
        if node.op_type == "Shape" and shapes.get(made) == (1,) and _is_of_rows(node):
            names[made] = _ONE_ROW
        elif node.op_type == "Where" and given[0] in same:
            other = given[1 if same[given[0]] else 2]
        elif node.op_type == "Mul" and any(same.get(name) == 1 for name in given):
            other = given[0 if same.get(given[1]) == 1 else 1]
        elif (value := _same_everywhere(node, same, known)) is not None:
            same[made] = value
        if other and _is_known(shapes.get(made)) and shapes.get(other) == shapes[made]:
            names[made] = other
    return names


def _is_known(shape: Shape | None) -> bool:
    return shape is not None and "" not in shape


def _is_of_rows(node: NodeProto) -> bool:
    """Return whether *node* says how many rows there are, and nothing more."""
    ends = {one.name: one.i for one in node.attribute}
    return node.input[0] in INPUTS and ends.get("start", 0) == 0 and ends.get("end") == 1


def _same_everywhere(
    node: NodeProto, same: Mapping[str, Any], known: Mapping[str, NDArray[Any]]
) -> Any:
    """Return what every element of a node's result is, where that follows from the mask."""
    if not node.input or node.input[0] not in same:
        return None
    if node.op_type == "Unsqueeze":
        return same[node.input[0]]
    if node.op_type == "Cast":
        return helper.tensor_dtype_to_np_dtype(node.attribute[0].i).type(same[node.input[0]])
    values = [same.get(name, known.get(name)) for name in node.input]
    if node.op_type in _OF_ELEMENTS and all(one is not None and one.ndim == 0 for one in values):
        return _OF_ELEMENTS[node.op_type](*values)
    return None


def _followed(name: str, names: Mapping[str, str]) -> str:
    while name in names:
        name = names[name]
    return name


def _simpler(nodes: Iterable[NodeProto], shapes: Mapping[str, Shape]) -> Nodes:
    """Return *nodes* with fewer that move or measure numbers, and the constants these take."""
    made, stored = [], []
    before: dict[str, str] = {}  # of a value, one that holds the same numbers in another shape
    for node in nodes:
        lengths = _lengths(node, shapes)
        if lengths:
            given, name = node.input[0], node.output[0]
            if 0 not in lengths:
                given = before.get(given, given)
            before[name] = before.get(given, given)
            stored.append(numpy_helper.from_array(np.array(lengths, np.int64), f"{name}.shape"))
            node = helper.make_node("Reshape", [given, stored[-1].name], [name], name=node.name)
        made.append(node)
    return Nodes(made, stored)


def _lengths(node: NodeProto, shapes: Mapping[str, Shape]) -> list[int]:
    """Return what shape a node only gives, as Reshape takes it; none where it does more.

    -1 stands for what is left, 0 for the length that is at the same place before.
    """
    shape = shapes.get(node.output[0], ())
    lengths = [length if isinstance(length, int) else -1 for length in shape]
    if node.op_type == "Transpose" and _moves_nothing(node, shapes):
        if lengths.count(-1) > 1:
            lengths = [0 if place == axis else lengths[place] for place, axis in _order(node)]
    elif node.op_type != "Reshape":
        return []
    return lengths if lengths.count(-1) <= 1 else []


def _order(node: NodeProto) -> list[tuple[int, int]]:
    return next(list(enumerate(one.ints)) for one in node.attribute if one.name == "perm")


def _moves_nothing(node: NodeProto, shapes: Mapping[str, Shape]) -> bool:
    """Return whether axes that are longer than 1, or may be, keep their order."""
    shape = shapes.get(node.input[0], ())
    moved = [axis for _, axis in _order(node) if not shape or shape[axis] != 1]
    return moved == sorted(moved)


def _keep(graph: GraphProto, nodes: Sequence[NodeProto], stored: Iterable[TensorProto]) -> None:
    """Leave in *graph* those of *nodes* that its results come from, and what these take."""
    kept = _needed(nodes, [one.name for one in graph.output])
    used = {name for node in kept for name in node.input}
    if _MASK in used:
        raise ValueError("scores hang on the mask in a way that is not foreseen: export with it")
    one_row = numpy_helper.from_array(np.array([1], np.int64), _ONE_ROW)
    constants = [one for one in (*graph.initializer, *stored, one_row) if one.name in used]
    inputs = [one for one in graph.input if one.name in used]
    for one in (*inputs, *graph.output):
        _require_one_row(one)
    del graph.node[:], graph.initializer[:], graph.input[:], graph.value_info[:]
    graph.node.extend(kept)
    graph.initializer.extend(constants)
    graph.input.extend(inputs)


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
