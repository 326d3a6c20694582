"""How fast, and in how much memory, annotated judgments become a dataset.

Three questions: how long the fact sections take, one epoch stored, in each way of filling; whether
memory grows with whole judgments; what a second process is worth. Whole judgments are public ones
annotated by ``thunder annotation placeholders`` (``--whole``); without that file, fact sections are
joined to the same sizes. Each build runs in a fresh process. Prints Markdown; what it builds
goes to a temporary folder (``--work`` says where: some 3 GB for 15,000 whole judgments).
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

import _environment  # noqa: F401
from material import marked, parser, require, whole

from thunder.settings import resources
from thunder.settings.data import Data

ROWS = (1_000, 15_000)


def main() -> None:
    arguments = _arguments()
    require(arguments.data, "annotated")
    if arguments.measure:
        print(json.dumps(_measured(arguments)))
        return
    print("# Datasets\n")
    wanted = arguments.only or ["facts", "memory", "workers"]
    with tempfile.TemporaryDirectory(dir=arguments.work) as work:
        if "facts" in wanted:
            _facts(arguments, Path(work))
        if "memory" in wanted:
            _memory(arguments, Path(work))
        if "workers" in wanted:
            _workers(arguments, Path(work))


def _arguments() -> argparse.Namespace:
    found = parser(__doc__ or "")
    found.add_argument("--whole", type=Path, help="annotated whole judgments, JSONL")
    found.add_argument("--work", type=Path, help="where to build")
    found.add_argument("--documents", type=int, nargs="+", default=list(ROWS))
    found.add_argument("--only", choices=["facts", "memory", "workers"], nargs="+")
    found.add_argument("--way", default="text-first")
    found.add_argument("--workers-documents", type=int, default=2_000)
    found.add_argument("--measure", help=argparse.SUPPRESS)
    found.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    found.add_argument("--workers", type=int, default=1, help=argparse.SUPPRESS)
    return found.parse_args()


def _facts(arguments: argparse.Namespace, work: Path) -> None:
    print("## Annotated fact sections, one epoch, one process\n")
    print("| way | documents | tokens | seconds | processor seconds | peak MiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for way in ("text-first", "token-splice"):
        found = _child(arguments, arguments.data.path("annotated"), work / way, way=way)
        print(
            f"| {way} | {found['documents']:,} | {found['tokens']:,} | {found['seconds']:.1f} "
            f"| {found['processor']:.1f} | {found['mib']:.0f} |"
        )


def _memory(arguments: argparse.Namespace, work: Path) -> None:
    print("\n## Memory over whole judgments, one process\n")
    print("| documents | million characters | million tokens | processor seconds | peak MiB |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for documents in arguments.documents:
        path = work / f"whole-{documents}.jsonl"
        characters = _write(path, islice(_whole(arguments), documents))
        found = _child(arguments, path, work / f"memory-{documents}", way=arguments.way)
        print(
            f"| {found['documents']:,} | {characters / 1e6:.1f} | {found['tokens'] / 1e6:.1f} "
            f"| {found['processor']:.0f} | {found['mib']:.0f} |"
        )


def _workers(arguments: argparse.Namespace, work: Path) -> None:
    print("\n## Two processes against one, whole judgments\n")
    path = work / "workers.jsonl"
    _write(path, islice(_whole(arguments), arguments.workers_documents))
    found = [
        _child(arguments, path, work / f"workers-{n}", way=arguments.way, workers=n) for n in (1, 2)
    ]
    print("| | one | two | times |\n| --- | ---: | ---: | ---: |")
    rows = (
        ("share", "filling, processor time of each"),
        ("filling", "filling, by the clock"),
        ("seconds", "the whole build, by the clock"),
    )
    for name, said in rows:
        one, two = (row[name] for row in found)
        print(f"| {said} | {one:.1f} s | {two:.1f} s | {one / two:.2f} |")


def _whole(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield whole annotated judgments without end, under new ids when they begin again."""
    for round_ in count():
        source = _lines(arguments.whole) if arguments.whole else _joined(arguments.data)
        for record in source:
            yield record | {"id": f"{round_}/{record['id']}"}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _joined(data: Data) -> Iterator[dict[str, Any]]:
    """Yield fact sections joined until they are as long as a whole public judgment."""
    sections = cycle([text for _, _, text in marked(data) if text.count("<<<") % 2 == 0])
    for document, text in whole(data):
        pieces: list[str] = []
        while sum(map(len, pieces)) < len(text):
            pieces.append(next(sections))
        yield {"id": document, "case_type": "joined", "text": "\n".join(pieces)}


def _write(path: Path, records: Iterator[dict[str, Any]]) -> int:
    characters = 0
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            characters += len(record["text"])
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return characters


def _child(
    arguments: argparse.Namespace, path: Path, folder: Path, *, way: str, workers: int = 1
) -> dict[str, Any]:
    """Return what a fresh process measured, started as a person would start it."""
    command = [sys.executable, __file__, "--data", arguments.data.root, "--measure", path]
    command += ["--folder", folder, "--way", way, "--workers", workers]
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    from thunder.training_data.datasets.building import build
    from thunder.training_data.datasets.preparing import Options
    from thunder.training_data.datasets.recipe import Recipe

    recipe = Recipe.named(
        resources.folder("tokenizer") / "32k",
        way=arguments.way,
        scheme="classes",
        replacement="per-epoch",
    )
    clock: dict[str, float] = {}
    processor: dict[str, float] = {}
    began = time.perf_counter()

    def note(stage: str, done: int, total: int) -> None:
        clock.setdefault(stage, time.perf_counter() - began)
        processor.setdefault(stage, time.process_time())

    files = [Path(arguments.measure)]
    workers = arguments.workers
    built = build(files, arguments.folder, recipe, Options(), workers=workers, notice=note)
    seconds = time.perf_counter() - began
    parts = built.manifest.counts["parts"].values()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = time.process_time() - processor["filling"]
    return {
        "documents": sum(row["documents"] for row in parts),
        "tokens": sum(row["tokens"] for row in parts),
        "seconds": seconds,
        "processor": time.process_time(),
        "filling": seconds - clock["filling"],
        "share": (children.ru_utime + children.ru_stime) / workers if workers > 1 else own,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    main()
