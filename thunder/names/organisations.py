"""Companies, banks, shops and bodies; hospitals, flats, buildings, stations, schools, parks."""

from collections.abc import Iterable, Iterator

from thunder.names import (
    contexts,
    described,
    latin_firms,
    legal_forms,
    listed,
    parties,
)
from thunder.names.descriptors import ORGANISATION, PLACE
from thunder.names.lost_spaces import name_start
from thunder.text.spans import Span, heaviest


def find(text: str) -> Iterator[Span]:
    """Yield the organisations of folded *text*, disjoint and in order; scores say how sure.

    The span holds the distinctive part: legal forms and generic nouns stay outside
    (rules reference 1.2; paper, Appendix C). Public bodies are left to the policy's list.
    """
    found = [
        *legal_forms.find(text),
        *listed.find(text),
        *described.find(text, kind=ORGANISATION),
        *contexts.BODIES.find(text),
        *contexts.find(text),
        *parties.find(text),
        *latin_firms.find(text),
    ]
    return _begun(text, found, "names:organisation")


def places(text: str) -> Iterator[Span]:
    """Yield the named places of folded *text*, disjoint and in order; scores say how sure."""
    return _begun(text, described.find(text, kind=PLACE), "names:place")


def _begun(text: str, found: Iterable[Span], source: str) -> Iterator[Span]:
    """Yield the weightiest of *found*, without what ran into their beginnings."""
    for span in heaviest(found):
        start = name_start(text, span.start, span.end)
        yield Span(start, span.end, span.label, min(span.score, 1.0), span.source or source)
