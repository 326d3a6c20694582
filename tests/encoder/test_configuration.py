"""A configuration is strict: what it does not know or cannot be, it names."""

import json

import pytest
from transformers import AutoConfig

from thunder.encoder import EncoderConfig, sized


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hiden_size": 64}, r"unknown key 'hiden_size'.*known are vocab_size, hidden_size"),
        ({"relative_attention": True}, "unknown key 'relative_attention'"),
        ({"num_attention_heads": 7}, "num_attention_heads is 7.*divisor of hidden_size=1024"),
        ({"num_hidden_layers": 0}, "num_hidden_layers is 0.*above 0"),
        ({"hidden_size": 64.0}, "hidden_size is 64.0.*whole number"),
        ({"vocab_size": True}, "vocab_size is True.*whole number"),
        ({"norm": "sandwich"}, "norm is 'sandwich'.*'pre' or 'post'"),
        ({"hidden_dropout_prob": 1.0}, "hidden_dropout_prob is 1.0"),
        ({"attention_probs_dropout_prob": -0.1}, "attention_probs_dropout_prob is -0.1"),
        ({"layer_norm_eps": 0}, "layer_norm_eps is 0"),
        ({"initializer_range": float("nan")}, "initializer_range is nan"),
        ({"position_buckets": 255}, "position_buckets is 255.*even"),
        ({"max_relative_positions": 129}, "max_relative_positions is 129.*more than half"),
        ({"max_relative_positions": -1}, "max_relative_positions is -1"),
        ({"pad_token_id": 33_472}, "pad_token_id is 33472.*below vocab_size=33472"),
        ({"is_encoder_decoder": True}, "is_encoder_decoder"),
        ({"attention_backend": 5}, "attention_backend is 5"),
        ({"model_type": "deberta-v2"}, "another model"),
    ],
)
def test_nonsense_is_refused_by_name(changes, message):
    with pytest.raises(ValueError, match=message):
        EncoderConfig(**changes)


def test_the_feed_forward_width_is_four_times_the_width_unless_given():
    assert EncoderConfig(hidden_size=128, num_attention_heads=2).intermediate_size == 512
    assert sized("small", hidden_size=256, num_attention_heads=4).intermediate_size == 1024
    assert EncoderConfig(intermediate_size=1000).intermediate_size == 1000


def test_saved_and_read_back(tmp_path):
    config = sized("tiny", norm="post", num_labels=7, attention_backend="reference")
    config.save_pretrained(tmp_path)
    for read in (EncoderConfig.from_pretrained(tmp_path), AutoConfig.from_pretrained(tmp_path)):
        assert (read.norm, read.num_labels, read.hidden_size) == ("post", 7, 64)
        assert read.attention_backend == "auto", "the way to compute belongs to the machine"
    changed = EncoderConfig.from_pretrained(tmp_path, hidden_dropout_prob=0.1)
    assert changed.hidden_dropout_prob == 0.1


def test_a_change_on_loading_is_checked_too(tmp_path):
    sized("tiny").save_pretrained(tmp_path)
    with pytest.raises(ValueError, match="hidden_dropout_prob is 7"):
        EncoderConfig.from_pretrained(tmp_path, hidden_dropout_prob=7)
    with pytest.raises(ValueError, match="unknown key 'hiden_dropout'"):
        EncoderConfig.from_pretrained(tmp_path, hiden_dropout=0.1)


def test_a_file_edited_by_hand_is_checked(tmp_path):
    sized("tiny").save_pretrained(tmp_path)
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "num_attention_heads": 5}))
    with pytest.raises(ValueError, match="num_attention_heads is 5"):
        AutoConfig.from_pretrained(tmp_path)


def test_what_became_impossible_is_not_saved(tmp_path):
    config = sized("tiny")
    config.num_attention_heads = 3
    with pytest.raises(ValueError, match="num_attention_heads is 3"):
        config.save_pretrained(tmp_path)
    assert not (tmp_path / "config.json").exists()
