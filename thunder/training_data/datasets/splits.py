"""The parts of a dataset: eight documents in ten to train on, one for development, one to test.

A group of near-duplicates goes to one part, by the hash of its name against fixed thresholds:
nothing else in the corpus has a say, so documents added later move no other. Ranks by hash
within a case type would give exact shares, but every new document would move some old ones; so
each case type has 80/10/10 in expectation (a type of n documents strays by about 0.3 / sqrt(n)),
and what it got is reported. A group's name is its smallest id: only a new near-duplicate
with a smaller id could move a group, and ``earlier`` keeps it from doing so.

Paper: section 4.1 (80/10/10).
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from thunder.training_data import messages as say
from thunder.training_data.lists import Part as ListPart

PartName = Literal["train", "dev", "test"]
PARTS: tuple[PartName, ...] = ("train", "dev", "test")
SHARES: Mapping[PartName, float] = {"train": 0.8, "dev": 0.1, "test": 0.1}

MENTIONS: Mapping[PartName, ListPart] = {"train": "train", "dev": "held-out", "test": "held-out"}
"""The part of the lists that fills each part. Development judgments get held-out mentions too:
they choose checkpoints and settings, and filled from the lists trained on they would choose the
model that has learnt the lists by heart. No gradient ever sees a held-out mention."""

BRIDGE = "a near-duplicate of documents in two parts"
_HEADER = "id\tcase_type\tpart\tgroup"


def part_of(group: str) -> PartName:
    """Return the part that a group of near-duplicates belongs to, whatever else is there."""
    digest = hashlib.blake2b(group.encode(), digest_size=8, person=b"split").digest()
    place = int.from_bytes(digest, "big") / 2**64
    if place < SHARES["train"]:
        return "train"
    return "dev" if place < SHARES["train"] + SHARES["dev"] else "test"


def assign(
    groups: Mapping[str, str], *, earlier: Mapping[str, PartName] | None = None
) -> dict[str, PartName | None]:
    """Return the part of each document, given the name of its group.

    Documents of an *earlier* assignment keep their part, and newcomers join the part of their
    near-duplicates; None for a newcomer near to documents that are in two parts already.
    """
    known = earlier or {}
    held: dict[str, set[PartName]] = defaultdict(set)
    for document, group in groups.items():
        if document in known:
            held[group].add(known[document])
    return {
        document: known.get(document) or _joined(held.get(group, set()), group)
        for document, group in groups.items()
    }


def _joined(held: set[PartName], group: str) -> PartName | None:
    if not held:
        return part_of(group)
    return next(iter(held)) if len(held) == 1 else None


class Row(NamedTuple):
    """One line of ``splits.tsv``."""

    id: str
    case_type: str
    part: PartName
    group: str


def write(rows: Iterable[Row]) -> bytes:
    """Return the content of ``splits.tsv``: every document's part, for later builds and people."""
    lines = ("\t".join(_plain(field) for field in row) for row in rows)
    return "\n".join((_HEADER, *lines, "")).encode()


def read(path: Path) -> list[Row]:
    """Return the rows of a ``splits.tsv``; ValueError names the line that is wrong."""
    lines = path.read_bytes().decode().split("\n")
    if lines[0] != _HEADER or lines[-1]:
        raise ValueError(say.NO_SPLITS(path=path))
    rows = []
    for number, line in enumerate(lines[1:-1], 2):
        fields = line.split("\t")
        part = next((one for one in PARTS if len(fields) == 4 and one == fields[2]), None)
        if part is None:
            place = f"{path}:{number}"
            raise ValueError(say.SPLITS_LINE(place=place, header=repr(_HEADER), parts=PARTS))
        rows.append(Row(_unplain(fields[0]), _unplain(fields[1]), part, _unplain(fields[3])))
    return rows


def shares(rows: Iterable[Row]) -> dict[str, dict[PartName, int]]:
    """Return how many documents of each case type are in each part."""
    counts: dict[str, Counter[PartName]] = defaultdict(Counter)
    for row in rows:
        counts[row.case_type][row.part] += 1
    return {case: {part: counts[case][part] for part in PARTS} for case in sorted(counts)}


_ESCAPES = (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"))


def _plain(field: str) -> str:
    for character, escape in _ESCAPES:
        field = field.replace(character, escape)
    return field


def _unplain(field: str) -> str:
    pieces = iter(field.split("\\\\"))
    found = []
    for piece in pieces:
        for character, escape in _ESCAPES[1:]:
            piece = piece.replace(escape, character)
        found.append(piece)
    return "\\".join(found)
