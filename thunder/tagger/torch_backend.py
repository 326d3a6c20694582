"""Scores from torch: on a GPU in bf16 if there is one, else on the processor."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from thunder.encoder.inference import Inference, fast_dtype
from thunder.tagger import networks
from thunder.tagger.backend import Batch, Scores
from thunder.tagger.folder import Manifest


class TorchScorer:
    """A network ready to be asked, of a folder or as it stands in memory."""

    def __init__(
        self, place: Path, manifest: Manifest, *, device: str | None = None, trust: bool = False
    ) -> None:
        networks.require_trust(place, own_code=manifest.own_code, trust=trust)
        network = networks.opened(place, manifest.architecture, trust=manifest.own_code)
        self._set(network, classes=manifest.classes, device=device)

    @classmethod
    def of(
        cls,
        network: nn.Module,
        *,
        classes: int,
        device: str | None = None,
        precision: str = "auto",
    ) -> "TorchScorer":
        """Return the scorer of a *network* in memory, which is changed for good.

        *precision* is our encoder's (``Inference``): "float32" whatever is faster on the device.
        """
        made = cls.__new__(cls)
        made._set(network, classes=classes, device=device, precision=precision)
        return made

    def _set(
        self, network: nn.Module, *, classes: int, device: str | None, precision: str = "auto"
    ) -> None:
        self.classes = classes
        self.hints = networks.hints(network)
        where = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._device = torch.device(where)
        network = network.to(self._device).eval()
        found: Any = network
        has_positions = hasattr(getattr(found, "encoder", None), "freeze_positions")
        ours = Inference(found, precision=precision) if has_positions else None
        self._ask = ours or _Plain(network, self._device)

    def __call__(self, batch: Batch, /) -> Scores:
        """Return the scores of each token."""
        given = (torch.from_numpy(one).to(self._device) for one in batch if one is not None)
        scores_BSC: Scores = self._ask(*given).cpu().numpy().astype(np.float32)
        return scores_BSC


class _Plain:
    """Any other network, in the fastest arithmetic of the device."""

    def __init__(self, network: nn.Module, device: torch.device) -> None:
        self._network, self._device = network, device
        self._dtype = fast_dtype(device.type)

    def __call__(self, input_ids_BS: Tensor, attention_mask_BS: Tensor) -> Tensor:
        cast = torch.autocast(self._device.type, self._dtype, enabled=self._dtype != torch.float32)
        inputs = {"input_ids": input_ids_BS, "attention_mask": attention_mask_BS}
        with torch.inference_mode(), cast:
            return networks.scores(self._network, inputs).float()
