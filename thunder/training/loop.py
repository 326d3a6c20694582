"""The loop: micro-batches in, one record per optimizer step out; it knows no disk, no screen."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, Protocol

from torch import Tensor

from thunder.training import chance
from thunder.training.processes import Processes, Together, explained


class Micro(NamedTuple):
    """What one process computes at once: the model's *inputs*, and the *numbers* of its samples.

    *tokens* counts tokens that are no padding, *labelled* the places that have a label.
    """

    numbers: tuple[int, ...]
    inputs: dict[str, Tensor]
    tokens: int
    labelled: int


class Outcome(NamedTuple):
    """The summed loss over labelled places, and how many were right: tensors of no dimension."""

    loss_sum: Tensor
    correct: Tensor


class Update(NamedTuple):
    """The norm of the gradient before clipping; *skipped*: fp16 overflowed, nothing moved."""

    norm: float
    skipped: bool


class Engine(Protocol):
    """What moves the weights. All methods are called by all processes, in the same order."""

    processes: Processes

    def forward_backward(
        self, inputs: dict[str, Tensor], *, scale: float, last: bool
    ) -> Outcome: ...

    def update(self, rate: float) -> Update: ...

    def evaluate(self, inputs: dict[str, Tensor]) -> Outcome: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long, how many micro-batches a step has in this process, and the rate of each step."""

    steps: int
    accumulation: int
    rate: Callable[[int], float]
    seed: int


class Step(NamedTuple):
    """One optimizer step, over all processes. *loss* is the mean over labelled places.

    *seconds* is its time, *waited* the share of it that the process which waited longest for data
    waited, *asked* whether any process was asked to stop.
    """

    number: int
    loss: float
    accuracy: float
    rate: float
    norm: float
    skipped: bool
    tokens: int
    labelled: int
    seconds: float
    waited: float
    asked: bool


class NonFinite(Together):
    """A loss or gradient that is no number; the optimizer did not move on any process."""


class NoSamples(Together):
    """Samples that could not be made in one process: a damaged shard, a worker that died."""


def train(
    engine: Engine,
    micros: Iterator[Micro],
    *,
    plan: Plan,
    start: int = 0,
    asked: Callable[[], bool] = lambda: False,
) -> Iterator[Step]:
    """Yield each optimizer step from *start* (0-based) to the plan's end, after it was made.

    *micros* are this process's, from step *start* on. NonFinite stops the run on all processes
    before the optimizer moves, and names the step and the samples; NoSamples stops all of them
    where one has nothing to compute.
    """
    for number in range(start, plan.steps):
        began = time.perf_counter()
        step, problem = _made(micros, plan, number)
        waited = time.perf_counter() - began
        tokens, labelled = _counts(engine.processes, step, problem)
        outcomes = _forward_backward(engine, step, labelled, plan)
        loss_sum, correct = _totals(engine.processes, number, step, outcomes)
        rate = plan.rate(number)
        update = _update(engine, number, step, rate)
        seconds = time.perf_counter() - began
        longest, stop = engine.processes.most([waited / seconds, asked()])
        yield Step(
            number=number,
            loss=loss_sum / max(labelled, 1),
            accuracy=correct / max(labelled, 1),
            rate=rate,
            norm=update.norm,
            skipped=update.skipped,
            tokens=int(tokens),
            labelled=int(labelled),
            seconds=seconds,
            waited=longest,
            asked=bool(stop),
        )


def _made(micros: Iterator[Micro], plan: Plan, number: int) -> tuple[list[Micro], str | None]:
    """Return the micro-batches of a step, or none and why."""
    try:
        return [next(micros) for _ in range(plan.accumulation)], None
    except (OSError, ValueError, LookupError) as error:
        known = str(error)
    except RuntimeError as error:
        if not (known := explained(error) or ""):
            raise
    return [], f"step {number}: no samples: {known}"


def _counts(processes: Processes, step: list[Micro], problem: str | None) -> tuple[float, float]:
    """Return the tokens and labelled places of all processes; NoSamples on all of them."""
    mine = [sum(micro.tokens for micro in step), sum(micro.labelled for micro in step)]
    tokens, labelled, problems = processes.total([*mine, problem is not None])
    if problems:
        _raise(NoSamples, processes, problem)
    return tokens, labelled


def _raise(kind: type[Together], processes: Processes, problem: str | None) -> NoReturn:
    """Raise a *kind* on all processes, of which at least one has a *problem*."""
    try:
        processes.agree(problem)
    except Together as error:
        raise kind(str(error)) from None
    raise AssertionError("no process has a problem")


def _forward_backward(
    engine: Engine, step: list[Micro], labelled: float, plan: Plan
) -> list[Outcome]:
    """Return the outcomes of a step's micro-batches; the gradients are summed in the engine.

    Engines average over processes, so the scale undoes that: what remains is the sum over all
    labelled places of all processes, divided by their number.
    """
    scale = engine.processes.size / max(labelled, 1)
    outcomes = []
    for place, micro in enumerate(step):
        # Dropout follows from the samples, not from what ran before.
        chance.seed("dropout", plan.seed, micro.numbers[0])
        last = place == len(step) - 1
        outcomes.append(engine.forward_backward(micro.inputs, scale=scale, last=last))
    return outcomes


def _totals(
    processes: Processes, number: int, step: list[Micro], outcomes: list[Outcome]
) -> tuple[float, float]:
    """Return the summed loss and the right answers of all processes; NonFinite on all of them.

    The check comes after every process's backward pass, so that none waits for another's.
    """
    losses = [float(outcome.loss_sum) for outcome in outcomes]
    bad = [micro for micro, loss in zip(step, losses, strict=True) if not math.isfinite(loss)]
    correct = sum(float(outcome.correct) for outcome in outcomes)
    loss, right, any_bad = processes.total([sum(losses), correct, len(bad)])
    if any_bad:
        _stop(processes, "the loss is not finite", number, bad)
    return loss, right


def _update(engine: Engine, number: int, step: list[Micro], rate: float) -> Update:
    update = engine.update(rate)
    if not update.skipped and not math.isfinite(update.norm):
        _stop(engine.processes, "the gradient is not finite", number, step)
    return update


def _stop(processes: Processes, problem: str, number: int, micros: list[Micro]) -> NoReturn:
    """Raise NonFinite on all processes, with what the first process that has *micros* says."""
    text = None
    if micros:
        samples = ", ".join(f"{micro.numbers[0]}-{micro.numbers[-1]}" for micro in micros)
        text = (
            f"step {number}: {problem} in samples {samples} "
            f"(process {processes.rank} of {processes.size}); the optimizer did not move. "
            "Look at these samples, or go on from the last checkpoint with a lower 'peak'"
        )
    _raise(NonFinite, processes, text)
