"""What a worker does: read a piece of a source, clean it, tokenise it, write its shard."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder import tokenization
from thunder.training_data.corpus.cleaning import UNREADABLE, clean
from thunder.training_data.corpus.reading import Piece, texts
from thunder.training_data.corpus.settings import CorpusSettings, Source
from thunder.training_data.corpus.shards import DOCUMENT, Shard, write
from thunder.training_data.corpus.tokens import START, MorphemeTokens
from thunder.training_data.near_duplicates import band_keys, bands_for, shingles

_SKETCHED = 256  # documents whose shingles are held at once


class Work(NamedTuple):
    """What a process needs for all its pieces."""

    settings: CorpusSettings
    sources: dict[str, Source]
    tokens: MorphemeTokens
    dtype: type[np.unsignedinteger[Any]]


_works: list[Work] = []  # of this process: a tokenizer is loaded once


def begin(tokenizer: Path, settings: CorpusSettings) -> None:
    """Make this process ready for ``shard_of``."""
    found = tokenization.load(tokenizer)
    dtype = np.uint16 if len(found) <= 1 << 16 else np.uint32
    sources = {source.name: source for source in settings.source}
    _works[:] = [Work(settings, sources, MorphemeTokens(found), dtype)]


def work() -> Work:
    """Return what ``begin`` made ready."""
    (found,) = _works
    return found


class Kept(NamedTuple):
    """A document of a shard: the digest of its words, its sizes, its tokens with their starts."""

    digest: bytes
    characters: int
    bytes: int
    tokens: NDArray[np.uint32]


def shard_of(task: tuple[Path, Piece]) -> Shard:
    """Return the shard of a piece, written to the corpus's folder; ``begin`` came before."""
    out, piece = task
    read: Counter[str] = Counter(documents=0, characters=0)
    dropped: Counter[str] = Counter()
    kept = [document(text, work().tokens) for text in _texts(piece, read, dropped)]
    bands = bands_of(kept, work().settings.duplicates.threshold)
    tokens = sum(len(one.tokens) for one in kept)
    shard = Shard(piece.source, piece.name, len(kept), tokens, dict(read), dict(dropped), {})
    return write(out, shard, arrays_of(kept, bands, work().dtype))


def _texts(piece: Piece, read: Counter[str], dropped: Counter[str]) -> Iterator[str]:
    """Yield the cleaned texts of a piece, counting what is read and what is left out."""
    for found in texts(piece, work().sources[piece.source]):
        read["documents"] += 1
        if found.text is None:
            dropped[UNREADABLE] += 1
            continue
        read["characters"] += len(found.text)
        cleaned = clean(found.text, work().settings.cleaning)
        if cleaned.dropped:
            dropped[cleaned.dropped] += 1
        else:
            yield cleaned.text


def document(text: str, tokens: MorphemeTokens) -> Kept:
    """Return a cleaned text as its shard keeps it."""
    digest = hashlib.blake2b(" ".join(text.split()).encode(), digest_size=16).digest()
    return Kept(digest, len(text), len(text.encode()), tokens.encode(text))


def bands_of(kept: Sequence[Kept], threshold: float) -> NDArray[np.uint64]:
    """Return the bands of each document's MinHash, a row for each band."""
    bands = bands_for(threshold)
    found = [np.zeros((0, bands.bands), dtype=np.uint64)]
    for first in range(0, len(kept), _SKETCHED):
        chunk = kept[first : first + _SKETCHED]
        sets = [shingles(one.tokens & np.uint32(START - 1)) for one in chunk]
        found.append(band_keys(sets, bands))
    return np.ascontiguousarray(np.concatenate(found).T)


def arrays_of(
    kept: Sequence[Kept], bands: NDArray[np.uint64], dtype: type[np.unsignedinteger[Any]]
) -> dict[str, NDArray[Any]]:
    """Return the arrays of a shard by the names of their files."""
    flagged = np.concatenate([np.zeros(0, np.uint32), *(one.tokens for one in kept)])
    table = np.zeros(len(kept), dtype=DOCUMENT)
    table["end"] = np.cumsum([len(one.tokens) for one in kept], dtype=np.int64)
    digests = b"".join(one.digest for one in kept)
    table["hash"] = np.frombuffer(digests, dtype="<u8").reshape(-1, 2)
    table["characters"] = [one.characters for one in kept]
    table["bytes"] = [one.bytes for one in kept]
    return {
        "tokens.npy": (flagged & np.uint32(START - 1)).astype(dtype),
        "starts.npy": np.packbits(flagged >= START),
        "documents.npy": table,
        "bands.npy": bands,
    }
