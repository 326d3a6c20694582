"""What is mentioned in a judgment: who is asked, and how what they say is weighed, in one order.

The recognisers and the tagger find (``recognising``), what a tagger saw gets its shape
(``shaping``), who wins is said (``arbiter``), repeats are looked for, each mention gets its edges
(``boundaries``) and its label, and a scorecard says which of them are likely (``weighing``).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thunder.identifiers.unit_lists import neighbours
from thunder.mentions.arbiter import alike
from thunder.mentions.boundaries import anchored
from thunder.mentions.candidates import Evidence, Reading
from thunder.mentions.generic_words import without_readable
from thunder.mentions.recognising import recognised, settled
from thunder.mentions.scorecard import Scorecard
from thunder.mentions.shaping import is_cut, shaped
from thunder.mentions.weighing import likely
from thunder.names import person_foreign, propagation
from thunder.names.court_marks import unmarked, without_doubts
from thunder.names.patterns.lookalikes import lookalike
from thunder.text.korean import Folded
from thunder.text.spans import Span


class Tagged(NamedTuple):
    """What a tagger found in a folded text, in its code points, and what it read of each token.

    *named* is what it was told of the recognisers' finds, if it was: nobody then asks them again.
    By its *card* what is found is weighed; without one all of it is a mention.
    """

    spans: Sequence[Span]
    reading: Reading
    named: Sequence[Span] | None = None
    card: Scorecard | None = None


class Found(NamedTuple):
    """A text as it is read, and what the recognisers find in it; their finds may overlap."""

    folded: Folded
    finds: Sequence[Span]


def find_spans(plain: str, *, tagged: Tagged | None = None) -> list[Span]:
    """Return what is mentioned in folded text: disjoint, sorted, in its code points.

    The recognisers see it, and a tagger if there is one; what was found once is then looked for
    everywhere in the document.
    """
    finds = recognised(plain) if tagged is None or tagged.named is None else tagged.named
    found = repeat(plain, together(plain, finds, tagged), tagged)
    if tagged is None:
        return found
    return weigh(plain, found, Evidence(finds, tagged.spans, tagged.reading), tagged.card)


def together(plain: str, finds: Sequence[Span], tagged: Tagged | None) -> Sequence[Span]:
    """Return *finds* and what a tagger found, that in its shape; they may overlap still."""
    if tagged is None:
        return finds
    named = without_doubts(plain, unmarked(plain, tagged.spans))
    return shaped(plain, finds, list(named))


def weigh(
    plain: str, found: Sequence[Span], evidence: Evidence, card: Scorecard | None
) -> list[Span]:
    """Return of what is *found* what *card* holds for mentions, everywhere; all without a card.

    *evidence* is what was proposed. What goes may have stood where what stays is repeated with
    other edges: 태정의, of 염태정.
    """
    if card is None:
        return list(found)
    mentions = likely(plain, found, evidence, card)
    if len(mentions) == len(found):
        return mentions
    return _alike(plain, settled(plain, mentions))


def repeat(plain: str, found: Sequence[Span], tagged: Tagged | None) -> list[Span]:
    """Return what is *found*, everywhere in folded text: disjoint, sorted, each with its edges.

    Without a tagger only the look-alikes for whoever found it are asked.
    """
    if tagged is None:
        return [one for one in settled(plain, found) if not lookalike(plain, one, whoever=True)]
    spans = settled(plain, found, also=_mended)
    moved = anchored(plain, spans)
    if moved != spans:  # there are new wordings to look for
        moved = settled(plain, moved)
    return _alike(plain, moved)


def with_more(plain: str, spans: Sequence[Span], more: Sequence[Span]) -> list[Span]:
    """Return what is mentioned in folded text, of *spans* and what was found after them."""
    return _alike(plain, settled(plain, [*spans, *more]))


def _alike(plain: str, spans: Sequence[Span]) -> list[Span]:
    return list(unmarked(plain, without_readable(plain, alike(plain, spans))))


def _mended(plain: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield repeats of whole mentions where a tagger saw only their beginning: 한빛테|크놀로지.

    And units of the list in which it saw one (101호, 102|호), and how a name in other letters is
    read.
    """
    yield from neighbours(plain, spans)
    yield from person_foreign.readings(plain, spans)
    cut = {span.start: span for span in spans if is_cut(plain, span)}
    if cut:
        for span in propagation.spread(plain, [one for one in spans if one.start not in cut]):
            if span.start in cut and span.covers(cut[span.start]):
                yield span
