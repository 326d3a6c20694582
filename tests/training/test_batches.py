"""A batch is a pure function of the samples' numbers, whatever the processes and workers."""

import multiprocessing
import os
import signal
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.training.batches import ahead, shares
from thunder.training.processes import explained
from thunder.training.settings import Loading, Phase

from .toy import assemble

PHASE = Phase(length=8, global_batch=12, micro_batch=2, peak=1e-3, steps=4)


@given(st.sampled_from([1, 2, 3, 6]), st.integers(0, 3))
def test_processes_share_a_step_without_gap_or_overlap(processes, start):
    every = [
        list(shares(PHASE, rank=r, processes=processes, start=start)) for r in range(processes)
    ]
    taken = sorted(number for mine in every for micro in mine for number in micro)
    assert taken == list(range(start * 12, 4 * 12))
    whole = {(micro.start, micro.stop) for mine in every for micro in mine}
    alone = {(micro.start, micro.stop) for micro in shares(PHASE, rank=0, processes=1, start=start)}
    assert whole == alone  # the same micro-batches, so the same dropout


@pytest.mark.filterwarnings("ignore:This DataLoader will create 2")  # where there is one core
@pytest.mark.parametrize("workers", [0, 2])
def test_workers_give_the_same_in_the_same_order(workers):
    numbers = list(shares(PHASE, rank=0, processes=1))
    made = list(ahead(assemble, iter(numbers), loading=Loading(workers=workers), pin=False))
    assert [micro.numbers for micro in made] == [tuple(one) for one in numbers]
    for micro, one in zip(made, numbers, strict=True):
        expected = assemble(one)
        assert micro.tokens == expected.tokens and micro.labelled == expected.labelled
        assert all((micro.inputs[key] == expected.inputs[key]).all() for key in micro.inputs)


def _dies(numbers: range):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_is_named():
    with pytest.raises(RuntimeError) as caught:
        next(ahead(_dies, [range(1)], loading=Loading(workers=1), pin=False))
    assert "a worker that makes samples died" in str(explained(caught.value))


def _fails(numbers: range):
    raise ValueError(f"shard 3 is cut short, sample {numbers.start}")


@pytest.mark.parametrize("workers", [0, 1])
def test_an_error_in_a_worker_keeps_its_kind_and_its_words(workers):
    with pytest.raises(ValueError, match="shard 3 is cut short, sample 0"):
        next(ahead(_fails, [range(1)], loading=Loading(workers=workers), pin=False))


def _stopped(numbers: range):
    os.kill(os.getpid(), signal.SIGTERM)  # what a cluster sends to every process of a job
    os.kill(os.getpid(), signal.SIGUSR1)
    return assemble(numbers)


def test_workers_outlive_the_signals_that_ask_a_run_to_stop():
    micro = next(ahead(_stopped, [range(2)], loading=Loading(workers=1), pin=False))
    assert micro.numbers == (0, 1)


def _ends_with_the_error_held() -> None:
    try:
        next(ahead(_fails, [range(1), range(1)], loading=Loading(workers=1), pin=False))
    except ValueError as error:
        sys.kept = error  # as an interpreter keeps the last one; with it, the worker


def test_a_process_whose_worker_failed_ends():
    """On its way out it waits for its workers, so they have to hear it when it ends them."""
    process = multiprocessing.get_context("spawn").Process(target=_ends_with_the_error_held)
    process.start()
    process.join(60)
    hangs = process.is_alive()
    process.kill()
    assert not hangs
    assert process.exitcode == 0
