"""What a run costs: steps, hours, GPU-hours, gigabytes."""

import time
from typing import NamedTuple

from thunder.encoder.configuration import EncoderConfig
from thunder.training.doctor import memory
from thunder.training.pretraining.settings import Pretraining
from thunder.training.settings import Phase

# Tokens a second and GPU that the paper's hours imply (14, 30, 60 billion tokens in 2, 9, 19 hours
# on 32 H100).
PAPER = {"370m": 60_764.0, "800m": 28_935.0, "1.5b": 27_412.0}


class Bill(NamedTuple):
    """A run's cost. *rates* are tokens a second of one process, by phase; *source* says whence."""

    steps: int
    tokens: int
    processes: int
    rates: tuple[float, ...]
    source: str
    hours: float | None
    disk_gb: float

    def lines(self) -> list[str]:
        """Return it as lines to be shown."""
        told = [f"{self.steps:,} steps, {self.tokens:,} tokens, {self.disk_gb:,.1f} GB of disk"]
        if self.hours is None:
            return [*told, "hours: give --rate (tokens a second of a process) or --measure"]
        rates = ", ".join(f"{rate:,.0f}" for rate in self.rates)
        return [
            *told,
            f"{self.hours:,.1f} hours on {self.processes} processes, "
            f"{self.hours * self.processes:,.1f} hours of one, "
            f"at {rates} tokens a second of each ({self.source}),",
            "without saving and measuring, and if they scale perfectly; between nodes reckon with "
            "5 to 15 % more",
        ]


def bill(
    settings: Pretraining,
    config: EncoderConfig,
    *,
    processes: int,
    rates: tuple[float, ...] = (),
    source: str = "given",
) -> Bill:
    """Return what *settings* cost on *processes* at *rates*, one for all phases or one each.

    Without rates the paper's own speed is taken for its sizes, and no hours are told for others.
    """
    if not rates and settings.model.size.lower() in PAPER:
        rates, source = _paper(settings, config), "the paper's speed at 512, by FLOPs elsewhere"
    each = rates * len(settings.phases) if len(rates) == 1 else rates
    hours = None
    if each:
        seconds = [
            phase.number_of_steps * phase.tokens_per_step / (rate * processes)
            for phase, rate in zip(settings.phases, each, strict=True)
        ]
        hours = sum(seconds) / 3600
    return Bill(
        steps=settings.steps,
        tokens=settings.tokens,
        processes=processes,
        rates=each,
        source=source,
        hours=hours,
        disk_gb=disk(settings, config) / 1e9,
    )


def _paper(settings: Pretraining, config: EncoderConfig) -> tuple[float, ...]:
    """Return the paper's rate of each phase; a token costs more in a longer row."""
    rate, cost = PAPER[settings.model.size.lower()], config.flops_per_token(512)
    return tuple(rate * cost / config.flops_per_token(one.length) for one in settings.phases)


def disk(settings: Pretraining, config: EncoderConfig) -> float:
    """Return the bytes of all checkpoints at the end, and of the one being written."""
    kept = settings.checkpoints
    spaced = settings.steps // kept.keep_every if kept.keep_every else 0
    return (kept.keep_last + 1 + spaced) * memory.checkpoint(config)


def measured(
    settings: Pretraining, config: EncoderConfig, *, seconds: float = 20.0
) -> tuple[float, ...]:
    """Return the tokens a second of one process here, by phase, on drawn ids: no corpus needed.

    Each phase takes about *seconds* and one step to warm up; compiling comes on top.
    """
    return tuple(_rate(settings, config, phase, seconds) for phase in settings.phases)


def _rate(settings: Pretraining, config: EncoderConfig, phase: Phase, seconds: float) -> float:
    import torch

    from thunder.encoder import EncoderForMaskedLM
    from thunder.training.plain import PlainEngine
    from thunder.training.processes import Processes

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if settings.engine.threads is not None:
        torch.set_num_threads(settings.engine.threads)
    engine = PlainEngine(
        EncoderForMaskedLM(config),
        optimizer=settings.optimizer,
        settings=settings.engine,
        processes=Processes(device=device),
    )
    ids = torch.randint(5, config.vocab_size, (phase.micro_batch, phase.length))
    labels = torch.where(torch.rand(ids.shape) < settings.masking.share, ids, -100)
    inputs = {"input_ids": ids, "document_ids": torch.ones_like(ids), "labels": labels}
    begun, steps = 0.0, 0
    while not steps or time.perf_counter() - begun < seconds:
        engine.forward_backward(inputs, scale=1 / ids.numel(), last=True)
        engine.update(1e-6)  # reads the norm, so the GPU has finished
        if not begun:
            begun = time.perf_counter()  # the first one compiled and warmed up
        else:
            steps += 1
    rate = steps * ids.numel() / (time.perf_counter() - begun)
    engine.close()
    return rate
