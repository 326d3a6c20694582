"""Hints in fine-tuning: each token has its own, some are left out, a network takes them up."""

import dataclasses
import pickle
import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch

from thunder.masking.deidentify import deidentify
from thunder.mentions.recognising import recognised, settled
from thunder.tagger import folder, hints, networks
from thunder.tagger.tagger import Tagger
from thunder.taxonomy import load as load_taxonomy
from thunder.tokenization.labeling import labels_from_spans
from thunder.training.finetuning import export, run, starting
from thunder.training.finetuning.portable import export_onnx
from thunder.training.finetuning.settings import Hints, Model
from thunder.training_data.datasets.dataset import Dataset

from .conftest import smoke


@pytest.fixture(scope="module")
def ground(dataset, tmp_path_factory):
    return starting.ground(smoke(dataset, tmp_path_factory.mktemp("run"), "hints.dropout=0.5"))


def told(samples, number):
    """Return the hints of a document's tokens, each from the window that answers for it."""
    return np.concatenate([one.hints[one.labels >= 0] for one in samples.pieces(number)])


def test_each_token_has_the_hint_of_what_was_found_there(ground):
    samples = dataclasses.replace(ground.train, seed=None, hints=Hints(dropout=0))
    example = samples.source.example(0, epoch=0)
    found = settled(example.text, recognised(example.text))
    labels = labels_from_spans(example.starts, example.ends, found, taxonomy=ground.taxonomy)
    assert (labels > 0).sum() > 20
    assert ((told(samples, 0) + 2) // 3).tolist() == labels.tolist()


def test_it_may_be_told_the_finds_as_they_come(ground):
    samples = dataclasses.replace(ground.train, seed=None, hints=Hints(dropout=0, of="raw"))
    example = samples.source.example(0, epoch=0)
    found = recognised(example.text)
    wanted = hints.hints(example.starts, example.ends, found, taxonomy=ground.taxonomy)
    assert (wanted > 0).sum() > 20 and told(samples, 0).tolist() == wanted.tolist()


def test_a_share_is_left_out_in_training_and_none_in_development(ground):
    whole = dataclasses.replace(ground.train, hints=Hints(dropout=0))
    both = [np.concatenate([told(one, n) for n in range(12)]) > 0 for one in (whole, ground.train)]
    assert (both[1] <= both[0]).all()
    assert 0.3 < both[1].sum() / both[0].sum() < 0.7
    assert ground.development.hints.dropout == 0


def test_what_a_finder_found_is_never_told_where_it_is_left_out(ground):
    some = dataclasses.replace(ground.train, hints=Hints(dropout=0, without=("names:person",)))
    whole = dataclasses.replace(ground.train, hints=Hints(dropout=0))
    person = load_taxonomy().label("내국인이름").id
    labels = [np.concatenate([(told(one, n) + 2) // 3 for n in range(4)]) for one in (some, whole)]
    assert person in labels[1] and person not in labels[0]
    assert ((labels[0] > 0) & (labels[0] != person)).any()


def test_the_same_hints_are_left_out_anywhere_and_others_in_the_next_epoch(ground):
    there = pickle.loads(pickle.dumps(ground.train))
    inputs = ground.train(range(3)).inputs
    assert torch.equal(inputs["hint_ids"], there(range(3)).inputs["hint_ids"])
    assert inputs["hint_ids"].shape == inputs["input_ids"].shape
    places = [
        next(
            k for k in range(e * len(ground.train.source), 99) if ground.train.order(e)[k % 20] == 4
        )
        for e in (0, 1)
    ]
    assert told(ground.train, places[0]).tolist() != told(ground.train, places[1]).tolist()


def test_a_tagger_without_hints_begins_as_it_was_and_one_with_them_needs_them(
    tagger, dataset, tmp_path
):
    settings = replace(smoke(dataset, tmp_path, "hints.dropout=0.1"), model=Model(start=tagger))
    ground = starting.ground(settings)
    network = starting.network(settings, ground).eval()
    assert networks.hints(network) == hints.number(load_taxonomy())
    before = networks.opened(tagger, "encoder")
    ids = torch.arange(5, 45)[None]
    assert torch.equal(network(ids, hint_ids=ids).logits, before(ids).logits)
    shutil.copytree(tagger, tmp_path / "hinted")
    network.save_pretrained(tmp_path / "hinted")
    folder.write(tmp_path / "hinted", folder.read(tagger))
    settings = replace(settings, model=Model(start=tmp_path / "hinted"), hints=None)
    with pytest.raises(ValueError, match=r"hinted: is told what recognisers find: .*\[hints\]"):
        starting.network(settings, ground)


def test_hints_that_were_learnt_are_kept_where_labels_are_added(tagger):
    network = networks.opened(tagger, "encoder")
    networks.take_hints(network, 7)
    torch.nn.init.ones_(network.encoder.embeddings.hints.weight)
    networks.take_hints(network, 10)
    assert network.encoder.embeddings.hints.weight.sum(1).tolist() == [64.0] * 7 + [0.0] * 3


def test_hints_are_for_our_encoder(dataset, tmp_path):
    settings = smoke(dataset, tmp_path, "hints.dropout=0.1")
    with pytest.raises(ValueError, match="'hints' are for kind"):
        replace(settings, model=Model(kind="bilstm"))
    with pytest.raises(ValueError, match="'dropout' of hints lies in 0 <= x < 1"):
        smoke(dataset, tmp_path, "hints.dropout=1.0")


@pytest.mark.slow
@pytest.mark.parametrize("of", ["settled", "raw"])
def test_a_run_with_hints_learns_exports_and_masks(dataset, tmp_path, of):
    changes = (
        "hints.dropout=0.1",
        f"hints.of={of}",
        "schedule.epochs=8",
        "schedule.batch=1",
        "schedule.micro_batch=1",
    )
    run(smoke(dataset, tmp_path / "run", *changes), say=lambda line: None, device="cpu")
    export(tmp_path / "run", tmp_path / "tagger")
    export_onnx(tmp_path / "tagger", tmp_path / "onnx", int8=True)
    assert {folder.read(tmp_path / name).hints for name in ("tagger", "onnx")} == {of}
    one, other = Tagger.load(tmp_path / "tagger", device="cpu"), Tagger.load(tmp_path / "onnx")
    example = next(iter(Dataset.open(dataset).part("dev").epoch(0)))
    left, right = next(one.read_all([example.text])), next(other.read_all([example.text]))
    assert left.reading.mass == pytest.approx(right.reading.mass, abs=0.06)
    assert left.named == right.named and left.named
    found = deidentify(example.text, tagger=other)
    assert found.changes and found.original == example.text
