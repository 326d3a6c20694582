"""Text to tokens with exact offsets: our tokenizer, or any fast one of ``transformers``."""

import hashlib
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from thunder.tokenization.words import Encoded

HYBRID, OTHER = "hybrid", "transformers"
_PAD, _CLS, _SEP, _MASK = 0, 2, 3, 4  # of every tokenizer of ours: thunder.tokenization.vocabulary


class Frame(NamedTuple):
    """The ids that stand before and after the tokens of a window, and the one that fills up.

    *mask* stands for a token that is hidden; None where the tokenizer has none.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    pad: int
    mask: int | None = None

    def __len__(self) -> int:
        return len(self.before) + len(self.after)


class TaggerTokenizer(Protocol):
    """A tokenizer: *kind* is HYBRID or OTHER, *digest* tells it from others."""

    kind: str
    digest: str
    frame: Frame

    def encode(self, text: str) -> Encoded:
        """Return ids and code points of the tokens of *text*, without a frame."""
        ...

    def save(self, folder: Path) -> None:
        """Write what ``opened`` reads back."""
        ...


class OurTokenizer:
    """Our tokenizer, framed as in pre-training: [CLS] … [SEP]."""

    kind = HYBRID
    frame = Frame((_CLS,), (_SEP,), _PAD, _MASK)

    def __init__(self, folder: Path) -> None:
        from thunder.tokenization import load

        self.tokenizer = load(folder)
        self.digest = hashlib.sha256(self.tokenizer.to_json().encode()).hexdigest()

    def encode(self, text: str) -> Encoded:
        """Return ids and code points of the tokens of *text*."""
        return self.tokenizer.encode(text)

    def save(self, folder: Path) -> None:
        """Write the tokenizer as ``AutoTokenizer`` and ``thunder.tokenization.load`` read it."""
        from thunder.tokenization.transformers import ThunderTokenizer

        ThunderTokenizer(hybrid=self.tokenizer).save_pretrained(folder)


class TransformersTokenizer:
    """A fast tokenizer of ``transformers``, with its own frame; offsets are code points."""

    kind = OTHER

    def __init__(self, folder: Path) -> None:
        self.tokenizer: Any = _of_transformers(folder)
        if not self.tokenizer.is_fast:
            raise ValueError(f"{folder}: a slow tokenizer, which gives no offsets; save a fast one")
        text = self.tokenizer.backend_tokenizer.to_str()
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        self.frame = _frame(self.tokenizer)

    def encode(self, text: str) -> Encoded:
        """Return ids and code points of the tokens of *text*."""
        found = self.tokenizer.backend_tokenizer.encode(text, add_special_tokens=False)
        offsets = np.array(found.offsets, np.int32).reshape(-1, 2)
        starts, ends = _tightened(text, offsets[:, 0].copy(), offsets[:, 1].copy())
        return Encoded(np.array(found.ids, np.int32), starts, ends)

    def save(self, folder: Path) -> None:
        """Write the tokenizer as ``AutoTokenizer`` reads it."""
        self.tokenizer.save_pretrained(folder)


def opened(folder: Path, kind: str) -> TaggerTokenizer:
    """Return the tokenizer in *folder*; FileNotFoundError or ValueError say what is wrong."""
    if kind not in (HYBRID, OTHER):
        raise ValueError(f"unknown kind of tokenizer '{kind}'; known are {HYBRID}, {OTHER}")
    return OurTokenizer(folder) if kind == HYBRID else TransformersTokenizer(folder)


def _of_transformers(folder: Path) -> Any:
    """Return the tokenizer of a folder; code that lies there never runs, nor is it asked for."""
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    if (folder / "tokenizer.json").is_file():  # which says all, whatever class wrote it
        return PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    return AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def _frame(tokenizer: Any) -> Frame:
    """Return what the tokenizer puts round a text, asked with one word."""
    plain = tokenizer("a", add_special_tokens=False)["input_ids"]
    framed = tokenizer("a", add_special_tokens=True)["input_ids"]
    at = next((k for k in range(len(framed)) if framed[k : k + len(plain)] == plain), None)
    before, after = (framed[:at], framed[at + len(plain) :]) if at is not None else ([], [])
    pad = tokenizer.pad_token_id
    pad = tokenizer.eos_token_id if pad is None else pad  # decoders often have no padding
    return Frame(
        tuple(before), tuple(after), 0 if pad is None else int(pad), tokenizer.mask_token_id
    )


def _tightened(text: str, starts: Any, ends: Any) -> tuple[Any, Any]:
    """Return offsets without the space that byte-level tokens count to their word."""
    for at in range(len(starts)):
        while starts[at] < ends[at] - 1 and text[starts[at]] in " \u00a0":
            starts[at] += 1
    return np.maximum.accumulate(starts) if len(starts) else starts, ends
