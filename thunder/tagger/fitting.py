"""A tagger's thresholds set for several recalls on development documents.

They are set for the tagger alone, or for what it masks together with others (the recognisers that
``thunder deid`` asks besides): a mention that those find is found whatever its threshold, so the
tagger need not doubt so low to reach the recall, and masks less beside it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from thunder.korean import Folded
from thunder.replacement_sources import IGNORED
from thunder.scoring.characters import Scored, measure
from thunder.scoring.documents import ruled
from thunder.spans import Span
from thunder.tagger import thresholds
from thunder.tagger.dial import DEFAULT, RECALLS, Dial
from thunder.tagger.readings import Reading
from thunder.tagger.tagger import Read, Tagger
from thunder.tagger.thresholds import Evidence, Outcome, Thresholds

Document = tuple[str, str, Sequence[Span]]
"""Id, text and mentions."""

Together = Callable[[Read, Sequence[Span]], Sequence[Span]]
"""What is masked in a text that was read and in which a tagger found these spans, folded both."""


class _Given(NamedTuple):
    length: int
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
    together: Together | None = None,
) -> Dial:
    """Return thresholds for each of *recalls* and for the *default* one, with what they give.

    *together*: they are set for what is masked so; mentions that the court rule keeps readable
    then count neither way. Memory holds some 20 bytes for each token of all documents, and their
    texts. ValueError names a document without text, and says where there is no mention at all.
    """
    seen = list(_seen(tagger, documents, together))
    evidence = [
        found
        for read, given, others in seen
        for found in evidence_of(read.reading, given.gold, folded=read.folded, others=others)
    ]
    wanted = sorted({*recalls, default})
    sets = tuple(
        _set(tagger, seen, evidence, recall=recall, together=together) for recall in wanted
    )
    about = {
        "documents": len(seen),
        "characters": sum(one.given.length for one in seen),
        "mentions": len(evidence),
        "with_rules": together is not None,
    }
    return Dial(sets, default, about)


def _seen(
    tagger: Tagger, documents: Iterable[Document], together: Together | None
) -> Iterator[_Seen]:
    waiting: list[_Given] = []
    for read in tagger.read_all(_texts(documents, waiting)):
        length, gold = waiting.pop(0)
        if together is None:
            yield _Seen(read, _Given(length, gold), ())
            continue
        others = _original(read, together(read, ()))
        asked = [ruled(span, tagger.taxonomy) for span in gold]
        yield _Seen(read, _Given(length, asked), others)


def _original(read: Read, spans: Iterable[Span]) -> list[Span]:
    return [read.folded.original(span) for span in spans]


def _texts(documents: Iterable[Document], waiting: list[_Given]) -> Iterator[str]:
    """Yield the texts; lengths and mentions are put into *waiting*, in order."""
    for id_, text, spans in documents:
        if not text:
            raise ValueError(
                f"document {id_} has no text: build the dataset with --text, on which "
                "thresholds are set"
            )
        waiting.append(_Given(len(text), spans))
        yield text


def _set(
    tagger: Tagger,
    seen: Sequence[_Seen],
    evidence: Sequence[Evidence],
    *,
    recall: float,
    together: Together | None,
) -> Thresholds:
    nodes, floored = thresholds.fitted(evidence, taxonomy=tagger.taxonomy, recall=recall)
    levels = Thresholds(nodes)
    hits = sum(one.mass >= levels.of(tagger.taxonomy.by_id(one.label)) for one in evidence)
    report = measure(_scored(tagger, one, levels, together) for one in seen)
    mentions = report.all_mentions
    outcome = Outcome(
        recall=recall,
        reached=round(hits / len(evidence), 4),
        whole=round(mentions.whole / max(1, mentions.number), 4),
        precision=round(report.binary.precision, 4),
        characters=round(report.binary.recall, 4),
        floored=floored,
    )
    return Thresholds(nodes, outcome)


def _scored(tagger: Tagger, seen: _Seen, levels: Thresholds, together: Together | None) -> Scored:
    if together is None:
        found = tagger.spans(seen.read, levels=levels)
    else:
        plain = seen.read._replace(folded=Folded(seen.read.folded.text))
        found = _original(seen.read, together(plain, tagger.spans(plain, levels=levels)))
    return Scored(seen.given.length, tuple(seen.given.gold), tuple(found))


def evidence_of(
    reading: Reading, spans: Sequence[Span], *, folded: Folded, others: Sequence[Span] = ()
) -> Iterator[Evidence]:
    """Yield the weakest token of each mention, a sure one where *others* cover all of its tokens.

    *spans* and *others* are in code points of the original.
    """
    begin, end = reading.starts.astype(np.int64), reading.ends.astype(np.int64)
    real = begin < end
    if folded.starts is not None and folded.ends is not None and len(folded.starts):
        begin = np.array(folded.starts)[np.minimum(begin, len(folded.starts) - 1)]
        end = np.array(folded.ends)[np.maximum(end - 1, 0)]
    found = np.zeros(len(begin), np.bool_)
    for span in others:
        found |= (begin >= span.start) & (end <= span.end)
    mass = np.where(found, np.float32(1), reading.mass)
    for span in spans:
        inside = np.flatnonzero((begin < span.end) & (end > span.start) & real)
        if span.label != IGNORED and len(inside):
            weakest = int(inside[mass[inside].argmin()])
            yield Evidence(int(reading.label[weakest]), float(mass[weakest]))
