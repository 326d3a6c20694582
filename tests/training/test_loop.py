"""The loop with a toy: it learns, it repeats itself exactly, and it stops before harm is done."""

import pytest
import torch

from thunder.training import checkpoints
from thunder.training.loop import NonFinite
from thunder.training.plain import PlainEngine
from thunder.training.processes import Processes
from thunder.training.settings import EngineSettings, Optimizer

from .toy import PHASE, Toy, engine, save, steps


def _losses(running, **how) -> list[float]:
    return [step.loss for step in steps(running, **how)]


def test_the_loss_falls():
    losses = _losses(engine())
    assert len(losses) == PHASE.number_of_steps
    assert sum(losses[-3:]) < 0.9 * sum(losses[:3])


def test_the_same_seed_gives_the_same_losses_and_bf16_almost_the_same():
    first = _losses(engine())
    torch.rand(7)  # what is drawn elsewhere changes nothing
    assert _losses(engine()) == first
    assert _losses(engine(precision="bf16")) == pytest.approx(first, rel=0.02)


def test_a_step_tells_what_happened():
    step = next(steps(engine()))
    assert step.number == 0 and step.rate == pytest.approx(PHASE.peak / 2)
    assert step.tokens == 64 and step.labelled == 64 - (0 + 1 + 2 + 3 + 4 + 0 + 1 + 2)
    assert 0 <= step.waited < 1 and step.norm > 0 and not step.skipped and not step.asked


@pytest.mark.parametrize("stop", [1, 5, 11])
def test_saved_and_resumed_the_losses_are_those_of_an_unbroken_run(tmp_path, stop):
    whole = _losses(engine())
    running, before = engine(), []
    for step in steps(running):
        before.append(step.loss)
        if step.number + 1 == stop:
            break
    path = save(running, tmp_path, stop)
    torch.manual_seed(99)
    again = engine(kept=checkpoints.kept(path))
    assert before + _losses(again, start=stop) == whole
    assert again.updates == PHASE.number_of_steps


def _poisoned(at: int):
    class Poisoned(Toy):
        calls = 0

        def forward(self, input_ids, labels):
            out = super().forward(input_ids, labels)
            self.calls += 1
            return out._replace(loss_sum=out.loss_sum * float("nan")) if self.calls == at else out

    settings = EngineSettings(precision="fp32")
    running = PlainEngine(
        Poisoned(), optimizer=Optimizer(), settings=settings, processes=Processes()
    )
    return running


def test_a_loss_that_is_no_number_stops_the_run_before_the_optimizer_moves():
    running = _poisoned(at=7)  # a step is four micro-batches: the third of step 1
    made = steps(running)
    next(made)
    before = {name: weight.clone() for name, weight in running.tensors()}
    with pytest.raises(NonFinite, match="step 1: the loss is not finite in samples 12-13 "):
        next(made)
    assert all(torch.equal(weight, before[name]) for name, weight in running.tensors())


def test_a_gradient_that_is_no_number_stops_the_run_too():
    running = engine()
    running.model.words.weight.register_hook(lambda gradient: gradient * float("inf"))
    with pytest.raises(
        NonFinite, match="step 0: the gradient is not finite in samples 0-1, 2-3, 4-5, 6-7 "
    ):
        next(steps(running))
    assert running.updates == 0


def test_a_wish_to_stop_is_seen_after_the_step():
    wishes = iter([False, True])
    made = steps(engine(), asked=lambda: next(wishes))
    assert [next(made).asked, next(made).asked] == [False, True]


def test_matrices_decay_and_nothing_else():
    running = engine()
    decayed, kept = running._optimizer.param_groups
    assert (decayed["weight_decay"], kept["weight_decay"]) == (0.01, 0.0)
    assert {weight.ndim for weight in decayed["params"]} == {2}
    assert {weight.ndim for weight in kept["params"]} == {1}


def test_fp16_is_refused_on_a_processor():
    with pytest.raises(ValueError, match='"fp16" needs a GPU'):
        engine(precision="fp16")
