"""The figures of a dataset, or of annotated files before there is one."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thunder.training_data.datasets.annotated import LeftOut, Terms, read
from thunder.training_data.datasets.dataset import Dataset
from thunder.training_data.datasets.splits import PARTS


@dataclass(frozen=True, slots=True)
class Figures:
    """What was counted: documents and entities by case type, labels, lengths, and more.

    *lengths* are sorted: tokens of a dataset's documents, characters where *unit* says so. The
    last three are empty for annotated files.
    """

    documents: Mapping[str, int]
    entities: Mapping[str, int]
    labels: Mapping[str, int]
    lengths: Sequence[int]
    unit: str
    left_out: Mapping[str, int]
    shares: Mapping[str, Mapping[str, int]]
    parts: Mapping[str, Mapping[str, Any]]


def of_files(files: Iterable[Path], terms: Terms) -> Figures:
    """Return the figures of annotated files; what cannot be used counts under its reason."""
    documents: Counter[str] = Counter()
    entities: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    lengths: list[int] = []
    for found in read(files, terms):
        if isinstance(found, LeftOut):
            left_out[found.reason] += 1
            continue
        documents[found.case_type] += 1
        entities[found.case_type] += len(found.spans)
        labels.update(span.label for span in found.spans)
        lengths.append(len(found.text))
    return Figures(
        documents, entities, labels, sorted(lengths), "characters", left_out, shares={}, parts={}
    )


def of_counts(
    counts: Mapping[str, Any], lengths: Sequence[int], left_out: Mapping[str, int]
) -> Figures:
    """Return the figures of a dataset, of what its manifest counted and its examples' tokens."""
    documents, entities, labels = (
        {name: sum(row.values()) for name, row in counts[kind].items()}
        for kind in ("documents", "entities", "labels")
    )
    return Figures(
        documents,
        entities,
        labels,
        sorted(lengths),
        "tokens",
        left_out,
        shares=counts["documents"],
        parts=counts["parts"],
    )


def of_dataset(dataset: Dataset) -> Figures:
    """Return the figures of a finished dataset, with the length of every document."""
    lengths = [n for part in PARTS for n in dataset.part(part).lengths().tolist()]
    manifest = dataset.manifest
    return of_counts(manifest.counts, lengths, manifest.reasons())
