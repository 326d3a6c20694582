"""Exports to ONNX: the original's scores at any shape, and nothing altered is read."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnxruntime import InferenceSession
from onnxruntime.quantization import quantize_dynamic

from thunder.encoder import Encoder, EncoderForMaskedLM, EncoderForTokenClassification, sized
from thunder.tagger.onnx_model import OnnxModel, read_manifest
from thunder.training.exports import onnx as onnx_module
from thunder.training.exports.onnx import export, largest_difference

ROOT = Path(__file__).resolve().parents[2]
WORDS = 90
pytestmark = [
    pytest.mark.slow,  # an export takes six seconds
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:a row of"),
]


def model_of(kind, **changes):
    """Return a model with the buckets of the large ones and weights large enough to matter."""
    torch.manual_seed(4)
    distances = {"position_buckets": 256, "max_relative_positions": 512}
    trained = {"max_position_embeddings": 512, "initializer_range": 0.2}
    config = sized("tiny", vocab_size=WORDS, **distances, **trained, **changes)
    return kind(config).train()


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagger")
    model = model_of(EncoderForTokenClassification, num_labels=7, norm="pre")
    model.set_attention("reference")
    return folder, model, export(model, folder, shapes=((1, 1), (2, 33), (1, 511), (1, 700)))


def ones(*shape):
    return np.ones(shape, dtype=np.int64)


def test_scores_are_the_original_s_at_every_shape(exported):
    folder, model, manifest = exported
    assert manifest.largest_difference < 2e-5
    assert (manifest.scores, manifest.trained_length) == (7, 512)
    model.eval()
    opened = OnnxModel(folder, threads=1)
    unseen = ((1, 2), (4, 9), (3, 64), (1, 129), (1, 600))
    assert largest_difference(model, opened, shapes=unseen, seed=9) < 2e-5
    assert opened(ones(4, 9), ones(4, 9)).shape == (4, 9, 7)


def test_the_model_is_left_as_it_was(exported):
    _, model, _ = exported
    assert model.config.attention_backend == "reference"
    assert model.encoder.layers[0].attention.backend == "reference"
    assert not model.encoder.positions._frozen


def test_export_differs_is_noticed(exported, tmp_path, monkeypatch):
    _, model, _ = exported
    graph = (exported[0] / "model.onnx").read_bytes()
    monkeypatch.setattr(onnx_module, "_write_graph", lambda _, path: path.write_bytes(graph))
    assert export(model, tmp_path, shapes=((2, 9),)).largest_difference < 2e-5
    changed = copy.deepcopy(model)
    with torch.no_grad():
        changed.classifier.bias[3] += 0.01
    with pytest.raises(ValueError, match=r"differ from the original's by 1\.0e-02"):
        export(changed, tmp_path, shapes=((2, 9),))
    with pytest.raises(FileNotFoundError, match="no folder of an exported model"):
        OnnxModel(tmp_path)


def test_a_language_model_is_exported_too(tmp_path):
    manifest = export(model_of(EncoderForMaskedLM), tmp_path, shapes=((2, 9), (1, 140)))
    assert (manifest.architecture, manifest.scores) == ("EncoderForMaskedLM", WORDS)
    assert manifest.largest_difference < 5e-5


def test_a_model_of_half_precision_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"bfloat16.*model\.float"):
        export(model_of(Encoder).bfloat16(), tmp_path)


def test_hints_are_a_third_input_and_have_to_fit(tmp_path):
    model = model_of(EncoderForTokenClassification, num_labels=7, hints=6)
    torch.nn.init.normal_(model.encoder.embeddings.hints.weight)
    manifest = export(model, tmp_path, shapes=((1, 3), (2, 33)))
    assert manifest.hints == 6 and manifest.largest_difference < 2e-5
    opened = OnnxModel(tmp_path, threads=1)
    none, some = opened(ones(1, 4), ones(1, 4), 0 * ones(1, 4)), opened(*[ones(1, 4)] * 3)
    assert not np.allclose(none, some)
    for hints, message in ((None, "needs hint_ids"), (6 * ones(1, 4), "another taxonomy")):
        with pytest.raises(ValueError, match=message):
            opened(ones(1, 4), ones(1, 4), hints)


@pytest.mark.parametrize(
    ("ids", "mask", "message"),
    [
        (ones(3), ones(3), "rows of tokens"),
        (ones(1, 0), ones(1, 0), "rows of tokens"),
        (ones(2, 3), ones(2, 4), "attention_mask is"),
        (ones(1, 3) * WORDS, ones(1, 3), f"reach {WORDS}.*another tokenizer"),
        (-ones(1, 3), ones(1, 3), "another tokenizer"),
        (ones(1, 3) / 2, ones(1, 3), "whole numbers, not float64"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(exported, ids, mask, message):
    with pytest.raises(ValueError, match=message):
        OnnxModel(exported[0], threads=1)(ids, mask)


@pytest.fixture
def copied(exported, tmp_path):
    for path in exported[0].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def test_altered_files_are_refused(copied):
    content = bytearray((copied / "model.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (copied / "model.onnx").write_bytes(bytes(content))
    with pytest.raises(ValueError, match=r"model\.onnx: altered"):
        OnnxModel(copied)


def test_missing_and_damaged_files_are_named(copied):
    manifest = json.loads((copied / "onnx.json").read_text())
    (copied / "config.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"config\.json is missing"):
        read_manifest(copied)
    for damage in ("", "[]", json.dumps({**manifest, "format": 9}), json.dumps({"format": 1})):
        (copied / "onnx.json").write_text(damage)
        with pytest.raises(ValueError, match=r"onnx\.json: damaged or of another kind"):
            read_manifest(copied)


def test_an_export_is_read_without_torch(exported):
    code = (
        "import sys; sys.modules['torch'] = None; sys.modules['transformers'] = None\n"
        "import importlib.util as u; found = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n in ('torch', 'transformers') else found(n, *a)\n"
        "import pathlib, numpy as np\n"
        "from thunder.tagger.onnx_model import OnnxModel\n"
        f"m = OnnxModel(pathlib.Path({str(exported[0])!r}), threads=1)\n"
        "one = np.ones((2, 3), dtype=np.int64); print(m(one, one).shape)\n"
        "try:\n    from thunder.encoder import sized\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[0] == "(2, 3, 7)"
    assert "needs torch and transformers" in done.stdout.splitlines()[1]


def test_dynamic_quantisation_finds_every_matrix(exported, tmp_path):
    """The words and the matrices of all linear layers become int8; distances may stay."""
    folder, _, _ = exported
    quantize_dynamic(folder / "model.onnx", tmp_path / "q.onnx")
    graph = onnx.load(tmp_path / "q.onnx").graph
    floats = [w for w in graph.initializer if w.data_type == onnx.TensorProto.FLOAT]
    assert [weight.name for weight in floats if len(weight.dims) == 2] == []
    integers = [node for node in graph.node if node.op_type == "MatMulInteger"]
    assert len(integers) >= 2 * 4 + 1
    given = {"input_ids": ones(2, 40), "attention_mask": ones(2, 40)}
    found, expected = (
        InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, given)[0]
        for path in (tmp_path / "q.onnx", folder / "model.onnx")
    )
    assert np.abs(found - expected).max() < 0.3 * np.abs(expected).max()
