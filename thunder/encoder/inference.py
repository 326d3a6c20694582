"""A model made ready to be asked: the fastest arithmetic that the machine has, nothing kept.

Measured by ``benchmarks/encoder_cpu.py``.
"""

from typing import Any

import torch
from torch import Tensor, nn

PRECISIONS = ("auto", "float32", "bfloat16")


def fast_dtype(device: str = "cpu") -> torch.dtype:
    """Return the fastest type that loses nothing worth having on *device*.

    bfloat16 where a processor multiplies it natively (AVX512-BF16 or AMX) and on GPUs, else
    float32: emulated bfloat16 is slower than that.
    """
    if device != "cpu":
        return torch.bfloat16
    native = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.bfloat16 if native else torch.float32


class Inference:
    """A callable that gives a model's scores as float32; the model is changed for good.

    Its linear layers are cast to the precision chosen, once instead of at every call; norms and
    sums stay in float32. The projections of distances become constants, so the weights must stay
    as they are: do not train the model again. ``precision`` is "auto", "float32" or "bfloat16".
    """

    def __init__(self, model: Any, *, precision: str = "auto") -> None:
        if precision not in PRECISIONS:
            raise ValueError(f"precision is one of {', '.join(PRECISIONS)}, not {precision!r}")
        self.device = str(model.device.type)
        self.dtype = fast_dtype(self.device) if precision == "auto" else getattr(torch, precision)
        self.model = model.eval().requires_grad_(False)
        for module in model.modules():
            if isinstance(module, nn.Linear):
                _cast(module, self.dtype)
        with self._cast_sums():
            getattr(model, model.base_model_prefix, model).freeze_positions()

    def __call__(
        self,
        input_ids_BS: Tensor,
        attention_mask_BS: Tensor | None = None,
        hint_ids_BS: Tensor | None = None,
    ) -> Tensor:
        """Return the scores of each token (B x S x classes), or vectors if there is no head."""
        told = {} if hint_ids_BS is None else {"hint_ids": hint_ids_BS}
        with torch.inference_mode(), self._cast_sums():
            scores_BSC: Tensor = self.model(input_ids_BS, attention_mask_BS, **told)[0]
        return scores_BSC.float()

    def _cast_sums(self) -> torch.autocast:
        return torch.autocast(self.device, self.dtype, enabled=self.dtype != torch.float32)


def _cast(linear: nn.Linear, dtype: torch.dtype) -> None:
    """Cast a layer's weights; a matrix tied to the embeddings gets its own copy."""
    linear.weight = nn.Parameter(linear.weight.detach().to(dtype), requires_grad=False)
    if linear.bias is not None:
        linear.bias = nn.Parameter(linear.bias.detach().to(dtype), requires_grad=False)
