"""How fast training is: tokens a second, MFU, data wait; packed or padded; plain or DeepSpeed.

    python benchmarks/training.py                    # CPU: size small, a few minutes
    python benchmarks/training.py --size 370m 800m 1.5b --precision bf16 --compile   # one GPU
    python benchmarks/training.py --kills 50 --corpus corpus/32k   # kill -9: what is lost?

On a GPU all three sizes fit into a command of ten minutes (--seconds 15). Documents are drawn, so
that nothing has to be there: their lengths are those of annotated judgments (log-normal, median
176 tokens, mean 284), their tokens are random. Tokens that are padding count for nothing.
"""

import argparse
import multiprocessing
import os
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import _environment  # noqa: F401
import numpy as np
import torch

from thunder.encoder import EncoderForMaskedLM, sized
from thunder.settings.config import load
from thunder.training import checkpoints, journal, speed
from thunder.training.batches import ahead
from thunder.training.engines import engine
from thunder.training.loop import Plan, Step, train
from thunder.training.pretraining import Pretraining, run
from thunder.training.pretraining.masking import Masking
from thunder.training.pretraining.samples import FEW_SHAPES, Samples
from thunder.training.processes import Processes, leave
from thunder.training.settings import EngineSettings, Loading, Optimizer
from thunder.training_data.corpus import Row

# Rows of 512 at once: what the configurations take on 80 GB, and what two CPU cores bear.
MICRO = {"370m": 64, "800m": 32, "1.5b": 32, "small": 8, "tiny": 8}


@dataclass(frozen=True)
class Drawn:
    """Rows of drawn documents: several in a row (packed), or one and padding."""

    length: int
    vocabulary: int
    packed: bool

    def __getitem__(self, number: int) -> Row:
        chance = np.random.default_rng(number)
        ids = np.zeros(self.length, dtype=np.int64)
        documents = np.zeros(self.length, dtype=np.int64)
        at, document = 0, 0
        while at < self.length and (self.packed or not document):
            document += 1
            end = min(at + max(8, int(chance.lognormal(5.17, 0.98))), self.length)
            ids[at:end] = chance.integers(300, self.vocabulary, end - at)
            documents[at:end] = document
            at = end
        return Row(ids, documents, np.ones(self.length, dtype=np.bool_), "drawn")


@dataclass(frozen=True)
class Case:
    """One line of the table."""

    size: str
    length: int
    packed: bool = True
    kind: str = "plain"
    zero: int = 0
    precision: str = "bf16"

    def __str__(self) -> str:
        engine_name = f"ZeRO {self.zero}" if self.kind == "deepspeed" else "plain"
        rows = "packed" if self.packed else "padded"
        return f"{self.size} | {self.length} | {rows} | {engine_name} | {self.precision}"


def measured(case: Case, options: argparse.Namespace) -> str:
    """Return the table's line for *case*, after a first step."""
    config = sized(case.size, max_position_embeddings=case.length)
    settings = EngineSettings(
        kind=case.kind, zero=case.zero, precision=case.precision, compile=options.compile
    )
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    processes = Processes(device=device)
    micro = max(1, MICRO[case.size] * 512 // case.length)
    torch.manual_seed(1)
    running = engine(
        EncoderForMaskedLM(config),
        optimizer=Optimizer(),
        settings=settings,
        processes=processes,
        micro_batch=micro,
        accumulation=1,
    )
    rows: Any = Drawn(case.length, 32_000, case.packed)
    made = Samples(rows, Masking(32_000), 1, FEW_SHAPES if options.compile else 1)
    numbers = (range(n * micro, (n + 1) * micro) for n in count())
    loading = Loading(workers=options.workers)
    micros = ahead(made, numbers, loading=loading, pin=device.type == "cuda")
    plan = Plan(steps=10**6, accumulation=1, rate=lambda step: 1e-5, seed=1)
    steps = list(_for(options.seconds, train(running, micros, plan=plan)))
    rate = speed.over(
        steps,
        flops_per_token=config.flops_per_token(case.length),
        devices=1,
        peak_tflops=speed.peak(device, options.peak_tflops),
    )
    running.close()
    mfu = f"{rate.mfu:.1%}" if rate.mfu is not None else "-"
    memory = f"{torch.cuda.max_memory_allocated() / 1e9:.1f}" if device.type == "cuda" else "-"
    return (
        f"| {case} | {rate.tokens_per_second:,.0f} | {mfu} | {rate.waited:.2%} | "
        f"{rate.seconds_per_step:.3f} | {memory} |"
    )


def _for(seconds: float, steps: Iterator[Step]) -> Iterator[Step]:
    """Yield steps for *seconds*, at least two, after the first, which warms up."""
    next(steps)
    began = time.perf_counter()
    for number, step in enumerate(steps, 1):
        yield step
        if number >= 2 and time.perf_counter() - began > seconds:
            return


def cases(options: argparse.Namespace) -> Iterator[Case]:
    """Yield what is compared: lengths, packing, engines, and on a CPU precisions."""
    for size in options.size:
        for precision in options.precision:
            yield Case(size, 512, precision=precision)
        first = options.precision[0]
        yield Case(size, 512, packed=False, precision=first)
        if size != "small":
            yield Case(size, 2048, precision=first)
        for zero in options.zero:
            yield Case(size, 512, kind="deepspeed", zero=zero, precision=first)


def killed(options: argparse.Namespace) -> str:
    """Return what became of the smoke run, saved after each step and killed at random moments.

    SystemExit where a checkpoint was lost or the losses are not those of an unbroken run.
    """
    chance, last, moved, in_a_save = random.Random(7), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        whole, broken = Path(folder, "whole"), Path(folder, "broken")
        began = time.monotonic()
        _life(whole, options.corpus).join()
        most = 8 * (time.monotonic() - began) / options.kills  # a life makes a few steps
        for _ in range(options.kills):
            process = _life(broken, options.corpus)
            process.join(timeout=chance.uniform(0, most))
            process.kill()
            process.join()
            in_a_save += bool(list(broken.glob(".partial-step-*")))
            found = checkpoints.latest(broken)
            step = checkpoints.step_of(found.path) if found.path else 0
            if step < last or found.passed_over:
                raise SystemExit(f"step {last} was lost: {found}")
            moved, last = moved + (step > last), step
        last_life = _life(broken, options.corpus)
        last_life.join()
        if last_life.exitcode:
            raise SystemExit(f"it did not come to its end: {Path(folder, 'said').read_text()}")
        losses = [journal.read(run / "log.jsonl") for run in (whole, broken)]
    first, second = ([record["loss"] for record in records] for records in losses)
    if first != second or not first:
        raise SystemExit("the losses are not those of the unbroken run")
    return (
        f"{options.kills} kills, {moved} after a new checkpoint, {in_a_save} in the middle of a "
        f"save: nothing lost, the losses of all {len(first)} steps as unbroken"
    )


def _life(folder: Path, corpus: Path) -> "multiprocessing.process.BaseProcess":
    """Start the smoke run, or let it go on; forked, so that torch is loaded once."""
    process = multiprocessing.get_context("fork").Process(target=_live, args=(folder, corpus))
    process.start()
    return process


def _live(folder: Path, corpus: Path) -> None:
    # Workers whose process was killed complain of it; what counts is asked at the end.
    with (folder.parent / "said").open("a") as words:
        os.dup2(words.fileno(), 2)
    places = (f"corpus.folder={corpus}", f"checkpoints.folder={folder}")
    changes = (*places, "checkpoints.every=1", "held_out.every=0")
    path = Path(__file__).resolve().parent.parent / "pretrain" / "configs" / "smoke.toml"
    run(load(path, Pretraining, changes=changes), say=lambda line: None, device="cpu")
    leave(0)


def main() -> None:
    """Print the table, a line as soon as it is measured."""
    parser = argparse.ArgumentParser(description="Measure the speed of training.")
    parser.add_argument("--size", nargs="+", default=["small"], choices=list(MICRO))
    parser.add_argument("--precision", nargs="+", default=["bf16", "fp32"])
    parser.add_argument("--zero", nargs="*", type=int, default=[0, 1])
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--peak-tflops", type=float)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--kills", type=int, default=0, help="kill a run so often, instead")
    parser.add_argument("--corpus", type=Path, help="a prepared corpus, for --kills")
    options = parser.parse_args()
    if options.kills and not options.corpus:
        parser.error("--kills needs --corpus, which pretrain/prepare_corpus.py makes")
    if options.kills:
        print(killed(options))
        return
    torch.set_num_threads(options.threads)
    print(
        "| size | length | rows | engine | precision | tokens/s | MFU | data wait | s/step | GB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for case in cases(options):
        print(measured(case, options), flush=True)


if __name__ == "__main__":
    main()
    leave(0)
