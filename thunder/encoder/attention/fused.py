"""Disentangled attention in three Triton kernels of our own, as operators that torch can compile.

Nothing grows with the square of the length: forward keeps the context and one number per token
and head; backward adds position gradients in float32 buffers, one of W x D per program, and sums
them afterwards in a fixed order, so two runs give the same bits.

Shapes: B rows, S tokens, H heads, D head width, R relative rows, W distances, P programs.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from thunder.encoder.attention import kernels
from thunder.encoder.attention.dense import scale_of
from thunder.encoder.attention.distances import Distances, span_rows
from thunder.encoder.attention.layout import Layout

LOG2_E = 1.4426950408889634
# Programs that the two backward kernels share the rows of a batch out to: two waves of two on
# the 132 processors of an H100. More would balance better and need larger buffers.
PROGRAMS = 528


class Launch(NamedTuple):
    """How a kernel is compiled: tokens a tile, warps a program, loads in flight."""

    tile: int
    warps: int
    stages: int


def interpreted() -> bool:
    """Return True where Triton interprets its kernels on the CPU (TRITON_INTERPRET=1)."""
    return os.environ.get("TRITON_INTERPRET", "0") not in ("", "0")


# Chosen by what the compiler says for sm_90 (`benchmarks/compiled_kernels.py`), not by time: eight
# warps spill least; the loads of the first and the last kernel fit shared memory twice. All three
# kernels share the padded rows of numbers, so their tiles are equal.
# `benchmarks/gpu.py` tries others and says which are best; what it finds belongs here.
LAUNCHES = {
    "forward": Launch(64, 8, 2),
    "query": Launch(64, 8, 1),
    "key": Launch(64, 8, 1),
}


def launch(kernel: str, dtype: torch.dtype, width: int) -> Launch:
    """Return the tile and warps for "forward", "query" or "key"."""
    if interpreted():
        return Launch(16, 4, 1)
    if dtype == torch.float32:
        return Launch(32, 4, 1)
    found = LAUNCHES[kernel]
    return found if width <= 64 else found._replace(stages=1)


def attention(
    query_BHSD: Tensor,
    key_BHSD: Tensor,
    value_BHSD: Tensor,
    position_key_HRD: Tensor,
    position_query_HRD: Tensor,
    *,
    layout: Layout,
    distances: Distances,
    dropout: float = 0.0,
) -> Tensor:
    """Return the context [B,H,S,D]; ``choice`` says for which widths and types."""
    start_BS, end_BS = layout.ranges()
    device, dtype = query_BHSD.device, query_BHSD.dtype
    seed_1 = torch.zeros(1, dtype=torch.int64, device=device)
    if dropout:
        seed_1 = torch.randint(0, 2**31 - 1, (1,), dtype=torch.int64, device=device)
    context_BHSD: Tensor = _forward(
        query_BHSD,
        key_BHSD,
        value_BHSD,
        position_key_HRD.to(dtype),
        position_query_HRD.to(dtype),
        layout.documents_BS,
        start_BS,
        end_BS,
        seed_1,
        distances.buckets,
        distances.max_distance,
        dropout,
    )[0]
    return context_BHSD


class _Plan(NamedTuple):
    """The sizes of one launch."""

    launch: Launch
    tiles: int
    reach: int
    distances: Distances

    @classmethod
    def of(cls, kernel: str, query_BHSD: Tensor, distances: Distances) -> _Plan:
        """Return the plan; *reach* is the last block whose distances have rows of their own."""
        length, width = query_BHSD.shape[-2:]
        shape = launch(kernel, query_BHSD.dtype, width)
        tiles = -(-length // shape.tile)
        reach = min(-(-distances.saturation // shape.tile), tiles - 1)
        return cls(shape, tiles, reach, distances)

    @property
    def padded(self) -> int:
        """Return the length in whole tiles, to which numbers by token are padded."""
        return self.tiles * self.launch.tile

    def sides(self, documents: Tensor, start: Tensor, end: Tensor) -> list[Tensor]:
        """Return documents and ranges [B,S] padded with tokens that see nothing."""
        length = documents.shape[1]
        edge = (0, self.padded - length)
        blanks = (0, length, 0)
        return [
            functional.pad(numbers, edge, value=blank).contiguous()
            for numbers, blank in zip((documents, start, end), blanks, strict=True)
        ]

    def rows(self, device: torch.device, *, mirrored: bool) -> Tensor:
        """Return the row of each distance of the table (of its negative, if *mirrored*)."""
        edge = (self.reach + 1) * self.launch.tile
        if mirrored:
            return span_rows(1 - edge, edge + 1, self.distances, device).flip(0)
        return span_rows(-edge, edge, self.distances, device)

    def options(self, query_BHSD: Tensor, *, dropout: float) -> dict[str, Any]:
        """Return the keyword arguments that all three kernels share."""
        return {
            "N": self.launch.tile,
            "D": query_BHSD.shape[-1],
            "FAR": self.tiles - 1 > self.reach,
            "CHANCE": dropout > 0,
            "EXACT": _exactness(query_BHSD.dtype),
            "num_warps": self.launch.warps,
            "num_stages": self.launch.stages,
        }


def _exactness(dtype: torch.dtype) -> int:
    """Return how `tiles.dot` multiplies: its EXACT."""
    if dtype == torch.float32:
        return 1
    return 2 if interpreted() and dtype == torch.bfloat16 else 0


def _token_tensor(like_BHSD: Tensor) -> Tensor:
    """Return an empty [B,H,S,D] whose memory lies [B,S,H,D], so that joining heads is free."""
    batch, heads, length, width = like_BHSD.shape
    return like_BHSD.new_empty(batch, length, heads, width).transpose(1, 2)


def _readable(tensor: Tensor) -> Tensor:
    return tensor if tensor.stride(-1) == 1 else tensor.contiguous()


def _strides(*tensors_BHSD: Tensor) -> list[int]:
    return [stride for tensor in tensors_BHSD for stride in tensor.stride()[:3]]


def _on(device: torch.device) -> contextlib.AbstractContextManager[Any]:
    return torch.cuda.device(device) if device.type == "cuda" else contextlib.nullcontext()


@torch.library.custom_op("thunder::disentangled_attention", mutates_args=())
def _forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    position_key: Tensor,
    position_query: Tensor,
    documents: Tensor,
    start: Tensor,
    end: Tensor,
    seed: Tensor,
    buckets: int,
    max_distance: int,
    dropout: float,
) -> tuple[Tensor, Tensor]:
    """Return the context and log2-sum-exp2 [B,H,padded S] (infinite where a token sees nothing)."""
    query, key, value = _readable(query), _readable(key), _readable(value)
    batch, heads, length, _ = query.shape
    plan = _Plan.of("forward", query, Distances(buckets, max_distance))
    rows_W = plan.rows(query.device, mirrored=False)
    context = _token_tensor(query)
    lse = query.new_empty(batch, heads, plan.padded, dtype=torch.float32)
    scale = scale_of(query) * LOG2_E
    with _on(query.device):
        kernels.forward_kernel[(plan.tiles, batch * heads)](
            query, key, value, position_key[:, rows_W], position_query[:, rows_W],
            *plan.sides(documents, start, end), seed, context, lse,
            *_strides(query, key, value, context),
            heads, length, plan.reach, scale, dropout,
            **plan.options(query, dropout=dropout),
        )  # fmt: skip
    return context, lse


@_forward.register_fake
def _forward_shapes(query: Tensor, *rest: Any) -> tuple[Tensor, Tensor]:
    plan = _Plan.of("forward", query, Distances(rest[-3], rest[-2]))
    lse = query.new_empty((*query.shape[:2], plan.padded), dtype=torch.float32)
    return _token_tensor(query), lse


@torch.library.custom_op("thunder::disentangled_attention_backward", mutates_args=())
def _backward(
    gradient: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    position_key: Tensor,
    position_query: Tensor,
    documents: Tensor,
    start: Tensor,
    end: Tensor,
    seed: Tensor,
    context: Tensor,
    lse: Tensor,
    buckets: int,
    max_distance: int,
    dropout: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Return the gradients of query, key, value, position keys and position queries."""
    query, key, value = _readable(query), _readable(key), _readable(value)
    gradient, context = _readable(gradient), _readable(context)
    batch, heads, length, _ = query.shape
    distances = Distances(buckets, max_distance)
    plain = scale_of(query)
    common = (batch, heads, length)
    delta = torch.empty_like(lse)
    d_query, d_key, d_value = _token_tensor(query), _token_tensor(query), _token_tensor(query)
    with _on(query.device):
        plan = _Plan.of("query", query, distances)
        rows_W = plan.rows(query.device, mirrored=False)
        side = (*plan.sides(documents, start, end), seed)
        buffer = _buffer(plan, query)
        kernels.query_kernel[_grid(plan, query)](
            query, key, value, position_key[:, rows_W], position_query[:, rows_W], *side,
            context, gradient, lse, delta, d_query, buffer,
            *_strides(query, key, value, context, gradient, d_query),
            *common, plan.reach, 0, plain * LOG2_E, plain, dropout,
            **plan.options(query, dropout=dropout),
        )  # fmt: skip
        d_position_key = _summed(buffer, rows_W, position_key, scale=plain)
        plan = _Plan.of("key", query, distances)
        rows_W = plan.rows(query.device, mirrored=True)
        buffer = _buffer(plan, query)
        kernels.key_kernel[_grid(plan, query)](
            query, key, value, position_query[:, rows_W], position_key[:, rows_W], *side,
            gradient, lse, delta, d_key, d_value, buffer,
            *_strides(query, key, value, gradient, d_key, d_value),
            *common, plan.reach, 0, plain * LOG2_E, plain, dropout,
            **plan.options(query, dropout=dropout),
        )  # fmt: skip
        d_position_query = _summed(buffer, rows_W, position_query, scale=plain)
    return d_query, d_key, d_value, d_position_key, d_position_query


@_backward.register_fake
def _backward_shapes(
    gradient: Tensor, query: Tensor, key: Tensor, value: Tensor, position_key: Tensor, *_: Any
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    tokens = (_token_tensor(query), _token_tensor(query), _token_tensor(query))
    return (*tokens, torch.empty_like(position_key), torch.empty_like(position_key))


def _grid(plan: _Plan, query_BHSD: Tensor) -> tuple[int, int, int]:
    """Return tiles x heads x slots; the rows of the batch are dealt out to the slots."""
    batch, heads = query_BHSD.shape[:2]
    return plan.tiles, heads, max(1, min(batch, round(PROGRAMS / (plan.tiles * heads))))


def _buffer(plan: _Plan, query_BHSD: Tensor) -> Tensor:
    """Return zeros [slots, H, tiles, W, D] for the position gradients of every program."""
    tiles, heads, slots = _grid(plan, query_BHSD)
    width = query_BHSD.shape[-1]
    distances = (2 * plan.reach + 2) * plan.launch.tile
    shape = (slots, heads, tiles, distances, width)
    return torch.zeros(shape, dtype=torch.float32, device=query_BHSD.device)


def _summed(buffer: Tensor, rows_W: Tensor, position_HRD: Tensor, *, scale: float) -> Tensor:
    """Return the gradient [H,R,D]: buffers summed in order, distances gathered to their rows."""
    each_HWD = buffer.sum((0, 2)) * scale
    number_R1 = torch.arange(position_HRD.shape[1], device=rows_W.device)[:, None]
    member_RW = (rows_W[None, :] == number_R1).to(each_HWD.dtype)
    return (member_RW @ each_HWD).to(position_HRD.dtype).contiguous()


def _keep(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    *tensors, ctx.buckets, ctx.max_distance, ctx.dropout = inputs
    ctx.save_for_backward(*tensors, *output)
    ctx.mark_non_differentiable(output[1])


def _gradients(ctx: Any, gradient: Tensor, _: Tensor | None) -> tuple[Tensor | None, ...]:
    found = _backward(gradient, *ctx.saved_tensors, ctx.buckets, ctx.max_distance, ctx.dropout)
    return (*found, *[None] * 7)


_forward.register_autograd(_gradients, setup_context=_keep)
