"""The examination of a run: machine, memory, disk, corpus, and earlier checkpoints."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from thunder.encoder.configuration import EncoderConfig
from thunder.training.doctor import costs, machine, memory
from thunder.training.doctor.findings import Finding, Level
from thunder.training.pretraining.settings import Pretraining
from thunder.training.settings import EngineSettings, Phase

_MANY_EPOCHS = 4.0


def examine(settings: Pretraining | None, *, processes: int = 1) -> Iterator[Finding]:
    """Yield all that is found, of the machine alone where there are no settings.

    *processes* is how many the run will have; what cannot be seen from this machine (other nodes,
    whether folders are shared) is not judged. The plan of a corpus's rows is made where it is
    missing, as the run would do.
    """
    yield from machine.examine(settings.engine if settings else EngineSettings())
    if settings is None:
        return
    try:
        config = encoder(settings)
    except (ValueError, LookupError, FileNotFoundError) as error:
        yield Finding("fail", "model", str(error), "correct [model] or [corpus] tokenizer")
        return
    yield Finding("ok", "model", f"{config.parameters().total / 1e6:,.0f} million weights")
    yield from sharing(settings, processes)
    yield from room(settings, config, processes)
    yield from corpus(settings)
    yield from folder(settings, config)


def encoder(settings: Pretraining) -> EncoderConfig:
    """Return the encoder's configuration; ValueError or LookupError where it cannot be."""
    from thunder.training.pretraining.running import encoder_config

    return encoder_config(settings)


def sharing(settings: Pretraining, processes: int) -> Iterator[Finding]:
    """Yield whether every phase's batch can be shared evenly."""
    for number, phase in enumerate(settings.phases):
        matter = f"phase {number + 1} ({phase.length})"
        try:
            turns = phase.accumulation(processes)
        except ValueError as error:
            yield Finding("fail", matter, str(error))
            continue
        told = f"{phase.number_of_steps:,} steps of {processes} x {turns} x {phase.micro_batch}"
        yield Finding("ok", matter, told)


def room(settings: Pretraining, config: EncoderConfig, processes: int) -> Iterator[Finding]:
    """Yield whether the memory of a GPU, or of this machine, holds every phase."""
    import torch

    fused = torch.cuda.is_available()
    if fused:
        total, what = float(torch.cuda.get_device_properties(0).total_memory), "GPU memory"
    else:
        here = min(processes, os.cpu_count() or 1)
        total, what = _machine_memory() / here, f"memory of each of {here} processes here"
    for number, phase in enumerate(settings.phases):
        needed = partial(
            memory.needed,
            config,
            phase,
            engine=settings.engine,
            processes=processes,
            share=settings.masking.share,
        )
        need = needed(fused=fused)
        told = (
            f"{need.total / 1e9:.1f} GB of {total / 1e9:.1f} (states {need.states / 1e9:.1f}, "
            f"activations {need.activations / 1e9:.1f}, head {need.head / 1e9:.1f})"
        )
        if not fused:
            told += f"; on a GPU {needed(fused=True).total / 1e9:.1f} GB"
        level: Level = "ok" if need.total <= 0.9 * total else "warn"
        level = level if need.total <= total else "fail"
        cure = "" if level == "ok" else _smaller(settings, phase, need, total, processes)
        yield Finding(level, f"{what}, phase {number + 1}", told, cure)


def _smaller(
    settings: Pretraining, phase: Phase, need: memory.Memory, total: float, processes: int
) -> str:
    """Return what to do where a phase needs more than *total*, or almost as much."""
    cures = []
    if phase.micro_batch > 1 and need.fixed < total:
        cures.append("a smaller 'micro_batch' of the phase (the losses stay those of the batch)")
    if processes > 1 and settings.engine.zero < 3:
        zero = settings.engine.zero + 1
        cures.append(f'engine.kind "deepspeed" with engine.zero = {zero}, which shares states out')
    return "take " + "; or ".join([*cures, "a device with more memory"])


def _machine_memory() -> float:
    return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def corpus(settings: Pretraining) -> Iterator[Finding]:
    """Yield whether corpus, tokenizer and weights fit, and how often each row would be seen."""
    from thunder.training.pretraining.samples import rows_of

    for phase in settings.phases:
        try:
            rows = rows_of(settings, phase, part="train")
            if settings.held_out.every:
                rows_of(settings, phase, part="held-out")
        except (ValueError, LookupError, OSError) as error:
            yield Finding(
                "fail", "corpus", str(error), "pretrain/prepare_corpus.py makes it; see [corpus]"
            )
            return
        seen = phase.number_of_steps * phase.global_batch
        most, source = max(
            (seen * share / max(len(rows.only(name)), 1), name)
            for name, share in rows.weights.items()
        )
        told = f"{len(rows):,} rows of {phase.length}, {rows.padding:.1%} padding; {source!r} "
        told += f"would be seen {most:.1f} times"
        if most > _MANY_EPOCHS:
            cure = "more text, fewer tokens, or less weight on it: it would be learnt by heart"
            yield Finding("warn", "corpus", told, cure)
        else:
            yield Finding("ok", "corpus", told)


def folder(settings: Pretraining, config: EncoderConfig) -> Iterator[Finding]:
    """Yield whether checkpoints can be written, find room, and what is already there."""
    from thunder.training import checkpoints

    place = settings.checkpoints.folder
    existing = next(one for one in (place, *place.absolute().parents) if one.exists())
    if not os.access(existing, os.W_OK) or not existing.is_dir():
        cure = "give another checkpoints.folder"
        yield Finding("fail", "checkpoints", f"nothing can be written in {existing}", cure)
        return
    yield _disk(settings, config, existing)
    found = checkpoints.latest(place)
    for problem in found.passed_over:
        yield Finding("warn", "checkpoints", problem, "it would be passed over")
    if found.path is not None:
        yield _goes_on(settings, found.path)


def _disk(settings: Pretraining, config: EncoderConfig, place: Path) -> Finding:
    import shutil

    free, need = shutil.disk_usage(place).free, costs.disk(settings, config)
    told = f"{need / 1e9:,.1f} GB needed in {place}, {free / 1e9:,.1f} free"
    if need > free:
        cure = "make room, or lower checkpoints.keep_last, or raise keep_every"
        return Finding("fail", "disk", told, cure)
    return Finding("ok", "disk", told)


def _goes_on(settings: Pretraining, path: Path) -> Finding:
    from thunder.training import checkpoints

    try:
        checkpoints.require_same(checkpoints.state(path)["fixed"], settings.fixed(), path)
    except ValueError as error:
        return Finding("fail", "checkpoints", str(error))
    return Finding("ok", "checkpoints", f"the run would go on from {path}")
