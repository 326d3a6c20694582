"""What a run costs: steps, hours, GPU-hours, gigabytes, money; each with where it comes from.

A figure is counted (follows from the configuration), measured (here), given (by the user), derived
(from what the paper states of its own runs), or guessed (from something that is like it).
"""

import time
from typing import NamedTuple

from thunder.encoder.configuration import EncoderConfig
from thunder.training.doctor import memory
from thunder.training.doctor.targets import H100, Gpu
from thunder.training.pretraining.settings import Pretraining
from thunder.training.settings import Checkpoints, Phase

# Tokens a second and GPU that the paper's hours imply (14, 30, 60 billion tokens in 2, 9, 19 hours
# on 32 H100).
PAPER = {"370m": 60_764.0, "800m": 28_935.0, "1.5b": 27_412.0}
# Bytes a Korean and an English token: Wikipedia, 6 MB of each, by the shipped tokenizers.
_BYTES = {"32k": {"ko": 4.66, "en": 3.84}, "128k": {"ko": 5.14, "en": 4.64}}
_ROOM_OF_TWO_BYTES = 1 << 16


class Figure(NamedTuple):
    """One figure of a plan and where it comes from."""

    what: str
    value: str
    source: str

    def __str__(self) -> str:
        return f"{self.what:<8} {self.value}  [{self.source}]"


class Bill(NamedTuple):
    """A run's cost. *rates* are tokens a second of one process, by phase; *source* says whence."""

    steps: int
    tokens: int
    processes: int
    rates: tuple[float, ...]
    source: str
    hours: float | None
    disk_gb: float
    corpus: Figure | None = None
    tokens_from: str = "counted"

    def lines(self, *, price: float | None = None, of: str = "processes") -> list[str]:
        """Return it as lines to be shown; *price* is that of an hour of one process."""
        return [str(one) for one in self.figures(price=price, of=of)]

    def figures(self, *, price: float | None = None, of: str = "processes") -> list[Figure]:
        """Return each figure with its source; *of* is what the processes are called."""
        told = [
            Figure("steps", f"{self.steps:,}", "counted"),
            Figure("tokens", f"{self.tokens:,}", self.tokens_from),
            Figure("disk", f"{self.disk_gb:,.1f} GB of checkpoints", "counted"),
            *([self.corpus] if self.corpus else []),
        ]
        if self.hours is None:
            cure = "give --rate (tokens a second of a process) or --measure"
            return [*told, Figure("hours", "unknown", cure)]
        rates = ", ".join(f"{rate:,.0f}" for rate in self.rates)
        alone = self.hours * self.processes
        value = (
            f"{self.hours:,.1f} on {self.processes} {of}, {alone:,.1f} hours of one, at {rates} "
            "tokens a second of each, without saving and measuring, and if they scale perfectly; "
            "between nodes reckon with 5 to 15 % more"
        )
        money = Figure("money", "unknown", "give --price (of an hour of one GPU)")
        if price is not None:
            paid = f"{alone * price:,.0f} ({alone:,.1f} hours at {price:g})"
            money = Figure("money", paid, f"price given; hours {self.source.partition(':')[0]}")
        return [*told, Figure("hours", value, self.source), money]


def bill(
    settings: Pretraining,
    config: EncoderConfig,
    *,
    processes: int,
    rates: tuple[float, ...] = (),
    source: str = "given",
    gpu: Gpu = H100,
) -> Bill:
    """Return what *settings* cost on *processes* at *rates*, one for all phases or one each.

    Without rates the paper's own speed is taken for its sizes, for another *gpu* than its H100 by
    their peaks, and no hours are told for other sizes.
    """
    if not rates and settings.model.size.lower() in PAPER:
        rates, source = _paper(settings, config, gpu), _source_of(gpu)
    each = rates * len(settings.phases) if len(rates) == 1 else rates
    hours = None
    if each:
        seconds = [
            phase.number_of_steps * phase.tokens_per_step / (rate * processes)
            for phase, rate in zip(settings.phases, each, strict=True)
        ]
        hours = sum(seconds) / 3600
    network = memory.Network.of(config)
    return Bill(
        steps=settings.steps,
        tokens=settings.tokens,
        processes=processes,
        rates=each,
        source=source,
        hours=hours,
        disk_gb=disk(settings.checkpoints, settings.steps, network) / 1e9,
        corpus=corpus(settings, config),
    )


def _paper(settings: Pretraining, config: EncoderConfig, gpu: Gpu) -> tuple[float, ...]:
    """Return the paper's rate of each phase; a token costs more in a longer row."""
    rate, cost = PAPER[settings.model.size.lower()], config.flops_per_token(512)
    rate *= gpu.tflops / H100.tflops
    return tuple(rate * cost / config.flops_per_token(one.length) for one in settings.phases)


def _source_of(gpu: Gpu) -> str:
    paper = "the paper's speed at 512 on 32 H100, by FLOPs elsewhere"
    if gpu.tflops == H100.tflops:
        return f"derived: {paper}"
    return f"guessed: {paper}, times {gpu.tflops:g}/{H100.tflops:g} of peak TFLOP/s"


def share_of_peak(size: str, config: EncoderConfig) -> float:
    """Return the share of an H100's peak that the paper's hours of a *size* imply."""
    return PAPER[size] * config.flops_per_token(512) / (H100.tflops * 1e12)


def corpus(settings: Pretraining, config: EncoderConfig) -> Figure | None:
    """Return what the corpus takes of the disk if no text is read twice, None where unknown."""
    name = settings.corpus.tokenizer
    first = settings.phases[0]
    tokens = first.number_of_steps * first.tokens_per_step
    width = 2 if config.vocab_size <= _ROOM_OF_TWO_BYTES else 4
    kept = f"{tokens * width / 1e9:,.1f} GB of tokens"
    weights = dict(settings.corpus.weights or {})
    if name not in _BYTES or set(weights) != {"ko", "en"}:
        return Figure("corpus", f"{kept}, if none is read twice", "counted")
    text = sum(tokens * share * _BYTES[name][language] for language, share in weights.items())
    value = f"{kept}, made of {text / 1e9:,.0f} GB of text, if none is read twice"
    return Figure("corpus", value, "derived: bytes a token measured on Wikipedia")


def disk(kept: Checkpoints, steps: int, network: memory.Network) -> float:
    """Return the bytes of all checkpoints at the end, and of the one being written."""
    spaced = steps // kept.keep_every if kept.keep_every else 0
    return (kept.keep_last + 1 + spaced) * memory.checkpoint(network)


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
