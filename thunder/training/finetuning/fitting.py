"""A tagger's thresholds set for several recalls on development documents.

They are set for the tagger alone, or for what it masks together with others (the recognisers that
``thunder deid`` asks besides): a mention that those find, and the scorecard if there is one
leaves masked, is found whatever its threshold, so the tagger need not doubt so low to reach the
recall, and masks less beside it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.masking.deidentify import masked_with
from thunder.mentions.scorecard import Scorecard
from thunder.scoring.characters import Scored, measure
from thunder.scoring.documents import ruled
from thunder.tagger import thresholds
from thunder.tagger.dial import DEFAULT, RECALLS, Dial
from thunder.tagger.readings import Reading
from thunder.tagger.tagger import Read, Tagger
from thunder.tagger.thresholds import Evidence, Outcome, Thresholds
from thunder.text.korean import Folded
from thunder.text.spans import IGNORED, Span

Document = tuple[str, str, Sequence[Span]]
"""Id, text and mentions."""

Together = Callable[[Read, Sequence[Span]], Sequence[Span]]
"""What is masked in a text that was read and in which a tagger found these spans, folded both."""


class _Given(NamedTuple):
    text: str
    gold: Sequence[Span]


class _Seen(NamedTuple):
    read: Read
    given: _Given
    others: Sequence[Span]  # what is masked whatever the tagger finds


def fit(
    tagger: Tagger,
    documents: Iterable[Document],
    *,
    recalls: Iterable[float] = RECALLS,
    default: float = DEFAULT,
    together: bool = False,
) -> Dial:
    """Return thresholds for each of *recalls* and for the *default* one, with what they give.

    *together*: they are set for what ``thunder deid`` masks with it, by its scorecard if it has
    one; mentions that the court rule keeps readable then count neither way. Memory holds some 20
    bytes for each token of all documents, and their texts. ValueError names a document without
    text, and says where there is no mention at all.
    """
    usual, more = _ways(tagger.scorecard) if together else (None, None)
    seen = list(_seen(tagger, documents, usual))
    evidence = list(_evidence(seen))
    needless = [found for one in seen for found in _needless(tagger, one, usual)]
    wanted = sorted({*recalls, default})
    sets = tuple(
        _set(
            *(tagger, seen, evidence, needless),
            recall=recall,
            together=usual if recall <= default else more,
        )
        for recall in wanted
    )
    return Dial(sets, default, _about(seen, evidence, together=together))


def measured(tagger: Tagger, documents: Iterable[Document]) -> Dial:
    """Return *tagger*'s thresholds as they are, with what each position of its dial gives now.

    *documents* as for ``fit``. ValueError where there are no thresholds or mentions, and as there.
    """
    if not tagger.dial.sets:
        raise ValueError("the tagger has no thresholds to measure: set them, without --keep")
    usual, more = _ways(tagger.scorecard)
    seen = list(_seen(tagger, documents, usual))
    evidence = list(_evidence(seen))
    if not evidence:
        raise ValueError("no mention in these documents: nothing can be measured; give others")
    dial = tagger.dial
    default = dial.default or DEFAULT
    sets = tuple(
        _outcome(
            *(tagger, seen, evidence, levels),
            recall=levels.outcome.recall,
            together=usual if levels.outcome.recall <= default else more,
        )
        for levels in dial.sets
        if levels.outcome is not None
    )
    return replace(dial, sets=sets, about=_about(seen, evidence, together=True))


def _about(
    seen: Sequence[_Seen], evidence: Sequence[Evidence], *, together: bool
) -> dict[str, int | bool]:
    return {
        "documents": len(seen),
        "characters": sum(len(one.given.text) for one in seen),
        "mentions": len(evidence),
        "with_rules": together,
    }


def _evidence(seen: Iterable[_Seen]) -> Iterator[Evidence]:
    for one in seen:
        read, given = one.read, one.given
        yield from evidence_of(read.reading, given.gold, folded=read.folded, others=one.others)


def _ways(card: Scorecard | None) -> tuple[Together, Together]:
    """Return what is masked where the usual recall is asked for at most, and where more is."""
    more = None if card is None else card.asking_less()
    return partial(masked_with, card=card), partial(masked_with, card=more)


def _seen(
    tagger: Tagger, documents: Iterable[Document], together: Together | None
) -> Iterator[_Seen]:
    waiting: list[_Given] = []
    for read in tagger.read_all(_texts(documents, waiting)):
        given = waiting.pop(0)
        if together is None:
            yield _Seen(read, given, ())
            continue
        others = _original(read, together(read, ()))
        text = given.text
        asked = [part for span in given.gold for part in ruled(span, text, tagger.taxonomy)]
        yield _Seen(read, given._replace(gold=asked), others)


def _original(read: Read, spans: Iterable[Span]) -> list[Span]:
    return [read.folded.original(span) for span in spans]


def _texts(documents: Iterable[Document], waiting: list[_Given]) -> Iterator[str]:
    """Yield the texts; they and their mentions are put into *waiting*, in order."""
    for id_, text, spans in documents:
        if not text:
            raise ValueError(
                f"document {id_} has no text: build the dataset with --text, on which "
                "thresholds are set"
            )
        waiting.append(_Given(text, spans))
        yield text


def _set(
    tagger: Tagger,
    seen: Sequence[_Seen],
    evidence: Sequence[Evidence],
    needless: Sequence[Evidence],
    *,
    recall: float,
    together: Together | None,
) -> Thresholds:
    known = tagger.taxonomy
    levels = Thresholds(thresholds.fitted(evidence, needless, taxonomy=known, recall=recall))
    return _outcome(tagger, seen, evidence, levels, recall=recall, together=together)


def _outcome(
    tagger: Tagger,
    seen: Sequence[_Seen],
    evidence: Sequence[Evidence],
    levels: Thresholds,
    *,
    recall: float,
    together: Together | None,
) -> Thresholds:
    """Return *levels* with what they give."""
    known = tagger.taxonomy
    hits = sum(one.mass >= levels.of(known.by_id(one.label)) for one in evidence)
    report = measure(_scored(tagger, one, levels, together) for one in seen)
    mentions = report.all_mentions
    outcome = Outcome(
        recall=recall,
        reached=round(hits / len(evidence), 4),
        whole=round(mentions.whole / max(1, mentions.number), 4),
        precision=round(report.binary.precision, 4),
        characters=round(report.binary.recall, 4),
    )
    return replace(levels, outcome=outcome)


def _scored(tagger: Tagger, seen: _Seen, levels: Thresholds, together: Together | None) -> Scored:
    if together is None:
        found = tagger.spans(seen.read, levels=levels)
    else:
        plain = seen.read._replace(folded=Folded(seen.read.folded.text))
        found = _original(seen.read, together(plain, tagger.spans(plain, levels=levels)))
    return Scored(len(seen.given.text), tuple(seen.given.gold), tuple(found))


def _needless(tagger: Tagger, seen: _Seen, together: Together | None) -> Iterator[Evidence]:
    """Yield the tokens outside the gold that the lowest thresholds would mask, the others not."""
    reading, folded = seen.read.reading, seen.read.folded
    begin, end = _original_places(reading, folded)
    masked = _scored(tagger, seen, _LOWEST, together).predicted
    asked = _touching(begin, end, masked) & ~_touching(begin, end, seen.given.gold)
    asked &= ~_touching(begin, end, seen.others) & (reading.starts < reading.ends)
    for at in np.flatnonzero(asked & (reading.mass >= thresholds.FLOOR)):
        yield Evidence(int(reading.label[at]), float(reading.mass[at]))


_LOWEST = Thresholds({"": thresholds.FLOOR})


def _touching(
    begin: NDArray[np.int64], end: NDArray[np.int64], spans: Iterable[Span]
) -> NDArray[np.bool_]:
    """Return which tokens share a character with one of *spans*."""
    found = np.zeros(len(begin), np.bool_)
    for span in spans:
        found |= (begin < span.end) & (end > span.start)
    return found


def _original_places(
    reading: Reading, folded: Folded
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each token starts and ends in the original text."""
    begin, end = reading.starts.astype(np.int64), reading.ends.astype(np.int64)
    if folded.starts is not None and folded.ends is not None and len(folded.starts):
        begin = np.array(folded.starts)[np.minimum(begin, len(folded.starts) - 1)]
        end = np.array(folded.ends)[np.maximum(end - 1, 0)]
    return begin, end


def evidence_of(
    reading: Reading, spans: Sequence[Span], *, folded: Folded, others: Sequence[Span] = ()
) -> Iterator[Evidence]:
    """Yield the weakest token of each mention, a sure one where *others* cover all of its tokens.

    *spans* and *others* are in code points of the original.
    """
    begin, end = _original_places(reading, folded)
    real = reading.starts < reading.ends
    found = np.zeros(len(begin), np.bool_)
    for span in others:
        found |= (begin >= span.start) & (end <= span.end)
    mass = np.where(found, np.float32(1), reading.mass)
    for span in spans:
        inside = np.flatnonzero((begin < span.end) & (end > span.start) & real)
        if span.label != IGNORED and len(inside):
            weakest = int(inside[mass[inside].argmin()])
            yield Evidence(int(reading.label[weakest]), float(mass[weakest]))
