"""Whole states on disk: written aside, verified, kept by a rule; no pickle.

A checkpoint is a folder ``step-0000000500`` with safetensors of weights and moments, shared out
over the processes that wrote it, a ``state.json``, and a ``manifest.json`` with the size and hash
of each file. It is written under another name and renamed when all of it is on the disk, so that
a folder of this name is whole whenever the machine stops. The folder must be one that all nodes
share.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from thunder.training.plain import Kept, LossScale
from thunder.training.processes import Processes, Together

_PREFIX = "step-"
_NAME = re.compile(rf"{_PREFIX}\d{{10}}$")
_ASIDE = ".partial-"  # being written, or being deleted


class CheckpointError(Together):
    """A checkpoint that could not be written or read; the text names it and the cure."""


class Found(NamedTuple):
    """The last whole checkpoint, and what was wrong with the later ones."""

    path: Path | None
    passed_over: list[str]


def save(
    folder: Path,
    tensors: Iterable[tuple[str, Tensor]],
    state: dict[str, Any],
    *,
    step: int,
    processes: Processes,
) -> Path:
    """Write the checkpoint of *step* and return its folder, once all of it is on the disk.

    All processes call it. CheckpointError on all of them where one cannot write: what was
    written is removed, and the checkpoints before stay as they are.
    """
    final = folder / f"{_PREFIX}{step:010d}"
    aside = folder / f"{_ASIDE}{final.name}"
    try:
        processes.attempt(lambda: _prepare(aside) if processes.first else None, OSError)
        mine = {
            name: tensor.detach().cpu().clone()
            for number, (name, tensor) in enumerate(tensors)
            if number % processes.size == processes.rank
        }
        part = aside / f"part-{processes.rank:05d}-of-{processes.size:05d}.safetensors"
        processes.attempt(lambda: _write_part(part, mine), OSError, SafetensorError)
        processes.attempt(
            lambda: _seal(aside, final, state, processes.size) if processes.first else None,
            OSError,
        )
    except Together as error:
        if processes.first:
            shutil.rmtree(aside, ignore_errors=True)
        raise CheckpointError(_unwritten(folder, final, str(error))) from None
    return final


def _unwritten(folder: Path, final: Path, problem: str) -> str:
    last = max(_folders(folder), default=None)
    kept = f"the last whole one is {last}" if last else "there is none before it"
    free = shutil.disk_usage(folder).free / 1e9 if folder.exists() else 0.0
    return (
        f"{final}: the checkpoint could not be written ({problem}); {kept}. "
        f"{free:.1f} GB are free there: make room (or lower 'keep_last') and start again"
    )


def _prepare(aside: Path) -> None:
    aside.parent.mkdir(parents=True, exist_ok=True)
    for leftover in aside.parent.glob(f"{_ASIDE}*"):
        shutil.rmtree(leftover)
    aside.mkdir()


def _write_part(path: Path, tensors: dict[str, Tensor]) -> None:
    """Write a process's part, and its description: every process hashes its own, at once."""
    save_file(tensors, path)
    _on_disk(path)
    _write_json(_description(path), _described(path))


def _description(part: Path) -> Path:
    return part.with_suffix(".json")


def _seal(aside: Path, final: Path, state: dict[str, Any], parts: int) -> None:
    """Write state and manifest, and give the folder its name."""
    written = sorted(aside.glob("part-*.safetensors"))
    if len(written) != parts:
        raise OSError(
            f"{len(written)} of {parts} parts are there: do all nodes share {aside.parent}?"
        )
    files = {path.name: _taken_over(path) for path in written}
    _write_json(aside / "state.json", state)
    files["state.json"] = _described(aside / "state.json")
    _write_json(aside / "manifest.json", {"files": files})
    _on_disk(aside)
    if final.exists():  # the same step, written by a run that was told to go back
        _remove(final)
    aside.rename(final)
    _on_disk(final.parent)


def _taken_over(part: Path) -> dict[str, Any]:
    """Return what the process that wrote *part* said of it; OSError where it is seen otherwise."""
    path = _description(part)
    described: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    if part.stat().st_size != described["bytes"]:
        raise OSError(f"{part.name} has not the {described['bytes']} bytes that were written")
    return described


def _write_json(path: Path, table: dict[str, Any]) -> None:
    path.write_text(json.dumps(table, indent=1, ensure_ascii=False), encoding="utf-8")
    _on_disk(path)


def _on_disk(path: Path) -> None:
    """Return when the file, or the folder's list of names, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _described(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}


def problems(path: Path) -> list[str]:
    """Return what is wrong with a checkpoint's files: missing, of another size, changed."""
    try:
        manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
        files = dict(manifest["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return [f"{path}: manifest.json is missing or damaged"]
    found = []
    for name, described in files.items():
        if not (path / name).is_file():
            found.append(f"{path / name}: is missing")
        elif _described(path / name) != described:
            found.append(f"{path / name}: changed since it was written")
    return found


def latest(folder: Path) -> Found:
    """Return the last checkpoint in *folder* that is whole, all its hashes verified."""
    passed: list[str] = []
    for path in sorted(_folders(folder), reverse=True):
        wrong = problems(path)
        if not wrong:
            return Found(path, passed)
        passed.extend(wrong)
    return Found(None, passed)


def _folders(folder: Path) -> list[Path]:
    """Return the folders whose name is a checkpoint's; others that stand there are left alone."""
    return [one for one in folder.glob(f"{_PREFIX}*") if one.is_dir() and _NAME.match(one.name)]


def step_of(path: Path) -> int:
    """Return the step that a checkpoint's folder is named after."""
    return int(path.name.removeprefix(_PREFIX))


def prune(folder: Path, *, done: int, keep_last: int, keep_every: int) -> None:
    """Delete all up to step *done* but the last ones and those of every *keep_every* steps.

    Later ones are damaged, else the run would have gone on from them: they do not count, and are
    replaced when the run comes to their step.
    """
    past = [path for path in sorted(_folders(folder)) if step_of(path) <= done]
    for path in past[:-keep_last]:
        if not keep_every or step_of(path) % keep_every:
            _remove(path)


def _remove(path: Path) -> None:
    """Delete a checkpoint; it loses its name first, so that no half of it is ever found."""
    aside = path.with_name(f"{_ASIDE}deleted-{path.name}")
    path.rename(aside)
    shutil.rmtree(aside)


def state(path: Path) -> dict[str, Any]:
    """Return what *path* says beside its tensors."""
    table: dict[str, Any] = json.loads((path / "state.json").read_text(encoding="utf-8"))
    return table


def kept(path: Path) -> Kept:
    """Return what an engine goes on from; the tensors are read as they are asked for."""
    about = state(path)
    scale = about["loss_scale"]
    return Kept(reader(path), int(about["updates"]), LossScale(*scale) if scale else None)


def reader(path: Path) -> Callable[[str], Tensor]:
    """Return a function from a tensor's name to the tensor; LookupError names what lacks."""
    places = {name: part for part in path.glob("part-*.safetensors") for name in _names(part)}

    def read(name: str) -> Tensor:
        if name not in places:
            raise LookupError(
                f"{path}: holds no {name!r}: it was written for another model; "
                "check [model] in the configuration"
            )
        with safe_open(places[name], framework="pt") as file:
            tensor: Tensor = file.get_tensor(name)
        return tensor

    return read


def weights(path: Path) -> Iterator[tuple[str, Tensor]]:
    """Yield the model's weights and buffers, by their own names, without the moments."""
    for part in sorted(path.glob("part-*.safetensors")):
        with safe_open(part, framework="pt") as file:
            for name in file.keys():  # noqa: SIM118 (no mapping)
                kind, _, own = name.partition("/")
                if kind in ("model", "buffer"):
                    yield own, file.get_tensor(name)


def _names(part: Path) -> list[str]:
    with safe_open(part, framework="pt") as file:
        return list(file.keys())


def require_same(before: Mapping[str, Any], now: Mapping[str, Any], path: Path) -> None:
    """Raise ValueError where the checkpoint in *path* was made with settings other than *now*."""
    for name, value in now.items():
        if before.get(name) != value:
            raise ValueError(
                f"{path} was made with {name} = {before.get(name)}, the configuration says "
                f"{value}: set it back, or give another [checkpoints] folder"
            )
