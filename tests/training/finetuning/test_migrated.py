"""A tagger trained on, after its labels were edited by command: rows kept, parts begun, used."""

import dataclasses
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from typer.testing import CliRunner

from thunder import taxonomy
from thunder.commands.cli import app
from thunder.settings import resources
from thunder.tagger import networks
from thunder.tagger.tagger import Tagger
from thunder.training.finetuning import export, run, starting
from thunder.training.finetuning.settings import Finetuning, Model

from .conftest import built, smoke

pytestmark = pytest.mark.slow

_EDITS = (
    ("add", "한과점", "--en", "hangwa shop", "--category", "외식업"),
    ("rename", "고깃집", "고기식당"),
    ("split", "대학교", "대학교", "국립대학교=national university"),
    ("merge", "버스터미널", "버스정류장"),
)


class Edited(NamedTuple):
    """A taxonomy after the edits, and a dataset of the same judgments, built with it."""

    taxonomy: Path
    dataset: Path
    lists: Path


@pytest.fixture(scope="module")
def edited(tmp_path_factory) -> Edited:
    folder = tmp_path_factory.mktemp("edited")
    own = [folder / name for name in ("taxonomy", "lists")]
    for source, copy in zip(("taxonomy", "replacement_lists"), own, strict=True):
        shutil.copytree(resources.folder(source), copy)
    places = ("--folder", str(own[0]), "--lists", str(own[1]))
    for edit in _EDITS:
        done = CliRunner().invoke(app, ["taxonomy", *edit, *places])
        assert done.exit_code == 0, done.output
    return Edited(own[0], built(folder, 25, lists=own[1], taxonomy=own[0]), own[1])


def _settings(edited: Edited, start: Path, folder: Path) -> Finetuning:
    settings = smoke(edited.dataset, folder, "schedule.epochs=1", "schedule.batch=16")
    data = dataclasses.replace(settings.data, taxonomy=edited.taxonomy, lists=edited.lists)
    return dataclasses.replace(settings, data=data, model=Model(start=start))


def test_a_tagger_goes_on_after_its_labels_were_edited(tagger, edited, tmp_path):
    settings = _settings(edited, tagger, tmp_path / "run")
    ground = starting.ground(settings)
    now, before = ground.taxonomy, taxonomy.load()
    assert now.label("한과점").id == 730 and now.label("국립대학교").id == 731
    assert now.label("고기식당").id == before.label("고깃집").id
    old, new = networks.opened(tagger, "encoder"), starting.network(settings, ground).eval()
    rows, kept = new.classifier.weight, old.classifier.weight
    assert len(rows) == 732 and torch.equal(rows[:730], kept)
    assert torch.equal(rows[731], kept[before.label("대학교").id])
    assert not torch.equal(rows[730], rows[731])

    inputs = dict(ground.train(range(2)).inputs)
    del inputs["labels"]
    with torch.no_grad():
        first, again = networks.scores(old, inputs), networks.scores(new, inputs)
    assert torch.equal(again[..., :730], first)  # before the first step
    assert torch.equal(again[..., 731], first[..., before.label("대학교").id])

    result = run(settings, say=lambda line: None, device="cpu")
    assert result.step == len(ground.train.source) // 16
    export(tmp_path / "run", tmp_path / "grown")
    grown = Tagger.load(tmp_path / "grown", taxonomy=edited.taxonomy, device="cpu")
    text = ground.development.source.example(0, epoch=0).text
    assert {span.label for span in grown.tag(text)} <= {label.ko for label in now}


def test_the_old_tagger_says_which_labels_it_lacks(tagger, edited):
    old = Tagger.load(tagger, taxonomy=edited.taxonomy, device="cpu")
    assert old.unlearnt == ("한과점", "국립대학교")
