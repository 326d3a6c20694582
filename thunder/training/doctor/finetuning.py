"""The examination of a fine-tuning run: where it starts from, its dataset, memory, cost."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from thunder.encoder.configuration import EncoderConfig
from thunder.encoder.sizes import SIZES, sized
from thunder.training.doctor import costs, machine, memory, places
from thunder.training.doctor.costs import Bill
from thunder.training.doctor.findings import Finding, Level
from thunder.training.doctor.memory import Network
from thunder.training.doctor.targets import H100, Gpu, Target
from thunder.training.finetuning.settings import Finetuning
from thunder.training.settings import Phase

PAPERS_DOCUMENTS = 5361
# Where a baseline's folder is not there yet: Table E.1 of the paper, weights as published.
_BASELINES = {
    "polyglot-ko-1.3b": Network(1.33e9, 24, 2048, 16),
    "EXAONE-3.5-2.4B-Instruct": Network(2.4e9, 30, 2560, 32),
}


class Known(NamedTuple):
    """What a run's network is: its sizes, our configuration where it is ours, and whence."""

    network: Network
    config: EncoderConfig | None
    source: str


class Documents(NamedTuple):
    """Training documents, tokens in all of them, and whence both."""

    number: int
    tokens: int
    source: str


def examine(
    settings: Finetuning, *, processes: int, target: Target | None, documents: int | None = None
) -> Iterator[Finding]:
    """Yield all that is found; with a *target*, what only that machine can tell is left out.

    *documents* stands in for a dataset that is not there yet.
    """
    yield from machine.examine(settings.engine, target=target)
    absent: Level = "warn" if target else "fail"
    try:
        known = network(settings)
    except (ValueError, LookupError, OSError) as error:
        yield Finding("fail", "model", str(error), "correct [model]")
        return
    yield Finding(
        "ok", "model", f"{known.network.weights / 1e6:,.0f} million weights ({known.source})"
    )
    if settings.model.start is not None and not settings.model.start.is_dir():
        told = f"{settings.model.start} is not there yet"
        yield Finding(absent, "start", told, "pretrain/export.py, or finetune/README.md, says how")
    yield _dataset(settings, absent)
    phase = settings.schedule.phase(documents=counted(settings, documents).number)
    yield from places.sharing((phase,), processes)
    yield _room(settings, known.network, phase, processes, target)
    checkpoint = memory.checkpoint(known.network)
    need = costs.disk(settings.checkpoints, phase.number_of_steps, known.network)
    for found in places.folder(settings.checkpoints.folder, need + checkpoint / 3, settings.fixed):
        yield found._replace(level="warn") if target and found.level == "fail" else found


def network(settings: Finetuning) -> Known:
    """Return what the run's network is: of its folder, or of its name where that is not there."""
    model = settings.model
    if model.kind == "bilstm":
        from thunder.tagger.bilstm import BilstmConfig

        sizes: dict[str, Any] = {**model.changes}
        config = BilstmConfig(vocab_size=33_472, classes=730, **sizes)
        weights = config.vocab_size * config.embedding + 8 * config.width * (
            config.embedding + config.width
        )
        return Known(Network(weights, 1, config.width, 1), None, "counted")
    if model.kind == "transformers":
        assert model.start is not None
        return _other(model.start, trust=model.trust)
    if model.size is not None:
        made = sized(model.size, **model.changes)
        return Known(Network.of(made), made, "counted")
    assert model.start is not None
    if (model.start / "config.json").is_file():
        made = EncoderConfig.from_pretrained(model.start)
        return Known(Network.of(made), made, f"counted, of {model.start}")
    if model.start.name in SIZES:
        made = sized(model.start.name)
        return Known(Network.of(made), made, f"counted, of the size {model.start.name}")
    raise LookupError(f"{model.start} is not there, and is called after no size of the encoder")


def _other(start: Path, *, trust: bool) -> Known:
    if (start / "config.json").is_file():
        import torch

        from thunder.tagger.networks import OtherTagger

        table = json.loads((start / "config.json").read_text("utf-8"))
        with torch.device("meta"):
            made = OtherTagger.shaped(start, trust=trust)
        weights = sum(one.numel() for one in made.parameters())
        layers, width = (
            table.get("num_hidden_layers", table.get("num_layers")),
            table["hidden_size"],
        )
        sizes = Network(weights, layers, width, table["num_attention_heads"])
        return Known(sizes, None, f"counted, of {start}")
    found = _BASELINES.get(start.name)
    if found is None:
        raise LookupError(f"{start} is not there: its sizes are unknown")
    return Known(found, None, "Table E.1 of the paper")


def counted(settings: Finetuning, documents: int | None) -> Documents:
    """Return the dataset's training documents and tokens, else *documents* or the paper's."""
    from thunder.training_data.datasets import manifest as manifests

    try:
        part = manifests.read(settings.data.folder).counts["parts"]["train"]
    except (ValueError, LookupError, OSError):
        number = documents or PAPERS_DOCUMENTS
        length = settings.schedule.length
        whence = "given" if documents else "the paper's"
        source = f"guessed: {number:,} documents ({whence}) of {length:,} tokens, the most it reads"
        return Documents(number, number * length, source)
    tokens = part["tokens"] * part["documents"] // max(part["examples"], 1)
    return Documents(part["documents"], tokens, f"counted, of {settings.data.folder}")


def _dataset(settings: Finetuning, absent: Level) -> Finding:
    from thunder.training_data.datasets import manifest as manifests

    try:
        parts = manifests.read(settings.data.folder).counts["parts"]
    except (ValueError, LookupError, OSError) as error:
        return Finding(absent, "dataset", str(error), "thunder dataset build makes it; see [data]")
    told = ", ".join(f"{name} {parts[name]['documents']:,}" for name in ("train", "dev", "test"))
    return Finding(
        "ok", "dataset", f"{told} documents, {parts['train']['tokens']:,} tokens to train on"
    )


def _room(
    settings: Finetuning, network: Network, phase: Phase, processes: int, target: Target | None
) -> Finding:
    row = settings.schedule.row or settings.schedule.length
    tokens = min(settings.schedule.budget, phase.micro_batch * row)
    cures = ["a smaller 'budget' of [schedule] (slower, the same losses)"]
    return places.room(
        lambda fused: memory.taken(
            network,
            tokens=tokens,
            length=settings.schedule.length,
            scores=float(tokens) * 730,
            engine=settings.engine,
            processes=processes,
            fused=fused,
        ),
        settings.engine,
        matter="memory",
        cures=cures if tokens > row else [],
        processes=processes,
        target=target,
    )


def bill(
    settings: Finetuning,
    *,
    processes: int,
    rate: float | None = None,
    documents: int | None = None,
    gpu: Gpu = H100,
) -> Bill:
    """Return what the run costs at *rate*, or at the share of the peak that the paper had.

    The paper says nothing of how long its fine-tuning took: its pre-training's share of an H100's
    peak is a guess, and of a network that is not ours a bolder one.
    """
    known, data = network(settings), counted(settings, documents)
    phase = settings.schedule.phase(documents=data.number)
    tokens = data.tokens * settings.schedule.epochs
    source = "given"
    if rate is None:
        rate, source = _guessed(settings, known, gpu)
    kept = costs.disk(settings.checkpoints, phase.number_of_steps, known.network)
    best = memory.checkpoint(known.network) / 3  # weights without moments
    return Bill(
        steps=phase.number_of_steps,
        tokens=tokens,
        processes=processes,
        rates=(rate,),
        source=source,
        hours=tokens / (rate * processes) / 3600,
        disk_gb=(kept + best) / 1e9,
        tokens_from=data.source,
    )


def _guessed(settings: Finetuning, known: Known, gpu: Gpu) -> tuple[float, str]:
    sizes = {size: Network.of(sized(size)).weights for size in costs.PAPER}
    near = min(sizes, key=lambda size: abs(sizes[size] - known.network.weights))
    share = costs.share_of_peak(near, sized(near))
    if known.config is not None:
        cost = known.config.flops_per_token(settings.schedule.length, head_share=0.0)
    else:
        cost = 6 * known.network.weights
    source = (
        f"guessed: {share:.0%} of {gpu.tflops:g} TFLOP/s, as the paper's pre-training of {near} had"
    )
    return share * gpu.tflops * 1e12 / cost, source
