"""Judgments into stored examples, one shard at a time, in whatever process."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from thunder.text.safe_errors import describe
from thunder.tokenization.labeling import IGNORE
from thunder.training_data.datasets import messages as say
from thunder.training_data.datasets import shards, stored_spans
from thunder.training_data.datasets.examples import Example, Filler, Marked
from thunder.training_data.datasets.judgments import Judgments
from thunder.training_data.datasets.recipe import Recipe
from thunder.training_data.datasets.shards import Array, Shard
from thunder.training_data.datasets.splits import PartName
from thunder.training_data.lists import UsedUp

ROW = np.dtype(
    [
        ("judgment", "<i8"),
        ("epoch", "<i4"),
        ("replica", "<i4"),
        ("tokens_end", "<i8"),
        ("text_end", "<i8"),
        ("spans_end", "<i8"),
        ("id_end", "<i8"),
        ("case_end", "<i8"),
    ]
)
USED_UP = "more entities of a label than its part of the list has mentions"


class Setting(NamedTuple):
    """What all shards of a build have in common; the fingerprint tells builds in a folder apart."""

    folder: Path
    fingerprint: str
    judgments: tuple[str, ...]
    recipe: Recipe
    keep_text: bool


class Task(NamedTuple):
    """One shard to make: the judgments by number, filled once."""

    name: str
    part: PartName
    epoch: int
    replica: int
    rows: tuple[int, ...]


class Broken(NamedTuple):
    """A shard that could not be made: at which document, and what went wrong there."""

    id: str
    what: str

    def __str__(self) -> str:
        return say.NOT_FILLED(id=self.id, what=self.what)


def draw(setting: Setting, task: Task) -> Shard | Broken:
    """Return the shard of *task*, written; it has the same bytes in any process, at any time.

    A document whose list is used up is left out and counted in the shard's note.
    """
    judgments, filler = _judgments(setting), _filler(setting.recipe, task.part)
    made: list[tuple[int, Marked, Example]] = []
    failed: list[str] = []
    for row in task.rows:
        judgment = judgments[row]
        try:
            found = filler.example(judgment, epoch=task.epoch, replica=task.replica)
            made.append((row, judgment, found))
        except UsedUp:
            failed.append(judgment.id)
        except Exception as error:  # its message may quote the text: only its place is told
            return Broken(judgment.id, describe(error, text=judgment.text))
    note = {"build": setting.fingerprint, **_note(task, made, failed)}
    arrays = _arrays(task, made, setting)
    return shards.write(setting.folder / task.name, arrays, note)


@lru_cache(maxsize=1)
def _judgments(setting: Setting) -> Judgments:
    return Judgments(setting.folder, setting.judgments, setting.recipe.opened_taxonomy)


@lru_cache(maxsize=1)  # parts come one after the other; what a filler remembers goes with it
def _filler(recipe: Recipe, part: PartName) -> Filler:
    return recipe.filler(part)


def _arrays(
    task: Task, made: Sequence[tuple[int, Marked, Example]], setting: Setting
) -> dict[str, Array]:
    examples = [example for _, _, example in made]
    text, text_ends = shards.packed(one.text if setting.keep_text else "" for one in examples)
    ids, id_ends = shards.packed(one.id for one in examples)
    cases, case_ends = shards.packed(judgment.case_type for _, judgment, _ in made)
    rows = np.zeros(len(made), dtype=ROW)
    rows["judgment"] = [row for row, _, _ in made]
    rows["epoch"], rows["replica"] = task.epoch, task.replica
    rows["tokens_end"] = np.cumsum([len(one.ids) for one in examples])
    rows["text_end"], rows["id_end"], rows["case_end"] = text_ends, id_ends, case_ends
    rows["spans_end"] = np.cumsum([len(one.spans) for one in examples])
    taxonomy = setting.recipe.opened_taxonomy
    spans = stored_spans.packed((span for one in examples for span in one.spans), taxonomy)
    tokens = {
        "tokens": _joined([one.ids for one in examples], "<u4"),
        "labels": _joined([one.labels for one in examples], "<i2"),
        "starts": _joined([one.starts for one in examples], "<i4"),
        "ends": _joined([one.ends for one in examples], "<i4"),
    }
    return {"rows": rows, **tokens, "text": text, "spans": spans, "ids": ids, "case_types": cases}


def _joined(arrays: Sequence[Array], kind: str) -> Array:
    return np.concatenate([np.zeros(0, kind), *arrays]).astype(kind, copy=False)


def _note(
    task: Task, made: Sequence[tuple[int, Marked, Example]], failed: Sequence[str]
) -> dict[str, object]:
    examples = [example for _, _, example in made]
    return {
        "part": task.part,
        "epoch": task.epoch,
        "replica": task.replica,
        "rows": len(made),
        "tokens": sum(len(one.ids) for one in examples),
        "masked": sum(int((one.labels > 0).sum()) for one in examples),
        "ignored": sum(int((one.labels == IGNORE).sum()) for one in examples),
        "failed": list(failed),
    }
