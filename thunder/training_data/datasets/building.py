"""Annotated files into a dataset: read, split, fill, write down; killed at any time, it goes on."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from thunder.training_data.datasets import manifest, recipe, shards, splits, workplace
from thunder.training_data.datasets import messages as say
from thunder.training_data.datasets.annotated import LeftOut, kind_of
from thunder.training_data.datasets.counting import counts
from thunder.training_data.datasets.judgments import Judgments
from thunder.training_data.datasets.manifest import Manifest
from thunder.training_data.datasets.preparing import (
    Notice,
    Options,
    Prepared,
    found_prepared,
    parts_of,
    prepare,
)
from thunder.training_data.datasets.recipe import Recipe
from thunder.training_data.datasets.shard_building import USED_UP, Broken, Setting, Task, draw
from thunder.training_data.datasets.shards import DatasetError, Shard
from thunder.training_data.datasets.splits import PARTS, PartName
from thunder.training_data.messages import NO_FILE_GIVEN
from thunder.workers import Died, in_order

_ROWS, _CHARACTERS = 256, 1_000_000  # of a shard: small enough for workers to share evenly
_ALONE = 1 << 30  # the cost of a task: each is sent by itself


@dataclass(frozen=True, slots=True)
class Built:
    """A complete dataset, and how the build found its folder."""

    manifest: Manifest
    state: workplace.State


def build(
    files: Sequence[Path],
    folder: Path,
    made_with: Recipe,
    options: Options,
    *,
    workers: int = 1,
    overwrite: bool = False,
    notice: Notice = lambda stage, done, total: None,
) -> Built:
    """Return the dataset that *folder* holds now, made of the annotated *files*.

    The bytes depend on the inputs, the recipe and the options alone: not on workers, nor on how
    often the build was killed and run again. DatasetError or ValueError say what to do.
    """
    plan = _plan(files, made_with, options)
    job = _Job(folder, plan, made_with, options, workers, notice)
    with workplace.locked(folder):
        state = workplace.enter(folder, plan, overwrite=overwrite)
        if state == "complete":
            workplace.leave(folder)
            return Built(_checked(folder), state)
        prepared = found_prepared(folder) or prepare(files, folder, made_with, options, notice)
        if _plan(files, made_with, options) != plan:
            raise DatasetError(say.INPUT_CHANGED(folder=folder))
        found = _manifest(job, prepared, _draw_all(job, prepared))
        shards.settle(folder)
        manifest.write(folder, found)
        workplace.leave(folder)
    return Built(found, state)


class _Job(NamedTuple):
    folder: Path
    plan: Mapping[str, Any]
    recipe: Recipe
    options: Options
    workers: int
    notice: Notice


def _plan(files: Sequence[Path], made_with: Recipe, options: Options) -> dict[str, Any]:
    """Return what decides the bytes of a dataset: code, inputs and options, in JSON's terms."""
    if not files:
        raise ValueError(NO_FILE_GIVEN())
    for path in files:
        kind_of(path)
    annotated = [{"file": path.name, "sha256": shards.file_digest(path)} for path in files]
    inputs: dict[str, Any] = {"annotated": annotated, **made_with.digests()}
    if options.earlier is not None:
        inputs["earlier"] = shards.file_digest(options.earlier)
    chosen = {key: value for key, value in asdict(options).items() if key != "earlier"}
    plan = {
        "made_by": dict(recipe.made_by()),
        "inputs": inputs,
        "options": made_with.options() | chosen,
    }
    text = json.dumps(plan, sort_keys=True, ensure_ascii=False)
    return plan | {"fingerprint": hashlib.sha256(text.encode()).hexdigest()}


def _checked(folder: Path) -> Manifest:
    """Return the manifest of a complete dataset; DatasetError where a file of it is damaged."""
    found = manifest.read(folder)
    try:
        for shard in (*found.judgments, *found.examples):
            shards.check(shard, folder / shard.name, full=True)
    except DatasetError as error:
        raise DatasetError(say.WITH_OVERWRITE(error=error)) from None
    return found


def _draw_all(job: _Job, prepared: Prepared) -> list[Shard]:
    """Return the shards of examples in order; those that are finished are not made again."""
    names = tuple(shard.name for shard in prepared.shards)
    fingerprint = str(job.plan["fingerprint"])
    setting = Setting(job.folder, fingerprint, names, job.recipe, job.options.keep_text)
    tasks = list(_tasks(setting, job.options))
    done = partial(shards.finished, of_build=fingerprint)
    made = {task.name: done(job.folder / task.name) for task in tasks}
    todo = [task for task in tasks if made[task.name] is None]
    job.notice("filling", len(tasks) - len(todo), len(tasks))
    for number, (task, answer) in enumerate(_answers(setting, todo, job.workers), 1):
        if not isinstance(answer, Shard):
            raise DatasetError(_stopped(job.folder, task, answer))
        made[task.name] = answer
        job.notice("filling", len(tasks) - len(todo) + number, len(tasks))
    return [shard for task in tasks if (shard := made[task.name])]


def _tasks(setting: Setting, options: Options) -> Iterator[Task]:
    judgments = Judgments(setting.folder, setting.judgments, setting.recipe.opened_taxonomy)
    heads = list(judgments.heads())
    parts = parts_of(setting.folder, [head.id for head in heads])
    for part in PARTS:
        mine = [row for row in range(len(heads)) if parts[row] == part]
        runs = list(
            shards.chunks((heads[r].characters for r in mine), rows=_ROWS, size=_CHARACTERS)
        )
        for epoch, replica in _draws(part, setting.recipe, options):
            for number, run in enumerate(runs):
                name = f"{part}-e{epoch:04}-r{replica:04}-{number:05}"
                yield Task(name, part, epoch, replica, tuple(mine[at] for at in run))


def _draws(part: PartName, made_with: Recipe, options: Options) -> list[tuple[int, int]]:
    """Return epochs and replicas to store: the other parts are filled once, to measure with."""
    if part != "train":
        return [(0, 0)]
    epochs = options.epochs if made_with.replacement == "per-epoch" else 1
    return [(epoch, replica) for epoch in range(epochs) for replica in range(options.replicas)]


def _answers(
    setting: Setting, tasks: Sequence[Task], workers: int
) -> Iterator[tuple[Task, Shard | Broken | Died]]:
    work = partial(draw, setting)
    if workers > 1 and len(tasks) > 1:
        return in_order(
            *(tasks, partial(map, work)),
            workers=workers,
            sent=lambda task: task,
            cost=lambda task: _ALONE,
        )
    return ((task, work(task)) for task in tasks)


def _stopped(folder: Path, task: Task, answer: Broken | Died) -> str:
    if isinstance(answer, Broken):
        return str(answer)
    return say.WORKER_ENDED(folder=folder, answer=answer, name=task.name)


def _manifest(job: _Job, prepared: Prepared, made: Sequence[Shard]) -> Manifest:
    names = [shard.name for shard in prepared.shards]
    judgments = Judgments(job.folder, names, job.recipe.opened_taxonomy)
    failed = {id_ for shard in made for id_ in shard.note["failed"]}
    path = job.folder / workplace.SPLITS
    rows = [row for row in splits.read(path) if row.id not in failed]
    kept = {row.id: row.part for row in rows}
    left_out = [*prepared.left_out, *(LeftOut(id_, "", 0, USED_UP) for id_ in sorted(failed))]
    split = {
        "method": "blake2b of the near-duplicate group against 0.8 and 0.9",
        "sha256": shards.file_digest(path),
        "by_case_type": splits.shares(rows),
        **prepared.groups,
    }
    return Manifest(
        **job.plan,
        splits=split,
        counts=counts(judgments, [kept.get(head.id) for head in judgments.heads()], made),
        left_out=tuple(left_out),
        judgments=prepared.shards,
        examples=tuple(made),
    )
