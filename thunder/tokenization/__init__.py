"""Text to tokens and back, with exact offsets: Mecab-ko cuts words, BPE works inside them.

Source: Thunder-DeID paper, sections 3.6 and 3.7. A word is what stands between white space; it
is analysed by itself and remembered with its tokens, so a token never depends on where a window
begins. Offsets are code points of the text given, whatever disguise it wears.
"""

import ctypes
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from thunder.taxonomy import Taxonomy
from thunder.text.korean import require_encodable
from thunder.text.spans import Span, require_disjoint
from thunder.tokenization import files, vocabulary
from thunder.tokenization.files import Manifest
from thunder.tokenization.pieces import BLOCK, Readable, blocks, readable
from thunder.tokenization.words import Encoded, WordTokens, tokens_of, tokens_of_cut

_REMEMBERED = 2_000_000  # characters of words: some 350,000 words, 90 MB with their tokens


class HybridTokenizer:
    """Text to tokens and back, with exact offsets; picklable, safe in threads and processes."""

    def __init__(self, tokenizer_json: str, manifest: Manifest) -> None:
        self._json = tokenizer_json.encode()  # a third of the memory
        self.manifest = manifest
        self._backend = Tokenizer.from_str(tokenizer_json)
        _give_memory_back()
        self._words = WordTokens(self._backend.model)
        if self._backend.token_to_id("\n") is None:
            raise ValueError("not a tokenizer of ours: it has no token for a line break")

    def __reduce__(self) -> tuple[type, tuple[str, Manifest]]:
        return type(self), (self.to_json(), self.manifest)

    def __len__(self) -> int:
        return int(self._backend.get_vocab_size(with_added_tokens=True))

    @property
    def backend(self) -> Tokenizer:
        """The Rust tokenizer; it reads marked text only (``pieces.marked_text``)."""
        return self._backend

    def to_json(self) -> str:
        """Return the text of the Rust library's ``tokenizer.json``."""
        return self._json.decode()

    def encode(self, text: str) -> Encoded:
        """Return the tokens of *text*: every non-space character lies in at least one.

        ValueError where it holds a lone surrogate. Time is linear, and memory beside the result
        is bounded, whatever stands in the text.
        """
        return self._encode_whole(text, frozenset())

    def encode_all(self, texts: Iterable[str]) -> Iterator[Encoded]:
        """Yield the tokens of each text, as ``encode`` returns them; many short ones go faster."""
        for group in _groups(texts):
            if len(group) == 1:
                yield self.encode(group[0])
            else:
                yield from self._encode_group([readable(text) for text in group])

    def encode_annotated(self, text: str, spans: Sequence[Span], *, taxonomy: Taxonomy) -> Encoded:
        """Return the tokens of *text* with a marker before and after each span (paper, Figure 3).

        No token crosses the end of a span; where none would have, the text's tokens are those of
        ``encode``. Markers are empty: their start is their end. *spans* are sorted and disjoint,
        else ValueError; LookupError for a label that the tokenizer has no markers for.
        """
        require_disjoint(spans, length=len(text))
        edges = [edge for span in spans for edge in (span.start, span.end)]
        marks = [taxonomy.label(span.label).id for span in spans]
        ids = [mark for label in marks for mark in self.marker_ids(label)]
        found = self._encode_whole(text, frozenset(edges))
        at = np.searchsorted(found.starts, edges)
        places = (np.insert(offsets, at, edges) for offsets in (found.starts, found.ends))
        return Encoded(np.insert(found.ids, at, ids), *places)

    def _encode_whole(self, text: str, cuts: frozenset[int]) -> Encoded:
        """Return the tokens of one text, block by block; none crosses one of *cuts*."""
        require_encodable(text)
        found: list[Encoded] = []
        for start, block in blocks(text):
            folded = readable(block)
            inside = sorted(cut - start for cut in cuts if 0 < cut - start < len(block))
            one = self._encode_cut(folded, inside) if inside else self._encode_group([folded])[0]
            found.append(Encoded(one.ids, one.starts + start, one.ends + start) if start else one)
        if len(found) == 1:
            return found[0]
        return Encoded(*map(np.concatenate, zip(_NOTHING, *found, strict=True)))

    def _encode_group(self, texts: Sequence[Readable]) -> list[Encoded]:
        return tokens_of(texts, self._remembered())

    def _encode_cut(self, folded: Readable, cuts: Sequence[int]) -> Encoded:
        at = cuts if folded.starts is None else np.searchsorted(folded.starts, cuts).tolist()
        return tokens_of_cut(folded, at, self._remembered())

    def _remembered(self) -> WordTokens:
        """Return the words seen so far, fewer when they have become too many."""
        if self._words.characters > _REMEMBERED:
            self._words = self._words.half()
        return self._words

    def marker_ids(self, label_id: int) -> tuple[int, int]:
        """Return the ids of ``<<<label>>>`` and ``<<</label>>>`` for a label's stable id."""
        if not 1 <= label_id <= self.manifest.labels:
            raise LookupError(f"this tokenizer has markers for labels 1 to {self.manifest.labels}")
        first = self.manifest.vocabulary + 2 * (label_id - 1)
        return first, first + 1

    def tokens(self, ids: Iterable[int]) -> list[str]:
        """Return the token of each id as the vocabulary has it (``▁`` is a space)."""
        return [str(self._backend.id_to_token(int(id_))) for id_ in ids]

    def decode(self, ids: Iterable[int]) -> str:
        """Return readable text for *ids*; white space is not what it was: never publish this."""
        return str(self._backend.decode(list(map(int, ids)), skip_special_tokens=False))


def _give_memory_back() -> None:
    """Return to the system what parsing took: 70 MB with the 128k one, which glibc would keep."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


_NOTHING = Encoded(*(np.zeros(0, dtype=np.int32) for _ in Encoded._fields))


def _groups(texts: Iterable[str]) -> Iterator[list[str]]:
    group: list[str] = []
    room = BLOCK
    for text in texts:
        if len(text) > room and group:
            yield group
            group, room = [], BLOCK
        group.append(text)
        room -= len(text)
    if group:
        yield group


def load(folder: Path, *, other_dictionary: str = "refuse") -> HybridTokenizer:
    """Return the tokenizer saved in *folder*, checked against this machine's dictionary.

    ``other_dictionary="warn"`` goes on with another dictionary than the tokenizer was trained
    with. FileNotFoundError or ValueError name the file and what is wrong with it.
    """
    text, manifest = files.read(folder, other_dictionary=other_dictionary)
    try:
        tokenizer = HybridTokenizer(text, manifest)
    except Exception as error:  # the Rust library raises bare Exceptions
        raise ValueError(f"{folder}: tokenizer.json cannot be read: {error}") from error
    expected = manifest.vocabulary + 2 * manifest.labels
    if len(tokenizer) != expected:
        raise ValueError(f"{folder}: {len(tokenizer)} tokens where thunder.json says {expected}")
    return tokenizer


def save(tokenizer: HybridTokenizer, folder: Path) -> None:
    """Write *tokenizer* to *folder*: ``tokenizer.json.xz`` and ``thunder.json``."""
    files.write(folder, tokenizer.to_json(), tokenizer.manifest)


def extended(tokenizer: HybridTokenizer, *, taxonomy: Taxonomy) -> HybridTokenizer:
    """Return *tokenizer* with the markers of a newer taxonomy at its end; old ids stay.

    ValueError where the taxonomy is older than the tokenizer.
    """
    made = vocabulary.extended(tokenizer.to_json(), tokenizer.manifest, taxonomy=taxonomy)
    return HybridTokenizer(*made)
