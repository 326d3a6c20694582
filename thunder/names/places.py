"""Places named in a judgment: hospitals, flats, buildings, stations, schools, parks."""

from collections.abc import Iterator

from thunder.names import described
from thunder.names.descriptors import PLACE
from thunder.names.lost_spaces import name_start
from thunder.text.spans import Span, heaviest

_SOURCE = "names:place"


def find(text: str) -> Iterator[Span]:
    """Yield the named places of folded *text*, disjoint and in order; scores say how sure."""
    found = described.find(text, kind=PLACE)
    for span in heaviest(found):
        start = name_start(text, span.start, span.end)
        yield Span(start, span.end, span.label, min(span.score, 1.0), _SOURCE)
