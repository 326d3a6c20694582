"""A pre-training run: phases, checkpoints, measurements, and the way it stops."""

import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

from thunder.encoder import EncoderForMaskedLM, require_vocabulary, sized
from thunder.encoder.configuration import EncoderConfig
from thunder.settings.config import as_table
from thunder.training import checkpoints, speed
from thunder.training.batches import ahead, evaluation, shares
from thunder.training.chance import seed
from thunder.training.engines import AnyEngine, engine
from thunder.training.journal import Journal, progress
from thunder.training.loop import Micro, Plan, Step, train
from thunder.training.pretraining import samples, starting
from thunder.training.pretraining.settings import Pretraining, began
from thunder.training.processes import Processes, Together, joined
from thunder.training.schedule import learning_rate
from thunder.training.signals import Wish, noted

Say = Callable[[str], None]


class Result(NamedTuple):
    """How a run ended: the step it came to, its last checkpoint, and the signal that stopped it.

    *asked* is "" where it came to its end; a run that was asked to stop goes on where it is
    started again.
    """

    step: int
    checkpoint: Path | None
    asked: str


def run(settings: Pretraining, *, say: Say, device: str | None = None) -> Result:
    """Train until the end or until a signal, from the last whole checkpoint on, if there is one.

    All processes call it; *say* is called on the first one only. What goes wrong in one of them is
    raised in all, as a ``Together`` (``NotReady``, ``NoSamples``, ``NonFinite``,
    ``CheckpointError``), unless one dies: then the others end at once or after ``engine.timeout``.
    """
    if settings.engine.threads is not None:
        torch.set_num_threads(settings.engine.threads)
    with joined(timeout=settings.engine.timeout, device=device) as processes, noted() as wish:
        running = _Running(settings, processes, wish, say if processes.first else _silent)
        running.find()
        if not processes.first:
            return running.to_the_end()
        with Journal(settings.checkpoints.folder, start=running.done) as running.journal:
            return running.to_the_end()


class NotReady(Together):
    """A run that cannot begin: its model, corpus or checkpoint, as one of the processes sees it."""


def _silent(_line: str) -> None:
    return None


def encoder_config(settings: Pretraining) -> EncoderConfig:
    """Return the encoder's configuration; its longest row is the last phase's."""
    longest = max(phase.length for phase in settings.phases)
    changes = {"max_position_embeddings": longest, **settings.model.changes}
    config = sized(settings.model.size, **changes)
    require_vocabulary(config, samples.tokenizer_folder(settings.corpus.tokenizer))
    return config


@dataclass
class _Running:
    settings: Pretraining
    processes: Processes
    wish: Wish
    say: Say
    done: int = 0
    saved: Path | None = None
    started: Mapping[str, Tensor] = field(default_factory=dict)
    recent: list[Step] = field(default_factory=list)
    journal: Journal | None = None

    def to_the_end(self) -> Result:
        for number, phase in enumerate(self.settings.phases):
            end = began(self.settings.phases, number + 1)
            if self.done < end:
                self._phase(number)
            if self.done < end:
                self.say(f"stopped on {self.wish.name or 'request'} after step {self.done}")
                return Result(self.done, self.saved, self.wish.name or "request")
            self.say(f"phase {number + 1} of {len(self.settings.phases)} ({phase.length}) is done")
        return Result(self.done, self.saved, "")

    def find(self) -> None:
        """Find the last whole checkpoint, and refuse one of another run."""
        self._ready(self._look)
        name = self.processes.told(str(self.saved or ""))
        if name:
            self.saved = Path(name)
            self.done = checkpoints.step_of(self.saved)
            self._ready(self._require_own)
            self.say(f"going on from {self.saved}")
        elif self.settings.model.start:
            self._ready(self._start)

    def _ready(self, work: Callable[[], None]) -> None:
        """Do what any process may fail at alone: a folder that its node does not see, say."""
        try:
            self.processes.attempt(work, OSError, ValueError, LookupError)
        except Together as error:
            raise NotReady(str(error)) from None

    def _look(self) -> None:
        self.config = encoder_config(self.settings)
        if not self.processes.first:
            return
        found = checkpoints.latest(self.settings.checkpoints.folder)
        for problem in found.passed_over:
            self.say(f"passed over: {problem}")
        self.saved = found.path

    def _start(self) -> None:
        self.started = starting.weights(self.settings, self.config)

    def _require_own(self) -> None:
        if self.saved:
            before = checkpoints.state(self.saved)["fixed"]
            checkpoints.require_same(before, self.settings.fixed(), self.saved)

    def _phase(self, number: int) -> None:
        phase, before = self.settings.phases[number], began(self.settings.phases, number)
        self._ready(lambda: self._open(number))
        self.engine = self._engine(number)
        start = self.done - before
        plan = Plan(
            steps=phase.number_of_steps,
            accumulation=phase.accumulation(self.processes.size),
            rate=lambda step: learning_rate(
                step,
                steps=phase.number_of_steps,
                peak=phase.peak,
                warmup=phase.warmup,
                floor=phase.floor,
            ),
            seed=self.settings.seed + number,
        )
        for step in train(
            self.engine, self._micros(number, start), plan=plan, start=start, asked=self.wish
        ):
            self.done = before + step.number + 1
            self._after(step, last=step.number + 1 == phase.number_of_steps)
            if step.asked:
                break
        self.engine.close()

    def _open(self, number: int) -> None:
        """Open the corpus for phase *number*; refuse what cannot be shared or is another."""
        self.number = number
        self.settings.phases[number].accumulation(self.processes.size)
        self.made = samples.training(self.settings, number)
        self.corpus = self.made.rows.digest
        self._require_corpus(self.corpus)
        self.held_out = samples.held_out(self.settings, number) if self._measures else {}

    def _micros(self, number: int, start: int) -> Iterator[Micro]:
        numbers = shares(
            self.settings.phases[number],
            rank=self.processes.rank,
            processes=self.processes.size,
            start=start,
        )
        pin = self.processes.device.type == "cuda"
        return ahead(self.made, numbers, loading=self.settings.loading, pin=pin)

    def _engine(self, number: int) -> AnyEngine:
        phase = self.settings.phases[number]
        seed("weights", self.settings.seed)
        model: nn.Module = EncoderForMaskedLM(self.config)
        if self.started:
            model.load_state_dict(self.started)
            self.started = {}
        if number == 0 and self.saved is None:
            self.say(f"{self.config.parameters().total:,} weights, {self.processes.size} processes")
        return engine(
            model,
            optimizer=self.settings.optimizer,
            settings=self.settings.engine,
            processes=self.processes,
            micro_batch=phase.micro_batch,
            accumulation=phase.accumulation(self.processes.size),
            kept=checkpoints.kept(self.saved) if self.saved else None,
        )

    @property
    def _measures(self) -> bool:
        return self.settings.held_out.every > 0

    def _after(self, step: Step, *, last: bool) -> None:
        """Log, measure and save, whatever is due after a step."""
        self.recent.append(step)
        if self.done % self.settings.log_every == 0 or last or step.asked:
            self._log()
        if self._measures and (self.done % self.settings.held_out.every == 0 or last):
            self._measure()
        if self.done % self.settings.checkpoints.every == 0 or last or step.asked:
            self._save()

    def _log(self) -> None:
        phase, steps, self.recent = self.settings.phases[self.number], self.recent, []
        rate = speed.over(
            steps,
            flops_per_token=self.config.flops_per_token(phase.length, self.settings.masking.share),
            devices=self.processes.size,
            peak_tflops=speed.peak(self.processes.device, self.settings.engine.peak_tflops),
        )
        labelled = max(sum(step.labelled for step in steps), 1)
        values = {
            "loss": sum(step.loss * step.labelled for step in steps) / labelled,
            "accuracy": sum(step.accuracy * step.labelled for step in steps) / labelled,
            "learning_rate": steps[-1].rate,
            "gradient_norm": steps[-1].norm,
            "skipped": sum(step.skipped for step in steps),
            "tokens": sum(step.tokens for step in steps),
            "tokens_per_second": round(rate.tokens_per_second, 1),
            "mfu": rate.mfu,
            "data_wait": rate.waited,
            "seconds_per_step": rate.seconds_per_step,
        }
        if self.journal:
            self.journal.write("train", self.done, values)
        self.say(progress(self.done, self.settings.steps, values))

    def _measure(self) -> None:
        """Measure loss and accuracy on held-out rows of every source."""
        for source, made in self.held_out.items():
            sums = [0.0, 0.0, 0.0]
            for micro in evaluation(
                made,
                number=min(self.settings.held_out.rows, len(made.rows)),
                micro_batch=self.settings.phases[self.number].micro_batch,
                processes=self.processes,
            ):
                outcome = self.engine.evaluate(micro.inputs)
                found = (float(outcome.loss_sum), float(outcome.correct), micro.labelled)
                sums = [a + b for a, b in zip(sums, found, strict=True)]
            loss, correct, labelled = self.processes.total(sums)
            values = {"loss": loss / max(labelled, 1), "accuracy": correct / max(labelled, 1)}
            if self.journal:
                self.journal.write(f"held-out/{source}", self.done, values)
            self.say(
                f"      held-out {source}: loss {values['loss']:.4f}, "
                f"accuracy {values['accuracy']:.4f} ({labelled:,.0f} masked tokens)"
            )

    def _save(self) -> None:
        kept = self.settings.checkpoints
        state = {
            "step": self.done,
            "updates": self.engine.updates,
            "loss_scale": self.engine.loss_scale,
            "corpus": self.corpus,
            "fixed": self.settings.fixed(),
            "settings": as_table(self.settings),
            "model": self.config.to_diff_dict(),
            "versions": {"torch": torch.__version__, "python": platform.python_version()},
        }
        self.saved = checkpoints.save(
            kept.folder, self.engine.tensors(), state, step=self.done, processes=self.processes
        )
        if self.processes.first:
            checkpoints.prune(
                kept.folder, done=self.done, keep_last=kept.keep_last, keep_every=kept.keep_every
            )
        self.say(f"      saved {self.saved}")

    def _require_corpus(self, digest: str) -> None:
        if self.saved and checkpoints.state(self.saved)["corpus"] != digest:
            raise ValueError(
                f"{self.saved} was trained on another corpus than {self.settings.corpus.folder}: "
                "give the corpus it began with, or another [checkpoints] folder"
            )
