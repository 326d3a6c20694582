"""What a fine-tuning run is: the TOML files in ``finetune/configs`` as frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, Literal

from thunder.settings.config import as_table, require
from thunder.tagger.hints import Of
from thunder.training.settings import Checkpoints, EngineSettings, Loading, Optimizer, Phase

_HOW = ("budget", "row")  # how a micro-batch is computed, not what it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Which network: ours (``encoder``), any of ``transformers``, or the small ``bilstm``.

    *start* is a folder to go on from: a pre-training export, a model of transformers, or a tagger
    whose head is kept by label. Without it the encoder of *size* starts from nothing. *changes*
    are keys of the network's configuration that differ; *trust* runs the code that lies beside a
    model of transformers. A BiLSTM takes the *vectors* of a corpus (``finetune/vectors.py``) and
    keeps them; *filtered*, numbers and punctuation are no persons.
    """

    kind: Literal["encoder", "transformers", "bilstm"] = "encoder"
    size: str | None = None
    start: Path | None = None
    changes: Mapping[str, int | float | str] = field(default_factory=dict)
    trust: bool = False
    vectors: Path | None = None
    filtered: bool = False

    def __post_init__(self) -> None:
        if self.kind == "encoder":
            one = (self.size is None) != (self.start is None)
            require(one, "give 'start' (a pre-trained folder) or 'size' (fresh), not both")
        if self.kind == "transformers":
            require(self.start is not None, "'kind' = \"transformers\" needs 'start', a folder")
        if self.kind != "encoder":
            require(self.size is None, f"'size' is for our encoder, not for {self.kind!r}")
        if self.kind != "transformers":
            require(not self.trust, f"'trust' is for models that bring code, not {self.kind!r}")
        if self.kind != "bilstm":
            own = self.vectors is None and not self.filtered
            require(own, "'vectors' and 'filtered' are for a BiLSTM")
        if self.kind == "bilstm":
            require(self.start is None, "a BiLSTM starts from nothing: leave 'start' out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Shares of training names that are written otherwise than plainly, drawn anew each epoch.

    The forms are those of ``mention_makers.names.NameForms``.
    """

    spaced: float = 0.0
    hanja: float = 0.0
    latin: float = 0.0
    family: float = 0.0
    given: float = 0.0
    foreign: float = 0.0
    random: float = 0.0
    word: float = 0.0

    def __post_init__(self) -> None:
        shares = astuple(self)
        require(min(shares) >= 0 and sum(shares) <= 1, f"shares of names must fit into 1: {shares}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """A folder that ``thunder dataset build`` wrote, and what it was made with.

    The folder says whether mentions are drawn once or for each epoch, and whether classes are
    plain or BIO. *tokenizer* is a shipped one or a folder; *lists* and *taxonomy* are folders,
    the shipped ones without. *names* draws the training mentions in other forms than it did.
    A share *word_dropout* of the tokens is hidden in training ([MASK]), so that no context is
    learnt by heart.
    """

    folder: Path
    tokenizer: str = "32k"
    lists: Path | None = None
    taxonomy: Path | None = None
    names: Names | None = None
    word_dropout: float = 0.0

    def __post_init__(self) -> None:
        share = self.word_dropout
        require(0 <= share < 1, f"'word_dropout' lies in 0 <= x < 1: {share}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How long and how fast: a batch is counted in documents, as in the paper.

    Documents longer than *length* tokens (frame included) are read in windows that share
    *overlap* tokens; they are packed side by side, unseen by each other, in rows of up to *row*
    tokens (*length* without). A micro-batch of more than *budget* tokens is computed in pieces, its
    activations made again in the backward pass: slower, and the same. *truncate* reads the first
    *length* tokens of a document and no more, as the paper did.
    """

    epochs: int
    batch: int
    micro_batch: int
    length: int
    overlap: int
    peak: float
    warmup: float = 0.1
    floor: float = 0.0
    row: int | None = None
    budget: int = 16_384
    truncate: bool = False

    def __post_init__(self) -> None:
        require(self.epochs >= 1, "'epochs' must be at least 1")
        require(self.length >= 8, f"'length' must be at least 8 tokens, not {self.length}")
        room = self.length - 4  # the largest frame that tokenizers have
        require(
            0 <= 2 * self.overlap <= room,
            f"'overlap' {self.overlap} must not be above half of 'length' {self.length}",
        )
        row = self.length if self.row is None else self.row
        require(row >= self.length, f"'row' {row} must hold a window of 'length' {self.length}")
        require(self.budget >= row, f"'budget' must hold a row of {row} tokens")
        self.phase(documents=self.batch)  # refuses what cannot be

    def phase(self, *, documents: int) -> Phase:
        """Return the run over so many training documents as the loop counts it.

        The last documents of the last epoch that fill no batch are left out.
        """
        return Phase(
            length=self.length,
            global_batch=self.batch,
            micro_batch=self.micro_batch,
            peak=self.peak,
            steps=self.epochs * documents // self.batch,
            warmup=self.warmup,
            floor=self.floor,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """How often the development part is measured, and the recall that thresholds are set for."""

    every: int = 1  # epochs
    documents: int | None = None  # so many of it while training; all of it without
    recall: float = 0.99

    def __post_init__(self) -> None:
        require(self.every >= 1, f"'every' must be at least 1 epoch, not {self.every}")
        require(self.documents is None or self.documents >= 1, "'documents' must be at least 1")
        require(0 < self.recall <= 1, f"'recall' lies in 0 < x <= 1, not {self.recall}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What is minimised beside the cross-entropy of the label; by default nothing.

    *hierarchy* times the cross-entropy of the label's subcategory, and of whether a token is
    masked at all, is added: a wrong name of the right kind costs less than a wrong kind, and a
    missed name most. Tokens of mentions count *mentions* times. Which label a mention has counts
    *labels* times as much as that it is one: rare labels are learnt sooner, and what is masked is
    decided as before.
    """

    hierarchy: float = 0.0
    mentions: float = 1.0
    labels: float = 1.0

    def __post_init__(self) -> None:
        require(self.hierarchy >= 0, f"'hierarchy' must not be below 0, not {self.hierarchy}")
        for name, weight in (("mentions", self.mentions), ("labels", self.labels)):
            require(weight > 0, f"'{name}' must be above 0, not {weight}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What the recognisers found is told to the network with each token (our encoder only).

    In training a share of *dropout* of their finds is left out, so that it learns to do without.
    Nor is it told then the finds of *without* (``names:person`` …, ``Span.source``): whose licence
    the weights shall not carry, say. *of*: the finds as they come, or as the weighing of them
    leaves them (``thunder.tagger.hints``).
    """

    dropout: float = 0.1
    without: tuple[str, ...] = ()
    of: Of = "settled"

    def __post_init__(self) -> None:
        require(0 <= self.dropout < 1, f"'dropout' of hints lies in 0 <= x < 1: {self.dropout}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finetuning:
    """A whole run. *log_every* counts steps between two lines of the log."""

    name: str
    model: Model
    data: Data
    schedule: Schedule
    checkpoints: Checkpoints
    seed: int = 1200
    log_every: int = 20
    optimizer: Optimizer = field(default_factory=Optimizer)
    engine: EngineSettings = field(default_factory=EngineSettings)
    loss: Loss = field(default_factory=Loss)
    hints: Hints | None = None
    development: Development = field(default_factory=Development)
    loading: Loading = field(default_factory=Loading)

    def __post_init__(self) -> None:
        require(bool(self.name), "'name' is empty")
        told = self.hints is not None
        require(not told or self.model.kind == "encoder", "'hints' are for kind = \"encoder\"")
        require(0 <= self.seed < 2**31, f"'seed' lies in 0 … 2^31 - 1, not {self.seed}")
        require(self.log_every >= 1, f"'log_every' must be at least 1, not {self.log_every}")

    def fixed(self) -> dict[str, Any]:
        """Return what decides which samples come when, and for which weights."""
        schedule = as_table(self.schedule)
        hidden = self.data.word_dropout  # runs older than it say nothing of it
        left = _HOW if self.schedule.truncate else (*_HOW, "truncate")  # nor of this
        return {
            **({"word_dropout": hidden} if hidden else {}),
            "model": as_table(self.model),
            "tokenizer": self.data.tokenizer,
            "names": as_table(self.data.names) if self.data.names else None,
            "schedule": {key: value for key, value in schedule.items() if key not in left},
            "loss": self._own_loss(),
            "hints": self._own_hints(),
            "seed": self.seed,
        }

    def _own_hints(self) -> dict[str, Any] | None:
        """Return what the network is told; runs older than *of* say nothing of it."""
        if self.hints is None:
            return None
        table = as_table(self.hints)
        if self.hints.of == "settled":
            del table["of"]
        return table

    def _own_loss(self) -> dict[str, Any] | None:
        """Return the loss where it is not the usual one; runs older than *labels* say none."""
        table = as_table(self.loss)
        if self.loss.labels == 1:
            del table["labels"]
        return None if self.loss == Loss() else table
