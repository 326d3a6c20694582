"""Other ways to cut text into tokens, to set the hybrid tokenizer beside."""

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from thunder.text.morphology import analyse
from thunder.tokenization import HybridTokenizer
from thunder.tokenization.vocabulary import UNK

# Letters, three digits, signs: each with the space before it, as most BPE vocabularies have it.
_USUAL = r" ?\p{L}+| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s"


class Tokens(NamedTuple):
    """Where the tokens of a text begin and end, white space left out, and how many are unknown."""

    starts: Sequence[int]
    ends: Sequence[int]
    unknown: int


class Rival(NamedTuple):
    """A name, how large the vocabulary is, and what it makes of a text."""

    name: str
    vocabulary: int
    read: Callable[[str], Tokens]


def hybrid(name: str, tokenizer: HybridTokenizer) -> Rival:
    """Return our own tokenizer as one of them; a rare character's bytes count as known."""

    def read(text: str) -> Tokens:
        found = tokenizer.encode(text)
        spans = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
        return _tokens(text, spans, unknown=int(np.count_nonzero(found.ids == UNK)))

    return Rival(name, tokenizer.manifest.vocabulary, read)


def plain_bpe(sentences: Iterable[str], *, vocabulary: int) -> Rival:
    """Return BPE of the same trainer without Mecab: words, digits and signs are its pieces."""
    backend = Tokenizer(models.BPE(unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Split(Regex(_USUAL), "isolated")
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=["[UNK]"],
        show_progress=False,
        limit_alphabet=4_500,
        initial_alphabet=["\n"],  # no sentence holds one, every document does
        max_token_length=16,
    )
    backend.train_from_iterator(sentences, trainer)

    def read(text: str) -> Tokens:
        found = backend.encode(text)
        return _tokens(text, found.offsets, unknown=found.ids.count(0))

    return Rival("plain BPE", vocabulary, read)


def sentencepiece(sentences: Iterable[str], *, vocabulary: int, kind: str) -> Rival:
    """Return SentencePiece ``bpe`` or ``unigram`` with its own defaults, but for normalisation."""
    import sentencepiece as library

    model = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_writer=model,
        vocab_size=vocabulary,
        hard_vocab_limit=False,  # a small sample may not have as many
        model_type=kind,
        normalization_rule_name="identity",  # else there are no offsets to speak of
        minloglevel=2,
    )
    processor = library.SentencePieceProcessor(model_proto=model.getvalue())

    def read(text: str) -> Tokens:
        lines = text.split("\n")
        pieces = chain(*(processor.encode(line, out_type=str) for line in lines))
        ids = chain(*(processor.encode(line, out_type=int) for line in lines))
        unknown = sum(id_ == processor.unk_id() for id_ in ids)
        return _tokens(text, sorted([*_found(text, pieces), *_breaks(text)]), unknown=unknown)

    return Rival(f"SentencePiece {kind}", processor.get_piece_size(), read)


def mecab(sentences: Iterable[str], *, vocabulary: int) -> Rival:
    """Return Mecab-ko alone: its morphemes are the tokens, the most frequent ones are known."""
    counts: Counter[str] = Counter()
    for text in sentences:
        counts.update(text[found.start : found.end] for found in analyse(text))
    known = {morpheme for morpheme, _ in counts.most_common(vocabulary)}

    def read(text: str) -> Tokens:
        spans = [(found.start, found.end) for found in analyse(text)]
        unknown = sum(text[start:end] not in known for start, end in spans)
        return _tokens(text, sorted([*spans, *_breaks(text)]), unknown=unknown)

    return Rival("Mecab-ko alone", vocabulary, read)


def released(path: Path) -> Rival:
    """Return the vocabulary of the paper's release under its pre-tokenizer, rebuilt here.

    That cuts by an expression first, then every piece of letters into Mecab's morphemes. A
    character without a token vanishes there; here it counts as unknown.
    """
    pieces = json.loads(path.read_text("utf-8"))["pre_tokenizer"]["pretokenizers"][0]
    split = pre_tokenizers.Split(Regex(pieces["pattern"]["Regex"]), "isolated")
    model = Tokenizer.from_file(str(path)).model

    @lru_cache(maxsize=1 << 16)
    def tokens(part: str) -> list[str]:
        return [token.value for token in model.tokenize(part)]

    def read(text: str) -> Tokens:
        spans: list[tuple[int, int]] = []
        unknown = 0
        for start, part in _released_parts(text, split):
            found = list(_placed(part, tokens(part)))
            unknown += sum(lost for _, _, lost in found)
            spans += [(start + first, start + last) for first, last, _ in found]
        return _tokens(text, spans, unknown=unknown)

    return Rival("released 32k", 32_000, read)


def _released_parts(text: str, split: pre_tokenizers.PreTokenizer) -> Iterator[tuple[int, str]]:
    for piece, (begin, _) in split.pre_tokenize_str(text):
        space = len(piece) - len(piece.lstrip(" "))
        if not piece[space:].isalpha():
            yield begin, piece
            continue
        for found in analyse(piece):
            start = 0 if found.start == space else found.start
            yield begin + start, piece[start : found.end]


def _placed(part: str, tokens: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield where each token stands in *part*, and a lost one for what stands between them."""
    at = 0
    for token in tokens:
        start = part.find(token, at)
        if start > at:
            yield at, start, True
        at = start + len(token)
        yield start, at, False
    if at < len(part):
        yield at, len(part), True


def _breaks(text: str) -> list[tuple[int, int]]:
    """Return the line breaks, a token each where a tokenizer itself has none: all count them."""
    return [(at, at + 1) for at, char in enumerate(text) if char == "\n"]


def _found(text: str, pieces: Iterable[str]) -> Iterator[tuple[int, int]]:
    at = 0
    for piece in pieces:
        bare = piece.replace("▁", " ").strip()
        if bare:
            start = text.index(bare, at)
            at = start + len(bare)
            yield start, at


def _tokens(text: str, spans: Iterable[tuple[int, int]], *, unknown: int) -> Tokens:
    """Return the tokens without the white space at their ends; one of white space stays."""
    starts: list[int] = []
    ends: list[int] = []
    for start, end in spans:
        surface = text[start:end]
        bare = surface.strip()
        first = start + surface.index(bare) if bare else start
        starts.append(first)
        ends.append(first + len(bare) if bare else end)
    return Tokens(starts, ends, unknown)
