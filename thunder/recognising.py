"""What is found without a tagger: identifiers by their form, names by the words beside them."""

from collections.abc import Sequence

from thunder import rules
from thunder.combining import combined
from thunder.korean import Folded
from thunder.names import organisations, persons, places, propagation
from thunder.spans import Span
from thunder.taxonomy import load as load_taxonomy

_NAMED = (persons, organisations, places)


def recognised(plain: str) -> list[Span]:
    """Return what each recogniser finds in folded text, in its code points; they may overlap."""
    found = rules.find(Folded(plain))
    return found + [span for finder in _NAMED for span in finder.find(plain)]


def settled(plain: str, found: Sequence[Span]) -> list[Span]:
    """Return *found* made disjoint and sorted, with what was found once found everywhere."""
    taxonomy = load_taxonomy()
    merged = combined(plain, found, taxonomy=taxonomy)
    return combined(plain, [*merged, *propagation.spread(plain, merged)], taxonomy=taxonomy)
