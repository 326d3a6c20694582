"""All that one GPU can settle in ten minutes, in one command: `python benchmarks/gpu.py`.

In this order, each with a share of the time and each candidate by itself, so that one that fails
or hangs costs only its own share:

1. gate       the fused kernels against the reference, forward and gradients; no figure without it
2. gemm       products at the encoders' shapes: what the tensor cores give (bf16, TFLOP/s)
3. attention  every way at S = 512 and 2048 (benchmarks/attention.py has the formula)
4. tuning     other launches of our kernels; the best belong in thunder.encoder.attention.fused
5. steps      whole training steps by size: tokens a second, MFU of useful FLOPs, peak memory
6. packing    padded against packed rows, real tokens a second

Prints as it goes; writes gpu.md and gpu.json into --out, $OUT or the current folder after every
figure. `--smoke` runs all of it on a CPU at toy sizes, to see that it runs; its figures mean
nothing. MFU is against 989 TFLOP/s (H100 SXM, dense bf16): FLOPs by
`EncoderConfig.flops_per_token` with the head at 15 % of the tokens, nothing recomputed counted.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import _environment  # noqa: F401
import attention
import torch

from thunder.encoder.attention import Distances, backends

PEAK = 989e12
SHARES = {"gate": 0.08, "gemm": 0.06, "attention": 0.3, "tuning": 0.14, "steps": 0.34}


class Report:
    """Lines and figures so far, on the screen and in two files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[str] = []
        self.figures: list[dict[str, Any]] = []
        folder.mkdir(parents=True, exist_ok=True)

    def say(self, line: str = "", **figure: Any) -> None:
        """Print *line*, keep it and the *figure* behind it, and write both files."""
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        self.lines.append(line)
        if figure:
            self.figures.append(figure)
        (self.folder / "gpu.md").write_text("\n".join(self.lines) + "\n", encoding="utf-8")
        text = json.dumps(self.figures, indent=1, ensure_ascii=False)
        (self.folder / "gpu.json").write_text(text, encoding="utf-8")


class Bench:
    """One run: its device, its clock, and what it found."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.smoke: bool = chosen.smoke
        self.device = "cpu" if chosen.smoke or not torch.cuda.is_available() else "cuda"
        self.began = time.monotonic()
        self.seconds = 60.0 * chosen.minutes
        self.report = Report(Path(chosen.out or os.environ.get("OUT", ".")))
        self.trusted = "triton" in backends() and self.device == "cuda"

    def left(self) -> float:
        """Return the seconds that remain."""
        return self.seconds - (time.monotonic() - self.began)

    def tried(self, name: str, work: Callable[[], None], *, limit: float) -> bool:
        """Run one candidate for at most *limit* seconds; say what went wrong, and go on."""
        limit = min(limit, self.left() - 5)
        if limit < 2:
            self.report.say(f"- {name}: left out, no time", name=name, skipped=True)
            return False
        try:
            with _alarm(limit):
                work()
            return True
        except Exception as error:
            words = " ".join(str(error).split())[:300]
            self.report.say(f"- {name}: {type(error).__name__}: {words}", name=name, error=words)
            return False
        finally:
            gc.collect()
            if self.device == "cuda":
                torch.cuda.empty_cache()


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(signal_number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"took more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def main() -> int:
    """Run every section that there is time for."""
    chosen = _arguments()
    bench = Bench(chosen)
    if bench.device == "cpu" and not bench.smoke:
        sys.stderr.write("no GPU here; --smoke runs everything on the CPU at toy sizes\n")
        return 2
    # A compiler stuck in C++ does not hear the alarm: the files hold all figures so far.
    end = threading.Timer(bench.seconds + 20, lambda: os._exit(3))
    end.daemon = True
    end.start()
    _machine(bench)
    wanted = chosen.only.split(",") if chosen.only else list(SECTIONS)
    for name in wanted:
        began = time.monotonic()
        bench.report.say(f"\n## {name}\n")
        limit = SHARES.get(name, 1.0) * bench.seconds
        SECTIONS[name](bench, min(limit, bench.left()))
        bench.report.say(f"\n({name}: {time.monotonic() - began:.0f} s)")
    end.cancel()
    return 0


def _machine(bench: Bench) -> None:
    name = torch.cuda.get_device_name() if bench.device == "cuda" else "CPU (smoke)"
    try:
        import triton

        version = triton.__version__
    except ImportError:
        version = "none"
    versions = f"torch {torch.__version__}, triton {version}"
    bench.report.say(f"# {name}, {versions}", device=name, versions=versions)


# --- 1. gate -----------------------------------------------------------------------------------


def gate(bench: Bench, limit: float) -> None:
    """Compare the fused kernels with the reference; where they differ, they are left out."""
    backend = "triton" if bench.trusted else "shift"
    cases = [
        (attention.Shape(2, 130, 2, 64, Distances(256, 512)), torch.bfloat16, 3),
        (attention.Shape(2, 512, 2, 64, Distances(256, 512)), torch.bfloat16, 1),
        (attention.Shape(1, 1100, 2, 64, Distances(32, 128)), torch.bfloat16, 2),
        (attention.Shape(2, 200, 2, 32, Distances(32, 128)), torch.float16, 2),
        (attention.Shape(2, 200, 1, 128, Distances(32, 128)), torch.bfloat16, 2),
        (attention.Shape(1, 150, 1, 64, Distances(32, 64)), torch.float32, 2),
    ]
    worst: list[bool] = []
    for shape, dtype, documents in cases[-2:] if bench.smoke else cases:

        def work(
            shape: attention.Shape = shape, dtype: torch.dtype = dtype, documents: int = documents
        ) -> None:
            given = attention.inputs_of(
                shape, device=bench.device, dtype=dtype, documents=documents
            )
            found = _answers(attention.own_way(backend), given)
            exact = given._replace(
                tensors=tuple(t.detach().double().requires_grad_() for t in given.tensors),
                weight=given.weight.double(),
            )
            wanted = _answers(attention.own_way("reference"), exact)
            errors = [
                float((one.double() - other).abs().max() / other.abs().max().clamp(min=1e-3))
                for one, other in zip(found, wanted, strict=True)
            ]
            most = 1e-4 if dtype == torch.float32 else 0.04
            worst.append(max(errors) <= most)
            verdict = "equal" if worst[-1] else "DIFFERS"
            numbers = " ".join(f"{error:.1e}" for error in errors)
            bench.report.say(
                f"- {backend} {dtype} {shape.rows}x{shape.length} of {shape.width}: {verdict} "
                f"(context, dq, dk, dv, dpk, dpq: {numbers})",
                section="gate", shape=str(shape), errors=errors, passed=worst[-1],
            )  # fmt: skip

        if not bench.tried(f"gate {shape.length} {dtype}", work, limit=limit / 3):
            worst.append(False)
    if not all(worst):
        bench.trusted = False
        bench.report.say(f"\n**{backend} did not pass; it is left out below.**")


def _answers(way: attention.Way, given: attention.Inputs) -> list[torch.Tensor]:
    context = way(given)
    return [context.detach(), *torch.autograd.grad(context, given.tensors, given.weight)]


# --- 2. gemm -----------------------------------------------------------------------------------


def gemm(bench: Bench, limit: float) -> None:
    """Time products at the encoders' shapes."""
    rows = 64 if bench.smoke else 32_768
    shapes = [(8192, 8192, 8192)]
    for width in (1024, 1280, 2048):
        shapes += [(rows, width, 3 * width), (rows, width, 4 * width), (rows, 4 * width, width)]
    bench.report.say("| M x K x N | TFLOP/s |\n|---|---:|")
    for m, k, n in [(64, 64, 64)] if bench.smoke else shapes:

        def work(m: int = m, k: int = k, n: int = n) -> None:
            kind = torch.bfloat16
            left = torch.randn(m, k, device=bench.device, dtype=kind)
            right = torch.randn(k, n, device=bench.device, dtype=kind)
            ms = attention.median_ms(lambda: (left @ right, None)[1], bench.device, seconds=0.5)
            rate = 2.0 * m * k * n / ms / 1e9
            bench.report.say(f"| {m} x {k} x {n} | {rate:.1f} |", section="gemm", shape=[m, k, n],
                             tflops=rate)  # fmt: skip

        bench.tried(f"gemm {m} {k} {n}", work, limit=limit / 4)


# --- 3. attention ------------------------------------------------------------------------------


def shapes_of(bench: Bench) -> list[attention.Shape]:
    """Return the shapes of the shoot-out."""
    if bench.smoke:
        return [attention.Shape(1, 24, 2, 16, Distances(8, 16))]
    return [attention.Shape(64, 512, 16), attention.Shape(16, 2048, 16)]


def shoot_out(bench: Bench, limit: float) -> None:
    """Time every way, ours first."""
    dtype = torch.bfloat16
    shapes = shapes_of(bench)
    seconds = 0.1 if bench.smoke else 1.5
    until = time.monotonic() + limit
    bench.report.say(attention.HEADER + "\n" + attention.RULE)
    for shape in shapes:
        given = attention.inputs_of(shape, device=bench.device, dtype=dtype)
        makers = attention.ways(shape, device=bench.device, dtype=dtype)
        for name, make in makers.items():
            if name == "triton" and not bench.trusted:
                continue

            def work(
                name: str = name,
                make: Callable[[], attention.Way] = make,
                given: attention.Inputs = given,
            ) -> None:
                timing = attention.measured(name, make(), given, seconds=seconds)
                bench.report.say(
                    timing.row(), section="attention", way=name, shape=str(timing.shape),
                    forward_ms=timing.forward, both_ms=timing.both, peak_mib=timing.peak,
                    tflops_forward=timing.shape.flops() / timing.forward / 1e9,
                    tflops_both=3 * timing.shape.flops() / timing.both / 1e9,
                )  # fmt: skip

            bench.tried(name, work, limit=min(45.0, until - time.monotonic()))
        del given


# --- 4. tuning ---------------------------------------------------------------------------------


def tuning(bench: Bench, limit: float) -> None:
    """Time our kernels under other launches and keep the best for the steps that follow."""
    if not bench.trusted:
        bench.report.say("(the fused kernels are not usable here)")
        return
    from thunder.encoder.attention import fused

    given = attention.inputs_of(shapes_of(bench)[0], device=bench.device, dtype=torch.bfloat16)
    until = time.monotonic() + limit
    bench.report.say("| kernel | warps | stages | ms (forward, or forward + backward) |")
    bench.report.say("|---|---:|---:|---:|")
    for kernel in ("forward", "query", "key"):
        best: dict[fused.Launch, float] = {}
        shipped = fused.LAUNCHES[kernel]
        for warps, stages in ((8, 1), (8, 2), (4, 1), (4, 2), (8, 3)):
            tried = shipped._replace(warps=warps, stages=stages)

            def work(
                kernel: str = kernel,
                tried: fused.Launch = tried,
                best: dict[fused.Launch, float] = best,
            ) -> None:
                fused.LAUNCHES[kernel] = tried
                timing = attention.measured(kernel, attention.own_way("triton"), given, seconds=0.6)
                best[tried] = timing.forward if kernel == "forward" else timing.both
                bench.report.say(
                    f"| {kernel} | {tried.warps} | {tried.stages} | {best[tried]:.2f} |",
                    section="tuning", kernel=kernel, launch=list(tried), ms=best[tried],
                )  # fmt: skip

            bench.tried(
                f"{kernel} {warps}/{stages}", work, limit=min(25.0, until - time.monotonic())
            )
        fused.LAUNCHES[kernel] = min(best, key=lambda launch: best[launch], default=shipped)
        bench.report.say(f"\nbest for {kernel}: {tuple(fused.LAUNCHES[kernel])}\n")


# --- 5. steps ----------------------------------------------------------------------------------


def steps(bench: Bench, limit: float) -> None:
    """Time whole training steps: forward, loss at 15 %, backward, fused AdamW."""
    until = time.monotonic() + limit
    plan = [("370m", 64, 512), ("800m", 32, 512), ("1.5b", 32, 512), ("370m", 16, 2048)]
    if bench.smoke:
        plan = [("tiny", 2, 32)]
    bench.report.say("| size | rows x tokens | attention | mode | tokens/s | MFU % | peak GiB |")
    bench.report.say("|---|---|---|---|---:|---:|---:|")
    fast = "triton" if bench.trusted else "sdpa" if bench.device == "cuda" else "shift"
    for compiled in (True, False):
        for size, rows, length in plan:
            if bench.smoke and compiled:
                continue

            def work(
                size: str = size, rows: int = rows, length: int = length, compiled: bool = compiled
            ) -> None:
                _step(bench, size, rows, length, backend=fast, compiled=compiled)

            bench.tried(f"{size} {rows}x{length}", work, limit=min(75.0, until - time.monotonic()))


def _step(bench: Bench, size: str, rows: int, length: int, *, backend: str, compiled: bool) -> None:
    from thunder.encoder import EncoderForMaskedLM, sized

    config = sized(size, attention_backend=backend)
    with torch.device(bench.device):
        model = EncoderForMaskedLM(config)
    model.train()
    if compiled:
        for layer in _layers(model):
            layer.compile(dynamic=False)
    gpu = bench.device == "cuda"
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=gpu)
    ids = torch.randint(5, config.vocab_size, (rows, length), device=bench.device)
    asked = torch.rand(rows, length, device=bench.device) < 0.15
    labels = torch.where(asked, ids, -100)
    documents = torch.ones_like(ids)

    def step() -> None:
        with torch.autocast(bench.device, dtype=torch.bfloat16):
            out = model(ids, document_ids=documents, labels=labels)
        out.loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    if gpu:
        torch.cuda.reset_peak_memory_stats()
    ms = attention.median_ms(step, bench.device, seconds=0.1 if bench.smoke else 5.0)
    rate = rows * length / ms * 1000
    share = 100 * rate * config.flops_per_token(length, head_share=0.15) / PEAK
    peak = torch.cuda.max_memory_allocated() / 2**30 if gpu else float("nan")
    mode = "compiled layers" if compiled else "eager"
    bench.report.say(
        f"| {size} | {rows} x {length} | {backend} | {mode} | {rate:,.0f} | {share:.1f} "
        f"| {peak:.1f} |",
        section="steps", size=size, rows=rows, length=length, attention=backend, mode=mode,
        tokens_per_second=rate, mfu_percent=share, peak_gib=peak,
    )  # fmt: skip


def _layers(model: torch.nn.Module) -> list[torch.nn.Module]:
    """Return the longest list of modules in the model: its layers."""
    lists = [part for part in model.modules() if isinstance(part, torch.nn.ModuleList)]
    return list(max(lists, key=len))


# --- 6. packing --------------------------------------------------------------------------------


def packing(bench: Bench, limit: float) -> None:
    """Time tagging of documents as long as judgments are, one a row against packed rows."""
    size, length, count = ("tiny", 64, 12) if bench.smoke else ("370m", 2048, 256)
    lengths = _document_lengths(count, longest=length)
    fast = "triton" if bench.trusted else "sdpa" if bench.device == "cuda" else "shift"
    bench.report.say("| rows | real tokens, % | real tokens/s |\n|---|---:|---:|")
    rows = {"padded": [[n] for n in lengths], "packed": _packed(lengths, length)}
    for name, filled in rows.items():

        def work(name: str = name, filled: list[list[int]] = filled) -> None:
            _tag(bench, name, filled, size=size, length=length, backend=fast)

        bench.tried(name, work, limit=min(60.0, limit / 2))


def _document_lengths(count: int, *, longest: int) -> list[int]:
    """Return lengths like the judgments': log-normal with median 176 and mean 284 tokens."""
    chance = random.Random(1)
    scale = longest / 2048
    draws = (chance.lognormvariate(5.17, 0.98) for _ in range(count))
    return [max(2, min(longest, round(scale * draw))) for draw in draws]


def _packed(lengths: list[int], longest: int) -> list[list[int]]:
    """Return the lengths in rows, each put where it fits most tightly."""
    rows: list[list[int]] = []
    for length in sorted(lengths, reverse=True):
        fitting = [row for row in rows if sum(row) + length <= longest]
        if fitting:
            max(fitting, key=sum).append(length)
        else:
            rows.append([length])
    return rows


def _tag(
    bench: Bench, name: str, filled: list[list[int]], *, size: str, length: int, backend: str
) -> None:
    from thunder.encoder import EncoderForTokenClassification, sized

    config = sized(size, attention_backend=backend, num_labels=730)
    config.max_position_embeddings = max(config.max_position_embeddings, length)
    with torch.device(bench.device):
        model = EncoderForTokenClassification(config)
    model = model.to(torch.bfloat16).eval()
    documents = torch.zeros(len(filled), length, dtype=torch.int64)
    for row, parts in enumerate(filled):
        numbers = [number for number, part in enumerate(parts, 1) for _ in range(part)]
        documents[row, : len(numbers)] = torch.tensor(numbers)
    batches = documents.to(bench.device).split(16)

    def tag() -> None:
        with torch.no_grad():
            for batch in batches:
                model((batch > 0) * 7, document_ids=batch)

    ms = attention.median_ms(tag, bench.device, seconds=0.1 if bench.smoke else 6.0)
    real = int((documents > 0).sum())
    share, rate = 100 * real / documents.numel(), 1000 * real / ms
    bench.report.say(f"| {name} to {length} | {share:.1f} | {rate:,.0f} |", section="packing",
                     rows=name, real_percent=share, tokens_per_second=rate)  # fmt: skip


SECTIONS: dict[str, Callable[[Bench, float], None]] = {
    "gate": gate,
    "gemm": gemm,
    "attention": shoot_out,
    "tuning": tuning,
    "steps": steps,
    "packing": packing,
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=9.0, help="all sections together")
    parser.add_argument("--only", help=f"sections, by commas, of {', '.join(SECTIONS)}")
    parser.add_argument("--out", help="folder for gpu.md and gpu.json ($OUT, else this one)")
    parser.add_argument("--smoke", action="store_true", help="on a CPU, at toy sizes")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
