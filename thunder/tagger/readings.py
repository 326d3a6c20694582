"""What a model says of tokens, reduced to what decoding needs: a few numbers a token.

The scores of a long document (a million characters, 730 classes) would fill a gigabyte; they are
reduced batch by batch, so that memory is bounded. Shapes: N tokens, C classes, K labels.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Taxonomy
from thunder.tokenization import labeling
from thunder.tokenization.labeling import OUTSIDE, Scheme

Floats = NDArray[np.float32]


class Reading(NamedTuple):
    """Tokens and what was read of them, all of one length.

    ``starts`` and ``ends`` are code points; ``mass`` is the probability that a token belongs to a
    mention, ``label`` the id of the likeliest label, ``share`` that label's part of the mass;
    ``begins`` says that a mention begins here (BIO only).
    """

    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    mass: Floats
    label: NDArray[np.int16]
    share: Floats
    begins: NDArray[np.bool_]

    @classmethod
    def empty(cls, starts: NDArray[np.int32], ends: NDArray[np.int32]) -> "Reading":
        """Return a reading of tokens of which nothing was read yet."""
        mass, share = np.zeros(len(starts), np.float32), np.zeros(len(starts), np.float32)
        label, begins = np.zeros(len(starts), np.int16), np.zeros(len(starts), np.bool_)
        return cls(starts, ends, mass, label, share, begins)

    def put(self, first: int, found: "Read") -> None:
        """Write what was read of the tokens from *first* on."""
        place = slice(first, first + len(found.mass))
        self.mass[place], self.label[place] = found.mass, found.label
        self.share[place], self.begins[place] = found.share, found.begins


class Read(NamedTuple):
    """Of some tokens: mass, label, share and begins, as in Reading."""

    mass: Floats
    label: NDArray[np.int16]
    share: Floats
    begins: NDArray[np.bool_]


class Classes:
    """What a tagger's classes mean in a taxonomy; a merged label's class counts for its heir.

    The class of a label that was retired without an heir counts as outside. *learnt* is how many
    classes the tagger has, where labels were added since it was trained: those score nothing.
    """

    def __init__(self, taxonomy: Taxonomy, scheme: Scheme, *, learnt: int = 0) -> None:
        self.scheme = scheme
        self.number = learnt or labeling.classes(taxonomy, scheme=scheme)
        known = self.number if scheme == "classes" else (self.number + 1) // 2
        heirs = (taxonomy.successor(id_) for id_ in range(1, known))
        ids = [OUTSIDE, *(heir.id if heir else OUTSIDE for heir in heirs)]
        self._moved = [(old, new) for old, new in enumerate(ids) if old != new]
        self._more = max(0, 1 + max(ids) - known)  # a label may have gone into one added since

    def read(self, scores_NC: Floats) -> Read:
        """Return what scores (logits) say of each token."""
        begins = np.zeros(len(scores_NC), np.bool_)
        powers_NK, total_N = _powers(scores_NC)
        if self.scheme == "bio":
            first_NK, inside_NK = powers_NK[:, 1::2], powers_NK[:, 2::2]
            best = (first_NK + inside_NK).argmax(axis=1)
            rows = np.arange(len(best))
            begins = first_NK[rows, best] > inside_NK[rows, best]
            powers_NK = np.concatenate([powers_NK[:, :1], first_NK + inside_NK], axis=1)
        if self._more:
            powers_NK = np.pad(powers_NK, ((0, 0), (0, self._more)))
        for old, new in self._moved:
            powers_NK[:, new] += powers_NK[:, old]
            powers_NK[:, old] = 0
        mass = np.clip(1 - powers_NK[:, OUTSIDE] / total_N, 0, 1)
        label = 1 + powers_NK[:, 1:].argmax(axis=1)
        best_chance = np.take_along_axis(powers_NK, label[:, None], axis=1)[:, 0] / total_N
        share = best_chance / np.maximum(mass, 1e-9)
        return Read(mass, label.astype(np.int16), np.minimum(share, 1), begins)


def _powers(scores_NC: Floats) -> tuple[Floats, Floats]:
    """Return what each class's chance is a part of the total of, and that total.

    Few of the chances are asked for: a division of them all would take as long as all the rest.
    """
    powers: Floats = scores_NC - scores_NC.max(axis=1, keepdims=True)
    np.exp(powers, out=powers)
    total: Floats = powers.sum(axis=1)
    return powers, total
