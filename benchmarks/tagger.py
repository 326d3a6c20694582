"""How fast a tagger reads judgments on a processor, in how much memory, how exact its forms are.

    python benchmarks/tagger.py TAGGER [--original FOLDER] [--threads 2] [--characters 200000]

TAGGER is an ONNX folder (finetune/export.py … --onnx). Each row is measured in a fresh process, on
whole public judgments that were read before the clock starts: loading with all imports, one
judgment's first 600 characters after warming up (the median of ten), all judgments together, and
the peak of memory. With --original, the torch folder that it was exported from, its other forms
are measured, too: torch in float32 and bfloat16, ONNX in float32 and dynamically quantised. They
all decode at the thresholds of the original. Prints Markdown.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import _environment  # noqa: F401
import material

from thunder.settings.data import Data

SHORT = 600
LONG = 1_000_000
ALONE = 12  # documents read one by one, too
Marks = list[int]
"""A number for the spans of each document."""


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    material.require(arguments.data, "judgments")
    if arguments.measure:
        print(json.dumps(_measured(arguments)))
        return
    print(f"# A tagger on {arguments.threads} threads: `{arguments.tagger.name}`\n")
    _print_acts(arguments)
    if arguments.original:
        with tempfile.TemporaryDirectory() as folder:
            _print_forms(arguments, Path(folder))


def _print_acts(arguments: argparse.Namespace) -> None:
    rows = {
        "rules alone, de-identified": _child(arguments, "rules"),
        "tagger alone": _child(arguments, "tagger"),
        "tagger and rules, de-identified": _child(arguments, "deid"),
    }
    _print_table(rows, _SPEED)
    print(f"\n## One document of {LONG:,} characters\n")
    _print_table({name: _child(arguments, kind, long=True) for name, kind in _LONG.items()}, _SIZE)
    print(f"\n## The command: a table of {LONG:,} characters, loading and files included\n")
    rows = {f"--workers {number}": _command(arguments, number) for number in (1, 2)}
    _print_table(rows, {name: _SIZE[name] for name in ("characters/s", "seconds")})


def _print_forms(arguments: argparse.Namespace, folder: Path) -> None:
    """Print how the same weights do in other forms, and how far their spans are the original's."""
    print("\n## Forms of the same weights, the tagger alone\n", flush=True)
    forms = dict(_forms(arguments, folder))
    rows = {name: _child(arguments, kind, place=place) for name, (kind, place) in forms.items()}
    exact = next(iter(rows.values()))["marks"]
    for row in rows.values():
        row["unlike"] = _unlike(exact, row["marks"])
        row["moody"] = _unlike(row["marks"][:ALONE], row["alone"])
    _print_table(rows, _SPEED | _EXACT)


def _forms(arguments: argparse.Namespace, folder: Path) -> Iterator[tuple[str, tuple[str, Path]]]:
    from onnxruntime.quantization import quantize_dynamic

    from thunder.tagger import folder as folders
    from thunder.training.finetuning.portable import export_onnx

    original = arguments.original
    plain, small, dynamic = (folder / name for name in ("float32", "int8", "dynamic"))
    export_onnx(original, plain)
    export_onnx(original, small, int8=True)
    shutil.copytree(plain, dynamic)
    quantize_dynamic(plain / "model.onnx", dynamic / "model.onnx", per_channel=True)
    (dynamic / "onnx.json").write_text(_with_digest(dynamic), encoding="utf-8")
    folders.write(dynamic, folders.Manifest(**_fields(plain)))
    yield "torch, float32", ("torch-float32", original)
    yield "torch, bfloat16", ("torch-bfloat16", original)
    yield "ONNX, float32", ("tagger", plain)
    yield "ONNX, int8 with a scale a token", ("tagger", small)
    yield "ONNX, int8 with a scale a batch", ("tagger", dynamic)


def _with_digest(folder: Path) -> str:
    from thunder.tagger import onnx_model

    found = json.loads((folder / onnx_model.MANIFEST).read_text("utf-8"))
    return json.dumps({**found, "files": onnx_model.digests(folder)})


def _fields(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "tagger.json").read_text("utf-8"))
    return {key: value for key, value in found.items() if key != "format"}


def _unlike(some: Marks, others: Marks) -> str:
    differing = sum(one != other for one, other in zip(some, others, strict=True))
    return f"{differing} of {len(some)}"


Column = Callable[[dict[str, Any]], str]
_SIZE: dict[str, Column] = {
    "characters/s": lambda row: f"{row['characters'] / row['seconds']:,.0f}",
    "characters/CPU-s": lambda row: f"{row['characters'] / row['processor']:,.0f}",
    "seconds": lambda row: f"{row['seconds']:.1f}",
    "peak MB": lambda row: f"{row['peak']:,.0f}",
}
_SPEED: dict[str, Column] = {
    "load s": lambda row: f"{row['load']:.2f}",
    "MB loaded": lambda row: f"{row['loaded']:,.0f}",
    f"{SHORT} characters, ms": lambda row: f"{1e3 * row['short']:.0f}",
    "… CPU ms": lambda row: f"{1e3 * row['short_processor']:.0f}",
    **_SIZE,
}
_EXACT: dict[str, Column] = {
    "documents with other spans": lambda row: row["unlike"],
    "… alone than together": lambda row: row["moody"],
}
_LONG = {"tagger alone": "tagger", "tagger and rules, de-identified": "deid"}


def _print_table(rows: dict[str, dict[str, Any]], columns: dict[str, Column]) -> None:
    print("| | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(column(row) for column in columns.values()) + " |")
    sys.stdout.flush()


def _child(
    arguments: argparse.Namespace, kind: str, *, place: Path | None = None, long: bool = False
) -> dict[str, Any]:
    """Return what a fresh process measured."""
    command = [sys.executable, __file__, str(place or arguments.tagger), f"--measure={kind}"]
    command += [f"--data={arguments.data.root}", f"--threads={arguments.threads}"]
    command += [f"--characters={LONG if long else arguments.characters}", f"--long={int(long)}"]
    command += [f"--recall={arguments.recall}"] if arguments.recall else []
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _command(arguments: argparse.Namespace, workers: int) -> dict[str, Any]:
    """Return how long ``thunder deid`` takes for a table of judgments."""
    texts = _texts(arguments.data, LONG, long=False)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.jsonl"
        rows = (json.dumps({"id": str(at), "text": text}) for at, text in enumerate(texts))
        table.write_text("\n".join(rows) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "thunder", "deid", str(table), "--text-column", "text"]
        command += ["-o", f"{folder}/out.jsonl", "--workers", str(workers), "--quiet"]
        command += ["--model", str(arguments.tagger), "--no-progress"]
        start = time.perf_counter()
        subprocess.run(command, check=True)
        seconds = time.perf_counter() - start
    return {"characters": sum(map(len, texts)), "seconds": seconds}


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    texts = _texts(arguments.data, arguments.characters, long=arguments.long)
    before, start = _peak(), time.perf_counter()
    act = _act(arguments)
    act([texts[0][:200]])
    found: dict[str, Any] = {"load": time.perf_counter() - start, "loaded": _peak()}
    found["short"], found["short_processor"] = _short(act, texts[0][:SHORT])
    start, processor = time.perf_counter(), time.process_time()
    found["marks"] = act(texts)
    found["seconds"] = time.perf_counter() - start
    found["processor"] = time.process_time() - processor
    found["peak"], found["characters"] = _peak(), sum(map(len, texts))
    found["alone"] = [] if arguments.long else [act([text])[0] for text in texts[:ALONE]]
    return found | {"before": before}


def _short(act: Callable[[Sequence[str]], Marks], text: str) -> tuple[float, float]:
    """Return the median of ten readings of a short text, in seconds and of the processor."""
    times = []
    for _ in range(10):
        start, processor = time.perf_counter(), time.process_time()
        act([text])
        times.append((time.perf_counter() - start, time.process_time() - processor))
    clock, processors = (sorted(column)[len(times) // 2] for column in zip(*times, strict=True))
    return clock, processors


def _texts(data: Data, characters: int, *, long: bool) -> list[str]:
    """Return whole judgments of so many characters together; one text of them if *long*."""
    texts: list[str] = []
    for _, text in islice(material.whole(data), 0, None, 37):
        texts.append(text)
        characters -= len(text)
        if characters <= 0:
            break
    return ["\n".join(texts)[:LONG]] if long else texts


def _peak() -> float:
    """Return this process's own peak in MB; ``getrusage`` would begin with its parent's."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("utf-8"))
    assert found is not None
    return int(found[1]) / 1024


def _act(arguments: argparse.Namespace) -> Callable[[Sequence[str]], Marks]:
    """Return what is measured: texts to a number for what was found in each."""
    if arguments.measure in ("rules", "deid"):
        from thunder.masking.deidentify import deidentify_all

        tagger = _tagger(arguments) if arguments.measure == "deid" else None
        return lambda texts: [
            crc32(done.text.encode())
            for done in deidentify_all([("", text) for text in texts], tagger=tagger)
        ]
    tagger = _tagger(arguments)
    return lambda texts: [
        crc32(repr([(one.start, one.end, one.label) for one in spans]).encode())
        for spans in tagger.tag_all(texts)
    ]


def _tagger(arguments: argparse.Namespace) -> Any:
    from thunder.tagger.tagger import Tagger

    kind, _, precision = arguments.measure.partition("-")
    if kind == "torch":
        return _of_torch(arguments, precision)
    return Tagger.load(arguments.tagger, recall=arguments.recall, threads=arguments.threads)


def _of_torch(arguments: argparse.Namespace, precision: str) -> Any:
    """Return the tagger in a torch folder, in this precision."""
    import torch

    from thunder.tagger import networks
    from thunder.tagger.tagger import Tagger
    from thunder.tagger.torch_backend import TorchScorer

    torch.set_num_threads(arguments.threads)
    tagger = Tagger.load(arguments.tagger, recall=arguments.recall, device="cpu")
    network = networks.opened(arguments.tagger, "encoder")
    classes = tagger.manifest.classes
    scorer = TorchScorer.of(network, classes=classes, device="cpu", precision=precision)
    tagger._reader = replace(tagger._reader, scorer=scorer)
    return tagger


def _arguments() -> argparse.Namespace:
    parser = material.parser(__doc__ or "")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("tagger", type=Path, help="an ONNX folder")
    parser.add_argument("--original", type=Path, help="the torch folder it was made of")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--characters", type=int, default=200_000, help="so much text")
    parser.add_argument("--recall", type=float)
    parser.add_argument("--long", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
