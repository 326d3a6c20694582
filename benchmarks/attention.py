"""How fast each way of disentangled attention is, forward and backward, and in how much memory.

Prints Markdown. On a CPU the dense ways at small shapes; on a GPU all of them and, if they are
installed, the published kernels. TFLOP/s are useful ones, by one formula for every way:

    forward  = B H D (4 S S + 4 S R)      q.k and p.v, and the two position terms
    backward = 2 x forward                (gradients only; nothing recomputed counts)

with R = 2 x buckets rows. What a way computes beyond that (skew, expansion, recomputation) buys it
no FLOPs. Times are medians; memory is the peak above the inputs (GPU only).
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import _environment  # noqa: F401
import torch
from torch import Tensor

from thunder.encoder.attention import Distances, Layout, backends, disentangled_attention
from thunder.encoder.attention.dense import scale_of

HEADER = "| way | shape | ms forward | ms both | TFLOP/s forward | TFLOP/s both | peak MiB |"
RULE = "|---|---|---:|---:|---:|---:|---:|"


class Shape(NamedTuple):
    """Rows, tokens, heads, head width, and DeBERTa's distances."""

    rows: int
    length: int
    heads: int
    width: int = 64
    distances: Distances = Distances(256, 512)

    def flops(self) -> float:
        """Return the useful FLOPs of one forward pass."""
        pairs = 4.0 * self.length * (self.length + self.distances.rows)
        return self.rows * self.heads * self.width * pairs


class Timing(NamedTuple):
    """One way at one shape; milliseconds and MiB, nan where not measured."""

    way: str
    shape: Shape
    forward: float
    both: float
    peak: float

    def row(self) -> str:
        """Return the Markdown row under HEADER."""
        flops, shape = self.shape.flops() / 1e9, self.shape
        name = f"{shape.rows}x{shape.length}, {shape.heads} heads of {shape.width}"
        rates = f"{flops / self.forward:.3g} | {3 * flops / self.both:.3g}"
        return (
            f"| {self.way} | {name} | {self.forward:.2f} | {self.both:.2f} | {rates} "
            f"| {self.peak:.0f} |"
        )


class Inputs(NamedTuple):
    """What one call is given; shapes B, H, S, D and R."""

    tensors: tuple[Tensor, ...]
    layout: Layout
    weight: Tensor
    shape: Shape


Way = Callable[[Inputs], Tensor]


def inputs_of(shape: Shape, *, device: str, dtype: torch.dtype, documents: int = 1) -> Inputs:
    """Return random inputs, each row cut into *documents* of equal length."""
    chance = torch.Generator(device).manual_seed(1)

    def random(*size: int) -> Tensor:
        made = torch.randn(*size, generator=chance, device=device, dtype=torch.float32)
        return made.to(dtype)

    size = (shape.rows, shape.length, shape.heads, shape.width)
    tokens = [random(*size).transpose(1, 2).requires_grad_() for _ in range(3)]
    rows = (shape.heads, shape.distances.rows, shape.width)
    positions = [random(*rows).requires_grad_() for _ in range(2)]
    place = torch.arange(shape.length, device=device) * documents // shape.length + 1
    layout = Layout.from_documents(place.expand(shape.rows, shape.length).contiguous())
    weight = random(*size).transpose(1, 2)
    return Inputs((*tokens, *positions), layout, weight, shape)


def own_way(name: str) -> Way:
    """Return one of thunder's backends."""

    def call(given: Inputs) -> Tensor:
        return disentangled_attention(
            *given.tensors, layout=given.layout, distances=given.shape.distances, backend=name
        )

    return call


def compiled_way(name: str) -> Way:
    """Return one of thunder's backends through torch.compile."""
    return torch.compile(own_way(name), dynamic=False)


def flashdeberta_way(given: Inputs) -> Tensor:
    """FlashDeBERTa's kernels (no packing: every row is one document)."""
    from flashdeberta.ops.flash_attention import flash_attention_with_disentangled

    query, key, value, to_key, to_query = given.tensors
    buckets, furthest = given.shape.distances
    return flash_attention_with_disentangled(
        *(tensor.contiguous() for tensor in (query, key, value)), None,
        to_key[None], to_query[None], False, scale_of(query), buckets, furthest,
    )  # fmt: skip


def disentangled_flash_way(shape: Shape, *, device: str, dtype: torch.dtype) -> Way:
    """disentangled-flash's layer: its times include the projections, which the others' do not."""
    from disentangled_flash.training import TritonTrainingDisentangledSelfAttention
    from transformers import DebertaV2Config

    width = shape.heads * shape.width
    config = DebertaV2Config(
        hidden_size=width, num_attention_heads=shape.heads, relative_attention=True,
        position_buckets=shape.distances.buckets, share_att_key=True, pos_att_type=["c2p", "p2c"],
        max_relative_positions=shape.distances.max_distance, attention_probs_dropout_prob=0.0,
        hidden_dropout_prob=0.0,
    )  # fmt: skip
    layer = TritonTrainingDisentangledSelfAttention(config).to(device, dtype)
    rows = torch.randn(shape.distances.rows, width, device=device, dtype=dtype)
    mask = torch.ones(shape.rows, 1, shape.length, shape.length, dtype=torch.bool, device=device)

    def call(given: Inputs) -> Tensor:
        hidden_BSW = given.tensors[0].transpose(1, 2).flatten(2)
        found = layer(hidden_BSW, mask, rel_embeddings=rows)
        context_BSW = found[0] if isinstance(found, tuple) else found
        return context_BSW.unflatten(-1, (shape.heads, shape.width)).transpose(1, 2)

    return call


def measured(name: str, way: Way, given: Inputs, *, seconds: float = 1.0) -> Timing:
    """Return the medians of repeated runs that take about *seconds* in all."""
    wanted = [tensor for tensor in given.tensors if tensor.requires_grad]

    def forward() -> None:
        with torch.no_grad():
            way(given)

    def both() -> None:
        context = way(given)
        torch.autograd.grad(context, wanted, given.weight, allow_unused=True)

    forward_ms = median_ms(forward, given.weight.device.type, seconds=seconds / 3)
    peak = _reset_peak(given.weight.device.type)
    both_ms = median_ms(both, given.weight.device.type, seconds=2 * seconds / 3)
    used = torch.cuda.max_memory_allocated() - peak if peak else float("nan")
    return Timing(name, given.shape, forward_ms, both_ms, used / 2**20)


def median_ms(call: Callable[[], None], device: str, *, seconds: float) -> float:
    """Return the median milliseconds of a call, warmed up twice."""
    for _ in range(2):
        call()
    _wait(device)
    times: list[float] = []
    until = time.perf_counter() + seconds
    while len(times) < 3 or (time.perf_counter() < until and len(times) < 200):
        began = time.perf_counter()
        call()
        _wait(device)
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _reset_peak(device: str) -> int:
    if device != "cuda":
        return 0
    torch.cuda.reset_peak_memory_stats()
    return torch.cuda.memory_allocated()


def ways(shape: Shape, *, device: str, dtype: torch.dtype) -> dict[str, Callable[[], Way]]:
    """Return the makers of all ways that can be tried on *device*, the plainest first."""
    usable = backends()
    found: dict[str, Callable[[], Way]] = {"reference": lambda: own_way("reference")}
    found |= {"shift": lambda: own_way("shift"), "sdpa": lambda: own_way("sdpa")}
    if device != "cuda":
        return found
    found["reference, compiled"] = lambda: compiled_way("reference")
    found["shift, compiled"] = lambda: compiled_way("shift")
    found["sdpa, compiled"] = lambda: compiled_way("sdpa")
    found["flex"] = lambda: own_way("flex")
    if "triton" in usable:
        found = {"triton": lambda: own_way("triton"), **found}
    if importlib.util.find_spec("flashdeberta"):
        found["flashdeberta"] = lambda: flashdeberta_way
    if importlib.util.find_spec("disentangled_flash"):
        found["disentangled-flash, with projections"] = lambda: disentangled_flash_way(
            shape, device=device, dtype=dtype
        )
    return found


def main() -> None:
    """Print a row for each way and shape."""
    chosen = _arguments()
    dtype = getattr(torch, chosen.dtype)
    say = sys.stdout.write
    say(
        f"{chosen.device}, {chosen.dtype}, {torch.get_num_threads()} threads, {torch.__version__}\n"
    )
    say(f"\n{HEADER}\n{RULE}\n")
    for rows, length in (pair.split("x") for pair in chosen.shapes.split(",")):
        shape = Shape(int(rows), int(length), chosen.heads, chosen.width)
        given = inputs_of(shape, device=chosen.device, dtype=dtype, documents=chosen.documents)
        for name, make in ways(shape, device=chosen.device, dtype=dtype).items():
            try:
                say(measured(name, make(), given, seconds=chosen.seconds).row() + "\n")
            except Exception as error:
                say(f"| {name} | {rows}x{length} | {type(error).__name__}: {error} |\n")
            sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    gpu = torch.cuda.is_available()
    parser.add_argument("--device", default="cuda" if gpu else "cpu")
    parser.add_argument("--dtype", default="bfloat16" if gpu else "float32")
    parser.add_argument("--shapes", default="64x512,16x2048" if gpu else "4x128,2x256,1x512")
    parser.add_argument("--heads", type=int, default=16 if gpu else 6)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--documents", type=int, default=1, help="documents in a row")
    parser.add_argument("--seconds", type=float, default=1.5, help="for one way at one shape")
    return parser.parse_args()


if __name__ == "__main__":
    main()
