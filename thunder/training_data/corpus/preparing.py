"""A corpus prepared from files: shards in parallel, then the selection, plans and manifest.

Killed at any moment, the same command goes on: finished shards stay. Changed inputs, settings or
another tokenizer are refused. Memory: per worker some ten times a piece of input; in all some 300
bytes a document while duplicates are sought.

On many machines with one disk each makes a share of the shards (``prepare_share``); then
``prepare`` on one of them finds all shards there, and does what needs all of them: duplicates, the
parts, the packing. Whoever made a shard, it has the same bytes.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from thunder.settings.config import as_table
from thunder.settings.locks import lock
from thunder.training_data.corpus import manifest as manifests
from thunder.training_data.corpus import plans
from thunder.training_data.corpus.manifest import Input, Manifest
from thunder.training_data.corpus.pool import done_as_they_come, pool, ray_pool
from thunder.training_data.corpus.reading import Piece, files_of, pieces
from thunder.training_data.corpus.selection import PARTS, Documents, select
from thunder.training_data.corpus.settings import CorpusSettings, Source
from thunder.training_data.corpus.sharding import begin, shard_of
from thunder.training_data.corpus.shards import Shard, file_of, read, write_array, write_json
from thunder.training_data.corpus.tokens import tokenizer_record

BEGUN = "begun.json"
_LOCK = ".lock"
_TRIES, _PAUSE = 20, 0.1  # seconds between two tries to begin beside others
_MEGA = 1 << 20


class Progress(NamedTuple):
    """How far a preparation is: the stage, and what is done in it."""

    stage: str
    done: int
    tokens: int = 0


Report = Callable[[Progress], None]


def prepare(
    settings: CorpusSettings,
    *,
    tokenizer: Path,
    out: Path,
    workers: int = 1,
    ray: str = "",
    report: Report = lambda progress: None,
) -> Manifest:
    """Return the manifest of the corpus in *out*, made or finished now.

    ValueError names the file, the line and the cure; ``pool.WorkerDied`` where a
    process was killed. After either, the same call goes on. *ray*: the address of a Ray cluster
    (``auto``: this machine's), which makes the shards then, *workers* at a time.
    """
    _require_workers(workers)
    out.mkdir(parents=True, exist_ok=True)
    with _alone(out), _pool(workers, tokenizer, settings, ray) as processes:
        begun = _begun(settings, tokenizer, out, processes, report)
        if (out / manifests.MANIFEST).is_file():
            there = manifests.read(out)
            if there.made_from == begun:
                return there
        shards = _shards(settings, out, processes, report, window=workers + 2)
        return _finished(settings, out, shards, begun, report)


class Share(NamedTuple):
    """Which pieces of each source are one machine's: the *number*-th of *of* shares, from 1."""

    number: int = 1
    of: int = 1

    def has(self, piece: Piece) -> bool:
        """Return whether a piece is of this share."""
        return int(piece.name) % self.of == self.number - 1


_WHOLE = Share()


def prepare_share(
    settings: CorpusSettings,
    *,
    tokenizer: Path,
    out: Path,
    share: Share,
    workers: int = 1,
    report: Report = lambda progress: None,
) -> int:
    """Return how many shards of *share* there are, all of them made now or before.

    Other machines may make other shares at the same time; errors are those of ``prepare``.
    """
    _require_workers(workers)
    number, of = share
    if not 1 <= number <= of:
        raise ValueError(f"a share is from 1/{of} to {of}/{of}, not {number}/{of}")
    out.mkdir(parents=True, exist_ok=True)
    with _one_of_many(out, share), _pool(workers, tokenizer, settings, "") as processes:
        _begun(settings, tokenizer, out, processes, report)
        return len(_shards(settings, out, processes, report, window=workers + 2, share=share))


def _require_workers(workers: int) -> None:
    if workers < 1:
        raise ValueError(f"a corpus is prepared by at least one worker, not {workers}")


def _pool(
    workers: int, tokenizer: Path, settings: CorpusSettings, ray: str
) -> AbstractContextManager[Executor]:
    arguments = (tokenizer, settings)
    return ray_pool(ray, begin, arguments) if ray else pool(workers, begin, arguments)


@contextmanager
def _locked(path: Path, *, tries: int = 1) -> Iterator[None]:
    """Hold a lock; it ends with the process, however it ends. ValueError where another has it."""
    with path.open("w") as file:
        for left in reversed(range(tries)):
            try:
                lock(file)
                break
            except OSError:
                if not left:
                    raise ValueError(
                        f"{path.parent}: another process is preparing this corpus"
                    ) from None
                time.sleep(_PAUSE)
        yield


@contextmanager
def _one_of_many(out: Path, share: Share) -> Iterator[None]:
    """Hold a share of *out*, beside others; nobody holds the whole then."""
    with ExitStack() as held:
        with _locked(out / _LOCK, tries=_TRIES):  # others that begin hold it for a moment, too
            held.enter_context(_locked(out / f"{_LOCK}-{share.number}-of-{share.of}"))
        yield


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Hold all of *out* against other preparations, and remove what was left half-made."""
    with ExitStack() as held:
        for path in (out / _LOCK, *sorted(out.glob(f"{_LOCK}-*"))):
            held.enter_context(_locked(path))
        for unfinished in [*out.glob("shards/*/.*"), *out.glob("plans/.*")]:
            shutil.rmtree(unfinished)
        yield


def _begun(
    settings: CorpusSettings,
    tokenizer: Path,
    out: Path,
    processes: Executor,
    report: Report,
) -> dict[str, Any]:
    """Return what the corpus is made from; ValueError where shards of something else are there.

    A source may come or go, and what is decided after its shards may change: shares, lengths.
    """
    table = as_table(settings)
    now: dict[str, Any] = {
        "settings": table,
        "tokenizer": tokenizer_record(tokenizer),
        "inputs": [],
    }
    for source, its_table in zip(settings.source, table["source"], strict=True):
        inputs = [asdict(one) for one in _inputs(source, processes, report)]
        now["inputs"] += inputs
        shards_depend_on = {
            "source": {key: its_table[key] for key in ("path", "field", "split", "unreadable")},
            "inputs": inputs,
            "tokenizer": now["tokenizer"],
            **{key: table[key] for key in ("cleaning", "duplicates", "piece_mb")},
        }
        _require_same(out / "shards" / source.name / BEGUN, shards_depend_on, source.name)
    return now


def _inputs(source: Source, processes: Executor, report: Report) -> Iterator[Input]:
    files = files_of(source)
    hashed = processes.map(file_of, files, chunksize=1 + len(files) // 1000)
    for done, (path, found) in enumerate(zip(files, hashed, strict=True), 1):
        report(Progress(f"reading {source.name}", done))
        yield Input(source.name, str(path), found.bytes, found.sha256)


def _require_same(path: Path, now: dict[str, Any], source: str) -> None:
    """Keep what a source's shards are made from, or compare it with what they were."""
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, now)
        return
    before = json.loads(path.read_text("utf-8"))
    changed = [key for key in now if now[key] != before.get(key)]
    if changed:
        what = ", ".join(changed)
        if changed == ["inputs"]:
            one = next(
                one
                for one in [*now["inputs"], *before["inputs"]]
                if one not in before["inputs"] or one not in now["inputs"]
            )
            what = f"{one['file']} as it was then"
        raise ValueError(
            f"{path.parent}: its shards were begun with another {what}: delete this folder to "
            f"make {source!r} anew, or choose another folder for the corpus"
        )


def _shards(
    settings: CorpusSettings,
    out: Path,
    processes: Executor,
    report: Report,
    *,
    window: int,
    share: Share = _WHOLE,
) -> list[Shard]:
    """Return the finished shards of *share* in order, making those that are not there yet."""
    found: dict[tuple[str, str], Shard] = {}
    missing = _missing(settings, out, found, share)
    tokens = 0
    for shard in done_as_they_come(
        processes, shard_of, ((out, piece) for piece in missing), window
    ):
        found[shard.source, shard.name] = shard
        tokens += shard.tokens
        report(Progress("tokenising", len(found), tokens))
    order = [source.name for source in settings.source]
    return sorted(found.values(), key=lambda shard: (order.index(shard.source), shard.name))


def _missing(
    settings: CorpusSettings, out: Path, found: dict[tuple[str, str], Shard], share: Share
) -> Iterator[Piece]:
    for source in settings.source:
        every = pieces(source, most=max(1, int(settings.piece_mb * _MEGA)))
        for piece in filter(share.has, every):
            shard = read(out, source.name, piece.name)
            if shard is None:
                yield piece
            else:
                found[source.name, piece.name] = shard


def _finished(
    settings: CorpusSettings,
    out: Path,
    shards: list[Shard],
    begun: dict[str, Any],
    report: Report,
) -> Manifest:
    (out / manifests.MANIFEST).unlink(missing_ok=True)
    documents = Documents(out, shards)
    report(Progress("seeking duplicates", len(documents)))
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
        settings=begun["settings"],
        tokenizer=begun["tokenizer"],
        inputs=[Input(**one) for one in begun["inputs"]],
        parts=file_of(out / manifests.PARTS_FILE),
    )
    for length in settings.lengths:
        report(Progress(f"packing rows of {length}", len(documents)))
        for name in PARTS:
            plan = plans.computed(documents, part, sources=made.sources, part=name, length=length)
            plans.write(out, made, plan, part=name, length=length)
    manifests.write(out, made)
    return made
