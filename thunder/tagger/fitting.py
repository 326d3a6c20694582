"""A tagger's thresholds set for a recall on development documents."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from thunder.korean import Folded
from thunder.replacement_sources import IGNORED
from thunder.spans import Span
from thunder.tagger import thresholds
from thunder.tagger.readings import Reading
from thunder.tagger.tagger import Tagger
from thunder.tagger.thresholds import Evidence, Thresholds

Document = tuple[str, str, Sequence[Span]]
"""Id, text and mentions."""


def fit(tagger: Tagger, documents: Iterable[Document], place: Path, *, recall: float) -> float:
    """Set the thresholds in the folder *place* for *recall*; return the recall they reach.

    The recall is the share of mentions of which every token is found, before mentions are made
    whole: what the tagger masks is never less. ValueError names a document without text, and
    says where there is no mention at all.
    """
    evidence = list(_gathered(tagger, documents))
    nodes = thresholds.fitted(evidence, taxonomy=tagger.taxonomy, recall=recall)
    level = Thresholds(nodes)
    hits = sum(one.mass >= level.of(tagger.taxonomy.by_id(one.label)) for one in evidence)
    reached = hits / len(evidence)
    about = {"recall": recall, "reached": round(reached, 4), "mentions": len(evidence)}
    thresholds.write(place, Thresholds(nodes, about))
    return reached


def _gathered(tagger: Tagger, documents: Iterable[Document]) -> Iterator[Evidence]:
    waiting: list[Sequence[Span]] = []

    def texts() -> Iterator[str]:
        for id_, text, spans in documents:
            if not text:
                raise ValueError(
                    f"document {id_} has no text: build the dataset with --text, on which "
                    "thresholds are set"
                )
            waiting.append(spans)
            yield text

    for read in tagger.read_all(texts()):
        yield from evidence_of(read.reading, waiting.pop(0), folded=read.folded)


def evidence_of(reading: Reading, spans: Sequence[Span], *, folded: Folded) -> Iterator[Evidence]:
    """Yield the weakest token of each mention; *spans* are in code points of the original."""
    begin, end = reading.starts.astype(np.int64), reading.ends.astype(np.int64)
    real = begin < end
    if folded.starts is not None and folded.ends is not None and len(folded.starts):
        begin = np.array(folded.starts)[np.minimum(begin, len(folded.starts) - 1)]
        end = np.array(folded.ends)[np.maximum(end - 1, 0)]
    for span in spans:
        inside = np.flatnonzero((begin < span.end) & (end > span.start) & real)
        if span.label != IGNORED and len(inside):
            weakest = int(inside[reading.mass[inside].argmin()])
            yield Evidence(int(reading.label[weakest]), float(reading.mass[weakest]))
