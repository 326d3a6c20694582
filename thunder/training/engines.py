"""The engine that the settings name."""

from collections.abc import Iterator
from typing import Protocol

from torch import Tensor, nn

from thunder.training.loop import Engine
from thunder.training.plain import Kept, LossScale, PlainEngine
from thunder.training.processes import Processes
from thunder.training.settings import EngineSettings, Optimizer


class AnyEngine(Engine, Protocol):
    """What a run needs beside the loop: an engine whose state can be kept."""

    updates: int

    @property
    def loss_scale(self) -> LossScale | None: ...

    def tensors(self) -> Iterator[tuple[str, Tensor]]: ...

    def close(self) -> None: ...


def engine(
    model: nn.Module,
    *,
    optimizer: Optimizer,
    settings: EngineSettings,
    processes: Processes,
    micro_batch: int,
    accumulation: int,
    kept: Kept | None = None,
) -> AnyEngine:
    """Return the engine of *settings* around *model*, going on from *kept* if there is such.

    ValueError says how to get DeepSpeed where it is asked for and not installed.
    """
    if settings.kind == "plain":
        return PlainEngine(
            model, optimizer=optimizer, settings=settings, processes=processes, kept=kept
        )
    try:
        from thunder.training.zero import DeepSpeedEngine

        return DeepSpeedEngine(
            model,
            optimizer=optimizer,
            settings=settings,
            processes=processes,
            micro_batch=micro_batch,
            accumulation=accumulation,
            kept=kept,
        )
    except ModuleNotFoundError as error:
        if error.name != "deepspeed":
            raise
        raise ValueError(
            "'kind' = \"deepspeed\" needs DeepSpeed: pip install 'thunder-deid[cluster]', "
            'or choose "plain"'
        ) from None
