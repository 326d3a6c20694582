"""What differs between two answers to one document."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

FIELDS = {2: "labels", 3: "scores", 4: "sources", 5: "replacements"}
"""What a masked place has beside its start and end."""

Answer = dict[str, Any]
Place = list[Any]


class Difference(NamedTuple):
    """The first difference of one kind in a document: where, and the two sides' values.

    None for a side that has nothing there; ``number`` counts the places that differ.
    """

    kind: str
    start: int
    end: int
    old: Any
    new: Any
    number: int = 1


def differences(old: Answer, new: Answer) -> list[Difference]:
    """Return the first difference of each kind between two answers to one document, in order.

    ValueError where they are of two documents.
    """
    if old["id"] != new["id"]:
        raise ValueError(f"answers to two documents: {old['id']} and {new['id']}")
    if old.get("error") != new.get("error"):
        return [Difference("errors", 0, 0, old.get("error"), new.get("error"))]
    return [*_of_spans(old, new), *_of_lists(old, new), *_of_text(old, new)]


def _of_spans(old: Answer, new: Answer) -> Iterator[Difference]:
    """Yield the first place that one side alone masks, and the first of each field that differs."""
    ours, theirs = ({(one[0], one[1]): one for one in side.get("spans", [])} for side in (old, new))
    alone = sorted(ours.keys() ^ theirs.keys())
    if alone:
        place = alone[0]
        yield Difference("spans", *place, ours.get(place), theirs.get(place), len(alone))
    shared = sorted(ours.keys() & theirs.keys())
    for field, kind in FIELDS.items():
        unlike = [at for at in shared if ours[at][field] != theirs[at][field]]
        if unlike:
            place = unlike[0]
            yield Difference(kind, *place, ours[place], theirs[place], len(unlike))


def _of_lists(old: Answer, new: Answer) -> Iterator[Difference]:
    """Yield the first unlike entry of what stays readable, what is doubted, what was told."""
    for kind in ("kept", "doubts", "hints"):
        ours, theirs = ([tuple(one) for one in side.get(kind) or ()] for side in (old, new))
        if ours != theirs:
            place, pair = _first_unlike(ours, theirs)
            places = {(one[0], one[1]) for one in set(ours) ^ set(theirs)}
            yield Difference(kind, *place, *pair, max(1, len(places)))


def _first_unlike(
    ours: Sequence[tuple[Any, ...]], theirs: Sequence[tuple[Any, ...]]
) -> tuple[tuple[int, int], list[Any]]:
    """Return the earliest place where two rows differ, and each row's entry of that place."""
    at = 0
    while ours[at : at + 1] == theirs[at : at + 1]:
        at += 1
    entries = [row[at] for row in (ours, theirs) if at < len(row)]
    place = min((one[0], one[1]) for one in entries)
    heads = [row[at] if at < len(row) else None for row in (ours, theirs)]
    return place, [list(one) if one and (one[0], one[1]) == place else None for one in heads]


def _of_text(old: Answer, new: Answer) -> Iterator[Difference]:
    """Yield the first place of the new text that differs; offsets are of the new text."""
    ours, theirs = old.get("text", ""), new.get("text", "")
    if ours != theirs:
        shorter = min(len(ours), len(theirs))
        at = next((n for n in range(shorter) if ours[n] != theirs[n]), shorter)
        around = slice(max(0, at - 20), at + 30)
        yield Difference("text", at, at, ours[around], theirs[around])


def described(difference: Difference) -> str:
    """Return a difference without any text of the document: kind, place, labels, numbers."""
    place = f"{difference.kind} {difference.start}:{difference.end}"
    if difference.kind == "text":
        return place
    count = f" (1 of {difference.number})" if difference.number > 1 else ""
    old, new = (_value(difference.kind, one) for one in (difference.old, difference.new))
    return f"{place} {old} → {new}{count}"


def _value(kind: str, one: Any) -> str:
    """Return what of a side's entry is told: no replacement, it may be one of the text's words."""
    if one is None:
        return "nothing"
    if kind == "errors":
        return str(one)
    shown = {"replacements": one[2:3], "hints": one[2:3], "doubts": one[2:4], "kept": one[2:6]}
    return " ".join(map(str, shown.get(kind, one[2:5])))
