"""What became of each mention, and of each entity, of which every mention must be masked.

Source: Pilán et al. 2022, The Text Anonymization Benchmark: one readable mention gives an entity
away, so an entity counts as masked only if all its mentions are, under whatever label; direct
and quasi-identifiers are counted apart.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from thunder.scoring.characters import Scored, without_ignored
from thunder.scoring.documents import Gold
from thunder.taxonomy import Taxonomy
from thunder.text.spans import IGNORED, Span
from thunder.tokenization.pieces import Integers

IDENTIFIERS = ("direct", "quasi")


def letters(surface: str) -> int:
    """Return how many letters and digits a mention has: spaces and marks give nobody away."""
    return sum(map(str.isalnum, surface))


class Mention(NamedTuple):
    """A gold mention and what became of it.

    ``token`` is the number of its first token in the document, from 0. ``leaked`` letters and
    digits stay readable (A(B) for a name and its characters leaks none); it is ``whole`` if none
    does. ``exact`` has the
    very boundaries, ``labelled`` lies in a prediction of its label.
    """

    document: str
    case_type: str
    span: Span
    surface: str
    entity: str
    token: int
    leaked: int
    exact: bool
    labelled: bool

    @property
    def whole(self) -> bool:
        return self.leaked == 0


class Entities(NamedTuple):
    """How many entities there are, and of how many every mention is masked."""

    number: int = 0
    masked: int = 0

    @property
    def recall(self) -> float:
        return self.masked / self.number if self.number else 1.0


def mentions(gold: Gold, scored: Scored, starts: Integers) -> Iterator[Mention]:
    """Yield what became of each gold mention that counts; *starts* are the tokens' places."""
    masked = np.zeros(len(gold.text) + 1, dtype=bool)
    for span in scored.predicted:
        masked[span.start : span.end] = True
    ignored = [span for span in gold.spans if span.label == IGNORED]
    places = {(span.start, span.end) for span in without_ignored(ignored, scored.predicted)}
    labelled = _labelled(gold, scored)
    for span, entity in zip(gold.spans, gold.entities, strict=True):
        if span.label != IGNORED:
            surface = gold.text[span.start : span.end]
            open_ = ~masked[span.start : span.end]
            leaked = sum(surface[at].isalnum() for at in np.flatnonzero(open_).tolist())
            token = max(int(np.searchsorted(starts, span.start, side="right")) - 1, 0)
            exact = (span.start, span.end) in places
            yield Mention(
                *(gold.id, gold.case_type, span, surface, entity),
                *(token, leaked, exact, (span.start, span.end) in labelled),
            )


def _labelled(gold: Gold, scored: Scored) -> set[tuple[int, int]]:
    """Return the places of the mentions that lie in a prediction of their own label."""
    found: set[tuple[int, int]] = set()
    at = 0
    for span in gold.spans:
        while at < len(scored.predicted) and scored.predicted[at].end < span.end:
            at += 1
        if at < len(scored.predicted):
            other = scored.predicted[at]
            if other.covers(span) and other.label == span.label:
                found.add((span.start, span.end))
    return found


def entity_recall(found: Iterable[Mention], taxonomy: Taxonomy) -> dict[str, Entities]:
    """Return the direct and the quasi-identifiers, and how many of each are masked everywhere.

    An entity with a mention of either kind is direct. Keys of different documents are apart.
    """
    is_direct: dict[tuple[str, str], bool] = {}
    is_masked: dict[tuple[str, str], bool] = {}
    for mention in found:
        key = (mention.document, mention.entity)
        direct = taxonomy.label(mention.span.label).identifier == "direct"
        is_direct[key] = is_direct.get(key, False) or direct
        is_masked[key] = is_masked.get(key, True) and mention.whole
    counts = dict.fromkeys(IDENTIFIERS, Entities())
    for key, masked in is_masked.items():
        name = "direct" if is_direct[key] else "quasi"
        before = counts[name]
        counts[name] = Entities(before.number + 1, before.masked + int(masked))
    return counts
