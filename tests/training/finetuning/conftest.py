"""A dataset of invented judgments, and one thread: two cores are shared with other tests."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from thunder.settings import resources
from thunder.settings.config import load
from thunder.training.finetuning import Finetuning, export, run
from thunder.training_data.annotation import serialise
from thunder.training_data.datasets import building
from thunder.training_data.datasets.preparing import Options
from thunder.training_data.datasets.recipe import Recipe
from thunder.training_data.invented_judgments import judgments

CONFIGS = Path(__file__).resolve().parents[3] / "finetune" / "configs"


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True, scope="session")
def no_waiting_for_disks() -> Iterator[None]:
    """Let no test wait until a disk has written: that takes longer than all else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


def built(
    folder: Path,
    number: int,
    *,
    replacement: str = "single",
    scheme: str = "classes",
    lists: Path | None = None,
    taxonomy: Path | None = None,
) -> Path:
    """Return the folder of a dataset of so many invented judgments."""
    path = written(folder / "invented.jsonl", number)
    recipe = Recipe.named(
        resources.folder("tokenizer") / "32k",
        way="text-first",
        scheme=scheme,
        replacement=replacement,
        lists=lists,
        taxonomy=taxonomy,
    )
    building.build([path], folder / "dataset", recipe, Options(near_duplicates=0))
    return folder / "dataset"


def written(path: Path, number: int) -> Path:
    """Return the file in which so many invented judgments stand, marked."""
    kinds = ("injury", "violence")
    rows = (
        {"id": one.id, "case_type": one.case_type, "text": serialise(one.text, one.spans)}
        for one in judgments(number, kinds=kinds, seed=3)
    )
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """25 judgments, 20 of them to train on, filled once."""
    return built(tmp_path_factory.mktemp("data"), 25)


@pytest.fixture(scope="session")
def redrawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same judgments, filled anew in each epoch, with BIO labels."""
    folder = tmp_path_factory.mktemp("redrawn")
    return built(folder, 25, replacement="per-epoch", scheme="bio")


def smoke(dataset: Path, run: Path, *changes: str) -> Finetuning:
    """Return the settings of the smoke run on *dataset*, with *changes*."""
    own = (f"data.folder={dataset}", f"checkpoints.folder={run}", *changes)
    return load(CONFIGS / "smoke.toml", Finetuning, changes=own)


@pytest.fixture(scope="session")
def tagger(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tagger of one short run."""
    place = tmp_path_factory.mktemp("tagger")
    changes = ("schedule.epochs=4", "schedule.batch=1", "schedule.micro_batch=1")
    rarely = ("development.every=4", "checkpoints.every=80")  # it is not broken off
    settings = smoke(dataset, place / "run", *changes, *rarely)
    run(settings, say=lambda line: None, device="cpu")
    export(place / "run", place / "tagger")
    return place / "tagger"
