"""What gives scores to windows of tokens: with torch, or without it from an ONNX export.

Decoding knows only the protocol. Shapes: B windows, S tokens, C classes.
"""

from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Scores = NDArray[np.float32]


class Batch(NamedTuple):
    """Windows with their padding, B x S each; hints where the network takes them."""

    input_ids_BS: Ids
    attention_mask_BS: Ids
    hint_ids_BS: Ids | None = None

    def rows(self, part: slice) -> "Batch":
        """Return some of the windows."""
        hints_BS = None if self.hint_ids_BS is None else self.hint_ids_BS[part]
        return Batch(self.input_ids_BS[part], self.attention_mask_BS[part], hints_BS)


class Scorer(Protocol):
    """A model made ready: *classes* is how many scores a token gets.

    *hints* is how many different hints it knows (``thunder.tagger.hints``), 0 if it takes none.
    """

    @property
    def classes(self) -> int: ...

    @property
    def hints(self) -> int: ...

    def __call__(self, batch: Batch, /) -> Scores:
        """Return the scores (logits) of each token; those of padding mean nothing."""
        ...


class OnnxScorer:
    """An ONNX export, with onnxruntime and without torch."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        from thunder.tagger.onnx_model import OnnxModel

        self._model = OnnxModel(folder, threads=threads)

    @property
    def classes(self) -> int:
        """How many scores a token gets."""
        return self._model.manifest.scores

    @property
    def hints(self) -> int:
        """How many different hints it knows."""
        return self._model.manifest.hints

    @property
    def takes_one_row(self) -> bool:
        """Whether it scores a window at a time, so that more at once gain nothing."""
        return self._model.takes_one_row

    def __call__(self, batch: Batch, /) -> Scores:
        """Return the scores of each token."""
        return self._model(*batch)


def scored(scorer: Scorer, batch: Batch) -> Scores:
    """Return a batch's scores; one that does not fit into memory is halved and tried again.

    MemoryError where a single window does not fit: no window is ever left out.
    """
    try:
        return scorer(batch)
    except Exception as error:  # torch's and onnxruntime's have no class in common
        if not _is_memory(error):
            raise
        half = len(batch.input_ids_BS) // 2
        if not half:
            width = batch.input_ids_BS.shape[1]
            raise MemoryError(
                f"a single window of {width} tokens does not fit into memory"
            ) from None
    parts = (slice(None, half), slice(half, None))
    return np.concatenate([scored(scorer, batch.rows(part)) for part in parts])


def _is_memory(error: Exception) -> bool:
    """Return whether *error* says that memory ran out: on a GPU, in torch or in onnxruntime."""
    text = str(error).lower()
    said = any(words in text for words in ("out of memory", "allocate memory", "bad_alloc"))
    return isinstance(error, MemoryError) or said
