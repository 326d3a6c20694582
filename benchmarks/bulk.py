"""Bulk runs: bytes after kills, what the ledger costs, two processes against one, memory of a plan.

    python benchmarks/bulk.py kills --kills 50       # and --ray HOST:PORT, on a cluster that is up
    python benchmarks/bulk.py cost --documents 200
    python benchmarks/bulk.py plan --rows 1000000

``kills`` takes the driver with all its processes, or one process, away at seeded times until the
run is done, as often as it takes, and compares every byte with a run that was left alone. Nodes are
processes of one machine with one disk. ``cost`` has the same judgments done by bare processes that
write nothing but the masked text, and by bulk runs, one and two at a time, by turns; seconds are of
the clock, each the least of some, so that a machine that is busy otherwise tells nothing.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import _environment  # noqa: F401

from thunder import __version__  # noqa: F401  (asked for before the arguments are)

ROOT = Path(__file__).resolve().parent.parent
JUDGMENT = (ROOT / "tests" / "data" / "criminal-judgment.txt").read_text(encoding="utf-8")
_THUNDER = [sys.executable, "-m", "thunder", "bulk"]
_BARE = """
import sys, time
from pathlib import Path
from thunder.documents.records import Reading
from thunder.documents.sources import Source, read_all
from thunder.documents.records import Record
from thunder.masking.deidentifier import Deidentifier
source, target, part, of, model = sys.argv[1:]
act = Deidentifier(model=model, threads=1)
records = (one for one in read_all([Source(Path(source), "a.jsonl", "jsonl")], Reading())
           if isinstance(one, Record))
mine = ((one.id, one.text) for at, one in enumerate(records) if at % int(of) == int(part))
with open(target, "w") as out:
    for result in act.deidentify_many(mine):
        out.write(result.text)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    tasks = parser.add_subparsers(required=True)
    killing = tasks.add_parser("kills")
    killing.add_argument("--kills", type=int, default=50)
    killing.add_argument("--seed", type=int, default=0)
    killing.add_argument("--ray", default="")
    killing.set_defaults(act=lambda given: kills(given.kills, given.seed, given.ray))
    costing = tasks.add_parser("cost")
    costing.add_argument("--documents", type=int, default=200)
    costing.add_argument("--turns", type=int, default=3)
    costing.add_argument("--model", default="mini-free")
    costing.set_defaults(act=lambda given: cost(given.documents, given.turns, given.model))
    planning = tasks.add_parser("plan")
    planning.add_argument("--rows", type=int, default=1_000_000)
    planning.set_defaults(act=lambda given: plan(given.rows))
    given = parser.parse_args()
    given.act(given)


def table(folder: Path, documents: int, text: str) -> Path:
    path = folder / "a.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for number in range(documents):
            row = {"id": f"{number:09}", "text": text}
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def thunder(*words: object) -> None:
    subprocess.run([*_THUNDER, *map(str, words)], check=True, capture_output=True)


def results(folder: Path) -> dict[str, bytes]:
    paths = [path for name in ("out", "dead", "notices") for path in (folder / name).rglob("*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths if path.is_file()}


# --- kills ----------------------------------------------------------------------------------------


def kills(wanted: int, seed: int, ray: str) -> None:
    """Print after each run how many kills there were, and in how many runs the bytes differed."""
    rng = random.Random(seed)
    how = ["--ray", ray] if ray else ["--workers", "2"]
    came = runs = different = 0
    with tempfile.TemporaryDirectory() as name:
        source = table(Path(name), 80, JUDGMENT)
        quiet = Path(name) / "quiet"
        options = ["--model", "none", "--shard-documents", 4]
        thunder("plan", source, "-o", quiet, *options)
        began = time.monotonic()
        thunder("run", quiet, *how)
        lasts = time.monotonic() - began
        while came < wanted:
            folder = Path(name) / f"run-{runs}"
            thunder("plan", source, "-o", folder, *options)
            while came < wanted and not _ends(folder, how, rng, lasts):
                came += 1
            thunder("run", folder, *how)
            thunder("verify", folder)
            different += results(folder) != results(quiet)
            runs += 1
            where = "a Ray cluster" if ray else "two processes"
            line = f"| {where} | {came} kills | {runs} runs | {different} whose bytes differ |"
            print(line, flush=True)


def _ends(folder: Path, how: list[str], rng: random.Random, lasts: float) -> bool:
    """Return whether a run ends before a time drawn for its driver, or a process, to be killed."""
    process = subprocess.Popen(
        [*_THUNDER, "run", str(folder), *how],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(rng.uniform(0, lasts))
    except subprocess.TimeoutExpired:
        victims = _children(process.pid)
        if victims and rng.random() < 0.5:
            os.kill(rng.choice(victims), signal.SIGKILL)  # the driver goes on without it
            process.wait()
            return False
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False
    return True


def _children(process: int) -> list[int]:
    path = Path(f"/proc/{process}/task/{process}/children")
    found = [int(word) for word in path.read_text().split()] if path.exists() else []
    return [one for one in found if "spawn_main" in Path(f"/proc/{one}/cmdline").read_text()]


# --- what the ledger costs ------------------------------------------------------------------------


def cost(documents: int, turns: int, model: str) -> None:
    """Print the least seconds of bare processes and of bulk runs, of one and of two."""
    least: dict[tuple[str, int], float] = {}
    with tempfile.TemporaryDirectory() as name:
        source = table(Path(name), documents, JUDGMENT)
        for turn in range(turns):
            for processes in (1, 2):
                folder = Path(name) / f"run-{turn}-{processes}"
                size = max(1, documents // 10)
                options = ["--model", model, "--shard-documents", size]
                thunder("plan", source, "-o", folder, *options)
                timed = {
                    "bare": lambda count=processes: _bare(source, Path(name), count, model),
                    "bulk": lambda at=folder, count=processes: thunder(
                        "run", at, "--workers", count
                    ),
                }
                for kind, act in timed.items():
                    began = time.monotonic()
                    act()
                    taken = time.monotonic() - began
                    least[kind, processes] = min(taken, least.get((kind, processes), taken))
    print("| processes | bare (s) | bulk (s) | bulk / bare |\n|---:|---:|---:|---:|")
    for processes in (1, 2):
        bare, bulk = least["bare", processes], least["bulk", processes]
        print(f"| {processes} | {bare:.2f} | {bulk:.2f} | {bulk / bare:.3f} |")


def _bare(source: Path, folder: Path, count: int, model: str) -> None:
    commands = [
        [sys.executable, "-c", _BARE, source, folder / f"{part}.txt", str(part), str(count), model]
        for part in range(count)
    ]
    running = [subprocess.Popen(command) for command in commands]
    assert [process.wait() for process in running] == [0] * count


# --- the plan -------------------------------------------------------------------------------------


def plan(rows: int) -> None:
    """Print what it takes to plan a table of short rows: time, and the most memory held."""
    with tempfile.TemporaryDirectory() as name:
        source = table(Path(name), rows, "가")
        began = time.monotonic()
        thunder("plan", source, "-o", Path(name) / "run", "--model", "none")
        seconds = time.monotonic() - began
        size = (Path(name) / "run" / "plan.jsonl").stat().st_size
    held = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"| {rows:,} rows | {seconds:.1f} s | {held:.0f} MiB | plan of {size / 1e6:.1f} MB |")


if __name__ == "__main__":
    main()
