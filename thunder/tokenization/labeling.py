"""Spans of text to token labels.

Source: Thunder-DeID paper, section 3.6: a token of a mention has the mention's label, any other
is outside. ``classes`` is the paper's scheme, 0 for outside and a label's id for the label (730
classes with the shipped taxonomy); ``bio`` also tells where a mention begins (1,459 classes).
"""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Taxonomy
from thunder.text.spans import IGNORED, Span, require_disjoint

Scheme = Literal["classes", "bio"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)

OUTSIDE = 0
IGNORE = -100
"""The label of a token that is neither right nor wrong, as the loss functions of torch have it."""

Labels = NDArray[np.int16]
Offsets = NDArray[np.int32]


def classes(taxonomy: Taxonomy, *, scheme: Scheme = "classes") -> int:
    """Return how many classes a tagger has, outside among them."""
    _require_known(scheme)
    return taxonomy.classes if scheme == "classes" else 2 * taxonomy.classes - 1


def labels_from_spans(
    starts: Offsets,
    ends: Offsets,
    spans: Sequence[Span],
    *,
    taxonomy: Taxonomy,
    scheme: Scheme = "classes",
) -> Labels:
    """Return the class of each token, of which *starts* and *ends* are the places in the text.

    A token that shares a character with a mention has its label, whatever else it holds: of two
    mentions that of the first. IGNORE marks the other tokens that touch an IGNORED span, and
    those that stand for no character. *starts* never fall; *spans* are sorted and disjoint, else
    ValueError; LookupError for an unknown label.
    """
    _require_known(scheme)
    require_disjoint(spans, length=2**31)
    numbers = [_number(span.label, taxonomy) for span in spans]
    # A mention has a class above 0; what is ignored gives way to it within one token.
    found = np.zeros(len(starts), dtype=np.int16)
    for wanted in (False, True):
        chosen = [at for at, number in enumerate(numbers) if (number > 0) == wanted]
        if chosen:
            _mark(found, starts, ends, [spans[at] for at in chosen], [numbers[at] for at in chosen])
        if scheme == "bio" and wanted and chosen:
            _begin(found, starts, ends, [spans[at] for at in chosen])
    found[starts == ends] = IGNORE
    return found


def _mark(
    found: Labels, starts: Offsets, ends: Offsets, spans: Sequence[Span], numbers: Sequence[int]
) -> None:
    """Write the number of the first of *spans* that each token touches; 0 is left alone."""
    first = _first_touched(starts, ends, spans)
    touched = first < len(spans)
    found[touched] = np.array(numbers, dtype=np.int16)[first[touched]]


def _begin(found: Labels, starts: Offsets, ends: Offsets, spans: Sequence[Span]) -> None:
    """Turn the classes of mentions into those of BIO: 2k-1 where one begins, 2k inside."""
    first = _first_touched(starts, ends, spans)
    first[starts == ends] = len(spans)  # a token that stands nowhere begins nothing
    touched = np.flatnonzero(first < len(spans))
    begins = np.ones(len(touched), dtype=bool)
    begins[1:] = np.diff(first[touched]) != 0
    found[touched] = 2 * found[touched] - begins


def _first_touched(starts: Offsets, ends: Offsets, spans: Sequence[Span]) -> NDArray[np.intp]:
    """Return the place of the first span that each token touches, the number of spans for none."""
    begin = np.fromiter((span.start for span in spans), dtype=np.int64, count=len(spans))
    end = np.fromiter((span.end for span in spans), dtype=np.int64, count=len(spans))
    first = np.searchsorted(end, starts, side="right")
    beyond = np.append(begin, 2**62)[first] >= ends
    first[beyond] = len(spans)
    return first


def _number(label: str, taxonomy: Taxonomy) -> int:
    return IGNORE if label == IGNORED else taxonomy.label(label).id


def _require_known(scheme: str) -> None:
    if scheme not in SCHEMES:
        raise ValueError(f"unknown scheme '{scheme}'; known are {', '.join(SCHEMES)}")
