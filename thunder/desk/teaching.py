"""What people decided, for those who teach: annotated judgments, and wordings that came up.

Both hold original words: their files are their owner's alone. Nothing learns by itself.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from thunder.desk.desk import Desk
from thunder.training_data.annotation import serialise


class Proposal(NamedTuple):
    """A wording that people masked as *label*, or opened (label ""), in so many documents."""

    decision: str
    wording: str
    label: str
    documents: int


def annotated(desk: Desk) -> Iterator[tuple[str, str]]:
    """Yield id and marked-up text of each released judgment, as people left it.

    ``thunder evaluate`` and ``thunder dataset build`` read them. One that holds marks itself is
    yielded with an empty text.
    """
    for held in desk.store.finished():
        result = desk.result(held)
        try:
            yield held.id, serialise(held.text, [change.span for change in result.changes])
        except ValueError:
            yield held.id, ""


def proposals(desk: Desk) -> list[Proposal]:
    """Return the wordings that people masked or opened everywhere, the most frequent first.

    What was planted was masked before, and tells nothing.
    """
    found: Counter[tuple[str, str, str]] = Counter()
    for held in desk.store.finished():
        found.update(
            {
                (one["kind"], one["wording"], one.get("label", ""))
                for one in held.decisions
                if one["kind"] in ("mask", "open", "edge")
                and not (held.planted and one["wording"] == held.planted["wording"])
            }
        )
    return [Proposal(*key, count) for key, count in found.most_common()]
