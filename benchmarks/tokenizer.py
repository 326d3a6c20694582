"""How fast the hybrid tokenizer is, beside Mecab called back from Rust as it is done elsewhere.

Every figure is a ratio within one run on the same judgments, offsets included, the best of several
rounds in CPU seconds of one core; each round of "cold" begins with a tokenizer that has read
nothing. Prints Markdown.

    python benchmarks/tokenizer.py --tokenizer 32k
"""

import argparse
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import _environment  # noqa: F401
from material import marked, parser, require, whole

from thunder.settings.data import Data
from thunder.training_data.annotation import AnnotationError, parse

KINDS = ("annotated", "whole")


def main() -> None:
    arguments = _arguments()
    require(arguments.data, "annotated", "judgments")
    if arguments.measure:
        print(json.dumps(MEASURES[arguments.measure](arguments)))
        return
    print(f"# The hybrid tokenizer, {arguments.tokenizer}, on {arguments.documents} judgments\n")
    loading = _child(arguments, "loading")
    print(f"- loading {loading['load']:.2f} s, after {loading['import']:.2f} s of imports")
    for kind in KINDS:
        memory = _child(arguments, "memory", kind)
        print(f"- peak memory on {memory['documents']} {kind} ones: {memory['peak_mib']:.0f} MiB")
    for kind in KINDS:
        _print_speed(kind, _child(arguments, "speed", kind))
        _print_processes(_child(arguments, "processes", kind))
    _print_forked(_child(arguments, "forked"))
    _print_stages(_child(arguments, "stages"))


def _print_speed(kind: str, found: dict[str, Any]) -> None:
    size = found["megabytes"]
    print(f"\n## {kind}: {size:.2f} MB, {found['words']:,} words, {found['distinct']:,} distinct\n")
    print("| way | MB/s | against a callback a piece | a callback a document |")
    print("| --- | --: | --: | --: |")
    for way in WAYS:
        seconds = found[way]
        ratios = (found[other] / seconds for other in ("callback a piece", "callback a document"))
        print(f"| {way} | {size / seconds:.2f} |", " | ".join(f"{r:.1f}×" for r in ratios), "|")


def _print_processes(found: dict[str, Any]) -> None:
    for state in ("cold", "warm"):
        wall = found[f"one {state}"]["wall"] / found[f"two {state}"]["wall"]
        cpu = found[f"one {state}"]["cpu"] / found[f"two {state}"]["cpu"]
        print(f"Two processes, {state}: {cpu:.2f} times one by CPU time, {wall:.2f} by the clock")


def _print_forked(found: dict[str, float]) -> None:
    print(f"\n## whole, unseen, after as many others: {found['megabytes']:.2f} MB\n")
    print(f"One process {found['megabytes'] / found['one']:.1f} MB/s; two forked from it", end=" ")
    print(f"{found['one'] / found['two']:.2f} times that, by CPU time")


def _print_stages(found: dict[str, float]) -> None:
    print("\n## Where the time goes, annotated, cold\n")
    total = found["all"]
    for stage, seconds in found.items():
        print(f"- {stage}: {1000 * seconds:.0f} ms, {seconds / total:.0%}")


def _child(arguments: argparse.Namespace, what: str, kind: str = "annotated") -> dict[str, Any]:
    given = {name: getattr(arguments, name) for name in ("tokenizer", "documents", "rounds")} | {
        "data": arguments.data.root,
        "kind": kind,
    }
    options = [f"--{name}={value}" for name, value in given.items()]
    command = [sys.executable, __file__, f"--measure={what}", *options]
    alone = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    environment = os.environ | alone | {"PYTHONHASHSEED": "0"}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _texts(arguments: argparse.Namespace) -> list[str]:
    """Return the judgments: spread over the annotated ones, or the first whole ones."""
    if arguments.kind == "whole":
        return list(islice(_whole(arguments.data), arguments.documents))
    every = list(_plain(arguments.data))
    number = min(arguments.documents, len(every))
    return [every[at * len(every) // number] for at in range(number)]


def _plain(data: Data) -> Iterator[str]:
    for _, _, text in marked(data):
        try:
            yield parse(text).text
        except AnnotationError:
            continue


def _whole(data: Data) -> Iterator[str]:
    return (text for _, text in whole(data))


def _load(arguments: argparse.Namespace) -> Any:
    from thunder import tokenization
    from thunder.settings import resources

    return tokenization.load(resources.folder("tokenizer") / arguments.tokenizer)


def _best(rounds: int, run: Callable[[], object]) -> float:
    return min(_seconds(run) for _ in range(rounds))


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


# --- what is measured, each in a process of its own ----------------------------------------------


def _loading(arguments: argparse.Namespace) -> dict[str, float]:
    start = time.perf_counter()
    from thunder import tokenization  # noqa: F401

    imported = time.perf_counter()
    _load(arguments)
    return {"import": imported - start, "load": time.perf_counter() - imported}


WAYS = ("callback a piece", "callback a document", "hybrid, cold", "hybrid, warm")


def _speed(arguments: argparse.Namespace) -> dict[str, float]:
    texts = _texts(arguments)
    words = [word for text in texts for word in text.split()]
    found = {
        "megabytes": sum(len(text.encode()) for text in texts) / 1e6,
        "words": len(words),
        "distinct": len(set(words)),
    }
    del words
    found["hybrid, cold"] = min(_cold(arguments, texts) for _ in range(arguments.rounds))
    tokenizer = _load(arguments)
    list(tokenizer.encode_all(texts))
    again = arguments.rounds * 2
    found["hybrid, warm"] = _best(again, lambda: list(tokenizer.encode_all(texts)))
    few = texts[:: 10 if arguments.kind == "whole" else 1]  # the callbacks remember nothing
    share = sum(len(text.encode()) for text in few) / 1e6 / found["megabytes"]
    for way, pieces in (("callback a piece", True), ("callback a document", False)):
        called = _callback(tokenizer, pieces=pieces)
        found[way] = _best(2, lambda called=called: [called.encode(t).offsets for t in few]) / share
    return found


def _memory(arguments: argparse.Namespace) -> dict[str, float]:
    """Return the peak of a process that reads one judgment after the other and keeps none."""
    tokenizer = _load(arguments)
    source = _plain(arguments.data) if arguments.kind == "annotated" else _whole(arguments.data)
    documents = 0
    for text in islice(source, arguments.documents):
        tokenizer.encode(text)
        documents += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"documents": documents, "peak_mib": peak}


def _cold(arguments: argparse.Namespace, texts: list[str]) -> float:
    fresh = _load(arguments)
    return _seconds(lambda: list(fresh.encode_all(texts)))


def _callback(tokenizer: Any, *, pieces: bool) -> Any:
    """Return the same vocabulary behind a pre-tokenizer in Python that asks Mecab.

    *pieces*: a regular expression cuts first and Mecab reads each piece, as in the release of the
    paper; else Mecab reads the document at once.
    """
    from tokenizers import Regex, Tokenizer, pre_tokenizers

    usual = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+"
    steps = [pre_tokenizers.Split(Regex(usual), "isolated")] if pieces else []
    steps.append(pre_tokenizers.PreTokenizer.custom(_Morphemes()))
    backend = Tokenizer.from_str(tokenizer.to_json())
    backend.pre_tokenizer = pre_tokenizers.Sequence(steps)
    return backend


class _Morphemes:
    """A pre-tokenizer in Python: Mecab's output is read line by line, as KoNLPy does."""

    def __init__(self) -> None:
        import mecab_ko

        self.tagger = mecab_ko.Tagger()

    def pre_tokenize(self, text: Any) -> None:
        text.split(self.cut)

    def cut(self, _: int, normalized: Any) -> list[Any]:
        text = str(normalized)
        found, at = [], 0
        for line in self.tagger.parse(text).splitlines()[:-1]:
            surface = line.split("\t", 1)[0]
            end = text.index(surface, at) + len(surface)
            found.append(normalized[at:end])
            at = end
        return [*found, normalized[at:]] if at < len(text) else found


def _processes(arguments: argparse.Namespace) -> dict[str, dict[str, float]]:
    texts = _texts(arguments)
    found: dict[str, dict[str, float]] = {}
    for name, shares in (("one", [texts]), ("two", [texts[::2], texts[1::2]])):
        for state, measured in _together(arguments, shares).items():
            found[f"{name} {state}"] = measured
    return found


def _together(
    arguments: argparse.Namespace, shares: list[list[str]]
) -> dict[str, dict[str, float]]:
    """Return the seconds until all workers are done with their share, the best of the rounds."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(len(shares)), context.Queue()
    rounds: dict[str, list[dict[str, float]]] = {"cold": [], "warm": []}
    jobs = [(arguments, share, barrier, results) for share in shares]
    workers = [context.Process(target=_work, args=job) for job in jobs]
    for worker in workers:
        worker.start()
    for _ in range(arguments.rounds):
        for state in rounds:
            done = [results.get() for _ in workers]
            rounds[state].append({key: max(one[key] for one in done) for key in ("wall", "cpu")})
    for worker in workers:
        worker.join()
    return {
        state: {key: min(one[key] for one in some) for key in ("wall", "cpu")}
        for state, some in rounds.items()
    }


def _work(arguments: argparse.Namespace, texts: list[str], barrier: Any, results: Any) -> None:
    for _ in range(arguments.rounds):
        tokenizer = _load(arguments)
        for _ in ("cold", "warm"):
            barrier.wait()
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in tokenizer.encode_all(texts):
                pass
            results.put({"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall})


def _forked(arguments: argparse.Namespace) -> dict[str, float]:
    """Return how unseen judgments are read by one and by two processes forked from one.

    That one has read others before, as in a run over a corpus.
    """
    texts = list(islice(_whole(arguments.data), arguments.documents))
    seen, unseen = texts[::2], texts[1::2]
    tokenizer = _load(arguments)
    for _ in tokenizer.encode_all(seen):
        pass
    found = {"megabytes": sum(len(text.encode()) for text in unseen) / 1e6}
    for name, shares in (("one", [unseen]), ("two", [unseen[::2], unseen[1::2]])):
        found[name] = min(_fork(tokenizer, shares) for _ in range(arguments.rounds))
    return found


def _fork(tokenizer: Any, shares: list[list[str]]) -> float:
    context = multiprocessing.get_context("fork")
    results = context.Queue()

    def read(texts: list[str]) -> None:
        results.put(_seconds(lambda: [None for _ in tokenizer.encode_all(texts)]))

    workers = [context.Process(target=read, args=(share,)) for share in shares]
    for worker in workers:
        worker.start()
    slowest = max(results.get() for _ in workers)
    for worker in workers:
        worker.join()
    return slowest


def _stages(arguments: argparse.Namespace) -> dict[str, float]:
    from thunder.text.morphology import _detailed, segments
    from thunder.tokenization import pieces

    texts = _texts(arguments)
    plain = (pieces.readable(text).text for text in texts)
    unseen = list(dict.fromkeys(word for text in plain for word in pieces.words(text)))
    bare = [word.lstrip() for word in unseen]
    tokenizer = _load(arguments)
    list(tokenizer.encode_all(texts))
    rounds = arguments.rounds
    total = min(_cold(arguments, texts) for _ in range(rounds))
    parse = _detailed().parse
    mecab = _best(rounds, lambda: [parse(word) for word in bare])
    borders = _best(rounds, lambda: [segments(word) for word in bare])
    parts = _best(rounds, lambda: [pieces.parts(word) for word in unseen])
    warm = _best(rounds, lambda: list(tokenizer.encode_all(texts)))
    return {
        "all": total,
        "Mecab itself, on each distinct word": mecab,
        "its answer made borders": borders - mecab,
        "words cut into parts": parts - borders,
        "words found and looked up, tokens placed (all there is when warm)": warm,
        "BPE, and remembering": total - parts - warm,
    }


MEASURES = {
    "loading": _loading,
    "memory": _memory,
    "speed": _speed,
    "processes": _processes,
    "forked": _forked,
    "stages": _stages,
}


def _arguments() -> argparse.Namespace:
    arguments = parser((__doc__ or "").partition("\n")[0])
    arguments.add_argument("--tokenizer", default="32k", help="32k or 128k")
    arguments.add_argument("--documents", type=int, default=1000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--kind", choices=KINDS, default="annotated", help=argparse.SUPPRESS)
    arguments.add_argument("--measure", choices=tuple(MEASURES), help=argparse.SUPPRESS)
    return arguments.parse_args()


if __name__ == "__main__":
    main()
