"""The way back from an exported graph to a model that can be trained on.

A graph of ``exports.onnx`` holds every weight under its name, whole numbers with their scales; the
matrices have no names of their own, but the layer's bias, added to their product, has. Only the
rows of distances are gone: there stand what each layer's heads make of them. They follow from
that, all layers together, by least squares; and the weights of their norm, with rows which normed
by them are the same, by descent. So words, matrices and biases come back as the graph multiplies
them, the distances nearly: ``largest_difference`` of ``exports.onnx`` says how nearly.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import NodeProto, numpy_helper
from torch import Tensor
from torch.nn import functional

from thunder.encoder import EncoderConfig, EncoderForTokenClassification
from thunder.tagger.onnx_model import MODEL

_PROJECTED = re.compile(r"model\.(.+\.layers\.(\d+)\.attention)\.lifted_tensor_(\d+)")
_STEPS, _RATE = 2000, 1e-2  # of the descent: some ten seconds of a core
_MODEL = "model."

Floats = NDArray[np.float32]


def thawed(place: Path) -> EncoderForTokenClassification:
    """Return the tagger's network that was written to the folder *place*, in float32.

    ValueError where a weight of it is not in the graph, as in one that was not written by
    ``exports.onnx.export``.
    """
    config = EncoderConfig.from_pretrained(place)
    network = EncoderForTokenClassification(config)
    graph = _Graph(onnx.load(place / MODEL).graph)
    try:
        state = {name: graph.weight(name) for name in network.state_dict() if _stands(name)}
        state |= _positions(graph, state, config)
        network.load_state_dict({name: torch.from_numpy(one) for name, one in state.items()})
    except (LookupError, RuntimeError, ValueError) as error:
        raise ValueError(
            f"{place / MODEL}: is no graph of a tagger as 'finetune/export.py' writes it: {error}"
        ) from None
    network.train(False)
    return network


def _stands(name: str) -> bool:
    """Return whether the graph has the weight *name* as such."""
    return ".positions." not in name


class _Graph:
    """The weights in a graph by name, wherever it has them."""

    def __init__(self, graph: onnx.GraphProto) -> None:
        self._kept = {one.name: one for one in graph.initializer}
        self._makes: Mapping[str, NodeProto] = {
            name: node for node in graph.node for name in node.output
        }
        self._takes = {name: node for node in graph.node for name in node.input}

    def weight(self, name: str) -> Floats:
        """Return the weight called *name* in torch; LookupError where there is none."""
        given = f"{_MODEL}{name}"
        if self.has(given):
            return self._read(given)
        return np.ascontiguousarray(self._read(self._matrix(given)).T)

    def projected(self) -> Mapping[int, Sequence[Floats]]:
        """Return what stands in the graph for the distances, by layer: as queries, as keys."""
        found: dict[int, dict[int, str]] = {}
        for name in self._kept:
            if match := _PROJECTED.match(name):
                found.setdefault(int(match[2]), {})[int(match[3])] = match[0]
        return {
            layer: [self._read(of[number]) for number in sorted(of)]
            for layer, of in sorted(found.items())
        }

    def has(self, name: str) -> bool:
        return name in self._kept or f"{name}.int8" in self._kept

    def _matrix(self, name: str) -> str:
        """Return what the graph calls the matrix *name*: its product gets the layer's bias."""
        bias = f"{name.removesuffix('.weight')}.bias"
        added = self._takes.get(bias)
        for given in added.input if added else ():
            product = self._makes.get(given)
            while product is not None and product.op_type == "Reshape":
                product = self._makes.get(product.input[0])
            if product is None:
                continue
            if product.op_type == "MatMul":
                return str(product.input[1])
            if product.op_type == "Mul" and product.input[1].endswith(".scale"):
                return str(product.input[1].removesuffix(".scale"))
        raise LookupError(f"no weights for {name.removeprefix(_MODEL)}")

    def _read(self, name: str) -> Floats:
        if name in self._kept:
            return np.array(numpy_helper.to_array(self._kept[name]), np.float32)
        codes, scales = (self._kept[f"{name}.{part}"] for part in ("int8", "scale"))
        wide = numpy_helper.to_array(codes).astype(np.float32)
        return np.array(wide * numpy_helper.to_array(scales), np.float32)


class _Rows(NamedTuple):
    """Rows of distances and the weights of their norm."""

    rows_RW: Tensor
    gain_W: Tensor
    bias_W: Tensor


def _positions(
    graph: _Graph, state: Mapping[str, Floats], config: EncoderConfig
) -> dict[str, Floats]:
    """Return the weights of the distances that project to what stands in the graph."""
    width = config.hidden_size
    matrices, wanted = [], []
    found = graph.projected()
    for layer in range(config.num_hidden_layers):
        name = f"encoder.layers.{layer}.attention.query_key_value"
        if len(found.get(layer, ())) != 2:
            raise LookupError(f"no distances for layer {layer}")
        query_HRD, key_HRD = found[layer]
        both_R2W = [
            one.transpose(1, 0, 2).reshape(one.shape[1], width) for one in (query_HRD, key_HRD)
        ]
        matrices.append(state[f"{name}.weight"][: 2 * width])
        wanted.append((np.concatenate(both_R2W, 1) - state[f"{name}.bias"][: 2 * width]).T)
    normed_WR = np.linalg.lstsq(np.concatenate(matrices), np.concatenate(wanted), rcond=None)[0]
    made = _unnormed(torch.from_numpy(normed_WR.T.astype(np.float32)), eps=config.layer_norm_eps)
    names = ("rows.weight", "norm.weight", "norm.bias")
    return {f"encoder.positions.{name}": one.numpy() for name, one in zip(names, made, strict=True)}


def _unnormed(wanted_RW: Tensor, *, eps: float) -> _Rows:
    """Return rows, gain and bias such that the normed rows are nearly *wanted_RW*."""
    spread = wanted_RW.std()
    made = _Rows(
        (wanted_RW / spread).clone().requires_grad_(),
        torch.full_like(wanted_RW[0], float(spread)).requires_grad_(),
        torch.zeros_like(wanted_RW[0]).requires_grad_(),
    )
    steps = torch.optim.Adam(made, lr=_RATE)
    rate = torch.optim.lr_scheduler.OneCycleLR(steps, _RATE, total_steps=_STEPS, pct_start=0.1)
    for _ in range(_STEPS):
        steps.zero_grad()
        normed_RW = functional.layer_norm(made.rows_RW, made.gain_W.shape, *made[1:], eps)
        torch.autograd.backward((normed_RW - wanted_RW).square().sum())
        steps.step()
        rate.step()
    return _Rows(*(one.detach() for one in made))
