"""What the attention tests share: layouts, inputs, and a loop that follows the formula."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from thunder.encoder.attention import Distances, Layout, disentangled_attention


class Case(NamedTuple):
    """Inputs of one call; shapes B, H, S, D and R."""

    tensors: tuple[Tensor, ...]  # query, key, value, position keys, position queries
    documents: Tensor
    weight: Tensor  # what the context is summed with, so that every gradient is asked for
    distances: Distances


def documents_of(length: int, kind: str) -> Tensor:
    """Return two rows: one full, and one that is "full", "padded", "packed" or "empty"."""
    rows = torch.ones(2, length, dtype=torch.int64)
    first, second = length // 2, length // 2 + length // 3
    if kind == "padded":
        rows[1, first:] = 0
    if kind == "packed":
        rows[1, first:second], rows[1, second:] = 2, 0
    if kind == "empty":
        rows[1] = 0
    return rows


def case_of(
    length: int,
    *,
    kind: str = "packed",
    heads: int = 2,
    width: int = 16,
    distances: tuple[int, int] = (8, 16),
    dtype: torch.dtype = torch.float32,
    seed: int = 7,
) -> Case:
    chance = torch.Generator().manual_seed(seed)

    def random(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=chance, dtype=torch.float64).to(dtype)

    rows = Distances(*distances)
    tokens = [random(2, length, heads, width).transpose(1, 2) for _ in range(3)]
    positions = [random(heads, rows.rows, width) for _ in range(2)]
    weight = random(2, heads, length, width)
    return Case((*tokens, *positions), documents_of(length, kind), weight, rows)


def answered(case: Case, backend: str, *, dtype: torch.dtype | None = None) -> tuple[Tensor, ...]:
    """Return context and the five gradients."""
    tensors = [
        tensor.detach().to(dtype or tensor.dtype).requires_grad_() for tensor in case.tensors
    ]
    layout = Layout.from_documents(case.documents)
    context = disentangled_attention(
        *tensors, layout=layout, distances=case.distances, backend=backend
    )
    gradients = torch.autograd.grad((context * case.weight.to(context.dtype)).sum(), tensors)
    return (context.detach(), *gradients)


def furthest(found: tuple[Tensor, ...], wanted: tuple[Tensor, ...]) -> float:
    """Return the largest difference, in parts of the largest number of its kind (at least 0.1)."""
    return max(
        float(
            (one.double() - other.double()).abs().max() / other.double().abs().max().clamp(min=0.1)
        )
        for one, other in zip(found, wanted, strict=True)
    )


def row_of(distance: int, distances: Distances) -> int:
    """Return a distance's row, by the words of the paper's log buckets."""
    half, size = distances.buckets // 2, abs(distance)
    if size > half:
        part = math.log(size / half) / math.log((distances.max_distance - 1) / half)
        size = half + math.ceil(round(part * (half - 1), 5))
    bucket = size if distance > 0 else -size
    return min(max(bucket + distances.buckets, 0), distances.rows - 1)


def by_the_formula(case: Case) -> Tensor:
    """Return the context in float64, one score at a time."""
    query, key, value, to_key, to_query = (tensor.double() for tensor in case.tensors)
    context = torch.zeros_like(query)
    batch, heads, length, width = query.shape
    for b in range(batch):
        for i in range(length):
            seen = [
                j
                for j in range(length)
                if case.documents[b, i] == case.documents[b, j] and case.documents[b, i] > 0
            ]
            for h in range(heads):
                if not seen:
                    continue
                scores = []
                for j in seen:
                    row = row_of(i - j, case.distances)
                    score = query[b, h, i] @ key[b, h, j]
                    score += query[b, h, i] @ to_key[h, row] + key[b, h, j] @ to_query[h, row]
                    scores.append(score / math.sqrt(3 * width))
                shares = torch.softmax(torch.stack(scores), 0)
                context[b, h, i] = shares @ value[b, h, seen]
    return context
