"""How fast a corpus is prepared, stage by stage, and its rows are read and masked.

One core; CPU seconds, the tokenizer cold as in every new process. Prints Markdown.

    python benchmarks/corpus.py --megabytes 30
"""

import argparse
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import _environment  # noqa: F401

from thunder.settings.config import load
from thunder.settings.resources import folder
from thunder.training.pretraining import masking
from thunder.training_data.corpus import CorpusSettings, PackedRows, Row, Source, plans, sharding
from thunder.training_data.corpus import manifest as manifests
from thunder.training_data.corpus.cleaning import clean
from thunder.training_data.corpus.manifest import Input
from thunder.training_data.corpus.reading import Piece, pieces, texts
from thunder.training_data.corpus.selection import PARTS, Documents, select
from thunder.training_data.corpus.shards import Shard, file_of, write, write_array
from thunder.training_data.corpus.tokens import tokenizer_record

STAGES = ("read", "clean", "tokenise", "sketch", "write", "select", "pack")
LENGTHS = (512, 2048)
_PIECE = 16 << 20
_PAPERS, _BYTES_A_TOKEN = 60e9, 5.09  # tokens of the paper's corpus; of Korean by the 128k


class Stages:
    """CPU seconds by stage."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        begun = time.process_time()
        yield
        self.seconds[stage] += time.process_time() - begun


class Made(NamedTuple):
    """What one source gave: its size as text, and its shards."""

    bytes: int
    tokens: int
    shards: list[Shard]


def main() -> None:
    arguments = _arguments()
    settings = load(arguments.settings, CorpusSettings)
    print(f"# A corpus, {arguments.megabytes} MB of each source, one core\n")
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        _print_preparation(settings, arguments, out)
        for length in LENGTHS:
            _print_rows(out, length)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"\nPeak memory {peak / 1024:.0f} MiB.")


def _print_preparation(settings: CorpusSettings, arguments: argparse.Namespace, out: Path) -> None:
    sharding.begin(arguments.tokenizer, settings)
    shards: list[Shard] = []
    print("| source | MB of text | M tokens | MB/s |", *(f"{stage} |" for stage in STAGES[:5]))
    print("| --- | --: | --: | --: |", *["--: |" for _ in STAGES[:5]])
    total = Stages()
    size = 0
    for source in settings.source:
        stages = Stages()
        made = _prepared(source, arguments.megabytes << 20, out, stages)
        shards += made.shards
        total.seconds.update(stages.seconds)
        size += made.bytes
        _print_stages(source.name, made, stages, STAGES[:5])
    _finish(settings, arguments.tokenizer, out, shards, total)
    seconds = sum(total.seconds.values())
    print(f"\nAll of it: {size / 1e6 / seconds:.2f} MB/s;", _shares(total, STAGES), "\n")
    alone = total.seconds["select"] + total.seconds["pack"]
    _print_reckoned(size, sum(shard.tokens for shard in shards), seconds - alone, alone)


def _print_reckoned(size: int, tokens: int, shared: float, alone: float) -> None:
    """Print what the paper's largest corpus would take at the rates of these shards.

    Shards are made on many cores, *shared* seconds for these; what comes after them on one.
    """
    times = _PAPERS * _BYTES_A_TOKEN / size
    hours, last = shared * times / 3600, alone * times / 3600
    print(f"Here a token has {size / tokens:.2f} bytes. Reckoned from these rates, not run:\n")
    print("| 60 billion tokens of 5.09 bytes | core-hours | hours on 32 cores | on 320 |")
    print("| --- | --: | --: | --: |")
    print(f"| shards ({times * size / 1e9:.0f} GB) | {hours:.1f} | {hours / 32:.2f} |", end="")
    print(f" {hours / 320:.2f} |")
    print(f"| duplicates and packing, one core | {last:.1f} | {last:.2f} | {last:.2f} |\n")


def _print_stages(name: str, made: Made, stages: Stages, names: tuple[str, ...]) -> None:
    seconds = sum(stages.seconds.values())
    print(
        f"| {name} | {made.bytes / 1e6:.1f} | {made.tokens / 1e6:.1f} "
        f"| {made.bytes / 1e6 / seconds:.2f} |",
        *(f"{stages.seconds[stage] / seconds:.1%} |" for stage in names),
    )


def _shares(stages: Stages, names: tuple[str, ...]) -> str:
    seconds = sum(stages.seconds.values())
    return ", ".join(f"{name} {stages.seconds[name] / seconds:.1%}" for name in names)


def _prepared(source: Source, most: int, out: Path, stages: Stages) -> Made:
    """Make the shards of the first bytes of a source: what ``sharding.shard_of`` does, timed."""
    found = pieces(source, most=_PIECE)
    shards: list[Shard] = []
    done = 0
    while done < most:
        with stages("read"):
            piece = next(found, None)
        if piece is None:
            break
        size, shard = _sharded(piece, source, out, stages)
        shards.append(shard)
        done += size
    return Made(done, sum(shard.tokens for shard in shards), shards)


def _sharded(piece: Piece, source: Source, out: Path, stages: Stages) -> tuple[int, Shard]:
    work = sharding.work()
    with stages("read"):
        raw = [text.text or "" for text in texts(piece, source)]
    with stages("clean"):
        cleaned = [clean(text, work.settings.cleaning) for text in raw]
    with stages("tokenise"):
        kept = [sharding.document(one.text, work.tokens) for one in cleaned if not one.dropped]
    with stages("sketch"):
        bands = sharding.bands_of(kept, work.settings.duplicates.threshold)
    read = {"documents": len(raw), "characters": sum(map(len, raw))}
    tokens = sum(len(one.tokens) for one in kept)
    shard = Shard(piece.source, piece.name, len(kept), tokens, read, {}, {})
    with stages("write"):
        shard = write(out, shard, sharding.arrays_of(kept, bands, work.dtype))
    return sum(one.bytes for one in kept), shard


def _finish(
    settings: CorpusSettings, tokenizer: Path, out: Path, shards: list[Shard], stages: Stages
) -> None:
    """Select, pack and write the manifest, as ``preparing.prepare`` does."""
    documents = Documents(out, shards)
    with stages("select"):
        part = select(
            documents,
            sources=[source.name for source in settings.source],
            duplicates=settings.duplicates,
            held_out=settings.held_out,
        )
    write_array(out / manifests.PARTS_FILE, part)
    made = manifests.made(
        documents,
        part,
        sources=settings.source,
        settings={},
        tokenizer=tokenizer_record(tokenizer),
        inputs=[Input("benchmark", "", 0, "")],
        parts=file_of(out / manifests.PARTS_FILE),
    )
    with stages("pack"):
        for length in LENGTHS:
            for name in PARTS:
                plan = plans.computed(
                    documents, part, sources=made.sources, part=name, length=length
                )
                plans.write(out, made, plan, part=name, length=length)
    manifests.write(out, made)


def _print_rows(out: Path, length: int) -> None:
    rows = PackedRows.open(out, length=length)
    number = min(len(rows), 4000)
    read = [rows[at] for at in range(number)]  # every page is in memory now
    begun = time.process_time()
    for at in range(number):
        rows[at]
    seconds = time.process_time() - begun
    padding = ", ".join(f"{name} {rows.only(name).padding:.2%}" for name in rows.sources)
    print(f"\n## Rows of {length}\n\n- padding {rows.padding:.2%} ({padding})")
    print(
        f"- {number / seconds:,.0f} rows a second, {number * length / seconds / 1e6:.1f} M tokens"
    )
    for whole_words in (False, True):
        rule = masking.Masking(rows.vocabulary, whole_words=whole_words)
        kind = "morphemes" if whole_words else "tokens"
        print(f"- masking {kind}: {_microseconds(read, rule):.0f} µs a row in batches of 16")


def _microseconds(rows: list[Row], rule: masking.Masking) -> float:
    begun = time.process_time()
    for first in range(0, len(rows) - 15, 16):
        numbers = range(first, first + 16)
        masking.masked_batch(rows[first : first + 16], seed=1, numbers=numbers, rule=rule)
    return (time.process_time() - begun) / (len(rows) // 16 * 16) * 1e6


def _arguments() -> argparse.Namespace:
    found = argparse.ArgumentParser(description=__doc__)
    root = Path(__file__).resolve().parent.parent
    found.add_argument("--settings", type=Path, default=root / "pretrain/corpora/public.toml")
    found.add_argument("--tokenizer", type=Path, default=folder("tokenizer") / "32k")
    found.add_argument("--megabytes", type=int, default=30)
    return found.parse_args()


if __name__ == "__main__":
    main()
