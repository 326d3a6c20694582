"""Models are kept in safetensors, read by the Auto classes, and refused when not whole."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForTokenClassification,
)

from thunder.encoder import Encoder, EncoderForMaskedLM, EncoderForTokenClassification, sized

ROOT = Path(__file__).resolve().parents[2]
IDS = torch.arange(1, 21).view(2, 10)
SAVE = "model.safetensors"


@pytest.fixture
def saved(tmp_path):
    """Return a folder with a masked language model, and the model."""
    torch.manual_seed(2)
    model = EncoderForMaskedLM(sized("tiny", vocab_size=90, initializer_range=0.2)).eval()
    model.save_pretrained(tmp_path / "model")
    return tmp_path / "model", model


def test_saved_and_read_back_to_the_bit(saved):
    folder, model = saved
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json",
        SAVE,
        "modeling_thunder.py",
    ]
    for read in (EncoderForMaskedLM, AutoModelForMaskedLM):
        again = read.from_pretrained(folder)
        assert type(again) is EncoderForMaskedLM
        assert torch.equal(again(IDS).logits, model(IDS).logits)
        assert again.head.decoder.weight is again.encoder.embeddings.words.weight


def test_the_encoder_alone_and_a_tagger_start_from_it(saved):
    folder, model = saved
    expected = model.encoder(IDS).last_hidden_state
    assert torch.equal(AutoModel.from_pretrained(folder)(IDS).last_hidden_state, expected)
    tagger = AutoModelForTokenClassification.from_pretrained(
        folder, num_labels=7, classifier_dropout=0.1
    )
    assert type(tagger) is EncoderForTokenClassification
    assert torch.equal(tagger.encoder(IDS).last_hidden_state, expected)
    assert tagger(IDS).logits.shape == (2, 10, 7)


def test_an_encoder_saved_alone_starts_a_language_model(saved, tmp_path):
    _, model = saved
    model.encoder.save_pretrained(tmp_path / "encoder")
    again = EncoderForMaskedLM.from_pretrained(tmp_path / "encoder")
    assert torch.equal(again.encoder(IDS).last_hidden_state, model.encoder(IDS).last_hidden_state)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_the_type_of_the_weights_is_kept(saved, tmp_path, dtype):
    _, model = saved
    model.to(dtype).save_pretrained(tmp_path / "half")
    assert EncoderForMaskedLM.from_pretrained(tmp_path / "half").dtype == dtype
    wide = EncoderForMaskedLM.from_pretrained(tmp_path / "half", dtype=torch.float32)
    assert wide.dtype == torch.float32


def test_weights_in_a_pickle_are_refused(saved):
    folder, model = saved
    (folder / SAVE).unlink()
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(ValueError, match=r"pytorch_model\.bin may be a pickle.*safetensors"):
        AutoModelForMaskedLM.from_pretrained(folder)
    with pytest.raises(ValueError, match="use_safetensors=False is refused"):
        EncoderForMaskedLM.from_pretrained(folder, use_safetensors=False)
    with pytest.raises(ValueError, match="safe_serialization=False is refused"):
        model.save_pretrained(folder, safe_serialization=False)


def test_a_folder_without_weights(saved):
    folder, _ = saved
    (folder / SAVE).unlink()
    with pytest.raises(FileNotFoundError, match=r"no model\.safetensors"):
        Encoder.from_pretrained(folder)


def test_damaged_weights_are_refused(saved):
    folder, _ = saved
    content = (folder / SAVE).read_bytes()
    (folder / SAVE).write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="the weights are damaged"):
        EncoderForMaskedLM.from_pretrained(folder)


@pytest.mark.parametrize(
    ("gone", "kind"),
    [
        ("encoder.layers.1.feed_forward.up.weight", EncoderForMaskedLM),
        ("encoder.positions.rows.weight", EncoderForTokenClassification),
        ("encoder.embeddings.norm.bias", Encoder),
        ("head.dense.weight", EncoderForMaskedLM),
    ],
)
def test_a_missing_weight_is_never_left_to_chance(saved, gone, kind):
    folder, _ = saved
    weights = load_file(folder / SAVE)
    del weights[gone]
    save_file(weights, folder / SAVE, metadata={"format": "pt"})
    with pytest.raises(ValueError, match="1 weights are missing"):
        kind.from_pretrained(folder)


def test_weights_of_another_model_are_refused(saved):
    folder, _ = saved
    weights = load_file(folder / SAVE)
    weights["encoder.layers.2.attention.output.weight"] = torch.zeros(64, 64)
    save_file(weights, folder / SAVE, metadata={"format": "pt"})
    with pytest.raises(ValueError, match=r"1 weights are not this model's: encoder\.layers\.2"):
        Encoder.from_pretrained(folder)


def test_a_shape_that_the_configuration_does_not_have_is_refused(saved):
    folder, _ = saved
    found = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**found, "vocab_size": 91}))
    with pytest.raises(ValueError, match=r"other shapes than config\.json says"):
        EncoderForMaskedLM.from_pretrained(folder)


@pytest.mark.slow
def test_auto_model_finds_the_package_if_it_is_trusted(saved):
    """A program that never imported thunder reads the folder with trust_remote_code."""
    folder, _ = saved
    code = (
        "import sys; from transformers import AutoModelForMaskedLM as A; "
        f"m = A.from_pretrained({str(folder)!r}, trust_remote_code=True); "
        f"m.save_pretrained({str(folder)!r}); m = A.from_pretrained({str(folder)!r}); "
        "print(type(m).__module__)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HF_MODULES_CACHE": str(folder / "cache")},
    )
    assert found.stdout.strip() == "thunder.encoder.heads"
