"""The shards of a plan given to processes, until each has its marker."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from thunder.bulk.ledger import shard as shards
from thunder.bulk.ledger.plan import Plan, Shard
from thunder.bulk.ledger.settings import decides, differences
from thunder.bulk.ledger.update import is_unsettled, settle
from thunder.bulk.logs import Unwritable
from thunder.bulk.outputs import Refused, bring_to_disk
from thunder.documents import places
from thunder.documents.places import Unreachable
from thunder.settings.locks import lock
from thunder.text.safe_errors import describe
from thunder.workers import Died, in_order

_ALONE = 50_000  # what a shard costs: processes get one at a time
LOCKS = "locks"
TRIAL = ".thunder-trial-"


class Share(NamedTuple):
    """Which shards of a plan are one run's: the *number*-th of *of* shares, from 1."""

    number: int = 1
    of: int = 1

    def has(self, shard: int) -> bool:
        """Return whether a shard is of this share."""
        return shard % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}-of-{self.of}"


ALL = Share()


@dataclass(frozen=True, slots=True)
class Task:
    """What a process is sent: a shard, which of its documents not to touch, or to try alone."""

    shard: Shard
    without: frozenset[int] = frozenset()
    only: shards.Trial | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why a shard could not be done, and no other should be tried: disk, input, a mistake."""

    reason: str


Answer = dict[str, Any] | Stopped
_SAID = (Unwritable, Unreachable, shards.InputChanged, shards.Unaccounted, Refused)


def work(plan: Plan, tasks: Sequence[Task]) -> Iterator[Answer]:
    """Yield the marker of each shard of *tasks*, or why the run has to stop; raises nothing."""
    for task in tasks:
        try:
            yield shards.do(plan, task.shard, without=task.without, only=task.only)
        except _SAID as error:
            yield Stopped(str(error))
        except Exception as error:
            yield Stopped(f"{task.shard.files[0].name}: {describe(error, text='')}")


@dataclass
class Progress:
    """What a run has done so far: shards, documents, dead letters, processor seconds."""

    shards: int = 0
    rows: int = 0
    dead: int = 0
    cpu_seconds: float = 0.0
    poisoned: int = field(default=0)

    def add(self, marker: dict[str, Any]) -> None:
        """Count a shard in."""
        self.shards += 1
        self.rows += marker["rows"]
        self.dead += marker["dead"]
        self.cpu_seconds += marker["cpu_seconds"]


def require_same(plan: Plan) -> None:
    """Return nothing; Refused, naming what differs, unless all that decides is as planned.

    Files of the input are looked at here by their size, and by their bytes when their turn comes.
    """
    now = decides(plan.settings)
    if found := differences(plan.decides, now):
        raise Refused(
            f"{plan.path}: 계획할 때와 다릅니다: {', '.join(found)} — 그때의 것으로 잇거나, 다른 "
            "폴더에 다시 계획하십시오"
        )
    missing = [str(path) for path in plan.inputs if not _is_there(path)]
    if missing:
        raise Refused(f"{', '.join(missing)}: 입력이 사라졌습니다: 되돌린 뒤 다시 하십시오")


def _is_there(path: Path) -> bool:
    with places.reaching(path):
        return path.exists()


Runner = Callable[[Plan, Iterator[Task]], Iterator[tuple[Task, "Answer | Died"]]]
"""Has tasks done somewhere, and yields each with what ``work`` says of it; Died where a process
ended that worked on it alone, as often as is tried."""


def by_processes(workers: int) -> Runner:
    """Return what has shards done by *workers* processes of this machine."""

    def runner(plan: Plan, tasks: Iterator[Task]) -> Iterator[tuple[Task, Answer | Died]]:
        act = partial(work, plan)
        return in_order(tasks, act, workers=workers, sent=lambda task: task, cost=alone_cost)

    return runner


def run(plan: Plan, runner: Runner, *, share: Share = ALL) -> Iterator[Progress]:
    """Yield how far it is after each shard of *share*, done by *runner*.

    Shards that have their marker are passed by. A shard whose process died is done again alone,
    then by halves, until the document that kills is found: that one is a dead letter. Refused for
    another run of the same share, and for what stops a run: a full disk, an input that changed.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with _locked(plan.folder, share):
        if is_unsettled(plan.folder):
            with alone(plan) if places.is_remote(plan.folder) else nullcontext():
                settle(plan.folder)
        progress = Progress()
        died: list[Shard] = []
        tasks = (Task(shard) for shard in _shards(plan, share) if not shards.is_done(plan, shard))
        for task, answer in runner(plan, tasks):
            if isinstance(answer, Died):
                died.append(task.shard)
                continue
            progress.add(_kept(answer))
            yield progress
        for shard in died:
            marker, poisoned = _isolated(plan, shard)
            progress.add(marker)
            progress.poisoned += poisoned
            yield progress


@contextmanager
def alone(plan: Plan) -> Iterator[None]:
    """Hold all shares of *plan*; Refused where another run has one."""
    with ExitStack() as held:
        held.enter_context(_locked(plan.folder, ALL))
        if places.is_remote(plan.folder):
            held.enter_context(_held_on_store(plan.folder))
            yield
            return
        for path in sorted((plan.folder / LOCKS).iterdir()):
            number, _, of = path.name.partition("-of-")
            if int(of) > 1:
                held.enter_context(_locked(plan.folder, Share(int(number), int(of))))
        yield


def reopen(plan: Plan) -> int:
    """Return how many shards have dead letters; their markers are gone, so that they are redone."""
    count = 0
    for shard in plan.each():
        found = shards.marker_of(plan.folder, shard)
        if found and found["dead"]:
            path = shards.marker_path(plan.folder, shard.number)
            shards.remove_dead(plan.folder, found)
            path.unlink()
            bring_to_disk(path.parent)
            count += 1
    return count


def _shards(plan: Plan, share: Share) -> Iterator[Shard]:
    return (shard for shard in plan.each() if share.has(shard.number))


def _kept(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, Stopped):
        raise Refused(answer.reason)
    return answer


def alone_cost(task: Task) -> int:
    """Return what a task weighs: so much that a process is given one at a time."""
    return _ALONE


def _isolated(plan: Plan, shard: Shard) -> tuple[dict[str, Any], int]:
    """Return the marker of a shard of which a process died, and how many documents killed one."""
    if (answer := _tried(plan, Task(shard))) is not None:
        return answer, 0  # killed from outside
    poison = frozenset(_poison(plan, shard, shard.keys))
    if poison and (answer := _tried(plan, Task(shard, poison))) is not None:
        return answer, len(poison)
    raise Refused(
        f"{shard.files[0].name}: 작업 프로세스가 거듭 끝났으나 어느 문서 때문인지 찾지 못했습니다: "
        "메모리를 늘리거나 --workers를 줄이십시오"
    )


def _poison(plan: Plan, shard: Shard, keys: range) -> list[int]:
    """Return which of *keys* kill a process by themselves, which dies of all of them together."""
    if _lives(plan, shard, keys):
        return []
    if len(keys) == 1:
        return [] if _lives(plan, shard, keys) else [keys[0]]
    middle = len(keys) // 2
    return _poison(plan, shard, keys[:middle]) + _poison(plan, shard, keys[middle:])


def _lives(plan: Plan, shard: Shard, keys: range) -> bool:
    """Return whether a process does the documents *keys* of a shard and lives."""
    with trial_folder(plan) as folder:
        return _tried(plan, Task(shard, only=shards.Trial(keys, folder))) is not None


@contextmanager
def trial_folder(plan: Plan) -> Iterator[Path]:
    """Yield a folder on a disk, beside the results if they are on one, that vanishes at the end."""
    where = None if places.is_remote(plan.folder) else plan.folder
    with tempfile.TemporaryDirectory(prefix=TRIAL, dir=where) as folder:
        yield Path(folder)


def _tried(plan: Plan, task: Task) -> dict[str, Any] | None:
    """Return the marker of a task done by a process of its own; None where that died."""
    [(_, answer)] = in_order(
        [task], partial(work, plan), workers=1, sent=lambda task: task, cost=alone_cost
    )
    return None if isinstance(answer, Died) else _kept(answer)


@contextmanager
def _locked(folder: Path, share: Share) -> Iterator[None]:
    """Hold the lock of a share; Refused where another run, of this machine or disk, has it.

    On object storage nobody is locked out: two runs do the same, and what the first did counts.
    """
    if places.is_remote(folder):
        yield
        return
    path = folder / LOCKS / str(share)
    try:
        path.parent.mkdir(exist_ok=True)
        stream = path.open("w")
    except OSError as error:
        raise Refused(f"{path}: 쓰지 못했습니다({error.strerror}): 폴더를 확인하십시오") from None
    with stream:
        try:
            lock(stream)
        except BlockingIOError:
            raise Refused(
                f"{folder}: 다른 실행이 이 몫({share})을 하고 있습니다: 끝나기를 기다리십시오"
            ) from None
        except OSError:  # a network drive that locks nothing: two runs would do no harm
            pass
        yield


@contextmanager
def _held_on_store(folder: Path) -> Iterator[None]:
    """Hold the object that stands for those who plan again; Refused where another has it."""
    path = folder / LOCKS / "update"
    if not places.create(path, f"{os.uname().nodename} {os.getpid()}\n".encode()):
        raise Refused(
            f"{path}: 다른 update나 replay가 하고 있거나, 죽은 것이 남겼습니다: 끝나기를 기다리고, "
            "하는 것이 없으면 이것을 지우십시오"
        )
    try:
        yield
    finally:
        places.remove(path)
