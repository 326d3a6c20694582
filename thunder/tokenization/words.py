"""The tokens of words, remembered, and of texts, put together from those of their words.

A token is kept as three numbers (int32, as bytes): its id, how many characters further it ends
than the token before, and how many characters it stands for. So tokens are put together by
joining bytes, and one cumulative sum says where all of them stand.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from tokenizers.models import Model

from thunder.tokenization.pieces import SPACE, Integers, Readable, parts, words

_GAP = -1  # no token: white space that no token stands for
_BYTES_OF_A_TOKEN = 12


class Encoded(NamedTuple):
    """Token ids and the code points of the original text that each token stands for.

    ``starts`` never falls. The bytes of a rare character share its place; a marker token that
    was asked for has an empty one.
    """

    ids: Integers
    starts: Integers
    ends: Integers


class WordTokens(dict[str, bytes]):
    """The tokens of every piece seen, made when first asked for."""

    def __init__(self, model: Model) -> None:
        self.characters = 0
        self._model = model
        self._parts = _PartTokens(model)

    def __missing__(self, piece: str) -> bytes:
        self[piece] = found = self._tokens(piece)
        self.characters += len(piece)
        return found

    def half(self) -> "WordTokens":
        """Return a copy with every other word: the frequent ones are soon back."""
        made = WordTokens(self._model)
        made.update((piece, self[piece]) for piece in list(self)[::2])
        made.characters = sum(map(len, made))
        return made

    def _tokens(self, piece: str, cuts: Collection[int] = ()) -> bytes:
        found = b"".join(map(self._parts.__getitem__, parts(piece, cuts=cuts)))
        return found or array("i", (_GAP, len(piece), len(piece))).tobytes()

    def cut(self, piece: str, cuts: Collection[int]) -> bytes:
        """Return the tokens of *piece*, others than usual only if one of those crosses a cut."""
        usual = self[piece]
        _, starts, ends = _placed(usual)
        crossed = any(((starts < cut) & (cut < ends)).any() for cut in cuts)
        return self._tokens(piece, cuts) if crossed else usual


class _PartTokens(dict[str, bytes]):
    """The tokens of every part of a word seen: what BPE makes of a morpheme."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __missing__(self, part: str) -> bytes:
        char_of_byte = _char_of_byte(part)
        done = 0
        flat: list[int] = []
        for token in self._model.tokenize(part):
            first, last = token.offsets
            start, end = char_of_byte[first], char_of_byte[last - 1] + 1
            flat += (token.id, end - done, end - start)
            done = end
        if part[0] == SPACE and flat[1] > 1:
            flat[2] -= 1  # the space before a word is in its first token, not in its place
        self[part] = found = array("i", flat).tobytes()
        return found


_OF_THREE = [at // 3 for at in range(3 * 24)]


def _char_of_byte(part: str) -> list[int]:
    """Return to which character of *part* each byte of its UTF-8 belongs."""
    if len(part) <= 24 and min(part) >= "\u0800" and max(part) <= "\uffff":  # Hangul, mostly
        return _OF_THREE
    return [at for at, char in enumerate(part) for _ in char.encode()]


def tokens_of(texts: Sequence[Readable], remembered: WordTokens) -> list[Encoded]:
    """Return the tokens of each text, placed in the original."""
    tokens = [b"".join(map(remembered.__getitem__, words(folded.text))) for folded in texts]
    return _assembled(texts, tokens)


def tokens_of_cut(folded: Readable, cuts: Sequence[int], remembered: WordTokens) -> Encoded:
    """Return the tokens of a text; none crosses one of *cuts* (of the folded text, sorted)."""
    tokens: list[bytes] = []
    start = 0
    for piece in words(folded.text):
        end = start + len(piece)
        among = slice(bisect_right(cuts, start), bisect_left(cuts, end))
        inside = [cut - start for cut in cuts[among]]
        tokens.append(remembered.cut(piece, inside) if inside else remembered[piece])
        start = end
    return _assembled([folded], [b"".join(tokens)])[0]


def _placed(tokens: bytes) -> Encoded:
    table = np.frombuffer(tokens, dtype=np.int32).reshape(-1, 3)
    ends = np.cumsum(table[:, 1], dtype=np.int32)
    return Encoded(table[:, 0].copy(), ends - table[:, 2], ends)


def _assembled(texts: Sequence[Readable], tokens: Sequence[bytes]) -> list[Encoded]:
    every = _placed(b"".join(tokens))
    found: list[Encoded] = []
    first = at = 0
    for folded, own in zip(texts, tokens, strict=True):
        last = first + len(own) // _BYTES_OF_A_TOKEN
        ids, starts, ends = (numbers[first:last] for numbers in every)
        found.append(_original(folded, _without_gaps(Encoded(ids, starts - at, ends - at))))
        first, at = last, at + len(folded.text)
    return found


def _without_gaps(found: Encoded) -> Encoded:
    kept = found.ids != _GAP
    return found if kept.all() else Encoded(*(numbers[kept] for numbers in found))


def _original(folded: Readable, found: Encoded) -> Encoded:
    """Return tokens of a folded text with their places in the original."""
    if folded.starts is None or folded.ends is None or not len(found.ids):
        return found
    return Encoded(found.ids, folded.starts[found.starts], folded.ends[found.ends - 1])
