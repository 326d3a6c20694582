"""Systems asked about gold documents, filled once or several times, and all of it measured."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from types import MappingProxyType
from typing import NamedTuple

from thunder import tokenization
from thunder.scoring import evaluation
from thunder.scoring.curves import LEVELS, Point, Setting, points
from thunder.scoring.documents import Gold
from thunder.scoring.evaluation import Evaluation
from thunder.scoring.reading import mentions_of, read_gold, read_mentions
from thunder.scoring.stored import gold_of_part, redrawn
from thunder.settings import resources
from thunder.training.evaluating import systems
from thunder.training.evaluating.systems import Answers
from thunder.training.evaluating.tagger_sources import Way
from thunder.training_data.datasets import manifest as manifests

Say = Callable[[str], None]
_SEEDS = 1_000
"""Fillings beside the stored one are drawn by the seeds after this."""


class Filling(NamedTuple):
    """Gold documents, and what each system says of them, a run at a time."""

    golds: Sequence[Gold]
    answers: dict[str, dict[str, Answers]]


def named_systems(given: Sequence[str]) -> dict[str, list[str]]:
    """Return the sources of each system: several are its runs (``ours=runs/1200,runs/1203``).

    ValueError where one is given twice, or two systems would have one name.
    """
    found: dict[str, list[str]] = {}
    for one in given:
        name, sources = _named(one)
        if name in found and sources == [one]:  # of one name by chance
            raise ValueError(f"{one}: given twice, or two systems '{name}': name them NAME={one}")
        runs = found.setdefault(name, [])
        for source in sources:
            if source in runs:
                raise ValueError(f"{source}: given twice as a run of '{name}'")
            runs.append(source)
    return found


def _named(given: str) -> tuple[str, list[str]]:
    name, equals, sources = given.partition("=")
    if equals and not Path(given).exists():
        return name, sources.split(",")
    word, colon, place = given.partition(":")
    path = Path(place if colon else given)
    name = path.resolve().name if path.is_dir() else _stem(path.name)
    return f"{word}+{name}" if colon else name, [given]


def _stem(name: str) -> str:
    return name.split(".")[0] if name.endswith((".jsonl", ".ndjson", ".json")) else name


def fillings(
    gold: Path,
    way: Way,
    *,
    part: str = "test",
    number: int = 1,
    seen: bool = False,
    lists: Path | None = None,
) -> list[list[Gold]]:
    """Return the gold documents: once, or a dataset's part filled a *number* of times.

    Each filling draws other mentions of the same lists, or, *seen*, of those that training had;
    documents that one of them lacks (a list was used up) are in none. *lists* is the folder the
    dataset was made with, the shipped one without. ValueError for a file that should be filled
    anew, and whatever is wrong with gold.
    """
    found = list(_filled(gold, way, part=part, number=number, seen=seen, lists=lists))
    common = set.intersection(*({one.id for one in golds} for golds in found))
    return [[one for one in golds if one.id in common] for golds in found]


def few(filled: Sequence[Sequence[Gold]], limit: int) -> list[list[Gold]]:
    """Return *limit* documents, spread over all by their ids and the same in each filling.

    0: all of them.
    """
    ids = sorted(one.id for one in filled[0])
    number = min(limit or len(ids), len(ids))
    chosen = {ids[at * len(ids) // number] for at in range(number)}
    return [[one for one in golds if one.id in chosen] for golds in filled]


def _filled(
    gold: Path, way: Way, *, part: str, number: int, seen: bool, lists: Path | None
) -> Iterator[list[Gold]]:
    if gold.is_dir():
        if not seen:
            yield gold_of_part(gold, part, taxonomy=way.folder)
        for more in range(0 if seen else 1, number):
            seed = _SEEDS + more
            yield redrawn(gold, part, seed=seed, seen=seen, taxonomy=way.folder, lists=lists)
    elif number > 1 or seen:
        raise ValueError(f"{gold}: a file cannot be filled anew; a dataset's folder can")
    else:
        yield read_gold(gold, way.taxonomy)


def beginnings(golds: Sequence[Gold], first: int, tokenizer: Path | None = None) -> list[Gold]:
    """Return the *first* tokens of each document: the paper's models read no more of it."""
    cutter = tokenization.load(tokenizer or resources.folder("tokenizer") / "32k")
    found = []
    for gold in golds:
        ends = cutter.encode(gold.text).ends
        found.append(gold.cut(int(ends[first - 1])) if len(ends) > first else gold)
    return found


def replacement_of(gold: Path) -> str:
    """Return how a dataset's training documents were filled: single, per-epoch; "" for a file."""
    return str(manifests.read(gold).options["replacement"]) if gold.is_dir() else ""


def seen_in(training: Path, way: Way) -> frozenset[str]:
    """Return the mentions of training data: a dataset's train part, gold JSONL, or one a line."""
    if training.is_dir():
        return mentions_of(gold_of_part(training, "train", taxonomy=way.folder))
    return read_mentions(training, way.taxonomy)


def ask(
    golds: Sequence[Gold],
    wanted: Mapping[str, Sequence[str]],
    way: Way,
    *,
    say: Say,
    everything: Sequence[Gold] = (),
    only_predicted: bool = False,
) -> Filling:
    """Return what each system says of *golds*; *say* is told how long it took.

    Files are checked against *everything*, of which *golds* may be a part. ScoringError,
    ValueError, LookupError or FileNotFoundError say what does not fit.
    """
    answers: dict[str, dict[str, Answers]] = {}
    for name, sources in wanted.items():
        for source in sources:
            if systems.is_file(source):
                whole = everything or golds
                said = systems.from_file(source, whole, way, only_predicted=only_predicted)
            else:
                said = _timed(source, golds, way, say)
            answers.setdefault(name, {})[source] = said
    return Filling(golds, answers)


def _timed(source: str, golds: Sequence[Gold], way: Way, say: Say) -> Answers:
    started = process_time()
    said = systems.asked(source, golds, way)
    spent = process_time() - started
    characters = sum(len(gold.text) for gold in golds)
    say(f"{source}: 문서 {len(golds):,}건, {characters:,}자, 프로세서 {spent:.1f}초")
    return said


def measured(
    filled: Sequence[Filling],
    way: Way,
    *,
    by_rule: bool,
    tokenizer: Path | None = None,
    seen: frozenset[str] | None = None,
    wanted: Mapping[str, Sequence[str]] = MappingProxyType({}),
    replacement: str = "",
) -> Evaluation:
    """Return everything measured; each filling is a run of every system.

    *wanted* are the sources of each system, which say by which rule it decides.

    *by_rule*: labels that the court rule keeps readable are neither right nor wrong, and what a
    system finds of them is not masked. ValueError where there is nothing to score.
    """
    cutter = tokenization.load(tokenizer or resources.folder("tokenizer") / "32k")
    found = []
    for golds, answers in filled:
        asked = [gold.with_kept_ignored(way.taxonomy) if by_rule else gold for gold in golds]
        said = {
            name: {at: one.by_rule if by_rule else one.found for at, one in runs.items()}
            for name, runs in answers.items()
        }
        found.append(
            evaluation.evaluate(asked, said, tokenizer=cutter, taxonomy=way.taxonomy, seen=seen)
        )
    if not found[0].golds:
        raise ValueError("no document was predicted by every run: nothing to score")
    whole = evaluation.pooled(found) if len(found) > 1 else found[0]
    rules = {
        name: ", ".join(dict.fromkeys(map(systems.decided, sources)))
        for name, sources in wanted.items()
    }
    return whole._replace(decided=rules, replacement=replacement)


def curve(
    golds: Sequence[Gold],
    wanted: Mapping[str, Sequence[str]],
    way: Way,
    *,
    by_rule: bool,
    say: Say,
) -> dict[str, list[Point]]:
    """Return the points of each tagger's thresholds; other systems, and ours with rules, have none.

    ValueError where no system is a tagger.
    """
    taggers = {
        name: one
        for name, (one, *_) in wanted.items()
        if not (systems.is_ours(one) or systems.is_file(one))
    }
    if not taggers:
        raise ValueError("a curve needs a tagger: a tagger's folder, or a training run's")
    asked = [gold.with_kept_ignored(way.taxonomy) if by_rule else gold for gold in golds]
    settings = [Setting(level=level) for level in LEVELS]
    predictions = {}
    for name, source in taggers.items():
        say(f"{source}: 기준값마다 다시 봅니다")
        found = systems.swept(source, asked, way, settings)
        predictions[name] = {
            setting: {
                id_: systems.ruled(one, way.taxonomy) if by_rule else one for id_, one in of.items()
            }
            for setting, of in found.items()
        }
    cutter = tokenization.load(resources.folder("tokenizer") / "32k")
    return points(evaluation.evaluate(asked, predictions, tokenizer=cutter, taxonomy=way.taxonomy))
