"""The rows of distances, normed, and their projections: made once per weights, never per row.

Shapes: W width, H heads, D head width, R rows of distances.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from thunder.encoder.configuration import EncoderConfig
from thunder.encoder.layers import Attention, Projected


class Positions(nn.Module):
    """What every layer's heads make of the distances between tokens.

    While training, each forward pass makes them anew, once per layer. In evaluation without
    gradients they are kept and used again until a weight changes: in place (its version counts
    up), by moving or casting the model, or by loading. Code that writes through ``weight.data``
    is not seen by the counter; changing between ``train()`` and ``eval()`` forgets what is kept,
    so a training loop that does is safe, whatever its optimizer does.
    """

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.rows = nn.Embedding(config.position_rows, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self._kept: tuple[tuple[Any, ...], tuple[Projected, ...]] | None = None
        self._frozen = False

    def forward(self, attentions: Sequence[Attention]) -> tuple[Projected, ...]:
        """Return the projections for each of *attentions*."""
        if self._frozen and self._kept is not None and not self.training:
            return self._kept[1]
        if self.training or torch.is_grad_enabled() or torch.compiler.is_compiling():
            return self._made(attentions)
        state = _state([*self.parameters(), *_weights(attentions)])
        if state is None:
            return self._made(attentions)
        if self._kept is None or self._kept[0] != state:
            self._kept = state, self._made(attentions)
        return self._kept[1]

    def _made(self, attentions: Sequence[Attention]) -> tuple[Projected, ...]:
        rows_RW = self.norm(self.rows.weight)
        return tuple(attention.projected(self.dropout(rows_RW)) for attention in attentions)

    def freeze(self, attentions: Sequence[Attention]) -> None:
        """Make the projections constants, for compilers and exports, until ``train()``.

        The caller promises that the weights stay as they are.
        """
        with torch.no_grad():
            self._kept = (
                (),
                tuple(
                    Projected(*(part.clone() for part in made)) for made in self._made(attentions)
                ),
            )
        self._frozen = True

    def forget(self) -> None:
        """Make the projections anew at the next forward pass."""
        self._kept, self._frozen = None, False

    def train(self, mode: bool = True) -> "Positions":
        """Set the mode as ``nn.Module`` does; a change of it forgets what was kept."""
        if mode != self.training:
            self.forget()
        return super().train(mode)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "Positions":
        self.forget()
        made: Positions = super()._apply(fn, recurse)
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": None, "_frozen": False}


def _weights(attentions: Iterable[Attention]) -> list[Tensor]:
    return [
        weight
        for attention in attentions
        for weight in (attention.query_key_value.weight, attention.query_key_value.bias)
    ]


def _state(weights: Sequence[Tensor]) -> tuple[Any, ...] | None:
    """Return what changes when a weight does, or None where torch keeps no count of it."""
    if any(weight.is_inference() for weight in weights):
        return None
    device = weights[0].device.type
    cast = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else None
    return cast, *((id(w), w.data_ptr(), w._version, w.dtype) for w in weights)
