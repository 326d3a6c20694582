"""What a pre-training run is: the TOML files in ``pretrain/configs`` as frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thunder.settings.config import as_table, require
from thunder.training.settings import Checkpoints, EngineSettings, Loading, Optimizer, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A size of ``thunder.encoder`` by name, and keys of its configuration that differ.

    *start* is the folder of an encoder that ``pretrain/export.py`` wrote, to go on from.
    """

    size: str
    changes: Mapping[str, int | float | str] = field(default_factory=dict)
    start: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A folder that ``pretrain/prepare_corpus.py`` wrote, and the tokenizer it was cut with.

    *weights* are shares of the rows by language or source that add up to 1; without them the
    corpus's own ``[mix]`` counts.
    """

    folder: Path
    tokenizer: str = "32k"
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Masking:
    """Which share of the tokens is asked for, and whether whole morphemes are hidden."""

    share: float = 0.15
    whole_words: bool = False

    def __post_init__(self) -> None:
        require(0 < self.share < 1, f"'share' lies between 0 and 1, not {self.share}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """How often loss and accuracy on text never trained on are measured, on how many rows."""

    every: int = 500  # steps; 0: never
    rows: int = 64  # of each source

    def __post_init__(self) -> None:
        require(self.every >= 0, f"'every' must not be below 0, not {self.every}")
        require(self.rows >= 1, f"'rows' must be at least 1, not {self.rows}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pretraining:
    """A whole run. *log_every* counts steps between two lines of the log."""

    name: str
    model: Model
    corpus: Corpus
    phases: tuple[Phase, ...]
    checkpoints: Checkpoints
    seed: int = 1
    log_every: int = 10
    masking: Masking = field(default_factory=Masking)
    optimizer: Optimizer = field(default_factory=Optimizer)
    engine: EngineSettings = field(default_factory=EngineSettings)
    held_out: HeldOut = field(default_factory=HeldOut)
    loading: Loading = field(default_factory=Loading)

    def __post_init__(self) -> None:
        require(bool(self.name), "'name' is empty")
        require(0 <= self.seed < 2**31, f"'seed' lies in 0 … 2^31 - 1, not {self.seed}")
        require(self.log_every >= 1, f"'log_every' must be at least 1, not {self.log_every}")
        require(bool(self.phases), "there is no [[phases]]")
        lengths = [phase.length for phase in self.phases]
        require(lengths == sorted(lengths), f"[[phases]] must not become shorter: {lengths}")

    @property
    def steps(self) -> int:
        """The optimizer steps of all phases."""
        return sum(phase.number_of_steps for phase in self.phases)

    @property
    def tokens(self) -> int:
        """The places for tokens of all phases."""
        return sum(phase.number_of_steps * phase.tokens_per_step for phase in self.phases)

    def fixed(self) -> dict[str, Any]:
        """Return what decides which samples come when, and for which weights.

        A run goes on from a checkpoint only where all of it is as it was.
        """
        return {
            "model": as_table(self.model),
            "tokenizer": self.corpus.tokenizer,
            "weights": dict(self.corpus.weights) if self.corpus.weights else None,
            "masking": as_table(self.masking),
            "seed": self.seed,
            "phases": [[one.length, one.global_batch, one.number_of_steps] for one in self.phases],
        }


def began(phases: tuple[Phase, ...], number: int) -> int:
    """Return the steps that are done when phase *number* begins."""
    return sum(phase.number_of_steps for phase in phases[:number])
