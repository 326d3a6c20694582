"""The grid: its cells and their numbers, the paper's setting by name, one cell run and scored."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.settings.config import ConfigError, load
from thunder.training.finetuning import experiment as grid
from thunder.training.finetuning.experiment import Experiment

from .conftest import CONFIGS, written

ROOT = Path(__file__).resolve().parents[3]
PAPER = ROOT / "finetune" / "experiments" / "paper.toml"
SCRIPT = ROOT / "finetune" / "experiment.py"

pytestmark = [
    pytest.mark.skipif(not PAPER.is_file(), reason="needs a checkout"),
    pytest.mark.usefixtures("english"),
]


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch) -> None:
    monkeypatch.chdir(ROOT)


def test_the_papers_experiment_has_thirty_cells_in_a_fixed_order():
    wanted = load(PAPER, Experiment)
    cells = grid.cells(wanted)
    assert [cell.number for cell in cells] == list(range(30))
    assert cells[0].name == "370m/single/1200" and cells[29].name == "exaone-3.5/per-epoch/1205"
    assert {cell.state() for cell in cells} == {"waiting"}
    seeds = {grid.settings(wanted, cell).seed for cell in cells}
    assert seeds == {1200, 1203, 1205}
    folders = {str(grid.settings(wanted, cell).data.folder) for cell in cells}
    assert folders == {
        f"runs/paper/datasets/{size}-{way}"
        for size in ("32k", "128k")
        for way in ("single", "per-epoch")
    }


def test_the_papers_setting_is_one_word():
    ours, paper = (load(PAPER, Experiment, changes=[f"setting={one}"]) for one in ("ours", "paper"))
    cell = grid.cells(ours)[0]
    assert not grid.settings(ours, cell).schedule.truncate
    exact = grid.settings(paper, cell)
    assert exact.schedule.truncate and exact.engine.precision == "fp16"
    (_, build), *_ = grid.builds(paper)
    assert build[-4:] == ["--mentions", "same", "--variants", "none"]
    (_, build), *_ = grid.builds(ours)
    assert "--mentions" not in build


def test_a_slip_in_an_experiment_is_refused_by_name():
    with pytest.raises(ConfigError, match="for 370, which is no model of it"):
        load(PAPER, Experiment, changes=['changes={370=["seed=1"]}'])
    with pytest.raises(ConfigError, match="'seeds' names one twice"):
        load(PAPER, Experiment, changes=["seeds=[1200, 1200]"])
    with pytest.raises(ValueError, match="no cell is done yet"):
        list(grid.tables(load(PAPER, Experiment)))


@pytest.fixture(scope="module")
def experiment(tmp_path_factory) -> Path:
    """An experiment of one tiny model, one way and one seed, in the paper's setting."""
    place = tmp_path_factory.mktemp("experiment")
    written(place / "judgments.jsonl", 25)
    small = (
        '["schedule.epochs=1", "schedule.peak=2e-2", "engine.precision=fp32", "schedule.batch=4"]'
    )
    (place / "own.toml").write_text(
        f'judgments = ["{place}/judgments.jsonl"]\nwork = "{place}/work"\nmodels = ["smoke"]\n'
        f'replacement = ["single"]\nseeds = [1200]\nsetting = "paper"\nconfigs = "{CONFIGS}"\n'
        f"[changes]\nsmoke = {small}\n",
        encoding="utf-8",
    )
    return place / "own.toml"


def _act(*words: str) -> tuple[int, str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "THUNDER_LANGUAGE": "en"}
    command = [sys.executable, str(SCRIPT), *words]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=ROOT, timeout=300)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_a_grid_is_built_run_left_where_it_is_done_and_scored_beside_the_paper(experiment):
    status, said = _act("data", str(experiment))
    assert status == 0, said
    status, said = _act("run", str(experiment), "0")
    assert status == 0, said
    assert "smoke/single/1200 is done" in _act("run", str(experiment))[1]
    status, said = _act("tables", str(experiment))
    assert status == 0, said
    text = (experiment.parent / "work" / "tables" / "single.md").read_text("utf-8")
    assert "Decided by: smoke: argmax (the paper's). The paper's figures are by argmax." in text
    assert "(Table H.1, single replacement)" in text and "(Table H.3, single" in text
    assert "(Table 2a, single replacement)" in text


def test_the_list_of_cells_refuses_what_does_not_fit(experiment):
    wanted = load(experiment, Experiment, changes=['changes={smoke=["schedule.epoch=2"]}'])
    with pytest.raises(ConfigError, match="did you mean 'epochs'"):
        grid.settings(wanted, grid.cells(wanted)[0])


# --- the switches ---------------------------------------------------------------------------------


def test_the_same_mentions_may_fill_all_parts(tmp_path):
    from thunder.training_data.datasets.dataset import Dataset
    from thunder.training_data.lists.parts import part_of

    path = written(tmp_path / "judgments.jsonl", 40)
    kinds = {}
    for way in ("held-out", "same"):
        words = ["dataset", "build", str(path), "--tokenizer", str(ROOT / "tokenizer" / "32k")]
        words += ["--output", str(tmp_path / way), "--mentions", way, "--near-duplicates", "0"]
        done = CliRunner().invoke(app, [*words, "--variants", "none"])
        assert done.exit_code == 0, done.output
        dataset = Dataset.open(tmp_path / way)
        assert dataset.recipe(tokenizer=ROOT / "tokenizer" / "32k").mentions == way
        kinds[way] = {
            part_of(one.text[span.start : span.end])
            for one in dataset.part("test").epoch(0)
            for span in one.spans
            if span.label == "내국인이름"
        }
    assert kinds["held-out"] == {"held-out"} and kinds["same"] == {"held-out", "train"}


def test_a_truncated_document_is_its_first_window(dataset):
    from thunder.training.finetuning import starting

    from .conftest import smoke

    whole, cut = (
        starting.ground(smoke(dataset, dataset, f"schedule.truncate={one}")).train
        for one in ("false", "true")
    )
    for number in range(8):
        (first, *more), (only,) = list(whole.pieces(number)), list(cut.pieces(number))
        assert only.ids.tolist() == first.ids.tolist() and more


def test_the_first_tokens_of_a_document_are_its_beginning(tokenizer_32k):
    from thunder.scoring.documents import gold_of
    from thunder.text.spans import Span
    from thunder.training.evaluating.evaluating import beginnings

    text = "피고인 김도윤은 피해자 이서준을 때렸다."
    gold = gold_of("a", "violence", text, [Span(4, 7, "내국인이름"), Span(13, 16, "내국인이름")])
    ends = tokenizer_32k.encode(text).ends.tolist()
    for first in range(1, len(ends) + 2):
        (cut,) = beginnings([gold], first)
        assert cut.text == text[: ends[min(first, len(ends)) - 1]]
        assert all(span.end <= len(cut.text) for span in cut.spans)
    assert beginnings([gold], 100) == [gold]


@pytest.fixture(scope="module")
def tokenizer_32k():
    from thunder import tokenization

    return tokenization.load(ROOT / "tokenizer" / "32k")
