"""Word vectors from a corpus of one's own, for the BiLSTM baseline that does not train its own.

"Building a Name Masking System" (section 4) takes word2vec vectors and freezes them. Here the
positive pointwise mutual information of tokens and their neighbours is factorised, which is what
word2vec's skip-gram with negative samples does implicitly (Levy and Goldberg 2014, "Neural Word
Embedding as Implicit Matrix Factorization"): no draws, the same vectors on every machine.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor

from thunder.tokenization import load
from thunder.training.tokenizers.training import documents, files

NAME = "vectors"
_TOGETHER = 1 << 20  # tokens that are counted at once
_SMOOTHED = 0.75  # power of the neighbours' counts, as word2vec draws its negatives
_OVER = 20  # columns beyond those wanted, for the factorisation's precision
_ROUNDS = 6

Counts = NDArray[np.int64]


def vectors(
    batches: Iterable[NDArray[np.int64]], *, vocabulary: int, width: int, window: int = 5
) -> Tensor:
    """Return a vector for each id below *vocabulary*, V x W, of length 1; zeros where none occurs.

    *batches* are runs of token ids; two are neighbours with at most *window* places between their
    beginnings. ValueError where nothing is read, or *width* is no number of 1 to the vocabulary.
    """
    if not 1 <= width < vocabulary:
        raise ValueError(f"'width' is 1 to {vocabulary - 1}, not {width}")
    pairs, counts = _counted(batches, vocabulary, window)
    if not len(pairs):
        raise ValueError("a corpus without two neighbouring tokens gives no vectors")
    rows, columns = np.divmod(pairs, vocabulary)
    seen = np.bincount(rows, weights=counts, minlength=vocabulary)
    smoothed = seen**_SMOOTHED
    chance = seen[rows] * smoothed[columns] / smoothed.sum()
    information = np.log(counts / chance)
    kept = information > 0
    matrix = torch.sparse_coo_tensor(
        torch.from_numpy(np.stack([rows[kept], columns[kept]])),
        torch.from_numpy(information[kept]).float(),
        (vocabulary, vocabulary),
        check_invariants=True,
    ).coalesce()
    torch.manual_seed(0)  # the factorisation begins with draws
    left, sizes, _ = torch.svd_lowrank(matrix, q=min(width + _OVER, vocabulary), niter=_ROUNDS)
    found = left[:, :width] * sizes[:width].sqrt()
    return torch.nn.functional.normalize(found, dim=1)


def _counted(
    batches: Iterable[NDArray[np.int64]], vocabulary: int, window: int
) -> tuple[Counts, Counts]:
    """Return the pairs of neighbours, each as one number, and how often each occurs."""
    pairs = np.empty(0, dtype=np.int64)
    counts = np.empty(0, dtype=np.int64)
    for ids in batches:
        new = [ids[:-gap] * vocabulary + ids[gap:] for gap in range(1, window + 1)]
        both = [*new, *(ids[gap:] * vocabulary + ids[:-gap] for gap in range(1, window + 1))]
        own, often = np.unique(np.concatenate(both), return_counts=True)
        joined, places = np.unique(np.concatenate([pairs, own]), return_inverse=True)
        weights = np.concatenate([counts, often])
        counts = np.bincount(places, weights=weights, minlength=len(joined)).astype(np.int64)
        pairs = joined
    return pairs, counts


def of_corpus(
    places: Iterable[Path], *, tokenizer: Path, width: int, window: int = 5, most: int = 20_000_000
) -> Tensor:
    """Return the vectors of a tokenizer's tokens in the first *most* tokens of a corpus.

    *places* are files or folders of JSON lines or Parquet; ValueError names what cannot be read.
    """
    cut = load(tokenizer)
    texts = (text for place in places for path in files(place) for _, text in documents(path))
    return vectors(
        _batches((one.ids for one in cut.encode_all(texts)), most),
        vocabulary=len(cut),
        width=width,
        window=window,
    )


def _batches(texts: Iterator[Any], most: int) -> Iterator[NDArray[np.int64]]:
    together: list[NDArray[np.int64]] = []
    size = 0
    for ids in texts:
        together.append(np.asarray(ids, dtype=np.int64)[: most - size])
        size += len(together[-1])
        if sum(map(len, together)) >= _TOGETHER or size >= most:
            yield np.concatenate(together)
            together = []
        if size >= most:
            return
    if together:
        yield np.concatenate(together)


def write(found: Tensor, path: Path) -> None:
    """Write vectors as safetensors."""
    save_file({NAME: found.contiguous()}, path)


def read(path: Path, *, vocabulary: int) -> Tensor:
    """Return the vectors in a file, V x W; ValueError where they are none of this vocabulary."""
    try:
        found = load_file(path)[NAME]
    except Exception as error:  # safetensors' own have nothing in common
        kind = type(error).__name__
        raise ValueError(f"{path}: no vectors of finetune/vectors.py ({kind})") from None
    if found.ndim != 2 or found.shape[0] != vocabulary:
        raise ValueError(
            f"{path}: vectors of {found.shape[0]} tokens, the tokenizer has {vocabulary}: make "
            "them with the run's tokenizer"
        )
    return found
