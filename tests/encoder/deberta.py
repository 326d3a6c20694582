"""DeBERTa-v3's weights under our names: with ``norm="post"`` the encoder has to say the same."""

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from thunder.encoder.configuration import EncoderConfig

_SIMPLE = {
    "deberta.embeddings.word_embeddings": "encoder.embeddings.words",
    "deberta.embeddings.LayerNorm": "encoder.embeddings.norm",
    "deberta.encoder.rel_embeddings": "encoder.positions.rows",
    "deberta.encoder.LayerNorm": "encoder.positions.norm",
    # transformers' two forms of the language model head: legacy, and DeBERTa's own.
    "cls.predictions.transform.dense": "head.dense",
    "cls.predictions.transform.LayerNorm": "head.norm",
    "cls.predictions.decoder": "head.decoder",
    "cls.predictions": "head.decoder",
    "lm_predictions.lm_head.dense": "head.dense",
    "lm_predictions.lm_head.LayerNorm": "head.norm",
    "lm_predictions.lm_head": "head.decoder",
    "classifier": "classifier",
}
_IN_LAYER = {
    "attention.output.dense": "attention.output",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "feed_forward.up",
    "output.dense": "feed_forward.down",
    "output.LayerNorm": "feed_forward_norm",
}
_LAYER = re.compile(r"deberta\.encoder\.layer\.(\d+)\.(.+)")
_PARTS = ("query_proj", "key_proj", "value_proj")


def from_deberta(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of a DebertaV2 model of ``transformers`` under our names.

    For ``EncoderForMaskedLM`` or ``EncoderForTokenClassification`` with ``norm="post"``.
    ValueError names a weight that DeBERTa-v3 has no place for (absolute positions, token types, a
    convolution, keys of positions that are not shared).
    """
    made: dict[str, Tensor] = {}
    parts: dict[str, dict[str, Tensor]] = {}
    for name, weight in weights.items():
        stem, _, kind = name.rpartition(".")
        place = _LAYER.fullmatch(stem)
        if place and place[2].removeprefix("attention.self.") in _PARTS:
            target = f"encoder.layers.{place[1]}.attention.query_key_value.{kind}"
            parts.setdefault(target, {})[place[2].removeprefix("attention.self.")] = weight
        else:
            made[f"{_new_stem(name, stem, place)}.{kind}"] = weight
    if "head.decoder.bias" in made:  # a tied matrix may be saved once only
        made.setdefault("head.decoder.weight", made["encoder.embeddings.words.weight"])
    return made | {name: _joined(name, found) for name, found in parts.items()}


def _new_stem(name: str, stem: str, place: re.Match[str] | None) -> str:
    if place and place[2] in _IN_LAYER:
        return f"encoder.layers.{place[1]}.{_IN_LAYER[place[2]]}"
    if stem in _SIMPLE:
        return _SIMPLE[stem]
    raise ValueError(
        f"{name}: this encoder has no place for it; only models built like DeBERTa-v3 fit "
        "(shared keys, normed distance rows, no absolute positions, no token types)"
    )


def _joined(name: str, found: Mapping[str, Tensor]) -> Tensor:
    lacking = [part for part in _PARTS if part not in found]
    if lacking:
        raise ValueError(f"{name}: {', '.join(lacking)} missing from the weights given")
    return torch.cat([found[part] for part in _PARTS])


def config_from_deberta(config: Any) -> EncoderConfig:
    """Return the encoder's configuration for a ``DebertaV2Config`` built like DeBERTa-v3.

    ValueError names the setting that this encoder cannot do.
    """
    furthest = config.max_relative_positions
    furthest = furthest if furthest >= 1 else config.max_position_embeddings
    _require_v3(config)
    made = EncoderConfig(
        vocab_size=config.vocab_size,
        hidden_size=config.hidden_size,
        num_hidden_layers=config.num_hidden_layers,
        num_attention_heads=config.num_attention_heads,
        intermediate_size=config.intermediate_size,
        norm="post",
        position_buckets=config.position_buckets,
        max_relative_positions=furthest,
        max_position_embeddings=config.max_position_embeddings,
        hidden_dropout_prob=config.hidden_dropout_prob,
        attention_probs_dropout_prob=config.attention_probs_dropout_prob,
        layer_norm_eps=config.layer_norm_eps,
        initializer_range=config.initializer_range,
        pad_token_id=config.pad_token_id,
    )
    made.num_labels = config.num_labels
    return made


def _require_v3(config: Any) -> None:
    expected = {
        "relative_attention": True,
        "share_att_key": True,
        "position_biased_input": False,
        "norm_rel_ebd": "layer_norm",
        "type_vocab_size": 0,
        "hidden_act": "gelu",
        "conv_kernel_size": 0,
    }
    for key, value in expected.items():
        found = getattr(config, key, 0 if key == "conv_kernel_size" else None)
        if found != value:
            raise ValueError(f"{key} is {found!r}, but this encoder can only do {value!r}")
    if sorted(config.pos_att_type or []) != ["c2p", "p2c"]:
        raise ValueError(f"pos_att_type is {config.pos_att_type}, not p2c and c2p")
