"""What an encoder learnt since is added to a tagger, whole or not at all."""

import importlib.util

import pytest
import torch
from safetensors.torch import load_file, save_file

from thunder.tagger import Tagger

from .conftest import CONFIGS

SCRIPT = CONFIGS.parent / "graft.py"
pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="needs a checkout")


@pytest.fixture(scope="module")
def graft():
    spec = importlib.util.spec_from_file_location("graft", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.graft


def encoder(tagger, place, by):
    """Write the encoder in a tagger with *by* added to its weights, and a head of its own."""
    place.mkdir()
    weights = load_file(tagger / "model.safetensors")
    kept = {name: one + by for name, one in weights.items() if name.startswith("encoder.")}
    del kept[next(name for name in kept if "norm" in name)]  # as the hints, which no encoder has
    head = {"head.dense.bias": torch.full((3,), by)}
    save_file(kept | head, place / "model.safetensors", metadata={"format": "pt"})
    return place


def test_the_difference_of_two_encoders_is_added(graft, tagger, tmp_path):
    old, new = encoder(tagger, tmp_path / "old", 1.0), encoder(tagger, tmp_path / "new", 1.25)
    graft(tmp_path / "grafted", tagger, old, new)
    before, after, had = (
        load_file(one / "model.safetensors") for one in (tagger, tmp_path / "grafted", old)
    )
    assert before.keys() == after.keys()
    for name, weights in before.items():
        moved = 0.25 if name in had else 0.0
        assert torch.allclose(after[name], weights + moved, atol=1e-5), name
    assert not (tmp_path / "grafted" / "thresholds.json").exists()
    assert Tagger.load(tmp_path / "grafted", device="cpu").tag("피고인은") is not None


def test_what_does_not_fit_is_refused_and_nothing_is_left(graft, tagger, tmp_path):
    old = encoder(tagger, tmp_path / "old", 1.0)
    weights = load_file(old / "model.safetensors")
    name = next(name for name in weights if weights[name].dim() == 2)
    other = encoder(tagger, tmp_path / "other", 1.0)
    cut = weights | {name: weights[name][:-1].contiguous()}
    save_file(cut, other / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ValueError, match="other: no encoder of the shape of"):
        graft(tmp_path / "grafted", tagger, old, other)
    del weights[name]
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ValueError, match="other: not the encoder of"):
        graft(tmp_path / "grafted", tagger, old, other)
    assert not (tmp_path / "grafted").exists()
