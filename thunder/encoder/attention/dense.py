"""Disentangled attention with its S x S scores in memory: for CPUs, ONNX, and as the reference.

Scores are (q_i.k_j + q_i.pk[t(i-j)] + k_j.pq[t(i-j)]) / sqrt(3 D). Three forms:

* `reference` gathers the position terms out of [S, R] products, as `transformers` does;
* `shift` has no gather over the scores: the R rows are expanded to 2S distances, one product gives
  each token its terms for all distances, and row i is moved by i. The move costs nothing: row i
  of a [S, 2S] matrix, read again with a row length of 2S - 1, starts i places earlier
  (reshape and slice only, so that ONNX takes it, with dynamic shapes);
* `sdpa` hands the shifted terms to torch's scaled_dot_product_attention as a bias.

Shapes: B rows, S tokens, H heads, D head width, R relative rows, W = 2S distances.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from thunder.encoder.attention import processor
from thunder.encoder.attention.distances import Distances, span_rows
from thunder.encoder.attention.layout import Layout


def reference(
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
    """Return the context [B,H,S,D], by gathers: plain, slow, and what the others are held to."""
    length, scale = query_BHSD.shape[-2], scale_of(query_BHSD)
    place_S = torch.arange(length, device=query_BHSD.device)
    distance_SS = place_S[:, None] - place_S[None, :] + length - 1
    row_SS = span_rows(1 - length, length, distances, query_BHSD.device)[distance_SS]
    row_BHSS = row_SS.expand(*query_BHSD.shape[:2], length, length)
    c2p_BHSS = (query_BHSD @ position_key_HRD.mT).gather(-1, row_BHSS)
    p2c_BHSS = (key_BHSD @ position_query_HRD.mT).gather(-1, row_BHSS.mT).mT
    scores_BHSS = (query_BHSD @ key_BHSD.mT + c2p_BHSS + p2c_BHSS) * scale
    return _attend(scores_BHSS, value_BHSD, layout=layout, dropout=dropout)


def shift(
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
    """Return the context [B,H,S,D], its position terms moved into place, not gathered."""
    given = (query_BHSD, key_BHSD, value_BHSD, position_key_HRD, position_query_HRD)
    if processor.usable(*given, dropout=dropout):
        return processor.attention(*given, layout=layout, distances=distances)
    scale = scale_of(query_BHSD)
    query_BHSD = query_BHSD * scale
    bias_BHSS = shifted_terms(
        query_BHSD, key_BHSD, position_key_HRD, position_query_HRD * scale, distances=distances
    )
    scores_BHSS = query_BHSD @ key_BHSD.mT + bias_BHSS
    return _attend(scores_BHSS, value_BHSD, layout=layout, dropout=dropout)


def sdpa(
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
    """Return the context [B,H,S,D], by torch's fused attention with the shifted terms as bias."""
    scale = scale_of(query_BHSD)
    visible_B1SS = layout.visible()
    bias_BHSS = shifted_terms(
        query_BHSD * scale,
        key_BHSD,
        position_key_HRD,
        position_query_HRD * scale,
        distances=distances,
    )
    bias_BHSS = bias_BHSS.masked_fill(~visible_B1SS, torch.finfo(bias_BHSS.dtype).min)
    context_BHSD = functional.scaled_dot_product_attention(
        query_BHSD, key_BHSD, value_BHSD, attn_mask=bias_BHSS, dropout_p=dropout, scale=scale
    )
    return context_BHSD.masked_fill(_blind(layout), 0.0)


def scale_of(query_BHSD: Tensor) -> float:
    """Return 1 / sqrt(3 D): three terms of D products each."""
    return float((3 * query_BHSD.shape[-1]) ** -0.5)


def shifted_terms(
    query_BHSD: Tensor,
    key_BHSD: Tensor,
    position_key_HRD: Tensor,
    position_query_HRD: Tensor,
    *,
    distances: Distances,
) -> Tensor:
    """Return c2p + p2c as [B,H,S,S], gather-free."""
    length = query_BHSD.shape[-2]
    rising_W = span_rows(1 - length, length + 1, distances, query_BHSD.device)
    falling_W = span_rows(-length, length, distances, query_BHSD.device).flip(0)
    c2p_BHSS = _shifted(_every_distance(query_BHSD, position_key_HRD.index_select(1, falling_W)))
    p2c_BHSS = _shifted(_every_distance(key_BHSD, position_query_HRD.index_select(1, rising_W)))
    return c2p_BHSS + p2c_BHSS.mT


def _every_distance(token_BHSD: Tensor, position_HWD: Tensor) -> Tensor:
    """Return token.position for all W distances, as [B,H,S,W]; one product per head."""
    batch, heads, length, width = token_BHSD.shape
    token_HTD = token_BHSD.transpose(0, 1).reshape(heads, batch * length, width)
    return (token_HTD @ position_HWD.mT).reshape(heads, batch, length, -1).transpose(0, 1)


def _shifted(terms_BHSW: Tensor) -> Tensor:
    """Return [B,H,S,S] with out[i, j] = terms[i, S - 1 - i + j]."""
    length = terms_BHSW.shape[-2]
    flat_BHF = terms_BHSW.flatten(-2)[..., length - 1 : length - 1 + length * (2 * length - 1)]
    rows_BHST = flat_BHF.reshape(*flat_BHF.shape[:-1], length, 2 * length - 1)
    return rows_BHST[..., :length]


def _attend(scores_BHSS: Tensor, value_BHSD: Tensor, *, layout: Layout, dropout: float) -> Tensor:
    hidden_B1SS = ~layout.visible()
    scores_BHSS = scores_BHSS.masked_fill(hidden_B1SS, torch.finfo(scores_BHSS.dtype).min)
    kind = torch.float64 if scores_BHSS.dtype == torch.float64 else torch.float32
    share_BHSS = functional.softmax(scores_BHSS, dim=-1, dtype=kind).to(value_BHSD.dtype)
    if dropout:
        share_BHSS = functional.dropout(share_BHSS, dropout)
    return (share_BHSS @ value_BHSD).masked_fill(_blind(layout), 0.0)


def _blind(layout: Layout) -> Tensor:
    """Return [B,1,S,1]: True where a row sees nothing, so its context is zero, gradients too."""
    return (layout.documents_BS == 0)[:, None, :, None]
