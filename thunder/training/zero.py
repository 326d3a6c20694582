"""The DeepSpeed engine: ZeRO 0 to 3, with checkpoints that no number of processes binds.

DeepSpeed's own checkpoints are pickles that only the same number of processes reads. Weights and
moments are therefore gathered tensor by tensor, into the very form that the plain engine keeps:
a run goes on with another engine, another stage and another number of processes.

Known to work: deepspeed 0.19.8 with torch 2.13. fp16 runs on a GPU only.
"""

import logging
import math
import os
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from thunder.training.loop import Outcome, Update
from thunder.training.plain import (
    LEAST_SCALE,
    MOMENTS,
    Kept,
    LossScale,
    autocast,
    buffers,
    groups,
    restore_weights,
    scale_of,
    set_scale,
)
from thunder.training.processes import Processes
from thunder.training.settings import EngineSettings, Optimizer


class _Stopped(Exception):
    """The guarded optimizer was asked to move along a gradient that is not finite."""


class _GuardedAdamW(torch.optim.AdamW):
    """AdamW that asks before it moves: DeepSpeed calls it after it has the gradient's norm."""

    may_move: Callable[[], bool]

    def step(self, closure: Any = None) -> Any:
        if not self.may_move():
            raise _Stopped
        return super().step(closure)


class DeepSpeedEngine:
    """The engine of ``thunder.training.loop`` over DeepSpeed; see ``PlainEngine`` for precision.

    In bf16 all stages use DeepSpeed's autocast, which keeps fp32 weights. In fp16, ZeRO 0 does
    too; stages 1 to 3 use its fp16 weights with fp32 masters and dynamic loss scaling.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        optimizer: Optimizer,
        settings: EngineSettings,
        processes: Processes,
        micro_batch: int,
        accumulation: int,
        kept: Kept | None = None,
    ) -> None:
        # Not what DeepSpeed finds, but where this run computes ("--device cpu" beside a GPU).
        os.environ["DS_ACCELERATOR"] = processes.device.type
        import deepspeed

        autocast(settings.precision, processes.device)  # refuses what cannot be
        self.processes = processes
        self._zero = settings.zero
        self._clip = optimizer.clip or math.inf
        self._base = _GuardedAdamW(
            groups(model.to(processes.device), optimizer.weight_decay),
            lr=0.0,
            betas=optimizer.betas,
            eps=optimizer.epsilon,
            fused=True,
        )
        self._base.may_move = self._may_move
        if kept is not None:
            restore_weights(model, kept)  # before they are flattened and shared out
        if settings.compile:
            model.compile()
        _ready(processes)
        self._engine, *_ = deepspeed.initialize(
            model=model,
            optimizer=self._base,
            config=deepspeed_config(
                optimizer, settings, micro_batch=micro_batch, accumulation=accumulation
            ),
            dist_init_required=False,
        )
        self.model: nn.Module = self._engine.module
        self.updates = kept.updates if kept is not None else 0
        self._begin_moments(self.updates)
        if kept is not None:
            self._go_on(kept)

    def forward_backward(self, inputs: dict[str, Tensor], *, scale: float, last: bool) -> Outcome:
        """Add the gradient of *scale* times the summed loss; DeepSpeed sums it after the *last*."""
        self._engine.train()
        self._engine.set_gradient_accumulation_boundary(last)
        outcome = self._forward(inputs)
        self._engine.backward(outcome.loss_sum * scale, scale_wrt_gas=False)
        return Outcome(outcome.loss_sum.detach(), outcome.correct)

    def update(self, rate: float) -> Update:
        """Clip the gradient and move the weights once, unless the gradient is not finite."""
        for group in self._engine.optimizer.param_groups:
            group["lr"] = rate
        norm = self._clip_alone() if self._zero == 0 else None
        if norm is not None and not math.isfinite(norm) and self._scaler() is None:
            return Update(norm, skipped=False)
        before = self.loss_scale
        try:
            self._engine.step()
        except _Stopped:
            return Update(math.nan, skipped=False)
        except Exception as error:  # the very class that DeepSpeed raises
            if "loss scale already at minimum" not in str(error):
                raise
            return Update(math.nan, skipped=False)
        if norm is None:
            norm = self._norm()
        moved = math.isfinite(norm) and not getattr(self._engine.optimizer, "overflow", False)
        self.updates += moved
        # In fp32 and bf16, too, ZeRO passes over what is not finite: there it must not go on.
        skipped = not moved and before is not None and before.value > LEAST_SCALE
        return Update(norm if moved else math.inf, skipped=skipped)

    def evaluate(self, inputs: dict[str, Tensor]) -> Outcome:
        """Return the outcome without dropout and without a gradient."""
        self._engine.eval()
        with torch.no_grad():
            return self._forward(inputs)

    def tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Yield everything that a checkpoint keeps, by name; every process gathers all of it."""
        from deepspeed.utils import safe_get_full_fp32_param, safe_get_full_optimizer_state

        yield from buffers(self.model)
        for name, weight in self.model.named_parameters():
            if self._zero == 0:
                yield f"model/{name}", weight.detach()
            else:
                yield f"model/{name}", safe_get_full_fp32_param(weight)
            for moment in MOMENTS:
                if self._zero == 0:
                    yield f"{moment}/{name}", self._base.state[weight][moment]
                else:
                    yield f"{moment}/{name}", safe_get_full_optimizer_state(weight, moment)

    @property
    def loss_scale(self) -> LossScale | None:
        """The scale of fp16's loss; None in other precisions."""
        if (scaler := self._scaler()) is not None:
            return scale_of(scaler)
        if (own := self._own_scaler()) is None:
            return None
        return LossScale(float(own.cur_scale), own.cur_iter - own.last_overflow_iter - 1)

    def close(self) -> None:
        """Let go of the memory and of the hooks; the engine is not used after."""
        self._engine.destroy()

    def _forward(self, inputs: dict[str, Tensor]) -> Outcome:
        device = self.processes.device
        out = self._engine(**{k: one.to(device, non_blocking=True) for k, one in inputs.items()})
        return Outcome(out.loss_sum.float(), out.correct)

    def _clip_alone(self) -> float:
        """Return the norm of ZeRO 0's gradient, clipped here: DeepSpeed does not tell it."""
        if (scaler := self._scaler()) is not None:
            scaler.unscale_(self._base)
        return float(nn.utils.clip_grad_norm_(self.model.parameters(), self._clip))

    def _norm(self) -> float:
        norm = float(self._engine.get_global_grad_norm())
        return norm if norm >= 0 else math.inf  # DeepSpeed writes -1 for a norm that is none

    def _may_move(self) -> bool:
        """Return whether the gradient's norm, the same on all processes, is a number."""
        if self._zero == 0:
            return True  # looked at before
        norm = getattr(self._engine.optimizer, "_global_grad_norm", None)
        return norm is not None and math.isfinite(float(norm)) and float(norm) >= 0

    def _go_on(self, kept: Kept) -> None:
        for name, weight in self.model.named_parameters():
            if weight.requires_grad:
                self._set(weight, kept.read(f"model/{name}"), None)
                for moment in MOMENTS:
                    self._set(weight, kept.read(f"{moment}/{name}"), moment)
        if kept.loss_scale is not None:
            self._set_loss_scale(kept.loss_scale)

    # What follows touches what DeepSpeed does not promise; tests/training hold it.

    def _scaler(self) -> Any:
        """Return ZeRO 0's scaler of fp16 losses, or None."""
        return self._engine.torch_autocast_z0_gradscaler

    def _begin_moments(self, updates: int) -> None:
        """Make the moments that AdamW would make at its first step, at step *updates*.

        ZeRO 1 and 2 link weights to moments after the first group has moved, and so never find
        those of the second; made here, they are all there to be linked.
        """
        optimizer = self._engine.optimizer
        flat = getattr(optimizer, "fp32_partitioned_groups_flat", None)  # ZeRO 3
        weights = flat or [one for group in self._base.param_groups for one in group["params"]]
        for weight in weights:
            state = self._base.state[weight]
            state["step"] = torch.tensor(float(updates), device=weight.device)
            for moment in MOMENTS:
                state[moment] = torch.zeros_like(weight, memory_format=torch.preserve_format)
        if hasattr(optimizer, "_lazy_init_hp_params_optimizer_state"):
            optimizer._lazy_init_hp_params_optimizer_state()

    def _set(self, weight: Any, value: Tensor, moment: str | None) -> None:
        """Give this process's part of a weight's fp32 master, or of a moment, its *value*."""
        from deepspeed import utils

        value = value.to(self.processes.device)
        if self._zero == 0 and moment is not None:
            self._base.state[weight][moment].copy_(value)
        elif self._zero in (1, 2):
            weight.set_full_hp_param(value, moment)
        elif self._zero == 3:
            part = _part(value, self.processes)
            if moment is None:
                utils.safe_set_local_fp32_param(weight, part)
            else:
                utils.safe_set_local_optimizer_state(weight, part, moment)

    def _own_scaler(self) -> Any:
        """Return DeepSpeed's own dynamic scaler, of ZeRO 1 to 3 in fp16, or None."""
        own = getattr(self._engine.optimizer, "loss_scaler", None)
        return own if getattr(own, "dynamic", False) else None

    def _set_loss_scale(self, kept: LossScale) -> None:
        if (scaler := self._scaler()) is not None:
            set_scale(scaler, kept)
        elif (own := self._own_scaler()) is not None:
            own.cur_scale, own.cur_iter, own.last_overflow_iter = kept.value, kept.steady, -1


def deepspeed_config(
    optimizer: Optimizer, settings: EngineSettings, *, micro_batch: int, accumulation: int
) -> dict[str, Any]:
    """Return DeepSpeed's own configuration of a phase."""
    config: dict[str, Any] = {
        "train_micro_batch_size_per_gpu": micro_batch,
        "gradient_accumulation_steps": accumulation,
        # ZeRO 0 does not tell its norm, so the engine clips there.
        "gradient_clipping": optimizer.clip if settings.zero else 0.0,
        "zero_optimization": {"stage": settings.zero},
        "zero_allow_untested_optimizer": True,  # AdamW, guarded
        "steps_per_print": 10**12,
        "wall_clock_breakdown": False,
    }
    if settings.precision == "fp16" and settings.zero:
        # As torch's scaler does it: halved at each overflow, doubled after 2,000 steps without.
        config["fp16"] = {
            "enabled": True,
            "loss_scale": 0,
            "initial_scale_power": 16,
            "loss_scale_window": 2000,
            "hysteresis": 1,
            "min_loss_scale": LEAST_SCALE,
        }
    elif settings.precision != "fp32":
        names = {"bf16": "bfloat16", "fp16": "float16"}
        config["torch_autocast"] = {
            "enabled": True,
            "dtype": names[settings.precision],
            # No module's gradients are sent in half precision.
            "lower_precision_safe_modules": [],
        }
    return config


def _part(value: Tensor, processes: Processes) -> Tensor:
    """Return the part of a tensor that ZeRO 3 gives this process: equal parts, the last padded."""
    flat = value.flatten()
    size = -(-flat.numel() // processes.size)
    part = flat.new_zeros(size)
    mine = flat[size * processes.rank : size * (processes.rank + 1)]
    part[: mine.numel()] = mine
    return part


def _ready(processes: Processes) -> None:
    """Give DeepSpeed the process group it needs, also of one process, and quieten it."""
    import deepspeed
    import torch.distributed as dist

    logging.getLogger("DeepSpeed").setLevel(logging.ERROR)  # it warns of any optimizer of ours
    warnings.filterwarnings("ignore", "`torch.distributed", FutureWarning)
    # Shared-memory collectives for CPUs are compiled at the first start: half a minute, and a
    # compiler that a machine may not have, for what gloo does as well.
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    os.environ.setdefault("LOCAL_RANK", str(processes.device.index or 0))  # it insists on it
    if not dist.is_initialized():
        dist.init_process_group(
            "gloo" if processes.device.type == "cpu" else "nccl",
            store=torch.distributed.HashStore(),  # type: ignore[attr-defined]
            rank=0,
            world_size=1,
        )
    deepspeed.comm.init_distributed(dist_init_required=False)
