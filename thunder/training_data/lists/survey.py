"""How large the replacement lists are, what they share, and which of them hold a text."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import combinations, islice
from statistics import median
from typing import NamedTuple

from thunder.taxonomy import Label
from thunder.training_data.lists import ReplacementLists
from thunder.training_data.lists.reading import ComposedRule, MentionList, Source
from thunder.training_data.lists.rules import ENOUGH


class Size(NamedTuple):
    """How much the lists of a group of labels hold; *smallest* and *middle* of its lists."""

    labels: int
    lists: int
    rules: int
    mentions: int
    smallest: int
    middle: int


def sizes(lists: ReplacementLists) -> dict[tuple[str, str], Size]:
    """Return the sizes by (code of the subcategory, granular category); ListsError as ``source``.

    A label without a file counts among the labels only.
    """
    groups: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for label in lists.taxonomy:
        groups[label.code, label.category].append(label)
    return {group: _size(lists, labels) for group, labels in groups.items()}


def _size(lists: ReplacementLists, labels: Collection[Label]) -> Size:
    present = [label.ko for label in labels if lists.path(label.ko).is_file()]
    sources = [lists.source(name) for name in present]
    lengths = [len(one.mentions) for one in sources if isinstance(one, MentionList)]
    return Size(
        labels=len(labels),
        lists=len(lengths),
        rules=len(sources) - len(lengths),
        mentions=sum(lengths),
        smallest=min(lengths, default=0),
        middle=int(median(lengths)) if lengths else 0,
    )


class LabelSize(NamedTuple):
    """How many mentions a label has; just above ENOUGH where a rule makes them."""

    code: str
    label: str
    mentions: int
    is_rule: bool


def sizes_by_label(lists: ReplacementLists) -> list[LabelSize]:
    """Return the size of each label that has a file; ListsError as ``source``."""
    return [
        LabelSize(lists.taxonomy.label(name).code, name, len(source.mentions), False)
        if isinstance(source, MentionList)
        else LabelSize(lists.taxonomy.label(name).code, name, ENOUGH + 1, True)
        for name, source in _readable(lists)
    ]


# --- between labels -------------------------------------------------------------------------------


class Overlap(NamedTuple):
    """Two labels whose lists share mentions, and some of those."""

    one: str
    other: str
    shared: int
    examples: tuple[str, ...]


def overlaps(lists: ReplacementLists) -> list[Overlap]:
    """Return the pairs of labels whose lists share mentions, most first; rules are left out."""
    holders: dict[str, list[str]] = defaultdict(list)
    for label in lists.taxonomy:
        if lists.path(label.ko).suffix != ".txt" or not lists.path(label.ko).is_file():
            continue  # rules are not even read, which would take longer than all the rest
        for mention in lists.mentions(label.ko):
            holders[mention].append(label.ko)
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    for mention, names in holders.items():
        for pair in combinations(names, 2):
            counts[pair] += 1
            examples[pair].append(mention)
    return [
        Overlap(one, other, shared, tuple(islice(examples[one, other], 5)))
        for (one, other), shared in counts.most_common()
    ]


def find(lists: ReplacementLists, text: str) -> Iterator[tuple[str, str]]:
    """Yield each label that holds *text*, and how: list, rule, or the mentions it is part of."""
    for name, source in _readable(lists):
        if isinstance(source, MentionList):
            if text in source.mentions:
                yield name, "list"
            elif inside := [mention for mention in source.mentions if text in mention]:
                yield name, ", ".join(inside[:5]) + (" …" if len(inside) > 5 else "")
        elif isinstance(source, ComposedRule) and source.composition.makes(text):
            yield name, "rule"


def _readable(lists: ReplacementLists) -> Iterator[tuple[str, Source]]:
    for label in lists.taxonomy:
        if lists.path(label.ko).is_file():
            yield label.ko, lists.source(label.ko)
