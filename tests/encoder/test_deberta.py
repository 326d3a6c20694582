"""With post-LayerNorm and the same weights, the encoder is transformers' DebertaV2."""

import warnings
from functools import lru_cache

import pytest
import torch

from thunder.encoder import EncoderForMaskedLM, EncoderForTokenClassification
from thunder.encoder.attention import backends

from .deberta import config_from_deberta, from_deberta

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # theirs, on being imported
    from transformers import (
        DebertaV2Config,
        DebertaV2ForMaskedLM,
        DebertaV2ForTokenClassification,
    )

DENSE = [name for name in ("reference", "shift", "sdpa") if name in backends()]


def deberta_config(**changes):
    """Return DeBERTa-v3's configuration with small widths, and random weights not too small."""
    v3 = {
        "vocab_size": 97,
        "hidden_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "intermediate_size": 80,
        "max_position_embeddings": 512,
        "relative_attention": True,
        "position_buckets": 256,
        "norm_rel_ebd": "layer_norm",
        "share_att_key": True,
        "pos_att_type": "p2c|c2p",
        "position_biased_input": False,
        "type_vocab_size": 0,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "initializer_range": 0.2,
        "num_labels": 5,
    }
    return DebertaV2Config(**{**v3, **changes})


def pair(theirs, ours, **changes):
    torch.manual_seed(3)
    config = deberta_config(**changes)
    original = theirs(config).eval()
    for name, weight in original.named_parameters():
        if "LayerNorm" in name or name.endswith("bias"):  # else all ones and zeros
            torch.nn.init.normal_(weight, mean=float(name.endswith("weight")), std=0.2)
    model = ours(config_from_deberta(config)).eval()
    model.load_state_dict(from_deberta(original.state_dict()), strict=True)
    return original, model


def batch(length):
    chance = torch.Generator().manual_seed(length)
    ids_BS = torch.randint(1, 97, (3, length), generator=chance)
    mask_BS = torch.ones_like(ids_BS)
    mask_BS[1, max(1, length // 2) :] = 0
    mask_BS[2, max(1, length - 3) :] = 0
    return ids_BS.where(mask_BS == 1, 0), mask_BS


def gradients(model):
    return {name: weight.grad for name, weight in model.named_parameters()}


@lru_cache
def theirs_at(length):
    """Return the original's weights, batch, labels, answer and gradients at a length."""
    original, _ = pair(DebertaV2ForMaskedLM, EncoderForMaskedLM)
    ids_BS, mask_BS = batch(length)
    asked_BS = (torch.arange(length) % 3 == 0) & (mask_BS == 1)
    labels_BS = ids_BS.where(asked_BS, -100)
    answer = original(ids_BS, attention_mask=mask_BS, labels=labels_BS)
    answer.loss.backward()
    weights, expected = original.state_dict(), from_deberta(gradients(original))
    return weights, (ids_BS, mask_BS, labels_BS), answer, expected


@pytest.mark.filterwarnings("ignore:a row of 700 tokens")
@pytest.mark.parametrize("length", [1, 5, 64, pytest.param(511, marks=pytest.mark.slow), 700])
@pytest.mark.parametrize("backend", DENSE)
def test_masked_words_scores_loss_and_gradients(length, backend):
    weights, (ids_BS, mask_BS, labels_BS), theirs, expected = theirs_at(length)
    model = EncoderForMaskedLM(config_from_deberta(deberta_config())).eval()
    model.load_state_dict(from_deberta(weights), strict=True)
    model.set_attention(backend)
    ours = model(ids_BS, mask_BS, labels=labels_BS)
    with torch.no_grad():
        scores_BSV = model(ids_BS, mask_BS).logits
    gap_BSV = (scores_BSV - theirs.logits) * mask_BS[..., None]
    assert gap_BSV.abs().max() < 2e-5 * theirs.logits.abs().max()
    torch.testing.assert_close(ours.loss, theirs.loss, rtol=1e-5, atol=1e-6)
    assert ours.correct == (theirs.logits.argmax(-1) == labels_BS).sum()
    ours.loss.backward()
    for name, found in gradients(model).items():
        scale = expected[name].abs().max().clamp(min=1e-3)
        assert (found - expected[name]).abs().max() < 1e-4 * scale, name


@pytest.mark.filterwarnings("ignore:flex_attention called without")
@pytest.mark.parametrize("backend", [name for name in backends() if name not in DENSE])
def test_the_fused_ways_where_they_can_be_used(backend):
    weights, (ids_BS, mask_BS, _), theirs, _ = theirs_at(64)
    model = EncoderForMaskedLM(config_from_deberta(deberta_config())).eval()
    model.load_state_dict(from_deberta(weights), strict=True)
    with torch.no_grad():
        scores_BSV = model.set_attention(backend)(ids_BS, mask_BS).logits
    gap_BSV = (scores_BSV - theirs.logits) * mask_BS[..., None]
    assert gap_BSV.abs().max() < 2e-5 * theirs.logits.abs().max()


@pytest.mark.parametrize("length", [1, 64, 130])
def test_token_classes_scores_loss_and_gradients(length):
    original, model = pair(DebertaV2ForTokenClassification, EncoderForTokenClassification)
    ids_BS, mask_BS = batch(length)
    labels_BS = (ids_BS % 5).where(mask_BS == 1, -100)
    theirs = original(ids_BS, attention_mask=mask_BS, labels=labels_BS)
    ours = model(ids_BS, attention_mask=mask_BS, labels=labels_BS)
    gap_BSC = (ours.logits - theirs.logits) * mask_BS[..., None]
    assert gap_BSC.abs().max() < 2e-5 * theirs.logits.abs().max()
    torch.testing.assert_close(ours.loss, theirs.loss, rtol=1e-5, atol=1e-6)
    theirs.loss.backward()
    ours.loss.backward()
    expected = from_deberta(gradients(original))
    for name, found in gradients(model).items():
        scale = expected[name].abs().max().clamp(min=1e-3)
        assert (found - expected[name]).abs().max() < 1e-4 * scale, name


def test_deberta_s_own_language_head_fits_too():
    original, model = pair(DebertaV2ForMaskedLM, EncoderForMaskedLM, legacy=False)
    ids_BS, mask_BS = batch(20)
    with torch.no_grad():
        theirs, ours = original(ids_BS, attention_mask=mask_BS), model(ids_BS, mask_BS)
    gap_BSV = (ours.logits - theirs.logits) * mask_BS[..., None]
    assert gap_BSV.abs().max() < 2e-5 * theirs.logits.abs().max()


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"share_att_key": False}, "share_att_key"),
        ({"position_biased_input": True}, "position_biased_input"),
        ({"type_vocab_size": 2}, "type_vocab_size"),
        ({"norm_rel_ebd": "none"}, "norm_rel_ebd"),
        ({"pos_att_type": "c2p"}, "pos_att_type"),
        ({"conv_kernel_size": 3}, "conv_kernel_size"),
        ({"hidden_act": "relu"}, "hidden_act"),
    ],
)
def test_another_kind_of_deberta_is_refused(changes, key):
    with pytest.raises(ValueError, match=key):
        config_from_deberta(deberta_config(**changes))


def test_weights_without_a_place_are_named():
    original, _ = pair(DebertaV2ForMaskedLM, EncoderForMaskedLM)
    weights = original.state_dict()
    stray = "deberta.embeddings.position_embeddings.weight"
    with pytest.raises(ValueError, match=stray):
        from_deberta({**weights, stray: torch.zeros(1)})
    del weights["deberta.encoder.layer.0.attention.self.key_proj.weight"]
    with pytest.raises(ValueError, match=r"layers\.0.*key_proj missing"):
        from_deberta(weights)
