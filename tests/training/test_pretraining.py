"""A run in one process over an invented corpus: resumed exactly, measured, refused, exported."""

import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from thunder.settings.config import load
from thunder.training import checkpoints, journal
from thunder.training.batches import evaluation
from thunder.training.pretraining import Pretraining, export, run
from thunder.training.pretraining.running import NotReady, encoder_config
from thunder.training.pretraining.samples import held_out, training
from thunder.training.processes import Processes

from .invented import corpus

CONFIG = Path(__file__).resolve().parents[2] / "pretrain" / "configs" / "smoke.toml"

pytestmark = pytest.mark.skipif(not CONFIG.is_file(), reason="needs a checkout")

_SHORT = (
    "phases.0.steps=3",
    "phases.1.steps=1",
    "phases.0.global_batch=4",
    "phases.1.global_batch=2",
    "phases.0.micro_batch=2",
    "checkpoints.every=2",
    "checkpoints.keep_last=9",
    "held_out.every=2",
    "loading.workers=0",
    "model.changes.hidden_size=32",
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    return corpus(tmp_path_factory.mktemp("corpus"), documents=40)


def _settings(prepared: Path, folder: Path, *changes: str) -> Pretraining:
    places = (f"corpus.folder={prepared}", f"checkpoints.folder={folder}")
    return load(CONFIG, Pretraining, changes=(*_SHORT, *places, *changes))


def _losses(folder: Path) -> list[float]:
    records = journal.read(folder / "log.jsonl")
    return [record["loss"] for record in records if record["kind"] == "train"]


@pytest.fixture(scope="module")
def whole(prepared, tmp_path_factory) -> Path:
    """A finished run."""
    folder = tmp_path_factory.mktemp("whole")
    result = run(_settings(prepared, folder), say=lambda line: None, device="cpu")
    assert result.step == 4 and result.asked == ""
    return folder


def _cut(whole: Path, folder: Path, step: int) -> None:
    """Copy a run as it stood after *step*, with its log written further."""
    shutil.copytree(whole, folder)
    for path in folder.glob("step-*"):
        if checkpoints.step_of(path) > step:
            shutil.rmtree(path)


@pytest.mark.parametrize("step", [2, 3])
def test_resumed_inside_or_between_phases_the_losses_are_the_same(prepared, whole, tmp_path, step):
    folder = tmp_path / "run"
    _cut(whole, folder, step)
    said: list[str] = []
    result = run(_settings(prepared, folder), say=said.append, device="cpu")
    assert result.step == 4 and any("going on from" in line for line in said)
    assert _losses(folder) == _losses(whole) and len(_losses(whole)) == 4


def test_a_finished_run_stays_finished(prepared, whole):
    before = (whole / "log.jsonl").read_bytes()
    assert run(_settings(prepared, whole), say=lambda line: None, device="cpu").step == 4
    assert (whole / "log.jsonl").read_bytes() == before


def test_held_out_text_is_measured_by_source(whole):
    kinds = [record["kind"] for record in journal.read(whole / "log.jsonl")]
    assert kinds.count("held-out/ko-cases") == kinds.count("held-out/en-cases") == 3


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("seed=2", "was made with seed = 1, the configuration says 2"),
        ("phases.0.steps=9", "was made with phases = "),
        ("masking.whole_words=true", "was made with masking = "),
        ("model.changes.hidden_size=64", "was made with model = "),
    ],
)
def test_what_decides_the_samples_must_not_change(prepared, whole, change, problem):
    with pytest.raises(NotReady, match=problem):
        run(_settings(prepared, whole, change), say=lambda line: None, device="cpu")


def test_another_corpus_is_refused(whole, tmp_path):
    folder = tmp_path / "run"
    _cut(whole, folder, 2)
    other = corpus(tmp_path, documents=30, seed=2)
    with pytest.raises(NotReady, match="was trained on another corpus than"):
        run(_settings(other, folder), say=lambda line: None, device="cpu")


def test_a_tokenizer_that_does_not_fit_is_refused(prepared, tmp_path):
    wrong = _settings(prepared, tmp_path, "corpus.tokenizer=128k")
    with pytest.raises(NotReady, match="vocab_size"):
        run(wrong, say=lambda line: None, device="cpu")


def test_a_checkpoint_that_vanishes_is_told_to_all(prepared, whole, monkeypatch):
    def unseen(path):
        raise FileNotFoundError(2, "No such file or directory", str(path))

    monkeypatch.setattr(checkpoints, "state", unseen)  # a node that does not share the folder
    with pytest.raises(NotReady, match="No such file or directory"):
        run(_settings(prepared, whole), say=lambda line: None, device="cpu")


def test_processes_share_the_held_out_rows_with_equal_turns(prepared, tmp_path):
    settings = _settings(prepared, tmp_path)
    made = held_out(settings, 0)["ko-cases"]
    parts = [
        list(evaluation(made, number=5, micro_batch=2, processes=Processes(rank, 2)))
        for rank in (0, 1)
    ]
    (alone,) = [list(evaluation(made, number=5, micro_batch=2, processes=Processes()))]
    assert [len(part) for part in parts] == [2, 2] and len(alone) == 3
    shared = sum(micro.labelled for part in parts for micro in part)
    assert shared == sum(micro.labelled for micro in alone)


def test_samples_are_the_same_wherever_they_are_made(prepared, tmp_path):
    settings = _settings(prepared, tmp_path)
    one, other = training(settings, 0), training(settings, 0)
    other(range(7))  # what was made before changes nothing
    first, second = one(range(4, 6)), other(range(4, 6))
    assert first.labelled == second.labelled > 0
    assert all((first.inputs[key] == second.inputs[key]).all() for key in first.inputs)


def test_an_export_gives_the_same_logits_and_never_overwrites(whole, tmp_path):
    made = export(whole, tmp_path / "hf")
    assert made.step == 4 and made.difference == 0.0
    names = {path.name for path in made.folder.iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= names
    with pytest.raises(ValueError, match="exists: give the name of a new folder"):
        export(whole, tmp_path / "hf")
    with pytest.raises(ValueError, match="holds no whole checkpoint"):
        export(tmp_path / "hf", tmp_path / "other")


def test_the_longest_row_of_the_run_is_the_models(prepared, tmp_path):
    assert encoder_config(_settings(prepared, tmp_path)).max_position_embeddings == 128


def test_a_run_goes_on_from_an_encoder_and_from_no_other(prepared, whole, tmp_path):
    export(whole, tmp_path / "encoder")
    still = ("phases.0.peak=1e-12", "phases.1.peak=1e-12", "held_out.every=0")
    start = f"model.start={tmp_path / 'encoder'}"
    run(
        _settings(prepared, tmp_path / "run", start, "seed=7", *still),
        say=lambda line: None,
        device="cpu",
    )
    export(tmp_path / "run", tmp_path / "after")
    before, after = (load_file(tmp_path / n / "model.safetensors") for n in ("encoder", "after"))
    assert before.keys() == after.keys()
    assert all(torch.allclose(before[name], after[name], atol=1e-6) for name in before)
    for change in ("model.changes.hidden_size=64", "model.changes.num_hidden_layers=1"):
        settings = _settings(prepared, tmp_path / "other", start, change)
        with pytest.raises(NotReady, match="is of another shape"):
            run(settings, say=lambda line: None, device="cpu")
    (tmp_path / "encoder" / "thunder.json").write_text("{}", "utf-8")
    with pytest.raises(NotReady, match="with another tokenizer"):
        run(_settings(prepared, tmp_path / "other", start), say=lambda line: None, device="cpu")
