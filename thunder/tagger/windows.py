"""Long documents as overlapping windows: nothing unread, each token answered for once."""

from itertools import pairwise
from typing import NamedTuple


class Window(NamedTuple):
    """Tokens *start* to *end* are read, and of those *first* to *last* are answered for."""

    start: int
    end: int
    first: int
    last: int


def windows(tokens: int, *, size: int, overlap: int) -> list[Window]:
    """Return windows of *size* tokens that cover *tokens*, neighbours sharing *overlap* or more.

    A token is answered for by the window in which it stands farthest from an edge that is not the
    document's own: the stretches *first* to *last* follow each other without gap or seam. The
    last window is shifted back to its full size, so that no token is read with little context.
    ValueError where *overlap* is more than half of *size*: a token would be read thrice.
    """
    if size < 1 or not 0 <= 2 * overlap <= size:
        raise ValueError(f"windows need 1 <= size and 2 * overlap <= size, not {size}, {overlap}")
    if tokens <= size:
        return [Window(0, tokens, 0, tokens)] if tokens else []
    starts = [*range(0, tokens - size, size - overlap), tokens - size]
    seams = [(before + size + after) // 2 for before, after in pairwise(starts)]
    edges = [0, *seams, tokens]
    return [
        Window(start, start + size, first, last)
        for start, (first, last) in zip(starts, pairwise(edges), strict=True)
    ]
