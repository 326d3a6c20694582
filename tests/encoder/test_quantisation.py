"""Weights as int8: what is rounded, that it is stored so, and that nothing else changes."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from onnx import numpy_helper
from onnxruntime import InferenceSession

from thunder.encoder import EncoderForTokenClassification, sized
from thunder.tagger import onnx_model
from thunder.tagger.onnx_model import OnnxModel
from thunder.training.exports import onnx as onnx_module
from thunder.training.exports import quantisation
from thunder.training.exports.onnx import export, largest_difference
from thunder.training.exports.quantisation import packed, unpacked
from thunder.training.exports.rows import without_mask

_FLOATS = st.floats(-1e6, 1e6, width=32)


@given(arrays.arrays(np.float32, (3, 5), elements=_FLOATS), st.sampled_from([0, 1, -1, -2]))
def test_no_weight_moves_by_more_than_half_a_step_and_rounding_again_changes_nothing(weights, axis):
    one = packed(weights, axis=axis)
    assert one.codes.dtype == np.int8 and np.abs(one.codes.astype(int)).max() <= 127
    assert (np.abs(unpacked(one) - weights) <= 0.501 * one.scales).all()
    assert (packed(unpacked(one), axis=axis).codes == one.codes).all()


def _model(kind, **changes):
    torch.manual_seed(4)
    sizes = {"position_buckets": 256, "max_relative_positions": 512, "hidden_size": 64}
    config = sized("tiny", vocab_size=900, initializer_range=0.2, **sizes, **changes)
    return kind(config).eval()


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A model, its graph before it was packed, the folder of its export, and the manifest."""
    model = _model(EncoderForTokenClassification, num_labels=80, hints=70)
    torch.nn.init.normal_(model.encoder.embeddings.hints.weight, std=0.2)
    plain, small = (tmp_path_factory.mktemp(name) for name in ("plain", "small"))
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    pack = quantisation.pack
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantisation, "pack", lambda path: pack(shutil.copy(path, plain) and path))
        manifest = export(model, small, int8=True, shapes=((1, 1), (2, 33), (1, 128)))
    assert all(torch.equal(before[name], weight) for name, weight in model.state_dict().items())
    return model, plain, small, manifest


def _weights(folder):
    return onnx.load(folder / "model.onnx").graph.initializer


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.mark.slow
def test_every_matrix_is_stored_in_int8(exported):
    _, plain, small, _ = exported
    large = [one for one in _weights(small) if np.prod(one.dims) >= quantisation.LEAST]
    assert {one.data_type for one in large} == {onnx.TensorProto.INT8}
    wanted = [one for one in _weights(plain) if np.prod(one.dims) >= quantisation.LEAST]
    assert len(large) == len(wanted) >= 2 * 4 + 3
    sizes = [(folder / "model.onnx").stat().st_size for folder in (small, plain)]
    assert sizes[0] < 0.45 * sizes[1]  # the rest is the graph


@pytest.mark.slow
def test_scores_are_those_of_the_rounded_weights_and_near_the_original_s(exported):
    model, _, small, manifest = exported
    assert manifest.largest_difference < 1e-4
    gap = largest_difference(model, OnnxModel(small, threads=1), shapes=((3, 40),))
    ids = torch.arange(1, 41)[None]
    assert 1e-4 < gap < 0.1 * model(ids, hint_ids=ids)[0].abs().max()


@pytest.mark.slow
def test_distances_are_multiplied_out_once_when_the_file_is_opened(exported, tmp_path):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "opened.onnx")
    options.log_severity_level = 3
    InferenceSession(str(exported[2] / "model.onnx"), options, providers=["CPUExecutionProvider"])
    opened = onnx.load(tmp_path / "opened.onnx").graph
    casts = [node for node in opened.node if node.op_type == "Cast"]
    integers = {one.name for one in opened.initializer if one.data_type == onnx.TensorProto.INT8}
    assert len(integers) == 2 + 4 * 2 + 1  # words and hints, and the matrices
    assert not [node for node in casts if set(node.input) & integers]


@pytest.mark.slow
def test_products_fit_into_16_bits_by_two_so_that_every_processor_adds_them_up_alike(exported):
    kinds = {one.name: numpy_helper.to_array(one) for one in _weights(exported[2])}
    nodes = onnx.load(exported[2] / "model.onnx").graph.node
    matrices = [kinds[node.input[1]] for node in nodes if node.op_type == "MatMulInteger"]
    assert len(matrices) == 4 * 2 + 1
    assert all(np.abs(one.astype(int)).max() == 63 for one in matrices)
    assert 2 * 255 * 63 < 2**15


@pytest.mark.slow
def test_scores_hang_on_nothing_beside_them(exported):
    opened = OnnxModel(exported[2], threads=1)
    chance = np.random.default_rng(2)
    ids, hints = chance.integers(1, 900, (6, 30)), chance.integers(0, 70, (6, 30))
    mask = np.ones_like(ids)
    together = opened(ids, mask, hints)
    for row in range(6):
        place = slice(row, row + 1)
        assert (opened(ids[place], mask[place], hints[place]) == together[place]).all()


@pytest.mark.slow
def test_a_wrong_rounding_is_noticed(exported, tmp_path, monkeypatch):
    model, plain, _, _ = exported
    pack = quantisation.pack

    def wrong(path):
        pack(path)
        packed_model = onnx.load(path)
        parts = packed_model.graph.initializer
        scale = [one for one in parts if one.name.endswith(".scale")][-1]  # words are normed
        numbers = onnx.numpy_helper.to_array(scale) * np.float32(1.1)
        scale.CopyFrom(onnx.numpy_helper.from_array(numbers, scale.name))
        onnx.save(packed_model, path)

    written = plain / "model.onnx"
    monkeypatch.setattr(onnx_module, "_write_graph", lambda _, path: shutil.copy(written, path))
    assert export(model, tmp_path, int8=True, shapes=((2, 9),)).largest_difference < 1e-4
    monkeypatch.setattr(quantisation, "pack", wrong)
    with pytest.raises(ValueError, match="differ from the original's by"):
        export(model, tmp_path, int8=True, shapes=((2, 9),))


@pytest.mark.slow
def test_a_graph_for_rows_scores_as_the_one_with_a_mask(exported, tmp_path):
    _, _, small, manifest = exported
    place = Path(shutil.copytree(small, tmp_path / "rows"))
    without_mask(place / "model.onnx")
    onnx_model.write_manifest(place, replace(manifest, files=onnx_model.digests(place)))
    inputs = InferenceSession(place / "model.onnx").get_inputs()
    assert [one.name for one in inputs] == ["input_ids", "hint_ids"]
    masked, rows = (OnnxModel(folder, threads=1) for folder in (small, place))
    chance = np.random.default_rng(3)
    ids, hints = chance.integers(1, 900, (3, 40)), chance.integers(0, 70, (3, 40))
    mask = np.ones_like(ids)
    mask[1, 25:] = mask[2, 1:] = 0
    gap = np.abs(masked(ids, mask, hints) - rows(ids, mask, hints)) * mask[..., None]
    assert gap.max() < 0.1, "a number may be rounded the other way"
    alone = rows(ids[1:2, :25], mask[1:2, :25], hints[1:2, :25])
    assert (alone == rows(ids, mask, hints)[1:2, :25]).all()
    mask[0, 0] = 0
    with pytest.raises(ValueError, match="padded behind their tokens"):
        rows(ids, mask, hints)
