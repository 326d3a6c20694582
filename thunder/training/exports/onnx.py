"""Export to ONNX with any number of rows and tokens, checked against the original.

The graph has no gather over scores (attention's "shift"); the projections of distances
stand in it as constants; every weight matrix is a constant of a MatMul or Gemm and the words one
of a Gather, so that whatever quantises finds them all. With ``int8`` it multiplies in whole
numbers (``quantisation``), and the scores are those of the model so rounded.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from thunder.tagger import onnx_model
from thunder.tagger.onnx_model import INPUTS, MODEL, Manifest, OnnxModel
from thunder.training.exports import quantisation
from thunder.training.exports.rows import without_mask

OPSET = 20  # the first with Gelu, which onnxruntime has as one kernel
SHAPES = ((1, 1), (1, 2), (3, 17), (2, 128), (1, 511), (1, 700))
TOLERANCE = 1e-4
TOLERANCE_INT8 = 0.2  # where a sum's last bit differs, a number may be rounded the other way
FEW, TOLERANCE_FEW = 0.01, 1.0  # in a small network that is felt: so many tokens may differ by more


class _Scores(nn.Module):
    """The model with the inputs and the one output that the graph has."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, hint_ids: Tensor | None = None
    ) -> Tensor:
        told = {} if hint_ids is None else {"hint_ids": hint_ids}
        scores_BSC: Tensor = self.model(input_ids, attention_mask, **told)[0]
        return scores_BSC


def export(
    model: Any,
    folder: Path,
    *,
    int8: bool = False,
    by_rows: bool = False,
    shapes: Sequence[tuple[int, int]] = SHAPES,
    tolerance: float | None = None,
) -> Manifest:
    """Write *model* (an encoder with or without head, float32) to *folder* and return the manifest.

    The export is run at every one of *shapes* (B x S), with padding, against the original; with
    *int8* against the original that rounds as it does, so that nothing but that rounding can
    tell them apart. *by_rows*: the graph takes one row at a time, without padding or mask, which
    a processor reads faster (``rows``); ``OnnxModel`` parts the rows.
    ValueError where a score differs by more than *tolerance* (``TOLERANCE``; ``TOLERANCE_INT8``,
    and ``TOLERANCE_FEW`` in a hundredth of the tokens), and for a model that is not float32; the
    folder is then without ``onnx.json`` and so without a model that anything would read.
    """
    if tolerance is None:
        tolerance = TOLERANCE_INT8 if int8 else TOLERANCE
    if model.dtype != torch.float32:
        raise ValueError(
            f"the model is {model.dtype}: export takes float32, so model.float() first"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for stale in (*folder.glob(f"{MODEL}*"), folder / onnx_model.MANIFEST):
        stale.unlink(missing_ok=True)
    with quantisation.rounded(model) if int8 else nullcontext(), _frozen(model, int8=int8):
        _write_graph(model, folder / MODEL)
        if int8:
            quantisation.pack(folder / MODEL)
        if by_rows:
            without_mask(folder / MODEL)
        model.config.architectures = [type(model).__name__]
        model.config.save_pretrained(folder)
        with quantisation.rounding(model) if int8 else nullcontext():
            return _checked(model, folder, shapes=shapes, tolerance=tolerance)


@contextmanager
def _frozen(model: Any, *, int8: bool) -> Iterator[None]:
    """Have the model in evaluation, gather-free, with constant projections; then as it was."""
    training, backend = model.training, model.config.attention_backend
    encoder = getattr(model, model.base_model_prefix, model)
    model.eval().set_attention("shift")
    encoder.freeze_positions()
    if int8:
        quantisation.round_positions(encoder)
    try:
        yield
    finally:
        encoder.positions.forget()
        model.set_attention(backend).train(training)


def _write_graph(model: Any, path: Path) -> None:
    names = INPUTS if model.config.hints else INPUTS[:2]
    # Several tensors: the exporter takes one given twice for one input used twice.
    given = tuple(torch.ones(2, 9, dtype=torch.int64) for _ in names)
    free = {0: torch.export.Dim("batch"), 1: torch.export.Dim("length")}
    with warnings.catch_warnings():
        # Of the exporter to its own authors, and that two inputs share the names of their axes.
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            _Scores(model).eval(),
            given,
            dynamo=True,
            dynamic_shapes=dict.fromkeys(names, free),
            input_names=list(names),
            output_names=["scores"],
            opset_version=OPSET,
            verbose=False,
        )
    if program is None:
        raise RuntimeError("torch.onnx.export gave no program")
    program.save(str(path))


def _checked(
    model: Any, folder: Path, *, shapes: Sequence[tuple[int, int]], tolerance: float
) -> Manifest:
    """Return the manifest, written, if the export gives the model's scores."""
    onnx_model.write_manifest(folder, _manifest(model, folder, shapes=(), difference=0.0))
    try:
        gaps = differences(model, OnnxModel(folder, threads=1), shapes=shapes)
        difference = float(gaps.max())
        few = tolerance == TOLERANCE_INT8 and (gaps > tolerance).mean() <= FEW
        if not difference <= (TOLERANCE_FEW if few else tolerance):  # also if it is not a number
            raise ValueError(
                f"{folder / MODEL}: scores differ from the original's by {difference:.1e}, "
                f"more than {tolerance:.1e}"
            )
    except BaseException:
        (folder / onnx_model.MANIFEST).unlink()
        raise
    manifest = _manifest(model, folder, shapes=shapes, difference=difference)
    onnx_model.write_manifest(folder, manifest)
    return manifest


def _manifest(
    model: Any, folder: Path, *, shapes: Sequence[tuple[int, int]], difference: float
) -> Manifest:
    return Manifest(
        architecture=type(model).__name__,
        vocab_size=model.config.vocab_size,
        scores=_scores(model),
        trained_length=model.config.max_position_embeddings,
        largest_difference=difference,
        checked_shapes=tuple(shapes),
        files=onnx_model.digests(folder),
        hints=model.config.hints,
    )


def _scores(model: Any) -> int:
    """Return how many numbers come out for each token."""
    if hasattr(model, "classifier"):
        return int(model.config.num_labels)
    config = model.config
    return int(config.vocab_size if hasattr(model, "head") else config.hidden_size)


def largest_difference(
    model: Any, exported: OnnxModel, *, shapes: Sequence[tuple[int, int]], seed: int = 1
) -> float:
    """Return the largest |exported - original| of any real token, over rows with padding."""
    return float(differences(model, exported, shapes=shapes, seed=seed).max())


def differences(
    model: Any, exported: OnnxModel, *, shapes: Sequence[tuple[int, int]], seed: int = 1
) -> np.ndarray:
    """Return the largest |exported - original| of each real token, over rows with padding."""
    chance = np.random.default_rng(seed)
    gaps = []
    for rows, tokens in shapes:
        ids_BS = chance.integers(1, model.config.vocab_size, (rows, tokens))
        mask_BS = np.ones_like(ids_BS)
        mask_BS[-1, max(1, tokens // 2) :] = 0
        given = [ids_BS, mask_BS]
        if model.config.hints:
            given.append(chance.integers(0, model.config.hints, (rows, tokens)))
        with torch.no_grad():
            original = _Scores(model)(*map(torch.from_numpy, given)).numpy()
        gap_BS = np.abs(exported(*given) - original).max(axis=-1)
        gaps.append(gap_BS[mask_BS == 1])
    return np.concatenate(gaps)
