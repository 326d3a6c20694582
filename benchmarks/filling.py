"""How fast annotated judgments become training examples, in both ways, and where these differ.

Everything is measured in one run on one core (and once on two): the preparation, then epochs with
mentions drawn anew. ``--whole N`` does so with whole judgments, marked by the placeholder
annotator, to see that memory stays flat. Prints Markdown.
"""

import argparse
import multiprocessing
import os
import resource
import time
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import _environment  # noqa: F401
from filling_comparison import Differences, compare
from material import canonical, marked, parser, require, whole
from summaries import table

from thunder import taxonomy, tokenization
from thunder.settings.data import Data
from thunder.training_data.annotation import AnnotationError, parse
from thunder.training_data.datasets.examples import Marked, TextFirst, TokenSplice

WAYS = {"text-first": TextFirst, "token-splice": TokenSplice}
GOALS = {"text-first": 20.0, "token-splice": 4.0}  # seconds for an epoch of the 4,037 judgments


def main() -> None:
    given = _arguments()
    require(given.data, "annotated", *(("judgments",) if given.whole else ()))
    judgments, broken = annotated(given.data, limit=given.limit)
    characters = sum(len(judgment.text) for judgment in judgments)
    places = sum(len(judgment.spans) for judgment in judgments)
    print(f"# Filling, {given.tokenizer.name}, seed {given.seed}\n")
    print(
        f"{len(judgments)} annotated judgments ({broken} with broken marks left out), "
        f"{characters} characters, {places} placeholders; processor time of one core.\n"
    )
    print(speed(judgments, given))
    print(two_workers(judgments, given))
    print(differences(compare(judgments, *(_fillers(given).values()))))
    if given.whole:
        print(memory(given))


def annotated(data: Data, *, limit: int | None) -> tuple[list[Marked], int]:
    """Return the annotated judgments, and how many have broken marks."""
    found: list[Marked] = []
    broken = 0
    for id_, case_type, text in islice(marked(data), limit):
        try:
            published = canonical(parse(text))
        except AnnotationError:
            broken += 1
            continue
        found.append(Marked(id_, case_type, published.text, published.spans))
    return found, broken


def speed(judgments: Sequence[Marked], given: argparse.Namespace) -> str:
    """Return a table of seconds: the first epoch with all preparation, and later ones."""
    rows = []
    for name, filler in _fillers(given).items():
        seconds = [_epoch(filler, judgments, epoch)[0] for epoch in range(given.epochs)]
        later = sorted(seconds[1:])[len(seconds[1:]) // 2]
        tokens = _epoch(filler, judgments, given.epochs)[1]
        rows.append((name, seconds[0] - later, later, GOALS[name], tokens, round(tokens / later)))
    ratio = rows[0][2] / rows[1][2]
    header = ("", "preparation, s", "epoch, s", "goal, s", "tokens", "tokens/s")
    return f"{table(header, rows)}\n\nText-first takes {ratio:.2f} times token-splice.\n"


def _epoch(
    filler: TextFirst | TokenSplice, judgments: Iterable[Marked], epoch: int
) -> tuple[float, int]:
    began = time.process_time()
    tokens = sum(len(filler.example(judgment, epoch=epoch).ids) for judgment in judgments)
    return time.process_time() - began, tokens


# --- two workers --------------------------------------------------------------------------------

_SHARED: list[tuple[TextFirst | TokenSplice, Sequence[Marked]]] = []  # what a fork inherits


def two_workers(judgments: Sequence[Marked], given: argparse.Namespace) -> str:
    """Return how much faster two forked workers are than one, text-first.

    By the clock, which shows what else the machine does, and by processor time, which does not:
    of the worker that needed more.
    """
    filler = _fillers(given)["text-first"]
    _epoch(filler, judgments, 0)
    _SHARED.append((filler, judgments))
    clock, work = zip(*(_timed(workers, given.epochs) for workers in (1, 2)), strict=True)
    return (
        f"Two workers: {clock[0] / clock[1]:.2f} times one by the clock, "
        f"{work[0] / work[1]:.2f} by processor time ({given.epochs} epochs text-first; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores).\n"
    )


def _timed(workers: int, epochs: int) -> tuple[float, float]:
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        pool.map(_part, [(at, workers, 0) for at in range(workers)], chunksize=1)  # started
        began = time.perf_counter()
        work = pool.map(_part, [(at, workers, epochs) for at in range(workers)], chunksize=1)
        return time.perf_counter() - began, max(work)


def _part(task: tuple[int, int, int]) -> float:
    at, workers, epochs = task
    filler, judgments = _SHARED[0]
    own = judgments[at::workers]
    return sum(_epoch(filler, own, epoch)[0] for epoch in range(1, epochs + 1))


# --- differences, memory ------------------------------------------------------------------------


def differences(found: Differences) -> str:
    """Return where the two ways cut words into other tokens."""
    lines = [
        "## Where the two ways differ\n",
        f"{found.differing} of {found.documents} judgments, {found.differing_mentions} of "
        f"{found.mentions} mentions stand in a word that is cut otherwise; text, spans and the "
        "rule for labels are the same.\n",
        table(
            ("", "tokens", "tokens across an edge of a mention (or of its noun)"),
            [(way, found.tokens[way], found.straddling[way]) for way in WAYS],
        ),
        table(("first difference", "mentions"), found.places.most_common()),
        table(("label", "mentions"), [(k or "(none)", n) for k, n in found.labels.most_common(15)]),
    ]
    return "\n\n".join(lines)


def memory(given: argparse.Namespace) -> str:
    """Return how memory stands while whole judgments are filled, one after the other."""
    from thunder.training_data.placeholders import annotate

    fillers = _fillers(given)
    seconds = dict.fromkeys(fillers, 0.0)
    rows = []
    for number, (id_, text) in enumerate(islice(whole(given.data), given.whole), 1):
        judgment = Marked(id_, "whole", text, tuple(annotate(text, id=id_).spans))
        for name, filler in fillers.items():
            seconds[name] += _epoch(filler, [judgment], 0)[0]
        if number % max(1, given.whole // 8) == 0:
            rows.append((number, *seconds.values(), _resident()))
    header = ("judgments", *(f"{name}, s" for name in fillers), "memory, MB")
    return "\n## Whole judgments, each filled once\n\n" + table(header, rows)


def _resident() -> int:
    """Return the memory of this process now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 2**20


def _fillers(given: argparse.Namespace) -> dict[str, TextFirst | TokenSplice]:
    """Return a fresh filler of each way, so that neither profits from what the other learned."""
    return {
        name: way(tokenization.load(given.tokenizer), taxonomy.load(), seed=given.seed)
        for name, way in WAYS.items()
    }


def _arguments() -> argparse.Namespace:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--tokenizer", type=Path, default=Path("tokenizer/32k"))
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--limit", type=int, help="so many annotated judgments")
    arguments.add_argument("--whole", type=int, default=0, help="so many whole judgments")
    return arguments.parse_args()


if __name__ == "__main__":
    main()
