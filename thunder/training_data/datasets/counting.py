"""The counts of a dataset: by part, case type and label.

Documents and entities count once, however often they were filled; tokens as often.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from thunder.training_data.datasets.judgments import Judgments
from thunder.training_data.datasets.shards import Shard
from thunder.training_data.datasets.splits import PARTS, PartName

Counts = dict[str, dict[str, int]]


def counts(
    judgments: Judgments, parts: Sequence[PartName | None], examples: Sequence[Shard]
) -> dict[str, Any]:
    """Return documents, entities and labels by part, and the tokens of the stored examples.

    *parts* has the part of each judgment, None where it is in none.
    """
    documents: Counter[tuple[str, str]] = Counter()
    entities: Counter[tuple[str, str]] = Counter()
    for head, part in zip(judgments.heads(), parts, strict=True):
        if part is not None:
            documents[head.case_type, part] += 1
            entities[head.case_type, part] += head.entities
    return {
        "parts": {part: _of_part(part, parts.count(part), examples) for part in PARTS},
        "documents": by_part(documents),
        "entities": by_part(entities),
        "labels": by_part(judgments.label_counts(parts)),
    }


def by_part(found: Mapping[tuple[str, str], int]) -> Counts:
    """Return counts of (name, part) as one row of parts for each name, in order of the names."""
    names = sorted({name for name, _ in found})
    return {name: {part: found.get((name, part), 0) for part in PARTS} for name in names}


def _of_part(part: PartName, documents: int, examples: Sequence[Shard]) -> dict[str, Any]:
    notes = [shard.note for shard in examples if shard.note["part"] == part]
    tokens, masked, ignored = (
        sum(int(note[name]) for note in notes) for name in ("tokens", "masked", "ignored")
    )
    return {
        "documents": documents,
        "examples": sum(int(note["rows"]) for note in notes),
        "tokens": tokens,
        "masked": masked,
        "ignored": ignored,
        "share_masked": round(masked / tokens, 6) if tokens else 0.0,
    }
