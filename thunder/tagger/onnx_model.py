"""An exported model's folder, read without torch: ``model.onnx``, ``config.json``, ``onnx.json``.

It stands apart from ``thunder.encoder``, which loads torch where that is installed: three seconds
and half a gigabyte that a tagger without torch has no use for.

``onnx.json`` holds the SHA-256 of every file; an altered or foreign file is refused. Shapes: B
rows, S tokens, C scores per token.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

MANIFEST = "onnx.json"
MODEL = "model.onnx"
INPUTS = ("input_ids", "attention_mask", "hint_ids")
"""What is given; the last one only to models that were trained with hints."""

_FORMAT = 1

Ids = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands in an export's folder, and how near it came to the original.

    ``largest_difference`` is the largest |score - original score| of any real token over
    ``checked_shapes`` (B x S); ``trained_length`` the longest row trained on; ``hints`` how many
    different hints it knows, 0 if it takes none.
    """

    architecture: str
    vocab_size: int
    scores: int
    trained_length: int
    largest_difference: float
    checked_shapes: tuple[tuple[int, int], ...]
    files: dict[str, str]
    hints: int = 0


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of an export: the graph, its weights, its configuration."""
    names = [*sorted(path.name for path in folder.glob(f"{MODEL}*")), "config.json"]
    return {name: digest(folder / name) for name in names}


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write ``onnx.json``, which makes the folder complete."""
    text = json.dumps({"format": _FORMAT, **asdict(manifest)}, indent=1)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of *folder* if every file is as it was written.

    FileNotFoundError or ValueError name the file and what is wrong with it.
    """
    manifest = _parsed(folder / MANIFEST)
    for name, expected in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise FileNotFoundError(f"{path} is missing: export the model again")
        if digest(path) != expected:
            raise ValueError(f"{path}: altered since it was exported; export the model again")
    return manifest


def _parsed(path: Path) -> Manifest:
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: this is no folder of an exported model")
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if found.pop("format") != _FORMAT:
            raise ValueError(f"its format is not {_FORMAT}")
        shapes = tuple((int(rows), int(tokens)) for rows, tokens in found.pop("checked_shapes"))
        manifest = Manifest(**found, checked_shapes=shapes)
        if MODEL not in manifest.files:
            raise ValueError(f"it does not name {MODEL}")
        return manifest
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged or of another kind: {error}") from error


class OnnxModel:
    """An exported model: ids in, scores out, with onnxruntime; safe to call from threads."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """Open the export in *folder*; ``threads=0`` leaves the number to onnxruntime."""
        import onnxruntime  # type: ignore[import-untyped]

        self.manifest = read_manifest(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(
            str(folder / MODEL), options, providers=["CPUExecutionProvider"]
        )
        self.takes_one_row = INPUTS[1] not in {one.name for one in self._session.get_inputs()}

    def __call__(
        self, input_ids_BS: Ids, attention_mask_BS: Ids, hint_ids_BS: Ids | None = None
    ) -> Scores:
        """Return the scores of each token (B x S x C); those of padding mean nothing.

        ValueError for shapes that do not match, for empty rows, for ids beyond the vocabulary and
        for hints that are missing or unknown.
        """
        rows = (input_ids_BS, attention_mask_BS, hint_ids_BS)
        given = {name: one for name, one in zip(INPUTS, rows, strict=True) if one is not None}
        self._check(given)
        taken = {name: one.astype(np.int64) for name, one in given.items()}
        if not self.takes_one_row:
            scores_BSC: Scores = self._session.run(None, taken)[0]
            return scores_BSC
        return self._by_rows(taken)

    def _by_rows(self, taken: dict[str, Ids]) -> Scores:
        """Return the scores of each token, row by row, by a graph for rows without padding."""
        mask_BS = taken.pop(INPUTS[1]) != 0
        if len(mask_BS) == 1 and mask_BS.all():
            only_BSC: Scores = self._session.run(None, taken)[0]
            return only_BSC
        scores_BSC = np.zeros((*mask_BS.shape, self.manifest.scores), np.float32)
        for row, mask_S in enumerate(mask_BS):
            real = int(mask_S.sum())
            if not mask_S[:real].all():
                raise ValueError("this model's rows are padded behind their tokens, not before")
            if real:
                own = {name: one[row : row + 1, :real] for name, one in taken.items()}
                scores_BSC[row, :real] = self._session.run(None, own)[0][0]
        return scores_BSC

    def _check(self, given: dict[str, Ids]) -> None:
        ids_BS, hints = given["input_ids"], self.manifest.hints
        if ids_BS.ndim != 2 or not ids_BS.size:
            raise ValueError(f"input_ids are rows of tokens, not of shape {ids_BS.shape}")
        if ("hint_ids" in given) != bool(hints):
            raise ValueError(f"this model {'needs' if hints else 'takes no'} hint_ids")
        for name, one_BS in given.items():
            if one_BS.shape != ids_BS.shape:
                raise ValueError(f"{name} is {one_BS.shape}, input_ids are {ids_BS.shape}")
            if one_BS.dtype.kind not in "iub":
                raise ValueError(f"{name} are whole numbers, not {one_BS.dtype}")
        _require_below(ids_BS, self.manifest.vocab_size, "input_ids", "tokenizer")
        if hints:
            _require_below(given["hint_ids"], hints, "hint_ids", "taxonomy")


def _require_below(ids_BS: Ids, number: int, name: str, source: str) -> None:
    worst = max(int(ids_BS.max()), -int(ids_BS.min()))
    if ids_BS.min() < 0 or worst >= number:
        raise ValueError(
            f"{name} reach {worst}, but the model knows ids from 0 to {number - 1}: "
            f"they come from another {source}"
        )
