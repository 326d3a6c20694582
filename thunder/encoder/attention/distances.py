"""Which relative row a distance uses: DeBERTa's log buckets, to the letter of `transformers`.

Distances i - j up to half the buckets have a row each; beyond, rows grow logarithmically, and from
the maximum on all distances share the last. Shapes: T distances, R = 2 * buckets rows.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import torch
from torch import Tensor

_CACHE_LIMIT = 64
_cache: dict[tuple[int, int, Distances, torch.device], Tensor] = {}
_lock = threading.Lock()


class Distances(NamedTuple):
    """DeBERTa's `position_buckets` and `max_relative_positions`."""

    buckets: int
    max_distance: int

    @property
    def rows(self) -> int:
        """Return how many relative rows there are: one side after the other."""
        return 2 * self.buckets

    @property
    def saturation(self) -> int:
        """Return the distance from which on, both ways, the row stays the last one."""
        return self.max_distance

    def check(self) -> None:
        """Raise ValueError for a pair that has no log buckets."""
        if self.buckets < 2 or self.buckets % 2:
            raise ValueError(f"position buckets must be even and positive, got {self.buckets}")
        if self.max_distance < self.buckets // 2 + 2:
            raise ValueError(
                f"the largest distance, {self.max_distance}, must be above half the buckets + 1 "
                f"({self.buckets // 2 + 1}): the log buckets lie between the two"
            )


def rows_of(distance_T: Tensor, distances: Distances) -> Tensor:
    """Return the row (int64, 0 <= row < R) of every signed distance i - j.

    Source: `make_log_bucket_position` and the clamp of `disentangled_attention_bias` in
    transformers' modeling_deberta_v2, with the same float32 operations.
    """
    middle = distances.buckets // 2
    size_T = distance_T.abs().clamp(min=max(middle - 1, 1))
    top = torch.tensor((distances.max_distance - 1) / middle, device=distance_T.device)
    steps_T = torch.ceil(torch.log(size_T / middle) / torch.log(top) * (middle - 1)) + middle
    bucket_T = torch.where(
        size_T <= middle, distance_T.to(steps_T.dtype), steps_T * distance_T.sign()
    )
    return (bucket_T.to(torch.int64) + distances.buckets).clamp(0, distances.rows - 1)


def span_rows(low: int, high: int, distances: Distances, device: torch.device) -> Tensor:
    """Return the rows of the distances low, low + 1 … high - 1, as int64 [high - low].

    Computed on the CPU and kept per device, so that all devices agree; while a graph is traced,
    computed in the graph.
    """
    if torch.compiler.is_compiling():
        return rows_of(torch.arange(low, high, device=device), distances)
    key = (low, high, distances, device)
    if key not in _cache:
        with torch.inference_mode(mode=False):  # training may ask for the same rows later
            rows_T = rows_of(torch.arange(low, high), distances).to(device)
        if type(rows_T) is not Tensor:  # a fake tensor of some tracer
            return rows_T
        with _lock:
            if len(_cache) >= _CACHE_LIMIT:
                _cache.clear()
            _cache[key] = rows_T
    return _cache[key]
