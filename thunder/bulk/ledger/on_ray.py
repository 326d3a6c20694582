"""Shards done by a Ray cluster: plain tasks, a shard each; what is done stands in the ledger alone.

Ray gives tasks to nodes and starts them again where a node or a process was lost; nothing of Ray's
own is kept, and a driver that was lost is started again like any run. A process keeps its tagger
for the tasks that follow. More tasks wait than run, so that an autoscaler sees what is wanted.

All nodes have this package and Ray in one version (extra ``ray``), and see the folder of the run
and the input under the same paths. Tried with Ray 2.60.0.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from thunder.bulk.ledger.driver import Answer, Runner, Task, work
from thunder.bulk.ledger.plan import Plan
from thunder.bulk.outputs import Refused
from thunder.workers import Died

_AGAIN = 2  # times a shard is tried again whose process or node was lost
_WAITING = 64  # tasks that wait beyond those that can run now


def by_ray(address: str, *, gpus: float = 0.0) -> Runner:
    """Return what has shards done by the Ray cluster at *address* (``auto``: this machine's).

    *gpus*: the share of a GPU that a process of a tagger of torch takes. Refused where there is
    no cluster. ModuleNotFoundError without the extra.
    """

    def runner(plan: Plan, tasks: Iterator[Task]) -> Iterator[tuple[Task, Answer | Died]]:
        with _connected(address) as ray:
            yield from _answers(ray, replace(plan, path=plan.path.resolve()), tasks, gpus)

    return runner


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """Yield Ray, connected; nothing is told to its makers."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise Refused(
            f"{address}: Ray에 닿지 못했습니다({type(error).__name__}): ray start --head "
            "--disable-usage-stats로 시작하고 주소를 확인하십시오"
        ) from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _answers(
    ray: Any, plan: Plan, tasks: Iterator[Task], gpus: float
) -> Iterator[tuple[Task, Answer | Died]]:
    """Yield each task with its answer, as they come."""
    remote = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=_AGAIN)(_one)
    planned = ray.put(plan)
    open_: dict[Any, Task] = {}
    is_more = True
    while is_more or open_:
        most = int(ray.cluster_resources().get("CPU", 1)) + _WAITING
        while is_more and len(open_) < most:
            task = next(tasks, None)
            if task is None:
                is_more = False
            else:
                open_[remote.remote(planned, task)] = task
        if open_:
            [ready], _ = ray.wait(list(open_), num_returns=1)
            yield open_.pop(ready), _answer(ray, ready)


def _answer(ray: Any, ready: Any) -> Answer | Died:
    try:
        answer: Answer = ray.get(ready)
    except ray.exceptions.RayTaskError:
        raise  # a mistake of ours: what work cannot do it says
    except ray.exceptions.RayError as error:
        return Died(type(error).__name__)
    return answer


def _one(plan: Plan, task: Task) -> Answer:
    """Return what becomes of a task, in a process of Ray's."""
    os.environ["OMP_NUM_THREADS"] = "1"
    return next(iter(work(plan, [task])))
