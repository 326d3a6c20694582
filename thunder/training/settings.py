"""The settings that every training run shares: optimizer, phases, engine, checkpoints."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from thunder.settings.config import require


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimizer:
    """AdamW; biases and LayerNorm weights (all that is no matrix) are never decayed."""

    betas: tuple[float, float] = (0.9, 0.98)
    epsilon: float = 1e-6
    weight_decay: float = 0.01
    clip: float = 1.0  # the largest norm of the gradient; 0 leaves it as it is

    def __post_init__(self) -> None:
        for beta in self.betas:
            require(0 <= beta < 1, f"'betas' must lie in 0 <= beta < 1, not {beta}")
        require(self.epsilon > 0, f"'epsilon' must be above 0, not {self.epsilon}")
        require(self.weight_decay >= 0, f"'weight_decay' must not be below 0: {self.weight_decay}")
        require(self.clip >= 0, f"'clip' must not be below 0, not {self.clip}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch of training with one sequence length and one schedule of its own.

    Either *steps* or *tokens* says how long it is; a batch is counted in sequences.
    """

    length: int
    global_batch: int
    micro_batch: int
    peak: float
    steps: int | None = None
    tokens: int | None = None
    warmup: float = 0.1
    floor: float = 0.0

    def __post_init__(self) -> None:
        for name in ("length", "global_batch", "micro_batch"):
            require(getattr(self, name) >= 1, f"{name!r} must be at least 1")
        require(
            self.global_batch % self.micro_batch == 0,
            f"'global_batch' {self.global_batch} is no multiple of 'micro_batch' "
            f"{self.micro_batch}",
        )
        require(0 < self.peak < 1, f"'peak' is a learning rate between 0 and 1, not {self.peak}")
        require(0 <= self.warmup < 1, f"'warmup' is a share in 0 <= x < 1, not {self.warmup}")
        require(0 <= self.floor <= self.peak, f"'floor' must lie in 0 … 'peak', not {self.floor}")
        require((self.steps is None) != (self.tokens is None), "give 'steps' or 'tokens', not both")
        require(self.number_of_steps >= 1, "'steps' or 'tokens' come to no whole step")

    @property
    def number_of_steps(self) -> int:
        """How many optimizer steps it is."""
        if self.steps is not None:
            return self.steps
        return round((self.tokens or 0) / self.tokens_per_step)

    @property
    def tokens_per_step(self) -> int:
        """How many places for tokens a step has."""
        return self.length * self.global_batch

    def accumulation(self, processes: int) -> int:
        """Return the micro-batches a process takes per step; ValueError where they do not divide.

        A micro-batch is never split, so the losses are the same for any number of processes.
        """
        micros = self.global_batch // self.micro_batch
        require(
            micros % processes == 0,
            f"'global_batch' {self.global_batch} is {micros} micro-batches of {self.micro_batch}, "
            f"which {processes} processes cannot share evenly; choose a 'micro_batch' that makes "
            f"their number a multiple of {processes}",
        )
        return micros // processes


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """What moves the weights: PyTorch alone (DDP) or DeepSpeed, and in which precision.

    In every precision the weights, the gradients and AdamW's moments are fp32, and the products
    are computed in *precision* (autocast). ``timeout`` is in seconds: a process that waits longer
    for the others gives up, and so do they all.
    """

    kind: Literal["plain", "deepspeed"] = "plain"
    zero: Literal[0, 1, 2, 3] = 0
    precision: Literal["fp32", "bf16", "fp16"] = "bf16"
    compile: bool = False
    timeout: float = 600.0
    peak_tflops: float | None = None  # a device's, to state MFU where it is not known
    threads: int | None = None  # of one process on a CPU

    def __post_init__(self) -> None:
        require(
            self.kind == "deepspeed" or self.zero == 0,
            f"'zero' = {self.zero} needs 'kind' = \"deepspeed\"",
        )
        require(self.timeout >= 1, f"'timeout' is in seconds, at least 1, not {self.timeout}")
        require(self.peak_tflops is None or self.peak_tflops > 0, "'peak_tflops' must be above 0")
        require(self.threads is None or self.threads >= 1, "'threads' must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoints:
    """Where whole states are kept: the last *keep_last*, and every one of *keep_every* steps."""

    folder: Path
    every: int
    keep_last: int = 3
    keep_every: int = 0  # 0: only the last ones

    def __post_init__(self) -> None:
        require(self.every >= 1, f"'every' must be at least 1 step, not {self.every}")
        require(self.keep_last >= 1, f"'keep_last' must be at least 1, not {self.keep_last}")
        require(self.keep_every >= 0, f"'keep_every' must not be below 0: {self.keep_every}")
        require(
            self.keep_every % self.every == 0,
            f"'keep_every' {self.keep_every} is no multiple of 'every' {self.every}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Loading:
    """How samples are made ready: processes beside each training process, and how far ahead."""

    workers: int = 2  # 0: in the training process itself
    ahead: int = 4  # micro-batches ready per worker
    timeout: float = 300.0  # seconds after which a worker that gives nothing is given up

    def __post_init__(self) -> None:
        require(self.workers >= 0, f"'workers' must not be below 0, not {self.workers}")
        require(self.ahead >= 1, f"'ahead' must be at least 1, not {self.ahead}")
        require(self.timeout > 0, f"'timeout' is in seconds, above 0, not {self.timeout}")
