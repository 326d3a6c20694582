"""Disentangled attention of DeBERTa-v3: one function, five ways to compute it.

`disentangled_attention` takes the projected queries, keys, values and relative positions of one
layer, a `Layout` (who may see whom) and the `Distances` (which row a distance uses); *backend*
names the way, "auto" lets `choose` take it. All ways give the same numbers to rounding.
"""

from thunder.encoder.attention.choice import Need, backends, choose, disentangled_attention
from thunder.encoder.attention.distances import Distances
from thunder.encoder.attention.layout import Layout

__all__ = ["Distances", "Layout", "Need", "backends", "choose", "disentangled_attention"]
