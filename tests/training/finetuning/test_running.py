"""Runs on invented judgments: learnt by heart, resumed to the bit, exported and used."""

import json
import os
import shutil
import signal
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from thunder.settings import resources
from thunder.tagger.tagger import Tagger
from thunder.training import checkpoints, journal
from thunder.training.finetuning import export, run, starting
from thunder.training.finetuning.portable import export_onnx
from thunder.training.finetuning.settings import Model
from thunder.training.signals import noted
from thunder.training_data.datasets.dataset import Dataset

from .conftest import smoke

_BY_HEART = (
    "schedule.epochs=30",
    "schedule.batch=1",
    "schedule.micro_batch=1",
    "schedule.peak=3e-3",
    "schedule.overlap=8",
    "schedule.budget=4096",
    "model.changes.hidden_dropout_prob=0.0",
    "development.every=20",
    "checkpoints.every=100000",
    "log_every=20",
)


def _records(folder, kind):
    return [one for one in journal.read(folder / "log.jsonl") if one["kind"] == kind]


@pytest.mark.slow
def test_a_tiny_model_learns_twenty_judgments_by_heart_and_tags_them(dataset, tmp_path):
    said = []
    result = run(smoke(dataset, tmp_path / "run", *_BY_HEART), say=said.append, device="cpu")
    assert result.step == 30 * len(Dataset.open(dataset).part("train")) and not result.asked
    losses = [record["loss"] for record in _records(tmp_path / "run", "train")]
    assert losses[-1] < 0.1, said
    made = export(tmp_path / "run", tmp_path / "tagger", recall=0.9)
    tagger = Tagger.load(tmp_path / "tagger", device="cpu")
    about = tagger.thresholds.about
    assert (about["recall"], about["reached"]) == (0.9, pytest.approx(made.recall, abs=1e-4))
    found = masked = gold = 0
    for example in Dataset.open(dataset).part("train").epoch(0):
        known = {at for span in example.spans for at in range(span.start, span.end)}
        spans = tagger.tag(example.text)
        own = {at for span in spans for at in range(span.start, span.end)}
        found, masked, gold = found + len(known & own), masked + len(own), gold + len(known)
        assert all(0 < span.score <= 1 for span in spans)
    assert found / gold > 0.97 and found / masked > 0.8


def test_a_run_that_was_broken_off_goes_on_as_if_it_had_not(redrawn, tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    ended = run(smoke(redrawn, whole, "log_every=1"), say=_quiet, device="cpu")

    class Broken(Exception):
        pass

    def stop_after_four(line):
        if line.startswith("step 4/"):
            raise Broken

    settings = smoke(redrawn, broken, "log_every=1")
    with pytest.raises(Broken):
        run(settings, say=stop_after_four, device="cpu")
    said = []
    again = run(settings, say=said.append, device="cpu")
    assert said[0] == f"going on from {broken / 'step-0000000003'}"
    assert again.step == ended.step
    for kind in ("train", "development"):
        keys = ("step", "loss", "accuracy", "f1", "label_f1")
        one, other = (
            [[record.get(key) for key in keys] for record in _records(place, kind)]
            for place in (whole, broken)
        )
        assert one == other and one
    assert _weights(whole) == _weights(broken)
    assert [one.name for one in (whole / "best").iterdir()] == [
        one.name for one in (broken / "best").iterdir()
    ]


def _quiet(_line):
    return None


def _weights(folder):
    found = checkpoints.latest(folder).path
    return {name: one.sum().item() for name, one in checkpoints.weights(found)}


def test_ctrl_c_ends_a_run_cleanly_and_twice_at_once(dataset, tmp_path):
    def interrupt(line):
        if line.startswith("step 2/"):
            os.kill(os.getpid(), signal.SIGINT)

    settings = smoke(dataset, tmp_path / "run", "log_every=1")
    result = run(settings, say=interrupt, device="cpu")
    assert (result.step, result.asked) == (3, "SIGINT")
    assert checkpoints.step_of(checkpoints.latest(tmp_path / "run").path) == 3
    with pytest.raises(KeyboardInterrupt), noted():
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)


def test_a_checkpoint_of_another_run_is_refused(dataset, redrawn, tmp_path):
    short = ("schedule.epochs=1", "schedule.batch=16")
    run(smoke(dataset, tmp_path, *short), say=_quiet, device="cpu")
    with pytest.raises(ValueError, match="was made with seed = 1200, the configuration says 1203"):
        run(smoke(dataset, tmp_path, *short, "seed=1203"), say=_quiet, device="cpu")
    with pytest.raises(ValueError, match="was trained on another dataset"):
        run(smoke(redrawn, tmp_path, *short), say=_quiet, device="cpu")


def test_labels_without_a_development_mention_are_named(dataset, tmp_path):
    said = []
    run(smoke(dataset, tmp_path, "schedule.epochs=1", "schedule.batch=16"), say=said.append)
    (line,) = [line for line in said if "no mention in the development part" in line]
    assert int(line.split()[0]) > 0


def test_a_run_from_a_tagger_keeps_its_head(tagger, dataset, tmp_path):
    settings = smoke(dataset, tmp_path)
    settings = replace(settings, model=Model(start=tagger))
    started = starting.network(settings, starting.ground(settings))
    kept = load_file(tagger / "model.safetensors")
    assert torch.equal(started.classifier.weight, kept["classifier.weight"])
    config = json.loads((tagger / "config.json").read_text("utf-8"))
    assert config["id2label"]["1"] == "내국인이름"


def test_an_encoder_of_another_tokenizer_is_refused(dataset, tmp_path):
    shutil.copytree(resources.folder("tokenizer") / "128k", tmp_path / "start")
    settings = replace(smoke(dataset, tmp_path), model=Model(start=tmp_path / "start"))
    with pytest.raises(ValueError, match="was pre-trained with another tokenizer"):
        starting.network(settings, starting.ground(settings))
    settings = smoke(dataset, tmp_path, "data.tokenizer=128k")
    with pytest.raises(ValueError, match="was cut with another tokenizer than '128k'"):
        starting.ground(settings)


@pytest.mark.slow
def test_a_tagger_without_torch_finds_the_same(tagger, dataset, tmp_path):
    export_onnx(tagger, tmp_path / "onnx")
    one, other = Tagger.load(tagger, device="cpu"), Tagger.load(tmp_path / "onnx")
    texts = [example.text for example in Dataset.open(dataset).part("dev").epoch(0)]
    for left, right in zip(one.read_all(texts), other.read_all(texts), strict=True):
        # The torch one computes in bfloat16 where the processor has it.
        assert left.reading.mass == pytest.approx(right.reading.mass, abs=0.05)


def test_a_tagger_says_where_its_files_come_from(dataset, tmp_path):
    run(smoke(dataset, tmp_path / "run", "schedule.epochs=1"), say=_quiet, device="cpu")
    export(tmp_path / "run", tmp_path / "tagger")
    about = json.loads((tmp_path / "tagger" / "tagger.json").read_text())["about"]
    assert about["run"] == "tagger-smoke" and about["seed"] == 1200 and "label_f1" in about
    with pytest.raises(ValueError, match="exists: give the name of a new folder"):
        export(tmp_path / "run", tmp_path / "tagger")
