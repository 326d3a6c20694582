"""What the doctor finds before a run starts, and what the run would cost."""

import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from thunder.commands.doctor import doctor
from thunder.settings.config import load
from thunder.training.doctor import bill, examine
from thunder.training.doctor.examining import encoder, folder, room
from thunder.training.doctor.finetuning import bill as bill_of_tagger
from thunder.training.doctor.machine import KNOWN, devices, shared_memory, tools, versions
from thunder.training.doctor.memory import Network, checkpoint, needed
from thunder.training.doctor.places import sharing
from thunder.training.doctor.targets import Target, gpu
from thunder.training.finetuning.settings import Finetuning
from thunder.training.pretraining.settings import Pretraining
from thunder.training.settings import EngineSettings

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "pretrain" / "configs"
TAGGERS = ROOT / "finetune" / "configs"

pytestmark = [
    pytest.mark.skipif(not CONFIGS.is_dir(), reason="needs a checkout"),
    pytest.mark.usefixtures("english"),
]


def _settings(name: str, *changes: str) -> Pretraining:
    return load(CONFIGS / f"{name}.toml", Pretraining, changes=changes)


def _levels(findings) -> dict[str, str]:
    return {finding.matter: finding.level for finding in findings}


def test_the_papers_runs_cost_what_the_paper_says():
    for name, hours in (("370m", 2.0), ("800m", 9.0), ("1.5b", 19.0)):
        settings = _settings(name, "phases.1.tokens=1048576")
        cost = bill(settings, encoder(settings), processes=32)
        assert cost.hours == pytest.approx(hours, rel=0.01), name
        assert cost.source.startswith("derived: the paper's speed")
        assert cost.rates[1] < cost.rates[0]  # a token of a row of 2048 costs more


def test_a_bill_counts_steps_tokens_hours_and_disk():
    settings = _settings("small")
    config = encoder(settings)
    cost = bill(settings, config, processes=2, rates=(1000.0, 500.0))
    assert cost.steps == 1953 + 244
    assert cost.hours == pytest.approx((1953 * 4096 / 2000 + 244 * 4096 / 1000) / 3600)
    assert cost.disk_gb == pytest.approx(3 * 12 * config.parameters().total / 1e9)
    assert "give --rate" in bill(settings, config, processes=1).lines()[-1]


@pytest.mark.parametrize(
    ("zero", "precision", "bytes_per_weight"),
    [
        (0, "bf16", 16),
        (1, "bf16", 9.5),
        (2, "bf16", 6),
        (3, "bf16", 2),
        (0, "fp16", 16),
        (1, "fp16", 5.5),
        (2, "fp16", 3.75),
        (3, "fp16", 2),
    ],
)
def test_states_by_zero_stage(zero, precision, bytes_per_weight):
    settings = _settings("370m", f"engine.zero={zero}", f"engine.precision={precision}")
    config = encoder(settings)
    need = needed(
        config,
        settings.phases[0],
        engine=settings.engine,
        processes=8,
        share=0.15,
        fused=True,
    )
    assert need.states == bytes_per_weight * config.parameters().total
    assert need.activations == pytest.approx(29e9, rel=0.01)  # counted for 64 x 512 tokens
    assert checkpoint(Network.of(config)) == 12 * config.parameters().total


def test_a_batch_that_cannot_be_shared_fails():
    assert set(_levels(sharing(_settings("370m").phases, 32)).values()) == {"ok"}
    assert set(_levels(sharing(_settings("370m").phases, 24)).values()) == {"fail"}


def test_too_little_memory_fails_with_a_cure():
    settings = _settings("1.5b")
    found = list(room(settings, encoder(settings), 1))
    assert {finding.level for finding in found} == {"fail"}
    assert all("a device with more memory" in finding.cure for finding in found)
    small = _settings("small", "phases.0.micro_batch=8192", "phases.0.global_batch=8192")
    first = next(iter(room(small, encoder(small), 2)))
    assert "a smaller 'micro_batch'" in first.cure and "engine.zero = 1" in first.cure


def test_fp16_without_a_gpu_fails():
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    assert _levels(devices(EngineSettings(precision="fp16")))["GPU"] == "fail"


def test_a_missing_package_fails_and_an_untested_version_warns(monkeypatch):
    def version(name):
        if name == "deepspeed":
            raise __import__("importlib.metadata").metadata.PackageNotFoundError(name)
        return {"torch": "3.0.1+cu130", "transformers": KNOWN["transformers"][0] + ".2"}[name]

    monkeypatch.setattr("thunder.training.doctor.machine.version", version)
    levels = _levels(versions(EngineSettings(kind="deepspeed")))
    assert levels == {"python": "ok", "torch": "warn", "transformers": "ok", "deepspeed": "fail"}


def test_a_missing_compiler_fails(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert _levels(tools(EngineSettings(compile=True)))["compiler"] == "fail"


def test_little_shared_memory_warns(monkeypatch, tmp_path):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage._replace(free=64_000_000))
    assert shared_memory(tmp_path).level == "warn"
    assert "--shm-size" in shared_memory(tmp_path).cure


def test_a_full_disk_and_a_folder_that_is_a_file_fail(monkeypatch, tmp_path):
    settings = _settings("small", f"checkpoints.folder={tmp_path}")
    config = encoder(settings)
    assert _levels(folder(settings, config)) == {"disk": "ok"}
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage._replace(free=10**8))
    assert _levels(folder(settings, config)) == {"disk": "fail"}
    (tmp_path / "file").write_text("")
    in_a_file = _settings("small", f"checkpoints.folder={tmp_path}/file")
    assert _levels(folder(in_a_file, config)) == {"checkpoints": "fail"}


def test_a_missing_corpus_and_a_tokenizer_that_does_not_fit_fail(tmp_path):
    settings = _settings("smoke", f"corpus.folder={tmp_path}/none")
    assert _levels(examine(settings, processes=2))["corpus"] == "fail"
    other = _settings("smoke", "corpus.tokenizer=128k")
    assert _levels(examine(other, processes=2))["model"] == "fail"


def _command() -> typer.Typer:
    app = typer.Typer()
    app.command()(doctor)
    return app


def test_the_command_ends_with_1_where_a_run_would_fail(tmp_path):
    runner = CliRunner()
    config = str(CONFIGS / "smoke.toml")
    done = runner.invoke(_command(), [config, "--set", f"corpus.folder={tmp_path}"])
    assert done.exit_code == 1 and "[fail] corpus: " in done.stdout and "->" in done.stdout
    done = runner.invoke(_command(), [config, "--set", "phases.0.lenght=5"])
    assert done.exit_code == 1 and "did you mean 'length'" in done.stdout
    done = runner.invoke(_command(), [])
    assert done.exit_code == 0 and "[ok  ] torch" in done.stdout


# --- a plan for another machine, and fine-tuning --------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hours", "disk", "text"),
    [("370m", 2.3, 28, 59), ("800m", 9.7, 60, 127), ("1.5b", 19.7, 240, 289)],
)
def test_the_plan_for_32_h100_has_every_figure_with_its_source(name, hours, disk, text, tmp_path):
    words = [str(CONFIGS / f"{name}.toml"), "--gpu", "h100-80g", "--nodes", "4", "--price", "2.5"]
    places = ["--set", f"checkpoints.folder={tmp_path}", "--set", f"corpus.folder={tmp_path}/none"]
    done = CliRunner().invoke(_command(), [*words, *places])
    told = done.stdout
    assert "planned for 4 x 8 h100-80g" in told and "[warn] corpus" in told
    assert "h100-80g memory, phase 1" in told and "[counted, not measured]" in told
    lines = {line.split()[0]: line for line in told.splitlines() if line.startswith("       ")}
    assert "[counted]" in lines["steps"] and "[counted]" in lines["tokens"]
    assert f"{disk}.0 GB of tokens, made of {text} GB of text" in lines["corpus"]
    assert "[derived: bytes a token measured on Wikipedia]" in lines["corpus"]
    assert "[derived: the paper's speed" in lines["hours"]
    assert float(lines["hours"].split()[1]) == pytest.approx(hours, abs=0.06)
    assert lines["money"].endswith("[price given; hours derived]")
    assert done.exit_code == ("[fail]" in told)


def test_another_gpu_than_the_papers_is_a_guess():
    settings = _settings("370m")
    there = bill(settings, encoder(settings), processes=8, gpu=gpu("a100-40g"))
    paper = bill(settings, encoder(settings), processes=8)
    assert there.source.startswith("guessed: the paper's speed")
    assert (there.hours or 0) / (paper.hours or 1) == pytest.approx(989 / 312)
    with pytest.raises(LookupError, match="known are h100-80g"):
        gpu("h1000")


def _planned(name: str, place: Path, *more: str) -> tuple[int, str]:
    words = [str(TAGGERS / f"{name}.toml"), "--gpu", "h100-80g", *more]
    done = CliRunner().invoke(_command(), [*words, "--set", f"checkpoints.folder={place}"])
    return done.exit_code, done.stdout


@pytest.mark.parametrize(
    ("name", "weights"),
    [("370m", "338"), ("800m", "754"), ("1.5b", "1,479"), ("polyglot-ko", "1,330"),
     ("exaone-3.5", "2,400")],
)  # fmt: skip
def test_fine_tuning_is_planned_before_anything_is_there(name, weights, tmp_path):
    status, told = _planned(name, tmp_path)
    assert status == 0, told
    assert f"model: {weights} million weights" in told
    assert "[warn] start" in told and "[warn] dataset" in told
    assert "5,025" in told and "[guessed: 5,361 documents (the paper's) of 2,048 tokens" in told
    (hours,) = [line for line in told.splitlines() if line.split()[0] == "hours"]
    assert "[guessed: " in hours and "of 989 TFLOP/s, as the paper's pre-training of" in hours


def test_a_batch_of_documents_that_32_gpus_cannot_share_fails_with_its_cure(tmp_path):
    status, told = _planned("370m", tmp_path, "--nodes", "4")
    assert status == 1 and "8 micro-batches of 4, which 32 processes cannot share" in told
    status, told = _planned("370m", tmp_path, "--nodes", "4", "--set", "schedule.micro_batch=1")
    assert status == 0, told


def test_the_hours_of_fine_tuning_follow_from_the_rate():
    settings = load(TAGGERS / "370m.toml", Finetuning)
    cost = bill_of_tagger(settings, processes=8, rate=10_000.0, documents=1000)
    assert cost.tokens == 1000 * 2048 * 30
    assert cost.hours == pytest.approx(cost.tokens / 80_000 / 3600)
    assert cost.source == "given" and cost.tokens_from.startswith(
        "guessed: 1,000 documents (given)"
    )


def test_a_target_is_its_nodes_and_gpus():
    assert Target(gpu("H100-80G"), nodes=4).processes == 32
    assert str(Target(gpu("a100-40g"), 2, 4)) == "2 x 4 a100-40g"
