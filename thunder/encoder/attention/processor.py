"""Disentangled attention on a processor where nobody asks for gradients: blocks that stay in cache.

The same sums as ``thunder.encoder.attention.dense``, ordered for a processor:

* rows are taken a few at a time, so that their scores stay in cache and their memory is used again
  (fresh pages for a whole batch cost more than the products that fill them);
* of the 2S distances a block of M tokens needs S + M, so the position terms cost S + M instead of
  2S products each;
* terms move into place as a strided view, and are added in the buffer that the scores end in;
* where nothing is hidden, nothing is masked.

Shapes: B rows, S tokens, H heads, D head width, R relative rows, W = 2S distances, M tokens of a
block, V = S + M distances of a block.
"""

from __future__ import annotations

import torch
from torch import Tensor

from thunder.encoder.attention.distances import Distances, span_rows
from thunder.encoder.attention.layout import Layout

SCORES = 2**21  # bytes of the rows taken at once, at least those of one row
BLOCK = 256  # bytes of a block's tokens in one column: 64 tokens in float32, 128 in bfloat16


def usable(*tensors: Tensor, dropout: float) -> bool:
    """Return whether this way can take a call: on a processor, run at once, no gradients."""
    traced = torch.compiler.is_compiling() or torch._C._get_tracing_state() is not None
    gradient = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)
    plain = all(type(tensor) in (Tensor, torch.nn.Parameter) for tensor in tensors)
    return plain and tensors[0].device.type == "cpu" and not (traced or gradient or dropout)


def attention(
    query_BHSD: Tensor,
    key_BHSD: Tensor,
    value_BHSD: Tensor,
    position_key_HRD: Tensor,
    position_query_HRD: Tensor,
    *,
    layout: Layout,
    distances: Distances,
) -> Tensor:
    """Return the context [B,H,S,D] for a call that is ``usable``."""
    batch, heads, length, width = query_BHSD.shape
    scale = float((3 * width) ** -0.5)
    blocks = _blocks(length, size=BLOCK // query_BHSD.element_size())
    falling, rising = _spans(
        position_key_HRD * scale, position_query_HRD * scale, blocks=blocks, distances=distances
    )
    context_BSHD = query_BHSD.new_empty(batch, length, heads, width)
    context_BHSD = context_BSHD.transpose(1, 2)
    step = max(1, SCORES // (heads * length * length * query_BHSD.element_size()))
    for at in range(0, batch, step):
        rows = slice(at, at + step)
        query, key, value = query_BHSD[rows], key_BHSD[rows], value_BHSD[rows]
        bias_BHSS = _terms(query, key, falling, rising, blocks=blocks)
        _hide(bias_BHSS, layout, rows)
        context_BHSD[rows] = _finished(query, key, value, bias_BHSS, scale)
    return context_BHSD.masked_fill_((layout.documents_BS == 0)[:, None, :, None], 0.0)


def _finished(
    query_BHSD: Tensor, key_BHSD: Tensor, value_BHSD: Tensor, bias_BHSS: Tensor, scale: float
) -> Tensor:
    scores_NSS = bias_BHSS.flatten(0, 1)
    scores_NSS.baddbmm_(query_BHSD.flatten(0, 1), key_BHSD.flatten(0, 1).mT, alpha=scale)
    share_NSS = torch.softmax(scores_NSS, dim=-1)  # summed in float32, also of bfloat16
    return (share_NSS @ value_BHSD.flatten(0, 1)).view(query_BHSD.shape)


def _blocks(length: int, *, size: int) -> list[slice]:
    return [slice(low, min(low + size, length)) for low in range(0, length, size)]


def _spans(
    key_HRD: Tensor, query_HRD: Tensor, *, blocks: list[slice], distances: Distances
) -> tuple[list[Tensor], list[Tensor]]:
    """Return for each block its S + M rows of distances, falling as keys and rising as queries."""
    length, device = blocks[-1].stop, key_HRD.device
    falling_W = span_rows(-length, length, distances, device).flip(0)
    rising_W = span_rows(1 - length, length + 1, distances, device)
    reaches = [slice(length - one.stop, 2 * length - one.start) for one in blocks]
    keys = [key_HRD.index_select(1, falling_W[reach]) for reach in reaches]
    return keys, [query_HRD.index_select(1, rising_W[reach]) for reach in reaches]


def _terms(
    query_BHSD: Tensor,
    key_BHSD: Tensor,
    falling: list[Tensor],
    rising: list[Tensor],
    *,
    blocks: list[slice],
) -> Tensor:
    """Return c2p + p2c as [B,H,S,S]."""
    batch, heads, length, _ = query_BHSD.shape
    terms_BHSS = query_BHSD.new_empty(batch, heads, length, length)
    for block, position_HVD in zip(blocks, rising, strict=True):
        terms_BHSS[:, :, :, block] = _block(key_BHSD[:, :, block], position_HVD, length).mT
    for block, position_HVD in zip(blocks, falling, strict=True):
        terms_BHSS[:, :, block] += _block(query_BHSD[:, :, block], position_HVD, length)
    return terms_BHSS


def _block(token_BHMD: Tensor, position_HVD: Tensor, length: int) -> Tensor:
    """Return [B,H,M,S] with out[m, j] = token[m].position[M - 1 - m + j]."""
    batch, heads, size, width = token_BHMD.shape
    token_HTD = token_BHMD.transpose(0, 1).reshape(heads, batch * size, width)
    terms_HTV = token_HTD @ position_HVD.mT
    reach = length + size
    strides = (size * reach, batch * size * reach, reach - 1, 1)
    return terms_HTV.as_strided((batch, heads, size, length), strides, size - 1)


def _hide(terms_BHSS: Tensor, layout: Layout, rows: slice) -> None:
    """Fill what a token must not see with the lowest number, if there is anything."""
    documents_BS = layout.documents_BS[rows]
    if not bool((documents_BS == documents_BS[:, :1]).all() & (documents_BS[:, 0] > 0).all()):
        terms_BHSS.masked_fill_(~layout.visible()[rows], torch.finfo(terms_BHSS.dtype).min)
