"""The hybrid tokenizer for ``transformers``: the same ids and offsets, padded and truncated.

A folder that ``thunder tokenizer export`` writes is read by ``ThunderTokenizer.from_pretrained``
and by ``AutoTokenizer.from_pretrained(folder, trust_remote_code=True)``. Nothing in a text is
special, neither markers nor ``[MASK]``: put their ids where they are wanted.
"""

import json
import re
from collections.abc import Sequence
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from tokenizers import AddedToken, Encoding, Tokenizer
from transformers import PreTrainedTokenizerFast

from thunder.tokenization import HybridTokenizer, files, load
from thunder.tokenization.files import Manifest

CODE_FILE = "tokenization_thunder.py"
_CODE = '''"""Lets AutoTokenizer find the tokenizer of the installed package thunder-deid."""

from thunder.tokenization.transformers import ThunderTokenizer

__all__ = ["ThunderTokenizer"]
'''
_NAMED = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
_WORD = re.compile(r"\S+")


class ThunderTokenizer(PreTrainedTokenizerFast):
    """A ``PreTrainedTokenizerFast`` whose texts are cut by Mecab-ko; offsets are code points.

    ``word_ids`` number what stands between white space, or the words given with
    ``is_split_into_words``, which read as if written with single spaces.
    """

    vocab_files_names: ClassVar[dict[str, str]] = {
        "tokenizer_file": "tokenizer.json",
        "manifest_file": "thunder.json",
    }
    _auto_map: ClassVar[dict[str, list[str | None]]] = {
        "AutoTokenizer": [None, "tokenization_thunder.ThunderTokenizer"]
    }

    def __init__(
        self,
        tokenizer_file: str | None = None,
        manifest_file: str | None = None,
        *,
        hybrid: HybridTokenizer | None = None,
        other_dictionary: str = "refuse",
        **kwargs: Any,
    ) -> None:
        if hybrid is None:
            if manifest_file is None or tokenizer_file is None:
                raise ValueError("no folder of a hybrid tokenizer: thunder.json is missing")
            hybrid = load(Path(manifest_file).parent, other_dictionary=other_dictionary)
        self._tokenizer = _Backend(hybrid.to_json(), hybrid.manifest)
        for ours in ("split_special_tokens", "backend", "clean_up_tokenization_spaces"):
            kwargs.pop(ours, None)
        super().__init__(split_special_tokens=True, **(_NAMED | kwargs))

    @property
    def hybrid(self) -> HybridTokenizer:
        """The tokenizer itself, for everything that transformers does not know of."""
        return self._tokenizer.hybrid

    @classmethod
    def convert_to_native_format(cls, **kwargs: Any) -> dict[str, Any]:
        """Return *kwargs*: the files are read, and checked, when the tokenizer is made."""
        return kwargs

    @classmethod
    def register_for_auto_class(cls, auto_class: str = "AutoTokenizer") -> None:
        """Do nothing: every folder saved has what AutoTokenizer asks for."""

    def _add_tokens(
        self, new_tokens: Sequence[str | AddedToken], special_tokens: bool = False
    ) -> int:
        unknown = [token for token in map(str, new_tokens) if token not in self.get_vocab()]
        if unknown:
            raise ValueError(
                f"{len(unknown)} tokens are not in the vocabulary, which is fixed: markers of new "
                "labels come with thunder.tokenization.extended"
            )
        return 0

    def _save_pretrained(
        self,
        save_directory: str | PathLike[str],
        file_names: tuple[str, ...],
        legacy_format: bool | None = None,
        filename_prefix: str | None = None,
    ) -> tuple[str, ...]:
        if filename_prefix:
            raise ValueError("a hybrid tokenizer's files have fixed names: no filename_prefix")
        folder = Path(save_directory)
        content = self.hybrid.to_json().encode()
        (folder / "tokenizer.json").write_bytes(content)
        files.write_manifest(folder, self.hybrid.manifest, content)
        (folder / CODE_FILE).write_text(_CODE, encoding="utf-8")
        written = ("tokenizer.json", files.MANIFEST, CODE_FILE)
        return file_names + tuple(str(folder / name) for name in written)


class _Backend:
    """The Rust tokenizer, but for ``encode_batch``, which reads texts through the hybrid one."""

    hybrid: HybridTokenizer

    def __init__(self, tokenizer_json: str, manifest: Manifest) -> None:
        # Its own copy of the Rust tokenizer: padding and truncation are set on that.
        object.__setattr__(self, "hybrid", HybridTokenizer(tokenizer_json, manifest))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["hybrid"].backend, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.hybrid.backend, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.hybrid, self.truncation, self.padding)

    def encode_batch(
        self, inputs: Sequence[Any], *, add_special_tokens: bool, is_pretokenized: bool
    ) -> list[Encoding]:
        """Return an encoding, truncated and padded as set, of each text or pair of texts."""
        rust: Tokenizer = self.hybrid.backend
        encode = self._words if is_pretokenized else self._text
        encodings = []
        for item in inputs:
            pair = isinstance(item, tuple) or (is_pretokenized and _is_pair_of_words(item))
            one, other = item if pair else (item, None)
            second = None if other is None else encode(other, sequence=1)
            first = encode(one, sequence=0)
            encodings.append(rust.post_process(first, second, add_special_tokens))
        if rust.padding and rust.padding["length"] is None and encodings:
            _pad_to_longest(encodings, rust.padding)
        return encodings

    def _text(self, text: str, *, sequence: int) -> Encoding:
        words = [match.start() for match in _WORD.finditer(text)]
        return self._encoding(text, words, sequence=sequence)

    def _words(self, words: Sequence[str], *, sequence: int) -> Encoding:
        starts = [0, *accumulate(len(word) + 1 for word in words)][: len(words)]
        return self._encoding(" ".join(words), starts, sequence=sequence, relative=True)

    def _encoding(
        self, text: str, words: Sequence[int], *, sequence: int, relative: bool = False
    ) -> Encoding:
        """Return the tokens of *text* as Rust keeps them; *words* are where its words begin."""
        found = self.hybrid.encode(text)
        number = np.searchsorted(words, found.starts, side="right") - 1
        shift = np.array(words, dtype=np.int64)[number] if relative and len(words) else 0
        ids: list[int] = found.ids.tolist()
        state = {
            "ids": ids,
            "type_ids": [sequence] * len(ids),
            "tokens": self.hybrid.tokens(ids),
            "words": [
                None if at < 0 or text[start].isspace() else at
                for at, start in zip(number.tolist(), found.starts.tolist(), strict=True)
            ],
            "offsets": np.stack([found.starts - shift, found.ends - shift], axis=1).tolist(),
            "special_tokens_mask": [0] * len(ids),
            "attention_mask": [1] * len(ids),
            "overflowing": [],
            "sequence_ranges": {},
        }
        encoding = Encoding()
        encoding.__setstate__(json.dumps(state).encode())
        encoding.set_sequence_id(sequence)
        return encoding


def _restored(
    hybrid: HybridTokenizer, truncation: dict[str, Any] | None, padding: dict[str, Any] | None
) -> _Backend:
    made = _Backend(hybrid.to_json(), hybrid.manifest)
    if truncation:
        made.enable_truncation(**truncation)
    if padding:
        made.enable_padding(**padding)
    return made


def _is_pair_of_words(item: Sequence[Any]) -> bool:
    return len(item) == 2 and not isinstance(item[0], str)


def _pad_to_longest(encodings: Sequence[Encoding], padding: dict[str, Any]) -> None:
    longest = max(len(encoding.ids) for encoding in encodings)
    for encoding in encodings:
        encoding.pad(
            longest,
            direction=padding["direction"],
            pad_id=padding["pad_id"],
            pad_type_id=padding["pad_type_id"],
            pad_token=padding["pad_token"],
        )
