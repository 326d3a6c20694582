"""The examination of a run: machine, memory, disk, corpus, and earlier checkpoints."""

from collections.abc import Iterator
from functools import partial

from thunder.encoder.configuration import EncoderConfig
from thunder.training.doctor import costs, machine, memory, places
from thunder.training.doctor.findings import Finding
from thunder.training.doctor.targets import Target
from thunder.training.pretraining.settings import Pretraining
from thunder.training.settings import EngineSettings, Phase

_MANY_EPOCHS = 4.0


def examine(
    settings: Pretraining | None, *, processes: int = 1, target: Target | None = None
) -> Iterator[Finding]:
    """Yield all that is found, of the machine alone where there are no settings.

    *processes* is how many the run will have; what cannot be seen from this machine (other nodes,
    whether folders are shared) is not judged. The plan of a corpus's rows is made where it is
    missing, as the run would do. With a *target* the run is planned for that machine: what only it
    could tell is left out, and neither a corpus that is not there yet nor a disk that is too small
    here is a failure.
    """
    yield from machine.examine(settings.engine if settings else EngineSettings(), target=target)
    if settings is None:
        return
    try:
        config = encoder(settings)
    except (ValueError, LookupError, FileNotFoundError) as error:
        yield Finding("fail", "model", str(error), "correct [model] or [corpus] tokenizer")
        return
    yield Finding("ok", "model", f"{config.parameters().total / 1e6:,.0f} million weights")
    yield from places.sharing(settings.phases, processes)
    yield from room(settings, config, processes, target)
    for found in (*corpus(settings), *folder(settings, config)):
        yield found._replace(level="warn") if target and found.level == "fail" else found


def encoder(settings: Pretraining) -> EncoderConfig:
    """Return the encoder's configuration; ValueError or LookupError where it cannot be."""
    from thunder.training.pretraining.running import encoder_config

    return encoder_config(settings)


def room(
    settings: Pretraining, config: EncoderConfig, processes: int, target: Target | None = None
) -> Iterator[Finding]:
    """Yield whether the memory of a GPU, or of this machine, holds every phase."""
    for number, phase in enumerate(settings.phases):
        micro = "a smaller 'micro_batch' of the phase (the losses stay those of the batch)"
        yield places.room(
            partial(_needed, settings, config, phase, processes),
            settings.engine,
            matter=f"memory, phase {number + 1}",
            cures=[micro] if phase.micro_batch > 1 else [],
            processes=processes,
            target=target,
        )


def _needed(
    settings: Pretraining, config: EncoderConfig, phase: Phase, processes: int, fused: bool
) -> memory.Memory:
    return memory.needed(
        config,
        phase,
        engine=settings.engine,
        processes=processes,
        share=settings.masking.share,
        fused=fused,
    )


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
    need = costs.disk(settings.checkpoints, settings.steps, memory.Network.of(config))
    yield from places.folder(settings.checkpoints.folder, need, settings.fixed)
