"""Bulk runs: bytes after kills, what the ledger costs, two processes against one, memory of a plan.

    python benchmarks/bulk.py kills --kills 50 [--runner shares|ray]
    python benchmarks/bulk.py cost [--documents 200] [--turns 3]
    python benchmarks/bulk.py plan --rows 1000000
    python benchmarks/bulk.py memory --rows 100000000 [--verified 100000]

``kills`` takes something away at seeded times until the run is done, as often as it takes, and
compares every byte with a run that was left alone: of a run by processes the driver with all of
them, or one; of shares, as a Slurm array or an indexed job does them, the task of one share; of Ray
(a cluster of two nodes that is begun here) the driver, a worker or a node. Nodes are processes of
one machine with one disk. Judgments are tiny and the rules are alone, so that kills fall into the
ledger's own work.

``cost`` has the same judgments done by bare processes that write nothing but the masked text, and
by bulk runs, one and two at a time, by turns, and says the least seconds of the clock and of the
processor; what two judgments take, start and model, is said by itself, and taken off for what
the ledger costs. From the rate it reckons core-hours and money.

``memory`` makes a plan of as many rows as it is told without any input, and has it written, read,
gone through, and its state asked; the peaks are those of processes of their own. *verified* of its
shards then have a result of a row each, put there as a run would, and ``verify`` goes through them.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

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
    killing.add_argument("--runner", choices=("processes", "shares", "ray"), default="processes")
    killing.set_defaults(act=lambda given: kills(given.kills, given.seed, given.runner))
    costing = tasks.add_parser("cost")
    costing.add_argument("--documents", type=int, default=200)
    costing.add_argument("--turns", type=int, default=3)
    costing.add_argument("--model", default="mini-free")
    costing.add_argument("--price", type=float, default=0.05, help="of a core-hour, dollars")
    costing.add_argument("--mean", type=int, default=5154, help="characters of a judgment")
    costing.set_defaults(act=cost)
    planning = tasks.add_parser("plan")
    planning.add_argument("--rows", type=int, default=1_000_000)
    planning.set_defaults(act=lambda given: plan(given.rows))
    remembering = tasks.add_parser("memory")
    remembering.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7, 10**8])
    remembering.add_argument("--distinct", type=int, default=10**6, help="ids that are compared")
    remembering.add_argument("--verified", type=int, nargs="*", default=[10**3, 10**4])
    remembering.set_defaults(act=lambda given: memory(given.rows, given.distinct, given.verified))
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
    done = subprocess.run([*_THUNDER, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"thunder bulk {words[0]} ended with {done.returncode}: {done.stderr}")


def results(folder: Path) -> dict[str, bytes]:
    paths = [path for name in ("out", "dead", "notices") for path in (folder / name).rglob("*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths if path.is_file()}


# --- kills ----------------------------------------------------------------------------------------


MARK = "THUNDER_BENCHMARK_OF_KILLS"  # in the environment of what may be killed
TINY = "피고인 김도윤은 걸었다. 피해자 박서준이 보았다.\n"


def kills(wanted: int, seed: int, runner: str) -> None:
    """Print after each run how many kills there were, and in how many runs the bytes differed."""
    rng = random.Random(seed)
    os.environ[MARK] = str(os.getpid())
    came: Counter[str] = Counter()
    runs = different = 0
    with tempfile.TemporaryDirectory() as name, ExitStack() as cluster:
        source = table(Path(name), 240, TINY)
        quiet = Path(name) / "quiet"
        options = ["--model", "none", "--shard-documents", 4]
        thunder("plan", source, "-o", quiet, *options)
        thunder("run", quiet)
        nodes = cluster.enter_context(_cluster(Path(name))) if runner == "ray" else None
        how = ["--ray", nodes.address] if nodes else ["--workers", "2"]
        while came.total() < wanted:
            folder = Path(name) / f"run-{runs}"
            thunder("plan", source, "-o", folder, *options)
            while came.total() < wanted and not _ends(
                folder, runner, how, rng, nodes, came, wanted
            ):
                pass
            if nodes:
                nodes.mend()
            thunder("run", folder, *how)
            thunder("verify", folder)
            different += results(folder) != results(quiet)
            runs += 1
            shutil.rmtree(folder)
            said = ", ".join(f"{count} {kind}" for kind, count in sorted(came.items()))
            print(
                f"| {runner} | {said} | {runs} runs | {different} whose bytes differ |", flush=True
            )


def _ends(
    folder: Path,
    runner: str,
    how: list[str],
    rng: random.Random,
    nodes: "Nodes | None",
    came: Counter[str],
    wanted: int,
) -> bool:
    """Return whether a run ends, of which something is killed after every few shards."""
    shares = [["--shard", f"{number}/2"] for number in (1, 2)] if runner == "shares" else [how]
    running = [_started(folder, words) for words in shares]
    while came.total() < wanted:
        goal = _done(folder) + rng.randrange(1, 12)
        while _done(folder) < goal and any(process.poll() is None for process in running):
            time.sleep(rng.uniform(0, 0.01))
        alive = [process for process in running if process.poll() is None]
        if not alive:
            return True
        victim = rng.choice(alive)
        came[_kill(victim, runner, rng, nodes)] += 1
        if victim.poll() is not None and runner != "shares":
            return False
    for process in running:
        _end(process)
    return False


def _done(folder: Path) -> int:
    return sum(1 for _ in (folder / "done").rglob("*.json"))


def _started(folder: Path, words: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*_THUNDER, "run", str(folder), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _kill(
    process: "subprocess.Popen[bytes]", runner: str, rng: random.Random, nodes: "Nodes | None"
) -> str:
    """Kill a run, a worker of it or a node; return which."""
    if nodes and rng.random() < 0.3:
        nodes.lose()
        return "nodes"
    workers = _ray_workers() if nodes else _children(process.pid)
    if runner != "shares" and workers and rng.random() < 0.5:
        with suppress(ProcessLookupError):
            os.kill(rng.choice(workers), signal.SIGKILL)  # the driver goes on without it
        return "workers"
    _end(process)
    return "tasks" if runner == "shares" else "drivers"


def _children(process: int) -> list[int]:
    path = Path(f"/proc/{process}/task/{process}/children")
    found = [int(word) for word in path.read_text().split()] if path.exists() else []
    return [one for one in found if "spawn_main" in _read(one, "cmdline")]


def _ray_workers() -> list[int]:
    """Return the processes of our own cluster that do shards."""
    every = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    ours = f"{MARK}={os.getpid()}"
    return [
        one for one in every if "ray::" in _read(one, "cmdline") and ours in _read(one, "environ")
    ]


def _read(process: int, what: str) -> str:
    try:
        return Path(f"/proc/{process}/{what}").read_text(errors="replace")
    except OSError:
        return ""


class Nodes:
    """A Ray cluster of two nodes, one of which may be lost and come again."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address, self._log = f"127.0.0.1:{port}", folder / "ray.log"
        self._head = self._node("--head", f"--port={port}", "--include-dashboard=false")
        self._other: subprocess.Popen[bytes] | None = None
        self.mend()

    def _node(self, *words: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"]
        command += ["--node-ip-address=127.0.0.1", "--disable-usage-stats"]
        command += ["--object-store-memory=80000000", *words]
        for _ in range(3):  # one gives up after 30 s of a busy machine
            with self._log.open("w") as log:
                process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
            while process.poll() is None:
                if "Ray runtime started" in self._log.read_text():
                    return process
                time.sleep(0.2)
        raise SystemExit(f"no node of Ray came up: {self._log.read_text()}")

    def mend(self) -> None:
        """Have both nodes."""
        self._other = self._other or self._node(f"--address={self.address}")

    def lose(self) -> None:
        """Kill the second node with its workers; the head goes on."""
        other, self._other = self._other, None
        if other:
            _end(other)

    def end(self) -> None:
        """Kill both."""
        self.lose()
        _end(self._head)


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def _cluster(folder: Path) -> Iterator[Nodes]:
    nodes = Nodes(folder)
    try:
        yield nodes
    finally:
        nodes.end()


# --- what the ledger costs ------------------------------------------------------------------------


class Spent(NamedTuple):
    """Seconds of the clock, and of the processor with all processes."""

    wall: float
    cpu: float

    def least(self, other: "Spent") -> "Spent":
        """Return the less of each."""
        return Spent(min(self.wall, other.wall), min(self.cpu, other.cpu))


def cost(given: argparse.Namespace) -> None:
    """Print the least seconds of bare processes and of bulk runs, of one and of two."""
    documents, model = given.documents, given.model
    least: dict[tuple[str, int], Spent] = {}
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        source = table(place, documents, JUDGMENT)
        (place / "one").mkdir()
        one = table(place / "one", 2, JUDGMENT)
        for turn in range(given.turns):
            for processes in (1, 2):
                for kind, rows, size in (
                    ("bulk", source, max(1, documents // 10)),
                    ("bulk begun", one, 1),
                ):
                    folder = place / f"{kind}-{turn}-{processes}"
                    thunder("plan", rows, "-o", folder, "--model", model, "--shard-documents", size)
                    done = _spent(partial(thunder, "run", folder, "--workers", processes))
                    least[kind, processes] = done.least(least.get((kind, processes), done))
                for kind, rows in (("bare", source), ("bare begun", one)):
                    done = _spent(partial(_bare, rows, place, processes, model))
                    least[kind, processes] = done.least(least.get((kind, processes), done))
    _print_cost(least, documents, given)


def _spent(act: Callable[[], None]) -> Spent:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    act()
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _print_cost(
    least: dict[tuple[str, int], Spent], documents: int, given: argparse.Namespace
) -> None:
    print(f"{documents} judgments of {len(JUDGMENT):,} characters, {given.model}; begun: for two\n")
    print("| processes | | bare | bulk | bare begun | bulk begun | ledger | bulk / bare |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|")
    for processes in (1, 2):
        for what in Spent._fields:
            bare, bulk, bare_begun, bulk_begun = (
                getattr(least[kind, processes], what)
                for kind in ("bare", "bulk", "bare begun", "bulk begun")
            )
            ledger = (bulk - bulk_begun) / (bare - bare_begun) - 1
            print(
                f"| {processes} | {what} (s) | {bare:.2f} | {bulk:.2f} | {bare_begun:.2f}", end=""
            )
            print(f" | {bulk_begun:.2f} | {ledger:+.1%} | {bulk / bare:.3f} |")
    seconds = least["bulk", 1].cpu - least["bulk begun", 1].cpu
    rate = (documents - 2) * len(JUDGMENT) / seconds
    print(f"\n{rate:,.0f} characters a CPU second; reckoned for judgments of {given.mean:,}:\n")
    print(f"| judgments | core-hours | at {given.price:g} dollars a core-hour |\n|---:|---:|---:|")
    for power in (6, 7, 8):
        hours = 10**power * given.mean / rate / 3600
        print(f"| 10^{power} | {hours:,.0f} | {hours * given.price:,.0f} |")


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


# --- memory ---------------------------------------------------------------------------------------

_MEMORY = """
import resource, sys, tempfile, time
from pathlib import Path
from thunder.bulk.ledger import plan as planning
from thunder.bulk.ledger.ids import Distinct
from thunder.bulk.ledger.plan import File, Shard
from thunder.bulk.ledger.settings import Settings, decides
from thunder.bulk.ledger.state import state
from thunder.documents.records import Part

rows, distinct = map(int, sys.argv[1:3])
settings = Settings(model="none")
size = settings.shard_documents
place = Path(sys.argv[3])
each = (Shard(number, (File(0, "a.jsonl", "jsonl", 5_000_000, "0" * 64),), size, "0" * 64,
              Part(number * size + 1, (number + 1) * size + 1, number * 5_000_000), number,
              0, (number + 1) * 5_000_000) for number in range(rows // size))
began = time.monotonic()
planning.put(place, decides(settings), [place], {}, each)
made = planning.read(place)
count = sum(shard.rows for shard in made.each())
assert count == state(made).rows == rows
seconds = time.monotonic() - began
with Distinct(place) as ids:
    for number in range(distinct):
        ids.add(str(number), 0, number)
    assert ids.twice() is None
print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} {seconds:.1f}")
"""


_VERIFIED = """
import hashlib, json, resource, sys, time
from pathlib import Path
from thunder.bulk.ledger import plan as planning
from thunder.bulk.ledger.plan import File, Shard
from thunder.bulk.ledger.settings import Settings, decides
from thunder.bulk.ledger.verify import verify
from thunder.documents.records import Part

shards, place = int(sys.argv[1]), Path(sys.argv[3])
sha = lambda content: hashlib.sha256(content).hexdigest()
each = (Shard(number, (File(0, "a.jsonl", "jsonl", 50, "0" * 64),), 1, sha(str(number).encode()),
              Part(number + 1, number + 2, number * 50), number, 0, (number + 1) * 50)
        for number in range(shards))
planning.put(place, decides(Settings(model="none")), [place], {}, each)
with (place / "plan.jsonl").open("rb") as lines:
    next(lines)
    for number, raw in zip(range(shards), lines):
        content = json.dumps({"id": str(number), "text": ""}).encode()
        name = f"a.jsonl/part-{number:09}.jsonl"
        marker = {"shard": number, "fingerprint": sha(raw), "dead_sha256": "",
                  "notices_sha256": "", "files": [{"name": name, "sha256": sha(content)}]}
        for path, said in ((place / "out" / name, content),
                           (place / "done" / f"{number // 1000:06}/{number:09}.json",
                            json.dumps(marker).encode())):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(said)
began = time.monotonic()
found = verify(place)
assert not found.said and found.out == shards, found
print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} "
      f"{time.monotonic() - began:.1f}")
"""


def memory(sizes: list[int], distinct: int, verified: list[int]) -> None:
    """Print the most memory that a plan of so many rows takes, and what verifying shards takes."""
    print("| rows planned | shards | most memory (MiB) | seconds |\n|---:|---:|---:|---:|")
    for rows in sizes:
        held, seconds = _remembered(_MEMORY, rows, distinct)
        print(f"| {rows:,} | {rows // 1000:,} | {held} | {seconds} |", flush=True)
    print(f"\n{distinct:,} ids were compared each time.\n")
    print("| shards verified | most memory (MiB) | seconds |\n|---:|---:|---:|")
    for shards in verified:
        held, seconds = _remembered(_VERIFIED, shards, 0)
        print(f"| {shards:,} | {held} | {seconds} |", flush=True)


def _remembered(code: str, number: int, distinct: int) -> list[str]:
    """Return what a process of its own says: its most memory, and seconds."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-c", code, str(number), str(distinct), name]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return said.split()


if __name__ == "__main__":
    main()
