"""How fast the encoders read judgments on a processor, beside transformers' DebertaV2.

    python benchmarks/encoder_cpu.py --characters 60000 --threads 2

Random weights, 730 classes, the 32k tokenizer, annotated judgments with their marks stripped, cut
into windows without overlap and read in batches of at most 4,096 tokens of like length. All ways
of one row of the table run in turn, so their ratios hold on a busy machine; there, characters per
second of processor time (summed over threads) say more than those per second.
"""

import argparse
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import _environment  # noqa: F401
import material
import numpy as np
import torch

from thunder import tokenization
from thunder.encoder import EncoderConfig, EncoderForTokenClassification, sized
from thunder.encoder.inference import Inference, fast_dtype
from thunder.settings import resources
from thunder.settings.data import Data
from thunder.tagger.onnx_model import OnnxModel
from thunder.training.exports.onnx import export
from thunder.training_data.annotation import AnnotationError, parse

CLASSES = 730
BATCH = 4096
SHAPES = {"4x256": (4, 256), "6x384": (6, 384), "12x512": (12, 512)}
Batch = tuple[np.ndarray, np.ndarray]
Way = Callable[[np.ndarray, np.ndarray], object]


class Times(NamedTuple):
    """Seconds on the clock and of the processor, of all batches and of one short document."""

    clock: float
    processor: float
    short: float
    short_processor: float


def main() -> None:
    """Print a table, a row for each shape, window and way."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    warnings.filterwarnings("ignore")
    print(f"{arguments.threads} threads, bfloat16 native: {fast_dtype() == torch.bfloat16}")
    print("                                      chars per         600 chars   transformers / this")
    print("shape   window way                   s     CPU-s      ms   CPU-ms  bulk CPU  short CPU")
    texts = list(_texts(arguments.data, characters=arguments.characters))
    for shape in arguments.shapes:
        ways = dict(_ways(shape, threads=arguments.threads, only=arguments.ways))
        for window in arguments.windows:
            _measure(shape, window, ways, texts, repeats=arguments.repeats)


def _arguments() -> argparse.Namespace:
    parser = material.parser("speed of the encoders on a processor")
    parser.add_argument("--characters", type=int, default=60_000, help="so much text")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=2, help="the best of so many counts")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--windows", nargs="+", type=int, default=[128, 256, 512])
    parser.add_argument("--ways", nargs="+", help="only these beside transformers float32")
    return parser.parse_args()


def _texts(data: Data, *, characters: int) -> Iterator[str]:
    """Yield judgments, every 97th of the file, until there are so many characters."""
    material.require(data, "annotated")
    rows = list(material.marked(data))
    for _, _, text in (rows[at * 97 % len(rows)] for at in range(len(rows))):
        try:
            plain = parse(text).text
        except AnnotationError:
            continue
        yield plain[:characters]
        characters -= len(plain)
        if characters <= 0:
            return
    sys.exit("not so many characters in the judgments")


def _ways(shape: str, *, threads: int, only: Sequence[str] | None) -> Iterator[tuple[str, Way]]:
    """Yield each way to read, by name."""
    layers, width = SHAPES[shape]
    config = sized(
        "small",
        num_hidden_layers=layers,
        hidden_size=width,
        num_attention_heads=width // 64,
        num_labels=CLASSES,
    )
    yield "transformers float32", _transformers(config)
    made = {
        "float32 shift": lambda: _ours(config, "shift", "float32"),
        "float32 sdpa": lambda: _ours(config, "sdpa", "float32"),
        "bfloat16 shift": lambda: _ours(config, "shift", "bfloat16"),
        "bfloat16 sdpa": lambda: _ours(config, "sdpa", "bfloat16"),
        "onnx float32": lambda: _onnx(config, threads=threads),
    }
    for name in only or made:
        yield name, made[name]()


def _ours(config: EncoderConfig, backend: str, precision: str) -> Way:
    torch.manual_seed(1)
    model = EncoderForTokenClassification(config).set_attention(backend)
    asked = Inference(model, precision=precision)
    return lambda ids, mask: asked(torch.from_numpy(ids), torch.from_numpy(mask))


def _onnx(config: EncoderConfig, *, threads: int) -> Way:
    torch.manual_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        export(EncoderForTokenClassification(config), Path(folder), shapes=((2, 40),))
        return OnnxModel(Path(folder), threads=threads)


def _transformers(config: EncoderConfig) -> Way:
    from transformers import DebertaV2Config, DebertaV2ForTokenClassification

    theirs = DebertaV2Config(
        vocab_size=config.vocab_size,
        hidden_size=config.hidden_size,
        num_hidden_layers=config.num_hidden_layers,
        num_attention_heads=config.num_attention_heads,
        intermediate_size=config.intermediate_size,
        max_position_embeddings=512,
        relative_attention=True,
        position_buckets=256,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        pos_att_type=["p2c", "c2p"],
        position_biased_input=False,
        num_labels=CLASSES,
    )
    model: Any = DebertaV2ForTokenClassification(theirs).eval()

    def read(ids: np.ndarray, mask: np.ndarray) -> object:
        with torch.inference_mode():
            return model(torch.from_numpy(ids), attention_mask=torch.from_numpy(mask)).logits

    return read


def _measure(
    shape: str, window: int, ways: dict[str, Way], texts: Sequence[str], *, repeats: int
) -> None:
    batches = list(_batches(texts, window=window))
    short = list(_batches(["".join(texts)[:600]], window=window))
    best = {name: Times(*[float("inf")] * 4) for name in ways}
    for way in ways.values():
        way(*short[0])  # the first call fills what is kept
    for _ in range(repeats):
        for name, way in ways.items():
            best[name] = Times(*map(min, best[name], _timed(way, batches, short)))
    characters = sum(map(len, texts))
    first = next(iter(best.values()))
    for name, found in best.items():
        print(
            f"{shape:7} {window:6} {name:20} {characters / found.clock:5.0f} "
            f"{characters / found.processor:7.0f} {found.short * 1e3:8.1f} "
            f"{found.short_processor * 1e3:7.1f} {first.processor / found.processor:9.2f} "
            f"{first.short_processor / found.short_processor:9.2f}",
            flush=True,
        )


def _timed(way: Way, batches: Sequence[Batch], short: Sequence[Batch]) -> Times:
    whole = _seconds(way, batches)
    shorts = [_seconds(way, short) for _ in range(5)]
    return Times(*whole, *map(min, *shorts))


def _seconds(way: Way, batches: Sequence[Batch]) -> tuple[float, float]:
    """Return how long *batches* take, on the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    for batch in batches:
        way(*batch)
    return time.perf_counter() - clock, time.process_time() - processor


def _batches(texts: Sequence[str], *, window: int) -> Iterator[Batch]:
    """Yield ids and mask of windows of like length, at most so many tokens together."""
    tokenizer = tokenization.load(resources.folder("tokenizer") / "32k")
    rows = [
        found.ids[at : at + window].astype(np.int64)
        for found in tokenizer.encode_all(texts)
        for at in range(0, len(found.ids), window)
    ]
    rows.sort(key=len)
    while rows:
        longest = len(rows[-1])
        count = max(1, BATCH // longest)
        yield _padded(rows[-count:], longest)
        rows = rows[:-count]


def _padded(rows: Sequence[np.ndarray], longest: int) -> Batch:
    ids = np.zeros((len(rows), longest), dtype=np.int64)
    mask = np.zeros_like(ids)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
        mask[at, : len(row)] = 1
    return ids, mask


if __name__ == "__main__":
    main()
