"""The average of taggers: of their weights, whole or not at all, and of one kind only."""

import importlib.util
import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from thunder.tagger import folder
from thunder.tagger.tagger import Tagger

from .conftest import CONFIGS

SCRIPT = CONFIGS.parent / "average.py"
pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="needs a checkout")


@pytest.fixture(scope="module")
def average():
    spec = importlib.util.spec_from_file_location("average", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:  # a script finds those beside it
        patch.syspath_prepend(str(SCRIPT.parent))
        spec.loader.exec_module(module)
    return module.average


def moved(tagger, place, by):
    """Return a copy of a tagger with *by* added to its weights."""
    place.mkdir()
    for path in tagger.iterdir():
        (place / path.name).write_bytes(path.read_bytes())
    weights = load_file(place / "model.safetensors")
    changed = {name: one + by for name, one in weights.items()}
    save_file(changed, place / "model.safetensors", metadata={"format": "pt"})
    folder.write(place, folder.read(tagger))
    return place


def test_weights_are_the_mean_and_figures_of_one_are_left_out(average, tagger, tmp_path):
    average(tmp_path / "mean", [moved(tagger, tmp_path / str(by), by) for by in (1.0, 3.0)])
    before, after = (load_file(one / "model.safetensors") for one in (tagger, tmp_path / "mean"))
    assert all(torch.allclose(after[name], before[name] + 2, atol=1e-5) for name in before)
    about = json.loads((tmp_path / "mean" / "tagger.json").read_text("utf-8"))["about"]
    assert about["run"] == "the average of tagger-smoke (1200) and tagger-smoke (1200)"
    assert not {"seed", "step", "f1", "label_f1"} & set(about)
    assert not (tmp_path / "mean" / "thresholds.json").exists()
    assert Tagger.load(tmp_path / "mean", device="cpu").tag("피고인은") is not None


def test_what_does_not_fit_is_refused_and_nothing_is_left(average, tagger, tmp_path):
    other = moved(tagger, tmp_path / "other", 0.0)
    weights = load_file(other / "model.safetensors")
    weights["classifier.bias"] = weights["classifier.bias"][:-1]
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    folder.write(other, folder.read(tagger))
    with pytest.raises(ValueError, match="weights of other shapes"):
        average(tmp_path / "mean", [tagger, other])
    assert not (tmp_path / "mean").exists()
    with pytest.raises(ValueError, match="exists: give the name of a new folder"):
        average(other, [tagger, tagger])
