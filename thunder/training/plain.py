"""The plain engine: PyTorch alone, with DDP where there are several processes."""

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from thunder.training.loop import Outcome, Update
from thunder.training.processes import Processes
from thunder.training.settings import EngineSettings, Optimizer

DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}
MOMENTS = ("exp_avg", "exp_avg_sq")


class LossScale(NamedTuple):
    """What fp16's losses are multiplied by, and for how many steps nothing has overflowed."""

    value: float
    steady: int


LEAST_SCALE = 1.0
"""A gradient that overflows at this scale is no matter of fp16's range: the run stops."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What an engine goes on from: *read* returns a kept tensor by its name.

    *updates* counts the moves of the optimizer; *loss_scale* is fp16's, None in other precisions.
    """

    read: Callable[[str], Tensor]
    updates: int
    loss_scale: LossScale | None = None


def groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Return AdamW's groups: matrices decay; biases and LayerNorm weights do not."""
    moved = [weight for weight in model.parameters() if weight.requires_grad]
    return [
        {"params": [w for w in moved if w.ndim >= 2], "weight_decay": weight_decay},
        {"params": [w for w in moved if w.ndim < 2], "weight_decay": 0.0},
    ]


def autocast(precision: str, device: torch.device) -> AbstractContextManager[Any]:
    """Return the context in which products are computed in *precision*."""
    if precision == "fp32":
        return nullcontext()
    if precision == "fp16" and device.type == "cpu":
        raise ValueError('\'precision\' = "fp16" needs a GPU; on a CPU choose "bf16" or "fp32"')
    return torch.autocast(device.type, dtype=DTYPES[precision])


class PlainEngine:
    """Weights, gradients and moments in fp32 on every process; products in bf16 or fp16.

    With autocast there is one copy of the weights to keep and to save, no rounding of small
    updates, and the same code in every precision; at the paper's sizes the casts cost under 1 %
    of a step, and fp32 gradients are summed between processes while the backward pass runs.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        optimizer: Optimizer,
        settings: EngineSettings,
        processes: Processes,
        kept: Kept | None = None,
    ) -> None:
        self.processes = processes
        self.model = model.to(processes.device)
        self._precision = settings.precision
        autocast(settings.precision, processes.device)  # refuses what cannot be
        self._clip = optimizer.clip or math.inf
        self._optimizer = torch.optim.AdamW(
            groups(model, optimizer.weight_decay),
            lr=0.0,
            betas=optimizer.betas,
            eps=optimizer.epsilon,
            fused=True,
        )
        self._scaler = torch.amp.GradScaler("cuda", enabled=settings.precision == "fp16")
        if settings.compile:
            self.model.compile()
        self._called: nn.Module = self.model
        if processes.size > 1:
            self._called = DistributedDataParallel(self.model, gradient_as_bucket_view=True)
        self.updates = 0
        if kept is not None:
            self._go_on(kept)

    def forward_backward(self, inputs: dict[str, Tensor], *, scale: float, last: bool) -> Outcome:
        """Add the gradient of *scale* times the summed loss; processes sum it after the *last*."""
        self.model.train()
        with self._sync(last):
            outcome = self._forward(self._called, inputs)
            torch.autograd.backward(self._scaler.scale(outcome.loss_sum * scale))
        return Outcome(outcome.loss_sum.detach(), outcome.correct)

    def update(self, rate: float) -> Update:
        """Clip the gradient and move the weights once, unless the gradient is not finite."""
        before = scale_of(self._scaler)
        self._scaler.unscale_(self._optimizer)
        norm = float(nn.utils.clip_grad_norm_(self.model.parameters(), self._clip))
        finite = math.isfinite(norm)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        if self._scaler.is_enabled():
            self._scaler.step(self._optimizer)
            self._scaler.update()
        elif finite:
            self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.updates += finite
        skipped = not finite and before is not None and before.value > LEAST_SCALE
        return Update(norm, skipped=skipped)

    def evaluate(self, inputs: dict[str, Tensor]) -> Outcome:
        """Return the outcome without dropout and without a gradient."""
        self.model.eval()
        with torch.no_grad():
            return self._forward(self.model, inputs)

    def tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Yield everything that a checkpoint keeps, by name."""
        yield from buffers(self.model)
        for name, weight in self.model.named_parameters():
            yield f"model/{name}", weight.detach()
            for moment in MOMENTS:
                kept = self._optimizer.state[weight].get(moment)
                yield f"{moment}/{name}", torch.zeros_like(weight) if kept is None else kept

    @property
    def loss_scale(self) -> LossScale | None:
        """The scale of fp16's loss; None in other precisions."""
        return scale_of(self._scaler)

    def close(self) -> None:
        """Let go of the memory; the engine is not used after."""
        self._optimizer.state.clear()

    def _go_on(self, kept: Kept) -> None:
        self.updates = kept.updates
        restore_weights(self.model, kept)
        for name, weight in self.model.named_parameters():
            if weight.requires_grad and kept.updates:
                state = self._optimizer.state[weight]
                state["step"] = torch.tensor(float(kept.updates), device=weight.device)
                for moment in MOMENTS:
                    state[moment] = kept.read(f"{moment}/{name}").to(weight.device)
        set_scale(self._scaler, kept.loss_scale)

    def _forward(self, called: nn.Module, inputs: dict[str, Tensor]) -> Outcome:
        moved = {
            name: one.to(self.processes.device, non_blocking=True) for name, one in inputs.items()
        }
        with autocast(self._precision, self.processes.device):
            out = called(**moved)
        return Outcome(out.loss_sum.float(), out.correct)

    def _sync(self, last: bool) -> AbstractContextManager[Any]:
        if last or not isinstance(self._called, DistributedDataParallel):
            return nullcontext()
        return self._called.no_sync()


def scale_of(scaler: torch.amp.GradScaler | None) -> LossScale | None:
    """Return the state of a scaler of torch's, or None where there is none."""
    if scaler is None or not scaler.is_enabled():
        return None
    held = scaler.state_dict()
    return LossScale(float(held["scale"]), int(held["_growth_tracker"]))


def set_scale(scaler: torch.amp.GradScaler, kept: LossScale | None) -> None:
    """Let a scaler of torch's go on from *kept*."""
    if kept is not None and scaler.is_enabled():
        changed = {"scale": kept.value, "_growth_tracker": kept.steady}
        scaler.load_state_dict({**scaler.state_dict(), **changed})


def buffers(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Yield the persistent buffers of *model*, as a checkpoint names them."""
    kept = model.state_dict()
    for name, buffer in model.named_buffers():
        if name in kept:
            yield f"buffer/{name}", buffer.detach()


def restore_weights(model: nn.Module, kept: Kept) -> None:
    """Copy kept weights and persistent buffers into *model*."""
    with torch.no_grad():
        for name, buffer in list(buffers(model)):
            buffer.copy_(kept.read(name))
        for name, weight in model.named_parameters():
            weight.copy_(kept.read(f"model/{name}"))
