"""The paper's baselines as folders laid out as their authors lay them out, tiny and random.

Polyglot-ko: GPT-NeoX with weights in safetensors. EXAONE-3.5: program code beside the weights,
which knows a causal and a sequence head and no ``AutoModel``. What a block of it computes is our
own, small, and looks back only; names of modules and weights are those of the released code. They
prove that the way of a baseline is walked to its end; what they learn is worth nothing.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    PreTrainedTokenizerFast,
)

_CONFIGURATION = """
from transformers import PretrainedConfig


class ExaoneConfig(PretrainedConfig):
    model_type = "exaone_of_its_own_code"
    attribute_map = {"num_hidden_layers": "num_layers"}

    def __init__(self, vocab_size=600, hidden_size=16, num_layers=1, num_attention_heads=2,
                 intermediate_size=24, max_position_embeddings=2048, **more):
        self.vocab_size, self.hidden_size, self.num_layers = vocab_size, hidden_size, num_layers
        self.num_attention_heads, self.intermediate_size = num_attention_heads, intermediate_size
        self.max_position_embeddings = max_position_embeddings
        super().__init__(**more)
"""
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


def exaone(place: Path, texts: Sequence[str]) -> torch.Tensor:
    """Return the embeddings of a folder of EXAONE's, whose tokenizer is of *texts*."""
    size = _tokenizer(place, texts)
    (place / "configuration_exaone.py").write_text(_CONFIGURATION, encoding="utf-8")
    (place / "modeling_exaone.py").write_text(_MODELING, encoding="utf-8")
    table = {
        "architectures": ["ExaoneForCausalLM"],
        "auto_map": {
            "AutoConfig": "configuration_exaone.ExaoneConfig",
            "AutoModelForCausalLM": "modeling_exaone.ExaoneForCausalLM",
            "AutoModelForSequenceClassification": "modeling_exaone.ExaoneForSequenceClassification",
        },
        "model_type": "exaone_of_its_own_code",  # transformers knows "exaone" itself since 5.24
        "vocab_size": size,
    }
    (place / "config.json").write_text(json.dumps(table), encoding="utf-8")
    config = AutoConfig.from_pretrained(place, trust_remote_code=True)
    made = AutoModelForCausalLM.from_config(config, trust_remote_code=True)
    state = {name: weight.clone() for name, weight in made.state_dict().items()}
    save_file(state, place / "model.safetensors", metadata={"format": "pt"})
    return state["transformer.wte.weight"]


def polyglot(place: Path, texts: Sequence[str]) -> torch.Tensor:
    """Return the embeddings of a folder of Polyglot-ko's, whose tokenizer is of *texts*."""
    config = GPTNeoXConfig(
        vocab_size=_tokenizer(place, texts), hidden_size=16, num_hidden_layers=1,
        num_attention_heads=2, intermediate_size=24, max_position_embeddings=2048, rotary_pct=0.5,
    )  # fmt: skip
    made = GPTNeoXForCausalLM(config)
    made.save_pretrained(place)
    return made.gpt_neox.embed_in.weight.detach().clone()


def _tokenizer(place: Path, texts: Sequence[str]) -> int:
    """Return how many tokens the tokenizer has that is written to *place*, with no frame."""
    made = Tokenizer(models.BPE(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet)
    made.train_from_iterator(texts, trainer)
    whole = PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]"
    )
    whole.save_pretrained(place)
    return len(whole)
