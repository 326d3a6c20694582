"""Filled judgments as documents to score by: what was put where, and what of the court was left.

A row is what ``thunder evaluate`` reads as gold (``thunder.scoring.reading``): ``id``,
``case_type``, ``text`` and ``entities``, each with ``start``, ``end`` (code points), ``label``,
``mention``, ``entity`` (a key that the mentions of one share) and ``written`` (the placeholder that
it took the place of). The label "" is neither hit nor miss: a noun that came with a mention, and
what the annotators gave no label.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from thunder.text.spans import Span
from thunder.training_data.datasets.annotated import LeftOut
from thunder.training_data.datasets.filling import Filling, Marked
from thunder.training_data.filling import NOUN, Choice, Prepared, written
from thunder.training_data.placeholders.annotating import find


class Left(NamedTuple):
    """Where a placeholder stands that nobody had marked: line and column (from 1), no wording.

    Of 김○수 two syllables are left. The column counts without the marks.
    """

    line: int
    column: int


class Filled(NamedTuple):
    """A filled judgment as a row of gold: of which judgment, and what placeholders stayed in it."""

    judgment: str
    row: dict[str, Any]
    left: tuple[Left, ...]


def filled(
    judgments: Iterable[Marked | LeftOut], filling: Filling, *, fillings: int = 1
) -> Iterator[Filled | LeftOut]:
    """Yield each judgment *fillings* times, or why it is left out; the same for the same seed.

    The second filling of the judgment J has the id ``J#2``. One whose mentions run out is left
    out with the reason.
    """
    for judgment in judgments:
        if isinstance(judgment, LeftOut):
            yield judgment
            continue
        left = tuple(left_in(judgment.text, judgment.spans))
        for replica in range(fillings):
            try:
                prepared, chosen = filling.choice(judgment, epoch=0, replica=replica)
            except (LookupError, ValueError) as error:
                reason = str(error).removeprefix(f"{judgment.id}: ")
                yield LeftOut(judgment.id, "", 0, reason)
                break
            yield Filled(judgment.id, _row(judgment, prepared, chosen, replica), left)


def left_in(text: str, spans: Sequence[Span]) -> Iterator[Left]:
    """Yield what looks like a court's placeholder in *text* and lies in none of *spans*.

    *spans* are sorted and disjoint. Filled text with such a place left tells a reader, and a
    system that is scored, that the judgment was masked.
    """
    ends = [span.end for span in spans]
    for mark in find(text):
        at = bisect_left(ends, mark.start + 1)
        if at == len(spans) or spans[at].start >= mark.end:
            line = text.count("\n", 0, mark.start) + 1
            yield Left(line, mark.start - text.rfind("\n", 0, mark.start))


def _row(judgment: Marked, prepared: Prepared, chosen: Choice, replica: int) -> dict[str, Any]:
    text, spans = written(prepared, chosen)
    keys = _entities(prepared)
    surfaces = [site.surface for site in prepared.sites]
    entities = []
    site = -1
    for span in spans:
        is_noun = span.source == NOUN
        site += not is_noun
        entities.append(
            {
                "start": span.start,
                "end": span.end,
                "label": span.label,
                "mention": text[span.start : span.end],
                "entity": f"{keys[site]} (noun)" if is_noun else keys[site],
                "written": "" if is_noun else surfaces[site],
            }
        )
    number = f"#{replica + 1}" if replica else ""
    return {
        "id": f"{judgment.id}{number}",
        "case_type": judgment.case_type,
        "text": text,
        "entities": entities,
    }


def _entities(prepared: Prepared) -> list[str]:
    """Return for each site the key of its entity, which no other entity has."""
    keys = [""] * len(prepared.sites)
    for group in prepared.groups:
        for at in group.at:
            keys[at] = f"{group.kind} {group.surface.replace(chr(0), ' ')}"
    return keys
