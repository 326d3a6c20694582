"""A fine-tuning run: steps, development figures, checkpoints, and the way it stops."""

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch

from thunder.settings.config import as_table
from thunder.training import checkpoints
from thunder.training.batches import ahead, evaluation, shares
from thunder.training.chance import seed
from thunder.training.engines import AnyEngine, engine
from thunder.training.finetuning import starting
from thunder.training.finetuning.loss import TokenLoss, levels
from thunder.training.finetuning.settings import Finetuning
from thunder.training.finetuning.starting import Ground
from thunder.training.finetuning.tagging import Figures, Tagging, figures
from thunder.training.journal import Journal, progress
from thunder.training.loop import Micro, Plan, Step, train
from thunder.training.processes import Processes, joined
from thunder.training.schedule import learning_rate
from thunder.training.signals import Wish, noted

Say = Callable[[str], None]
BEST = "best"


class Result(NamedTuple):
    """How a run ended: the step it came to, its best checkpoint, and the signal that stopped it.

    *asked* is "" where it came to its end; a run that was asked to stop goes on where it is
    started again.
    """

    step: int
    best: Path | None
    asked: str


def run(settings: Finetuning, *, say: Say, device: str | None = None) -> Result:
    """Train until the end or until a signal, from the last whole checkpoint on, if there is one.

    All processes call it; *say* is called on the first one only. The best weights by the
    development part's F1 stand in ``best/`` of the run's folder.
    """
    if settings.engine.threads is not None:
        torch.set_num_threads(settings.engine.threads)
    with joined(timeout=settings.engine.timeout, device=device) as processes, noted() as wish:
        running = _Running(settings, processes, wish, say if processes.first else _silent)
        running.begin()
        if not processes.first:
            return running.to_the_end()
        with Journal(settings.checkpoints.folder, start=running.done) as running.journal:
            return running.to_the_end()


def _silent(_line: str) -> None:
    return None


@dataclass
class _Running:
    settings: Finetuning
    processes: Processes
    wish: Wish
    say: Say
    done: int = 0
    saved: Path | None = None
    best: float = -1.0
    recent: list[Step] = field(default_factory=list)
    journal: Journal | None = None

    def begin(self) -> None:
        """Open the data, find the last whole checkpoint, and refuse one of another run."""
        self.ground: Ground = starting.ground(self.settings, verify=self.processes.first)
        self.phase = self.settings.schedule.phase(documents=len(self.ground.train.source))
        found = checkpoints.Found(None, [])
        if self.processes.first:
            found = checkpoints.latest(self.settings.checkpoints.folder)
        for problem in found.passed_over:
            self.say(f"passed over: {problem}")
        name = self.processes.told(str(found.path or ""))
        if name:
            self._go_on(Path(name))
        else:
            self._introduce()

    def _go_on(self, path: Path) -> None:
        state = checkpoints.state(path)
        require_same(state, self.settings, self.ground.dataset.manifest.fingerprint, path)
        starting.require_rows(state, self.ground, path)
        self.saved, self.done, self.best = path, checkpoints.step_of(path), float(state["best"])
        self.say(f"going on from {path}")

    def _introduce(self) -> None:
        missing = starting.unmeasured(self.ground)
        parts = self.ground.train.source, self.ground.development.source
        sizes = f"{len(parts[0])} training and {len(parts[1])} development documents"
        self.say(f"{sizes}, {self.ground.classes} classes, {self.phase.number_of_steps} steps")
        if missing:
            shown = ", ".join(missing[:8]) + (" …" if len(missing) > 8 else "")
            self.say(
                f"{len(missing)} labels are trained on, but have no mention in the development "
                f"part: their F1 is not in its figures ({shown})"
            )

    def to_the_end(self) -> Result:
        self.engine = self._engine()
        start = self.done
        plan = Plan(
            steps=self.phase.number_of_steps,
            accumulation=self.phase.accumulation(self.processes.size),
            rate=lambda step: learning_rate(
                step,
                steps=self.phase.number_of_steps,
                peak=self.phase.peak,
                warmup=self.phase.warmup,
                floor=self.phase.floor,
            ),
            seed=self.settings.seed,
        )
        asked = ""
        for step in train(
            self.engine, self._micros(start), plan=plan, start=start, asked=self.wish
        ):
            self.done = step.number + 1
            self._after(step, last=self.done == plan.steps)
            if step.asked:
                asked = self.wish.name or "request"
                self.say(f"stopped on {asked} after step {self.done}")
                break
        self.engine.close()
        best = checkpoints.latest(self.settings.checkpoints.folder / BEST).path
        return Result(self.done, best, asked)

    def _micros(self, start: int) -> Iterator[Micro]:
        numbers = shares(
            self.phase, rank=self.processes.rank, processes=self.processes.size, start=start
        )
        pin = self.processes.device.type == "cuda"
        return ahead(self.ground.train, numbers, loading=self.settings.loading, pin=pin)

    def _engine(self) -> AnyEngine:
        seed("weights", self.settings.seed)
        self.tagging = Tagging(
            starting.network(self.settings, self.ground),
            scheme=self.ground.scheme,
            budget=self.settings.schedule.budget,
            loss=TokenLoss(
                self.settings.loss, levels(self.ground.taxonomy, scheme=self.ground.scheme)
            ),
            together=self.processes.most if self.settings.engine.zero == 3 else list,
        )
        if self.saved is None:
            weights = sum(one.numel() for one in self.tagging.parameters())
            self.say(f"{weights:,} weights, {self.processes.size} processes")
        return engine(
            self.tagging,
            optimizer=self.settings.optimizer,
            settings=self.settings.engine,
            processes=self.processes,
            micro_batch=self.phase.micro_batch,
            accumulation=self.phase.accumulation(self.processes.size),
            kept=checkpoints.kept(self.saved) if self.saved else None,
        )

    def _after(self, step: Step, *, last: bool) -> None:
        """Log, measure and save, whatever is due after a step."""
        self.recent.append(step)
        if self.done % self.settings.log_every == 0 or last or step.asked:
            self._log()
        if last or self._epoch_ends():
            self._measure()
        if self.done % self.settings.checkpoints.every == 0 or last or step.asked:
            self._save()

    def _epoch_ends(self) -> bool:
        """Return whether this step was the first to reach the end of an epoch to measure after."""
        documents = len(self.ground.train.source) * self.settings.development.every
        read = self.done * self.phase.global_batch
        return read // documents > (read - self.phase.global_batch) // documents

    def _log(self) -> None:
        steps, self.recent = self.recent, []
        seconds = sum(step.seconds for step in steps)
        labelled = max(sum(step.labelled for step in steps), 1)
        values = {
            "loss": sum(step.loss * step.labelled for step in steps) / labelled,
            "accuracy": sum(step.accuracy * step.labelled for step in steps) / labelled,
            "learning_rate": steps[-1].rate,
            "gradient_norm": steps[-1].norm,
            "tokens_per_second": round(sum(step.tokens for step in steps) / seconds, 1),
            "data_wait": sum(step.waited * step.seconds for step in steps) / seconds,
            "seconds_per_step": seconds / len(steps),
        }
        if self.journal:
            self.journal.write("train", self.done, values)
        self.say(progress(self.done, self.phase.number_of_steps, values))

    def _measure(self) -> None:
        """Measure the development part, and keep the weights if they are the best so far."""
        self.tagging.reset()
        loss = labelled = 0.0
        development = self.ground.development.source
        for micro in evaluation(
            self.ground.development,
            number=min(len(development), self.settings.development.documents or len(development)),
            micro_batch=self.phase.micro_batch,
            processes=self.processes,
        ):
            loss += float(self.engine.evaluate(micro.inputs).loss_sum)
            labelled += micro.labelled
        tally = [float(one) for one in self.tagging.tally]
        *tally, loss, labelled = self.processes.total([*tally, loss, labelled])
        found = figures(tally)
        if self.journal:
            self.journal.write(
                "development", self.done, {**found._asdict(), "loss": loss / max(labelled, 1)}
            )
        self.say(_measured(found))
        if found.both > self.best:
            self.best = found.both
            self._keep_best(found)

    def _keep_best(self, found: Figures) -> None:
        place = self.settings.checkpoints.folder / BEST
        weights = (
            pair for pair in self.engine.tensors() if pair[0].startswith(("model/", "buffer/"))
        )
        state = {**self._state(), "development": found._asdict()}
        checkpoints.save(place, weights, state, step=self.done, processes=self.processes)
        if self.processes.first:
            checkpoints.prune(place, done=self.done, keep_last=1, keep_every=0)

    def _state(self) -> dict[str, Any]:
        return {
            "step": self.done,
            "updates": self.engine.updates,
            "loss_scale": self.engine.loss_scale,
            "best": self.best,
            "dataset": self.ground.dataset.manifest.fingerprint,
            "classes": self.ground.classes,
            "fixed": self.settings.fixed(),
            "settings": as_table(self.settings),
            "versions": {"torch": torch.__version__, "python": platform.python_version()},
        }

    def _save(self) -> None:
        kept = self.settings.checkpoints
        self.saved = checkpoints.save(
            kept.folder,
            self.engine.tensors(),
            self._state(),
            step=self.done,
            processes=self.processes,
        )
        if self.processes.first:
            checkpoints.prune(
                kept.folder, done=self.done, keep_last=kept.keep_last, keep_every=kept.keep_every
            )
        self.say(f"      saved {self.saved}")


def require_same(state: dict[str, Any], settings: Finetuning, fingerprint: str, path: Path) -> None:
    """Raise ValueError where a checkpoint was made with other samples or another network."""
    if state.get("dataset") != fingerprint:
        raise ValueError(
            f"{path} was trained on another dataset than {settings.data.folder}: give the one it "
            "began with, or another [checkpoints] folder"
        )
    checkpoints.require_same(state["fixed"], settings.fixed(), path)


def _measured(found: Figures) -> str:
    return (
        f"      development: binary F1 {found.f1:.4f} (precision {found.precision:.4f}, recall "
        f"{found.recall:.4f}), label micro F1 {found.label_f1:.4f}"
    )
