"""Disentangled attention by torch's FlexAttention: the position products captured as tables.

The score of a pair reads c2p and p2c out of [S, R] products through a table of rows by distance,
a gather for every pair; the block mask skips tiles between documents. torch compiles it; its
backward exists on CUDA only, and adds the tables' gradients by atomics (not the same bits in
every run). Kept as a peer to measure the others against, and as a spare.

Shapes: B rows, S tokens, H heads, D head width, R relative rows, T = 2S - 1 distances.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from thunder.encoder.attention.dense import scale_of
from thunder.encoder.attention.distances import Distances, span_rows
from thunder.encoder.attention.layout import Layout


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
    """Return the context [B,H,S,D]. Raises ValueError for dropout, which FlexAttention lacks."""
    if dropout:
        raise ValueError("FlexAttention drops no attention weights; use another backend")
    length, scale = query_BHSD.shape[-2], scale_of(query_BHSD)
    row_T = span_rows(1 - length, length, distances, query_BHSD.device).to(torch.int32)
    c2p_BHSR = (query_BHSD * scale) @ position_key_HRD.mT
    p2c_BHSR = key_BHSD @ (position_query_HRD * scale).mT

    def score(s: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
        row = row_T[i - j + length - 1]
        return s + c2p_BHSR[b, h, i, row] + p2c_BHSR[b, h, j, row]

    whole = torch.compiler.is_compiling() or query_BHSD.device.type != "cuda"
    call = _plain() if whole else _compiled()
    context_BHSD: Tensor = call(
        query_BHSD,
        key_BHSD,
        value_BHSD,
        score_mod=score,
        block_mask=_blocks(layout.documents_BS),
        scale=scale,
    )
    return context_BHSD.masked_fill((layout.documents_BS == 0)[:, None, :, None], 0.0)


def _blocks(documents_BS: Tensor) -> Any:
    """Return the block mask in which a token sees its own document, padding nobody."""
    from torch.nn.attention.flex_attention import create_block_mask

    batch, length = documents_BS.shape

    def sees(b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
        return (documents_BS[b, i] == documents_BS[b, j]) & (documents_BS[b, i] > 0)

    return create_block_mask(sees, batch, None, length, length, device=str(documents_BS.device))


def _plain() -> Callable[..., Any]:
    """Return flex_attention as it is: for a CPU, or inside a model that is compiled."""
    from torch.nn.attention.flex_attention import flex_attention

    return flex_attention


@functools.cache
def _compiled() -> Callable[..., Any]:
    """Return flex_attention compiled, once for the process."""
    return torch.compile(_plain(), dynamic=False)
