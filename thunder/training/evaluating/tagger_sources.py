"""A tagger by its name: one that ships, an exported one, or the best checkpoint of a run."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from thunder.tagger.chosen_tagger import choose
from thunder.taxonomy import Taxonomy
from thunder.taxonomy.migrations import names_digest

if TYPE_CHECKING:
    from thunder.tagger.tagger import Tagger

CHOICES = (
    "give a JSONL file of predictions, a tagger's folder or the name of one that ships, the folder "
    "of a training run, or a word: rules, deid, deid:TAGGER (TAGGER@0.995 sets its recall, "
    "TAGGER@argmax decides as the paper does)"
)
_BEST, _TAGGER = "best", "tagger.json"
_USUAL, _ARGMAX = "usual", "argmax"
_LEVEL = re.compile(r"T(0?\.[0-9]+)")
_RECALL = re.compile(rf"0?\.[0-9]+|1(?:\.0*)?|{_USUAL}|{_ARGMAX}|{_LEVEL.pattern}")


class Way(NamedTuple):
    """How systems are asked: by which labels, and where.

    *folder* is that of *taxonomy*, None for the shipped one.
    """

    taxonomy: Taxonomy
    folder: Path | None = None
    device: str | None = None


def is_tagger(source: str) -> bool:
    """Return whether *source* names a tagger: a folder, or one that ships."""
    name, _ = dialled(source)
    return Path(name).is_dir() or _shipped(name) is not None


def dialled(source: str) -> tuple[str, str]:
    """Return a tagger's name and what stands after its ``@``: a recall, ``usual``, or nothing."""
    name, at, dial = source.rpartition("@")
    if not at or not _RECALL.fullmatch(dial) or Path(source).exists():
        return source, ""
    return name, dial


def opened(source: str, way: Way) -> "Tagger":
    """Return a tagger: shipped, exported, or the best checkpoint of a run.

    It has the thresholds of its own default, those set for the recall after ``@``, or with
    ``@usual`` one half for every label. So does a run's checkpoint: thresholds are set when it is
    exported. With ``@argmax`` each token has its likeliest class, as in the paper, and no more;
    with ``@T0.7`` one threshold holds for every label, as in "Building a Name Masking System".
    """
    from thunder.tagger.thresholds import Thresholds

    found = _opened(source, way)
    dial = dialled(source)[1]
    found.by_argmax = dial == _ARGMAX
    if level := _LEVEL.fullmatch(dial):
        found.thresholds = Thresholds({"": float(level[1])})
    return found


def _opened(source: str, way: Way) -> "Tagger":
    from thunder.tagger.tagger import Tagger
    from thunder.tagger.thresholds import Thresholds

    name, dial = dialled(source)
    folder = Path(name) if Path(name).is_dir() else _shipped(name)
    if folder is None:
        raise FileNotFoundError(f"{name}: no such tagger, and none of this name ships: {CHOICES}")
    if (folder / _TAGGER).is_file():
        recall = None if _is_no_recall(dial) else float(dial)
        found = Tagger.load(folder, taxonomy=way.folder, device=way.device, recall=recall)
        if dial == _USUAL:
            found.thresholds = Thresholds()
        return found
    if (folder / _BEST).is_dir():
        if not _is_no_recall(dial):
            raise ValueError(f"{source}: no recall is set for a run's checkpoint: export it first")
        return _best_of(folder, way)
    if any(folder.glob("step-*")):
        raise FileNotFoundError(
            f"{folder}: a training run without a best checkpoint yet: its first epoch is not over"
        )
    raise FileNotFoundError(
        f"{folder}: neither a tagger (no {_TAGGER} in it) nor a training run (no {_BEST}/ in "
        f"it): {CHOICES}"
    )


def _is_no_recall(dial: str) -> bool:
    return dial in ("", _USUAL, _ARGMAX) or _LEVEL.fullmatch(dial) is not None


def decision(source: str) -> str:
    """Return by which rule a tagger's or a run's token is masked, for the tables."""
    name, dial = dialled(source)
    if dial == _ARGMAX:
        return "argmax (the paper's)"
    if level := _LEVEL.fullmatch(dial):
        return f"{level[1]} for every label"
    folder = Path(name) if Path(name).is_dir() else _shipped(name)
    if dial == _USUAL or folder is None or not (folder / _TAGGER).is_file():
        return "0.5 for every label"
    return f"thresholds for recall {dial}" if dial else "thresholds of its default recall"


def _shipped(name: str) -> Path | None:
    try:
        chosen = choose(name)
    except FileNotFoundError:
        return None
    return chosen.place if chosen else None


def _best_of(run: Path, way: Way) -> "Tagger":
    """Return the best checkpoint of a run as a tagger of the usual thresholds."""
    from thunder.settings import config
    from thunder.tagger.tagger import Tagger
    from thunder.tagger.torch_backend import TorchScorer
    from thunder.training import checkpoints
    from thunder.training.finetuning import starting
    from thunder.training.finetuning.exporting import manifest
    from thunder.training.finetuning.settings import Finetuning
    from thunder.training.finetuning.tagging import Tagging
    from thunder.training.plain import Kept, restore_weights

    found = checkpoints.latest(run / _BEST)
    if found.path is None:
        raise ValueError("\n".join([f"{run}: has no whole best checkpoint", *found.passed_over]))
    state = checkpoints.state(found.path)
    settings = config.from_table(state["settings"], Finetuning, origin=str(found.path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of epochs drawn by other code: none is drawn here
        ground = starting.ground(settings, verify=False)
    if names_digest(ground.taxonomy) != names_digest(way.taxonomy):
        raise ValueError(f"{run}: was trained with another taxonomy: give its folder (--taxonomy)")
    starting.require_rows(state, ground, found.path)
    with _quiet():  # of the head of the weights it started from, which is not used
        network = starting.network(settings, ground)
    tagging = Tagging(network, scheme=ground.scheme, budget=settings.schedule.budget)
    restore_weights(tagging, Kept(checkpoints.reader(found.path), 0))
    return Tagger(
        ground.tokenizer,
        TorchScorer.of(network, classes=ground.classes, device=way.device),
        manifest=manifest(settings, ground, {"step": int(state["step"])}),
        taxonomy=ground.taxonomy,
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Let transformers load without words."""
    logging: Any = import_module("transformers.utils.logging")
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        logging.enable_progress_bar()
