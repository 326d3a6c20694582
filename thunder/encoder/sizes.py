"""The sizes by name, and whether a model's vocabulary fits a tokenizer.

370m, 800m, 1.5b: Table E.1 of the Thunder-DeID paper. As trained here, with the output matrix tied
to the embeddings, the masked language models have 338 M, 754 M and 1,479 M weights; untied 372 M,
797 M and 1,744 M. So the first two names count that matrix, and the third does not.

small: 6 layers of 384, the tagger that ships for processors. Measured on two cores it reads about
10,000 characters a second in windows of 256, four times as fast as 12 x 512 and only half as fast
as 4 x 256; half of its 24 M weights are embeddings, so a
narrower one saves little memory, and heads of 64 keep the number of score matrices low, which is
what attention costs on a processor. ``benchmarks/encoder_cpu.py`` times all three.

mini: 4 layers of 256, 12 M weights, a third of small's arithmetic a token: for where there is only
a processor to train on, too.

tiny: for tests only.

Vocabularies are the shipped tokenizers': special, byte and text tokens, then two markers for each
of the 729 labels, rounded up to a multiple of 64, as tensor cores like it: 32,000 + 1,458 =
33,458 -> 33,472, and 128,000 + 1,458 = 129,458 -> 129,472. The rows beyond are never asked for.

Dropout is 0: pre-training sees every text about once, so there is nothing to forget, and fused
attention is fastest without. Fine-tuning sets it (``from_pretrained(folder,
hidden_dropout_prob=0.1)``).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from thunder.encoder.configuration import EncoderConfig

_32K, _128K = 33_472, 129_472


def _shape(width: int, layers: int, heads: int, words: int, **other: int) -> Mapping[str, int]:
    found = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads}
    return MappingProxyType({**found, "vocab_size": words, **other})


SIZES: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "370m": _shape(1024, 24, 16, _32K),
        "800m": _shape(1280, 36, 20, _32K),
        "1.5b": _shape(2048, 24, 32, _128K),
        "small": _shape(384, 6, 6, _32K),
        "mini": _shape(256, 4, 4, _32K),
        "tiny": _shape(
            64,
            2,
            2,
            _32K,
            position_buckets=32,
            max_relative_positions=128,
            max_position_embeddings=128,
        ),
    }
)


def sized(name: str, **changes: Any) -> EncoderConfig:
    """Return the configuration of the size *name* (``SIZES``), with some keys changed.

    The feed-forward width follows a changed ``hidden_size`` (four times it) unless it is given.
    LookupError names the sizes, ValueError the key that is unknown or impossible.
    """
    if name.lower() not in SIZES:
        raise LookupError(f"no size {name!r} of the encoder; there are {', '.join(SIZES)}")
    return EncoderConfig(**{**SIZES[name.lower()], **changes})


def require_vocabulary(config: EncoderConfig, folder: Path) -> None:
    """Raise ValueError unless the vocabulary of *config* fits the tokenizer in *folder*.

    Every id of the tokenizer needs a row, and at least half of the rows an id: a model of 128k
    with the tokenizer of 32k is a mix-up.
    """
    path = folder / "thunder.json"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: this is no folder of a hybrid tokenizer")
    found = json.loads(path.read_text("utf-8"))
    tokens = int(found["vocabulary"]) + 2 * int(found["labels"])
    if not tokens <= config.vocab_size < 2 * tokens:
        raise ValueError(
            f"vocab_size is {config.vocab_size}, but the tokenizer in {folder} has {tokens} "
            f"tokens: take vocab_size={padded(tokens)}, or the tokenizer that it was made with"
        )


def padded(tokens: int, *, multiple: int = 64) -> int:
    """Return *tokens* rounded up to the *multiple* that tensor cores like."""
    return -(-tokens // multiple) * multiple
