"""The paper's baselines, in folders laid out as their authors lay them out, tiny and random.

Polyglot-ko: GPT-NeoX with weights in safetensors. EXAONE-3.5: program code beside the weights,
which knows a causal and a sequence head and no ``AutoModel``.
"""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM, GPTNeoXConfig, GPTNeoXForCausalLM

from thunder.settings.config import load
from thunder.tagger import networks
from thunder.tagger.tagger import Tagger
from thunder.training.finetuning import Finetuning, export, run
from thunder.training.finetuning.settings import Model

from .conftest import CONFIGS, smoke
from .test_networks import tokenizer_of

_CONFIGURATION = """
from transformers import PretrainedConfig


class ExaoneConfig(PretrainedConfig):
    model_type = "exaone"
    attribute_map = {"num_hidden_layers": "num_layers"}

    def __init__(self, vocab_size=600, hidden_size=16, num_layers=1, num_attention_heads=2,
                 intermediate_size=24, max_position_embeddings=2048, **more):
        self.vocab_size, self.hidden_size, self.num_layers = vocab_size, hidden_size, num_layers
        self.num_attention_heads, self.intermediate_size = num_attention_heads, intermediate_size
        self.max_position_embeddings = max_position_embeddings
        super().__init__(**more)
"""
# The names of modules and weights as in the released code: transformer.wte, transformer.h.N.…,
# lm_head; what a block computes is its own, small, and looks back only.
_MODELING = """
import torch
from torch import nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutputWithPast, CausalLMOutputWithPast

from .configuration_exaone import ExaoneConfig


class ExaoneGatedMLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        wide = config.intermediate_size
        self.c_fc_0 = nn.Linear(config.hidden_size, wide, bias=False)
        self.c_fc_1 = nn.Linear(config.hidden_size, wide, bias=False)
        self.c_proj = nn.Linear(wide, config.hidden_size, bias=False)

    def forward(self, hidden):
        return self.c_proj(torch.nn.functional.silu(self.c_fc_0(hidden)) * self.c_fc_1(hidden))


class ExaoneBlock(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.hidden_size)
        self.mlp = ExaoneGatedMLP(config)

    def forward(self, hidden):
        before = hidden.cumsum(1) / torch.arange(1, hidden.shape[1] + 1)[None, :, None]
        return hidden + self.mlp(self.ln_1(before))


class ExaonePreTrainedModel(PreTrainedModel):
    config_class = ExaoneConfig
    base_model_prefix = "transformer"


class ExaoneModel(ExaonePreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.wte = nn.Embedding(config.vocab_size, config.hidden_size)
        self.h = nn.ModuleList([ExaoneBlock(config) for _ in range(config.num_layers)])
        self.ln_f = nn.LayerNorm(config.hidden_size)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, **more):
        hidden = self.wte(input_ids)
        for block in self.h:
            hidden = block(hidden)
        return BaseModelOutputWithPast(last_hidden_state=self.ln_f(hidden))


class ExaoneForCausalLM(ExaonePreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.transformer = ExaoneModel(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, **more):
        found = self.transformer(input_ids, attention_mask)
        return CausalLMOutputWithPast(logits=self.lm_head(found.last_hidden_state))


class ExaoneForSequenceClassification(ExaonePreTrainedModel):
    pass
"""
_TEXTS = ["피고인 강진현은 피해자를 때렸다."] * 3


def _exaone(place: Path) -> torch.Tensor:
    """Lay out a folder of EXAONE's; return the embeddings of its weights."""
    tokenizer_of(_TEXTS, framed=False).save_pretrained(place)
    (place / "configuration_exaone.py").write_text(_CONFIGURATION, encoding="utf-8")
    (place / "modeling_exaone.py").write_text(_MODELING, encoding="utf-8")
    size = len(json.loads((place / "tokenizer.json").read_text("utf-8"))["model"]["vocab"])
    table = {
        "architectures": ["ExaoneForCausalLM"],
        "auto_map": {
            "AutoConfig": "configuration_exaone.ExaoneConfig",
            "AutoModelForCausalLM": "modeling_exaone.ExaoneForCausalLM",
            "AutoModelForSequenceClassification": "modeling_exaone.ExaoneForSequenceClassification",
        },
        "model_type": "exaone",
        "vocab_size": size,
    }
    (place / "config.json").write_text(json.dumps(table), encoding="utf-8")
    config = AutoConfig.from_pretrained(place, trust_remote_code=True)
    made = AutoModelForCausalLM.from_config(config, trust_remote_code=True)
    state = {name: weight.clone() for name, weight in made.state_dict().items()}
    save_file(state, place / "model.safetensors", metadata={"format": "pt"})
    return state["transformer.wte.weight"]


def _polyglot(place: Path) -> torch.Tensor:
    tokenizer = tokenizer_of(_TEXTS, framed=False)
    tokenizer.save_pretrained(place)
    config = GPTNeoXConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=24, max_position_embeddings=2048, rotary_pct=0.5,
    )  # fmt: skip
    made = GPTNeoXForCausalLM(config)
    made.save_pretrained(place)
    return made.gpt_neox.embed_in.weight.detach().clone()


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
    with pytest.raises(ValueError, match="program code in that folder"):
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
