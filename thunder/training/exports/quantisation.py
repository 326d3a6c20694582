"""Int8: a quarter of the size, and matrices multiplied in whole numbers.

Every weight of any size is stored as int8 with a scale for each row. Words, hints and distances
are looked up and multiplied out. What comes to a matrix is rounded, too, each token's vector with
a scale of its own, and the product of whole numbers is exact. So a token's scores hang on nothing
that stands beside its text in a batch (onnxruntime's own dynamic quantisation has one scale for
all of it: one judgment in four then reads otherwise among others than alone), and its products on
no processor: weights of matrices keep within -63 … 63, for two products of int8 may not add up to
more than an int16 holds, which is what processors without VNNI add them up in.
``benchmarks/tagger.py`` measures it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor, nn

LEAST = 4096  # numbers of a weight: what is smaller stays as it is
_HIGHEST, _HIGHEST_OF_MATRICES = 127, 63
_MIDDLE = 128  # of uint8, in which onnxruntime wants what comes to a matrix
_LEAST_REACH = 1e-9  # of a token's vector: a smaller one is nothing
_LEAST_SCALED = 1e-35  # below, a scale would be no normal float32; such weights are nothing


class Packed(NamedTuple):
    """Weights as whole numbers, and what each row of them is multiplied with."""

    codes: NDArray[np.int8]
    scales: NDArray[np.float32]


def packed(weights: NDArray[np.float32], *, axis: int, highest: int = _HIGHEST) -> Packed:
    """Return *weights* rounded to -*highest* … *highest*; those along *axis* share a scale.

    Weights that were rounded before come back as the same codes.
    """
    largest = np.abs(weights).max(axis=axis, keepdims=True)
    scales = np.where(largest > _LEAST_SCALED, largest / highest, 1).astype(np.float32)
    return Packed(np.rint(weights / scales).astype(np.int8), scales)


def unpacked(one: Packed) -> NDArray[np.float32]:
    """Return the weights that *one* stands for."""
    made: NDArray[np.float32] = one.codes.astype(np.float32) * one.scales
    return made


@contextmanager
def rounded(model: Any) -> Iterator[None]:
    """Have a model's matrices and words as int8 keeps them; then as they were."""
    tables, matrices = _tables(model), [one.weight for one in _linear(model)]
    before = [(one, one.detach().clone()) for one in (*tables, *matrices)]
    try:
        for one in tables:
            _round(one)
        for one in matrices:
            _round(one, highest=_HIGHEST_OF_MATRICES)
        yield
    finally:
        with torch.no_grad():
            for one, kept in before:
                one.copy_(kept)


@contextmanager
def rounding(model: Any) -> Iterator[None]:
    """Have a model round what comes to its matrices, as the packed file does; then no more."""
    large = [one for one in _linear(model) if one.weight.numel() >= LEAST]
    hooks = [one.register_forward_pre_hook(_rounded_input) for one in large]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _tables(model: Any) -> list[Tensor]:
    encoder = getattr(model, model.base_model_prefix, model)
    modules = encoder.embeddings.modules()
    return [one.weight for one in modules if isinstance(one, nn.Embedding)]


def _linear(model: Any) -> list[nn.Linear]:
    """Return the layers with a matrix of their own: a language model's last may be its words."""
    shared = {id(one) for one in _tables(model)}
    every = [one for one in model.modules() if isinstance(one, nn.Linear)]
    return [one for one in every if id(one.weight) not in shared]


def _rounded_input(_: nn.Module, inputs: tuple[Tensor, ...]) -> Tensor:
    (given,) = inputs
    reach = given.abs().amax(-1, keepdim=True).clamp(min=_LEAST_REACH) / _HIGHEST
    return torch.round(given / reach) * reach


def round_positions(encoder: Any) -> None:
    """Round the frozen projections of distances, in place."""
    for projected in encoder.positions([layer.attention for layer in encoder.layers]):
        for part in projected:
            _round(part)


def _round(weights: Tensor, *, highest: int = _HIGHEST) -> None:
    if weights.numel() < LEAST:
        return
    with torch.no_grad():
        rounded_ones = unpacked(packed(weights.numpy(), axis=-1, highest=highest))
        weights.copy_(torch.from_numpy(rounded_ones))


def pack(path: Path) -> None:
    """Write the ONNX file *path* anew in int8."""
    model = onnx.load(path)
    graph = model.graph
    uses = _uses(graph.node)
    kept, first = [], []
    matrices, tables = dict[str, tuple[int, int]](), set[str]()
    for one in graph.initializer:
        found = numpy_helper.to_array(one)
        if found.dtype != np.float32 or found.ndim < 2 or found.size < LEAST:
            kept.append(one)
        elif found.ndim == 2 and all(_is_matrix(*use) for use in uses[one.name]):
            kept += _stored(one.name, packed(found, axis=-2, highest=_HIGHEST_OF_MATRICES))
            matrices[one.name] = found.shape
        else:
            kept += _stored(one.name, packed(found, axis=-1))
            if all(_is_lookup(*use) for use in uses[one.name]):
                tables.add(one.name)
            else:
                first += _multiplied_out(_codes(one.name), _scales(one.name), one.name)
    nodes = [made for node in graph.node for made in _replaced(node, matrices, tables)]
    del graph.initializer[:], graph.node[:]
    widths = {width for shape in matrices.values() for width in shape}
    graph.initializer.extend([*kept, *_constants(sorted(widths))])
    graph.node.extend([*first, *nodes])
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _codes(name: str) -> str:
    return f"{name}.int8"


def _scales(name: str) -> str:
    return f"{name}.scale"


def _stored(name: str, parts: Packed) -> list[TensorProto]:
    return [
        numpy_helper.from_array(parts.codes, _codes(name)),
        numpy_helper.from_array(parts.scales, _scales(name)),
    ]


Uses = Sequence[tuple[NodeProto, int]]
"""Who takes a value, and as which of its inputs."""


def _uses(nodes: Sequence[NodeProto]) -> Mapping[str, Uses]:
    found: defaultdict[str, list[tuple[NodeProto, int]]] = defaultdict(list)
    for node in nodes:
        for place, name in enumerate(node.input):
            found[name].append((node, place))
    return found


def _is_matrix(node: NodeProto, place: int) -> bool:
    return node.op_type == "MatMul" and place == 1


def _is_lookup(node: NodeProto, place: int) -> bool:
    axis = next((one.i for one in node.attribute if one.name == "axis"), 0)
    return node.op_type == "Gather" and place == 0 and axis == 0


def _replaced(
    node: NodeProto, matrices: Mapping[str, tuple[int, int]], tables: set[str]
) -> Sequence[NodeProto]:
    """Return what stands for *node* where weights are whole numbers."""
    if node.op_type == "MatMul" and node.input[1] in matrices:
        given, matrix = node.input
        return _multiplied(given, matrix, node.output[0], matrices[matrix])
    if node.op_type == "Gather" and node.input[0] in tables:
        return _looked_up(node.input[0], node.input[1], node.output[0])
    return (node,)


def _multiplied_out(codes: str, scales: str, name: str) -> list[NodeProto]:
    """Return what makes the weights called *name*; of constants it is run once, at the start."""
    wide = f"{codes}.float"
    return [
        helper.make_node("Cast", [codes], [wide], to=TensorProto.FLOAT),
        helper.make_node("Mul", [wide, scales], [name]),
    ]


def _looked_up(table: str, ids: str, name: str) -> list[NodeProto]:
    """Return a lookup in *table*: one of codes and one of scales."""
    codes, scales = f"{name}.codes", f"{name}.scales"
    return [
        helper.make_node("Gather", [_codes(table), ids], [codes], axis=0),
        helper.make_node("Gather", [_scales(table), ids], [scales], axis=0),
        *_multiplied_out(codes, scales, name),
    ]


_LAST, _STEP, _LEAST_STEP, _ZERO = (f"int8.{name}" for name in ("last", "step", "least", "zero"))


def _constants(widths: Iterable[int]) -> list[TensorProto]:
    values: dict[str, NDArray[Any]] = {
        _LAST: np.array([-1], np.int64),
        _STEP: np.array(1 / _HIGHEST, np.float32),
        _LEAST_STEP: np.array(_LEAST_REACH / _HIGHEST, np.float32),
        _ZERO: np.array(_MIDDLE, np.uint8),
    }
    for width in widths:
        values[_tokens_of(width)] = np.array([-1, width], np.int64)
        values[_axis_of(width)] = np.array([width], np.int64)
    return [numpy_helper.from_array(value, name) for name, value in values.items()]


def _tokens_of(width: int) -> str:
    return f"int8.tokens.{width}"


def _axis_of(width: int) -> str:
    return f"int8.axis.{width}"


def _multiplied(given: str, matrix: str, name: str, shape: tuple[int, int]) -> list[NodeProto]:
    """Return a product with *matrix* (of *shape*) in whole numbers; each token has its own scale.

    int32 holds the sum of 2^31 / (127 x 63) products: no row is as long.
    """
    part = (
        f"{name}.{what}"
        for what in ("tokens", "size", "most", "fine", "step", "number", "zeros", "sum", "own")
    )
    tokens, size, most, fine, step, number, zeros, total, own = part
    codes, result, before, after = (
        f"{name}.{what}" for what in ("codes", "result", "before", "after")
    )
    middle = numpy_helper.from_array(np.array([_MIDDLE], np.uint8))
    return [
        helper.make_node("Reshape", [given, _tokens_of(shape[0])], [tokens]),
        helper.make_node("Abs", [tokens], [size]),
        helper.make_node("ReduceMax", [size, _LAST], [most], keepdims=0),
        helper.make_node("Mul", [most, _STEP], [fine]),
        helper.make_node("Max", [fine, _LEAST_STEP], [step]),
        helper.make_node("Shape", [step], [number]),
        helper.make_node("ConstantOfShape", [number], [zeros], value=middle),
        helper.make_node("QuantizeLinear", [tokens, step, zeros], [codes], axis=0),
        helper.make_node("MatMulInteger", [codes, _codes(matrix), _ZERO], [total]),
        helper.make_node("DequantizeLinear", [total, step], [own], axis=0),
        helper.make_node("Mul", [own, _scales(matrix)], [result]),
        helper.make_node("Shape", [given], [before], end=-1),
        helper.make_node("Concat", [before, _axis_of(shape[1])], [after], axis=0),
        helper.make_node("Reshape", [result, after], [name]),
    ]
