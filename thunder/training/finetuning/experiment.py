"""The paper's experiment as a grid: models x ways of filling x seeds, each cell a run of its own.

One TOML file names all of it (``finetune/experiments/paper.toml``); what each cell trains, and
what the tables are made of, follows from the file alone. ``setting = "paper"`` takes the paper's
exact choices where ours are others: the same mentions in training and test, names always in full,
the first 2,048 tokens of a document, fp16, and decisions by argmax.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from thunder.settings import user
from thunder.settings.config import load, require
from thunder.training import checkpoints
from thunder.training.finetuning.running import BEST
from thunder.training.finetuning.settings import Finetuning

Replacement = Literal["single", "per-epoch"]
Setting = Literal["ours", "paper"]
ALL = "all"
FIRST = 2048  # tokens that the paper's models read of a document
_BUILD: Mapping[Setting, tuple[str, ...]] = {
    "ours": (),
    "paper": ("--mentions", "same", "--variants", "none"),
}
_TRAIN: Mapping[Setting, tuple[str, ...]] = {
    "ours": (),
    "paper": ("schedule.truncate=true", "engine.precision=fp16"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What is compared. *models* are configurations' names, *changes* by model go over them.

    The changes under ``all`` go over every configuration, before a model's own. *lists* are the
    shipped ones without. All of it comes to lie in *work*. *judgments* and *lists* may be
    ``data:NAME`` (``thunder.settings.data``).
    """

    judgments: tuple[Path, ...]
    models: tuple[str, ...]
    work: Path
    replacement: tuple[Replacement, ...] = ("single", "per-epoch")
    seeds: tuple[int, ...] = (1200, 1203, 1205)
    setting: Setting = "ours"
    lists: Path | None = None
    configs: Path = Path("finetune/configs")
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("judgments", "models", "replacement", "seeds"):
            values = getattr(self, name)
            require(bool(values), f"'{name}' is empty")
            require(len(set(values)) == len(values), f"'{name}' names one twice")
        unknown = sorted(set(self.changes) - {ALL, *self.models})
        require(not unknown, f"[changes] for {', '.join(unknown)}, which is no model of it")
        places = tuple(user.resolved(place) for place in self.judgments)
        object.__setattr__(self, "judgments", places)
        if self.lists:
            object.__setattr__(self, "lists", user.resolved(self.lists))

    def config(self, model: str) -> Path:
        """Return the file of a model's configuration."""
        return self.configs / f"{model}.toml"

    def dataset(self, tokenizer: str, replacement: str) -> Path:
        """Return the folder of a dataset."""
        return self.work / "datasets" / f"{Path(tokenizer).name}-{replacement}"


class Cell(NamedTuple):
    """One run: its number in the grid, what it trains, and where it lies."""

    number: int
    model: str
    replacement: Replacement
    seed: int
    run: Path

    @property
    def name(self) -> str:
        """What the cell is called."""
        return f"{self.model}/{self.replacement}/{self.seed}"

    def state(self) -> str:
        """Return done, begun or waiting."""
        return state_of(self.run)


def cells(experiment: Experiment) -> list[Cell]:
    """Return all cells in their order, which gives them their numbers."""
    combined = (
        (model, replacement, seed)
        for model in experiment.models
        for replacement in experiment.replacement
        for seed in experiment.seeds
    )
    return [
        Cell(at, *one, run=experiment.work / "runs" / f"{one[0]}-{one[1]}-{one[2]}")
        for at, one in enumerate(combined)
    ]


def changes(experiment: Experiment, cell: Cell) -> list[str]:
    """Return what goes over the configuration of a cell, the last one first in force."""
    own = experiment.changes
    given = [*_TRAIN[experiment.setting], *own.get(ALL, ()), *own.get(cell.model, ())]
    lists = [f"data.lists={experiment.lists}"] if experiment.lists else []
    folder = experiment.dataset(_tokenizer(experiment, cell.model), cell.replacement)
    where = [f"data.folder={folder}", f"checkpoints.folder={cell.run}", f"seed={cell.seed}"]
    return [*given, *lists, *where]


def settings(experiment: Experiment, cell: Cell) -> Finetuning:
    """Return the run of a cell; ConfigError names what does not fit."""
    return load(experiment.config(cell.model), Finetuning, changes=changes(experiment, cell))


def _tokenizer(experiment: Experiment, model: str) -> str:
    own = [*experiment.changes.get(ALL, ()), *experiment.changes.get(model, ())]
    return load(experiment.config(model), Finetuning, changes=own).data.tokenizer


def builds(experiment: Experiment) -> Iterator[tuple[Path, list[str]]]:
    """Yield each dataset's folder and the words of ``thunder`` that build it."""
    tokenizers = dict.fromkeys(_tokenizer(experiment, model) for model in experiment.models)
    for tokenizer in tokenizers:
        shipped = Path("tokenizer") / tokenizer
        place = shipped if shipped.is_dir() else Path(tokenizer)
        for replacement in experiment.replacement:
            folder = experiment.dataset(tokenizer, replacement)
            words = ["dataset", "build", *map(str, experiment.judgments)]
            words += ["--tokenizer", str(place), "--output", str(folder)]
            words += ["--replacement", replacement, *_BUILD[experiment.setting]]
            if experiment.lists:
                words += ["--lists", str(experiment.lists)]
            yield folder, words


def tables(experiment: Experiment, *, decide: str = "") -> Iterator[list[str]]:
    """Yield the words of ``thunder`` that make the tables of each way of filling.

    *decide* is the rule of decision (argmax, usual); without it argmax, which the paper's figures
    are by. Cells that are not done are left out; a way without any has no tables. ValueError
    where no cell is done.
    """
    done = [cell for cell in cells(experiment) if cell.state() == "done"]
    if not done:
        raise ValueError(f"{experiment.work}: no cell is done yet: run one first")
    first = _tokenizer(experiment, experiment.models[0])
    for replacement in experiment.replacement:
        systems = _systems([one for one in done if one.replacement == replacement], decide)
        if not systems:
            continue
        out = experiment.work / "tables"
        words = ["evaluate", str(experiment.dataset(first, replacement)), *systems]
        words += ["--part", "test", "--paper"]
        if experiment.setting == "paper":
            words += ["--first", str(FIRST)]
        if experiment.lists:
            words += ["--lists", str(experiment.lists)]
        yield [
            *words,
            "--markdown",
            str(out / f"{replacement}.md"),
            "--csv",
            str(out / replacement),
        ]


def _systems(done: Sequence[Cell], decide: str) -> list[str]:
    rule = decide or "argmax"
    models = dict.fromkeys(cell.model for cell in done)
    return [
        f"{model}=" + ",".join(f"{one.run}@{rule}" for one in done if one.model == model)
        for model in models
    ]


def state_of(run: Path) -> str:
    """Return what the run in a folder is: done, begun or waiting."""
    if (run / "done").is_file():
        return "done"
    return "begun" if checkpoints.latest(run).path else "waiting"


def finish(run: Path) -> None:
    """Note that the *run* of a cell came to its end; ValueError where it has no best checkpoint."""
    if checkpoints.latest(run / BEST).path is None:
        raise ValueError(f"{run}: no best checkpoint: its run did not come to an end")
    (run / "done").touch()
