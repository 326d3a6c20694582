"""In which order samples come: any sample is found in O(1), so a run resumes at any step.

Two keyed rules, without state: which source the n-th sample is of (shares that keep to the weights
at every moment, not only in the long run), and which row of the source (a permutation that is
another one in each epoch).
"""

import hashlib
from collections.abc import Sequence

_ROUNDS = 6  # of the Feistel network: four already pass for a random permutation
_SCALE = 1 << 40  # weights are whole numbers of this: exact for every n


class Permutation:
    """A keyed permutation of the numbers below *size*, one number at a time.

    A Feistel network on the next power of two; what falls outside is sent through again.
    """

    def __init__(self, size: int, *key: object) -> None:
        if size < 1:
            raise ValueError("a permutation needs at least one number")
        self.size = size
        bits = max(2, (size - 1).bit_length())
        self._low = bits // 2
        self._masks = ((1 << (bits - self._low)) - 1, (1 << self._low) - 1)
        message = "\0".join(map(str, key)).encode()
        digest = hashlib.blake2b(message, digest_size=8 * _ROUNDS, person=b"thunder order")
        stream = digest.digest()
        self._keys = [int.from_bytes(stream[8 * at : 8 * at + 8]) | 1 for at in range(_ROUNDS)]

    def __call__(self, number: int) -> int:
        """Return where *number* goes; IndexError unless it is below the size."""
        if not 0 <= number < self.size:
            raise IndexError(f"{number} is not below {self.size}")
        while True:
            number = self._once(number)
            if number < self.size:
                return number

    def _once(self, number: int) -> int:
        left, right = number >> self._low, number & self._masks[1]
        for at, key in enumerate(self._keys):
            if at & 1:
                right ^= _hash(left, key) & self._masks[1]
            else:
                left ^= _hash(right, key) & self._masks[0]
        return left << self._low | right


def _hash(number: int, key: int) -> int:
    mixed = ((number + 1) * 0x9E3779B97F4A7C15 ^ key) & 0xFFFFFFFFFFFFFFFF
    mixed = (mixed ^ mixed >> 31) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    return (mixed ^ mixed >> 29) * key >> 20 & 0xFFFFFFFF


class Schedule:
    """Which source each sample is of, so that every stretch of samples keeps to the weights.

    The sources are halved again and again; each half gets its share of the samples that come
    to it, spread as evenly as whole numbers allow.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        if not weights or min(weights) < 0 or not sum(weights) > 0:
            raise ValueError("a schedule needs weights, none below 0 and not all 0")
        self._weights = list(weights)

    def __call__(self, number: int) -> tuple[int, int]:
        """Return the source of sample *number*, and how many of its samples came before."""
        first, last = 0, len(self._weights)
        while last - first > 1:
            middle = (first + last) // 2
            share = self._share(first, middle, last)
            before = number * share // _SCALE
            if (number + 1) * share // _SCALE > before:
                last, number = middle, before
            else:
                first, number = middle, number - before
        return first, number

    def _share(self, first: int, middle: int, last: int) -> int:
        total = sum(self._weights[first:last])
        return round(_SCALE * (sum(self._weights[first:middle]) / total)) if total else 0
