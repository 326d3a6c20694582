"""Which results would be other under another model, profile, taxonomy or version: counted only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from thunder.bulk.ledger import shard as shards
from thunder.bulk.ledger.driver import Task, alone_cost, trial_folder
from thunder.bulk.ledger.plan import Plan, Shard, key_of, results_in
from thunder.bulk.ledger.settings import Settings
from thunder.bulk.outputs import Refused
from thunder.documents import places
from thunder.documents.records import Record
from thunder.documents.sources import Source, read_all
from thunder.text.safe_errors import describe
from thunder.workers import Died, in_order


@dataclass(slots=True)
class Comparison:
    """Documents that were done again and thrown away, and how many read otherwise."""

    shards: int = 0
    documents: int = 0
    other: int = 0


def compare(
    plan: Plan, settings: Settings, *, most: int | None, workers: int
) -> Iterator[Comparison]:
    """Yield, after each shard, how many of the texts done would be other with *settings*.

    Of the shards that are done *most* are taken (None: all), spread evenly over the plan. A
    document that is passed on with one and held back with the other counts as other. Nothing in
    the folder changes. Refused where a shard cannot be done.
    """
    done = [shard.number for shard in plan.each() if shards.is_done(plan, shard)]
    if not done:
        raise Refused(f"{plan.folder}: 끝난 조각이 없습니다: 먼저 thunder bulk run을 하십시오")
    wanted = set(done)
    if most is not None and most < len(done):
        wanted = {done[step * len(done) // most] for step in range(most)}
    tasks = (Task(shard) for shard in plan.each() if shard.number in wanted)
    total, act = Comparison(), partial(_work, plan, settings)
    for task, answer in in_order(
        tasks, act, workers=workers, sent=lambda task: task, cost=alone_cost
    ):
        if isinstance(answer, Died):
            raise Refused(f"{task.shard.files[0].name}: 작업 프로세스가 끝났습니다: {answer}")
        if isinstance(answer, str):
            raise Refused(answer)
        total = Comparison(total.shards + 1, total.documents + answer[0], total.other + answer[1])
        yield total


def _work(plan: Plan, settings: Settings, tasks: Sequence[Task]) -> Iterator[tuple[int, int] | str]:
    """Yield how many documents of each shard there are and are other, or why it cannot be said."""
    for task in tasks:
        try:
            yield _compared(plan, settings, task.shard)
        except shards.InputChanged as error:
            yield str(error)
        except Exception as error:
            said = (
                str(error) if isinstance(error, shards.InputChanged) else describe(error, text="")
            )
            yield f"{task.shard.files[0].name}: {said}"


def _compared(plan: Plan, settings: Settings, shard: Shard) -> tuple[int, int]:
    with trial_folder(plan) as folder, trial_folder(plan) as fetched:
        trial = shards.Trial(shard.keys, folder)
        shards.do(replace(plan, settings=settings), shard, only=trial)
        before = _texts(_results_here(plan, shard, fetched), shard, settings)
        after = _texts(folder, shard, settings)
    other = sum(before.get(key) != after.get(key) for key in {*before, *after})
    return shard.rows, other


def _results_here(plan: Plan, shard: Shard, folder: Path) -> Path:
    """Return where the results of *shard* can be read: those of a store are brought to *folder*."""
    if not places.is_remote(plan.folder):
        return plan.folder
    found = shards.marker_of(plan.folder, shard)
    for one in found["files"] if found else ():
        place = results_in(folder) / one["name"]
        place.parent.mkdir(parents=True, exist_ok=True)
        places.fetch(shards.placed(plan.results / one["name"], one["sha256"]), place)
    return folder


def _texts(folder: Path, shard: Shard, settings: Settings) -> dict[str, str]:
    """Return the texts of a shard's results by their ids."""
    names = zip(shard.targets(), shard.files, strict=True)
    places = [(results_in(folder) / name, name, file.format) for name, file in names]
    sources = [Source(*place) for place in places if place[0].exists()]
    items = read_all(sources, settings.reading())
    return {key_of(item, settings): item.text for item in items if isinstance(item, Record)}
