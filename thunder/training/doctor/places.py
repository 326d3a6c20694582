"""What both kinds of run are asked: shared batches, memory, a folder that can be written."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from thunder.training.doctor.findings import Finding, Level
from thunder.training.doctor.memory import Memory
from thunder.training.doctor.targets import Target
from thunder.training.settings import EngineSettings, Phase


def sharing(phases: Sequence[Phase], processes: int) -> Iterator[Finding]:
    """Yield whether every phase's batch can be shared evenly."""
    for number, phase in enumerate(phases):
        matter = f"phase {number + 1} ({phase.length})"
        try:
            turns = phase.accumulation(processes)
        except ValueError as error:
            yield Finding("fail", matter, str(error))
            continue
        told = f"{phase.number_of_steps:,} steps of {processes} x {turns} x {phase.micro_batch}"
        yield Finding("ok", matter, told)


def room(
    needed: Callable[[bool], Memory],
    engine: EngineSettings,
    *,
    matter: str,
    cures: Sequence[str],
    processes: int,
    target: Target | None = None,
) -> Finding:
    """Return whether a GPU of *target*, of this machine, or this machine itself holds the run.

    *needed* counts the memory, with fused attention (on a GPU) or without.
    """
    import torch

    fused = target is not None or torch.cuda.is_available()
    if target is not None:
        total, what = target.gpu.memory, f"{target.gpu.name} {matter}"
    elif fused:
        total = float(torch.cuda.get_device_properties(0).total_memory)
        what = f"GPU {matter}"
    else:
        here = min(processes, os.cpu_count() or 1)
        total, what = _machine_memory() / here, f"{matter} of each of {here} processes here"
    need = needed(fused)
    told = (
        f"{need.total / 1e9:.1f} GB of {total / 1e9:.1f} (states {need.states / 1e9:.1f}, "
        f"activations {need.activations / 1e9:.1f}, head {need.head / 1e9:.1f})"
    )
    if fused:
        told += " [counted, not measured]"
    else:
        told += f"; on a GPU {needed(True).total / 1e9:.1f} GB"
    level: Level = "ok" if need.total <= 0.9 * total else "warn"
    level = level if need.total <= total else "fail"
    cure = "" if level == "ok" else _smaller(engine, need, total, processes, cures)
    return Finding(level, what, told, cure)


def _smaller(
    engine: EngineSettings, need: Memory, total: float, processes: int, cures: Sequence[str]
) -> str:
    """Return what to do where a run needs more than *total*, or almost as much."""
    fitting = list(cures) if need.fixed < total else []
    if processes > 1 and engine.zero < 3:
        fitting.append(
            f'engine.kind "deepspeed" with engine.zero = {engine.zero + 1}, which shares states out'
        )
    return "take " + "; or ".join([*fitting, "a device with more memory"])


def _machine_memory() -> float:
    return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def folder(place: Path, need: float, fixed: Callable[[], dict[str, Any]]) -> Iterator[Finding]:
    """Yield whether checkpoints of *need* bytes can be written, and what is already there."""
    from thunder.training import checkpoints

    existing = next(one for one in (place, *place.absolute().parents) if one.exists())
    if not os.access(existing, os.W_OK) or not existing.is_dir():
        cure = "give another checkpoints.folder"
        yield Finding("fail", "checkpoints", f"nothing can be written in {existing}", cure)
        return
    yield _disk(need, existing)
    found = checkpoints.latest(place)
    for problem in found.passed_over:
        yield Finding("warn", "checkpoints", problem, "it would be passed over")
    if found.path is not None:
        yield _goes_on(fixed(), found.path)


def _disk(need: float, place: Path) -> Finding:
    free = shutil.disk_usage(place).free
    told = f"{need / 1e9:,.1f} GB needed in {place}, {free / 1e9:,.1f} free"
    if need > free:
        cure = "make room, or lower checkpoints.keep_last, or raise keep_every"
        return Finding("fail", "disk", told, cure)
    return Finding("ok", "disk", told)


def _goes_on(fixed: dict[str, Any], path: Path) -> Finding:
    from thunder.training import checkpoints

    try:
        checkpoints.require_same(checkpoints.state(path)["fixed"], fixed, path)
    except ValueError as error:
        return Finding("fail", "checkpoints", str(error))
    return Finding("ok", "checkpoints", f"the run would go on from {path}")
