"""Weights as int8 with a scale for each row: a quarter of the size, computed in float32.

Only what is stored is rounded. onnxruntime multiplies the matrices out once, when it opens the
file (a Cast and a Mul of constants), and looks words up in int8, so that the arithmetic is that of
float32: the same scores on every processor, whatever stands beside a text in its batch. The other
way, dynamic quantisation, rounds what flows through the network too. It took 0.68 of the
processor's time (4 layers of 256, windows of 256, one core with VNNI), but has one scale for a
whole batch, so that the spans of one judgment in four differed between reading it alone and among
others; and its products saturate on processors without VNNI. ``benchmarks/tagger.py`` measures it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import NodeProto, helper, numpy_helper
from torch import Tensor, nn

LEAST = 4096  # numbers of a weight: what is smaller stays as it is
_HIGHEST = 127
_LEAST_SCALED = 1e-35  # below, a scale would be no normal float32; such weights are nothing


class Packed(NamedTuple):
    """Weights as whole numbers, -127 … 127, and what each row of them is multiplied with."""

    codes: NDArray[np.int8]
    scales: NDArray[np.float32]


def packed(weights: NDArray[np.float32], *, axis: int) -> Packed:
    """Return *weights* rounded; the numbers along *axis* share a scale.

    Weights that were rounded before come back as the same codes.
    """
    largest = np.abs(weights).max(axis=axis, keepdims=True)
    scales = np.where(largest > _LEAST_SCALED, largest / _HIGHEST, 1).astype(np.float32)
    return Packed(np.rint(weights / scales).astype(np.int8), scales)


def unpacked(one: Packed) -> NDArray[np.float32]:
    """Return the weights that *one* stands for."""
    made: NDArray[np.float32] = one.codes.astype(np.float32) * one.scales
    return made


@contextmanager
def rounded(model: Any) -> Iterator[None]:
    """Have a model's matrices and words as int8 keeps them; then as they were."""
    encoder = getattr(model, model.base_model_prefix, model)
    modules = [one for one in model.modules() if isinstance(one, nn.Linear)]
    weights = {id(one.weight): one.weight for one in (*modules, encoder.embeddings.words)}
    before = {name: weight.detach().clone() for name, weight in weights.items()}
    try:
        for weight in weights.values():
            _round(weight)
        yield
    finally:
        with torch.no_grad():
            for name, weight in weights.items():
                weight.copy_(before[name])


def round_positions(encoder: Any) -> None:
    """Round the frozen projections of distances, in place."""
    for projected in encoder.positions([layer.attention for layer in encoder.layers]):
        for part in projected:
            _round(part)


def _round(weights: Tensor) -> None:
    if weights.numel() < LEAST:
        return
    with torch.no_grad():
        weights.copy_(torch.from_numpy(unpacked(packed(weights.numpy(), axis=-1))))


def pack(path: Path) -> None:
    """Write the ONNX file *path* anew with int8 weights."""
    model = onnx.load(path)
    graph = model.graph
    uses = _uses(graph.node)
    weights, added = [], []
    words: dict[str, tuple[str, str]] = {}
    for one in graph.initializer:
        found = numpy_helper.to_array(one)
        if found.dtype != np.float32 or found.ndim < 2 or found.size < LEAST:
            weights.append(one)
            continue
        names = f"{one.name}.int8", f"{one.name}.scale"
        parts = packed(found, axis=_axis(uses[one.name]))
        weights += [
            numpy_helper.from_array(parts.codes, names[0]),
            numpy_helper.from_array(parts.scales, names[1]),
        ]
        if all(_is_lookup(*use) for use in uses[one.name]):
            words[one.name] = names
        else:
            added += _multiplied_out(*names, one.name)
    nodes = [made for node in graph.node for made in _looked_up(node, words)]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(weights)
    graph.node.extend([*added, *nodes])
    onnx.checker.check_model(model)
    onnx.save(model, path)


Uses = Sequence[tuple[NodeProto, int]]
"""Who takes a value, and as which of its inputs."""


def _uses(nodes: Sequence[NodeProto]) -> Mapping[str, Uses]:
    found: defaultdict[str, list[tuple[NodeProto, int]]] = defaultdict(list)
    for node in nodes:
        for place, name in enumerate(node.input):
            found[name].append((node, place))
    return found


def _axis(uses: Uses) -> int:
    """Return along which axis numbers share a scale: a matrix's inputs, else the last."""
    node, place = uses[0]
    flipped = any(one.name == "transB" and one.i for one in node.attribute)
    return -2 if node.op_type in ("MatMul", "Gemm") and place == 1 and not flipped else -1


def _is_lookup(node: NodeProto, place: int) -> bool:
    axis = next((one.i for one in node.attribute if one.name == "axis"), 0)
    return node.op_type == "Gather" and place == 0 and axis == 0


def _multiplied_out(codes: str, scales: str, name: str) -> list[NodeProto]:
    """Return what makes the weights called *name*; of constants it is run once, at the start."""
    wide = f"{codes}.float"
    return [
        helper.make_node("Cast", [codes], [wide], to=onnx.TensorProto.FLOAT),
        helper.make_node("Mul", [wide, scales], [name]),
    ]


def _looked_up(node: NodeProto, words: Mapping[str, tuple[str, str]]) -> list[NodeProto]:
    """Return what stands for *node*: for a lookup of *words*, one of codes and one of scales."""
    if node.op_type != "Gather" or node.input[0] not in words:
        return [node]
    name, ids = node.output[0], node.input[1]
    parts = f"{name}.int8", f"{name}.scale"
    return [
        *(
            helper.make_node("Gather", [table, ids], [part], axis=0)
            for table, part in zip(words[node.input[0]], parts, strict=True)
        ),
        *_multiplied_out(*parts, name),
    ]
