"""The paper's baselines, in folders laid out as their authors lay them out, tiny and random.

Polyglot-ko: GPT-NeoX with weights in safetensors. EXAONE-3.5: program code beside the weights,
which knows a causal and a sequence head and no ``AutoModel``.
"""

import dataclasses
import json
import runpy
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from thunder.settings.config import load
from thunder.tagger import networks
from thunder.tagger.tagger import Tagger
from thunder.training.finetuning import Finetuning, export, run
from thunder.training.finetuning.settings import Model

from .conftest import CONFIGS, smoke

_TEXTS = ["피고인 강진현은 피해자를 때렸다."] * 3


if not (FOLDERS := CONFIGS.parent / "baseline_folders.py").is_file():
    pytest.skip("needs a checkout", allow_module_level=True)
_made = runpy.run_path(str(FOLDERS))


def _exaone(place: Path) -> torch.Tensor:
    return _made["exaone"](place, _TEXTS)


def _polyglot(place: Path) -> torch.Tensor:
    return _made["polyglot"](place, _TEXTS)


@pytest.mark.parametrize(
    ("lay_out", "trust", "words"),
    [(_polyglot, False, "embed_in"), (_exaone, True, "wte")],
    ids=["polyglot-ko", "exaone-3.5"],
)
def test_a_baseline_starts_from_its_weights_is_trained_exported_and_asked(
    lay_out, trust, words, dataset, tmp_path
):
    start = tmp_path / "start"
    embeddings = lay_out(start)
    network = networks.OtherTagger.made(start, classes=5, trust=trust, changes={})
    found = dict(network.backbone.named_parameters())
    assert torch.equal(found[f"{words}.weight"], embeddings)
    assert not any("lm_head" in name or "embed_out" in name for name in found)

    settings = smoke(dataset, tmp_path / "run", "schedule.epochs=1", "schedule.batch=16")
    model = Model(kind="transformers", start=start, trust=trust)
    run(dataclasses.replace(settings, model=model), say=lambda line: None, device="cpu")
    export(tmp_path / "run", tmp_path / "tagger")
    shutil.rmtree(start)  # the tagger's folder stands alone
    again = networks.opened(tmp_path / "tagger", "transformers", trust=trust)
    kept = load_file(tmp_path / "tagger" / networks.BACKBONE / "model.safetensors")
    for weight, one in again.backbone.named_parameters():
        assert torch.equal(one, kept[weight]), weight  # read back, none begun anew
    tagger = Tagger.load(tmp_path / "tagger", device="cpu", trust=trust)
    (read,) = tagger.read_all(_TEXTS[:1])
    assert len(read.reading.mass) > 3


def test_exaones_code_runs_only_where_it_is_trusted(tmp_path):
    _exaone(tmp_path)
    with pytest.raises(ValueError, match="그 폴더의 프로그램 코드"):
        networks.OtherTagger.made(tmp_path, classes=5, changes={})


def test_code_that_knows_no_fitting_head_is_named(tmp_path):
    _exaone(tmp_path)
    table = json.loads((tmp_path / "config.json").read_text("utf-8"))
    code = table["auto_map"].pop("AutoModelForCausalLM")
    del table["auto_map"]["AutoModelForSequenceClassification"]
    table["auto_map"]["AutoModelForVision2Seq"] = code
    (tmp_path / "config.json").write_text(json.dumps(table), encoding="utf-8")
    with pytest.raises(ValueError, match="neither AutoModel nor a causal or sequence head"):
        networks.OtherTagger.made(tmp_path, classes=5, trust=True, changes={})


@pytest.mark.parametrize("name", ["polyglot-ko", "exaone-3.5"])
def test_the_papers_budget_of_the_baselines(name):
    if not CONFIGS.is_dir():
        pytest.skip("needs a checkout")
    settings = load(CONFIGS / f"{name}.toml", Finetuning)
    schedule = settings.schedule
    assert (schedule.epochs, schedule.batch, schedule.length, schedule.peak) == (30, 32, 2048, 2e-5)
    assert settings.model.kind == "transformers" and settings.engine.kind == "deepspeed"
    assert schedule.phase(documents=5361).accumulation(8) == 1


def test_a_model_that_transformers_knows_itself_runs_no_code_of_its_folder(tmp_path):
    _exaone(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    (tmp_path / "configuration_exaone.py").write_text("raise RuntimeError('it ran')\n")
    table = json.loads((tmp_path / "config.json").read_text("utf-8"))
    table |= {"model_type": "gpt_neox", "hidden_size": 16, "num_hidden_layers": 1}
    table |= {"num_attention_heads": 2, "intermediate_size": 24}
    (tmp_path / "config.json").write_text(json.dumps(table), encoding="utf-8")
    for trust in (False, True):
        made = networks.OtherTagger.made(tmp_path, classes=5, trust=trust, changes={})
        assert type(made.backbone).__name__ == "GPTNeoXModel"
